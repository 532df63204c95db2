/* law_rows.c - laws that draw cells of the data; missing and infinite cells are drawn as often as they occur.
 *
 *   file     whole rows of the data, with replacement: a bootstrap, or a second sample of the user (--data
 *            names it; for learning, known anomalies join U with a separate weight, which the learner sets)
 *   permute  each cell from another row: columns keep their distributions but not their dependence. Only rows
 *            with a strange combination differ from the data, so scorers learn nothing about rows with one
 *            strange cell. With permute-share below 1: a row of the data in which each cell comes from another
 *            row with that probability, and at least one does (swap.h). Constant columns do not count. */
#include <math.h>

#include "contrast/law.h"
#include "core/alloc.h"
#include "core/swap.h"

static anorank_status check_rows(void **learned, const anorank_table *data, const anorank_settings *settings,
                                 anorank_error *err) {
  (void)learned, (void)settings;
  return ank_law_needs_rows(data, err);
}

static anorank_status draw_file(const ank_draw *draw, anorank_error *err) {
  (void)err;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    ank_copy_row(draw, i, (size_t)ank_rng_below(&rng, draw->data->rows));
  }
  return ANORANK_OK;
}

static void draw_independent(const ank_draw *draw) {
  const anorank_table *data = draw->data;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    for (size_t j = 0; j < data->columns; j++)
      ank_copy_cell(draw, i, (size_t)ank_rng_below(&rng, data->rows), j);
  }
}

static int swaps_some(const anorank_settings *settings) { return settings->permute_share < 1; }

/* Columns whose cells are not all the same. */
typedef struct {
  size_t count;
  size_t column[];
} varying;

int ank_column_varies(const anorank_table *data, size_t column) {
  const ank_column *of = &data->column[column];
  for (size_t i = 1; i < data->rows; i++)
    if (of->kind == ANORANK_CATEGORICAL
            ? of->codes[i] != of->codes[0]
            : of->numbers[i] != of->numbers[0] && !(isnan(of->numbers[i]) && isnan(of->numbers[0])))
      return 1;
  return 0;
}

static anorank_status learn_permute(void **learned, const anorank_table *data,
                                    const anorank_settings *settings, anorank_error *err) {
  varying *found;
  ANK_CHECK(ank_law_needs_rows(data, err));
  if (!swaps_some(settings)) return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(&found, 1, sizeof *found + data->columns * sizeof found->column[0], err));
  *learned = found;
  found->count = 0;
  for (size_t j = 0; j < data->columns; j++)
    if (ank_column_varies(data, j)) found->column[found->count++] = j;
  return ANORANK_OK;
}

static anorank_status draw_permute(const ank_draw *draw, anorank_error *err) {
  const anorank_table *data = draw->data;
  const varying *cells = draw->learned;
  size_t *from;
  if (!swaps_some(draw->settings)) {
    draw_independent(draw);
    return ANORANK_OK;
  }
  ANK_CHECK(ank_alloc_raw(&from, cells->count, sizeof *from, err));
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    size_t own = (size_t)ank_rng_below(&rng, data->rows);
    ank_copy_row(draw, i, own);
    ank_swap_draw(from, cells->count, own, data->rows, draw->settings->permute_share, &rng);
    for (size_t c = 0; c < cells->count; c++) ank_copy_cell(draw, i, from[c], cells->column[c]);
  }
  ank_free(from);
  return ANORANK_OK;
}

/* Repeat the draw above. */
static size_t made_of_permute(size_t *rows, const ank_origin *origin, uint64_t index) {
  ank_rng rng;
  size_t count = 1;
  if (!swaps_some(origin->settings)) return 0;
  ank_law_open(&rng, &ank_law_permute, origin->settings, index);
  rows[0] = (size_t)ank_rng_below(&rng, origin->rows);
  ank_swap_draw(rows + 1, origin->cells, rows[0], origin->rows, origin->settings->permute_share, &rng);
  for (size_t c = 1; c <= origin->cells; c++)
    if (rows[c] != rows[0]) rows[count++] = rows[c];
  return count;
}

const ank_law ank_law_file = {
    .info = {"file", "rows of the data, drawn with replacement", "", 2},
    .learn = check_rows,
    .draw = draw_file,
};

const ank_law ank_law_permute = {
    .info = {"permute", "cells from random rows, which keeps columns but makes them independent",
             "permute-share", 2},
    .learn = learn_permute,
    .draw = draw_permute,
    .made_of = made_of_permute,
};
