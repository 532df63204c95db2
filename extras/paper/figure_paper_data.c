/* figure_paper_data.c - the samples of the first repetition, and the heat map of the scores.
 *
 * In more than two dimensions the samples are shown by their first two columns; the scores then depend on
 * columns that cannot be seen, so there is no heat map, only its numbers. */
#include <math.h>
#include <stdio.h>

#include "core/alloc.h"
#include "core/print.h"
#include "learn/objective.h"
#include "paper/figure_paper.h"

enum { SURFACE = 40, DOTS = 100 };

/* ---- the samples ------------------------------------------------------------------------------------- */

/* The first two columns of the rows; in one dimension the second is 0. */
static void first_two(double *x, double *y, const double *rows, size_t count, size_t dim) {
  for (size_t i = 0; i < count; i++) {
    x[i] = rows[i * dim];
    y[i] = dim > 1 ? rows[i * dim + 1] : 0;
  }
}

static anorank_status add_rows(ank_panel *panel, const double *rows, size_t count, size_t dim,
                               const ank_style *style, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *both = NULL;
  ANK_TRY(ank_alloc_raw(&both, 2 * count, sizeof *both, err));
  first_two(both, both + count, rows, count, dim);
  ANK_TRY(ank_panel_points(panel, both, both + count, count, style, err));
done:
  ank_free(both);
  return status;
}

static anorank_status samples_panel(ank_figure *figure, const char *title, const ank_paper_data *data,
                                    const double *normal, size_t n, const double *outliers, size_t m,
                                    const char *outlier_label, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_panel *panel;
  double edge = 1.05 * data->radius;
  const ank_panel_options options = {.title = title,
                                     .x = {.label = "x1, no unit", .low = -edge, .high = edge},
                                     .y = {.label = "x2, no unit", .low = -edge, .high = edge},
                                     .legend = ANK_LEGEND_BESIDE};
  ANK_TRY(ank_figure_panel(&panel, figure, &options, err));
  ANK_TRY(add_rows(panel, normal, n, data->dim,
                   &(ank_style){.label = "normal rows (Gaussian law)", .colour = ANK_COLOUR_BLUE, .width = 3},
                   err));
  ANK_TRY(add_rows(
      panel, outliers, m, data->dim,
      &(ank_style){
          .label = outlier_label, .colour = ANK_COLOUR_VERMILION, .marker = ANK_MARKER_CROSS, .width = 4},
      err));
done:
  return status;
}

static double *add_labelled(double *to, const double *rows, size_t count, size_t dim, double test,
                            double outlier) {
  for (size_t i = 0; i < count; i++) {
    *to++ = test;
    *to++ = outlier;
    for (size_t j = 0; j < dim; j++) *to++ = rows[i * dim + j];
  }
  return to;
}

static anorank_status put_samples(const ank_paper_sink *sink, const ank_paper_data *data,
                                  anorank_error *err) {
  static const char *const names[] = {"test", "outlier"};
  anorank_status status = ANORANK_OK;
  size_t rows = ANK_PAPER_X + ANK_PAPER_U + ANK_PAPER_TEST_X + ANK_PAPER_TEST_U, dim = data->dim;
  double *values = NULL, *end;
  ANK_TRY(ank_alloc_raw(&values, rows * (dim + 2), sizeof *values, err));
  end = add_labelled(values, data->x, ANK_PAPER_X, dim, 0, 0);
  end = add_labelled(end, data->u, ANK_PAPER_U, dim, 0, 1);
  end = add_labelled(end, data->test, ANK_PAPER_TEST_X, dim, 1, 0);
  (void)add_labelled(end, data->test + ANK_PAPER_TEST_X * dim, ANK_PAPER_TEST_U, dim, 1, 1);
  ANK_TRY(ank_paper_put_matrix(sink, "data", names, 2, values, dim + 2, rows, err));
done:
  ank_free(values);
  return status;
}

anorank_status ank_figure_paper_data(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                     anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_paper_data *data = &figures->data;
  const anorank_settings *settings = &figures->reproduction->settings;
  ank_figure *figure = NULL;
  char caption[512];
  ank_print(caption, sizeof caption,
            "First repetition%s. The contrast rows have a radius with law Beta(%g, %g), the true outliers of "
            "the test Beta(2, 1), both times %.3f: the largest norm of the normal rows, plus %g.",
            data->dim > 2 ? ", its first two columns" : "", settings->alpha, settings->beta, data->radius,
            settings->epsilon);
  ANK_TRY(
      ank_figure_new(&figure,
                     &(ank_figure_options){
                         .title = "Train and test samples", .caption = caption, .width = 960, .height = 600},
                     err));
  ANK_TRY(samples_panel(figure, "train: n = 1000, m = 500", data, data->x, ANK_PAPER_X, data->u, ANK_PAPER_U,
                        "contrast rows (radial law)", err));
  ANK_TRY(samples_panel(figure, "test: n = 400, m = 100", data, data->test, ANK_PAPER_TEST_X,
                        data->test + ANK_PAPER_TEST_X * data->dim, ANK_PAPER_TEST_U,
                        "true outliers (radial law)", err));
  ANK_TRY(ank_paper_put_figure(sink, "data", figure, err));
  ANK_TRY(put_samples(sink, data, err));
done:
  ank_figure_free(figure);
  return status;
}

