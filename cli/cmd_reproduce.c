/* cmd_reproduce.c - anorank reproduce: the paper's experiment, its table and its figures. */
#include <string.h>

#include "reproduce_text.h"
#include "text.h"

/* ---- relevant settings ------------------------------------------------------------------------------ */

/* Return 1 if the trained class uses the setting, -1 if only others do, 0 if no class does. */
static int read_by_class(const anorank_settings *settings, const char *name) {
  const anorank_class *scorer;
  const char *chosen = anorank_settings_text(settings, "scorer");
  if (strcmp(chosen, "auto") == 0) chosen = "mlp";
  int answer = 0;
  for (size_t i = 0; (scorer = anorank_class_at(i)) != NULL; i++) {
    if (!cli_is_listed(scorer->settings, name, strlen(name))) continue;
    if (strcmp(scorer->name, chosen) == 0) return 1;
    answer = -1;
  }
  return answer;
}

static int read_by_law(const char *name) {
  const anorank_law *law;
  for (size_t i = 0; (law = anorank_law_at(i)) != NULL; i++)
    if (cli_is_listed(law->settings, name, strlen(name))) return 1;
  return 0;
}

int cli_reproduce_uses(const anorank_settings *settings, const anorank_setting *setting) {
  if ((setting->applies_to & ANORANK_FOR_REPRODUCE) || strcmp(setting->name, "seed") == 0) return 1;
  if (!(setting->applies_to & ANORANK_FOR_LEARN) || read_by_law(setting->name)) return 0;
  return read_by_class(settings, setting->name) >= 0;
}

/* An option without effect is probably a mistake. */
static void note_unused(const cli_call *call) {
  for (size_t i = 0; i < call->given_count; i++) {
    const anorank_setting *setting = anorank_setting_find(call->given[i].name);
    if (setting && !(setting->applies_to & ANORANK_FOR_RUN) && !cli_reproduce_uses(call->settings, setting))
      cli_note(call, "option-unused", "the experiment ignores --%s", setting->name);
  }
}

/* ---- the command ------------------------------------------------------------------------------------- */

static void note_path(void *context, const char *path) {
  char shown[256];
  cli_detail(context, "wrote %s", cli_printable(shown, sizeof shown, path));
}

static int write_folder(cli_call *call, const anorank_reproduction *reproduction, const char *folder) {
  anorank_error err = {0};
  cli_progress_part(&call->progress, 0.7, 1);
  cli_writing(1);
  anorank_status status = anorank_reproduction_write(reproduction, folder, note_path, call, &err);
  int code = cli_failure(call, status, &err);
  if (code == 0 && cli_interrupted()) code = cli_signal_code();
  cli_writing(0);
  return code;
}

static int run(cli_call *call) {
  anorank_error err = {0};
  anorank_reproduction *reproduction = NULL;
  const char *folder = cli_value(call, "figures");
  char shown[256];
  if (folder && !*folder)
    return cli_usage_error(call, "output-name-empty", "--figures is empty; give the name of a directory");
  note_unused(call);
  if (anorank_settings_integer(call->settings, "select-ties") == ANORANK_TIES_MAX)
    cli_note(call, "ties-max",
             "--select-ties max selects collapsed networks, because constant scores have the largest W");
  cli_progress_start(&call->progress, call->settings, call->quiet);
  cli_progress_part(&call->progress, 0, folder ? 0.7 : 1);
  anorank_status status = anorank_reproduce(&reproduction, call->settings, &err);
  int code = cli_failure(call, status, &err);
  if (code == 0 && folder) code = write_folder(call, reproduction, folder);
  cli_progress_clear();
  if (code == 0 && cli_wants_json(call))
    cli_reproduce_json(stdout, reproduction, call);
  else if (code == 0)
    cli_reproduce_text(stdout, reproduction, call);
  if (code == 0 && folder)
    cli_note(call, "figures-written", "figures and tables written to %s",
             cli_printable(shown, sizeof shown, folder));
  if (code == 0 && folder && anorank_settings_integer(call->settings, "dim") != 2)
    cli_note(call, "heat-map-skipped", "no heat map of the scores; it needs --dim 2");
  if (code == 0) cli_detail(call, "done in %.3g s", cli_clock() - call->progress.started);
  anorank_reproduction_free(reproduction);
  return code;
}

const cli_command cli_cmd_reproduce = {
    .name = "reproduce",
    .summary = "reproduce the paper's experiment and figures",
    .usage = "[--repetitions B] [--figures FOLDER] [--best] [OPTION]...",
    .description = "Reproduce section 4 of the paper: train the networks of its grid, select the one with "
                   "the highest W, and count the true outliers among the lowest scores of test rows.\nThe "
                   "output shows the results beside those of the paper and beside the ceiling, which the "
                   "true density reaches on the same rows.\nOutput is reproducible for a given seed and any "
                   "number of threads. Without --figures no files are written.",
    .everyday = "repetitions best figures output-format lambda seed",
    .options = {{"figures", 0, "FOLDER", NULL, "write all figures to FOLDER; as SVG, with their data as CSV"},
                CLI_REPORT_OPTIONS},
    .examples = {{"anorank reproduce", "reproduce Table 1 with 50 repetitions"},
                 {"anorank reproduce --repetitions 500 --figures paper",
                  "get a more precise table and all figures"},
                 {"anorank reproduce --best --repetitions 200",
                  "compare an average of many networks with the ceiling"},
                 {"anorank reproduce --select-ties max --restarts 10",
                  "show the collapse under the paper's ranks"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_LEARN | ANORANK_FOR_REPRODUCE,
    .omit = "max-memory",
    .run = run,
};
