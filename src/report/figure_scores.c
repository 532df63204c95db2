/* figure_scores.c - distributions of scores and of p-values; see figure.h. */
#include <math.h>

#include "core/print.h"
#include "report/figure.h"

static anorank_status draw_scores(ank_output *output, const ank_report *report, anorank_error *err) {
  char caption[ANK_CAPTION_SIZE], below[128] = "";
  ank_score_spread spread;
  double most = 0;
  ank_report_scores(&spread, report);
  for (size_t k = 0; k < ANK_SCORE_BINS; k++)
    most = fmax(most, fmax(spread.rows[k], fmax(spread.calibration[k], spread.contrast[k])));
  if (spread.lowest < spread.from)
    ank_print(below, sizeof below, " The leftmost step holds all rows down to %.4g.", spread.lowest);
  ank_caption(caption, report,
              "Lower is more abnormal. Calibration rows are those that p-values are ranks among%s.%s",
              spread.has_contrast ? "; contrast rows are drawn where anything could be" : "", below);
  ank_chart chart = {
      .title = "Scores",
      .caption = caption,
      .count = 1,
      .panels = {{.x = {.label = "score", .low = spread.from, .high = spread.to},
                  .y = {.label = "share of rows", .low = 0, .high = 1.08 * most},
                  .series = {{ANK_STEPS, .label = "these rows", .y = spread.rows, .count = ANK_SCORE_BINS},
                             {ANK_STEPS, .label = "calibration rows", .y = spread.calibration,
                              .count = ANK_SCORE_BINS, .colour = ANK_VERMILION, .dash = ANK_DASH_LONG},
                             {spread.has_contrast ? ANK_STEPS : ANK_END, .label = "contrast rows",
                              .y = spread.contrast, .count = ANK_SCORE_BINS, .colour = ANK_GREY,
                              .dash = ANK_DASH_SHORT}}}}};
  return ank_chart_print(output, &chart, err);
}

static anorank_status draw_p_values(ank_output *output, const ank_report *report, anorank_error *err) {
  char caption[ANK_CAPTION_SIZE];
  size_t counts[ANK_P_BINS];
  double rows[ANK_P_BINS], even = (double)report->rows / ANK_P_BINS, most = even;
  ank_report_p_values(counts, report);
  for (size_t k = 0; k < ANK_P_BINS; k++) most = fmax(most, rows[k] = (double)counts[k]);
  ank_caption(caption, report,
              "%zu row%s ha%s a p-value below %g, where %.0f are expected if all rows are normal.", counts[0],
              ANK_S(counts[0]), counts[0] == 1 ? "s" : "ve", 1.0 / ANK_P_BINS, round(even));
  const double ends[] = {0, 1}, expected[] = {even, even};
  const ank_chart chart = {
      .title = "p-values",
      .caption = caption,
      .count = 1,
      .panels = {{.x = {.label = "p-value", .low = 0, .high = 1},
                  .y = {.label = "rows", .low = 0, .high = 1.08 * most},
                  .series = {{ANK_BARS, .y = rows, .count = ANK_P_BINS, .opacity = 0.55},
                             {ANK_LINE, .label = "if all rows were normal", .x = ends, .y = expected,
                              .count = 2, .colour = ANK_GREY, .dash = ANK_DASH_SHORT, .size = 1.5}}}}};
  return ank_chart_print(output, &chart, err);
}

const ank_figure_kind ank_figure_scores = {
    {"scores", "distribution of the scores of these, calibration and contrast rows", ANORANK_FIGURE_USES, 0},
    draw_scores};
const ank_figure_kind ank_figure_p_values = {
    {"p-values", "distribution of the p-values beside what normal rows would have", 0, 0}, draw_p_values};
