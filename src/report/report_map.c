/* report_map.c - a plane through the rows; see report_data.h.
 *
 * The first two principal axes of the model's background rows, in the features of the scorer, span the plane.
 * The grid shows p-values of points of the plane. For a model with two features these are the level sets of
 * the score; else they are a section, and rows lie off the plane. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "report/report_data.h"

enum {
  GRID = ANK_MAP_GRID,
  STEPS = 60,          /* steps of the power iteration */
  MOST_FEATURES = 2000 /* above, the grid would take too long */
};

void ank_map_free(ank_map *map) {
  ank_free(map->centre);
  ank_free(map->axis[0]);
  ank_free(map->axis[1]);
  ank_free(map->x);
  ank_free(map->y);
  ank_free(map->grid);
  *map = (ank_map){0};
}

/* ---- axes -------------------------------------------------------------------------------------------- */

static double dot(const double *a, const double *b, size_t n) {
  double sum = 0;
  for (size_t j = 0; j < n; j++) sum += a[j] * b[j];
  return sum;
}

/* Make `v` a unit vector orthogonal to `before` (NULL: none). Returns its previous length. */
static double straighten(double *v, const double *before, size_t n) {
  double along = before ? dot(v, before, n) : 0;
  for (size_t j = 0; before && j < n; j++) v[j] -= along * before[j];
  double length = sqrt(dot(v, v, n));
  for (size_t j = 0; j < n; j++) v[j] = length > 0 ? v[j] / length : 0;
  return length;
}

/* Compute next = covariance of the background rows times v. */
static void multiply(double *next, const ank_pipeline *pipeline, const ank_map *map, const double *v) {
  size_t dim = map->dim, rows = pipeline->usual_rows;
  memset(next, 0, dim * sizeof *next);
  for (size_t b = 0; b < rows; b++) {
    const double *row = pipeline->background + b * dim;
    double along = 0;
    for (size_t j = 0; j < dim; j++) along += (row[j] - map->centre[j]) * v[j];
    for (size_t j = 0; j < dim; j++) next[j] += along * (row[j] - map->centre[j]) / (double)rows;
  }
}

/* Find an axis by power iteration from a fixed start. Its largest component becomes positive. */
static anorank_status find_axis(ank_map *map, size_t which, const ank_pipeline *pipeline, double total,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *next = NULL, *v = map->axis[which], length = 0;
  const double *before = which > 0 ? map->axis[0] : NULL;
  size_t largest = 0;
  ANK_TRY(ank_alloc_raw(&next, map->dim, sizeof *next, err));
  for (size_t j = 0; j < map->dim; j++) v[j] = 1 + (double)((j * 7 + which * 3) % 11) / 11;
  straighten(v, before, map->dim);
  for (int k = 0; k < STEPS; k++) {
    multiply(next, pipeline, map, v);
    memcpy(v, next, map->dim * sizeof *v);
    length = straighten(v, before, map->dim);
  }
  map->share[which] = total > 0 ? length / total : 0;
  for (size_t j = 0; j < map->dim; j++)
    if (fabs(v[j]) > fabs(v[largest])) largest = j;
  for (size_t j = 0; v[largest] < 0 && j < map->dim; j++) v[j] = -v[j];
done:
  ank_free(next);
  return status;
}

static double find_centre(ank_map *map, const ank_pipeline *pipeline) {
  double total = 0, rows = (double)pipeline->usual_rows;
  for (size_t b = 0; b < pipeline->usual_rows; b++)
    for (size_t j = 0; j < map->dim; j++) map->centre[j] += pipeline->background[b * map->dim + j] / rows;
  for (size_t b = 0; b < pipeline->usual_rows; b++)
    for (size_t j = 0; j < map->dim; j++) {
      double off = pipeline->background[b * map->dim + j] - map->centre[j];
      total += off * off / rows;
    }
  return total;
}

static void place_row(ank_map *map, size_t at, const double *features) {
  for (size_t j = 0; j < map->dim; j++) {
    map->x[at] += (features[j] - map->centre[j]) * map->axis[0][j];
    map->y[at] += (features[j] - map->centre[j]) * map->axis[1][j];
  }
}

/* ---- the score over the plane ------------------------------------------------------------------------ */

