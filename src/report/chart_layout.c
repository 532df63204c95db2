/* chart_layout.c - where everything in a panel goes: ranges, margins, pixels, and a free place for the
 * legend. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "report/chart_ink.h"
#include "report/chart_model.h"
#include "report/chart_thin.h"

#define BAR_WIDTH 16.0
#define BAR_GAP 16.0
#define TICK_LENGTH 5.0
#define TICK_GAP 4.0  /* between a tick and its label */
#define EDGE_GAP 10.0 /* between the legend and the edge of the plot */
#define FAR 20000.0   /* pixels; beyond, a position is cut */
#define MOST_CELLS ((size_t)256)

/* ---- ranges ---- */

static void widen(double *low, double *high, double value, int is_log) {
  if (!isfinite(value) || (is_log && value <= 0)) return;
  *low = fmin(*low, value);
  *high = fmax(*high, value);
}

/* `share` of the range more on both sides. */
static void pad(double *low, double *high, int is_log, double share) {
  if (is_log) {
    double factor = pow(*high / *low, share);
    *low /= factor;
    *high *= factor;
  } else {
    double margin = (*high / 2 - *low / 2) * 2 * share; /* halves: no overflow */
    *low -= margin;
    *high += margin;
  }
}

static void range_of_series(const ank_series *s, int is_y, int is_log, double *low, double *high) {
  if (s->kind == ANK_KIND_REFERENCE) return;
  if (s->kind == ANK_KIND_CELLS) {
    widen(low, high, s->x[is_y ? 2 : 0], is_log);
    widen(low, high, s->x[is_y ? 3 : 1], is_log);
    return;
  }
  for (size_t i = 0; i < s->n; i++) {
    widen(low, high, is_y ? s->y[i] : s->x[i], is_log);
    if (is_y && s->z) widen(low, high, s->z[i], is_log);
  }
}

static void place_range(ank_axis_place *place, const ank_panel *panel, int is_y) {
  const ank_axis_model *axis = is_y ? &panel->y : &panel->x;
  double low = axis->low, high = axis->high;
  int given = low < high && (!axis->is_log || low > 0);
  if (!given) {
    int points = 0, cells = 0;
    low = INFINITY;
    high = -INFINITY;
    for (size_t i = 0; i < panel->count; i++) {
      range_of_series(&panel->series[i], is_y, axis->is_log, &low, &high);
      points |= panel->series[i].kind == ANK_KIND_POINTS;
      cells |= panel->series[i].kind == ANK_KIND_CELLS;
    }
    ank_range_repair(&low, &high, axis->is_log);
    /* Curves go from edge to edge; markers would be cut there, and so would the top of a curve. */
    if (!cells && (is_y || points)) pad(&low, &high, axis->is_log, 0.04);
  }
  ank_range_repair(&low, &high, axis->is_log);
  place->low = low;
  place->high = high;
  place->is_log = axis->is_log;
  place->is_time = axis->is_time;
  place->named = axis->names ? axis : NULL;
}

static void place_colours(ank_axis_place *place, const ank_series *cells) {
  double low = cells->low, high = cells->high;
  if (cells->bounds > 0) { /* one step of the bar for each shade */
    low = 0;
    high = (double)cells->bounds + 1;
  } else if (!(low < high)) {
    low = INFINITY;
    high = -INFINITY;
    for (size_t i = 0; i < cells->n; i++) widen(&low, &high, cells->y[i], 0);
  }
  ank_range_repair(&low, &high, 0);
  place->low = low;
  place->high = high;
  place->is_log = 0;
}

double ank_axis_pixel(const ank_axis_place *axis, double value) {
  double share;
  if (!isfinite(value)) return NAN;
  if (axis->is_log) {
    if (value <= 0) return NAN;
    share = (log(value) - log(axis->low)) / (log(axis->high) - log(axis->low));
  } else
    share = (value / 2 - axis->low / 2) / (axis->high / 2 - axis->low / 2);
  double pixel = axis->from + share * (axis->to - axis->from);
  return fmin(fmax(pixel, -FAR), FAR);
}

