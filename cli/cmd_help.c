/* cmd_help.c - anorank help [COMMAND] */
#include <stdio.h>

#include "help.h"
#include "options.h"
#include "text.h"

static const char *word(const void *context, size_t i) {
  (void)context;
  return cli_command_word(i);
}

static int run(cli_call *call) {
  char shown[80];
  if (call->positional_count == 0) {
    cli_print_overview(stdout);
    return 0;
  }
  const char *typed = call->positionals[0];
  const cli_command *command = cli_command_find(typed);
  if (command) {
    cli_print_help(stdout, command);
    return 0;
  }
  const char *nearest = cli_nearest(typed, word, NULL);
  cli_printable(shown, sizeof shown, typed);
  if (nearest) return cli_usage_error(NULL, "there is no command '%s'; did you mean '%s'?", shown, nearest);
  return cli_usage_error(NULL, "there is no command '%s'", shown);
}

static const cli_positional positionals[] = {
    {"COMMAND", "command to explain; all are listed without it", 0, cli_command_word}, {NULL, NULL, 0, NULL}};

const cli_command cli_cmd_help = {
    .name = "help",
    .summary = "explain a command",
    .usage = "[COMMAND]",
    .description = "Show the commands, or what one of them does and all its options.",
    .positionals = positionals,
    .run = run,
};
