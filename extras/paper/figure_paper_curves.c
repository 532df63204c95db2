/* figure_paper_curves.c - the paper's two figures of mass-volume curves: a typical one, and the averages.
 *
 * The paper's typical curve has volume on x and mass on y; here all curves are as in its
 * definition (Eq. 3). */
#include <stdio.h>

#include "core/print.h"
#include "paper/figure_paper.h"

static const ank_panel_options axes = {
    .x = {.label = "mass: share of normal rows inside", .low = 0, .high = 1},
    .y = {.label = "volume: share of the ball inside", .low = 0, .high = 1},
};

static void grid(double *mass) {
  for (size_t k = 0; k < ANK_PAPER_GRID; k++) mass[k] = (double)k / (ANK_PAPER_GRID - 1);
}

anorank_status ank_figure_paper_typical(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                        anorank_error *err) {
  static const char *const names[] = {"mass", "volume", "volume_of_true_density"};
  static const char caption[] =
      "First repetition: the network with the highest W, and the true density, on fresh rows; volume by "
      "rows uniform in the ball that holds the data. Lower is better. The paper's figure has the axes the "
      "other way round (volume on x, mass on y).";
  anorank_status status = ANORANK_OK;
  ank_figure *figure = NULL;
  ank_panel *panel;
  double mass[ANK_PAPER_GRID];
  const double *const columns[] = {mass, figures->typical, figures->typical_optimum};
  grid(mass);
  ANK_TRY(ank_figure_new(
      &figure, &(ank_figure_options){.title = "A typical mass-volume curve", .caption = caption}, err));
  ANK_TRY(ank_figure_panel(&panel, figure, &axes, err));
  ANK_TRY(ank_panel_reference(panel, 0, 0, 1, 1, "no order", err));
  ANK_TRY(ank_panel_line(
      panel, mass, figures->typical, ANK_PAPER_GRID,
      &(ank_style){.label = "network", .colour = ANK_COLOUR_VERMILION, .dash = ANK_DASH_SOLID}, err));
  ANK_TRY(ank_panel_line(
      panel, mass, figures->typical_optimum, ANK_PAPER_GRID,
      &(ank_style){.label = "true density", .colour = ANK_COLOUR_BLACK, .dash = ANK_DASH_SHORT}, err));
  ANK_TRY(ank_paper_put_figure(sink, "mass_volume", figure, err));
  ANK_TRY(ank_paper_put_columns(sink, "mass_volume", names, columns, 3, ANK_PAPER_GRID, err));
done:
  ank_figure_free(figure);
  return status;
}

static anorank_status average_panel(ank_figure *figure, const char *title, const double *mass,
                                    const ank_paper_curve *curve, const ank_paper_curve *optimum,
                                    ank_colour colour, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_panel *panel;
  ank_panel_options options = axes;
  double low[ANK_PAPER_GRID], high[ANK_PAPER_GRID];
  options.title = title;
  for (size_t k = 0; k < ANK_PAPER_GRID; k++) {
    low[k] = curve->mean[k] - curve->sd[k];
    high[k] = curve->mean[k] + curve->sd[k];
    if (low[k] < 0) low[k] = 0;
    if (high[k] > 1) high[k] = 1;
  }
  ANK_TRY(ank_figure_panel(&panel, figure, &options, err));
  ANK_TRY(ank_panel_reference(panel, 0, 0, 1, 1, "no order", err));
  ANK_TRY(ank_panel_band(panel, mass, low, high, ANK_PAPER_GRID,
                         &(ank_style){.label = "one standard deviation", .colour = colour, .opacity = 0.3},
                         err));
  ANK_TRY(ank_panel_line(panel, mass, curve->mean, ANK_PAPER_GRID,
                         &(ank_style){.label = "networks, mean", .colour = colour, .dash = ANK_DASH_SOLID},
                         err));
  ANK_TRY(ank_panel_line(
      panel, mass, optimum->mean, ANK_PAPER_GRID,
      &(ank_style){
          .label = "true density, mean", .colour = ANK_COLOUR_BLACK, .dash = ANK_DASH_SHORT, .width = 1.6},
      err));
done:
  return status;
}

anorank_status ank_figure_paper_averaged(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                         anorank_error *err) {
  static const char *const names[] = {"mass",         "mww_mean",          "mww_sd",         "truncated_mean",
                                      "truncated_sd", "true_density_mean", "true_density_sd"};
  anorank_status status = ANORANK_OK;
  const anorank_settings *settings = &figures->reproduction->settings;
  ank_figure *figure = NULL;
  double mass[ANK_PAPER_GRID];
  const double *const columns[] = {mass,
                                   figures->curves[0].mean,
                                   figures->curves[0].sd,
                                   figures->curves[1].mean,
                                   figures->curves[1].sd,
                                   figures->optimum.mean,
                                   figures->optimum.sd};
  char caption[512], title[64];
  grid(mass);
  ank_print(caption, sizeof caption,
            "Mean over %lld repetitions, one network each at \u03bb = %g, and one standard deviation either "
            "side; on fresh rows, volume by rows uniform in the ball that holds the data. Lower is better.",
            (long long)settings->repetitions, figures->curve_lambda);
  ANK_TRY(ank_figure_new(
      &figure,
      &(ank_figure_options){
          .title = "Averaged mass-volume curves", .caption = caption, .width = 960, .height = 500},
      err));
  ANK_TRY(average_panel(figure, "\u03c6(u) = u", mass, &figures->curves[0], &figures->optimum,
                        ANK_COLOUR_BLUE, err));
  ank_print(title, sizeof title, "\u03c6(u) = u 1{u \u2265 %g}", settings->truncated_u0);
  ANK_TRY(
      average_panel(figure, title, mass, &figures->curves[1], &figures->optimum, ANK_COLOUR_VERMILION, err));
  ANK_TRY(ank_paper_put_figure(sink, "averaged_curves", figure, err));
  ANK_TRY(ank_paper_put_columns(sink, "averaged_curves", names, columns, 7, ANK_PAPER_GRID, err));
done:
  ank_figure_free(figure);
  return status;
}
