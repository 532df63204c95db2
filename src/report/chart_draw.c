/* chart_draw.c - a figure as SVG: frame, axes, the series by layer, legend, colour bar, title and caption. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "report/chart_cells.h"
#include "report/chart_colour.h"
#include "report/chart_ink.h"
#include "report/chart_model.h"

#define MARGIN 14.0    /* around the whole figure */
#define PANEL_GAP 18.0 /* between panels */
#define GRID_COLOUR "#e3e3e3"
#define SLACK 3.0 /* lines on the very edge of the plot keep their width */

/* ---- series ---- */

static void stroke(ank_ink *ink, const ank_series *s) {
  const char *dash = ank_dash_lengths(s->dash, s->colour);
  ank_ink_format(ink, " fill=\"none\" stroke=\"%s\" stroke-width=\"%n\" stroke-linejoin=\"round\"",
                 ank_colour_hex(s->colour), s->width);
  /* Round ends make dots of lengths of 1 and of lone points between breaks; elsewhere they blur the gaps. */
  if (*dash) ank_ink_format(ink, " stroke-dasharray=\"%s\"", dash);
  if (!*dash || strncmp(dash, "1 ", 2) == 0) ank_ink_raw(ink, " stroke-linecap=\"round\"");
  if (s->opacity < 1) ank_ink_format(ink, " stroke-opacity=\"%n\"", s->opacity);
}

static void draw_line(ank_ink *ink, ank_sketch *sketch, const ank_series *s, const ank_trace *t) {
  (void)sketch;
  if (t->n == 0) return;
  ank_ink_raw(ink, "<path d=\"");
  for (size_t i = 0; i < t->n; i++) {
    if (isnan(t->x[i])) continue;
    int begins = i == 0 || isnan(t->x[i - 1]), ends = i + 1 == t->n || isnan(t->x[i + 1]);
    if (begins)
      ank_ink_format(ink, "M%n %n", t->x[i], t->y[i]);
    else if (s->kind == ANK_KIND_STEPS)
      ank_ink_format(ink, "H%nV%n", t->x[i], t->y[i]);
    else
      ank_ink_format(ink, "L%n %n", t->x[i], t->y[i]);
    if (begins && ends) ank_ink_raw(ink, "h.01");
  }
  ank_ink_raw(ink, "\"");
  stroke(ink, s);
  ank_ink_raw(ink, "/>\n");
}

static void draw_band(ank_ink *ink, ank_sketch *sketch, const ank_series *s, const ank_trace *t) {
  (void)sketch;
  if (t->n == 0) return;
  ank_ink_format(ink, "<path fill=\"%s\" fill-opacity=\"%n\" d=\"", ank_colour_hex(s->colour), s->opacity);
  for (size_t from = 0, to; from < t->n; from = to + 1) {
    for (to = from; to < t->n && !isnan(t->x[to]); to++) /* one run between breaks: there and back */
      ank_ink_format(ink, to == from ? "M%n %n" : "L%n %n", t->x[to], t->y[to]);
    for (size_t i = to; i > from; i--) ank_ink_format(ink, "L%n %n", t->x[i - 1], t->z[i - 1]);
    if (to > from) ank_ink_raw(ink, "Z");
  }
  ank_ink_raw(ink, "\"/>\n");
}

static void begin_markers(ank_ink *ink, const ank_series *s) {
  static const char *const ends[] = {"round", "square", "round", "round", "round"};
  int outlined = s->marker == ANK_MARKER_CROSS || s->marker == ANK_MARKER_RING;
  const char *hex = ank_colour_hex(s->colour);
  if (s->marker == ANK_MARKER_TRIANGLE) /* a white edge parts those that touch */
    ank_ink_format(ink, "<path fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"0.8\"", hex);
  else
    ank_ink_format(ink, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%n\" stroke-linecap=\"%s\"", hex,
                   outlined ? 1.5 : s->width, ends[s->marker]);
  if (s->opacity < 1 && s->marker == ANK_MARKER_TRIANGLE)
    ank_ink_format(ink, " fill-opacity=\"%n\"", s->opacity);
  else if (s->opacity < 1)
    ank_ink_format(ink, " stroke-opacity=\"%n\"", s->opacity);
  ank_ink_raw(ink, " d=\"");
}

