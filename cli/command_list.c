/* command_list.c - the commands of this program. See command.h. */
#include <string.h>

#include "command.h"

#define CLI_COMMAND(task, name) extern const cli_command cli_cmd_##name;
#include "commands.inc"
#undef CLI_COMMAND

#define CLI_COMMAND(task, name) &cli_cmd_##name,
static const cli_command *const commands[] = {
#include "commands.inc"
};
#undef CLI_COMMAND

#define CLI_COMMAND(task, name) task,
static const char *const tasks[] = {
#include "commands.inc"
};
#undef CLI_COMMAND

enum { COMMANDS = sizeof commands / sizeof commands[0] };

const cli_command *cli_command_at(size_t i) { return i < COMMANDS ? commands[i] : NULL; }

const char *cli_command_task(size_t i) { return tasks[i]; }

const cli_command *cli_command_find(const char *name) {
  for (size_t i = 0; i < COMMANDS; i++)
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  return NULL;
}

const char *cli_command_word(size_t i) {
  for (size_t j = 0; j < COMMANDS; j++)
    if (!commands[j]->hidden && i-- == 0) return commands[j]->name;
  return NULL;
}
