/* figure_map.c - rows on the plane on which the usual ones differ most, over the p-values of that plane; see figure.h. */
#include <math.h>

#include "core/alloc.h"
#include "core/print.h"
#include "report/chart_ink.h"
#include "report/figure.h"

enum {
  FINER = 5, /* the shades are drawn on a finer grid than that of the numbers */
  FINE = FINER * ANK_MAP_GRID
};

/* The logarithm of the p-value at (i, k) of the grid, between its points linear. */
static double between(const double *grid, double i, double k) {
  double value = 0, a = floor(i), b = floor(k);
  for (int corner = 0; corner < 4; corner++) {
    double row = a + corner / 2, column = b + corner % 2;
    double weight = (1 - fabs(i - row)) * (1 - fabs(k - column));
    size_t r = (size_t)fmin(fmax(row, 0), ANK_MAP_GRID - 1),
           c = (size_t)fmin(fmax(column, 0), ANK_MAP_GRID - 1);
    value += weight * log(grid[r * ANK_MAP_GRID + c] + 1e-4);
  }
  return value;
}

static anorank_status add_shades(ank_panel *panel, const ank_map *map, anorank_error *err) {
  static const double bounds[] = {0.01, 0.1, 0.5};
  anorank_status status = ANORANK_OK;
  double *fine = NULL;
  if (!map->grid) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&fine, (size_t)FINE * FINE, sizeof *fine, err));
  for (size_t i = 0; i < FINE; i++)
    for (size_t k = 0; k < FINE; k++)
      fine[i * FINE + k] =
          exp(between(map->grid, ((double)i + 0.5) / FINER - 0.5, ((double)k + 0.5) / FINER - 0.5));
  ANK_TRY(ank_panel_cells(panel,
                          &(ank_cells){.values = fine,
                                       .rows = FINE,
                                       .columns = FINE,
                                       .x_low = map->low[0],
                                       .x_high = map->high[0],
                                       .y_low = map->low[1],
                                       .y_high = map->high[1],
                                       .bounds = bounds,
                                       .bound_count = sizeof bounds / sizeof *bounds,
                                       .label = "p-value of a row at that place"},
                          err));
done:
  ank_free(fine);
  return status;
}

/* Rows beyond the border stand on it. */
static void hold(ank_map *map, size_t count) {
  for (size_t i = 0; i < count; i++) {
    map->x[i] = fmin(fmax(map->x[i], map->low[0]), map->high[0]);
    map->y[i] = fmin(fmax(map->y[i], map->low[1]), map->high[1]);
  }
}

static anorank_status add_rows(ank_panel *panel, const ank_map *map, const ank_report *report,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t listed = report->listed, flagged = report->flagged < listed ? report->flagged : listed;
  const ank_style flagged_style = ank_style_flagged(9);
  ANK_TRY(ank_panel_points(
      panel, map->x + listed, map->y + listed, report->sampled,
      &(ank_style){
          .label = "others, drawn at random", .colour = ANK_COLOUR_BLACK, .width = 2.2, .opacity = 0.45},
      err));
  if (listed > flagged)
    ANK_TRY(ank_panel_points(panel, map->x + flagged, map->y + flagged, listed - flagged,
                             &(ank_style){.label = "next in the order",
                                          .colour = ANK_COLOUR_VERMILION,
                                          .marker = ANK_MARKER_RING,
                                          .width = 5,
                                          .opacity = 1},
                             err));
  if (flagged > 0) ANK_TRY(ank_panel_points(panel, map->x, map->y, flagged, &flagged_style, err));
done:
  return status;
}

static anorank_status draw(ank_figure **out, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char caption[ANK_CAPTION_SIZE], label[2][96];
  ank_map map = {0};
  ank_panel *panel;
  ANK_TRY(ank_map_make(&map, report, err));
  hold(&map, report->listed + report->sampled);
  for (size_t k = 0; k < 2; k++)
    ank_print(label[k], sizeof label[k], "%s principal axis (%.3g %% of the variance)",
              k == 0 ? "first" : "second", 100 * map.share[k]);
  ank_caption(
      caption, report,
      "The plane on which the usual rows differ most%s. Rows beyond its border are drawn at the border.",
      !map.grid      ? ""
      : map.dim <= 3 ? ", shaded by the level sets of the score"
                     : ", shaded by the p-value that a row on this very plane would have; rows lie off it in "
                       "other directions");
  ANK_TRY(ank_figure_new(
      out, &(ank_figure_options){.title = "Map of the rows", .caption = caption, .height = 680}, err));
  ANK_TRY(
      ank_figure_panel(&panel, *out,
                       &(ank_panel_options){.x = {.label = label[0], .low = map.low[0], .high = map.high[0]},
                                            .y = {.label = label[1], .low = map.low[1], .high = map.high[1]},
                                            .legend = ANK_LEGEND_BELOW},
                       err));
  ANK_TRY(add_shades(panel, &map, err));
  ANK_TRY(add_rows(panel, &map, report, err));
done:
  ank_map_free(&map);
  return status;
}

const ank_figure_kind ank_figure_map = {
    {"map", "rows on the plane on which they differ most, over the level sets of the score", 0, 0}, draw};