/* A stroke of hardly any length with round or square ends is a disc or a square: the shortest way to say it.
 * (Of no length at all, some programs leave it out.) */
static void marker(ank_ink *ink, const ank_series *s, double x, double y) {
  double half = s->width / 2 + 0.5;
  switch (s->marker) {
  case ANK_MARKER_CROSS:
    ank_ink_format(ink, "M%n %nl%n %nm0 %nl%n %n", x - half, y - half, 2 * half, 2 * half, -2 * half,
                   -2 * half, 2 * half);
    break;
  case ANK_MARKER_RING:
    ank_ink_format(ink, "M%n %na%n %n 0 1 0 %n 0a%n %n 0 1 0 %n 0", x - half, y, half, half, 2 * half, half,
                   half, -2 * half);
    break;
  case ANK_MARKER_TRIANGLE:
    ank_ink_format(ink, "M%n %nl%n %nh%nZ", x, y - 1.2 * half, 1.1 * half, 2 * half, -2.2 * half);
    break;
  case ANK_MARKER_DISC:
  case ANK_MARKER_SQUARE: ank_ink_format(ink, "M%n %nh.01", x, y); break;
  }
}

static void draw_points(ank_ink *ink, ank_sketch *sketch, const ank_series *s, const ank_trace *t) {
  (void)sketch;
  if (t->n == 0) return;
  begin_markers(ink, s);
  for (size_t i = 0; i < t->n; i++) marker(ink, s, t->x[i], t->y[i]);
  ank_ink_raw(ink, "\"/>\n");
}

/* ---- labels of reference lines ---- */

/* Cut the segment to the plot (Liang and Barsky); 0 if nothing is left. */
static int cut_to_plot(const ank_box *plot, double *x0, double *y0, double *x1, double *y1) {
  double dx = *x1 - *x0, dy = *y1 - *y0, from = 0, to = 1;
  const double step[] = {-dx, dx, -dy, dy};
  const double room[] = {*x0 - plot->x, plot->x + plot->width - *x0, *y0 - plot->y,
                         plot->y + plot->height - *y0};
  for (int i = 0; i < 4; i++) {
    if (step[i] == 0 && room[i] < 0) return 0;
    if (step[i] < 0) from = fmax(from, room[i] / step[i]);
    if (step[i] > 0) to = fmin(to, room[i] / step[i]);
  }
  if (!(from < to)) return 0;
  *x1 = *x0 + to * dx;
  *y1 = *y0 + to * dy;
  *x0 += from * dx;
  *y0 += from * dy;
  return 1;
}

/* How much a text of `width` around (x, y) in direction (ux, uy) would hide. */
static double hidden_by(const ank_sketch *sketch, double x, double y, double ux, double uy, double width) {
  double covered = 0;
  const double half = ANK_SIZE_TEXT * 0.4;
  for (int k = 0; k <= 8; k++) {
    double along = (k / 8.0 - 0.5) * width;
    ank_box box = {x + ux * along - half, y + uy * along - half, 2 * half, 2 * half};
    covered += ank_sketch_covered(sketch, box);
    box = (ank_box){sketch->legend.x - 4, sketch->legend.y - 4, sketch->legend.width + 8,
                    sketch->legend.height + 8};
    double px = x + ux * along, py = y + uy * along;
    if (sketch->legend.width > 0 && px > box.x && px < box.x + box.width && py > box.y &&
        py < box.y + box.height)
      covered += 5;
  }
  return covered;
}

