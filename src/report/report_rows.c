/* report_rows.c - the rows of a report, and their data; see report_data.h. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/rng.h"
#include "model/model_context.h"
#include "report/report_data.h"
#include "report/result_json.h"
#include "table/cell_text.h"
#include "table/raw_cells.h"

void ank_report_free(ank_report *report) {
  ank_match_free(report->match);
  ank_ranking_free(report->own);
  ank_table_free(report->derived);
  ank_free(report->sample);
  ank_free(report->column);
  ank_free(report->of_table);
  *report = (ank_report){0};
}

/* ---- choosing ---------------------------------------------------------------------------------------- */

/* Order all rows: as given, or by the given scores. */
static anorank_status judge(ank_report *out, anorank_error *err) {
  const anorank_ranking *given = out->given->ranking;
  size_t columns = out->given->table->columns; /* without the derived ones */
  if (given && (given->rows != out->table->rows || given->table_columns != columns))
    return ank_fail(err, ANORANK_ERROR_USAGE, "ranking-other-table",
                    "the ranking belongs to another table (%zu rows, %zu columns; not %zu and %zu); give the "
                    "ranked table",
                    given->rows, given->table_columns, out->table->rows, columns);
  out->ranking = given;
  if (given && given->count == given->rows && given->groups.unit == ANK_UNIT_ROW) return ANORANK_OK;
  anorank_status status = ank_ranking_of_all(&out->own, out->model, out->table, given, out->settings, err);
  out->ranking = out->own;
  return status;
}

/* Choose columns to show, all unless there are too many: first those that name a row, then those in
 * reasons. */
static anorank_status choose_columns(ank_report *out, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_table *table = out->table;
  const anorank_ranking *ranking = out->ranking;
  size_t model_columns = ank_prepare_columns(out->model->pipeline.prepare), taken = 0;
  unsigned char *wanted = NULL; /* 2: an identifier, 1: in a reason */
  ANK_TRY(ank_alloc(&wanted, table->columns, 1, err));
  ANK_TRY(ank_alloc_raw(&out->column, table->columns, sizeof *out->column, err));
  ANK_TRY(ank_alloc_raw(&out->of_table, table->columns, sizeof *out->of_table, err));
  for (size_t j = 0; j < table->columns; j++) out->of_table[j] = SIZE_MAX;
  for (size_t i = 0; i < model_columns; i++)
    if (ank_match_column(out->match, i) != SIZE_MAX) out->of_table[ank_match_column(out->match, i)] = i;
  for (size_t i = 0; i < ranking->explained; i++)
    for (size_t k = 0; k < ranking->findings[i].reasons; k++) {
      size_t at = ank_match_column(out->match, ranking->reasons[i * ranking->most + k].index);
      if (at != SIZE_MAX) wanted[at] = 1;
    }
  for (size_t k = 0; k < ranking->id_count; k++) wanted[ranking->ids[k]] = 2;
  for (int least = 2; least >= 0; least--)
    for (size_t j = 0; j < table->columns && taken < ANK_REPORT_COLUMNS; j++)
      if (wanted[j] == least) wanted[j] = 3, taken++;
  for (size_t j = 0; j < table->columns; j++)
    if (wanted[j] == 3) out->column[out->columns++] = j;
done:
  ank_free(wanted);
  return status;
}

static size_t cell_bytes(const ank_report *report, size_t place, size_t column) {
  size_t length = anorank_table_text(report->table, column, ank_report_at(report, place)->row, NULL, 0);
  return (length < ANK_REPORT_CELL ? length : ANK_REPORT_CELL) + 3;
}