/* ---- the heat map ------------------------------------------------------------------------------------ */

/* The score, through the logistic function, in the middle of each cell of a square of half-width `edge`. */
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

/* Each row of X as a coloured cell of a fine grid; where several fall into one, their mean score. */
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

static anorank_status heat_panel(ank_panel **panel, ank_figure *figure, const char *title,
                                 const double *values, size_t side, double edge, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_panel_options options = {.title = title,
                                     .x = {.label = "x1, no unit", .low = -edge, .high = edge},
                                     .y = {.label = "x2, no unit", .low = -edge, .high = edge}};
  const ank_cells cells = {.values = values,
                           .rows = side,
                           .columns = side,
                           .x_low = -edge,
                           .x_high = edge,
                           .y_low = -edge,
                           .y_high = edge,
                           .low = 0,
                           .high = 1,
                           .label = "score, no unit (low: abnormal)"};
  ANK_TRY(ank_figure_panel(panel, figure, &options, err));
  ANK_TRY(ank_panel_cells(*panel, &cells, err));
done:
  return status;
}

static anorank_status draw_heat_map(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                    double *scratch, anorank_error *err) {
  static const char *const names[] = {"x1", "x2", "score"};
  anorank_status status = ANORANK_OK;
  enum { CELLS = SURFACE * SURFACE };
  double *surface = scratch, *rows = scratch + CELLS, *dots = scratch + 3 * CELLS,
         *counts = dots + (size_t)DOTS * DOTS;
  double edge = 1.05 * figures->data.radius;
  ank_figure *figure = NULL;
  ank_panel *panel;
  char caption[512];
  ank_print(caption, sizeof caption,
            "First repetition: the network with the highest W (\u03bb = %g), its score through the logistic "
            "function. Left: the normal rows themselves. Right: the score everywhere, the rows as dots.",
            figures->kept_lambda);
  ANK_TRY(score_surface(surface, figures, edge, rows, err));
  score_dots(dots, counts, figures, edge);
  ANK_TRY(
      ank_figure_new(&figure,
                     &(ank_figure_options){
                         .title = "Heat map of the scores", .caption = caption, .width = 960, .height = 500},
                     err));
  ANK_TRY(heat_panel(&panel, figure, "normal rows by score", dots, DOTS, edge, err));
  ANK_TRY(heat_panel(&panel, figure, "score surface", surface, SURFACE, edge, err));
  ANK_TRY(add_rows(panel, figures->data.x, ANK_PAPER_X, 2,
                   &(ank_style){.colour = ANK_COLOUR_BLACK, .width = 1.6, .opacity = 0.5}, err));
  ANK_TRY(ank_paper_put_figure(sink, "heat_map", figure, err));
  for (size_t k = 0; k < CELLS; k++) { /* as columns, for the table */
    dots[k] = rows[2 * k];
    counts[k] = rows[2 * k + 1];
  }
  const double *const columns[] = {dots, counts, surface};
  ANK_TRY(ank_paper_put_columns(sink, "heat_map_surface", names, columns, 3, CELLS, err));
done:
  ank_figure_free(figure);
  return status;
}

static anorank_status put_scores(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                 anorank_error *err) {
  static const char *const names[] = {"score"};
  anorank_status status = ANORANK_OK;
  size_t dim = figures->data.dim;
  double *values = NULL;
  ANK_TRY(ank_alloc_raw(&values, ANK_PAPER_X * (dim + 1), sizeof *values, err));
  for (size_t i = 0; i < ANK_PAPER_X; i++) {
    values[i * (dim + 1)] = figures->x_score[i];
    for (size_t j = 0; j < dim; j++) values[i * (dim + 1) + 1 + j] = figures->data.x[i * dim + j];
  }
  ANK_TRY(ank_paper_put_matrix(sink, "heat_map", names, 1, values, dim + 1, ANK_PAPER_X, err));
done:
  ank_free(values);
  return status;
}

anorank_status ank_figure_paper_heat_map(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                         anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *scratch = NULL;
  ANK_TRY(put_scores(sink, figures, err));
  if (figures->data.dim != 2) goto done;
  ANK_TRY(
      ank_alloc_raw(&scratch, 3 * (size_t)SURFACE * SURFACE + 2 * (size_t)DOTS * DOTS, sizeof *scratch, err));
  ANK_TRY(draw_heat_map(sink, figures, scratch, err));
done:
  ank_free(scratch);
  return status;
}
