/* help.c - see help.h. */
#include "help.h"

#include <string.h>

#include "option_hints.h"
#include "options.h"
#include "terminal.h"
#include "text.h"

static void append(char *text, size_t size, const char *format, const char *value) {
  size_t used = strlen(text);
  if (used < size) snprintf(text + used, size - used, format, value);
}

/* Append "a|b|c" as "a, b or c". */
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

/* Append the help line and the choices. */
static void append_help(char *text, size_t size, const char *help, const char *choices) {
  append(text, size, "%s", help);
  if (!choices) return;
  append(text, size, "%s", "; one of ");
  append_choices(text, size, choices);
}

void cli_setting_text(char *text, size_t size, const anorank_setting *setting, const cli_command *command) {
  anorank_settings *settings = cli_settings_new(command);
  char value[1024];
  anorank_settings_get(settings, setting->name, value, sizeof value);
  anorank_settings_free(settings);
  text[0] = '\0';
  append_help(text, size, setting->help, setting->choices);
  if (value[0]) append(text, size, " [%s]", value);
}

static void put_term(char *term, size_t size, const cli_item *item) {
  if (item->letter)
    snprintf(term, size, "-%c, --%s", item->letter, item->name);
  else
    snprintf(term, size, "--%s", item->name);
}

/* Describe the options of a group of settings; group 0: options that are not settings. */
static void describe_group(const cli_command *command, unsigned group, const char *title,
                           const cli_renderer *renderer, void *context) {
  cli_item item;
  int any = 0;
  for (size_t i = 0; cli_item_at(&item, command, i); i++) {
    char term[64], text[512] = "", optional[64];
    if ((item.setting ? cli_group_of(command, item.setting) : 0) != group) continue;
    if (!any) renderer->section(context, title);
    any = 1;
    put_term(term, sizeof term, &item);
    if (item.setting)
      cli_setting_text(text, sizeof text, item.setting, command);
    else
      append_help(text, sizeof text, item.help, item.choices);
    snprintf(optional, sizeof optional, "[%s]", item.placeholder ? item.placeholder : "");
    renderer->entry(context, term, item.optional ? optional : item.placeholder, text);
  }
}

void cli_describe(const cli_command *command, const cli_renderer *renderer, void *context) {
  const char *title;
  unsigned group;
  if (command->positionals[0].name) renderer->section(context, "Arguments");
  for (const cli_positional *one = command->positionals; one->name; one++)
    renderer->entry(context, one->name, NULL, one->help);
  describe_group(command, 0, "Options", renderer, context);
  for (size_t i = 0; (group = cli_group_at(i, &title)) != 0; i++)
    describe_group(command, group, title, renderer, context);
  if (command->more) command->more(renderer, context);
}

void cli_describe_examples(const cli_command *command, const cli_renderer *renderer, void *context) {
  if (!command->examples[0].command) return;
  renderer->section(context, command->examples[1].command ? "Examples" : "Example");
  for (const cli_example *example = command->examples; example->command; example++)
    renderer->example(context, example->command, example->what);
}

/* ---- as text for a terminal -------------------------------------------------------------------------- */

enum { TERM_COLUMN = 2, TEXT_COLUMN = 26 };

static void text_section(void *context, const char *title) {
  FILE *stream = context;
  fprintf(stream, "\n%s%s:%s\n", cli_style(stream, CLI_BOLD), title, cli_style(stream, CLI_PLAIN));
}

