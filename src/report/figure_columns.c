/* figure_columns.c - the columns that are most often reasons, for all rows and for those that stand out; see
 * figure.h. */
#include <math.h>

#include "core/print.h"
#include "report/figure.h"

enum { PANELS = 6, ACROSS = 2, NAME_SHOWN = 22 };

/* The data of one panel. */
typedef struct columns_panel {
  char title[160];
  const char *names[ANK_REPORT_LEVELS];
  double all[ANK_COLUMN_BINS], flagged[ANK_COLUMN_BINS], at[ANK_REPORT_LEVELS];
} columns_panel;

static double share(size_t part, size_t whole) { return whole > 0 ? (double)part / (double)whole : 0; }

static size_t sum(const size_t *counts, size_t n) {
  size_t total = 0;
  for (size_t k = 0; k < n; k++) total += counts[k];
  return total;
}

/* Compute shares of the rows that have a number, as on the report's cards. */
static anorank_status fill_values(ank_panel *out, columns_panel *data, const ank_report *report,
                                  size_t of_model, anorank_error *err) {
  ank_value_bins bins;
  double most = 0;
  anorank_status status = ank_report_values(&bins, report, of_model, err);
  if (status != ANORANK_OK) return status;
  size_t total = sum(bins.all, ANK_COLUMN_BINS), some = sum(bins.flagged, ANK_COLUMN_BINS);
  for (size_t k = 0; k < ANK_COLUMN_BINS; k++) {
    data->all[k] = share(bins.all[k], total);
    data->flagged[k] = share(bins.flagged[k], some);
    most = fmax(most, fmax(data->all[k], data->flagged[k]));
  }
  *out = (ank_panel){
      .x = {.low = bins.from,
            .high = bins.to,
            .is_time = ank_report_column(report, of_model)->kind == ANORANK_TIME},
      .y = {.label = "share of rows", .low = 0, .high = 1.08 * most},
      .series = {{ANK_BARS, .label = "all rows", .y = data->all, .count = ANK_COLUMN_BINS, .opacity = 0.45},
                 {some > 0 ? ANK_STEPS : ANK_END, .label = "stand out", .y = data->flagged,
                  .count = ANK_COLUMN_BINS, .colour = ANK_VERMILION}}};
  return ANORANK_OK;
}

/* Compute shares of all rows, as in the report's tables; the most frequent level on top. */
static anorank_status fill_levels(ank_panel *out, columns_panel *data, const ank_report *report,
                                  size_t of_model, anorank_error *err) {
  ank_level_bins bins;
  double most = 0;
  anorank_status status = ank_report_levels(&bins, report, of_model, err);
  if (status != ANORANK_OK) return status;
  for (size_t k = 0; k < bins.shown; k++) {
    size_t from_below = bins.shown - 1 - k;
    data->names[from_below] = bins.of[k].level;
    data->all[from_below] = share(bins.of[k].all, report->rows);
    data->flagged[from_below] = share(bins.of[k].flagged, report->flagged);
    data->at[k] = (double)k;
    most = fmax(most, fmax(data->all[from_below], data->flagged[from_below]));
  }
  *out = (ank_panel){
      .x = {.label = "share of rows", .low = 0, .high = 1.08 * most},
      .y = {.low = -0.6, .high = (double)bins.shown - 0.4, .names = data->names, .name_count = bins.shown},
      .series = {{ANK_LYING, .label = "all rows", .x = data->all, .count = bins.shown, .opacity = 0.45},
                 {report->flagged > 0 ? ANK_TRIANGLES : ANK_END, .label = "stand out", .x = data->flagged,
                  .y = data->at, .count = bins.shown, .colour = ANK_VERMILION, .size = 8}}};
  return ANORANK_OK;
}

/* Return whether the column has a distribution to show. */
static anorank_status is_shown(int *out, const ank_report *report, size_t of_model, anorank_error *err) {
  const ank_column *column = ank_report_column(report, of_model);
  *out = 0;
  if (!column) return ANORANK_OK;
  if (column->kind == ANORANK_CATEGORICAL) {
    *out = column->levels.count > 0;
    return ANORANK_OK;
  }
  ank_value_bins bins;
  anorank_status status = ank_report_values(&bins, report, of_model, err);
  *out = status == ANORANK_OK && !isnan(bins.from);
  return status;
}

/* Choose the columns that are most often reasons; ties keep their order. */
static anorank_status choose(size_t chosen[PANELS], size_t *count, const ank_reason_counts *reason_counts,
                             const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t columns = ank_prepare_columns(report->model->pipeline.prepare);
  *count = 0;
  for (size_t c = 0; c < columns; c++) {
    size_t to = *count;
    int shown;
    while (to > 0 && reason_counts->any[chosen[to - 1]] < reason_counts->any[c]) to--;
    if (to == PANELS) continue;
    ANK_TRY(is_shown(&shown, report, c, err));
    if (!shown) continue;
    if (*count < PANELS) ++*count;
    for (size_t k = *count - 1; k > to; k--) chosen[k] = chosen[k - 1];
    chosen[to] = c;
  }
done:
  return status;
}

static anorank_status draw(ank_output *output, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_prepare *prepare = report->model->pipeline.prepare;
  ank_reason_counts reason_counts = {0};
  size_t chosen[PANELS], count;
  columns_panel data[PANELS];
  char caption[ANK_CAPTION_SIZE], name[4 * NAME_SHOWN + 8];
  ANK_TRY(ank_reason_counts_make(&reason_counts, report, err));
  ANK_TRY(choose(chosen, &count, &reason_counts, report, err));
  if (count == 0)
    ANK_FAIL(ANORANK_ERROR_DATA, "figure-no-column",
             "no column has a distribution to draw; the figure needs a numeric or categorical column");
  char which[96] = "Columns that are a reason most often come first.";
  if (count < ank_prepare_columns(prepare))
    ank_print(which, sizeof which, "The %zu of %zu columns that are a reason most often.", count,
              ank_prepare_columns(prepare));
  ank_caption(caption, report,
              "%s Filled: all rows; line or triangles: those that stand out. The outermost bars hold what "
              "lies beyond them, too.",
              which);
  ank_chart chart = {.title = "Columns",
                     .caption = caption,
                     .across = count > 1 ? ACROSS : 1,
                     .height = 110 + 230 * (double)((count + 1) / ACROSS),
                     .count = count};
  for (size_t k = 0; k < count; k++) {
    size_t c = chosen[k];
    int levels = ank_report_column(report, c)->kind == ANORANK_CATEGORICAL;
    ANK_TRY((levels ? fill_levels : fill_values)(&chart.panels[k], &data[k], report, c, err));
    ank_text_cut(name, sizeof name, ank_prepare_column(prepare, c).name, NAME_SHOWN);
    if (reason_counts.rows > 0)
      ank_print(data[k].title, sizeof data[k].title, "%s (reason for %zu of %zu)", name, reason_counts.any[c],
                reason_counts.rows);
    else
      ank_print(data[k].title, sizeof data[k].title, "%s", name);
    chart.panels[k].title = data[k].title;
  }
  ank_chart_label_first(&chart); /* the caption explains the other marks */
  ANK_TRY(ank_chart_print(output, &chart, err));
done:
  ank_reason_counts_free(&reason_counts);
  return status;
}

const ank_figure_kind ank_figure_columns = {
    {"columns", "the columns that are reasons most often: all rows, and those that stand out", 0, 0}, draw};
