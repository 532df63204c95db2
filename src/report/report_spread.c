/* report_spread.c - distributions of scores and p-values, thresholds, time and labels; see report.h. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "prepare/labels.h"
#include "report/report.h"

enum { SCORE_BINS = 60, P_BINS = 20, TIME_BINS = 60, EVERY_THRESHOLD = 200, CURVE_POINTS = 200 };

static void put_shares(ank_json *json, const char *key, const double *counts, size_t n, double total) {
  ank_json_key(json, key);
  ank_json_open(json, '[', 1);
  for (size_t k = 0; k < n; k++) ank_json_number(json, total > 0 ? counts[k] / total : 0);
  ank_json_close(json, ']');
}

/* ---- scores ------------------------------------------------------------------------------------------ */

typedef struct score_bins {
  double from, to, count[SCORE_BINS], total;
} score_bins;

static void add_score(score_bins *bins, double score) {
  double at = SCORE_BINS * (score - bins->from) / (bins->to - bins->from);
  bins->count[at < 0 ? 0 : at >= SCORE_BINS ? SCORE_BINS - 1 : (size_t)at]++;
  bins->total++;
}

/* From the lowest score, but not from one that would squeeze all others into a corner, to the highest. */
static score_bins empty_bins(const ank_report *report) {
  size_t n = report->rows;
  double low = ank_report_at(report, 0)->score, middle = ank_report_at(report, n / 2)->score;
  double near = ank_report_at(report, n / 10)->score, high = ank_report_at(report, n - 1)->score;
  double reach = middle - near > 0 ? 12 * (middle - near) : INFINITY;
  score_bins bins = {.from = fmax(low, middle - reach), .to = high};
  if (!isfinite(bins.from)) bins.from = isfinite(near) ? near : -1;
  if (!(bins.to > bins.from) || !isfinite(bins.to)) bins.to = bins.from + 1;
  return bins;
}

/* The first and the last bin hold what lies beyond, too. */
static void put_scores(ank_json *json, const ank_report *report) {
  const anorank_model *model = report->model;
  const anorank_evaluation *evaluation = report->given->evaluation;
  score_bins rows = empty_bins(report), calibration = rows, contrast = rows;
  for (size_t k = 0; k < report->rows; k++) add_score(&rows, ank_report_at(report, k)->score);
  for (size_t k = 0; k < model->calibration_count; k++) add_score(&calibration, model->calibration[k]);
  for (size_t k = 0; evaluation && k < ANK_SPREAD; k++) add_score(&contrast, evaluation->contrast_at[k]);
  ank_json_key(json, "scores");
  ank_json_open(json, '{', 0);
  ank_json_field(json, "from", rows.from);
  ank_json_field(json, "to", rows.to);
  ank_json_field(json, "lowest", ank_report_at(report, 0)->score);
  put_shares(json, "rows", rows.count, SCORE_BINS, rows.total);
  put_shares(json, "calibration", calibration.count, SCORE_BINS, calibration.total);
  if (evaluation) put_shares(json, "contrast", contrast.count, SCORE_BINS, contrast.total);
  ank_json_close(json, '}');
}

static void put_p_values(ank_json *json, const ank_report *report) {
  size_t counts[P_BINS] = {0};
  for (size_t k = 0; k < report->rows; k++) {
    double at = P_BINS * ank_report_at(report, k)->p_value;
    counts[at >= P_BINS ? P_BINS - 1 : (size_t)at]++;
  }
  ank_json_key(json, "p_values");
  ank_json_open(json, '[', 1);
  for (size_t k = 0; k < P_BINS; k++) ank_json_unsigned(json, counts[k]);
  ank_json_close(json, ']');
}

