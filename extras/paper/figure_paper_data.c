/* figure_paper_data.c - the samples of the first repetition, and the heat map of the scores.
 *
 * In more than two dimensions the figure shows the first two columns of the samples. The scores then depend
 * on hidden columns, so there is no heat map, only its numbers. */
#include <math.h>

#include "core/alloc.h"
#include "core/print.h"
#include "learn/objective.h"
#include "paper/figure_paper.h"

enum { SURFACE = 40, DOTS = 100 };

/* ---- the samples ------------------------------------------------------------------------------------- */

/* Return markers at the first two columns of the rows; in one dimension the second is 0. */
static ank_series rows_of(ank_mark mark, const char *label, const double *rows, size_t count, size_t dim) {
  return (ank_series){mark,           .label = label, .x = rows,     .y = dim > 1 ? rows + 1 : NULL,
                      .count = count, .stride = dim,  .opacity = 0.8};
}

static ank_panel square(const char *title, double edge) {
  return (ank_panel){.title = title,
                     .x = {.label = "x1, no unit", .low = -edge, .high = edge},
                     .y = {.label = "x2, no unit", .low = -edge, .high = edge}};
}

static ank_panel samples_panel(const char *title, const ank_paper_data *data, const double *normal, size_t n,
                               const double *outliers, size_t m) {
  ank_panel panel = square(title, 1.05 * data->radius);
  panel.series[0] = rows_of(ANK_DOTS, "normal rows (Gaussian law)", normal, n, data->dim);
  panel.series[0].size = 3;
  panel.series[1] =
      rows_of(ANK_CROSSES, "contrast rows and true outliers (radial laws)", outliers, m, data->dim);
  panel.series[1].size = 4;
  panel.series[1].colour = ANK_VERMILION;
  return panel;
}

anorank_status ank_figure_paper_data(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                     anorank_error *err) {
  enum { TRAIN = ANK_PAPER_X + ANK_PAPER_U, ROWS = TRAIN + ANK_PAPER_TEST_X + ANK_PAPER_TEST_U };
  const ank_paper_data *data = &figures->data;
  const anorank_settings *settings = &figures->reproduction->settings;
  double test[ROWS], outlier[ROWS];
  char caption[512];
  for (size_t i = 0; i < ROWS; i++) { /* X, U and the test rows follow each other */
    test[i] = i >= TRAIN;
    outlier[i] = i >= TRAIN ? data->labels[i - TRAIN] : i >= ANK_PAPER_X;
  }
  const ank_paper_column columns[] = {{"test", test, 1}, {"outlier", outlier, 1}, {0}};
  ank_print(caption, sizeof caption,
            "First repetition%s. The contrast rows have a radius with law Beta(%g, %g), the true outliers of "
            "the test Beta(2, 1), both times %.3f: the largest norm of the normal rows, plus %g.",
            data->dim > 2 ? ", its first two columns" : "", settings->alpha, settings->beta, data->radius,
            settings->epsilon);
  ank_chart chart = ank_paper_pair("Train and test samples", caption, 580);
  chart.panels[0] = samples_panel("train: n = 1000, m = 500 contrast rows", data, data->x, ANK_PAPER_X,
                                  data->u, ANK_PAPER_U);
  chart.panels[1] = samples_panel("test: n = 400, m = 100 true outliers", data, data->test, ANK_PAPER_TEST_X,
                                  data->test + ANK_PAPER_TEST_X * data->dim, ANK_PAPER_TEST_U);
  ank_chart_label_first(&chart);
  return ank_paper_put(sink, "data", &chart, columns, ROWS, data->x, data->dim, err);
}

/* ---- the heat map ------------------------------------------------------------------------------------ */

/* Dark blue through green to yellow, with increasing lightness so that they also work in grey. */
static const char *const shades[] = {"#26286a", "#2d3e87", "#296091", "#267390", "#268785",
                                     "#4aa776", "#62be62", "#91ce4e", "#c6db38", "#fce832"};
static const double bounds[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};

/* Compute the score, through the logistic function, in the middle of each cell of a square of half-width
 * `edge`. */
