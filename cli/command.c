/* command.c - shared tables of the commands. See command.h. */
#include "command.h"

#include <stdio.h>
#include <string.h>

const cli_option cli_common_options[] = {
    {"help", 'h', NULL, NULL, "show help; --help all lists every option"},
    {"quiet", 'q', NULL, NULL, "show errors only"},
    {"verbose", 'v', NULL, NULL, "show all notes, the input read and the time taken"},
    {"settings", 0, "FILE", NULL,
     "read settings from FILE; one 'name = value' per line, overridden by later options"},
    {NULL, 0, NULL, NULL, NULL},
};

static const struct {
  unsigned mask;
  const char *title;
} groups[] = {
    {ANORANK_FOR_RANKING, "Selecting rows"},
    {ANORANK_FOR_RESULT, "Columns of the results"},
    {ANORANK_FOR_SIMULATE, "Simulating"},
    {ANORANK_FOR_EXAMPLE, "Example tables"},
    {ANORANK_FOR_JUDGE, "Judging scores"},
    {ANORANK_FOR_REPRODUCE, "Reproducing the paper"},
    {ANORANK_FOR_FIT, "Fitting"},
    {ANORANK_FOR_LEARN, "Learning"},
    {ANORANK_FOR_DRIFT, "Comparing two tables"},
    {ANORANK_FOR_REVIEW, "Reviews"},
    {ANORANK_FOR_READ, "Reading tables"},
    {ANORANK_FOR_WRITE, "Writing tables"},
    {ANORANK_FOR_RUN, "Running"},
};

enum { GROUPS = sizeof groups / sizeof groups[0] };

int cli_takes_setting(const cli_command *command, const anorank_setting *setting) {
  return (setting->applies_to & command->settings) != 0 &&
         !(command->omit && strcmp(command->omit, setting->name) == 0);
}

/* Return whether the setting is a choice between no and yes: the option alone means yes. */
static int is_flag(const anorank_setting *setting) {
  return setting->choices && strcmp(setting->choices, "no|yes") == 0;
}

/* Return "word|word|...", with the writable formats by name. */
static const char *choices_of(const cli_option *option) {
  static char written[256];
  const anorank_format *format;
  size_t used = 0;
  if (!option->choices || strcmp(option->choices, CLI_FORMATS_WRITTEN) != 0) return option->choices;
  for (size_t i = 0; (format = anorank_format_at(i)) != NULL && used < sizeof written; i++)
    if (format->writes)
      used += (size_t)snprintf(written + used, sizeof written - used, "%s%s", used ? "|" : "", format->name);
  return written;
}

int cli_item_at(cli_item *out, const cli_command *command, size_t i) {
  const cli_option *tables[] = {command->options, cli_common_options};
  const anorank_setting *setting;
  for (size_t t = 0; t < 2; t++)
    for (const cli_option *option = tables[t]; option && option->name; option++)
      if (i-- == 0) {
        *out = (cli_item){
            option->name, option->placeholder, choices_of(option), option->help, option->letter, 0, NULL};
        return 1;
      }
  for (size_t j = 0; (setting = anorank_setting_at(j)) != NULL; j++)
    if (cli_takes_setting(command, setting) && i-- == 0) {
      *out = (cli_item){
          setting->name, setting->placeholder, setting->choices, setting->help, 0, is_flag(setting), setting};
      return 1;
    }
  return 0;
}

int cli_item_find(cli_item *out, const cli_command *command, const char *name, size_t length, char letter) {
  for (size_t i = 0; cli_item_at(out, command, i); i++)
    if (letter ? out->letter == letter : strlen(out->name) == length && strncmp(out->name, name, length) == 0)
      return 1;
  return 0;
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
