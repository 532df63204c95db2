/* cmd_list.c - anorank list phi|law|scorer|format|settings|command: what there is to choose from, out of the
 * registries. */
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "json.h"
#include "options.h"
#include "terminal.h"
#include "text.h"

static void print_head(const char *title) {
  printf("%s%s%s\n", cli_style(stdout, CLI_BOLD), title, cli_style(stdout, CLI_PLAIN));
}

static void print_row(const char *name, size_t name_width, const char *text) {
  printf("  %-*s", (int)name_width, name);
  cli_wrap(stdout, text, name_width + 2, name_width + 2, cli_columns(stdout));
}

static void json_pair(cli_json *json, const char *key, const char *value) {
  cli_json_key(json, key);
  cli_json_string(json, value);
}

/* ---- score-generating functions ---------------------------------------------------------------------- */

static void list_phi(void) {
  const anorank_phi *phi;
  char text[1024];
  print_head("Score-generating functions phi(u), u = rank / (N + 1), lowest score first");
  for (size_t i = 0; (phi = anorank_phi_at(i)) != NULL; i++) {
    print_row(phi->name, 16, phi->formula);
    snprintf(text, sizeof text, "%s%s%s%s%s", phi->looks_at, phi->setting ? " Set by --" : "",
             phi->setting ? phi->setting : "", phi->setting ? "." : "", phi->in_paper ? " [paper]" : "");
    print_row("", 16, text);
  }
}

static void json_phi(cli_json *json) {
  const anorank_phi *phi;
  for (size_t i = 0; (phi = anorank_phi_at(i)) != NULL; i++) {
    cli_json_open(json, '{', 0);
    json_pair(json, "name", phi->name);
    json_pair(json, "formula", phi->formula);
    json_pair(json, "looks_at", phi->looks_at);
    json_pair(json, "setting", phi->setting);
    cli_json_key(json, "in_paper");
    cli_json_boolean(json, phi->in_paper);
    cli_json_close(json, '}');
  }
}

/* ---- laws -------------------------------------------------------------------------------------------- */

static const char *const data_words[] = {"none", "optional", "required"};

static const char *data_word(const anorank_law *law) {
  return data_words[law->around_data >= 0 && law->around_data <= 2 ? law->around_data : 0];
}

static void list_law(void) {
  const anorank_law *law;
  char text[1024];
  print_head("Laws for 'anorank simulate'");
  for (size_t i = 0; (law = anorank_law_at(i)) != NULL; i++) {
    print_row(law->name, 16, law->help);
    snprintf(text, sizeof text, "settings: %s; --data: %s", law->settings[0] ? law->settings : "none",
             data_word(law));
    print_row("", 16, text);
  }
}

static void json_law(cli_json *json) {
  const anorank_law *law;
  for (size_t i = 0; (law = anorank_law_at(i)) != NULL; i++) {
    cli_json_open(json, '{', 0);
    json_pair(json, "name", law->name);
    json_pair(json, "help", law->help);
    json_pair(json, "settings", law->settings);
    json_pair(json, "data", data_word(law));
    cli_json_close(json, '}');
  }
}

/* ---- scorers ----------------------------------------------------------------------------------------- */

static void list_scorer(void) {
  const anorank_class *scorer;
  char text[1024];
  print_head("Classes of scoring functions");
  for (size_t i = 0; (scorer = anorank_class_at(i)) != NULL; i++) {
    print_row(scorer->name, 16, scorer->help);
    snprintf(text, sizeof text, "settings: %s; looks at %s%s",
             scorer->settings[0] ? scorer->settings : "none",
             scorer->uses_contrast ? "normal and contrast rows" : "normal rows alone",
             scorer->differentiable ? "; trained by gradients" : "");
    print_row("", 16, text);
  }
}

static void json_scorer(cli_json *json) {
  const anorank_class *scorer;
  for (size_t i = 0; (scorer = anorank_class_at(i)) != NULL; i++) {
    cli_json_open(json, '{', 0);
    json_pair(json, "name", scorer->name);
    json_pair(json, "help", scorer->help);
    json_pair(json, "settings", scorer->settings);
    cli_json_key(json, "uses_contrast");
    cli_json_boolean(json, scorer->uses_contrast);
    cli_json_key(json, "differentiable");
    cli_json_boolean(json, scorer->differentiable);
    cli_json_close(json, '}');
  }
}

/* ---- settings ---------------------------------------------------------------------------------------- */

static void list_settings(void) {
  const anorank_setting *setting;
  const char *title;
  unsigned group;
  char text[1024];
  for (size_t g = 0; (group = cli_group_at(g, &title)) != 0; g++) {
    int any = 0;
    for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
      cli_command all = {.settings = ~0u};
      if (cli_group_of(&all, setting) != group) continue;
      if (!any) print_head(title);
      any = 1;
      cli_setting_text(text, sizeof text, setting, NULL);
      print_row(setting->name, 16, text);
    }
  }
  printf("\nEach is an option (--name VALUE) of the commands it applies to, and a line\n"
         "(name = VALUE) of a settings file. [ ] holds the default.\n");
}

