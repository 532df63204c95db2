/* report_spread.c - distributions of scores and p-values, thresholds, time and labels; see report_data.h. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "prepare/labels.h"
#include "report/report_data.h"

enum { EVERY_THRESHOLD = 200, CURVE_POINTS = 200 };

/* ---- scores ------------------------------------------------------------------------------------------ */

/* Find the range of scores. An extreme lowest score does not extend it, since that would compress all
 * others. */
static void find_range(ank_score_spread *out, const ank_report *report) {
  size_t n = report->rows;
  double middle = ank_report_at(report, n / 2)->score;
  double near = ank_report_at(report, n / 10)->score, high = ank_report_at(report, n - 1)->score;
  double reach = middle - near > 0 ? 12 * (middle - near) : INFINITY;
  out->lowest = ank_report_at(report, 0)->score;
  out->from = fmax(out->lowest, middle - reach);
  out->to = high;
  if (!isfinite(out->from)) out->from = isfinite(near) ? near : -1;
  if (!(out->to > out->from) || !isfinite(out->to)) out->to = out->from + 1;
}

/* Turn numbers of rows into shares. */
static void divide(double counts[ANK_SCORE_BINS], size_t total) {
  for (size_t k = 0; k < ANK_SCORE_BINS; k++) counts[k] = total > 0 ? counts[k] / (double)total : 0;
}

static void count_score(double counts[ANK_SCORE_BINS], const ank_score_spread *spread, double score) {
  counts[ank_report_bin(score, spread->from, spread->to, ANK_SCORE_BINS)]++;
}

void ank_report_scores(ank_score_spread *out, const ank_report *report) {
  const anorank_model *model = report->model;
  const anorank_evaluation *evaluation = report->given->evaluation;
  *out = (ank_score_spread){.has_contrast = evaluation != NULL};
  find_range(out, report);
  for (size_t k = 0; k < report->rows; k++) count_score(out->rows, out, ank_report_at(report, k)->score);
  for (size_t k = 0; k < model->calibration_count; k++)
    count_score(out->calibration, out, model->calibration[k]);
  for (size_t k = 0; evaluation && k < ANK_SPREAD; k++)
    count_score(out->contrast, out, evaluation->contrast_at[k]);
  divide(out->rows, report->rows);
  divide(out->calibration, model->calibration_count);
  divide(out->contrast, ANK_SPREAD);
}

static void put_scores(ank_json *json, const ank_report *report) {
  ank_score_spread spread;
  ank_report_scores(&spread, report);
  ank_json_open_key(json, "scores", '{', 0);
  ank_json_field(json, "from", spread.from);
  ank_json_field(json, "to", spread.to);
  ank_json_field(json, "lowest", spread.lowest);
  ank_json_numbers(json, "rows", spread.rows, ANK_SCORE_BINS);
  ank_json_numbers(json, "calibration", spread.calibration, ANK_SCORE_BINS);
  if (spread.has_contrast) ank_json_numbers(json, "contrast", spread.contrast, ANK_SCORE_BINS);
  ank_json_close(json, '}');
}

void ank_report_p_values(size_t counts[ANK_P_BINS], const ank_report *report) {
  memset(counts, 0, ANK_P_BINS * sizeof *counts);
  for (size_t k = 0; k < report->rows; k++)
    counts[ank_report_bin(ank_report_at(report, k)->p_value, 0, 1, ANK_P_BINS)]++;
}

/* Write [rows, score, p-value, q-value] by position: every row at first, then in ever larger steps. */
static void put_thresholds(ank_json *json, const ank_report *report) {
  ank_json_open_key(json, "thresholds", '[', 1);
  for (size_t k = 0; k < report->rows;) {
    const anorank_finding *one = ank_report_at(report, k);
    ank_json_open(json, '[', 1);
    ank_json_unsigned(json, k + 1);
    ank_json_number(json, one->score);
    ank_json_number(json, one->p_value);
    ank_json_number(json, one->q_value);
    ank_json_close(json, ']');
    size_t next = k < EVERY_THRESHOLD ? k + 1 : k + 1 + k / 20;
    k = next >= report->rows && k + 1 < report->rows ? report->rows - 1 : next;
  }
  ank_json_close(json, ']');
}

/* ---- time -------------------------------------------------------------------------------------------- */

/* Return the time column of the settings, else the first time column. */
size_t ank_report_time_column(const ank_report *report) {
  const char *name = report->model->settings.time;
  size_t found = *name ? ank_table_find(report->table, name, strlen(name)) : SIZE_MAX;
  if (found != SIZE_MAX && report->table->column[found].kind == ANORANK_TIME) return found;
  for (size_t j = 0; j < report->table->columns; j++)
    if (report->table->column[j].kind == ANORANK_TIME) return j;
  return SIZE_MAX;
}

int ank_report_times(ank_time_spread *out, const ank_report *report) {
  size_t column = ank_report_time_column(report);
  *out = (ank_time_spread){.column = column, .from = INFINITY, .to = -INFINITY};
  if (column == SIZE_MAX) return 0;
  const double *times = report->table->column[column].numbers;
  for (size_t i = 0; i < report->rows; i++) {
    if (!isfinite(times[i])) continue;
    out->from = fmin(out->from, times[i]);
    out->to = fmax(out->to, times[i]);
  }
  if (!(out->to > out->from)) return 0;
  for (size_t k = 0; k < ANK_TIME_BINS; k++) out->lowest[k] = NAN;
  for (size_t k = 0; k < report->rows; k++) {
    const anorank_finding *one = ank_report_at(report, k);
    if (!isfinite(times[one->row])) continue;
    size_t bin = ank_report_bin(times[one->row], out->from, out->to, ANK_TIME_BINS);
    if (isnan(out->lowest[bin])) out->lowest[bin] = one->score; /* rows are in the order of scores */
    out->all[bin]++;
    out->flagged[bin] += k < report->flagged;
  }
  return 1;
}