/* Along the line, on the side and at the place where it hides least. */
static void label_reference(ank_ink *ink, const ank_sketch *sketch, const ank_series *s, const ank_trace *t) {
  static const double shares[] = {0.85, 0.15, 0.7, 0.3, 0.5};
  double x0 = t->x[0], y0 = t->y[0], x1 = t->x[1], y1 = t->y[1];
  if (!s->label || !cut_to_plot(&sketch->plot, &x0, &y0, &x1, &y1)) return;
  if (x1 < x0 || (x1 == x0 && y1 > y0)) { /* text runs to the right, or upwards */
    double swap_x = x0, swap_y = y0;
    x0 = x1, y0 = y1, x1 = swap_x, y1 = swap_y;
  }
  double length = hypot(x1 - x0, y1 - y0), width = ank_text_width(s->label, strlen(s->label), ANK_SIZE_TEXT);
  double ux = (x1 - x0) / length, uy = (y1 - y0) / length, best = INFINITY, best_x = x0, best_y = y0;
  for (int i = 0; i < 10; i++) {
    double along =
        fmin(fmax(shares[i / 2] * length, width / 2 + 8), fmax(length - width / 2 - 8, length / 2));
    double away = i % 2 == 0 ? -ANK_SIZE_TEXT * 0.75 : ANK_SIZE_TEXT * 0.85;
    double x = x0 + ux * along - uy * away, y = y0 + uy * along + ux * away;
    double hidden = hidden_by(sketch, x, y, ux, uy, width);
    if (hidden >= best) continue;
    best = hidden, best_x = x, best_y = y;
  }
  ank_ink_format(ink, "<g transform=\"translate(%n %n) rotate(%n)\">", best_x, best_y,
                 atan2(uy, ux) * 180 / acos(-1));
  ank_ink_label(ink, 0, ANK_SIZE_TEXT * 0.35, ANK_SIZE_TEXT, ANK_ANCHOR_MIDDLE,
                " fill=\"#5c5c5c\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\"", s->label,
                strlen(s->label));
  ank_ink_raw(ink, "</g>\n");
}

/* ---- axes ---- */

static void draw_grid(ank_ink *ink, const ank_sketch *s) {
  const ank_box *plot = &s->plot;
  ank_ink_raw(ink, "<path fill=\"none\" stroke=\"" GRID_COLOUR "\" d=\"");
  for (size_t i = 0; i < s->x.ticks.count; i++)
    ank_ink_format(ink, "M%n %nv%n", ank_axis_pixel(&s->x, s->x.ticks.at[i]), plot->y, plot->height);
  for (size_t i = 0; i < s->y.ticks.count; i++)
    ank_ink_format(ink, "M%n %nh%n", plot->x, ank_axis_pixel(&s->y, s->y.ticks.at[i]), plot->width);
  ank_ink_raw(ink, "\"/>\n");
}

static void draw_axes(ank_ink *ink, const ank_sketch *s) {
  const ank_box *plot = &s->plot;
  double bottom = plot->y + plot->height;
  ank_ink_format(ink, "<path fill=\"none\" stroke=\"" ANK_AXIS_COLOUR "\" d=\"M%n %nV%nH%n", plot->x, plot->y,
                 bottom, plot->x + plot->width);
  for (size_t i = 0; i < s->x.ticks.count; i++)
    ank_ink_format(ink, "M%n %nv5", ank_axis_pixel(&s->x, s->x.ticks.at[i]), bottom);
  for (size_t i = 0; i < s->y.ticks.count; i++)
    ank_ink_format(ink, "M%n %nh-5", plot->x, ank_axis_pixel(&s->y, s->y.ticks.at[i]));
  ank_ink_raw(ink, "\"/>\n");
  for (size_t i = 0; i < s->x.ticks.count; i++)
    ank_ink_label(ink, ank_axis_pixel(&s->x, s->x.ticks.at[i]), bottom + 9 + ANK_SIZE_TEXT * 0.8,
                  ANK_SIZE_TEXT, ANK_ANCHOR_MIDDLE, "", s->x.ticks.text[i], strlen(s->x.ticks.text[i]));
  for (size_t i = 0; i < s->y.ticks.count; i++)
    ank_ink_label(ink, plot->x - 9, ank_axis_pixel(&s->y, s->y.ticks.at[i]) + ANK_SIZE_TEXT * 0.35,
                  ANK_SIZE_TEXT, ANK_ANCHOR_END, "", s->y.ticks.text[i], strlen(s->y.ticks.text[i]));
}