/* List the rows that stand out, as many as fit. */
static void choose_listed(ank_report *out) {
  size_t wanted = out->flagged, bytes = 0, place = 0;
  size_t lowest = out->settings->lowest > 0 ? (size_t)out->settings->lowest : 0;
  if (wanted < lowest) wanted = lowest;
  if (wanted < ANK_REPORT_LEAST) wanted = ANK_REPORT_LEAST;
  if (wanted > ANK_REPORT_LISTED) wanted = ANK_REPORT_LISTED;
  if (wanted > out->rows) wanted = out->rows;
  for (; place < wanted && (bytes < ANK_REPORT_BYTES || place < 10); place++)
    for (size_t k = 0; k < out->columns; k++) bytes += cell_bytes(out, place, out->column[k]);
  out->listed = place;
}

/* Sample positions beyond the listed ones, ascending; all subsets have the same probability. */
static anorank_status choose_sample(ank_report *out, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t rest = out->rows - out->listed, count = ANK_REPORT_SAMPLE, bytes = 0;
  ank_rng rng;
  for (size_t k = 0; k < out->columns && out->rows > 0; k++) bytes += cell_bytes(out, 0, out->column[k]);
  if (bytes > 0 && count > ANK_REPORT_BYTES / 4 / bytes) count = ANK_REPORT_BYTES / 4 / bytes;
  if (count > rest) count = rest;
  ANK_TRY(ank_alloc_raw(&out->sample, count, sizeof *out->sample, err));
  ank_rng_open(&rng, out->settings->seed, ANK_STREAM_REPORT, 0);
  for (size_t i = 0, left = count; i < rest && left > 0; i++) /* each with probability left / (rest - i) */
    if (ank_rng_below(&rng, rest - i) < left) out->sample[out->sampled++] = out->listed + i, left--;
done:
  return status;
}

anorank_status ank_report_gather(ank_report *out, const anorank_report *given,
                                 const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  *out = (ank_report){.given = given, .model = given->model, .table = given->table, .settings = settings};
  out->title = given->title ? given->title : given->table->source ? given->table->source : "a table";
  out->rows = out->table->rows;
  out->rate = settings->fdr > 0 ? settings->fdr : ANORANK_USUAL_FDR;
  if (out->rows == 0) ANK_FAIL(ANORANK_ERROR_DATA, "table-no-rows", "the table has no rows to report on");
  if (out->model->context && given->ranking && given->ranking->own) { /* this table is the history */
    ANK_TRY(ank_context_derive(&out->derived, out->model->context, given->table, ANK_HISTORY_NONE, err));
    out->table = out->derived;
  } else {
    ANK_TRY(ank_model_view(&out->table, &out->derived, out->model, given->table, err));
  }
  ANK_TRY(ank_match_make(&out->match, out->model->pipeline.prepare, out->table, err));
  ANK_TRY(judge(out, err));
  out->flagged = out->ranking->stand_out;
  ANK_TRY(choose_columns(out, err));
  choose_listed(out);
  ANK_TRY(choose_sample(out, err));
done:
  if (status != ANORANK_OK) ank_report_free(out);
  return status;
}

/* ---- cells ------------------------------------------------------------------------------------------- */

/* Write a text of any length, truncated at a character. */
static void put_cut(ank_json *json, const char *text, size_t length) {
  static const char mark[] = "\xE2\x80\xA6"; /* … */
  char cut[ANK_REPORT_CELL + sizeof mark];
  size_t shown = 0, step;
  if (length <= ANK_REPORT_CELL) {
    ank_json_text(json, text, length);
    return;
  }
  while (shown < ANK_REPORT_CELL) {
    step = ank_utf8_length(text + shown, length - shown);
    step = step ? step : 1;
    if (shown + step > ANK_REPORT_CELL) break;
    shown += step;
  }
  memcpy(cut, text, shown);
  memcpy(cut + shown, mark, sizeof mark);
  ank_json_text(json, cut, shown + sizeof mark - 1);
}

