/* cmd_inspect.c - anorank inspect MODEL: show the contents of a model, as text or JSON. */
#include <stdlib.h>
#include <string.h>

#include "core/print.h"
#include "json.h"
#include "model_options.h"
#include "note_list.h"
#include "text.h"

/* ---- for people -------------------------------------------------------------------------------------- */

static void print_column(const anorank_model_column *column) {
  char name[32], about[128] = "", missing[48] = "";
  size_t shown = cli_text_width(cli_printable(name, sizeof name, column->name));
  if (column->missing_share > 0)
    ank_print(missing, sizeof missing, "%.2g %% missing", 100 * column->missing_share);
  if (column->role == ANORANK_ROLE_NUMERIC)
    ank_print(about, sizeof about, "%.4g to %.4g, median %.4g", column->low, column->high, column->median);
  if (column->role == ANORANK_ROLE_CATEGORICAL)
    snprintf(about, sizeof about, "%zu level%s", column->levels, column->levels == 1 ? "" : "s");
  printf("  %s%*s  %-11s  %s%s%s\n", name, (int)(shown < 20 ? 20 - shown : 0), "",
         ank_role_word(column->role), about, *about && *missing ? ", " : "", missing);
}

static void print_text(const anorank_model *model) {
  const anorank_model_info *info = anorank_model_get_info(model);
  char size[32], value[2048], line[2400], note[2 * ANK_SENTENCE_SIZE];
  size_t columns = cli_columns(stdout), calibration = info->calibration->rows;
  cli_size_text(size, sizeof size, (double)info->bytes);
  cli_title(stdout, "Model");
  printf("  scorer        %s\n", info->scorer);
  printf("  fitted on     %zu rows\n", info->train_rows);
  if (info->known_rows > 0)
    printf("  uses          %zu known anomal%s\n", info->known_rows, info->known_rows == 1 ? "y" : "ies");
  printf("  memory        %s\n", size);
  cli_print(stdout, "  calibration   %zu rows: the smallest p-value is %.2g\n", calibration,
            info->calibration->smallest_p_value);
  fputs("  p-values      ", stdout);
  cli_wrap(stdout, info->p_values, 16, 16, columns);
  printf("%sColumns%s (numbers: 5 %% to 95 %% of the training rows)\n", cli_style(stdout, CLI_BOLD),
         cli_style(stdout, CLI_PLAIN));
  for (size_t i = 0; i < info->columns; i++) print_column(anorank_model_column_at(model, i));
  cli_title(stdout, "Settings that differ from the default");
  for (size_t i = 0; anorank_setting_at(i); i++) {
    const anorank_setting *setting = anorank_setting_at(i);
    if (!cli_changed_setting(model, setting, value, sizeof value)) continue;
    snprintf(line, sizeof line, "%s = %s", setting->name, value);
    fputs("  ", stdout);
    cli_wrap(stdout, line, 2, 4, columns);
  }
  cli_title(stdout, "Notes of the fit");
  for (size_t i = 0; i < anorank_notes_count(anorank_model_notes(model)); i++) {
    fputs("  ", stdout);
    cli_note_text(note, sizeof note, anorank_notes_at(anorank_model_notes(model), i)->text);
    cli_wrap(stdout, note, 2, 4, columns);
  }
}

/* ---- for programs ------------------------------------------------------------------------------------- */

static void print_json(const anorank_model *model) {
  ank_json json;
  cli_json_open(&json, stdout);
  cli_model_json(&json, model);
  cli_json_close(&json);
}

static int run(cli_call *call) {
  anorank_error err = {0};
  anorank_model *model = NULL;
  anorank_status status = anorank_model_load(&model, ANORANK_FROM_FILE(call->positionals[0]), &err);
  if (status == ANORANK_OK) {
    if (cli_wants_json(call))
      print_json(model);
    else
      print_text(model);
  }
  anorank_model_free(model);
  return cli_failure(call, status, &err);
}

const cli_command cli_cmd_inspect = {
    .name = "inspect",
    .summary = "show the contents of a model",
    .usage = "MODEL [--json]",
    .description = "Show the contents of a model: the scorer, the columns with their roles and usual values, "
                   "the settings that differ from the defaults, and the notes of the fit.",
    .everyday = "output-format",
    .positionals = {{"MODEL", "model written by 'anorank fit'", 1, NULL}},
    .options = {CLI_REPORT_OPTIONS},
    .examples = {{"anorank inspect model.anr", "show columns, settings and notes"}},
    .run = run,
};
