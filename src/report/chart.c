/* chart.c - build figures (see chart.h): copy what is to be drawn. Layout and drawing come at the end, when
 * everything is known. */
#include "report/chart.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "report/chart_colour.h"
#include "report/chart_model.h"

static anorank_status copy_text(char **out, const char *text, anorank_error *err) {
  *out = NULL;
  return text && *text ? ank_copy_text(out, text, strlen(text), err) : ANORANK_OK;
}

static anorank_status copy_numbers(double **out, const double *from, size_t n, anorank_error *err) {
  anorank_status status = ank_alloc_raw(out, n, sizeof **out, err);
  if (status == ANORANK_OK && n > 0) memcpy(*out, from, n * sizeof **out);
  return status;
}

static void series_clear(ank_series *series) {
  ank_free(series->label);
  ank_free(series->x);
  ank_free(series->y);
  ank_free(series->z);
}

static void axis_clear(ank_axis_model *axis) {
  for (size_t i = 0; axis->names && i < axis->name_count; i++) ank_free(axis->names[i]);
  ank_free(axis->names);
  ank_free(axis->label);
}

static void panel_free(ank_panel *panel) {
  if (!panel) return;
  for (size_t i = 0; i < panel->count; i++) series_clear(&panel->series[i]);
  ank_free(panel->series);
  ank_free(panel->title);
  axis_clear(&panel->x);
  axis_clear(&panel->y);
  ank_free(panel);
}

/* Append `series`, whose arrays and label this takes over, also on failure. */
static anorank_status append(ank_panel *panel, ank_series *series, anorank_error *err) {
  anorank_status status =
      ank_reserve(&panel->series, &panel->capacity, panel->count + 1, sizeof *panel->series, err);
  if (status == ANORANK_OK)
    panel->series[panel->count++] = *series;
  else
    series_clear(series);
  return status;
}

static anorank_status add(ank_panel *panel, ank_kind kind, const double *x, const double *y, const double *z,
                          size_t n, const ank_style *style, anorank_error *err) {
  static const ank_style plain = {0};
  anorank_status status = ANORANK_OK;
  if (!style) style = &plain;
  ank_series series = {.kind = kind, .n = n, .dash = style->dash, .marker = style->marker};
  series.width = style->width > 0 ? style->width : kind == ANK_KIND_POINTS ? 5 : 2;
  series.opacity = style->opacity > 0        ? style->opacity
                   : kind == ANK_KIND_BAND   ? 0.2
                   : kind == ANK_KIND_POINTS ? 0.8
                                             : 1;
  ANK_TRY(copy_text(&series.label, style->label, err));
  ANK_TRY(copy_numbers(&series.x, x, n, err));
  ANK_TRY(copy_numbers(&series.y, y, n, err));
  if (z) ANK_TRY(copy_numbers(&series.z, z, n, err));
  series.colour = style->colour ? style->colour : ank_colour_automatic(panel->automatic++);
  return append(panel, &series, err);
done:
  series_clear(&series);
  return status;
}

anorank_status ank_panel_line(ank_panel *panel, const double *x, const double *y, size_t n,
                              const ank_style *style, anorank_error *err) {
  return add(panel, ANK_KIND_LINE, x, y, NULL, n, style, err);
}

anorank_status ank_panel_steps(ank_panel *panel, const double *x, const double *y, size_t n,
                               const ank_style *style, anorank_error *err) {
  return add(panel, ANK_KIND_STEPS, x, y, NULL, n, style, err);
}

anorank_status ank_panel_points(ank_panel *panel, const double *x, const double *y, size_t n,
                                const ank_style *style, anorank_error *err) {
  return add(panel, ANK_KIND_POINTS, x, y, NULL, n, style, err);
}

anorank_status ank_panel_band(ank_panel *panel, const double *x, const double *low, const double *high,
                              size_t n, const ank_style *style, anorank_error *err) {
  return add(panel, ANK_KIND_BAND, x, low, high, n, style, err);
}

/* A rectangle each, as a piece of a band between breaks. */
static anorank_status add_boxes(ank_panel *panel, const double *edges, size_t n, const ank_style *style,
                                anorank_error *err) {
  double *x = NULL;
  anorank_status status = ank_alloc_raw(&x, n, 9 * sizeof *x, err);
  if (status != ANORANK_OK) return status;
  double *low = x + 3 * n, *high = low + 3 * n;
  for (size_t k = 0; k < n; k++) {
    const double *box = edges + 4 * k; /* left, right, bottom, top */
    for (size_t i = 0; i < 3; i++) {
      x[3 * k + i] = i < 2 ? box[i] : NAN;
      low[3 * k + i] = box[2];
      high[3 * k + i] = box[3];
    }
  }
  status = ank_panel_band(panel, x, low, high, 3 * n, style, err);
  ank_free(x);
  return status;
}

anorank_status ank_panel_bars(ank_panel *panel, double from, double to, const double *values, size_t n,
                              const ank_style *style, anorank_error *err) {
  double *edges = NULL, width = (to - from) / (double)n;
  anorank_status status = ank_alloc_raw(&edges, n, 4 * sizeof *edges, err);
  for (size_t k = 0; status == ANORANK_OK && k < n; k++) {
    const double box[] = {from + ((double)k + 0.03) * width, from + ((double)k + 0.97) * width, 0, values[k]};
    memcpy(edges + 4 * k, box, sizeof box);
  }
  if (status == ANORANK_OK) status = add_boxes(panel, edges, n, style, err);
  ank_free(edges);
  return status;
}

