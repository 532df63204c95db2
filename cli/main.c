/* main.c - find the command, parse its arguments, run it.
 *
 * Standard output is data, standard error is messages, "-" as a file is standard input or output. The exit
 * code is the library's status (0, 2, 3, 4, 5), or 130 after Ctrl-C. */
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "options.h"
#include "result_file.h"
#include "terminal.h"

static int run(const cli_command *command, int argc, char **argv) {
  cli_call call = {0};
  int code = cli_call_parse(&call, command, argc, argv);
  if (code == 0 && call.help)
    cli_print_help(stdout, command, call.help == CLI_HELP_ALL);
  else if (code == 0 && (code = cli_output_check(&call)) == 0)
    code = command->run(&call);
  cli_progress_clear();
  cli_call_free(&call);
  return code;
}

int main(int argc, char **argv) {
  cli_streams_open();
  cli_signals_install();
  const char *first = argc > 1 ? argv[1] : "--help";
  int code = 0;
  if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
    cli_print_overview(stdout, argc > 2 && strcmp(argv[2], "all") == 0);
  } else if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
    cli_print_version(stdout);
  } else {
    const cli_command *command = cli_command_find(first);
    code = command ? run(command, argc - 2, argv + 2) : cli_unknown_command(first);
  }
  int output = cli_finish_output();
  return code != 0 ? code : output;
}
