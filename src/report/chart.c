/* chart.c - draw a chart (see chart.h): title, panels in a grid, one legend for all of them, and the caption.
 *
 * Text widths are estimated from the number of characters, since the reader's font is unknown. */
#include "report/chart.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/print.h"
#include "report/chart_ticks.h"

#define TEXT 13.0 /* font sizes */
#define TITLE 17.0
#define MARGIN 14.0 /* around the whole chart */
#define GAP 18.0    /* between panels */
#define SLACK 3.0   /* lines on the edge of a plot keep their width */
#define SAMPLE 26.0 /* width of a sample in the legend */
#define LINE_HEIGHT 1.4
#define LARGEST 1e300 /* beyond, ranges would overflow */
#define FAR 20000.0   /* pixels; positions beyond are clamped */
#define NEAR 0.25     /* pixels; points of a line nearer to the previous one are left out */

/* The first failure is kept, so that drawing code need not check each call. Without an output nothing is
 * written: a pen for measuring. */
typedef struct pen {
  ank_output *output;
  anorank_error *err;
  anorank_status status;
} pen;

typedef struct plot {
  double left, top, width, height;
  ank_axis x, y; /* with their ranges */
} plot;

/* ---- text ---- */

static void put_bytes(pen *p, const char *bytes, size_t length) {
  if (p->output && p->status == ANORANK_OK) p->status = ank_output_write(p->output, bytes, length, p->err);
}

