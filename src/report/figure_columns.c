/* figure_columns.c - the columns that are reasons most often: all rows, and those that stand out; see figure.h. */
#include <math.h>

#include "core/alloc.h"
#include "core/print.h"
#include "report/chart_ink.h"
#include "report/figure.h"

enum { PANELS = 6, ACROSS = 2, NAME_SHOWN = 22 };

static const ank_style all_style = {.colour = ANK_COLOUR_BLUE, .opacity = 0.45};
static const ank_style flagged_style = {.colour = ANK_COLOUR_VERMILION, .dash = ANK_DASH_SOLID, .opacity = 1};

static double share(size_t part, size_t whole) { return whole > 0 ? (double)part / (double)whole : 0; }

static size_t sum(const size_t *counts, size_t n) {
  size_t total = 0;
  for (size_t k = 0; k < n; k++) total += counts[k];
  return total;
}

/* Shares of the rows that have a number, as the report's cards have them. */
static anorank_status add_values(ank_figure *figure, const ank_report *report, size_t of_model,
                                 const char *title, int legend, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_value_bins bins;
  ank_panel *panel;
  double all[ANK_COLUMN_BINS], x[ANK_COLUMN_BINS + 2], flagged[ANK_COLUMN_BINS + 2] = {0}, most = 0;
  ANK_TRY(ank_report_values(&bins, report, of_model, err));
  size_t total = sum(bins.all, ANK_COLUMN_BINS), some = sum(bins.flagged, ANK_COLUMN_BINS);
  for (size_t k = 0; k < ANK_COLUMN_BINS; k++) {
    all[k] = share(bins.all[k], total);
    flagged[k + 1] = share(bins.flagged[k], some);
    most = fmax(most, fmax(all[k], flagged[k + 1]));
  }
  for (size_t k = 0; k < ANK_COLUMN_BINS + 2; k++)
    x[k] = bins.from + (bins.to - bins.from) * (k == 0 ? 0 : (double)(k - 1)) / ANK_COLUMN_BINS;
  int is_time = ank_report_column(report, of_model)->kind == ANORANK_TIME;
  ANK_TRY(ank_figure_panel(
      &panel, figure,
      &(ank_panel_options){
          .title = title,
          .x = {.low = bins.from, .high = bins.to, .scale = is_time ? ANK_SCALE_TIME : ANK_SCALE_LINEAR},
          .y = {.label = "share of rows", .low = 0, .high = 1.08 * most}},
      err));
  ank_style bars = all_style, line = flagged_style;
  if (legend) bars.label = "all rows", line.label = "stand out";
  ANK_TRY(ank_panel_bars(panel, bins.from, bins.to, all, ANK_COLUMN_BINS, &bars, err));
  if (some > 0) ANK_TRY(ank_panel_steps(panel, x, flagged, ANK_COLUMN_BINS + 2, &line, err));
done:
  return status;
}

/* Shares of all rows, as the report's tables have them; the most frequent level on top. */
static anorank_status add_levels(ank_figure *figure, const ank_report *report, size_t of_model,
                                 const char *title, int legend, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_level_bins bins;
  ank_panel *panel;
  const char *names[ANK_REPORT_LEVELS];
  double all[ANK_REPORT_LEVELS], flagged[ANK_REPORT_LEVELS], at[ANK_REPORT_LEVELS], most = 0;
  ANK_TRY(ank_report_levels(&bins, report, of_model, err));
  for (size_t k = 0; k < bins.shown; k++) {
    size_t from_below = bins.shown - 1 - k;
    names[from_below] = bins.of[k].level;
    all[from_below] = share(bins.of[k].all, report->rows);
    flagged[from_below] = share(bins.of[k].flagged, report->flagged);
    at[k] = (double)k;
    most = fmax(most, fmax(all[from_below], flagged[from_below]));
  }
  ANK_TRY(ank_figure_panel(
      &panel, figure,
      &(ank_panel_options){
          .title = title,
          .x = {.label = "share of rows", .low = 0, .high = 1.08 * most},
          .y = {.low = -0.6, .high = (double)bins.shown - 0.4, .names = names, .name_count = bins.shown}},
      err));
  ank_style bars = all_style, marks = flagged_style;
  marks.marker = ANK_MARKER_TRIANGLE;
  marks.width = 8;
  if (legend) bars.label = "all rows", marks.label = "stand out";
  ANK_TRY(ank_panel_lying_bars(panel, all, bins.shown, &bars, err));
  if (report->flagged > 0) ANK_TRY(ank_panel_points(panel, flagged, at, bins.shown, &marks, err));
done:
  return status;
}

/* Has the column something to show? */
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

/* Those that are reasons most often; where that is the same, in their order. */
static anorank_status choose(size_t chosen[PANELS], size_t *count, const ank_blame_count *blame,
                             const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t columns = ank_prepare_columns(report->model->pipeline.prepare);
  *count = 0;
  for (size_t c = 0; c < columns; c++) {
    size_t to = *count;
    int shown;
    while (to > 0 && blame->any[chosen[to - 1]] < blame->any[c]) to--;
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

static anorank_status draw(ank_figure **out, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_prepare *prepare = report->model->pipeline.prepare;
  ank_blame_count blame = {0};
  size_t chosen[PANELS], count;
  char caption[ANK_CAPTION_SIZE], name[4 * NAME_SHOWN + 8], title[160];
  ANK_TRY(ank_blame_make(&blame, report, err));
  ANK_TRY(choose(chosen, &count, &blame, report, err));
  if (count == 0) ANK_FAIL(ANORANK_ERROR_DATA, "figure-no-column", "no column has a distribution to draw");
  char which[96] = "Columns that are a reason most often come first.";
  if (count < ank_prepare_columns(prepare))
    ank_print(which, sizeof which, "The %zu of %zu columns that are a reason most often.", count,
              ank_prepare_columns(prepare));
  ank_caption(caption, report,
              "%s Filled: all rows; line or triangles: those that stand out. The outermost bars hold what "
              "lies beyond "
              "them, too.",
              which);
  ANK_TRY(ank_figure_new(out,
                         &(ank_figure_options){.title = "Columns",
                                               .caption = caption,
                                               .columns = count > 1 ? ACROSS : 1,
                                               .height = 90 + 250 * (double)((count + 1) / ACROSS)},
                         err));
  for (size_t k = 0; k < count; k++) {
    size_t c = chosen[k];
    ank_text_cut(name, sizeof name, ank_prepare_column(prepare, c).name, NAME_SHOWN);
    if (blame.rows > 0)
      ank_print(title, sizeof title, "%s (reason for %zu of %zu)", name, blame.any[c], blame.rows);
    else
      ank_print(title, sizeof title, "%s", name);
    int levels = ank_report_column(report, c)->kind == ANORANK_CATEGORICAL;
    ANK_TRY((levels ? add_levels : add_values)(*out, report, c, title, k == 0, err));
  }
done:
  ank_blame_free(&blame);
  return status;
}

const ank_figure_kind ank_figure_columns = {
    {"columns", "the columns that are reasons most often: all rows, and those that stand out", 0, 0}, draw};