static void text_paragraph(FILE *stream, const char *text) {
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

static const cli_renderer text_renderer = {text_section, text_entry, text_example};

/* ---- the short help ---------------------------------------------------------------------------------- */

/* Write the first clause of a help line, and the choices; the full help shows the text after a semicolon. */
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

/* Write one option of the command by its name. */
static void put_named(FILE *stream, const cli_command *command, const char *name, size_t length) {
  char term[64];
  cli_item item;
  if (!cli_item_find(&item, command, name, length, 0)) return;
  put_term(term, sizeof term, &item);
  put_brief(stream, term, item.optional ? NULL : item.placeholder, item.help,
            item.optional ? NULL : item.choices);
}

static size_t count_options(const cli_command *command) {
  cli_item item;
  size_t count = 0;
  while (cli_item_at(&item, command, count)) count++;
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
  if (command->examples[0].command)
    text_section(stream, command->examples[1].command ? "Examples" : "Example");
  for (size_t i = 0; i < 2 && command->examples[i].command; i++)
    text_example(stream, command->examples[i].command, command->examples[i].what);
  if (command->everyday) text_section(stream, "Common options");
  for (const char *name = command->everyday; name && *name;) {
    size_t length = strcspn(name, " ");
    put_named(stream, command, name, length);
    name += length + strspn(name + length, " ");
  }
  snprintf(line, sizeof line, "'" CLI_PROGRAM " %s --help all' shows all %zu options.", command->name,
           count_options(command));
  fputc('\n', stream);
  text_paragraph(stream, line);
}

/* ---- one command, and all --------------------------------------------------------------------------- */

void cli_print_help(FILE *stream, const cli_command *command, int all) {
  put_usage(stream, command);
  put_paragraphs(stream, command->description ? command->description : "", all);
  if (all) {
    cli_describe_examples(command, &text_renderer, stream);
    cli_describe(command, &text_renderer, stream);
  } else
    print_short(stream, command);
}

void cli_describe_exit_codes(const char *title, const cli_renderer *renderer, void *context) {
  static const char *const codes[][2] = {
      {"0", "success"},
      {"1", "an anomaly was selected (only with --exit-on-anomaly)"},
      {"2", "wrong usage: fix the command"},
      {"3", "bad data: fix the input file"},
      {"4", "bad model: the file is damaged or lacks a feature"},
      {"5", "out of resources: memory, disk, permission, a failed read or write"},
      {"130", "stopped by Ctrl-C; no file was changed"},
  };
  renderer->section(context, title);
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
    renderer->entry(context, codes[i][0], NULL, codes[i][1]);
}

int cli_unknown_command(const char *typed) {
  char shown[80], meant[120];
  const char *instead = cli_command_instead(typed);
  cli_printable(shown, sizeof shown, typed);
  if (instead) return cli_usage_error(NULL, "command-unknown", "unknown command '%s': %s", shown, instead);
  if (typed[0] == '-')
    return cli_usage_error(NULL, "option-before-command",
                           "unknown option '%s' before a command; put options after the command", shown);
  cli_meant(meant, sizeof meant, typed, cli_command_word, "");
  return cli_usage_error(NULL, "command-unknown", "unknown command '%s'%s%s", shown, *meant ? "; " : "",
                         meant);
}

void cli_print_overview(FILE *stream, int all) {
  const cli_command *command;
  const char *task = "";
  text_paragraph(stream, "anorank ranks the rows of a table by how abnormal they are, without labels.");
  fprintf(stream, "  %-35s%s\n", CLI_PROGRAM " detect FILE.csv", "show the most abnormal rows, and why");
  fputc('\n', stream);
  for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++) {
    if (command->hidden) continue;
    const char *title = strcmp(task, cli_command_task(i)) != 0 ? cli_command_task(i) : "";
    task = cli_command_task(i);
    fprintf(stream, "%s%-10s%s%-11s %s\n", cli_style(stream, CLI_BOLD), title, cli_style(stream, CLI_PLAIN),
            command->name, command->summary);
  }
  if (all) {
    text_section(stream, "Options");
    text_entry(stream, "-h, --help", NULL, "list the commands; --help all adds the exit codes");
    text_entry(stream, "-V, --version", NULL, "show the version, and what this program was built with");
    cli_describe_exit_codes("Exit codes", &text_renderer, stream);
  }
}