static anorank_status score_surface(double *values, const ank_paper_figures *figures, double edge,
                                    double *rows, anorank_error *err) {
  const ank_matrix matrix = {rows, (size_t)SURFACE * SURFACE, 2};
  for (size_t r = 0; r < SURFACE; r++)
    for (size_t c = 0; c < SURFACE; c++) {
      rows[2 * (r * SURFACE + c)] = edge * ((2 * (double)c + 1) / SURFACE - 1);
      rows[2 * (r * SURFACE + c) + 1] = edge * ((2 * (double)r + 1) / SURFACE - 1);
    }
  anorank_status status = figures->reproduction->type->score(values, figures->scorer, &matrix, err);
  for (size_t k = 0; status == ANORANK_OK && k < matrix.rows; k++) values[k] = ank_sigmoid(values[k]);
  return status;
}

/* Compute each row of X as a coloured cell of a fine grid; several in one cell have their mean score. */
static void score_dots(double *values, double *counts, const ank_paper_figures *figures, double edge) {
  for (size_t k = 0; k < (size_t)DOTS * DOTS; k++) values[k] = counts[k] = 0;
  for (size_t i = 0; i < ANK_PAPER_X; i++) {
    const double *row = figures->data.x + 2 * i;
    size_t c = (size_t)((row[0] / edge + 1) / 2 * DOTS), r = (size_t)((row[1] / edge + 1) / 2 * DOTS);
    if (c >= DOTS) c = DOTS - 1;
    if (r >= DOTS) r = DOTS - 1;
    values[r * DOTS + c] += figures->x_score[i];
    counts[r * DOTS + c] += 1;
  }
  for (size_t k = 0; k < (size_t)DOTS * DOTS; k++) values[k] = counts[k] > 0 ? values[k] / counts[k] : NAN;
}

static ank_series cells_of(const double *values, size_t side) {
  return (ank_series){ANK_CELLS,
                      .label = "score, no unit (low: abnormal)",
                      .y = values,
                      .count = side * side,
                      .shades = shades,
                      .bounds = bounds,
                      .bound_count = sizeof bounds / sizeof *bounds};
}

static anorank_status draw_heat_map(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                    double *scratch, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  enum { CELLS = SURFACE * SURFACE };
  double *surface = scratch, *rows = scratch + CELLS, *dots = scratch + 3 * CELLS,
         *counts = dots + (size_t)DOTS * DOTS;
  double edge = 1.05 * figures->data.radius;
  const ank_paper_column columns[] = {{"x1", rows, 2}, {"x2", rows + 1, 2}, {"score", surface, 1}, {0}};
  char caption[512];
  ank_print(caption, sizeof caption,
            "First repetition: the network with the highest W (\u03bb = %g), its score through the logistic "
            "function. Left: the normal rows themselves. Right: the score everywhere, the rows as dots.",
            figures->kept_lambda);
  ANK_TRY(score_surface(surface, figures, edge, rows, err));
  score_dots(dots, counts, figures, edge);
  ank_chart chart = ank_paper_pair("Heat map of the scores", caption, 560);
  chart.panels[0] = square("normal rows by score", edge);
  chart.panels[1] = square("score surface", edge);
  chart.panels[0].series[0] = cells_of(dots, DOTS);
  chart.panels[1].series[0] = cells_of(surface, SURFACE);
  chart.panels[1].series[1] = rows_of(ANK_DOTS, NULL, figures->data.x, ANK_PAPER_X, 2);
  chart.panels[1].series[1].colour = ANK_BLACK;
  chart.panels[1].series[1].size = 1.6;
  ank_chart_label_first(&chart);
  ANK_TRY(ank_paper_put(sink, "heat_map", &chart, NULL, 0, NULL, 0, err));
  ANK_TRY(ank_paper_put(sink, "heat_map_surface", NULL, columns, CELLS, NULL, 0, err));
done:
  return status;
}

anorank_status ank_figure_paper_heat_map(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                         anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_paper_column columns[] = {{"score", figures->x_score, 1}, {0}};
  double *scratch = NULL;
  ANK_TRY(
      ank_paper_put(sink, "heat_map", NULL, columns, ANK_PAPER_X, figures->data.x, figures->data.dim, err));
  if (figures->data.dim != 2) goto done;
  ANK_TRY(
      ank_alloc_raw(&scratch, 3 * (size_t)SURFACE * SURFACE + 2 * (size_t)DOTS * DOTS, sizeof *scratch, err));
  ANK_TRY(draw_heat_map(sink, figures, scratch, err));
done:
  ank_free(scratch);
  return status;
}
