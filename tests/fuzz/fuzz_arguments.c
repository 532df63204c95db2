/* Any words as the arguments of any command: parsed, or refused with exit code 2 (or that of a settings file
 * that cannot be read). Newlines separate the words; the first byte chooses the command. No command runs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "help.h"
#include "options.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_WORDS = 64, MOST_BYTES = 4096 };

/* Messages are part of what is tried, but not to be seen. */
static void be_silent(void) {
  static int silent;
  if (silent) return;
  silent = 1;
  if (!freopen("/dev/null", "w", stdout)) abort();
  if (!getenv("FUZZ_LOUD") && dup2(fileno(stdout), STDERR_FILENO) < 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[MOST_BYTES + 1], shown[80], *words[MOST_WORDS + 1];
  size_t commands = 0;
  int count = 0;
  if (size < 1 || size > MOST_BYTES) return 0;
  be_silent();
  while (cli_command_at(commands)) commands++;
  const cli_command *command = cli_command_at(data[0] % commands);
  memcpy(text, data + 1, size - 1);
  text[size - 1] = '\0';
  for (char *at = text; at && count < MOST_WORDS; count++) {
    words[count] = at;
    if ((at = strchr(at, '\n')) != NULL) *at++ = '\0';
  }
  words[count] = NULL;
  for (int i = 0; i < count; i++) {
    if (strncmp(words[i], "--settings", 4) == 0) return 0; /* would read whatever file is named */
    cli_printable(shown, sizeof shown, words[i]);
  }
  cli_call call = {0};
  int code = cli_call_parse(&call, command, count, words);
  if (code != 0 && code != 2) abort();
  if (code == 0 && call.help) cli_print_help(stdout, command, call.help == CLI_HELP_ALL);
  cli_call_free(&call);
  return 0;
}