/* [rows, score, p-value, q-value] of the row at that place: all of the first, then ever farther apart. */
static void put_thresholds(ank_json *json, const ank_report *report) {
  ank_json_key(json, "thresholds");
  ank_json_open(json, '[', 1);
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

/* The column that says when a row happened: the one of the settings, else the first that is a time. */
static size_t time_column(const ank_report *report) {
  const char *name = report->model->settings.time;
  size_t found = *name ? ank_table_find(report->table, name, strlen(name)) : SIZE_MAX;
  if (found != SIZE_MAX && report->table->column[found].kind == ANORANK_TIME) return found;
  for (size_t j = 0; j < report->table->columns; j++)
    if (report->table->column[j].kind == ANORANK_TIME) return j;
  return SIZE_MAX;
}

typedef struct moment_bins {
  double from, to, lowest[TIME_BINS];
  size_t all[TIME_BINS], flagged[TIME_BINS];
} moment_bins;

static size_t moment_bin(const moment_bins *bins, double at) {
  double share = TIME_BINS * (at - bins->from) / (bins->to - bins->from);
  return share >= TIME_BINS ? TIME_BINS - 1 : (size_t)share;
}

static void fill_moments(moment_bins *bins, const ank_report *report, const double *times) {
  for (size_t k = 0; k < TIME_BINS; k++) bins->lowest[k] = NAN;
  for (size_t k = 0; k < report->rows; k++) {
    const anorank_finding *one = ank_report_at(report, k);
    if (!isfinite(times[one->row])) continue;
    size_t bin = moment_bin(bins, times[one->row]);
    if (isnan(bins->lowest[bin])) bins->lowest[bin] = one->score; /* rows come in the order of scores */
    bins->all[bin]++;
    bins->flagged[bin] += k < report->flagged;
  }
}

static void put_moments(ank_json *json, const ank_report *report, size_t column, const moment_bins *bins) {
  ank_json_key(json, "time");
  ank_json_open(json, '{', 0);
  ank_json_words(json, "column", report->table->column[column].name);
  ank_json_field(json, "from", bins->from);
  ank_json_field(json, "to", bins->to);
  ank_json_key(json, "bins"); /* [rows, rows that stand out, lowest score] */
  ank_json_open(json, '[', 1);
  for (size_t k = 0; k < TIME_BINS; k++) {
    ank_json_open(json, '[', 1);
    ank_json_unsigned(json, bins->all[k]);
    ank_json_unsigned(json, bins->flagged[k]);
    ank_json_number(json, bins->lowest[k]);
    ank_json_close(json, ']');
  }
  ank_json_close(json, ']');
  ank_json_close(json, '}');
}

static void put_time(ank_json *json, const ank_report *report) {
  size_t column = time_column(report);
  moment_bins bins = {.from = INFINITY, .to = -INFINITY};
  if (column == SIZE_MAX) return;
  const double *times = report->table->column[column].numbers;
  for (size_t i = 0; i < report->rows; i++) {
    if (!isfinite(times[i])) continue;
    bins.from = fmin(bins.from, times[i]);
    bins.to = fmax(bins.to, times[i]);
  }
  if (!(bins.to > bins.from)) return;
  fill_moments(&bins, report, times);
  put_moments(json, report, column, &bins);
}

/* ---- labels ------------------------------------------------------------------------------------------ */

static void put_point(ank_json *json, double normal, double anomalies, double normal_all,
                      double anomalies_all) {
  ank_json_open(json, '[', 1);
  ank_json_number(json, normal_all > 0 ? normal / normal_all : 0);
  ank_json_number(json, anomalies_all > 0 ? anomalies / anomalies_all : 0);
  ank_json_number(json, normal + anomalies > 0 ? anomalies / (normal + anomalies) : 1);
  ank_json_close(json, ']');
}

/* [share of the normal rows, share of the anomalies, precision] down the order, at ends of ties. */
static void put_label_curve(ank_json *json, const ank_report *report, const signed char *labels,
                            size_t normal, size_t anomalies) {
  double met[2] = {0, 0};
  size_t step = (normal + anomalies) / CURVE_POINTS + 1, since = 0;
  ank_json_key(json, "curve");
  ank_json_open(json, '[', 1);
  put_point(json, 0, 0, (double)normal, (double)anomalies);
  for (size_t k = 0; k < report->rows; k++) {
    const anorank_finding *one = ank_report_at(report, k);
    if (labels[one->row] >= 0) met[labels[one->row]]++, since++;
    int last = k + 1 == report->rows, found = labels[one->row] == 1 && anomalies <= 5 * CURVE_POINTS;
    int tied = !last && ank_report_at(report, k + 1)->score == one->score;
    if (tied || (since < step && !last && !found) || since == 0) continue;
    put_point(json, met[0], met[1], (double)normal, (double)anomalies);
    since = 0;
  }
  ank_json_close(json, ']');
}

static anorank_status put_labels(ank_json *json, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const char *name = report->settings->labels;
  signed char *labels = NULL;
  size_t normal = 0, anomalies = 0;
  if (!*name || ank_table_find(report->table, name, strlen(name)) == SIZE_MAX) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&labels, report->rows, sizeof *labels, err));
  ANK_TRY(ank_labels_read(labels, report->table, name, err));
  for (size_t i = 0; i < report->rows; i++) normal += labels[i] == 0, anomalies += labels[i] == 1;
  if (normal == 0 || anomalies == 0) goto done;
  ank_json_key(json, "labels");
  ank_json_open(json, '{', 0);
  ank_json_words(json, "column", name);
  ank_json_count(json, "normal", normal);
  ank_json_count(json, "anomalies", anomalies);
  put_label_curve(json, report, labels, normal, anomalies);
  ank_json_close(json, '}');
done:
  ank_free(labels);
  return status;
}

anorank_status ank_report_write_spread(ank_json *json, const ank_report *report, anorank_error *err) {
  put_scores(json, report);
  put_p_values(json, report);
  put_thresholds(json, report);
  put_time(json, report);
  return put_labels(json, report, err);
}