static void put_time(ank_json *json, const ank_report *report) {
  ank_time_spread spread;
  if (!ank_report_times(&spread, report)) return;
  ank_json_open_key(json, "time", '{', 0);
  ank_json_words(json, "column", report->table->column[spread.column].name);
  ank_json_field(json, "from", spread.from);
  ank_json_field(json, "to", spread.to);
  ank_json_open_key(json, "bins", '[', 1); /* [rows, rows that stand out, lowest score] */
  for (size_t k = 0; k < ANK_TIME_BINS; k++) {
    ank_json_open(json, '[', 1);
    ank_json_unsigned(json, spread.all[k]);
    ank_json_unsigned(json, spread.flagged[k]);
    ank_json_number(json, spread.lowest[k]);
    ank_json_close(json, ']');
  }
  ank_json_close(json, ']');
  ank_json_close(json, '}');
}

/* ---- labels ------------------------------------------------------------------------------------------ */

void ank_label_curve_free(ank_label_curve *curve) {
  ank_free(curve->points);
  *curve = (ank_label_curve){0};
}

static anorank_status add_point(ank_label_curve *curve, size_t *capacity, const size_t met[2],
                                anorank_error *err) {
  anorank_status status = ank_reserve(&curve->points, capacity, curve->count + 1, sizeof *curve->points, err);
  if (status != ANORANK_OK) return status;
  double normal = (double)met[0], anomalies = (double)met[1];
  curve->points[curve->count++] =
      (ank_label_point){normal / (double)curve->normal, anomalies / (double)curve->anomalies,
                        normal + anomalies > 0 ? anomalies / (normal + anomalies) : 1};
  return ANORANK_OK;
}

/* Walk down the order, at ends of ties: a limited number of points, and one at each anomaly if there are
 * few. */
static anorank_status follow_order(ank_label_curve *curve, const ank_report *report,
                                   const signed char *labels, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t met[2] = {0, 0}, capacity = 0;
  size_t step = (curve->normal + curve->anomalies) / CURVE_POINTS + 1, since = 0;
  ANK_TRY(add_point(curve, &capacity, met, err));
  for (size_t k = 0; k < report->rows; k++) {
    const anorank_finding *one = ank_report_at(report, k);
    if (labels[one->row] >= 0) met[labels[one->row]]++, since++;
    int last = k + 1 == report->rows, found = labels[one->row] == 1 && curve->anomalies <= 5 * CURVE_POINTS;
    int tied = !last && ank_report_at(report, k + 1)->score == one->score;
    if (tied || (since < step && !last && !found) || since == 0) continue;
    ANK_TRY(add_point(curve, &capacity, met, err));
    since = 0;
  }
done:
  return status;
}

anorank_status ank_report_labels(ank_label_curve *out, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const char *name = report->settings->labels;
  signed char *labels = NULL;
  *out = (ank_label_curve){0};
  if (!*name || ank_table_find(report->table, name, strlen(name)) == SIZE_MAX) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&labels, report->rows, sizeof *labels, err));
  ANK_TRY(ank_labels_read(labels, report->table, name, err));
  for (size_t i = 0; i < report->rows; i++) out->normal += labels[i] == 0, out->anomalies += labels[i] == 1;
  if (out->normal > 0 && out->anomalies > 0) ANK_TRY(follow_order(out, report, labels, err));
done:
  ank_free(labels);
  if (status != ANORANK_OK) ank_label_curve_free(out);
  return status;
}

/* [share of the normal rows, share of the anomalies, precision] */
static anorank_status put_labels(ank_json *json, const ank_report *report, anorank_error *err) {
  ank_label_curve curve;
  anorank_status status = ank_report_labels(&curve, report, err);
  if (status != ANORANK_OK || curve.count == 0) return status;
  ank_json_open_key(json, "labels", '{', 0);
  ank_json_words(json, "column", report->settings->labels);
  ank_json_count(json, "normal", curve.normal);
  ank_json_count(json, "anomalies", curve.anomalies);
  ank_json_open_key(json, "curve", '[', 1);
  for (size_t k = 0; k < curve.count; k++) {
    const ank_label_point *at = &curve.points[k];
    ank_json_numbers(json, NULL, (const double[]){at->normal, at->anomalies, at->precision}, 3);
  }
  ank_json_close(json, ']');
  ank_json_close(json, '}');
  ank_label_curve_free(&curve);
  return ANORANK_OK;
}

anorank_status ank_report_write_spread(ank_json *json, const ank_report *report, anorank_error *err) {
  size_t p_values[ANK_P_BINS];
  put_scores(json, report);
  ank_report_p_values(p_values, report);
  ank_json_counts(json, "p_values", p_values, ANK_P_BINS);
  put_thresholds(json, report);
  put_time(json, report);
  return put_labels(json, report, err);
}