static void set_ticks(ank_axis_place *axis, size_t most) {
  if (axis->named)
    ank_ticks_named(&axis->ticks, axis->named->names, axis->named->name_count);
  else if (axis->is_time)
    ank_ticks_time(&axis->ticks, axis->low, axis->high, most);
  else if (axis->is_log)
    ank_ticks_log(&axis->ticks, axis->low, axis->high, most);
  else
    ank_ticks_linear(&axis->ticks, axis->low, axis->high, most);
}

static double widest_tick(const ank_ticks *ticks) {
  double widest = 0;
  for (size_t i = 0; i < ticks->count; i++)
    widest = fmax(widest, ank_text_width(ticks->text[i], strlen(ticks->text[i]), ANK_SIZE_TEXT));
  return widest;
}

/* As many ticks as can stand beside each other on a horizontal axis. */
static void set_ticks_across(ank_axis_place *axis) {
  double length = axis->to - axis->from;
  for (size_t most = (size_t)fmax(length / 40, 3);; most--) {
    set_ticks(axis, most);
    double closest = length, last = NAN;
    for (size_t i = 0; i < axis->ticks.count; i++) {
      double here = ank_axis_pixel(axis, axis->ticks.at[i]);
      if (i > 0) closest = fmin(closest, here - last);
      last = here;
    }
    if (most <= 3 || closest >= widest_tick(&axis->ticks) + 14) return; /* 3: never fewer than two ticks */
  }
}

/* ---- margins ---- */

static size_t legend_rows(const ank_panel *panel, double *width) {
  size_t rows = 0;
  *width = 0;
  for (size_t i = 0; panel->legend != ANK_LEGEND_NONE && i < panel->count; i++) {
    const ank_series *s = &panel->series[i];
    if (!s->label || s->kind == ANK_KIND_CELLS || s->kind == ANK_KIND_REFERENCE) continue;
    *width = fmax(*width, ank_text_width(s->label, strlen(s->label), ANK_SIZE_TEXT));
    rows++;
  }
  if (rows > 0) *width += ANK_LEGEND_SAMPLE + 3 * ANK_LEGEND_GAP;
  return rows;
}

static const ank_series *find_cells(const ank_panel *panel) {
  for (size_t i = 0; i < panel->count; i++)
    if (panel->series[i].kind == ANK_KIND_CELLS) return &panel->series[i];
  return NULL;
}

/* Cut the margins off the cell; with `beside`, also the legend's place. */
static void arrange(ank_sketch *s, int beside) {
  const ank_panel *panel = s->panel;
  const ank_series *cells = find_cells(panel);
  double top = panel->title ? ANK_SIZE_LABEL * 1.8 : ANK_SIZE_TEXT * 0.7;
  double bottom = TICK_LENGTH + TICK_GAP + ANK_SIZE_TEXT + 4;
  if (panel->x.label) bottom += ANK_SIZE_LABEL * ANK_LINE_HEIGHT;
  double legend_width, right = 14;
  double legend_height = (double)legend_rows(panel, &legend_width) * ANK_LEGEND_ROW + ANK_LEGEND_GAP;
  int below = beside && (panel->legend == ANK_LEGEND_BELOW || legend_width > s->cell.width * 0.4);
  if (below) bottom += legend_height + ANK_LEGEND_GAP;
  double height = fmax(s->cell.height - top - bottom, 20);
  s->plot.y = s->cell.y + top;
  s->plot.height = height;
  s->y.from = s->plot.y + height;
  s->y.to = s->plot.y;
  set_ticks(&s->y, (size_t)fmax(height / 45, 3));
  double left = 4 + TICK_LENGTH + TICK_GAP + widest_tick(&s->y.ticks);
  if (panel->y.label) left += ANK_SIZE_LABEL * ANK_LINE_HEIGHT;
  if (cells) {
    place_colours(&s->colours, cells);
    s->colours.from = s->y.from;
    s->colours.to = s->y.to;
    if (cells->bounds > 0)
      ank_ticks_bounds(&s->colours.ticks, cells->z, cells->bounds);
    else
      set_ticks(&s->colours, (size_t)fmax(height / 45, 3));
    right = BAR_GAP + BAR_WIDTH + TICK_LENGTH + TICK_GAP + widest_tick(&s->colours.ticks) + 6;
    if (cells->label) right += ANK_SIZE_LABEL * ANK_LINE_HEIGHT;
  }
  if (beside && !below) right += legend_width + ANK_LEGEND_GAP;
  s->plot.x = s->cell.x + left;
  s->plot.width = fmax(s->cell.width - left - right, 20);
  s->x.from = s->plot.x;
  s->x.to = s->plot.x + s->plot.width;
  set_ticks_across(&s->x);
  s->y_label_x = s->cell.x + ANK_SIZE_LABEL;
  s->bar = cells ? (ank_box){s->x.to + BAR_GAP, s->plot.y, BAR_WIDTH, height} : (ank_box){0};
  s->legend = (ank_box){0};
  if (below)
    s->legend = (ank_box){s->plot.x, s->cell.y + s->cell.height - legend_height,
                          fmin(legend_width, s->plot.width), legend_height};
  else if (beside)
    s->legend = (ank_box){s->cell.x + s->cell.width - legend_width, s->plot.y, legend_width, legend_height};
}