static void draw_labels(ank_ink *ink, const ank_sketch *s) {
  const ank_panel *panel = s->panel;
  double middle = s->plot.x + s->plot.width / 2;
  if (panel->title) { /* one that is too long for the panel is made smaller */
    double room = s->cell.x + s->cell.width - s->plot.x;
    double width = 1.06 * ank_text_width(panel->title, strlen(panel->title), ANK_SIZE_LABEL);
    ank_ink_label(ink, s->plot.x, s->plot.y - ANK_SIZE_LABEL * 0.6,
                  ANK_SIZE_LABEL * fmin(1, fmax(room / width, 0.7)), ANK_ANCHOR_START,
                  " font-weight=\"bold\"", panel->title, strlen(panel->title));
  }
  if (panel->x.label)
    ank_ink_label(ink, middle, s->plot.y + s->plot.height + 9 + ANK_SIZE_TEXT + ANK_SIZE_LABEL * 1.15,
                  ANK_SIZE_LABEL, ANK_ANCHOR_MIDDLE, "", panel->x.label, strlen(panel->x.label));
  if (panel->y.label)
    ank_draw_upwards(ink, s->y_label_x, s->plot.y + s->plot.height / 2, panel->y.label, s->cell.height);
}

/* ---- legend ---- */

static void draw_sample(ank_ink *ink, const ank_series *s, double x, double y) {
  if (s->kind == ANK_KIND_BAND) {
    ank_ink_format(ink,
                   "<rect x=\"%n\" y=\"%n\" width=\"%n\" height=\"12\" fill=\"%s\" fill-opacity=\"%n\"/>\n",
                   x, y - 6, ANK_LEGEND_SAMPLE, ank_colour_hex(s->colour), s->opacity);
  } else if (s->kind == ANK_KIND_POINTS) {
    begin_markers(ink, s);
    marker(ink, s, x + ANK_LEGEND_SAMPLE / 2, y);
    ank_ink_raw(ink, "\"/>\n");
  } else {
    ank_ink_format(ink, "<path d=\"M%n %nh%n\"", x, y, ANK_LEGEND_SAMPLE);
    stroke(ink, s);
    ank_ink_raw(ink, "/>\n");
  }
}

static void draw_legend(ank_ink *ink, const ank_sketch *sketch) {
  const ank_box *box = &sketch->legend;
  double y = box->y + ANK_LEGEND_GAP / 2 + ANK_LEGEND_ROW / 2;
  if (box->width <= 0) return;
  ank_ink_format(ink,
                 "<rect x=\"%n\" y=\"%n\" width=\"%n\" height=\"%n\" fill=\"#ffffff\" fill-opacity=\"0.9\" "
                 "stroke=\"#cccccc\"/>\n",
                 box->x, box->y, box->width, box->height);
  for (size_t i = 0; i < sketch->panel->count; i++) {
    const ank_series *s = &sketch->panel->series[i];
    if (!s->label || s->kind == ANK_KIND_CELLS || s->kind == ANK_KIND_REFERENCE) continue;
    double x = box->x + ANK_LEGEND_GAP, text_x = x + ANK_LEGEND_SAMPLE + ANK_LEGEND_GAP;
    draw_sample(ink, s, x, y);
    ank_ink_label(ink, text_x, y + ANK_SIZE_TEXT * 0.35, ANK_SIZE_TEXT, ANK_ANCHOR_START, "", s->label,
                  strlen(s->label));
    y += ANK_LEGEND_ROW;
  }
}

/* ---- panels and the figure ---- */

typedef void (*draw_series)(ank_ink *ink, ank_sketch *sketch, const ank_series *s, const ank_trace *t);

static const draw_series draw_of[ANK_KIND_COUNT] = {
    [ANK_KIND_CELLS] = ank_draw_cells, [ANK_KIND_BAND] = draw_band,  [ANK_KIND_REFERENCE] = draw_line,
    [ANK_KIND_LINE] = draw_line,       [ANK_KIND_STEPS] = draw_line, [ANK_KIND_POINTS] = draw_points,
};

static void draw_panel(ank_ink *ink, ank_sketch *s) {
  const ank_panel *panel = s->panel;
  double x = s->plot.x - SLACK, y = s->plot.y - SLACK;
  double width = s->plot.width + 2 * SLACK, height = s->plot.height + 2 * SLACK;
  draw_grid(ink, s);
  /* An inner <svg> cuts off what is outside, without an id that could clash in a page with many figures. */
  ank_ink_format(ink, "<svg x=\"%n\" y=\"%n\" width=\"%n\" height=\"%n\" viewBox=\"%n %n %n %n\">\n", x, y,
                 width, height, x, y, width, height);
  for (int kind = 0; kind < ANK_KIND_COUNT; kind++)
    for (size_t i = 0; i < panel->count; i++)
      if ((int)panel->series[i].kind == kind) draw_of[kind](ink, s, &panel->series[i], &s->traces[i]);
  ank_ink_raw(ink, "</svg>\n");
  draw_axes(ink, s);
  draw_labels(ink, s);
  draw_legend(ink, s);
  for (size_t i = 0; i < panel->count; i++) {
    if (panel->series[i].kind == ANK_KIND_REFERENCE)
      label_reference(ink, s, &panel->series[i], &s->traces[i]);
    if (panel->series[i].kind == ANK_KIND_CELLS) ank_draw_bar(ink, s, &panel->series[i]);
  }
}

