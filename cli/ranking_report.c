/* ranking_report.c - see ranking_report.h. */
#include "ranking_report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/list.h"
#include "core/nearest_name.h"
#include "core/print.h"
#include "model_options.h"
#include "report_file.h"
#include "result_file.h"
#include "text.h"

enum { SHOWN_ROWS = 20 };

void cli_ranking_free(cli_ranking *ranking) {
  anorank_ranking_free(ranking->result);
  anorank_model_free(ranking->model);
  anorank_table_free(ranking->table);
  anorank_table_free(ranking->findings);
  cli_notes_free(&ranking->notes);
}

/* Choose --output-format, else by the extension of --output, else a table for a terminal and CSV for anything
 * else. */
static void choose_shape(cli_ranking *ranking, const cli_call *call) {
  const char *given = cli_value(call, "output-format"), *path = cli_value(call, "output");
  int to_file = path && strcmp(path, "-") != 0;
  ranking->shape = CLI_SHAPE_FILE;
  ranking->format = given ? given : to_file ? NULL : "csv";
  if (given ? strcmp(given, "json") == 0 : to_file && cli_names_format(path, ".json"))
    ranking->shape = CLI_SHAPE_JSON;
  if (given ? strcmp(given, "jsonl") == 0
            : to_file && (cli_names_format(path, ".jsonl") || cli_names_format(path, ".ndjson")))
    ranking->shape = CLI_SHAPE_LINES;
  if (given ? strcmp(given, "table") == 0 : !to_file && isatty(STDOUT_FILENO))
    ranking->shape = CLI_SHAPE_TABLE;
}

/* Return the number of --lowest, --mass and --fdr that are set. */
static int count_selections(const cli_call *call) {
  return (anorank_settings_integer(call->settings, "lowest") > 0) +
         (anorank_settings_number(call->settings, "mass") > 0) +
         (anorank_settings_number(call->settings, "fdr") > 0);
}

int cli_check_selection(const cli_call *call) {
  if (count_selections(call) <= 1) return 0;
  return cli_usage_error(call, "selection-ambiguous",
                         "--lowest, --mass and --fdr each choose the rows to report; give one of them");
}

int cli_ranking_options(cli_ranking *ranking, cli_call *call) {
  anorank_error err = {0};
  int code = cli_check_selection(call);
  if (code == 0) code = cli_check_ending(call, "report", 1);
  if (code != 0) return code;
  choose_shape(ranking, call);
  ranking->cut = ranking->shape == CLI_SHAPE_TABLE && count_selections(call) == 0;
  if (!ranking->cut) return 0;
  return cli_failure(call, anorank_settings_set_number(call->settings, "lowest", SHOWN_ROWS, &err), &err);
}

int cli_ranking_prefer_incidents(const cli_ranking *ranking, cli_call *call) {
  anorank_error err = {0};
  if (ranking->shape != CLI_SHAPE_TABLE || !*anorank_settings_text(call->settings, "time") ||
      cli_value(call, "incidents") || anorank_settings_integer(call->settings, "rank-entities") != 0)
    return 0;
  return cli_failure(call, anorank_settings_set(call->settings, "incidents", "yes", &err), &err);
}

int cli_exit_code(const cli_call *call, size_t selected, size_t apart) {
  int level = anorank_settings_number(call->settings, "mass") > 0 ||
              anorank_settings_number(call->settings, "fdr") > 0;
  return cli_value(call, "exit-on-anomaly") && (level ? selected : apart) > 0 ? 1 : 0;
}

const anorank_ranking *cli_shown(const cli_ranking *ranking) {
  return ranking->block_result ? ranking->block_result : ranking->result;
}

static const char *column_word(const void *table, size_t j) {
  return j < anorank_table_columns(table) ? anorank_table_name(table, j) : NULL;
}

int cli_check_keep(const anorank_table *table, const cli_call *call) {
  const char *list = cli_value(call, "keep");
  if (!list || strcmp(list, "all") == 0) return 0;
  const char *item;
  char shown[256], meant[256];
  size_t length;
  while (ank_list_next(&list, &item, &length)) {
    char *name = cli_allocate(length + 1, 1);
    name[ank_list_decode(name, item, length)] = '\0';
    int unknown = anorank_table_find(table, name) == SIZE_MAX;
    const char *nearest = unknown ? ank_nearest_name(name, column_word, table) : NULL;
    cli_printable(shown, sizeof shown, name);
    free(name);
    if (nearest)
      return cli_usage_error(call, "column-unknown",
                             "--keep names '%s', which the file does not have; did you mean '%s'?", shown,
                             cli_printable(meant, sizeof meant, nearest));
    if (unknown)
      return cli_usage_error(
          call, "column-unknown",
          "--keep names '%s', which the file does not have; name columns of the file, or all", shown);
  }
  return 0;
}

