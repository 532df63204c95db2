/* command.c - the list of commands and what they share. See command.h. */
#include "command.h"

#include <stdio.h>
#include <string.h>

#define CLI_COMMAND(name) extern const cli_command cli_cmd_##name;
#include "commands.inc"
#undef CLI_COMMAND

#define CLI_COMMAND(name) &cli_cmd_##name,
static const cli_command *const commands[] = {
#include "commands.inc"
};
#undef CLI_COMMAND

enum { COMMANDS = sizeof commands / sizeof commands[0] };

const cli_option cli_common_options[] = {
    {"help", 'h', NULL, NULL, "show the help and exit; --help all has every option"},
    {"quiet", 'q', NULL, NULL, "no notes and no progress; errors are still shown"},
    {"verbose", 'v', NULL, NULL, "all notes, what was read and how long it took"},
    {"settings", 0, "FILE", NULL, "read settings from FILE, 'name = value' on each line; later options win"},
    {NULL, 0, NULL, NULL, NULL},
};

static const struct {
  unsigned mask;
  const char *title;
} groups[] = {
    {ANORANK_FOR_VERDICT, "Choosing rows"},
    {ANORANK_FOR_RESULT, "Beside the results"},
    {ANORANK_FOR_SIMULATE, "Simulating"},
    {ANORANK_FOR_EXAMPLE, "Making the example"},
    {ANORANK_FOR_JUDGE, "Judging"},
    {ANORANK_FOR_REPRODUCE, "Reproducing the paper"},
    {ANORANK_FOR_FIT, "Fitting"},
    {ANORANK_FOR_LEARN, "Learning"},
    {ANORANK_FOR_DRIFT, "Comparing two tables"},
    {ANORANK_FOR_REVIEW, "Answering about rows"},
    {ANORANK_FOR_READ, "Reading tables"},
    {ANORANK_FOR_WRITE, "Writing tables"},
    {ANORANK_FOR_RUN, "Running"},
};

enum { GROUPS = sizeof groups / sizeof groups[0] };

const cli_command *cli_command_at(size_t i) { return i < COMMANDS ? commands[i] : NULL; }

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

int cli_takes_setting(const cli_command *command, const anorank_setting *setting) {
  return (setting->applies_to & command->settings) != 0 &&
         !(command->omit && strcmp(command->omit, setting->name) == 0);
}

int cli_is_flag(const anorank_setting *setting) {
  return setting->choices && strcmp(setting->choices, "no|yes") == 0;
}

unsigned cli_group_at(size_t i, const char **title) {
  if (i >= GROUPS) return 0;
  *title = groups[i].title;
  return groups[i].mask;
}

unsigned cli_group_of(const cli_command *command, const anorank_setting *setting) {
  for (size_t i = 0; i < GROUPS; i++)
    if (groups[i].mask & setting->applies_to & command->settings) return groups[i].mask;
  return 0;
}

const char *cli_choices(const cli_option *option) {
  static char written[256];
  const anorank_format *format;
  size_t used = 0;
  if (!option->choices || strcmp(option->choices, CLI_FORMATS_WRITTEN) != 0) return option->choices;
  for (size_t i = 0; (format = anorank_format_at(i)) != NULL && used < sizeof written; i++)
    if (format->writes)
      used += (size_t)snprintf(written + used, sizeof written - used, "%s%s", used ? "|" : "", format->name);
  return written;
}