/* A text over as many lines as it needs; returns the height taken. */
static double draw_paragraph(ank_ink *ink, double x, double top, double width, double size, const char *extra,
                             const char *text) {
  double y = top;
  for (size_t length; text && *text; text += length) {
    length = ank_text_fit(text, size, width);
    ank_ink_label(ink, x, y + size, size, ANK_ANCHOR_START, extra, text, length);
    y += size * ANK_LINE_HEIGHT;
  }
  return y - top;
}

static void draw_opening(ank_ink *ink, const ank_figure *figure, double width, double height) {
  ank_ink_format(
      ink,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 %n %n\" width=\"%n\" "
      "height=\"%n\" font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" "
      "fill=\"#1a1a1a\" style=\"max-width:100%s;height:auto\">\n<title>",
      width, height, width, height, "%");
  const char *title = figure->title ? figure->title : "Figure";
  ank_ink_text(ink, title, strlen(title));
  ank_ink_raw(ink, "</title>\n");
  if (figure->description) {
    ank_ink_raw(ink, "<desc>");
    ank_ink_text(ink, figure->description, strlen(figure->description));
    ank_ink_raw(ink, "</desc>\n");
  }
  ank_ink_format(ink, "<rect width=\"%n\" height=\"%n\" fill=\"#ffffff\"/>\n", width, height);
}

anorank_status ank_figure_print(const ank_figure *figure, ank_output *output, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_sketch *sketch = NULL;
  ank_ink ink = {.output = output, .err = err};
  size_t columns = figure->columns > 0 ? figure->columns : figure->count;
  size_t rows = columns > 0 ? (figure->count + columns - 1) / columns : 0;
  double width = figure->width > 0 ? figure->width : 720;
  double height = figure->height > 0 ? figure->height : rows > 1 ? 60 + 330 * (double)rows : 480;
  double inner = width - 2 * MARGIN, bottom = height - MARGIN;
  ANK_TRY(ank_alloc(&sketch, 1, sizeof *sketch, err));
  draw_opening(&ink, figure, width, height);
  double top = MARGIN - 4;
  top += draw_paragraph(&ink, MARGIN, top, inner, ANK_SIZE_TITLE, " font-weight=\"bold\"", figure->title);
  if (figure->title) top += 6;
  if (figure->caption) {
    size_t lines = ank_text_lines(figure->caption, ANK_SIZE_CAPTION, inner);
    bottom -= (double)lines * ANK_SIZE_CAPTION * ANK_LINE_HEIGHT;
    draw_paragraph(&ink, MARGIN, bottom, inner, ANK_SIZE_CAPTION, " fill=\"#444444\"", figure->caption);
    bottom -= 8;
  }
  for (size_t i = 0; i < figure->count; i++) {
    size_t row = i / columns, column = i % columns;
    double cell_width = (inner - PANEL_GAP * (double)(columns - 1)) / (double)columns;
    double cell_height = (bottom - top - PANEL_GAP * (double)(rows - 1)) / (double)rows;
    ank_box cell = {MARGIN + (double)column * (cell_width + PANEL_GAP),
                    top + (double)row * (cell_height + PANEL_GAP), cell_width, cell_height};
    ANK_TRY(ank_sketch_make(sketch, figure->panels[i], cell, err));
    draw_panel(&ink, sketch);
    ank_sketch_clear(sketch);
  }
  ank_ink_raw(&ink, "</svg>\n");
  status = ink.status;
done:
  if (sketch && sketch->panel) ank_sketch_clear(sketch);
  ank_free(sketch);
  return status;
}
