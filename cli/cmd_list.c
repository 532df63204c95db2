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

static void json_phi(ank_json *json) {
  const anorank_phi *phi;
  for (size_t i = 0; (phi = anorank_phi_at(i)) != NULL; i++) {
    ank_json_open(json, '{', 0);
    ank_json_words(json, "name", phi->name);
    ank_json_words(json, "formula", phi->formula);
    ank_json_words(json, "looks_at", phi->looks_at);
    ank_json_words(json, "setting", phi->setting);
    ank_json_flag(json, "in_paper", phi->in_paper);
    ank_json_close(json, '}');
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

static void json_law(ank_json *json) {
  const anorank_law *law;
  for (size_t i = 0; (law = anorank_law_at(i)) != NULL; i++) {
    ank_json_open(json, '{', 0);
    ank_json_words(json, "name", law->name);
    ank_json_words(json, "help", law->help);
    ank_json_words(json, "settings", law->settings);
    ank_json_words(json, "data", data_word(law));
    ank_json_close(json, '}');
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

static void json_scorer(ank_json *json) {
  const anorank_class *scorer;
  for (size_t i = 0; (scorer = anorank_class_at(i)) != NULL; i++) {
    ank_json_open(json, '{', 0);
    ank_json_words(json, "name", scorer->name);
    ank_json_words(json, "help", scorer->help);
    ank_json_words(json, "settings", scorer->settings);
    ank_json_flag(json, "uses_contrast", scorer->uses_contrast);
    ank_json_flag(json, "differentiable", scorer->differentiable);
    ank_json_close(json, '}');
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

static void json_settings(ank_json *json) {
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

static void json_format(ank_json *json) {
  const anorank_format *format;
  for (size_t i = 0; (format = anorank_format_at(i)) != NULL; i++) {
    ank_json_open(json, '{', 0);
    ank_json_words(json, "name", format->name);
    ank_json_words(json, "help", format->help);
    ank_json_words(json, "endings", format->endings);
    ank_json_flag(json, "reads", format->reads);
    ank_json_flag(json, "writes", format->writes);
    ank_json_close(json, '}');
  }
}

/* ---- commands ---------------------------------------------------------------------------------------- */

static void list_command(void) {
  const cli_command *command;
  print_head("Commands");
  for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++)
    if (!command->hidden) print_row(command->name, 16, command->summary);
}

static void json_command(ank_json *json) {
  const cli_command *command;
  for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++) {
    if (command->hidden) continue;
    ank_json_open(json, '{', 0);
    ank_json_words(json, "name", command->name);
    ank_json_words(json, "summary", command->summary);
    ank_json_words(json, "usage", command->usage);
    ank_json_close(json, '}');
  }
}

/* ---- the command ------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  void (*text)(void);
  void (*json)(ank_json *json);
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

static int run(cli_call *call) {
  const char *what = call->positionals[0];
  char shown[80], meant[120];
  for (size_t i = 0; i < LISTS; i++) {
    if (strcmp(what, lists[i].name) != 0) continue;
    if (!cli_wants_json(call)) {
      lists[i].text();
      return 0;
    }
    ank_json json;
    cli_json_start(&json, stdout);
    ank_json_open(&json, '[', 0);
    lists[i].json(&json);
    ank_json_close(&json, ']');
    ank_json_end(&json);
    return 0;
  }
  return cli_usage_error(call, "list-unknown", "there is no list '%s'; %s",
                         cli_printable(shown, sizeof shown, what),
                         cli_meant(meant, sizeof meant, what, list_word,
                                   "there are phi, law, scorer, format, settings and command"));
}

const cli_command cli_cmd_list = {
    .name = "list",
    .summary = "show the methods, laws, formats and settings there are",
    .usage = "phi|law|scorer|format|settings|command [--json]",
    .description = "Show what there is to choose from: what a name means and which settings it takes.",
    .everyday = "output-format",
    .positionals =
        {{"WHAT",
          "phi: score-generating functions; law: laws to simulate; scorer: classes of scoring functions; "
          "format: file formats of tables; settings: everything that can be chosen, with "
          "defaults; command: commands",
          1, list_word}},
    .options = {CLI_REPORT_OPTIONS},
    .examples = {{"anorank list phi",
                  "the score-generating functions, and which end of the order each looks at"},
                 {"anorank list settings --json", "all settings for another program to read"}},
    .run = run,
};
