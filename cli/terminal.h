/* terminal.h - terminal output: width, styles, the progress bar; and Ctrl-C. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

#include "anorank/anorank.h"

#define CLI_PLAIN "\033[0m"
#define CLI_BOLD "\033[1m"
#define CLI_DIM "\033[2m"
#define CLI_ALERT "\033[1;31m"

/* Return the style, or "" if the stream is not a terminal, NO_COLOR is set or TERM is dumb. */
const char *cli_style(FILE *stream, const char *style);

/* Print a line in bold. */
void cli_title(FILE *stream, const char *title);

/* Return the width of sentences: that of the terminal, at most 100; 80 for a file. */
size_t cli_columns(FILE *stream);

/* Return the width of tables: that of the terminal; 80 for a file. */
size_t cli_width(FILE *stream);

/* Return the lines of the terminal; 0 if the stream is not a terminal, or has no size. */
size_t cli_height(FILE *stream);

/* Reopen descriptors 0, 1 and 2 if they are closed. Otherwise the first opened file would get one and receive
 * the messages. Reading or writing them still fails. */
void cli_streams_open(void);

/* Handle signals. Ctrl-C, SIGTERM and SIGHUP end the program immediately, with a message and 128 + the
 * signal, even while it waits for input. Between cli_writing(1) and cli_writing(0) they only set a flag,
 * which the progress callback and long loops check, so that temporary files are removed (a second one then
 * ends it). SIGPIPE becomes a write error. */
void cli_signals_install(void);
void cli_writing(int yes);
int cli_interrupted(void);

/* Mark the time of a review, in which the message adds that all answers are saved. */
void cli_feedback(int yes);

/* Return 128 + the received signal. */
int cli_signal_code(void);

/* A progress bar on standard error, which appears after a second if that is a terminal. The next call of the
 * library covers the share `from` to `to` of the whole. */
typedef struct cli_progress {
  int shown; /* 0: never draw */
  double from, to;
  double started, drawn; /* seconds */
} cli_progress;

void cli_progress_start(cli_progress *progress, anorank_settings *settings, int quiet);
void cli_progress_part(cli_progress *progress, double from, double to);

/* Erase the bar before other output to the terminal. */
void cli_progress_clear(void);

/* Return the seconds of a monotonic clock. */
double cli_clock(void);

/* Flush standard output. Returns 0, or the exit code of a failed write, after the message. */
int cli_finish_output(void);

/* Return 1 if the program that reads standard output has ended (`anorank ... | head`), which is not an
 * error. */
int cli_reader_gone(void);

enum { CLI_EXIT_PIPE = 141 }; /* the shell's code for a program ended by SIGPIPE */

#endif