/* ---- pixels ---- */

static anorank_status trace_cells(ank_trace *trace, const ank_series *s, anorank_error *err) {
  /* More cells than anybody can see are averaged: the drawn grid is z[0] rows by z[1] columns. */
  size_t rows = s->rows < MOST_CELLS ? s->rows : MOST_CELLS;
  size_t columns = s->columns < MOST_CELLS ? s->columns : MOST_CELLS;
  anorank_status status = ANORANK_OK;
  ANK_TRY(ank_alloc(&trace->y, rows * columns, sizeof *trace->y, err));
  ANK_TRY(ank_alloc(&trace->x, rows * columns, sizeof *trace->x, err));
  ANK_TRY(ank_alloc(&trace->z, 2, sizeof *trace->z, err));
  trace->n = rows * columns;
  trace->z[0] = (double)rows;
  trace->z[1] = (double)columns;
  for (size_t i = 0; i < s->rows; i++)
    for (size_t j = 0; j < s->columns; j++) {
      double value = s->y[i * s->columns + j];
      /* In doubles: the products may not fit into a size_t, and a border cell more or less is not seen. */
      size_t row = (size_t)((double)i * (double)rows / (double)s->rows);
      size_t column = (size_t)((double)j * (double)columns / (double)s->columns);
      if (!isfinite(value)) continue;
      trace->y[row * columns + column] += value;
      trace->x[row * columns + column]++;
    }
  for (size_t k = 0; k < trace->n; k++) trace->y[k] = trace->x[k] > 0 ? trace->y[k] / trace->x[k] : NAN;
done:
  return status;
}

static void reference_pixels(const ank_sketch *sketch, const ank_series *s, ank_trace *trace) {
  for (size_t i = 0; i < 2; i++) {
    double x = s->x[i], y = s->y[i];
    if (isinf(x)) x = x < 0 ? sketch->x.low : sketch->x.high;
    if (isinf(y)) y = y < 0 ? sketch->y.low : sketch->y.high;
    trace->x[i] = ank_axis_pixel(&sketch->x, x);
    trace->y[i] = ank_axis_pixel(&sketch->y, y);
  }
}