__attribute__((format(printf, 2, 3))) static void put(pen *p, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  int length = ank_vprint(text, sizeof text, format, args);
  va_end(args);
  put_bytes(p, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

/* Write untrusted text, safe between tags. Control characters, direction marks and invalid UTF-8 become
 * U+FFFD. */
static void put_text(pen *p, const char *text, size_t length) {
  static const char replacement[] = "\xef\xbf\xbd";
  for (size_t i = 0, used; i < length; i += used ? used : 1) {
    used = ank_utf8_length(text + i, length - i);
    const char *entity = text[i] == '&'                         ? "&amp;"
                         : text[i] == '<'                       ? "&lt;"
                         : text[i] == '>'                       ? "&gt;"
                         : text[i] == '"'                       ? "&quot;"
                         : text[i] == '\''                      ? "&#39;"
                         : text[i] && strchr("\n\r\t", text[i]) ? " "
                                                                : NULL;
    int is_noncharacter = used == 3 && memcmp(text + i, "\xef\xbf", 2) == 0 && (text[i + 2] & 0x3e) == 0x3e;
    if (!entity && (used == 0 || is_noncharacter || ank_utf8_steers(text + i, used))) entity = replacement;
    if (entity)
      put_bytes(p, entity, strlen(entity));
    else
      put_bytes(p, text + i, used);
  }
}

/* `extra`: further attributes, or "". */
static void put_label(pen *p, double x, double y, double size, const char *extra, const char *text,
                      size_t length) {
  put(p, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%g\"%s>", x, y, size, extra);
  put_text(p, text, length);
  put(p, "</text>\n");
}

/* Estimate the width of a text, rather too wide than too narrow. */
static double width_of(const char *text, double size) {
  size_t characters = 0;
  for (; *text; text++) characters += ((unsigned char)*text & 0xc0) != 0x80;
  return 0.6 * size * (double)characters;
}

const char *ank_text_cut(char *out, size_t size, const char *text, size_t characters) {
  static const char ellipsis[] = "\xe2\x80\xa6";
  size_t length = strlen(text), end = 0, before = 0; /* `before`: position of the cut if not all of it fits */
  for (size_t k = 0; end < length && k < characters && end + sizeof ellipsis <= size; k++) {
    size_t step = ank_utf8_length(text + end, length - end);
    before = end;
    end += step > 0 ? step : 1;
  }
  if (end == length && length < size)
    snprintf(out, size, "%s", text);
  else
    snprintf(out, size, "%.*s%s", (int)before, text, ellipsis);
  return out;
}

/* Write a text over as many lines as it needs, broken at blanks. Returns its height. */
static double paragraph(pen *p, double top, double width, double size, const char *extra, const char *text) {
  double y = top;
  size_t most = (size_t)(width / (0.55 * size));
  while (text && *text) {
    size_t length = strlen(text), characters = 0, end = 0, blank = 0;
    for (; end < length && characters <= most; end++) {
      characters += ((unsigned char)text[end] & 0xc0) != 0x80;
      if (text[end] == ' ') blank = end + 1;
    }
    if (end < length) end = blank > 0 ? blank : end - 1;
    while (end > 1 && end < length && ((unsigned char)text[end] & 0xc0) == 0x80) end--;
    put_label(p, MARGIN, y + size, size, extra, text, end);
    y += size * LINE_HEIGHT;
    text += end;
  }
  return y - top;
}

/* ---- axes ---- */

static double value_at(const ank_series *s, const double *values, size_t i) {
  return values ? values[i * (s->stride > 0 ? s->stride : 1)] : 0;
}

static void widen(ank_axis *axis, const ank_series *s, const double *values) {
  for (size_t i = 0; values && i < s->count; i++) {
    double value = value_at(s, values, i);
    if (!isfinite(value)) continue;
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
  }
}

/* Set the range of an axis without one from the series, with a margin, so that no marker is cut. */
static void set_range(ank_axis *axis, const ank_panel *panel, int is_y) {
  if (axis->low < axis->high && axis->high - axis->low < LARGEST) return;
  axis->low = INFINITY;
  axis->high = -INFINITY;
  for (const ank_series *s = panel->series; s->mark; s++) {
    widen(axis, s, is_y ? s->y : s->x);
    if (is_y) widen(axis, s, s->high);
  }
  if (!(axis->low <= axis->high)) axis->low = 0, axis->high = 1; /* no data */
  axis->low = fmin(fmax(axis->low, -LARGEST), LARGEST);
  axis->high = fmin(fmax(axis->high, -LARGEST), LARGEST);
  double size = fmax(fabs(axis->low), fabs(axis->high)), range = axis->high - axis->low;
  double margin = range > 1e-9 * size ? 0.04 * range : size > 0 ? 0.1 * size : 1;
  axis->low -= margin;
  axis->high += margin;
}

static double pixel(const ank_axis *axis, double value, double from, double length) {
  double at = from + (value - axis->low) / (axis->high - axis->low) * length;
  return isfinite(value) ? fmin(fmax(at, -FAR), FAR) : NAN;
}

static double pixel_x(const plot *at, double value) { return pixel(&at->x, value, at->left, at->width); }

static double pixel_y(const plot *at, double value) {
  return pixel(&at->y, value, at->top + at->height, -at->height);
}

static double widest(const ank_ticks *ticks) {
  double width = 0;
  for (size_t i = 0; i < ticks->count; i++) width = fmax(width, width_of(ticks->text[i], TEXT));
  return width;
}

/* Place as many ticks as fit side by side. */
static void ticks_across(ank_ticks *ticks, const plot *at) {
  for (size_t most = (size_t)(at->width / 40);; most--) {
    ank_ticks_make(ticks, &at->x, most);
    if (most <= 2 || (double)ticks->count * (widest(ticks) + 12) <= at->width) return;
  }
}

static void draw_ticks(pen *p, const plot *at, const ank_ticks *x, const ank_ticks *y) {
  double bottom = at->top + at->height;
  put(p, "<path fill=\"none\" stroke=\"#e3e3e3\" d=\"");
  for (size_t i = 0; i < x->count; i++) put(p, "M%.2f %.2fv%.2f", pixel_x(at, x->at[i]), at->top, at->height);
  for (size_t i = 0; i < y->count; i++) put(p, "M%.2f %.2fh%.2f", at->left, pixel_y(at, y->at[i]), at->width);
  put(p, "\"/>\n<path fill=\"none\" stroke=\"#444444\" d=\"M%.2f %.2fV%.2fh%.2f\"/>\n", at->left, at->top,
      bottom, at->width);
  for (size_t i = 0; i < x->count; i++)
    put_label(p, pixel_x(at, x->at[i]), bottom + TEXT + 5, TEXT, " text-anchor=\"middle\"", x->text[i],
              strlen(x->text[i]));
  for (size_t i = 0; i < y->count; i++)
    put_label(p, at->left - 7, pixel_y(at, y->at[i]) + 4.5, TEXT, " text-anchor=\"end\"", y->text[i],
              strlen(y->text[i]));
}

/* ---- series ---- */

static const char *colour_of(const ank_series *s) { return s->colour ? s->colour : ANK_BLUE; }

static double size_of(const ank_series *s) { return s->size > 0 ? s->size : s->mark == ANK_LINE ? 2 : 5; }

static void begin_stroke(pen *p, const ank_series *s, double width) {
  put(p, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" stroke-linejoin=\"round\"", colour_of(s),
      width);
  if (s->dash) put(p, " stroke-dasharray=\"%s\"", s->dash);
  if (!s->dash || strncmp(s->dash, "1 ", 2) == 0) put(p, " stroke-linecap=\"round\"");
  if (s->opacity > 0) put(p, " stroke-opacity=\"%g\"", s->opacity);
  put(p, " d=\"");
}

static void begin_fill(pen *p, const ank_series *s) {
  put(p, "<path fill=\"%s\"", colour_of(s));
  if (s->opacity > 0) put(p, " fill-opacity=\"%g\"", s->opacity);
  put(p, " d=\"");
}

static void put_box(pen *p, double left, double top, double right, double bottom) {
  put(p, "M%.2f %.2fH%.2fV%.2fH%.2fZ", left, top, right, bottom, left);
}

static void draw_line(pen *p, const plot *at, const ank_series *s) {
  double last_x = NAN, last_y = NAN; /* NaN: the next point begins a line */
  begin_stroke(p, s, s->size > 0 ? s->size : 2);
  for (size_t i = 0; i < s->count; i++) {
    double x = pixel_x(at, value_at(s, s->x, i)), y = pixel_y(at, value_at(s, s->y, i));
    int begins = isnan(last_x), ends = i + 1 == s->count;
    if (!isnan(x) && !isnan(y)) {
      if (!begins && !ends && fabs(x - last_x) < NEAR && fabs(y - last_y) < NEAR) continue;
      put(p, "%c%.2f %.2f", begins ? 'M' : 'L', x, y);
    } else
      x = NAN;
    last_x = x;
    last_y = y;
  }
  put(p, "\"/>\n");
}

static void draw_band(pen *p, const plot *at, const ank_series *s) {
  begin_fill(p, s);
  for (size_t from = 0, to; from < s->count; from = to + 1) { /* a run between breaks: there and back */
    for (to = from; to < s->count; to++) {
      double x = pixel_x(at, value_at(s, s->x, to)), y = pixel_y(at, value_at(s, s->y, to));
      if (isnan(x) || isnan(y) || !isfinite(value_at(s, s->high, to))) break;
      put(p, "%c%.2f %.2f", to == from ? 'M' : 'L', x, y);
    }
    for (size_t i = to; i > from; i--)
      put(p, "L%.2f %.2f", pixel_x(at, value_at(s, s->x, i - 1)), pixel_y(at, value_at(s, s->high, i - 1)));
    if (to > from) put(p, "Z");
  }
  put(p, "\"/>\n");
}

static void draw_bars(pen *p, const plot *at, const ank_series *s) {
  double width = at->width / (double)s->count;
  begin_fill(p, s);
  for (size_t k = 0; k < s->count; k++)
    put_box(p, at->left + width * ((double)k + 0.03), pixel_y(at, s->y[k]),
            at->left + width * ((double)k + 0.97), pixel_y(at, 0));
  put(p, "\"/>\n");
}

static void draw_steps(pen *p, const plot *at, const ank_series *s) {
  begin_stroke(p, s, s->size > 0 ? s->size : 2);
  put(p, "M%.2f %.2f", at->left, pixel_y(at, 0));
  for (size_t k = 0; k < s->count; k++)
    put(p, "V%.2fH%.2f", pixel_y(at, s->y[k]), at->left + at->width * (double)(k + 1) / (double)s->count);
  put(p, "V%.2f\"/>\n", pixel_y(at, 0));
}

static void draw_horizontal(pen *p, const plot *at, const ank_series *s) {
  begin_fill(p, s);
  for (size_t k = 0; k < s->count; k++)
    put_box(p, pixel_x(at, 0), pixel_y(at, (double)k + 0.36), pixel_x(at, s->x[k]),
            pixel_y(at, (double)k - 0.36));
  put(p, "\"/>\n");
}

static void begin_markers(pen *p, const ank_series *s) {
  if (s->mark == ANK_TRIANGLES)
    begin_fill(p, s);
  else /* a dot is a very short stroke with round ends */
    begin_stroke(p, s, s->mark == ANK_DOTS ? size_of(s) : 1.5);
}

static void put_marker(pen *p, const ank_series *s, double x, double y) {
  double half = size_of(s) / 2 + 0.5, whole = 2 * half;
  if (s->mark == ANK_DOTS)
    put(p, "M%.2f %.2fh.01", x, y);
  else if (s->mark == ANK_CROSSES)
    put(p, "M%.2f %.2fl%g %gm0 %gl%g %g", x - half, y - half, whole, whole, -whole, -whole, whole);
  else if (s->mark == ANK_RINGS)
    put(p, "M%.2f %.2fa%g %g 0 1 0 %g 0a%g %g 0 1 0 %g 0", x - half, y, half, half, whole, half, half,
        -whole);
  else
    put(p, "M%.2f %.2fl%g %gh%gZ", x, y - 1.2 * half, 1.1 * half, whole, -2.2 * half);
}

static void draw_markers(pen *p, const plot *at, const ank_series *s) {
  begin_markers(p, s);
  for (size_t i = 0; i < s->count; i++) {
    double x = pixel_x(at, value_at(s, s->x, i)), y = pixel_y(at, value_at(s, s->y, i));
    if (!isnan(x) && !isnan(y)) put_marker(p, s, x, y);
  }
  put(p, "\"/>\n");
}

static size_t shade_of(const ank_series *s, double value) {
  size_t below = 0;
  while (below < s->bound_count && s->bounds[below] <= value) below++;
  return below;
}

/* Draw one path per shade, with adjacent cells of one shade in a row as one box. */
static void draw_cells(pen *p, const plot *at, const ank_series *s) {
  size_t side = (size_t)lround(sqrt((double)s->count));
  double width = at->width / (double)side, height = at->height / (double)side;
  for (size_t shade = 0; shade <= s->bound_count; shade++) {
    put(p, "<path shape-rendering=\"crispEdges\" fill=\"%s\" d=\"", s->shades[shade]);
    for (size_t row = 0; row < side; row++)
      for (size_t from = 0, to; from < side; from = to + 1) {
        const double *values = s->y + row * side;
        for (to = from; to < side && isfinite(values[to]) && shade_of(s, values[to]) == shade;) to++;
        double bottom = at->top + at->height - height * (double)row;
        if (to > from)
          put_box(p, at->left + width * (double)from, bottom - height, at->left + width * (double)to, bottom);
      }
    put(p, "\"/>\n");
  }
}

static void (*const draw_of[])(pen *p, const plot *at, const ank_series *s) = {
    [ANK_LINE] = draw_line,       [ANK_BAND] = draw_band,        [ANK_BARS] = draw_bars,
    [ANK_STEPS] = draw_steps,     [ANK_LYING] = draw_horizontal, [ANK_DOTS] = draw_markers,
    [ANK_CROSSES] = draw_markers, [ANK_RINGS] = draw_markers,    [ANK_TRIANGLES] = draw_markers,
    [ANK_CELLS] = draw_cells,
};

/* ---- legend ---- */

static void draw_sample(pen *p, const ank_series *s, double x, double y) {
  if (s->mark == ANK_LINE || s->mark == ANK_STEPS) {
    begin_stroke(p, s, s->size > 0 ? s->size : 2);
    put(p, "M%.2f %.2fh%g", x, y, SAMPLE);
  } else if (s->mark == ANK_BAND || s->mark == ANK_BARS || s->mark == ANK_LYING) {
    begin_fill(p, s);
    put_box(p, x, y - 6, x + SAMPLE, y + 6);
  } else {
    begin_markers(p, s);
    put_marker(p, s, x + SAMPLE / 2, y);
  }
  put(p, "\"/>\n");
}

/* Draw the shades with their bounds between them, then the label. Returns the width. */
static double draw_shades(pen *p, const ank_series *s, double x, double y) {
  double at = x;
  for (size_t k = 0; k <= s->bound_count; k++) {
    char bound[32] = "";
    if (k < s->bound_count) ank_print(bound, sizeof bound, "%g", s->bounds[k]);
    put(p, "<rect x=\"%.2f\" y=\"%.2f\" width=\"18\" height=\"14\" fill=\"%s\" stroke=\"#cccccc\"/>\n", at,
        y - 7, s->shades[k]);
    if (*bound) put_label(p, at + 22, y + 4.5, TEXT, "", bound, strlen(bound));
    at += 26 + width_of(bound, TEXT);
  }
  put_label(p, at, y + 4.5, TEXT, "", s->label, strlen(s->label));
  return at + width_of(s->label, TEXT) - x;
}

/* Draw all labelled series, line by line. Returns the height. */
static double draw_legend(pen *p, const ank_chart *chart, double top, double width) {
  double x = MARGIN, y = top + 10;
  pen blind = {0};
  int entries = 0;
  for (size_t i = 0; i < chart->count; i++)
    for (const ank_series *s = chart->panels[i].series; s->mark; s++) {
      if (!s->label) continue;
      int cells = s->mark == ANK_CELLS;
      double takes = cells ? draw_shades(&blind, s, 0, 0) : SAMPLE + 7 + width_of(s->label, TEXT);
      if (x > MARGIN && x + takes > MARGIN + width) {
        x = MARGIN;
        y += 20;
      }
      if (cells)
        draw_shades(p, s, x, y);
      else {
        draw_sample(p, s, x, y);
        put_label(p, x + SAMPLE + 7, y + 4.5, TEXT, "", s->label, strlen(s->label));
      }
      x += takes + 22;
      entries++;
    }
  return entries > 0 ? y + 16 - top : 0;
}

void ank_chart_label_first(ank_chart *chart) {
  for (size_t i = 1; i < chart->count; i++)
    for (ank_series *s = chart->panels[i].series; s->mark; s++) s->label = NULL;
}

/* ---- panels and the chart ---- */

static void upwards(pen *p, double x, double y, const char *text) {
  put(p, "<g transform=\"translate(%.2f %.2f) rotate(-90)\">", x, y);
  put_label(p, 0, 0, TEXT, " text-anchor=\"middle\"", text, strlen(text));
  put(p, "</g>\n");
}

static void draw_panel(pen *p, const ank_panel *panel, double left, double top, double width, double height) {
  plot at = {.x = panel->x, .y = panel->y};
  ank_ticks x, y;
  set_range(&at.x, panel, 0);
  set_range(&at.y, panel, 1);
  at.top = top + (panel->title ? 24 : 9);
  at.height = fmax(top + height - at.top - (panel->x.label ? 44 : 24), 20);
  ank_ticks_make(&y, &at.y, (size_t)(at.height / 45));
  at.left = left + widest(&y) + 9 + (panel->y.label ? 20 : 0);
  at.width = fmax(left + width - at.left - 14, 20);
  ticks_across(&x, &at);
  draw_ticks(p, &at, &x, &y);
  /* An inner <svg> clips its content without an id, which could clash in a page with many charts. */
  const double box[] = {at.left - SLACK, at.top - SLACK, at.width + 2 * SLACK, at.height + 2 * SLACK};
  put(p, "<svg x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" viewBox=\"%.2f %.2f %.2f %.2f\">\n",
      box[0], box[1], box[2], box[3], box[0], box[1], box[2], box[3]);
  for (const ank_series *s = panel->series; s->mark; s++) draw_of[s->mark](p, &at, s);
  put(p, "</svg>\n");
  if (panel->title)
    put_label(p, at.left, at.top - 9, TEXT, " font-weight=\"bold\"", panel->title, strlen(panel->title));
  if (panel->x.label)
    put_label(p, at.left + at.width / 2, at.top + at.height + 38, TEXT, " text-anchor=\"middle\"",
              panel->x.label, strlen(panel->x.label));
  if (panel->y.label) upwards(p, left + TEXT, at.top + at.height / 2, panel->y.label);
}

static void draw_panels(pen *p, const ank_chart *chart, double top, double bottom, double inner) {
  size_t across = chart->across > 0 ? chart->across : 1, down = (chart->count + across - 1) / across;
  double width = (inner - GAP * (double)(across - 1)) / (double)across;
  double height = (bottom - top - GAP * (double)(down - 1)) / (double)down;
  for (size_t i = 0; i < chart->count; i++)
    draw_panel(p, &chart->panels[i], MARGIN + (width + GAP) * (double)(i % across),
               top + (height + GAP) * (double)(i / across), width, height);
}

static void draw_element(pen *p, const char *name, const char *text) {
  if (!text) return;
  put(p, "<%s>", name);
  put_text(p, text, strlen(text));
  put(p, "</%s>\n", name);
}

anorank_status ank_chart_print(ank_output *output, const ank_chart *chart, anorank_error *err) {
  pen p = {.output = output, .err = err}, blind = {0};
  double width = chart->width > 0 ? chart->width : 720, height = chart->height > 0 ? chart->height : 480;
  double inner = width - 2 * MARGIN, top = MARGIN - 4, bottom = height - MARGIN;
  put(&p,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 %g %g\" width=\"%g\" "
      "height=\"%g\" "
      "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" fill=\"#1a1a1a\" "
      "style=\"max-width:100%%;height:auto\">\n",
      width, height, width, height);
  draw_element(&p, "title", chart->title);
  draw_element(&p, "desc", chart->caption);
  put(&p, "<rect width=\"%g\" height=\"%g\" fill=\"#ffffff\"/>\n", width, height);
  top += paragraph(&p, top, inner, TITLE, " font-weight=\"bold\"", chart->title) + 4;
  bottom -= paragraph(&blind, 0, inner, TEXT, "", chart->caption);
  paragraph(&p, bottom, inner, TEXT, " fill=\"#444444\"", chart->caption);
  bottom -= draw_legend(&blind, chart, 0, inner);
  draw_legend(&p, chart, bottom, inner);
  draw_panels(&p, chart, top, bottom - 6, inner);
  put(&p, "</svg>\n");
  return p.status;
}
