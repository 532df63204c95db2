/* figure_paper_curves.c - the paper's two figures of mass-volume curves: a typical one, and the averages.
 *
 * The paper's typical curve has volume on x and mass on y; here all curves are as in its
 * definition (Eq. 3). */
#include <math.h>

#include "core/print.h"
#include "paper/figure_paper.h"

static const double ends[] = {0, 1};

static const ank_panel axes = {
    .x = {.label = "mass: share of normal rows inside", .low = 0, .high = 1},
    .y = {.label = "volume: share of the ball inside", .low = 0, .high = 1},
    .series = {{ANK_LINE, .label = "no order", .x = ends, .y = ends, .count = 2, .colour = ANK_GREY,
                .dash = ANK_DASH_SHORT, .size = 1.5}},
};

static void grid(double *mass) {
  for (size_t k = 0; k < ANK_PAPER_GRID; k++) mass[k] = (double)k / (ANK_PAPER_GRID - 1);
}

static ank_series line(const char *label, const double *mass, const double *volume, const char *colour,
                       const char *dash) {
  return (ank_series){ANK_LINE,         .label = label, .x = mass, .y = volume, .count = ANK_PAPER_GRID,
                      .colour = colour, .dash = dash};
}

anorank_status ank_figure_paper_typical(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                        anorank_error *err) {
  double mass[ANK_PAPER_GRID];
  const ank_paper_column columns[] = {{"mass", mass, 1},
                                      {"volume", figures->typical, 1},
                                      {"volume_of_true_density", figures->typical_optimum, 1},
                                      {0}};
  grid(mass);
  ank_chart chart = {
      .title = "A typical mass-volume curve",
      .caption =
          "First repetition: the network with the highest W, and the true density, on fresh rows; volume by "
          "rows uniform in the ball that holds the data. Lower is better. The paper's figure has the axes "
          "the other way round (volume on x, mass on y).",
      .count = 1,
      .panels = {axes}};
  chart.panels[0].series[1] = line("network", mass, figures->typical, ANK_VERMILION, NULL);
  chart.panels[0].series[2] = line("true density", mass, figures->typical_optimum, ANK_BLACK, ANK_DASH_SHORT);
  return ank_paper_put(sink, "mass_volume", &chart, columns, ANK_PAPER_GRID, NULL, 0, err);
}

/* One standard deviation on either side of the mean. */
typedef struct spread {
  double low[ANK_PAPER_GRID], high[ANK_PAPER_GRID];
} spread;

static void average_panel(ank_panel *panel, spread *around, const double *mass, const ank_paper_curve *curve,
                          const ank_paper_curve *optimum) {
  for (size_t k = 0; k < ANK_PAPER_GRID; k++) {
    around->low[k] = fmax(curve->mean[k] - curve->sd[k], 0);
    around->high[k] = fmin(curve->mean[k] + curve->sd[k], 1);
  }
  panel->series[1] = (ank_series){ANK_BAND,
                                  .label = "one standard deviation",
                                  .x = mass,
                                  .y = around->low,
                                  .high = around->high,
                                  .count = ANK_PAPER_GRID,
                                  .opacity = 0.3};
  panel->series[2] = line("networks, mean", mass, curve->mean, NULL, NULL);
  panel->series[3] = line("true density, mean", mass, optimum->mean, ANK_BLACK, ANK_DASH_SHORT);
}

anorank_status ank_figure_paper_averaged(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                         anorank_error *err) {
  const anorank_settings *settings = &figures->reproduction->settings;
  const ank_paper_curve *curves = figures->curves;
  double mass[ANK_PAPER_GRID];
  spread around[2];
  char caption[512], title[64];
  const ank_paper_column columns[] = {{"mass", mass, 1},
                                      {"mww_mean", curves[0].mean, 1},
                                      {"mww_sd", curves[0].sd, 1},
                                      {"truncated_mean", curves[1].mean, 1},
                                      {"truncated_sd", curves[1].sd, 1},
                                      {"true_density_mean", figures->optimum.mean, 1},
                                      {"true_density_sd", figures->optimum.sd, 1},
                                      {0}};
  grid(mass);
  ank_print(caption, sizeof caption,
            "Mean over %lld repetitions, one network each at \u03bb = %g, and one standard deviation either "
            "side; on fresh rows, volume by rows uniform in the ball that holds the data. Lower is better.",
            (long long)settings->repetitions, figures->curve_lambda);
  ank_print(title, sizeof title, "\u03c6(u) = u 1{u \u2265 %g}", settings->truncated_u0);
  ank_chart chart = ank_paper_pair("Averaged mass-volume curves", caption, 500);
  for (size_t k = 0; k < 2; k++) {
    chart.panels[k] = axes;
    chart.panels[k].title = k == 0 ? "\u03c6(u) = u" : title;
    average_panel(&chart.panels[k], &around[k], mass, &curves[k], &figures->optimum);
  }
  ank_chart_label_first(&chart);
  return ank_paper_put(sink, "averaged_curves", &chart, columns, ANK_PAPER_GRID, NULL, 0, err);
}