static void json_settings(cli_json *json) {
  static const char *const kinds[] = {"integer", "unsigned", "bytes", "real", "choice", "text", "list"};
  const anorank_setting *setting;
  const char *title;
  unsigned group;
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
    int bounded = setting->kind == ANORANK_SETTING_INTEGER || setting->kind == ANORANK_SETTING_REAL;
    cli_json_open(json, '{', 0);
    json_pair(json, "name", setting->name);
    json_pair(json, "kind", kinds[setting->kind]);
    json_pair(json, "default", setting->default_value);
    json_pair(json, "choices", setting->choices);
    cli_json_key(json, "low");
    bounded ? cli_json_number(json, setting->low) : cli_json_string(json, NULL);
    cli_json_key(json, "high");
    bounded ? cli_json_number(json, setting->high) : cli_json_string(json, NULL);
    cli_json_key(json, "groups");
    cli_json_open(json, '[', 1);
    for (size_t g = 0; (group = cli_group_at(g, &title)) != 0; g++)
      if (setting->applies_to & group) cli_json_string(json, title);
    cli_json_close(json, ']');
    json_pair(json, "help", setting->help);
    cli_json_close(json, '}');
  }
}

/* ---- formats ------------------------------------------------------------------------------------------ */

static const char *format_use(const anorank_format *format) {
  return format->reads && format->writes ? "read and written" : format->reads ? "read" : "written";
}

static void list_format(void) {
  const anorank_format *format;
  char text[256];
  print_head("Formats of tables; .gz and .zst files are decompressed and compressed on the way");
  for (size_t i = 0; (format = anorank_format_at(i)) != NULL; i++) {
    snprintf(text, sizeof text, "%s; %s; %s", format->help, format->endings, format_use(format));
    print_row(format->name, 16, text);
  }
}

static void json_format(cli_json *json) {
  const anorank_format *format;
  for (size_t i = 0; (format = anorank_format_at(i)) != NULL; i++) {
    cli_json_open(json, '{', 0);
    json_pair(json, "name", format->name);
    json_pair(json, "help", format->help);
    json_pair(json, "endings", format->endings);
    cli_json_key(json, "reads");
    cli_json_boolean(json, format->reads);
    cli_json_key(json, "writes");
    cli_json_boolean(json, format->writes);
    cli_json_close(json, '}');
  }
}

/* ---- commands ---------------------------------------------------------------------------------------- */

static void list_command(void) {
  const cli_command *command;
  print_head("Commands");
  for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++)
    if (!command->hidden) print_row(command->name, 16, command->summary);
}

static void json_command(cli_json *json) {
  const cli_command *command;
  for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++) {
    if (command->hidden) continue;
    cli_json_open(json, '{', 0);
    json_pair(json, "name", command->name);
    json_pair(json, "summary", command->summary);
    json_pair(json, "usage", command->usage);
    cli_json_close(json, '}');
  }
}

/* ---- the command ------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  void (*text)(void);
  void (*json)(cli_json *json);
} lists[] = {
    {"phi", list_phi, json_phi},
    {"law", list_law, json_law},
    {"scorer", list_scorer, json_scorer},
    {"format", list_format, json_format},
    {"settings", list_settings, json_settings},
    {"command", list_command, json_command},
};

enum { LISTS = sizeof lists / sizeof lists[0] };

static const char *list_word(size_t i) { return i < LISTS ? lists[i].name : NULL; }

static const char *list_word_of(const void *context, size_t i) {
  (void)context;
  return list_word(i);
}

static int run(cli_call *call) {
  const char *what = call->positionals[0];
  char shown[80];
  for (size_t i = 0; i < LISTS; i++) {
    if (strcmp(what, lists[i].name) != 0) continue;
    if (!cli_wants_json(call)) {
      lists[i].text();
      return 0;
    }
    cli_json json;
    cli_json_start(&json, stdout);
    cli_json_open(&json, '[', 0);
    lists[i].json(&json);
    cli_json_close(&json, ']');
    cli_json_end(&json);
    return 0;
  }
  const char *nearest = cli_nearest(what, list_word_of, NULL);
  cli_printable(shown, sizeof shown, what);
  if (nearest)
    return cli_usage_error(call, "list-unknown", "there is no list '%s'; did you mean '%s'?", shown, nearest);
  return cli_usage_error(call, "list-unknown",
                         "there is no list '%s'; there are phi, law, scorer, format, settings and command",
                         shown);
}

static const cli_positional positionals[] = {
    {"WHAT",
     "phi: score-generating functions; law: laws to simulate; scorer: classes of scoring functions; "
     "format: file formats of tables; settings: everything that can be chosen, with "
     "defaults; command: commands",
     1, list_word},
    {NULL, NULL, 0, NULL}};

static const cli_option options[] = {CLI_REPORT_OPTIONS, {NULL, 0, NULL, NULL, NULL}};

static const cli_example examples[] = {
    {"anorank list phi", "the score-generating functions, and which end of the order each looks at"},
    {"anorank list settings --json", "all settings for another program to read"},
    {NULL, NULL}};

const cli_command cli_cmd_list = {
    .name = "list",
    .summary = "show the methods, laws, formats and settings there are",
    .usage = "phi|law|scorer|format|settings|command [--json]",
    .description = "Show what there is to choose from: what a name means and which settings it takes.",
    .everyday = "output-format",
    .positionals = positionals,
    .options = options,
    .examples = examples,
    .run = run,
};
