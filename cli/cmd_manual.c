/* cmd_manual.c - anorank manual [COMMAND]: the source of a manual page for scdoc, or the reference page of
 * the settings in Markdown, from the tables of the program. Hidden: the build calls it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/print.h"
#include "help.h"
#include "options.h"
#include "text.h"

/* Escape text for scdoc, which reads '*' and '_' as bold and underlined, and a few signs at the start of a
 * line as structure. A newline ends a paragraph. */
static void put(const char *text) {
  for (; *text; text++) {
    if (strchr("*_\\#[]|+~^", *text)) putchar('\\');
    if (*text == '\n') putchar('\n');
    putchar(*text);
  }
}

static void manual_section(void *context, const char *title) {
  (void)context;
  printf("\n# ");
  for (; *title; title++) putchar(*title >= 'a' && *title <= 'z' ? *title - 'a' + 'A' : *title);
  printf("\n\n");
}

static void manual_entry(void *context, const char *term, const char *placeholder, const char *text) {
  (void)context;
  printf("*");
  put(term);
  printf("*");
  if (placeholder) {
    printf(" _");
    put(placeholder);
    printf("_");
  }
  printf("\n\t");
  put(text);
  printf("\n\n");
}

static void manual_example(void *context, const char *command, const char *what) {
  (void)context;
  put(what);
  printf(":\n\n```\n%s\n```\n\n", command);
}

static const cli_renderer manual_renderer = {manual_section, manual_entry, manual_example};

static void command_page(const cli_command *command) {
  printf("anorank-%s(1) \"anorank %s\" \"anorank manual\"\n\n# NAME\n\nanorank-%s - ", command->name,
         anorank_version(), command->name);
  put(command->summary);
  printf("\n\n# SYNOPSIS\n\n*anorank %s* ", command->name);
  put(command->usage);
  printf("\n");
  manual_section(NULL, "Description");
  put(command->description);
  printf("\n\n");
  cli_describe(command, &manual_renderer, NULL);
  cli_describe_examples(command, &manual_renderer, NULL);
  cli_describe_exit_codes("Exit status", &manual_renderer, NULL);
  printf("\n# SEE ALSO\n\n*anorank*(1)\n");
}

static void main_page(void) {
  const cli_command *command;
  printf("anorank(1) \"anorank %s\" \"anorank manual\"\n\n# NAME\n\n", anorank_version());
  printf("anorank - rank the rows of a table by how abnormal they are, without labels\n\n"
         "# SYNOPSIS\n\n*anorank* _COMMAND_ [_ARGUMENT_]... [_OPTION_]...\n\n# DESCRIPTION\n\n"
         "*anorank* ranks the rows of a table by how abnormal they are, without labels, and reports how\n"
         "reliable that order is. A lower score means a more abnormal row.\n\n"
         "Results go to standard output, messages to standard error. The file name *-* is standard input or\n"
         "output. Output is reproducible for a given seed and any number of threads.\n\n# COMMANDS\n\n");
  for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++) {
    char name[64];
    if (command->hidden) continue;
    snprintf(name, sizeof name, "anorank-%s", command->name);
    printf("*%s*(1)\n\t", name);
    put(command->summary);
    printf("\n\n");
  }
  printf("\n# OPTIONS\n\n*-h, --help*\n\tlist the commands\n\n*--version*\n\tshow the version, and what this "
         "program was built with\n");
  cli_describe_exit_codes("Exit status", &manual_renderer, NULL);
  printf(
      "\n# ENVIRONMENT\n\n*NO\\_COLOR*\n\tif set, turn off bold text and colour\n\n"
      "# FILES\n\nA settings file (*--settings* _FILE_) has lines of _name = value_. Blank lines and lines\n"
      "that begin with '\\#' are ignored. *anorank list settings* lists the settings.\n");
}

/* ---- the reference page ------------------------------------------------------------------------------ */

static void put_cell(const char *text) {
  for (; *text; text++) {
    if (strchr("|\\*_<", *text)) putchar('\\');
    putchar(*text);
  }
}

static void describe_values(const anorank_setting *setting) {
  switch (setting->kind) {
  case ANORANK_SETTING_CHOICE:
    for (const char *rest = setting->choices; *rest;) {
      size_t length = strcspn(rest, "|");
      printf("`%.*s`", (int)length, rest);
      rest += length;
      if (*rest == '|') printf(", "), rest++;
    }
    break;
  case ANORANK_SETTING_BYTES: printf("a size: `512M`, `2G`"); break;
  case ANORANK_SETTING_TEXT:
    printf("text");
    if (isfinite(setting->high)) cli_print(stdout, ", at most %.0f bytes", setting->high);
    break;
  case ANORANK_SETTING_LIST: printf("a list"); break;
  case ANORANK_SETTING_UNSIGNED: printf("a whole number from 0 to 2^64 - 1"); break;
  case ANORANK_SETTING_INTEGER:
    cli_print(stdout, "a whole number from %.0f to %.0f", setting->low, setting->high);
    break;
  case ANORANK_SETTING_REAL: cli_print(stdout, "a number from %g to %g", setting->low, setting->high); break;
  }
}

static void settings_page(void) {
  const anorank_setting *setting;
  const char *title;
  const cli_command all = {.settings = ~0u};
  unsigned group;
  printf("# Settings\n\n"
         "<!-- Made by `anorank manual --settings-markdown` from the table in src/core/settings.inc. -->\n\n"
         "Set these as an option of a command (`--name VALUE`), as a line of a settings file\n"
         "(`name = VALUE`), or with `anorank_settings_set`. For a choice of `no` and `yes`, the option\n"
         "without a value (`--name`) means `yes`.\n");
  for (size_t g = 0; (group = cli_group_at(g, &title)) != 0; g++) {
    int any = 0;
    for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
      if (cli_group_of(&all, setting) != group) continue;
      if (!any) printf("\n## %s\n\n| setting | default | values | meaning |\n|---|---|---|---|\n", title);
      any = 1;
      printf("| `%s` | ", setting->name);
      if (setting->default_value[0]) printf("`%s`", setting->default_value);
      printf(" | ");
      describe_values(setting);
      printf(" | ");
      put_cell(setting->help);
      printf(" |\n");
    }
  }
}

/* ---- the command ------------------------------------------------------------------------------------- */

static int run(cli_call *call) {
  if (cli_value(call, "settings-markdown")) {
    settings_page();
  } else if (call->positional_count == 0) {
    main_page();
  } else {
    const cli_command *command = cli_command_find(call->positionals[0]);
    if (!command) return cli_unknown_command(call->positionals[0]);
    command_page(command);
  }
  return 0;
}

const cli_command cli_cmd_manual = {
    .name = "manual",
    .summary = "print the source of a manual page for scdoc",
    .usage = "[COMMAND]",
    .description = "The build uses it to make the manual pages.",
    .positionals = {{"COMMAND", "command to document; without it, the whole program", 0, cli_command_word}},
    .options = {{"settings-markdown", 0, NULL, NULL, "print the reference page of the settings"}},
    .hidden = 1,
    .run = run,
};
