/* cmd_list.c - anorank list phi|law|scorer|format|settings|command: list the registries. */
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "json.h"
#include "options.h"
#include "terminal.h"
#include "text.h"

static void print_row(const char *name, size_t name_width, const char *text) {
  printf("  %-*s", (int)name_width, name);
  cli_wrap(stdout, text, name_width + 2, name_width + 2, cli_columns(stdout));
}

/* ---- lists of a registry ----------------------------------------------------------------------------- */

/* Each entry of a registry begins with its name. */
typedef struct list {
  const char *name, *title;
  const void *(*at)(size_t i); /* NULL past the end */
  const char *(*describe)(char *more, size_t size,
                          const void *one);       /* returns the first line, and writes a second one to
                                                   * `more` */
  void (*write)(ank_json *json, const void *one); /* writes the fields after the name */
} list;

static const void *phi_at(size_t i) { return anorank_phi_at(i); }
static const void *law_at(size_t i) { return anorank_law_at(i); }
static const void *scorer_at(size_t i) { return anorank_class_at(i); }
static const void *format_at(size_t i) { return anorank_format_at(i); }

static const void *command_at(size_t i) {
  const char *name = cli_command_word(i);
  return name ? cli_command_find(name) : NULL;
}

static const char *describe_phi(char *more, size_t size, const void *one) {
  const anorank_phi *phi = one;
  snprintf(more, size, "%s%s%s%s%s", phi->looks_at, phi->setting ? " Set by --" : "",
           phi->setting ? phi->setting : "", phi->setting ? "." : "", phi->in_paper ? " [paper]" : "");
  return phi->formula;
}

static const char *data_word(const anorank_law *law) {
  static const char *const words[] = {"none", "optional", "required"};
  return words[law->around_data >= 0 && law->around_data <= 2 ? law->around_data : 0];
}

static const char *describe_law(char *more, size_t size, const void *one) {
  const anorank_law *law = one;
  snprintf(more, size, "settings: %s; --data: %s", law->settings[0] ? law->settings : "none", data_word(law));
  return law->help;
}

static const char *describe_scorer(char *more, size_t size, const void *one) {
  const anorank_class *scorer = one;
  snprintf(more, size, "settings: %s; uses %s%s", scorer->settings[0] ? scorer->settings : "none",
           scorer->uses_contrast ? "normal and contrast rows" : "normal rows only",
           scorer->differentiable ? "; trained by gradients" : "");
  return scorer->help;
}

static const char *describe_format(char *more, size_t size, const void *one) {
  static char line[256];
  const anorank_format *format = one;
  (void)more, (void)size;
  snprintf(line, sizeof line, "%s; %s; %s", format->help, format->endings,
           format->reads && format->writes ? "read and written"
           : format->reads                 ? "read"
                                           : "written");
  return line;
}

static const char *describe_command(char *more, size_t size, const void *one) {
  (void)more, (void)size;
  return ((const cli_command *)one)->summary;
}

static void write_phi(ank_json *json, const void *one) {
  const anorank_phi *phi = one;
  ank_json_words(json, "formula", phi->formula);
  ank_json_words(json, "looks_at", phi->looks_at);
  ank_json_words(json, "setting", phi->setting);
  ank_json_flag(json, "in_paper", phi->in_paper);
}

static void write_law(ank_json *json, const void *one) {
  const anorank_law *law = one;
  ank_json_words(json, "help", law->help);
  ank_json_words(json, "settings", law->settings);
  ank_json_words(json, "data", data_word(law));
}

static void write_scorer(ank_json *json, const void *one) {
  const anorank_class *scorer = one;
  ank_json_words(json, "help", scorer->help);
  ank_json_words(json, "settings", scorer->settings);
  ank_json_flag(json, "uses_contrast", scorer->uses_contrast);
  ank_json_flag(json, "differentiable", scorer->differentiable);
}

static void write_format(ank_json *json, const void *one) {
  const anorank_format *format = one;
  ank_json_words(json, "help", format->help);
  ank_json_words(json, "endings", format->endings);
  ank_json_flag(json, "reads", format->reads);
  ank_json_flag(json, "writes", format->writes);
}

static void write_command(ank_json *json, const void *one) {
  const cli_command *command = one;
  ank_json_words(json, "summary", command->summary);
  ank_json_words(json, "usage", command->usage);
}