static int taken(const cli_ranking *ranking, const cli_call *call, const char *path, anorank_status status,
                 const anorank_error *err) {
  if (status == ANORANK_OK)
    cli_detail(call, "%s: %zu rows, %zu columns", path, anorank_table_rows(ranking->table),
               anorank_table_columns(ranking->table));
  return status == ANORANK_OK ? cli_check_keep(ranking->table, call) : cli_failure(call, status, err);
}

int cli_ranking_read(cli_ranking *ranking, cli_call *call, const char *path) {
  anorank_error err = {0};
  anorank_status status = ANORANK_OK;
  if (cli_value(call, "report")) /* the report shows cells as in the file */
    status = anorank_settings_set(call->settings, "keep", "all", &err);
  if (status == ANORANK_OK)
    status = anorank_table_read(&ranking->table, ANORANK_FROM_FILE(path), call->settings, &err);
  return taken(ranking, call, path, status, &err);
}

int cli_ranking_take(cli_ranking *ranking, cli_call *call, cli_inputs *inputs) {
  anorank_error err = {0};
  anorank_status status = cli_inputs_table(&ranking->table, inputs, call, &err);
  return taken(ranking, call, inputs->list[0].path, status, &err);
}

void cli_note_choice(cli_ranking *ranking, const anorank_ranking_info *info) {
  cli_notes *notes = &ranking->notes;
  if (*info->note && !ranking->cut)
    cli_notes_add(notes, ANORANK_NOTE_WARNING, info->note_code, "%s", info->note);
  if (*info->reach) cli_notes_add(notes, ANORANK_NOTE_UNDERSTOOD, info->reach_code, "%s", info->reach);
  cli_notes_add(notes, ANORANK_NOTE_ASSUMED, info->resolution_code, "%s", info->resolution);
  if (ranking->shape != CLI_SHAPE_TABLE) /* otherwise it is the first line of the table */
    cli_notes_answer(notes, info->answer);
}

/* Add one note for each of the longest silences. */
static void note_silences(cli_ranking *ranking, const anorank_ranking_info *info) {
  enum { SHOWN = 5 };
  for (size_t i = 0; i < info->silence_count && i < SHOWN; i++) {
    const anorank_silence *one = &info->silences[i];
    cli_notes_add(&ranking->notes, ANORANK_NOTE_WARNING, "entity-silent", "%s%sno rows from %s to %s%s",
                  one->entity, *one->entity ? ": " : "", one->from_text, one->to_text,
                  one->after == SIZE_MAX ? ", the latest time of the file" : "");
  }
  if (info->silence_count > SHOWN)
    cli_notes_add(&ranking->notes, ANORANK_NOTE_WARNING, "entity-silent-more",
                  "%zu more times without rows; --json lists all", info->silence_count - SHOWN);
}

/* Add the file of each finding, and its row there, before the other columns. */
static anorank_status add_files(cli_ranking *ranking, const anorank_ranking *result, anorank_error *err) {
  const cli_inputs *inputs = ranking->inputs;
  size_t count = anorank_ranking_get_info(result)->count, columns = anorank_table_columns(ranking->findings);
  anorank_builder *builder = NULL;
  anorank_table *with_files = NULL;
  int32_t *codes = cli_allocate(count, sizeof *codes);
  double *rows = cli_allocate(count, sizeof *rows);
  const char **paths = cli_allocate(inputs->count, sizeof *paths);
  for (size_t k = 0; k < inputs->count; k++) paths[k] = inputs->list[k].path;
  for (size_t i = 0; i < count; i++) {
    size_t row = anorank_ranking_at(result, i)->row, part = 0;
    for (; part + 1 < inputs->count && row >= inputs->rows[part]; part++) row -= inputs->rows[part];
    codes[i] = (int32_t)part;
    rows[i] = (double)(row + 1);
  }
  anorank_status status = anorank_builder_new(&builder, count, err);
  if (status == ANORANK_OK)
    status =
        anorank_builder_codes(builder, "file", codes, sizeof *codes, NULL, paths, NULL, inputs->count, err);
  if (status == ANORANK_OK)
    status = anorank_builder_numbers(builder, "file_row", ANORANK_FLOAT64, rows, sizeof *rows, NULL, err);
  for (size_t j = 0; j < columns && status == ANORANK_OK; j++)
    status =
        anorank_builder_column(builder, anorank_table_name(ranking->findings, j), ranking->findings, j, err);
  if (status == ANORANK_OK) status = anorank_builder_finish(&with_files, builder, err);
  if (status == ANORANK_OK) {
    anorank_table_free(ranking->findings);
    ranking->findings = with_files;
  }
  anorank_builder_free(builder);
  free(codes);
  free(rows);
  free(paths);
  return status;
}

