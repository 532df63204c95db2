/* cmd_drift.c - anorank drift OLD NEW: test two tables for distribution drift. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/print.h"
#include "judgement_parts.h"
#include "note_list.h"
#include "options.h"
#include "text.h"

enum { MOST_SHOWN = 10, EXIT_DRIFT = 1 };

static int found_drift(const anorank_drift *drift, const cli_call *call) {
  return anorank_drift_get_info(drift)->p_value <= 1 - anorank_settings_number(call->settings, "level");
}

/* ---- for people -------------------------------------------------------------------------------------- */

static void print_columns(FILE *stream, const anorank_drift *drift, double level) {
  size_t columns = anorank_drift_get_info(drift)->columns, changed = 0;
  char text[ANK_SENTENCE_SIZE], line[ANK_SENTENCE_SIZE + 64];
  while (changed < columns && anorank_drift_column_at(drift, changed)->p_value <= 1 - level) changed++;
  cli_head(stream, "Which columns changed?");
  if (changed == 0)
    cli_print_note(stream, "No single column, of %zu.", columns);
  else
    cli_print_note(stream, "%zu of %zu columns, with p-values adjusted for their number:", changed, columns);
  for (size_t i = 0; i < changed && i < MOST_SHOWN; i++) {
    const anorank_drift_column *column = anorank_drift_column_at(drift, i);
    anorank_drift_column_text(column, text, sizeof text);
    ank_print(line, sizeof line, "%s (distance %.2f, p = %.3f)", text, column->distance, column->p_value);
    fputs("  - ", stream);
    cli_wrap(stream, line, 4, 4, cli_columns(stream));
  }
  if (changed > MOST_SHOWN)
    cli_print_note(stream, "... and %zu more; --json lists all.", changed - MOST_SHOWN);
}

/* If there is drift but no single column changed, the dependence changed: name the columns that matter. */
static void print_joint_change(FILE *stream, const anorank_drift *drift, double level) {
  size_t columns = anorank_drift_get_info(drift)->columns;
  const anorank_drift_column *best[3] = {NULL, NULL, NULL};
  if (anorank_drift_get_info(drift)->p_value > 1 - level || columns < 2) return;
  if (anorank_drift_column_at(drift, 0)->p_value <= 1 - level) return;
  for (size_t i = 0; i < columns; i++) {
    const anorank_drift_column *column = anorank_drift_column_at(drift, i);
    for (size_t k = 0; k < 3 && column && column->importance > 0; k++)
      if (!best[k] || column->importance > best[k]->importance) {
        const anorank_drift_column *moved = best[k];
        best[k] = column;
        column = moved;
      }
  }
  if (!best[0]) return;
  char names[3][64];
  for (size_t k = 0; k < 3; k++) cli_printable(names[k], sizeof names[k], best[k] ? best[k]->name : "");
  cli_print_note(stream, "The change is in how columns depend on each other, above all %s%s%s%s%s.", names[0],
                 best[1] ? ", " : "", names[1], best[2] ? ", " : "", names[2]);
}

static void print_text(FILE *stream, const anorank_drift *drift, const cli_call *call) {
  double level = anorank_settings_number(call->settings, "level");
  cli_print_note(stream, "%s", anorank_drift_get_info(drift)->conclusion);
  print_columns(stream, drift, level);
  print_joint_change(stream, drift, level);
}

/* ---- for programs ------------------------------------------------------------------------------------ */

static const char *change_word(anorank_change change) {
  static const char *const words[] = {"higher", "lower",  "wider",     "narrower",
                                      "shape",  "levels", "new level", "missing"};
  return words[change];
}

static void write_column(ank_json *json, const anorank_drift_column *column) {
  char text[ANK_SENTENCE_SIZE];
  anorank_drift_column_text(column, text, sizeof text);
  ank_json_open(json, '{', 0);
  ank_json_words(json, "column", column->name);
  ank_json_field(json, "p_value", column->p_value);
  ank_json_field(json, "distance", column->distance);
  ank_json_field(json, "importance", column->importance);
  ank_json_words(json, "change", change_word(column->change));
  ank_json_words(json, "sentence", text);
  ank_json_numbers(json, "missing", column->missing, 2);
  if (column->level)
    ank_json_words(json, "level", column->level);
  else
    ank_json_field(json, "at", column->at);
  ank_json_numbers(json, "share", column->share, 2);
  if (!column->level) {
    ank_json_numbers(json, "low", column->low, 2);
    ank_json_numbers(json, "median", column->median, 2);
    ank_json_numbers(json, "high", column->high, 2);
  }
  ank_json_close(json, '}');
}

