/* cmd_help.c - anorank help [COMMAND] */
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "options.h"

static int run(cli_call *call) {
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
  return cli_unknown_command(typed);
}

const cli_command cli_cmd_help = {
    .name = "help",
    .summary = "explain a command",
    .usage = "[COMMAND] [all]",
    .description = "List the commands, or explain one of them. 'all' shows every option.",
    .positionals = {{"COMMAND", "command to explain; without it, all are listed", 0, cli_command_word},
                    {"all", "show every option", 0, NULL}},
    .run = run,
};
