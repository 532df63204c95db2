/* cmd_help.c - anorank help [COMMAND] */
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "names.h"
#include "options.h"
#include "text.h"

static const char *word(const void *context, size_t i) {
  (void)context;
  return cli_command_word(i);
}

static int run(cli_call *call) {
  char shown[80];
  const char *typed = call->positional_count > 0 ? call->positionals[0] : "";
  int all = call->positional_count > 0 && strcmp(call->positionals[call->positional_count - 1], "all") == 0;
  if (call->positional_count == 0 || (call->positional_count == 1 && all)) {
    cli_print_overview(stdout, all);
    return 0;
  }
  const cli_command *command = cli_command_find(typed);
  if (command) {
    cli_print_help(stdout, command, all);
    return 0;
  }
  const char *nearest = cli_nearest(typed, word, NULL), *instead = cli_command_instead(typed);
  cli_printable(shown, sizeof shown, typed);
  if (instead)
    return cli_usage_error(NULL, "command-unknown", "there is no command '%s': %s", shown, instead);
  if (nearest)
    return cli_usage_error(NULL, "command-unknown", "there is no command '%s'; did you mean '%s'?", shown,
                           nearest);
  return cli_usage_error(NULL, "command-unknown", "there is no command '%s'", shown);
}

static const cli_positional positionals[] = {
    {"COMMAND", "command to explain; all are listed without it", 0, cli_command_word},
    {"all", "every option of it", 0, NULL},
    {NULL, NULL, 0, NULL}};

const cli_command cli_cmd_help = {
    .name = "help",
    .summary = "explain a command, as 'COMMAND --help' does",
    .usage = "[COMMAND] [all]",
    .description =
        "Show the commands, or what one of them does and the options people use; all its options with "
        "'all'.",
    .positionals = positionals,
    .run = run,
};