static void write_json(FILE *stream, const anorank_drift *drift, const cli_call *call) {
  const anorank_drift_info *info = anorank_drift_get_info(drift);
  ank_json json;
  cli_json_open(&json, stream);
  ank_json_words(&json, "verdict", info->conclusion);
  ank_json_flag(&json, "drift", found_drift(drift, call));
  ank_json_field(&json, "p_value", info->p_value);
  ank_json_field(&json, "joint_p_value", info->joint_p_value);
  ank_json_field(&json, "separation", info->separation.estimate);
  ank_json_interval(&json, "separation_interval", info->separation);
  ank_json_words(&json, "phi", info->phi);
  ank_json_count(&json, "old_rows", info->rows[0]);
  ank_json_count(&json, "new_rows", info->rows[1]);
  ank_json_open_key(&json, "columns", '[', 0);
  for (size_t i = 0; i < info->columns; i++) write_column(&json, anorank_drift_column_at(drift, i));
  ank_json_close(&json, ']');
  ank_json_notes(&json, anorank_drift_notes(drift));
  cli_json_close(&json);
}

/* ---- the command ------------------------------------------------------------------------------------- */

static int run(cli_call *call) {
  anorank_table *tables[2] = {NULL, NULL};
  anorank_drift *drift = NULL;
  const anorank_note *note;
  anorank_error err = {0};
  anorank_status status = ANORANK_OK;
  cli_progress_start(&call->progress, call->settings, call->quiet);
  for (int t = 0; t < 2 && status == ANORANK_OK; t++) {
    cli_progress_part(&call->progress, 0.1 * t, 0.1 * (t + 1));
    status = anorank_table_read(&tables[t], ANORANK_FROM_FILE(call->positionals[t]), call->settings, &err);
  }
  cli_progress_part(&call->progress, 0.2, 1);
  if (status == ANORANK_OK) status = anorank_drift_make(&drift, tables[0], tables[1], call->settings, &err);
  int code = cli_failure(call, status, &err);
  cli_progress_clear();
  if (code == 0) {
    for (size_t i = 0; (note = anorank_notes_at(anorank_drift_notes(drift), i)) != NULL; i++)
      cli_note(call, note->code, "%s", note->text);
    if (cli_wants_json(call))
      write_json(stdout, drift, call);
    else
      print_text(stdout, drift, call);
    if (cli_value(call, "exit-on-drift") && found_drift(drift, call)) code = EXIT_DRIFT;
  }
  anorank_drift_free(drift);
  anorank_table_free(tables[0]);
  anorank_table_free(tables[1]);
  return code;
}

const cli_command cli_cmd_drift = {
    .name = "drift",
    .summary = "test two tables for distribution drift",
    .usage = "OLD NEW [--exit-on-drift] [OPTION]...",
    .description =
        "Test whether the distribution of the rows changed from OLD to NEW, and show which columns changed "
        "and how.\nA scorer is fitted on half of the rows to rank old rows above new ones; a rank statistic "
        "tests it on the other half. Each column is also tested separately, with p-values adjusted for the "
        "number of columns. The p-value is twice the smaller of the two. It is a permutation p-value, valid "
        "for any number of rows, if rows are independent. The separation is the effect size: the probability "
        "of ranking an old row above a new one. It is 0.5 without drift.\nWith many rows, even a negligible "
        "difference is significant: check the separation, not only the p-value.",
    .everyday = "drop columns level permutations seed output-format exit-on-drift",
    .positionals = {{"OLD", "table of the old rows; '-' is standard input", 1, NULL},
                    {"NEW", "table of the new rows", 1, NULL}},
    .options = {CLI_REPORT_OPTIONS, {"exit-on-drift", 0, NULL, NULL, "exit with code 1 if there is drift"}},
    .examples = {{"anorank drift january.csv february.csv", "compare February with January"},
                 {"anorank drift old.csv today.csv --exit-on-drift || echo 'fit again'",
                  "refit from a script"},
                 {"anorank drift a.csv b.csv --level 0.99 --json", "use another level and print JSON"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_DRIFT,
    .run = run,
};