static anorank_status trace_series(ank_trace *trace, const ank_sketch *sketch, const ank_series *s,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  if (s->kind == ANK_KIND_CELLS) return trace_cells(trace, s, err);
  ANK_TRY(ank_alloc_raw(&trace->x, s->n, sizeof *trace->x, err));
  ANK_TRY(ank_alloc_raw(&trace->y, s->n, sizeof *trace->y, err));
  if (s->z) ANK_TRY(ank_alloc_raw(&trace->z, s->n, sizeof *trace->z, err));
  trace->n = s->n;
  if (s->kind == ANK_KIND_REFERENCE) {
    reference_pixels(sketch, s, trace);
    return ANORANK_OK;
  }
  for (size_t i = 0; i < s->n; i++) {
    trace->x[i] = ank_axis_pixel(&sketch->x, s->x[i]);
    trace->y[i] = ank_axis_pixel(&sketch->y, s->y[i]);
    if (s->z) trace->z[i] = ank_axis_pixel(&sketch->y, s->z[i]);
    if (isnan(trace->y[i]) || (s->z && isnan(trace->z[i]))) trace->x[i] = NAN;
  }
  if (s->kind != ANK_KIND_POINTS) {
    trace->n =
        ank_thin(trace->x, trace->y, trace->z ? trace->z : trace->y, s->n, sketch->x.from, sketch->x.to);
    return ANORANK_OK;
  }
  const ank_box *plot = &sketch->plot;
  unsigned char *bits = NULL;
  ANK_TRY(ank_alloc(&bits, ank_thin_bits(plot->width, plot->height), 1, err));
  trace->n = ank_thin_points(trace->x, trace->y, s->n, plot->x, plot->y, plot->width, plot->height, bits);
  ank_free(bits);
done:
  return status;
}

/* ---- what is covered ---- */

static void map_mark(ank_sketch *s, double x, double y) {
  double column = (x - s->plot.x) / s->plot.width * ANK_MAP_WIDTH;
  double row = (y - s->plot.y) / s->plot.height * ANK_MAP_HEIGHT;
  if (!(column >= -1 && column <= ANK_MAP_WIDTH && row >= -1 && row <= ANK_MAP_HEIGHT)) return;
  size_t j = column < 0 ? 0 : column >= ANK_MAP_WIDTH ? ANK_MAP_WIDTH - 1 : (size_t)column;
  size_t i = row < 0 ? 0 : row >= ANK_MAP_HEIGHT ? ANK_MAP_HEIGHT - 1 : (size_t)row;
  s->map.cell[i][j] = 1;
}

static void map_segment(ank_sketch *s, double x0, double y0, double x1, double y1) {
  double length = fmax(fabs(x1 - x0), fabs(y1 - y0));
  int steps = (int)fmin(length / 3 + 1, 4 * FAR);
  for (int k = 0; k <= steps; k++) map_mark(s, x0 + (x1 - x0) * k / steps, y0 + (y1 - y0) * k / steps);
}

static void map_series(ank_sketch *s, const ank_series *series, const ank_trace *t) {
  if (series->kind == ANK_KIND_CELLS) {
    memset(&s->map, 1, sizeof s->map);
    return;
  }
  for (size_t i = 0; i < t->n; i++) {
    if (isnan(t->x[i]) || isnan(t->y[i])) continue;
    map_mark(s, t->x[i], t->y[i]);
    if (t->z) map_segment(s, t->x[i], t->y[i], t->x[i], t->z[i]);
    if (series->kind == ANK_KIND_POINTS || i == 0 || isnan(t->x[i - 1]) || isnan(t->y[i - 1])) continue;
    if (series->kind == ANK_KIND_STEPS) {
      map_segment(s, t->x[i - 1], t->y[i - 1], t->x[i], t->y[i - 1]);
      map_segment(s, t->x[i], t->y[i - 1], t->x[i], t->y[i]);
    } else
      map_segment(s, t->x[i - 1], t->y[i - 1], t->x[i], t->y[i]);
    if (!t->z) continue;
    map_segment(s, t->x[i - 1], t->z[i - 1], t->x[i], t->z[i]);
    for (int k = 1; k < 8; k++) /* the inside, where points of the band stand far apart */
      map_segment(s, t->x[i - 1], t->y[i - 1] + (t->z[i - 1] - t->y[i - 1]) * k / 8, t->x[i],
                  t->y[i] + (t->z[i] - t->y[i]) * k / 8);
  }
}

