/* terminal.h - what depends on a terminal: width, bold and colour, the progress bar; and Ctrl-C. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

#include "anorank/anorank.h"

#define CLI_PLAIN "\033[0m"
#define CLI_BOLD "\033[1m"
#define CLI_DIM "\033[2m"
#define CLI_ALERT "\033[1;31m"

/* The style, or "" where the stream is no terminal, NO_COLOR is set or TERM is dumb. */
const char *cli_style(FILE *stream, const char *style);

/* A line in bold. */
void cli_title(FILE *stream, const char *title);

/* Columns for sentences: those of the terminal, but at most 100; 80 for a file. */
size_t cli_columns(FILE *stream);

/* Columns for tables: all that the terminal has; 80 for a file. */
size_t cli_width(FILE *stream);

/* Lines of the terminal; 0 if the stream is none, or has no size. */
size_t cli_height(FILE *stream);

/* Take the numbers 0, 1 and 2 where the caller closed them, or the first file opened would get one and catch
 * the messages for a person. Reading or writing them still fails. */
void cli_streams_open(void);

/* Ctrl-C, SIGTERM and SIGHUP end the program at once, with a word and 128 + the signal, even while it waits
 * for input; but between cli_writing(1) and cli_writing(0) they only raise a flag that the progress callback
 * and long loops look at, so that temporary files are removed (a second one then kills). SIGPIPE becomes a
 * write error. */
void cli_signals_install(void);
void cli_writing(int yes);
int cli_interrupted(void);

/* While a person answers, each answer is in the file already: the word says so. */
void cli_feedback(int yes);

/* 128 + the signal that came. */
int cli_signal_code(void);

/* The bar appears on standard error once the work has taken a second, if that is a terminal. `from` and `to`
 * are the share of the whole that the next call of the library covers. */
typedef struct cli_progress {
  int shown; /* 0: never draw */
  double from, to;
  double started, drawn; /* seconds */
} cli_progress;

void cli_progress_start(cli_progress *progress, anorank_settings *settings, int quiet);
void cli_progress_part(cli_progress *progress, double from, double to);

/* Wipe the bar before something else is written to the terminal. */
void cli_progress_clear(void);

/* Seconds of a clock that only goes forward. */
double cli_clock(void);

/* Flush standard output. Returns 0, or the exit code for a failed write after saying so. */
int cli_finish_output(void);

/* 1 if the program that reads standard output has ended (`anorank ... | head`): no reason to complain. */
int cli_reader_gone(void);

enum { CLI_EXIT_PIPE = 141 }; /* as a shell reports a program ended by SIGPIPE */

#endif
