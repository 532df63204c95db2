/* help.c - see help.h. */
#include "help.h"

#include <string.h>

#include "options.h"
#include "terminal.h"
#include "text.h"

static void append(char *text, size_t size, const char *format, const char *value) {
  size_t used = strlen(text);
  if (used < size) snprintf(text + used, size - used, format, value);
}

/* "a|b|c" as "a, b or c". */
static void append_choices(char *text, size_t size, const char *choices) {
  char word[64];
  while (*choices) {
    size_t length = strcspn(choices, "|");
    snprintf(word, sizeof word, "%.*s", (int)length, choices);
    choices += length;
    if (*choices == '|') choices++;
    append(text, size, "%s", word);
    if (*choices) append(text, size, "%s", strchr(choices, '|') ? ", " : " or ");
  }
}

void cli_setting_text(char *text, size_t size, const anorank_setting *setting, const cli_command *command) {
  anorank_settings *settings = cli_settings_new(command);
  char value[1024];
  anorank_settings_get(settings, setting->name, value, sizeof value);
  anorank_settings_free(settings);
  snprintf(text, size, "%s", setting->help);
  if (setting->choices) {
    append(text, size, "%s", "; one of ");
    append_choices(text, size, setting->choices);
  }
  if (value[0]) append(text, size, " [%s]", value);
}

static void describe_option(const cli_option *option, const cli_renderer *renderer, void *context) {
  char term[64], text[512];
  if (option->letter)
    snprintf(term, sizeof term, "-%c, --%s", option->letter, option->name);
  else
    snprintf(term, sizeof term, "--%s", option->name);
  snprintf(text, sizeof text, "%s", option->help);
  if (option->choices) {
    append(text, sizeof text, "%s", "; one of ");
    append_choices(text, sizeof text, option->choices);
  }
  renderer->entry(context, term, option->placeholder, text);
}

static void describe_group(const cli_command *command, unsigned group, const char *title,
                           const cli_renderer *renderer, void *context) {
  const anorank_setting *setting;
  int any = 0;
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
    char term[64], text[512], optional[64];
    if (!cli_takes_setting(command, setting) || cli_group_of(command, setting) != group) continue;
    if (!any) renderer->section(context, title);
    any = 1;
    snprintf(term, sizeof term, "--%s", setting->name);
    cli_setting_text(text, sizeof text, setting, command);
    snprintf(optional, sizeof optional, "[%s]", setting->placeholder);
    renderer->entry(context, term, cli_is_flag(setting) ? optional : setting->placeholder, text);
  }
}

void cli_describe(const cli_command *command, const cli_renderer *renderer, void *context) {
  const char *title;
  unsigned group;
  if (command->positionals) renderer->section(context, "Arguments");
  for (const cli_positional *one = command->positionals; one && one->name; one++)
    renderer->entry(context, one->name, NULL, one->help);
  renderer->section(context, "Options");
  for (const cli_option *option = command->options; option && option->name; option++)
    describe_option(option, renderer, context);
  for (const cli_option *option = cli_common_options; option->name; option++)
    describe_option(option, renderer, context);
  for (size_t i = 0; (group = cli_group_at(i, &title)) != 0; i++)
    describe_group(command, group, title, renderer, context);
  if (command->more) command->more(renderer, context);
  if (command->examples) renderer->section(context, "Examples");
  for (const cli_example *example = command->examples; example && example->command; example++)
    renderer->example(context, example->command, example->what);
}

/* ---- as text for a terminal -------------------------------------------------------------------------- */

enum { TERM_COLUMN = 2, TEXT_COLUMN = 26 };

static void text_section(void *context, const char *title) {
  FILE *stream = context;
  fprintf(stream, "\n%s%s:%s\n", cli_style(stream, CLI_BOLD), title, cli_style(stream, CLI_PLAIN));
}

static void text_paragraph(void *context, const char *text) {
  FILE *stream = context;
  cli_wrap(stream, text, 0, 0, cli_columns(stream));
}

static void text_entry(void *context, const char *term, const char *placeholder, const char *text) {
  FILE *stream = context;
  size_t at = TERM_COLUMN + cli_text_width(term) + (placeholder ? 1 + cli_text_width(placeholder) : 0);
  fprintf(stream, "%*s%s%s%s", TERM_COLUMN, "", term, placeholder ? " " : "", placeholder ? placeholder : "");
  if (at + 2 > TEXT_COLUMN) {
    fputc('\n', stream);
    at = 0;
  }
  fprintf(stream, "%*s", (int)(TEXT_COLUMN - at), "");
  cli_wrap(stream, text, TEXT_COLUMN, TEXT_COLUMN, cli_columns(stream));
}

static void text_example(void *context, const char *command, const char *what) {
  FILE *stream = context;
  fprintf(stream, "  %s\n      ", command);
  cli_wrap(stream, what, 6, 6, cli_columns(stream));
}

static const cli_renderer text_renderer = {text_section, text_paragraph, text_entry, text_example};

void cli_print_help(FILE *stream, const cli_command *command) {
  char usage[512], line[2048];
  snprintf(usage, sizeof usage, "anorank %s %s", command->name, command->usage);
  fprintf(stream, "%sUsage:%s ", cli_style(stream, CLI_BOLD), cli_style(stream, CLI_PLAIN));
  cli_wrap(stream, usage, 7, 9, cli_columns(stream));
  for (const char *rest = command->description; rest && *rest;) {
    size_t length = strcspn(rest, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, rest);
    fputc('\n', stream);
    text_paragraph(stream, line);
    rest += length + (rest[length] == '\n');
  }
  cli_describe(command, &text_renderer, stream);
}

void cli_print_overview(FILE *stream) {
  const cli_command *command;
  fprintf(stream, "%sUsage:%s anorank COMMAND [ARGUMENT]... [OPTION]...\n\n", cli_style(stream, CLI_BOLD),
          cli_style(stream, CLI_PLAIN));
  text_paragraph(stream, "Rank the rows of a table by how abnormal they are, without labels, and say how far "
                         "to trust that order. A lower score is a more abnormal row, everywhere.");
  text_section(stream, "Commands");
  for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++)
    if (!command->hidden) text_entry(stream, command->name, NULL, command->summary);
  text_section(stream, "Options");
  text_entry(stream, "-h, --help", NULL, "show this help and exit");
  text_entry(stream, "--version", NULL, "show the version and exit");
  text_section(stream, "Exit codes");
  text_entry(stream, "0", NULL, "all is well");
  text_entry(stream, "2", NULL, "wrong usage: change the command");
  text_entry(stream, "3", NULL, "wrong data: mend the input file");
  text_entry(stream, "4", NULL, "wrong model: a model file is broken or cannot do what is asked");
  text_entry(stream, "5", NULL, "out of resources: memory, disk, permission, a failed read or write");
  text_entry(stream, "130", NULL, "stopped by Ctrl-C; files are left as they were");
  fputc('\n', stream);
  text_paragraph(stream, "'anorank help COMMAND' explains a command.");
}