double ank_sketch_covered(const ank_sketch *s, ank_box box) {
  int first_column = (int)floor((box.x - s->plot.x) / s->plot.width * ANK_MAP_WIDTH);
  int last_column = (int)floor((box.x + box.width - s->plot.x) / s->plot.width * ANK_MAP_WIDTH);
  int first_row = (int)floor((box.y - s->plot.y) / s->plot.height * ANK_MAP_HEIGHT);
  int last_row = (int)floor((box.y + box.height - s->plot.y) / s->plot.height * ANK_MAP_HEIGHT);
  if (first_column < 0 || first_row < 0 || last_column >= ANK_MAP_WIDTH || last_row >= ANK_MAP_HEIGHT)
    return 1;
  size_t covered = 0;
  for (int i = first_row; i <= last_row; i++)
    for (int j = first_column; j <= last_column; j++) covered += s->map.cell[i][j];
  return (double)covered / ((double)(last_row - first_row + 1) * (double)(last_column - first_column + 1));
}

/* A corner, or else the middle of a side, that hides nothing at all: a legend must never lie on an outlier.
 * Returns 0 if there is none. */
static int legend_inside(ank_sketch *s) {
  static const double places[][2] = {{1, 0}, {0, 0}, {1, 1}, {0, 1}, {0.5, 0}, {0.5, 1}, {1, 0.5}, {0, 0.5}};
  double width;
  double height = (double)legend_rows(s->panel, &width) * ANK_LEGEND_ROW + ANK_LEGEND_GAP;
  double free_width = s->plot.width - width - 2 * EDGE_GAP,
         free_height = s->plot.height - height - 2 * EDGE_GAP;
  if (free_width < 0 || free_height < 0) return 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    ank_box box = {s->plot.x + EDGE_GAP + places[i][0] * free_width,
                   s->plot.y + EDGE_GAP + places[i][1] * free_height, width, height};
    ank_box around = {box.x - 5, box.y - 5, box.width + 10, box.height + 10};
    if (ank_sketch_covered(s, around) > 0) continue;
    s->legend = box;
    return 1;
  }
  return 0;
}

/* ---- all together ---- */

void ank_sketch_clear(ank_sketch *sketch) {
  for (size_t i = 0; sketch->traces && i < sketch->panel->count; i++) {
    ank_free(sketch->traces[i].x);
    ank_free(sketch->traces[i].y);
    ank_free(sketch->traces[i].z);
  }
  ank_free(sketch->traces);
  sketch->traces = NULL;
}

static anorank_status fill(ank_sketch *s, int beside, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_sketch_clear(s);
  arrange(s, beside);
  memset(&s->map, 0, sizeof s->map);
  ANK_TRY(ank_alloc(&s->traces, s->panel->count, sizeof *s->traces, err));
  for (size_t i = 0; i < s->panel->count; i++) {
    ANK_TRY(trace_series(&s->traces[i], s, &s->panel->series[i], err));
    map_series(s, &s->panel->series[i], &s->traces[i]);
  }
done:
  return status;
}

anorank_status ank_sketch_make(ank_sketch *sketch, const ank_panel *panel, ank_box cell, anorank_error *err) {
  double width;
  anorank_status status = ANORANK_OK;
  memset(sketch, 0, sizeof *sketch);
  sketch->panel = panel;
  sketch->cell = cell;
  place_range(&sketch->x, panel, 0);
  place_range(&sketch->y, panel, 1);
  int has_legend = legend_rows(panel, &width) > 0;
  ANK_TRY(fill(sketch,
               has_legend && (panel->legend == ANK_LEGEND_BESIDE || panel->legend == ANK_LEGEND_BELOW), err));
  if (has_legend && panel->legend == ANK_LEGEND_AUTO && !legend_inside(sketch)) ANK_TRY(fill(sketch, 1, err));
done:
  return status;
}
