/* figure_map.c - rows on the plane of largest variance of the background rows, over the p-values of that
 * plane; see figure.h. */
#include <math.h>

#include "core/alloc.h"
#include "core/print.h"
#include "report/figure.h"

enum {
  FINER = 5, /* the shades have a finer grid than the numbers */
  FINE = FINER * ANK_MAP_GRID
};

static const double bounds[] = {0.01, 0.1, 0.5};
static const char *const shades[] = {"#fafafa", "#dee8f0", "#c2d6e6", "#a6c4dc"};

/* Return the logarithm of the p-value at (i, k) of the grid, interpolated linearly. */
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

/* Compute the p-values on the finer grid, which the caller frees; NULL if the map has none. */
static anorank_status refine(double **out, const ank_map *map, anorank_error *err) {
  *out = NULL;
  if (!map->grid) return ANORANK_OK;
  anorank_status status = ank_alloc_raw(out, (size_t)FINE * FINE, sizeof **out, err);
  if (status != ANORANK_OK) return status;
  for (size_t i = 0; i < FINE; i++)
    for (size_t k = 0; k < FINE; k++)
      (*out)[i * FINE + k] =
          exp(between(map->grid, ((double)i + 0.5) / FINER - 0.5, ((double)k + 0.5) / FINER - 0.5));
  return ANORANK_OK;
}

/* Clamp rows to the border. */
static void clamp_rows(ank_map *map, size_t count) {
  for (size_t i = 0; i < count; i++) {
    map->x[i] = fmin(fmax(map->x[i], map->low[0]), map->high[0]);
    map->y[i] = fmin(fmax(map->y[i], map->low[1]), map->high[1]);
  }
}

/* Add the shades first, then the rows. */
static void fill_panel(ank_panel *panel, const ank_map *map, const double *fine, const ank_report *report) {
  size_t listed = report->listed, flagged = report->flagged < listed ? report->flagged : listed;
  const ank_series all[] = {{ANK_CELLS, .label = "p-value of a row at that place", .y = fine,
                             .count = fine ? (size_t)FINE * FINE : 0, .shades = shades, .bounds = bounds,
                             .bound_count = sizeof bounds / sizeof *bounds},
                            {ANK_DOTS, .label = "others, drawn at random", .x = map->x + listed,
                             .y = map->y + listed, .count = report->sampled, .colour = ANK_BLACK, .size = 2.2,
                             .opacity = 0.45},
                            {ANK_RINGS, .label = "next in the order", .x = map->x + flagged,
                             .y = map->y + flagged, .count = listed - flagged, .colour = ANK_VERMILION},
                            {ANK_TRIANGLES, .label = "stand out", .x = map->x, .y = map->y, .count = flagged,
                             .colour = ANK_VERMILION, .size = 9}};
  size_t to = 0;
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (all[k].count > 0) panel->series[to++] = all[k];
}

static anorank_status draw(ank_output *output, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char caption[ANK_CAPTION_SIZE], label[2][96];
  ank_map map = {0};
  double *fine = NULL;
  ANK_TRY(ank_map_make(&map, report, err));
  ANK_TRY(refine(&fine, &map, err));
  clamp_rows(&map, report->listed + report->sampled);
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
  ank_chart chart = {.title = "Map of the rows",
                     .caption = caption,
                     .height = 680,
                     .count = 1,
                     .panels = {{.x = {.label = label[0], .low = map.low[0], .high = map.high[0]},
                                 .y = {.label = label[1], .low = map.low[1], .high = map.high[1]}}}};
  fill_panel(&chart.panels[0], &map, fine, report);
  ANK_TRY(ank_chart_print(output, &chart, err));
done:
  ank_map_free(&map);
  ank_free(fine);
  return status;
}

const ank_figure_kind ank_figure_map = {
    {"map", "rows on the plane on which they differ most, over the level sets of the score", 0, 0}, draw};
