/* report_series.c - the numeric column that most reasons name, over time; see report_data.h. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/sort.h"
#include "report/report_data.h"

enum {
  BINS = 640,
  PER_BIN = 3
}; /* of each bin: the lowest value, the highest, and the most abnormal marked
                                   * row */

enum { FIRST_SCREEN = 10 }; /* rows that it lists */

enum { MARKED = 1, DRAWN = 2 };

/* One column over time. A row is marked if it stands out, is far apart or is unusual. */
typedef struct series {
  size_t time, column; /* of the table */
  const double *times, *values;
  double from, to;      /* of the rows that have both */
  size_t rows, marked;  /* that have both */
  unsigned char *state; /* of each row of the table */
} series;

int ank_report_has_numbers(const ank_report *report, size_t column) {
  size_t of_model = report->of_table[column];
  return report->table->column[column].kind == ANORANK_NUMERIC && of_model != SIZE_MAX &&
         ank_prepare_column(report->model->pipeline.prepare, of_model).role == ANORANK_ROLE_NUMERIC;
}

/* Return the column of --time, which may be numeric, else the first time column; SIZE_MAX: none. */
static size_t find_time(const ank_report *report) {
  const char *name = report->model->settings.time;
  size_t found = *name ? ank_table_find(report->table, name, strlen(name)) : SIZE_MAX;
  if (found != SIZE_MAX && report->table->column[found].kind == ANORANK_NUMERIC) return found;
  return ank_report_time_column(report);
}

/* Find the column with the largest contributions to the rows that stand out, and at least to those of the
 * first screen, else the first; SIZE_MAX: no column is numeric. */
static anorank_status find_column(size_t *out, const ank_report *report, size_t time, anorank_error *err) {
  const anorank_ranking *ranking = report->ranking;
  size_t asked = report->flagged > FIRST_SCREEN ? report->flagged : FIRST_SCREEN;
  double *weight = NULL;
  *out = SIZE_MAX;
  anorank_status status =
      ank_alloc(&weight, ank_prepare_columns(report->model->pipeline.prepare), sizeof *weight, err);
  if (status != ANORANK_OK) return status;
  for (size_t i = 0; i < ranking->explained && i < asked; i++)
    for (size_t k = 0; k < ranking->findings[i].reasons; k++) {
      const anorank_reason *reason = &ranking->reasons[i * ranking->most + k];
      if (isfinite(reason->contribution)) weight[reason->index] += reason->contribution;
    }
  for (size_t j = 0; j < report->given->table->columns; j++)
    if (j != time && ank_report_has_numbers(report, j) &&
        (*out == SIZE_MAX || weight[report->of_table[j]] > weight[report->of_table[*out]]))
      *out = j;
  ank_free(weight);
  return ANORANK_OK;
}

static int has_both(const series *of, size_t row) {
  return isfinite(of->times[row]) && isfinite(of->values[row]);
}

static void mark_rows(series *of, const ank_report *report) {
  of->from = INFINITY;
  of->to = -INFINITY;
  for (size_t k = 0; k < report->rows; k++) {
    const anorank_finding *one = ank_report_at(report, k);
    if (!has_both(of, one->row)) continue;
    of->from = fmin(of->from, of->times[one->row]);
    of->to = fmax(of->to, of->times[one->row]);
    of->rows++;
    if (k >= report->flagged && one->tier == ANORANK_TIER_REST) continue;
    of->state[one->row] = MARKED;
    of->marked++;
  }
}

