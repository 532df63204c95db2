/* on_terminal.c - run a program on a terminal of a given size and print its output:
 *
 *   on_terminal 80x24 PROGRAM ARGUMENT...
 *
 * The text of the environment variable TYPED is typed when the program first writes a question mark; a Ctrl-C
 * typed earlier could arrive too soon. The exit code is the program's. Lines end in "\n" as in a file, not in
 * "\r\n". Text that is overwritten, such as a progress bar, is not printed. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process whose terminal is the other end of *terminal. */
static pid_t fork_on_terminal(int *terminal, const struct winsize *size) {
  *terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (*terminal < 0 || grantpt(*terminal) != 0 || unlockpt(*terminal) != 0) return -1;
  const char *name = ptsname(*terminal);
  pid_t child = name ? fork() : -1;
  if (child != 0) return child;
  setsid(); /* the first terminal that it opens becomes its own */
  int own = open(name, O_RDWR);
  if (own < 0 || ioctl(own, TIOCSWINSZ, size) != 0) _exit(127);
  for (int file = 0; file < 3; file++) (void)dup2(own, file);
  (void)close(*terminal);
  if (own > 2) (void)close(own);
  return 0;
}

int main(int argc, char **argv) {
  struct winsize size = {0};
  char line[4096];
  size_t used = 0;
  int terminal, status, c, returned = 0;
  if (argc < 3 || sscanf(argv[1], "%hux%hu", &size.ws_col, &size.ws_row) != 2) return 2;
  pid_t child = fork_on_terminal(&terminal, &size);
  if (child < 0) return 5;
  if (child == 0) {
    (void)signal(SIGINT, SIG_DFL); /* a shell lets what it runs in the background ignore it */
    execv(argv[2], argv + 2);
    _exit(127);
  }
  const char *typed = getenv("TYPED");
  FILE *seen = fdopen(terminal, "r");
  while (seen && (c = getc(seen)) != EOF) { /* ends with an error when the program has ended */
    if (c == '?' && typed) {
      if (write(terminal, typed, strlen(typed)) < 0) return 5;
      typed = NULL;
    }
    if (returned && c != '\n') used = 0;
    returned = c == '\r';
    if (!returned && used < sizeof line) line[used++] = (char)c;
    if (c == '\n') used -= fwrite(line, 1, used, stdout);
  }
  (void)fwrite(line, 1, used, stdout);
  if (waitpid(child, &status, 0) != child) return 5;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