/* Write a cell: null if missing; a number; a text; [text, number] for a number or time in another format. */
static void put_cell(ank_json *json, const ank_column *column, size_t row) {
  char text[ANK_CELL_SIZE];
  const char *cell = text;
  size_t length;
  if (ank_cell_is_missing(column, row)) {
    ank_json_string(json, NULL);
  } else if (column->kind == ANORANK_CATEGORICAL) {
    cell = column->levels.text[column->codes[row]];
    put_cut(json, cell, strlen(cell));
  } else if (column->kind == ANORANK_NUMERIC && !ank_raw_cells_is_text(column) &&
             isfinite(column->numbers[row])) {
    ank_json_number(json, column->numbers[row]);
  } else {
    if (column->raw_cells)
      cell = ank_raw_cells_at(column->raw_cells, row, &length);
    else
      length = ank_cell_number(text, column, row);
    ank_json_open(json, '[', 1);
    put_cut(json, cell, length);
    ank_json_number(json, column->numbers[row]);
    ank_json_close(json, ']');
  }
}

static void put_table_columns(ank_json *json, const ank_report *report) {
  static const char *const kinds[] = {"numeric", "categorical", "time"};
  const anorank_ranking *ranking = report->ranking;
  ank_json_count(json, "table_column_count", report->table->columns);
  ank_json_open_key(json, "table_columns", '[', 0);
  for (size_t k = 0; k < report->columns; k++) {
    size_t j = report->column[k], of_model = report->of_table[j];
    int id = 0;
    for (size_t i = 0; i < ranking->id_count; i++) id |= ranking->ids[i] == j;
    ank_json_open(json, '{', 1);
    ank_json_words(json, "name", report->table->column[j].name);
    ank_json_words(json, "kind", kinds[report->table->column[j].kind]);
    ank_json_flag(json, "id", id);
    ank_json_key(json, "model_column");
    if (of_model == SIZE_MAX)
      ank_json_string(json, NULL);
    else
      ank_json_unsigned(json, of_model);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
}

/* ---- neighbours -------------------------------------------------------------------------------------- */

/* The background rows near listed rows. */
typedef struct nearness {
  size_t listed; /* number of rows with neighbours */
  size_t (*near)[ANK_REPORT_NEAR], *count;
  size_t *place; /* index of a background row in "neighbours"; SIZE_MAX: none */
  size_t shown;
} nearness;

static void nearness_free(nearness *of) {
  ank_free(of->near);
  ank_free(of->count);
  ank_free(of->place);
}

static anorank_status find_near(nearness *out, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_background background = {0};
  ank_row_context context = {0};
  double *features = NULL;
  const ank_prepare *prepare = report->model->pipeline.prepare;
  size_t columns = ank_prepare_columns(prepare), most = 1 + 30 * ANK_REPORT_NEIGHBOURED / (columns + 1);
  ANK_TRY(ank_background_make(&background, report->model, err));
  out->listed = report->listed < ANK_REPORT_NEIGHBOURED ? report->listed : ANK_REPORT_NEIGHBOURED;
  if (out->listed > most) out->listed = most;
  ANK_TRY(ank_alloc(&out->near, out->listed, sizeof *out->near, err));
  ANK_TRY(ank_alloc(&out->count, out->listed, sizeof *out->count, err));
  ANK_TRY(ank_alloc_raw(&out->place, background.rows, sizeof *out->place, err));
  ANK_TRY(ank_alloc_raw(&features, background.dim, sizeof *features, err));
  for (size_t b = 0; b < background.rows; b++) out->place[b] = SIZE_MAX;
  for (size_t i = 0; i < out->listed; i++) {
    size_t row = ank_report_at(report, i)->row;
    ANK_TRY(ank_prepare_rows(features, prepare, report->match, report->table, row, 1, err));
    ANK_TRY(ank_row_context_make(&context, &background, features, err));
    out->count[i] = ank_nearest_usual(out->near[i], &context, SIZE_MAX, ANK_REPORT_NEAR);
    for (size_t k = 0; k < out->count[i]; k++) out->place[out->near[i][k]] = 0;
    ank_row_context_free(&context);
  }
  for (size_t b = 0; b < background.rows; b++)
    if (out->place[b] == 0) out->place[b] = out->shown++;
done:
  ank_free(features);
  ank_row_context_free(&context);
  ank_background_free(&background);
  return status;
}

/* Write a cell of a background row, by column of the model, as in the training table. */
static void put_reference_cell(ank_json *json, const ank_report *report, size_t b, size_t c) {
  const ank_prepare *prepare = report->model->pipeline.prepare;
  anorank_model_column column = ank_prepare_column(prepare, c);
  double value = report->model->pipeline.cells[b * ank_prepare_columns(prepare) + c];
  char text[ANK_CELL_SIZE];
  if (isnan(value)) {
    ank_json_string(json, NULL);
  } else if (column.role == ANORANK_ROLE_CATEGORICAL) {
    const char *level = value >= 0 ? ank_prepare_level(prepare, c, (size_t)value) : NULL;
    if (level)
      put_cut(json, level, strlen(level));
    else
      ank_json_string(json, NULL);
  } else if (column.role == ANORANK_ROLE_TIME) {
    ank_json_open(json, '[', 1);
    ank_json_text(json, text, ank_time_text(text, value, ANORANK_SECONDS));
    ank_json_number(json, value);
    ank_json_close(json, ']');
  } else {
    ank_json_number(json, value);
  }
}

static void put_neighbours(ank_json *json, const ank_report *report, const nearness *near) {
  const ank_pipeline *pipeline = &report->model->pipeline;
  ank_json_count(json, "neighboured", near->listed);
  ank_json_open_key(json, "neighbours", '[', 0);
  for (size_t b = 0; b < pipeline->background_rows; b++) {
    if (near->place[b] == SIZE_MAX) continue;
    ank_json_open(json, '[', 1);
    for (size_t c = 0; c < ank_prepare_columns(pipeline->prepare); c++)
      put_reference_cell(json, report, b, c);
    ank_json_close(json, ']');
  }
  ank_json_close(json, ']');
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* Positions on the map need no more digits than it has points. */
static double rounded(double value) { return round(value * 1000) / 1000; }

/* Write the fields of a finding as in `anorank rank --json`, its position on the map, and its cells. */
static void put_row(ank_json *json, const ank_report *report, size_t place, double x, double y) {
  const anorank_finding *finding = ank_report_at(report, place);
  ank_json_count(json, "rank", finding->rank);
  ank_json_count(json, "row", finding->row + 1);
  ank_json_field(json, "score", finding->score);
  ank_json_field(json, "p_value", finding->p_value);
  ank_json_field(json, "q_value", finding->q_value);
  ank_json_field(json, "x", rounded(x));
  ank_json_field(json, "y", rounded(y));
  ank_json_open_key(json, "cells", '[', 1);
  for (size_t k = 0; k < report->columns; k++)
    put_cell(json, &report->table->column[report->column[k]], finding->row);
  ank_json_close(json, ']');
}

anorank_status ank_report_write_rows(ank_json *json, const ank_report *report, const double *x,
                                     const double *y, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  nearness near = {0};
  ANK_TRY(find_near(&near, report, err));
  ank_json_count(json, "explained",
                 report->ranking->explained < report->listed ? report->ranking->explained : report->listed);
  put_table_columns(json, report);
  put_neighbours(json, report, &near);
  ank_json_open_key(json, "findings", '[', 0);
  for (size_t i = 0; i < report->listed; i++) {
    ank_json_open(json, '{', 1);
    put_row(json, report, i, x[i], y[i]);
    ank_json_reasons(json, "reasons", report->ranking, i, 1);
    ank_json_open_key(json, "near", '[', 1);
    for (size_t k = 0; i < near.listed && k < near.count[i]; k++)
      ank_json_unsigned(json, near.place[near.near[i][k]]);
    ank_json_close(json, ']');
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
  ank_json_open_key(json, "sample", '[', 0);
  for (size_t i = 0; i < report->sampled; i++) {
    ank_json_open(json, '{', 1);
    put_row(json, report, report->sample[i], x[report->listed + i], y[report->listed + i]);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
done:
  nearness_free(&near);
  return status;
}