static const list lists[] = {
    {"phi", "Score-generating functions phi(u), u = rank / (N + 1), lowest score first", phi_at, describe_phi,
     write_phi},
    {"law", "Distributions for 'anorank simulate'", law_at, describe_law, write_law},
    {"scorer", "Scorers", scorer_at, describe_scorer, write_scorer},
    {"format", "File formats; .gz and .zst files are compressed and decompressed", format_at, describe_format,
     write_format},
    {"settings", NULL, NULL, NULL, NULL},
    {"command", "Commands", command_at, describe_command, write_command},
};

enum { LISTS = sizeof lists / sizeof lists[0] };

static void print_list(const list *what) {
  const void *one;
  cli_title(stdout, what->title);
  for (size_t i = 0; (one = what->at(i)) != NULL; i++) {
    char more[1024] = "";
    print_row(*(const char *const *)one, 16, what->describe(more, sizeof more, one));
    if (*more) print_row("", 16, more);
  }
}

static void write_list(ank_json *json, const list *what) {
  const void *one;
  for (size_t i = 0; (one = what->at(i)) != NULL; i++) {
    ank_json_open(json, '{', 0);
    ank_json_words(json, "name", *(const char *const *)one);
    what->write(json, one);
    ank_json_close(json, '}');
  }
}

/* ---- settings ---------------------------------------------------------------------------------------- */

static void print_settings(void) {
  const anorank_setting *setting;
  const char *title;
  unsigned group;
  char text[1024];
  for (size_t g = 0; (group = cli_group_at(g, &title)) != 0; g++) {
    int any = 0;
    for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
      cli_command all = {.settings = ~0u};
      if (cli_group_of(&all, setting) != group) continue;
      if (!any) cli_title(stdout, title);
      any = 1;
      cli_setting_text(text, sizeof text, setting, NULL);
      print_row(setting->name, 16, text);
    }
  }
  printf("\nEach is an option (--name VALUE) of the commands it applies to, and a line\n"
         "(name = VALUE) of a settings file. [ ] holds the default.\n");
}

static void write_settings(ank_json *json) {
  static const char *const kinds[] = {"integer", "unsigned", "bytes", "real", "choice", "text", "list"};
  const anorank_setting *setting;
  const char *title;
  unsigned group;
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
    int bounded = setting->kind == ANORANK_SETTING_INTEGER || setting->kind == ANORANK_SETTING_REAL;
    ank_json_open(json, '{', 0);
    ank_json_words(json, "name", setting->name);
    ank_json_words(json, "kind", kinds[setting->kind]);
    ank_json_words(json, "default", setting->default_value);
    ank_json_words(json, "choices", setting->choices);
    ank_json_key(json, "low");
    bounded ? ank_json_number(json, setting->low) : ank_json_string(json, NULL);
    ank_json_key(json, "high");
    bounded ? ank_json_number(json, setting->high) : ank_json_string(json, NULL);
    ank_json_open_key(json, "groups", '[', 1);
    for (size_t g = 0; (group = cli_group_at(g, &title)) != 0; g++)
      if (setting->applies_to & group) ank_json_string(json, title);
    ank_json_close(json, ']');
    ank_json_words(json, "help", setting->help);
    ank_json_close(json, '}');
  }
}

/* ---- the command ------------------------------------------------------------------------------------- */

static const char *list_word(size_t i) { return i < LISTS ? lists[i].name : NULL; }

static int run(cli_call *call) {
  const char *what = call->positionals[0];
  for (size_t i = 0; i < LISTS; i++) {
    ank_json json;
    if (strcmp(what, lists[i].name) != 0) continue;
    if (!cli_wants_json(call)) {
      lists[i].at ? print_list(&lists[i]) : print_settings();
      return 0;
    }
    cli_json_start(&json, stdout);
    ank_json_open(&json, '[', 0);
    lists[i].at ? write_list(&json, &lists[i]) : write_settings(&json);
    ank_json_close(&json, ']');
    ank_json_end(&json);
    return 0;
  }
  return cli_unknown_word(call, "list-unknown", "unknown list", what, list_word,
                          "there are phi, law, scorer, format, settings and command");
}

const cli_command cli_cmd_list = {
    .name = "list",
    .summary = "list methods, laws of contrast rows, formats and settings",
    .usage = "phi|law|scorer|format|settings|command [--json]",
    .description = "List the choices, what each name means, and which settings it takes.",
    .everyday = "output-format",
    .positionals = {{"WHAT",
                     "phi: score-generating functions; law: distributions to draw from; scorer: scoring "
                     "methods; format: file formats; settings: all settings with defaults; command: commands",
                     1, list_word}},
    .options = {CLI_REPORT_OPTIONS},
    .examples = {{"anorank list phi", "list the score-generating functions"},
                 {"anorank list settings --json", "print all settings as JSON"}},
    .run = run,
};
