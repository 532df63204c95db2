/* figure_paper_phi.c - the score-generating functions: the paper's five, and those that weigh one end. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/print.h"
#include "criterion/phi.h"
#include "paper/figure_paper.h"

enum { POINTS = 201 };

typedef struct curves {
  double u[POINTS], value[ANK_PHI_COUNT][POINTS], broken[ANK_PHI_COUNT][POINTS];
  char label[ANK_PHI_COUNT][96];
} curves;

/* Evaluate at the middles of POINTS equal steps, where no phi is infinite. `broken` is NaN at a jump, where a
 * vertical line would look like a value. */
static void evaluate(curves *out, const anorank_settings *settings) {
  for (size_t k = 0; k < POINTS; k++) out->u[k] = ((double)k + 0.5) / POINTS;
  for (size_t i = 0; i < ANK_PHI_COUNT; i++) {
    const ank_phi *phi = ank_phi_at(i);
    snprintf(out->label[i], sizeof out->label[i], "%s: %s", phi->info.name, phi->info.formula);
    for (size_t k = 0; k < POINTS; k++) {
      out->value[i][k] = phi->value(out->u[k], ank_phi_parameter(phi, settings));
      int jumps =
          k > POINTS / 10 && k < POINTS - POINTS / 10 && out->value[i][k] - out->value[i][k - 1] > 0.25;
      out->broken[i][k] = jumps ? NAN : out->value[i][k];
    }
  }
}

/* The panels of each function; one in both panels has one line in the legend. */
static const struct {
  const char *name, *colour, *dash;
  int left, right;
} places[] = {
    {"mww", ANK_BLUE, NULL, 1, 1},
    {"logistic", ANK_VERMILION, ANK_DASH_LONG, 1, 0},
    {"logrank", ANK_GREEN, ANK_DASH_SHORT, 1, 0},
    {"median", ANK_PURPLE, ANK_DASH_MIXED, 1, 0},
    {"van_der_waerden", ANK_ORANGE, ANK_DASH_DOTTED, 1, 0},
    {"truncated", ANK_BLACK, ANK_DASH_LONG, 0, 1},
    {"log", ANK_SKY, ANK_DASH_SHORT, 0, 1},
    {"clipped", ANK_GREY, ANK_DASH_MIXED, 0, 1},
};

static void fill_panel(ank_panel *panel, const curves *all, int right) {
  ank_series *to = panel->series;
  for (size_t n = 0; n < sizeof places / sizeof *places; n++)
    for (size_t i = 0; i < ANK_PHI_COUNT; i++) {
      if (!(right ? places[n].right : places[n].left) ||
          strcmp(ank_phi_at(i)->info.name, places[n].name) != 0)
        continue;
      *to++ = (ank_series){ANK_LINE,
                           .label = right && places[n].left ? NULL : all->label[i],
                           .x = all->u,
                           .y = all->broken[i],
                           .count = POINTS,
                           .colour = places[n].colour,
                           .dash = places[n].dash};
    }
}

anorank_status ank_figure_paper_phi(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                    anorank_error *err) {
  const anorank_settings *settings = &figures->reproduction->settings;
  const ank_axis x = {.label = "u = rank / (N + 1), lowest score first", .low = 0, .high = 1},
                 y = {.label = "\u03c6(u), no unit", .low = -3, .high = 3};
  curves all;
  char caption[512];
  ank_paper_column columns[ANK_PHI_COUNT + 2] = {{"u", all.u, 1}};
  evaluate(&all, settings);
  for (size_t i = 0; i < ANK_PHI_COUNT; i++)
    columns[i + 1] = (ank_paper_column){ank_phi_at(i)->info.name, all.value[i], 1};
  ank_print(
      caption, sizeof caption,
      "Left: the five functions of the paper's figure. Right: the truncated one of its section 4, which "
      "looks at the most normal rows only (u0 = %g), and two of ours that look at the abnormal end, "
      "where u is small (c = %g).",
      settings->truncated_u0, settings->clipped_c);
  ank_chart chart = ank_paper_pair("Score-generating functions", caption, 600);
  chart.panels[0] = (ank_panel){.title = "classical", .x = x, .y = y};
  chart.panels[1] = (ank_panel){.title = "for one end of the order", .x = x, .y = y};
  fill_panel(&chart.panels[0], &all, 0);
  fill_panel(&chart.panels[1], &all, 1);
  return ank_paper_put(sink, "score_generating_functions", &chart, columns, POINTS, NULL, 0, err);
}
