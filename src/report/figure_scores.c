/* figure_scores.c - distributions of scores and of p-values; see figure.h. */
#include <math.h>

#include "core/print.h"
#include "report/figure.h"

/* A staircase over the bins, down to 0 at both ends. */
static anorank_status add_stairs(ank_panel *panel, const ank_score_spread *spread,
                                 const double share[ANK_SCORE_BINS], const ank_style *style,
                                 anorank_error *err) {
  double x[ANK_SCORE_BINS + 2], y[ANK_SCORE_BINS + 2];
  for (size_t k = 0; k < ANK_SCORE_BINS + 2; k++) {
    double edge = k == 0 ? 0 : (double)(k - 1);
    x[k] = spread->from + (spread->to - spread->from) * edge / ANK_SCORE_BINS;
    y[k] = k == 0 || k == ANK_SCORE_BINS + 1 ? 0 : share[k - 1];
  }
  return ank_panel_steps(panel, x, y, ANK_SCORE_BINS + 2, style, err);
}

static anorank_status draw_scores(ank_figure **out, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char caption[ANK_CAPTION_SIZE], below[128] = "";
  ank_score_spread spread;
  ank_panel *panel;
  ank_report_scores(&spread, report);
  if (spread.lowest < spread.from)
    ank_print(below, sizeof below, " The leftmost step holds all rows down to %.4g.", spread.lowest);
  ank_caption(caption, report,
              "Lower is more abnormal. Calibration rows are those that p-values are ranks among%s.%s",
              spread.has_contrast ? "; contrast rows are drawn where anything could be" : "", below);
  ANK_TRY(ank_figure_new(out, &(ank_figure_options){.title = "Scores", .caption = caption}, err));
  ANK_TRY(ank_figure_panel(
      &panel, *out, &(ank_panel_options){.x = {.label = "score"}, .y = {.label = "share of rows"}}, err));
  ANK_TRY(add_stairs(panel, &spread, spread.rows,
                     &(ank_style){.label = "these rows", .colour = ANK_COLOUR_BLUE, .dash = ANK_DASH_SOLID},
                     err));
  ANK_TRY(add_stairs(
      panel, &spread, spread.calibration,
      &(ank_style){.label = "calibration rows", .colour = ANK_COLOUR_VERMILION, .dash = ANK_DASH_LONG}, err));
  if (spread.has_contrast)
    ANK_TRY(add_stairs(
        panel, &spread, spread.contrast,
        &(ank_style){.label = "contrast rows", .colour = ANK_COLOUR_GREY, .dash = ANK_DASH_SHORT}, err));
done:
  return status;
}

static anorank_status draw_p_values(ank_figure **out, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char caption[ANK_CAPTION_SIZE];
  size_t counts[ANK_P_BINS];
  double rows[ANK_P_BINS], even = (double)report->rows / ANK_P_BINS, most = even;
  ank_panel *panel;
  ank_report_p_values(counts, report);
  for (size_t k = 0; k < ANK_P_BINS; k++) most = fmax(most, rows[k] = (double)counts[k]);
  ank_caption(caption, report,
              "%zu row%s ha%s a p-value below %g, where %.0f are expected if all rows are normal.", counts[0],
              ANK_S(counts[0]), counts[0] == 1 ? "s" : "ve", 1.0 / ANK_P_BINS, round(even));
  ANK_TRY(ank_figure_new(out, &(ank_figure_options){.title = "p-values", .caption = caption}, err));
  ANK_TRY(ank_figure_panel(&panel, *out,
                           &(ank_panel_options){.x = {.label = "p-value", .low = 0, .high = 1},
                                                .y = {.label = "rows", .low = 0, .high = 1.08 * most}},
                           err));
  ANK_TRY(ank_panel_bars(panel, 0, 1, rows, ANK_P_BINS,
                         &(ank_style){.colour = ANK_COLOUR_BLUE, .opacity = 0.55}, err));
  ANK_TRY(ank_panel_reference(panel, -INFINITY, even, INFINITY, even, "if all rows were normal", err));
done:
  return status;
}

const ank_figure_kind ank_figure_scores = {
    {"scores", "distribution of the scores of these, calibration and contrast rows", ANORANK_FIGURE_USES, 0},
    draw_scores};
const ank_figure_kind ank_figure_p_values = {
    {"p-values", "distribution of the p-values beside what normal rows would have", 0, 0}, draw_p_values};