anorank_status ank_panel_lying_bars(ank_panel *panel, const double *values, size_t n, const ank_style *style,
                                    anorank_error *err) {
  double *edges = NULL;
  anorank_status status = ank_alloc_raw(&edges, n, 4 * sizeof *edges, err);
  for (size_t k = 0; status == ANORANK_OK && k < n; k++) {
    const double box[] = {0, values[k], (double)k - 0.36, (double)k + 0.36};
    memcpy(edges + 4 * k, box, sizeof box);
  }
  if (status == ANORANK_OK) status = add_boxes(panel, edges, n, style, err);
  ank_free(edges);
  return status;
}

anorank_status ank_panel_reference(ank_panel *panel, double x0, double y0, double x1, double y1,
                                   const char *label, anorank_error *err) {
  const ank_style grey = {.label = label, .colour = ANK_COLOUR_GREY, .dash = ANK_DASH_SHORT, .width = 1.5};
  return add(panel, ANK_KIND_REFERENCE, (const double[]){x0, x1}, (const double[]){y0, y1}, NULL, 2, &grey,
             err);
}

anorank_status ank_panel_cells(ank_panel *panel, const ank_cells *cells, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_series series = {.kind = ANK_KIND_CELLS, .rows = cells->rows, .columns = cells->columns};
  for (size_t i = 0; i < panel->count; i++)
    if (panel->series[i].kind == ANK_KIND_CELLS)
      ANK_FAIL(ANORANK_ERROR_USAGE, "chart-heat-map",
               "a panel can hold one heat map; add another panel for the second");
  if (__builtin_mul_overflow(cells->rows, cells->columns, &series.n) || series.n == 0)
    ANK_FAIL(ANORANK_ERROR_USAGE, "chart-heat-map", "a heat map of %zu by %zu cells cannot be drawn",
             cells->rows, cells->columns);
  ANK_TRY(copy_text(&series.label, cells->label, err));
  const double edges[] = {cells->x_low, cells->x_high, cells->y_low, cells->y_high};
  ANK_TRY(copy_numbers(&series.x, edges, 4, err));
  ANK_TRY(copy_numbers(&series.y, cells->values, series.n, err));
  series.low = cells->low;
  series.high = cells->high;
  series.bounds = cells->bounds && cells->bound_count <= ANK_NAMES_MAX ? cells->bound_count : 0;
  if (series.bounds > 0) ANK_TRY(copy_numbers(&series.z, cells->bounds, series.bounds, err));
  return append(panel, &series, err);
done:
  series_clear(&series);
  return status;
}

static anorank_status copy_axis(ank_axis_model *out, const ank_axis *axis, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  out->low = axis->low;
  out->high = axis->high;
  out->is_log = axis->scale == ANK_SCALE_LOG;
  out->is_time = axis->scale == ANK_SCALE_TIME;
  if (axis->names && axis->name_count <= ANK_NAMES_MAX) {
    ANK_TRY(ank_alloc(&out->names, axis->name_count, sizeof *out->names, err));
    out->name_count = axis->name_count;
    for (size_t i = 0; i < out->name_count; i++)
      ANK_TRY(ank_copy_text(&out->names[i], axis->names[i], strlen(axis->names[i]), err));
  }
  ANK_TRY(copy_text(&out->label, axis->label, err));
done:
  return status;
}

anorank_status ank_figure_panel(ank_panel **out, ank_figure *figure, const ank_panel_options *options,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_panel *panel = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&panel, 1, sizeof *panel, err));
  panel->legend = options->legend;
  ANK_TRY(copy_text(&panel->title, options->title, err));
  ANK_TRY(copy_axis(&panel->x, &options->x, err));
  ANK_TRY(copy_axis(&panel->y, &options->y, err));
  ANK_TRY(ank_reserve(&figure->panels, &figure->capacity, figure->count + 1, sizeof *figure->panels, err));
  figure->panels[figure->count++] = panel;
  *out = panel;
  panel = NULL;
done:
  panel_free(panel);
  return status;
}

anorank_status ank_figure_new(ank_figure **out, const ank_figure_options *options, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_figure *figure = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&figure, 1, sizeof *figure, err));
  figure->columns = options->columns;
  figure->width = options->width;
  figure->height = options->height;
  ANK_TRY(copy_text(&figure->title, options->title, err));
  ANK_TRY(copy_text(&figure->caption, options->caption, err));
  const char *description = options->description ? options->description : options->caption;
  ANK_TRY(copy_text(&figure->description, description, err));
  *out = figure;
  figure = NULL;
done:
  ank_figure_free(figure);
  return status;
}

void ank_figure_free(ank_figure *figure) {
  if (!figure) return;
  for (size_t i = 0; i < figure->count; i++) panel_free(figure->panels[i]);
  ank_free(figure->panels);
  ank_free(figure->title);
  ank_free(figure->caption);
  ank_free(figure->description);
  ank_free(figure);
}

anorank_status ank_figure_write(const ank_figure *figure, const char *path, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_output *output = NULL;
  ANK_TRY(ank_output_open(&output, path, err));
  ANK_TRY(ank_figure_print(figure, output, err));
  ANK_TRY(ank_output_commit(output, err));
done:
  ank_output_free(output);
  return status;
}