/* Find the range of the background rows and most of the shown rows, with a margin on both sides. */
static void find_extent(ank_map *map, size_t which, const ank_pipeline *pipeline, const double *at,
                        size_t count) {
  double usual[2] = {INFINITY, -INFINITY}, all[2] = {INFINITY, -INFINITY};
  for (size_t b = 0; b < pipeline->usual_rows; b++) {
    const double *row = pipeline->background + b * map->dim;
    double value = 0;
    for (size_t j = 0; j < map->dim; j++) value += (row[j] - map->centre[j]) * map->axis[which][j];
    usual[0] = fmin(usual[0], value);
    usual[1] = fmax(usual[1], value);
  }
  for (size_t i = 0; i < count; i++) all[0] = fmin(all[0], at[i]), all[1] = fmax(all[1], at[i]);
  double width = usual[1] - usual[0] > 0 ? usual[1] - usual[0] : 1;
  double margin = 0.08 * width; /* rows farther out than half of the usual width are drawn at the border */
  map->low[which] = fmin(usual[0], fmax(all[0], usual[0] - width / 2)) - margin;
  map->high[which] = fmax(usual[1], fmin(all[1], usual[1] + width / 2)) + margin;
}

/* Fill the grid row by row, from low to high. */
static anorank_status fill_grid(ank_map *map, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *block = NULL, scores[GRID];
  ANK_TRY(ank_alloc_raw(&map->grid, GRID * GRID, sizeof *map->grid, err));
  ANK_TRY(ank_alloc_raw(&block, GRID * map->dim, sizeof *block, err));
  for (size_t i = 0; i < GRID; i++) {
    double b = map->low[1] + (map->high[1] - map->low[1]) * ((double)i + 0.5) / GRID;
    for (size_t k = 0; k < GRID; k++) {
      double a = map->low[0] + (map->high[0] - map->low[0]) * ((double)k + 0.5) / GRID;
      for (size_t j = 0; j < map->dim; j++)
        block[k * map->dim + j] = map->centre[j] + a * map->axis[0][j] + b * map->axis[1][j];
    }
    ANK_TRY(ank_pipeline_score_features(scores, &report->model->pipeline, block, GRID, 0, err));
    for (size_t k = 0; k < GRID; k++)
      map->grid[i * GRID + k] = round(1e4 * ank_model_p_value(report->model, scores[k])) / 1e4;
  }
done:
  ank_free(block);
  return status;
}

anorank_status ank_map_make(ank_map *out, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_pipeline *pipeline = &report->model->pipeline;
  size_t shown = report->listed + report->sampled;
  double *features = NULL;
  *out = (ank_map){.dim = ank_prepare_dim(pipeline->prepare)};
  ANK_TRY(ank_alloc(&out->centre, out->dim, sizeof *out->centre, err));
  for (size_t k = 0; k < 2; k++) ANK_TRY(ank_alloc(&out->axis[k], out->dim, sizeof **out->axis, err));
  ANK_TRY(ank_alloc(&out->x, shown, sizeof *out->x, err));
  ANK_TRY(ank_alloc(&out->y, shown, sizeof *out->y, err));
  ANK_TRY(ank_alloc_raw(&features, out->dim, sizeof *features, err));
  double total = find_centre(out, pipeline);
  for (size_t k = 0; k < 2; k++) ANK_TRY(find_axis(out, k, pipeline, total, err));
  for (size_t i = 0; i < shown; i++) {
    size_t place = i < report->listed ? i : report->sample[i - report->listed];
    ANK_TRY(ank_prepare_rows(features, pipeline->prepare, report->match, report->table,
                             ank_report_at(report, place)->row, 1, err));
    place_row(out, i, features);
  }
  find_extent(out, 0, pipeline, out->x, shown);
  find_extent(out, 1, pipeline, out->y, shown);
  if (out->dim <= MOST_FEATURES) ANK_TRY(fill_grid(out, report, err));
done:
  ank_free(features);
  if (status != ANORANK_OK) ank_map_free(out);
  return status;
}

void ank_map_write(ank_json *json, const ank_map *map) {
  ank_json_open_key(json, "map", '{', 0);
  ank_json_count(json, "features", map->dim);
  ank_json_numbers(json, "share", map->share, 2);
  ank_json_numbers(json, "x", (const double[]){map->low[0], map->high[0]}, 2);
  ank_json_numbers(json, "y", (const double[]){map->low[1], map->high[1]}, 2);
  if (map->grid) {
    ank_json_count(json, "grid_size", GRID);
    ank_json_numbers(json, "grid", map->grid, (size_t)GRID * GRID);
  }
  ank_json_close(json, '}');
}