anorank_status cli_make_findings(cli_ranking *ranking, const cli_call *call, const anorank_ranking *result,
                                 const anorank_table *table, anorank_error *err) {
  const char *keep = cli_value(call, "keep");
  const char *path = cli_value(call, "output");
  int only_numbers = !ranking->format && path && cli_names_format(path, ".npy");
  if (keep && ranking->shape == CLI_SHAPE_TABLE && strcmp(keep, "all") == 0) keep = NULL;
  anorank_status status = anorank_ranking_table(&ranking->findings, result, table, keep,
                                                ranking->shape == CLI_SHAPE_FILE && !only_numbers, err);
  if (status == ANORANK_OK && ranking->inputs && !only_numbers) status = add_files(ranking, result, err);
  if (status != ANORANK_OK) return status;
  ranking->kept = anorank_table_find(ranking->findings, "rank");
  if (ranking->shape == CLI_SHAPE_FILE && cli_escapes_formulas(call))
    status = anorank_table_escape_formulas(ranking->findings, err);
  return status;
}

static int write_file(const cli_ranking *ranking, const cli_call *call, const char *path) {
  anorank_error err = {0};
  cli_writing(1);
  anorank_status status =
      anorank_table_write(ranking->findings, ANORANK_TO_FILE(path), ranking->format, &err);
  cli_writing(0);
  return cli_failure(call, status, &err);
}

static int write_text(const cli_ranking *ranking, const cli_call *call, const char *path) {
  cli_output output;
  int code = cli_output_open(&output, call, path);
  if (code != 0) return code;
  if (ranking->shape == CLI_SHAPE_TABLE)
    cli_ranking_table(output.stream, ranking, call);
  else
    cli_ranking_json(output.stream, ranking);
  code = cli_output_close(&output, call, code);
  if (code == 0 && output.stream == stdout) fflush(stdout); /* notes follow the results */
  return code;
}

int cli_ranking_report(cli_ranking *ranking, cli_call *call) {
  anorank_error err = {0};
  const char *path = cli_value(call, "output") ? cli_value(call, "output") : "-";
  const char *page = cli_value(call, "report");
  anorank_status status = ANORANK_OK;
  if (!ranking->result)
    status = anorank_ranking_make(&ranking->result, ranking->model, ranking->table, call->settings, &err);
  if (status == ANORANK_OK) status = cli_make_findings(ranking, call, ranking->result, ranking->table, &err);
  if (status != ANORANK_OK) return cli_failure(call, status, &err);
  const anorank_ranking *result = ranking->result;
  const anorank_ranking_info *info = anorank_ranking_get_info(result);
  cli_note_choice(ranking, info);
  note_silences(ranking, info);
  if (*info->expected)
    cli_notes_add(&ranking->notes, ANORANK_NOTE_UNDERSTOOD, "incidents-expected", "%s", info->expected);
  cli_progress_clear();
  int code = (ranking->shape == CLI_SHAPE_FILE ? write_file : write_text)(ranking, call, path);
  if (code != 0) return code;
  cli_notes_show(&ranking->notes, call);
  if (page) code = cli_report_write(ranking, call, page, call->positional_count == 1);
  if (code != 0) return code;
  cli_detail(call, "done in %.3g s", cli_clock() - call->progress.started);
  return cli_exit_code(call, anorank_ranking_get_info(result)->count,
                       anorank_ranking_get_info(result)->headline.apart);
}
