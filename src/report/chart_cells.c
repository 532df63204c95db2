/* chart_cells.c - a grid of values as colours or shades, and the bar beside it; see chart_cells.h. */
#include "report/chart_cells.h"

#include <math.h>
#include <string.h>

#include "report/chart_colour.h"

#define LEVELS 64 /* of colour in a heat map */

static int levels_of(const ank_series *s) { return s->bounds > 0 ? (int)s->bounds + 1 : LEVELS; }

/* The colour of a value, as one of the levels; -1 for none. */
static int level_of(const ank_axis_place *colours, const ank_series *s, double value) {
  if (!isfinite(value)) return -1;
  if (s->bounds > 0) {
    size_t below = 0;
    while (below < s->bounds && s->z[below] <= value) below++;
    return (int)below;
  }
  double share = (value / 2 - colours->low / 2) / (colours->high / 2 - colours->low / 2);
  return (int)fmin(fmax(floor(share * LEVELS), 0), LEVELS - 1);
}

static void colour_of(char hex[8], const ank_series *s, int level) {
  if (s->bounds > 0)
    ank_colour_pale(hex, (double)level / (double)s->bounds);
  else
    ank_colour_ramp(hex, (level + 0.5) / LEVELS);
}

static void cell_run(ank_ink *ink, const ank_sketch *sketch, const ank_series *s, const ank_trace *t,
                     size_t row, size_t from, size_t to) {
  const double *edge = s->x, width = edge[1] - edge[0], height = edge[3] - edge[2];
  const ank_box *plot = &sketch->plot;
  double x[2], y[2];
  for (int i = 0; i < 2; i++) {
    double across = (double)(i == 0 ? from : to) / t->z[1], up = (double)(row + (size_t)i) / t->z[0];
    x[i] = ank_axis_pixel(&sketch->x, edge[0] + width * across);
    y[i] = ank_axis_pixel(&sketch->y, edge[2] + height * up);
    x[i] = fmin(fmax(x[i], plot->x), plot->x + plot->width); /* also takes NaN to the edge */
    y[i] = fmin(fmax(y[i], plot->y), plot->y + plot->height);
  }
  if (x[0] != x[1] && y[0] != y[1]) ank_ink_format(ink, "M%n %nH%nV%nH%nZ", x[0], y[0], x[1], y[1], x[0]);
}

/* One path per colour, neighbours of one colour in a row as one rectangle. */
void ank_draw_cells(ank_ink *ink, ank_sketch *sketch, const ank_series *s, const ank_trace *t) {
  size_t rows = (size_t)t->z[0], columns = (size_t)t->z[1];
  char hex[8];
  for (int level = 0; level < levels_of(s); level++) {
    int begun = 0;
    for (size_t i = 0; i < rows; i++)
      for (size_t j = 0, end; j < columns; j = end + 1) {
        for (end = j; end < columns && level_of(&sketch->colours, s, t->y[i * columns + end]) == level;)
          end++;
        if (end == j) continue;
        if (!begun) {
          colour_of(hex, s, level);
          ank_ink_format(ink, "<path shape-rendering=\"crispEdges\" fill=\"%s\" d=\"", hex);
        }
        begun = 1;
        cell_run(ink, sketch, s, t, i, j, end);
      }
    if (begun) ank_ink_raw(ink, "\"/>\n");
  }
}

void ank_draw_upwards(ank_ink *ink, double x, double y, const char *text, double room) {
  double width = ank_text_width(text, strlen(text), ANK_SIZE_LABEL);
  ank_ink_format(ink, "<g transform=\"translate(%n %n) rotate(-90)\">", x, y);
  ank_ink_label(ink, 0, 0, ANK_SIZE_LABEL * fmin(1, fmax(room / width, 0.87)), ANK_ANCHOR_MIDDLE, "", text,
                strlen(text));
  ank_ink_raw(ink, "</g>\n");
}

void ank_draw_bar(ank_ink *ink, const ank_sketch *s, const ank_series *cells) {
  const ank_box *bar = &s->bar;
  const int levels = levels_of(cells);
  char hex[8];
  for (int level = 0; level < levels; level++) {
    colour_of(hex, cells, level);
    double top = bar->y + bar->height * (levels - 1 - level) / levels;
    ank_ink_format(ink, "<rect x=\"%n\" y=\"%n\" width=\"%n\" height=\"%n\" fill=\"%s\"/>\n", bar->x, top,
                   bar->width, bar->height / levels + (level > 0 ? 0.5 : 0), hex);
  }
  ank_ink_format(ink, "<path fill=\"none\" stroke=\"" ANK_AXIS_COLOUR "\" d=\"M%n %nh%nv%nh%nZ", bar->x,
                 bar->y, bar->width, bar->height, -bar->width);
  double right = bar->x + bar->width, widest = 0;
  for (size_t i = 0; i < s->colours.ticks.count; i++)
    ank_ink_format(ink, "M%n %nh5", right, ank_axis_pixel(&s->colours, s->colours.ticks.at[i]));
  ank_ink_raw(ink, "\"/>\n");
  for (size_t i = 0; i < s->colours.ticks.count; i++) {
    const char *text = s->colours.ticks.text[i];
    double y = ank_axis_pixel(&s->colours, s->colours.ticks.at[i]);
    widest = fmax(widest, ank_text_width(text, strlen(text), ANK_SIZE_TEXT));
    ank_ink_label(ink, right + 9, y + ANK_SIZE_TEXT * 0.35, ANK_SIZE_TEXT, ANK_ANCHOR_START, "", text,
                  strlen(text));
  }
  if (cells->label)
    ank_draw_upwards(ink, right + 9 + widest + ANK_SIZE_LABEL * 1.1, bar->y + bar->height / 2, cells->label,
                     s->cell.height);
}
