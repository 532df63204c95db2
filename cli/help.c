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
    append_choices(text, sizeof text, cli_choices(option));
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

/* ---- the short help ---------------------------------------------------------------------------------- */

/* The first clause of a help line and the choices: what comes after a semicolon is for those who look
 * closer. */
static void put_brief(FILE *stream, const char *term, const char *placeholder, const char *help,
                      const char *choices) {
  char text[256];
  snprintf(text, sizeof text, "%.*s", (int)strcspn(help, ";"), help);
  if (choices && strlen(choices) < 40) {
    append(text, sizeof text, "%s", ": ");
    append_choices(text, sizeof text, choices);
  }
  text_entry(stream, term, placeholder, text);
}

/* One option of the command by its name, from whichever table it comes. */
static void put_named(FILE *stream, const cli_command *command, const char *name, size_t length) {
  char term[64];
  const cli_option *tables[] = {command->options, cli_common_options};
  const anorank_setting *setting;
  for (size_t t = 0; t < 2; t++)
    for (const cli_option *option = tables[t]; option && option->name; option++) {
      if (strlen(option->name) != length || strncmp(option->name, name, length) != 0) continue;
      if (option->letter)
        snprintf(term, sizeof term, "-%c, --%s", option->letter, option->name);
      else
        snprintf(term, sizeof term, "--%s", option->name);
      put_brief(stream, term, option->placeholder, option->help, option->choices);
      return;
    }
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++)
    if (strlen(setting->name) == length && strncmp(setting->name, name, length) == 0 &&
        cli_takes_setting(command, setting)) {
      snprintf(term, sizeof term, "--%s", setting->name);
      put_brief(stream, term, cli_is_flag(setting) ? NULL : setting->placeholder, setting->help,
                cli_is_flag(setting) ? NULL : setting->choices);
    }
}

static size_t count_options(const cli_command *command) {
  const cli_option *tables[] = {command->options, cli_common_options};
  const anorank_setting *setting;
  size_t count = 0;
  for (size_t t = 0; t < 2; t++)
    for (const cli_option *option = tables[t]; option && option->name; option++) count++;
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++)
    count += (size_t)cli_takes_setting(command, setting);
  return count;
}

static void put_usage(FILE *stream, const cli_command *command) {
  char usage[512];
  snprintf(usage, sizeof usage, CLI_PROGRAM " %s %s", command->name, command->usage);
  fprintf(stream, "%sUsage:%s ", cli_style(stream, CLI_BOLD), cli_style(stream, CLI_PLAIN));
  cli_wrap(stream, usage, 7, 9, cli_columns(stream));
}

static void put_paragraphs(FILE *stream, const char *text, int all) {
  char line[2048];
  for (int first = 1; *text && (first || all); first = 0) {
    size_t length = strcspn(text, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, text);
    fputc('\n', stream);
    text_paragraph(stream, line);
    text += length + (text[length] == '\n');
  }
}

static void print_short(FILE *stream, const cli_command *command) {
  char line[256];
  if (command->everyday) text_section(stream, "Options people use");
  for (const char *name = command->everyday; name && *name;) {
    size_t length = strcspn(name, " ");
    put_named(stream, command, name, length);
    name += length + strspn(name + length, " ");
  }
  if (command->examples) text_section(stream, command->examples[1].command ? "Examples" : "Example");
  for (size_t i = 0; command->examples && i < 2 && command->examples[i].command; i++) {
    fprintf(stream, "  %s\n      ", command->examples[i].command);
    cli_wrap(stream, command->examples[i].what, 6, 6, cli_columns(stream));
  }
  snprintf(line, sizeof line, "'" CLI_PROGRAM " %s --help all' shows all %zu options.", command->name,
           count_options(command));
  fputc('\n', stream);
  text_paragraph(stream, line);
}

/* ---- a command and the whole ------------------------------------------------------------------------- */

void cli_print_help(FILE *stream, const cli_command *command, int all) {
  put_usage(stream, command);
  put_paragraphs(stream, command->description ? command->description : "", all);
  if (all)
    cli_describe(command, &text_renderer, stream);
  else
    print_short(stream, command);
}

static void put_exit_codes(FILE *stream) {
  text_section(stream, "Exit codes");
  text_entry(stream, "0", NULL, "all is well");
  text_entry(stream, "1", NULL, "an anomaly was selected (with --exit-on-anomaly only)");
  text_entry(stream, "2", NULL, "wrong usage: change the command");
  text_entry(stream, "3", NULL, "wrong data: mend the input file");
  text_entry(stream, "4", NULL, "wrong model: a model file is broken or cannot do what is asked");
  text_entry(stream, "5", NULL, "out of resources: memory, disk, permission, a failed read or write");
  text_entry(stream, "130", NULL, "stopped by Ctrl-C; files are left as they were");
}

void cli_print_overview(FILE *stream, int all) {
  const cli_command *command;
  text_paragraph(stream, "anorank finds the abnormal rows of a table, without labels: most abnormal first.");
  fprintf(stream, "  %-35s%s\n", CLI_PROGRAM " detect FILE.csv", "the most abnormal rows, and why");
  text_section(stream, "Commands");
  for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++)
    if (!command->hidden) fprintf(stream, "  %-11s %s\n", command->name, command->summary);
  if (all) {
    text_section(stream, "Options");
    text_entry(stream, "-h, --help", NULL, "show the commands; --help all has the exit codes as well");
    text_entry(stream, "-V, --version", NULL, "show the version and exit");
    put_exit_codes(stream);
  }
}