/* Draw all rows if they are few, else those named above of each bin. */
static void choose_drawn(series *of, const ank_report *report) {
  size_t lowest[BINS], highest[BINS];
  unsigned char has_mark[BINS] = {0};
  int all = of->rows <= BINS * PER_BIN;
  for (size_t b = 0; b < BINS; b++) lowest[b] = highest[b] = SIZE_MAX;
  for (size_t k = 0; k < report->rows; k++) {
    size_t row = ank_report_at(report, k)->row;
    if (!has_both(of, row)) continue;
    size_t b = ank_report_bin(of->times[row], of->from, of->to, BINS);
    if (lowest[b] == SIZE_MAX || of->values[row] < of->values[lowest[b]]) lowest[b] = row;
    if (highest[b] == SIZE_MAX || of->values[row] > of->values[highest[b]]) highest[b] = row;
    if (all || (of->state[row] & MARKED && !has_mark[b])) of->state[row] |= DRAWN;
    has_mark[b] |= of->state[row] & MARKED;
  }
  for (size_t b = 0; b < BINS; b++)
    if (lowest[b] != SIZE_MAX) of->state[lowest[b]] |= DRAWN, of->state[highest[b]] |= DRAWN;
}

/* Write "times", "values", and in "marks" the positions of the marked ones, all in the order of time. */
static anorank_status put_points(ank_json *json, const series *of, const ank_report *report,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  struct {
    double number[BINS * PER_BIN];
    size_t row[BINS * PER_BIN], marks[BINS * PER_BIN];
    uint32_t order[BINS * PER_BIN];
  } *drawn = NULL;
  size_t count = 0, marked = 0;
  ANK_TRY(ank_alloc_raw(&drawn, 1, sizeof *drawn, err));
  for (size_t i = 0; i < report->rows; i++) {
    if (!(of->state[i] & DRAWN)) continue;
    drawn->number[count] = of->times[i];
    drawn->row[count++] = i;
  }
  ANK_TRY(ank_argsort(drawn->order, drawn->number, count, report->settings, err));
  for (size_t k = 0; k < count; k++) {
    size_t row = drawn->row[drawn->order[k]];
    drawn->number[k] = of->times[row];
    if (of->state[row] & MARKED) drawn->marks[marked++] = k;
  }
  ank_json_numbers(json, "times", drawn->number, count);
  for (size_t k = 0; k < count; k++) drawn->number[k] = of->values[drawn->row[drawn->order[k]]];
  ank_json_numbers(json, "values", drawn->number, count);
  ank_json_counts(json, "marks", drawn->marks, marked);
done:
  ank_free(drawn);
  return status;
}

/* Return whether each row continues the one before, so that a line may join them. */
static int is_one_series(const ank_report *report) {
  const anorank_model *model = report->model;
  if (model->context) return report->ranking->groups.sequences.entities == 1;
  return model->dependence.dependent && !*model->dependence.entity;
}

anorank_status ank_report_write_series(ank_json *json, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  series of = {.time = find_time(report)};
  if (of.time == SIZE_MAX) return ANORANK_OK;
  ANK_TRY(find_column(&of.column, report, of.time, err));
  if (of.column == SIZE_MAX) goto done;
  of.times = report->table->column[of.time].numbers;
  of.values = report->table->column[of.column].numbers;
  ANK_TRY(ank_alloc(&of.state, report->rows, 1, err));
  mark_rows(&of, report);
  if (!(of.to > of.from)) goto done;
  choose_drawn(&of, report);
  anorank_model_column usual =
      ank_prepare_column(report->model->pipeline.prepare, report->of_table[of.column]);
  ank_json_open_key(json, "series", '{', 0);
  ank_json_words(json, "time", report->table->column[of.time].name);
  ank_json_flag(json, "moments", report->table->column[of.time].kind == ANORANK_TIME);
  ank_json_words(json, "column", report->table->column[of.column].name);
  ank_json_flag(json, "joined", is_one_series(report));
  ank_json_field(json, "low", usual.low);
  ank_json_field(json, "high", usual.high);
  ank_json_count(json, "rows", of.rows);
  ank_json_count(json, "marked", of.marked);
  ANK_TRY(put_points(json, &of, report, err));
  ank_json_close(json, '}');
done:
  ank_free(of.state);
  return status;
}
