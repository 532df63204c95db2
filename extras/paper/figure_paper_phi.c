/* figure_paper_phi.c - the score-generating functions: the paper's five, and those that look at one end. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/print.h"
#include "criterion/phi.h"
#include "paper/figure_paper.h"

enum { POINTS = 201, COLUMNS = 1 + ANK_PHI_COUNT };

typedef struct curves {
  double u[POINTS], value[ANK_PHI_COUNT][POINTS];
} curves;

/* The middles of POINTS equal steps: no phi is infinite there. */
static void evaluate(curves *out, const anorank_settings *settings) {
  for (size_t k = 0; k < POINTS; k++) {
    out->u[k] = ((double)k + 0.5) / POINTS;
    for (size_t i = 0; i < ANK_PHI_COUNT; i++) {
      const ank_phi *phi = ank_phi_at(i);
      out->value[i][k] = phi->value(out->u[k], ank_phi_parameter(phi, settings));
    }
  }
}

/* A vertical stroke at a jump would look like a value: the line is broken there. */
static anorank_status add_line(ank_panel *panel, const curves *all, size_t i, ank_colour colour,
                               ank_dash dash, anorank_error *err) {
  double broken[POINTS];
  char label[96];
  memcpy(broken, all->value[i], sizeof broken);
  for (size_t k = 1; k < POINTS; k++)
    if (all->value[i][k] - all->value[i][k - 1] > 0.25 && k > POINTS / 10 && k < POINTS - POINTS / 10)
      broken[k] = NAN;
  snprintf(label, sizeof label, "%s: %s", ank_phi_at(i)->info.name, ank_phi_at(i)->info.formula);
  return ank_panel_line(panel, all->u, broken, POINTS,
                        &(ank_style){.label = label, .colour = colour, .dash = dash}, err);
}

/* The functions named, in order; a name that is not there is passed over. */
static anorank_status add_panel(ank_figure *figure, const char *title, const curves *all,
                                const char *const *names, size_t count, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_panel *panel;
  static const ank_colour colours[] = {ANK_COLOUR_BLUE, ANK_COLOUR_VERMILION, ANK_COLOUR_GREEN,
                                       ANK_COLOUR_PURPLE, ANK_COLOUR_ORANGE};
  static const ank_dash dashes[] = {ANK_DASH_SOLID, ANK_DASH_LONG, ANK_DASH_SHORT, ANK_DASH_DOT_LONG,
                                    ANK_DASH_DOTTED};
  const ank_panel_options options = {
      .title = title,
      .legend = ANK_LEGEND_BESIDE,
      .x = {.label = "u = rank / (N + 1), lowest score first", .low = 0, .high = 1},
      .y = {.label = "\u03c6(u), no unit", .low = -3, .high = 3}};
  ANK_TRY(ank_figure_panel(&panel, figure, &options, err));
  for (size_t n = 0; n < count; n++)
    for (size_t i = 0; i < ANK_PHI_COUNT; i++)
      if (strcmp(ank_phi_at(i)->info.name, names[n]) == 0)
        ANK_TRY(add_line(panel, all, i, colours[n], dashes[n], err));
done:
  return status;
}

anorank_status ank_figure_paper_phi(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                    anorank_error *err) {
  static const char *const classical[] = {"mww", "logistic", "logrank", "median", "van_der_waerden"};
  static const char *const ends[] = {"mww", "truncated", "log", "clipped"};
  anorank_status status = ANORANK_OK;
  ank_figure *figure = NULL;
  curves all;
  char caption[512];
  const anorank_settings *settings = &figures->reproduction->settings;
  ank_print(
      caption, sizeof caption,
      "Left: the five functions of the paper's figure. Right: the truncated one of its section 4, which "
      "looks at the most normal rows only (u0 = %g), and two of ours that look at the abnormal end, "
      "where u is small (c = %g).",
      settings->truncated_u0, settings->clipped_c);
  const char *names[COLUMNS] = {"u"};
  const double *columns[COLUMNS] = {all.u};
  evaluate(&all, settings);
  for (size_t i = 0; i < ANK_PHI_COUNT; i++) {
    names[i + 1] = ank_phi_at(i)->info.name;
    columns[i + 1] = all.value[i];
  }
  ANK_TRY(ank_figure_new(
      &figure,
      &(ank_figure_options){
          .title = "Score-generating functions", .caption = caption, .width = 960, .height = 600},
      err));
  ANK_TRY(add_panel(figure, "classical", &all, classical, 5, err));
  ANK_TRY(add_panel(figure, "for one end of the order", &all, ends, 4, err));
  ANK_TRY(ank_paper_put_figure(sink, "score_generating_functions", figure, err));
  ANK_TRY(ank_paper_put_columns(sink, "score_generating_functions", names, columns, COLUMNS, POINTS, err));
done:
  ank_figure_free(figure);
  return status;
}
