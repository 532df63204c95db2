/* on_terminal.c - run a program on a terminal of a given size and print what it writes there:
 *
 *   on_terminal 80x24 PROGRAM ARGUMENT...
 *
 * What TYPED in the environment holds is typed there when the program first writes a question mark: before, a Ctrl-C could
 * come too early to be one. The exit code is the program's. Lines end in "\n" as in a file, not in "\r\n"; what was drawn over,
 * as a progress bar is, is not printed. */
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct winsize size = {0};
  char line[4096];
  size_t used = 0;
  int terminal, status, c, returned = 0;
  if (argc < 3 || sscanf(argv[1], "%hux%hu", &size.ws_col, &size.ws_row) != 2) return 2;
  pid_t child = forkpty(&terminal, NULL, NULL, &size);
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
