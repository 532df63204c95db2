/* terminal.c - see terminal.h. */
#include "terminal.h"

#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "core/file_io.h"
#include "core/print.h"
#include "options.h"
#include "text.h"

static volatile sig_atomic_t signal_seen;
static volatile sig_atomic_t writing;   /* a temporary file may exist */
static volatile sig_atomic_t answering; /* answers are in a file already */
static volatile sig_atomic_t bar_drawn; /* the progress bar is visible */

const char *cli_style(FILE *stream, const char *style) {
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  if ((no_color && *no_color) || !term || strcmp(term, "dumb") == 0 || !isatty(fileno(stream))) return "";
  return style;
}

void cli_title(FILE *stream, const char *title) {
  fprintf(stream, "%s%s%s\n", cli_style(stream, CLI_BOLD), title, cli_style(stream, CLI_PLAIN));
}

/* Return whether the stream is a terminal with a known size. */
static int size_of(FILE *stream, struct winsize *size) {
  return isatty(fileno(stream)) && ioctl(fileno(stream), TIOCGWINSZ, size) == 0 && size->ws_col > 0;
}

size_t cli_width(FILE *stream) {
  enum { UNKNOWN = 80, NARROWEST = 40 };
  struct winsize size;
  if (!size_of(stream, &size)) return UNKNOWN;
  return size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
}

size_t cli_height(FILE *stream) {
  struct winsize size;
  return size_of(stream, &size) ? size.ws_row : 0;
}

size_t cli_columns(FILE *stream) {
  enum { READABLE = 100 };
  size_t width = cli_width(stream);
  return width < READABLE ? width : READABLE;
}

static void on_signal(int number) {
  static const char wipe[] = "\r\033[K", message[] = CLI_PROGRAM ": stopped; no file was changed\n",
                    kept[] = CLI_PROGRAM ": stopped; all answers so far are kept\n";
  signal_seen = number;
  if (writing) return;
  if (bar_drawn) (void)!write(STDERR_FILENO, wipe, sizeof wipe - 1);
  if (answering)
    (void)!write(STDERR_FILENO, kept, sizeof kept - 1);
  else
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
  _exit(128 + number);
}

void cli_writing(int yes) { writing = yes; }

void cli_feedback(int yes) { answering = yes; }

void cli_streams_open(void) {
  for (int stream = 0; stream <= 2; stream++)
    if (fcntl(stream, F_GETFD) < 0) (void)open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
}

void cli_signals_install(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = on_signal;
  action.sa_flags = (int)SA_RESETHAND; /* a second signal ends the program */
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
    if (sigaction(signals[i], NULL, &before) == 0 &&
        before.sa_handler != SIG_IGN) /* nohup, and "&" in scripts, ignore signals */
      sigaction(signals[i], &action, NULL);
  signal(SIGPIPE, SIG_IGN);
}

int cli_interrupted(void) { return signal_seen != 0; }

int cli_signal_code(void) { return 128 + (signal_seen ? (int)signal_seen : SIGINT); }

double cli_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_progress_clear(void) {
  if (bar_drawn) fputs("\r\033[K", stderr);
  bar_drawn = 0;
}

static void format_time(char *text, size_t size, double seconds) {
  long whole = (long)(seconds + 0.5);
  if (whole < 100)
    snprintf(text, size, "%ld s", whole);
  else if (whole < 6000)
    snprintf(text, size, "%ld min", (whole + 30) / 60);
  else
    snprintf(text, size, "%ld h %ld min", whole / 3600, whole / 60 % 60);
}

static void draw(cli_progress *progress, double share, const char *what, double now) {
  enum { CELLS = 20 };
  char bar[CELLS + 1], left[48], doing[128];
  size_t done = (size_t)(share * CELLS);
  for (size_t i = 0; i < CELLS; i++) bar[i] = i < done ? '#' : '.';
  bar[CELLS] = '\0';
  if (share > 0.01)
    format_time(left, sizeof left, (now - progress->started) * (1 - share) / share);
  else
    snprintf(left, sizeof left, "?");
  char line[160];
  size_t columns = cli_columns(stderr) - 1;
  size_t used = (size_t)ank_print(line, sizeof line, "[%s] %3.0f %%  %s left  ", bar, 100 * share, left);
  cli_printable(doing, columns > used + 4 && columns - used < sizeof doing ? columns - used : 1,
                what ? what : "");
  fprintf(stderr, "\r\033[K%s%s", line, doing);
  fflush(stderr);
  bar_drawn = 1;
}

static int on_progress(void *context, double share_done, const char *what) {
  cli_progress *progress = context;
  double now = cli_clock();
  double share = progress->from + (progress->to - progress->from) * share_done;
  if (progress->shown && now - progress->started > 1.0 && now - progress->drawn > 0.1 && share >= 0 &&
      share <= 1) {
    draw(progress, share, what, now);
    progress->drawn = now;
  }
  return cli_interrupted();
}

static int on_stop(void *context) {
  (void)context;
  return cli_interrupted();
}

void cli_progress_start(cli_progress *progress, anorank_settings *settings, int quiet) {
  progress->shown = !quiet && isatty(STDERR_FILENO);
  progress->from = 0;
  progress->to = 1;
  progress->started = cli_clock();
  progress->drawn = 0;
  anorank_settings_on_progress(settings, on_progress, progress);
  anorank_settings_on_stop(settings, on_stop, NULL);
}

void cli_progress_part(cli_progress *progress, double from, double to) {
  progress->from = from;
  progress->to = to;
}

int cli_reader_gone(void) {
  struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

int cli_finish_output(void) {
  int failed = ferror(stdout);
  errno = 0;
  if (fflush(stdout) != 0) failed = 1;
  int reason = errno;
  /* Some file systems report a full disk only here. */
  if (!failed && fclose(stdout) != 0 && errno != EBADF) failed = 1, reason = errno; /* EBADF: never open */
  if (!failed) return 0;
  /* The reason of an earlier failed write is lost: write again to find it. */
  if (reason == 0 && write(STDOUT_FILENO, "\n", 1) < 0) reason = errno;
  cli_progress_clear();
  if (reason == EPIPE || cli_reader_gone()) return CLI_EXIT_PIPE;
  anorank_error err;
  cli_fail(&err, ANORANK_ERROR_RESOURCES, "output-write", "standard output: cannot write%s%s%s",
           reason ? ": " : "", reason ? strerror(reason) : "", ank_write_advice(reason));
  return cli_failure(NULL, ANORANK_ERROR_RESOURCES, &err);
}
