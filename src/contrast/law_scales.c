/* law_scales.c - rows of the data, changed at many scales: a mixture of five kinds in equal parts.
 *
 *   noise     law jitter: s sd e added, s log-uniform on [jitter-from, jitter-to]; to all cells or to some
 *   moved     like noise; then a column whose values repeat takes the nearest value of the data, so that no
 *             network recognises the row by a value that never occurs
 *   swapped   some cells from other rows: the dependence of columns is lost
 *   wide      each cell uniform on its column's range, widened by half of it on either side
 *   values    each cell uniform over its column's distinct values, however rare
 *
 * "Some cells": each with probability SOME, and one at random. These rows lie near the data, between them and
 * beyond them, so a class that separates X from U must know the data at each of these scales. Where a number
 * moves, a category becomes a uniform level (kinds 1 and 2: with probability s / (1 + s), as in jitter).
 * Cells that are missing in the row stay missing in all kinds but `swapped`. */
#include <math.h>
#include <string.h>

#include "contrast/column.h"
#include "contrast/law.h"
#include "core/alloc.h"
#include "core/settings.h"
#include "kernels/sort.h"

#define NAME ank_law_scales.info.name
#define SOME 0.3
#define PAD 0.5
#define FARTHEST 40.0 /* no normal draw deviates this much */
#define REPEAT 0.9    /* share of cells with repeated values, from which a column keeps to its values */

enum { NOISE, MOVED, SWAPPED, WIDE, VALUES, KINDS };

typedef struct {
  double low, high, sd; /* of numbers */
  size_t levels;        /* of a category; 0 for numbers */
  int repeats;
  size_t first, distinct; /* of the values, which follow all columns */
} facts;

typedef struct {
  double *values;
  facts column[];
} learned_scales;

/* Collect the distinct values of a numeric column in order. Returns their number; *alone: those of a single
 * cell. */
static anorank_status collect(double *values, size_t *distinct, size_t *alone, size_t *cells,
                              const ank_column *column, size_t rows, anorank_error *err) {
  anorank_settings one = *ank_settings_defaults();
  size_t run = 0;
  one.threads = 1;
  *distinct = *alone = *cells = 0;
  for (size_t i = 0; i < rows; i++)
    if (!isnan(column->numbers[i])) values[(*cells)++] = column->numbers[i];
  ANK_CHECK(ank_sort(values, *cells, &one, err));
  for (size_t i = 0; i < *cells; i++) {
    run = i > 0 && values[i] == values[i - 1] ? run + 1 : 1;
    *alone += run == 1;
    *alone -= run == 2;
  }
  for (size_t i = 0; i < *cells; i++)
    if (i == 0 || values[i] != values[*distinct - 1]) values[(*distinct)++] = values[i];
  return ANORANK_OK;
}

static anorank_status measure(facts *out, double *values, const anorank_table *data, size_t j, double most_s,
                              anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  ank_column_facts known;
  size_t alone, cells;
  if (data->column[j].kind == ANORANK_CATEGORICAL) return ank_column_levels(&out->levels, data, j, NAME, err);
  ANK_CHECK(ank_column_measure(&known, data, j, NAME, err));
  ANK_CHECK(collect(values, &out->distinct, &alone, &cells, &data->column[j], data->rows, err));
  out->repeats = (double)(cells - alone) >= REPEAT * (double)cells;
  double pad = PAD * (known.high - known.low), reach = FARTHEST * most_s * known.sd;
  out->sd = known.sd;
  out->low = known.low - pad;
  out->high = known.high + pad;
  if (isfinite(out->low) && isfinite(out->high) && isfinite(out->high - out->low) &&
      isfinite(known.low - reach) && isfinite(known.high + reach))
    return ANORANK_OK;
  (void)ank_fail(err, ANORANK_ERROR_DATA, "contrast-too-wide",
                 "column '%s' with noise of %g standard deviations is too wide; scale it or lower jitter-to",
                 ank_column_quote(quoted, data, j), most_s);
  ank_error_set_location(err, data->source, 0, data->column[j].name);
  return ANORANK_ERROR_DATA;
}

/* One block of memory: the columns, then their values. */
static anorank_status learn_scales(void **learned, const anorank_table *data,
                                   const anorank_settings *settings, anorank_error *err) {
  learned_scales *scales = NULL;
  size_t head = sizeof *scales + data->columns * sizeof(facts), used = 0;
  ANK_CHECK(ank_law_jitter_widths(settings, err));
  ANK_CHECK(ank_law_needs_rows(data, err));
  head = (head + sizeof(double) - 1) / sizeof(double) * sizeof(double);
  ANK_CHECK(ank_alloc(&scales, 1, head + data->columns * data->rows * sizeof(double), err));
  *learned = scales;
  scales->values = (double *)(void *)((char *)scales + head);
  for (size_t j = 0; j < data->columns; j++) {
    scales->column[j].first = used;
    ANK_CHECK(measure(&scales->column[j], scales->values + used, data, j, settings->jitter_to, err));
    used += scales->column[j].distinct;
  }
  return ANORANK_OK;
}

static double nearest(const double *values, size_t count, double x) {
  size_t from = 0, left = count; /* the first at or above x */
  while (left > 0) {
    size_t half = left / 2;
    if (values[from + half] < x) {
      from += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  if (from == count) return values[count - 1];
  return from > 0 && x - values[from - 1] < values[from] - x ? values[from - 1] : values[from];
}

typedef struct {
  int kind, all;
  double s;
  size_t row, certain; /* the cell that always changes */
} change;

static double new_number(const ank_draw *draw, const change *how, size_t j, ank_rng *rng) {
  const learned_scales *scales = draw->learned;
  const facts *f = &scales->column[j];
  const double *values = scales->values + f->first;
  double x = draw->data->column[j].numbers[how->row];
  if (isnan(x)) return x;
  switch (how->kind) {
  case WIDE: return f->low + (f->high - f->low) * ank_rng_uniform(rng);
  case VALUES: return values[ank_rng_below(rng, f->distinct)];
  default: x += f->sd > 0 ? how->s * f->sd * ank_rng_normal(rng) : 0;
  }
  return how->kind == MOVED && f->repeats ? nearest(values, f->distinct, x) : x;
}

static int32_t new_level(const ank_draw *draw, const change *how, size_t j, ank_rng *rng) {
  const learned_scales *scales = draw->learned;
  int32_t code = draw->data->column[j].codes[how->row];
  double chance = how->kind == NOISE || how->kind == MOVED ? how->s / (1 + how->s) : 1;
  if (code < 0 || !(ank_rng_uniform(rng) < chance)) return code;
  return (int32_t)ank_rng_below(rng, scales->column[j].levels);
}

static anorank_status draw_scales(const ank_draw *draw, anorank_error *err) {
  (void)err;
  const anorank_table *data = draw->data;
  double start = log(draw->settings->jitter_from), length = log(draw->settings->jitter_to) - start;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    change how = {.row = (size_t)ank_rng_below(&rng, data->rows)};
    how.kind = (int)ank_rng_below(&rng, KINDS);
    how.s = exp(start + length * ank_rng_uniform(&rng));
    how.all = how.kind == WIDE || how.kind == VALUES || (how.kind != SWAPPED && ank_rng_uniform(&rng) < 0.5);
    how.certain = (size_t)ank_rng_below(&rng, data->columns);
    for (size_t j = 0; j < data->columns; j++) {
      const ank_column *from = &data->column[j];
      ank_column *to = &draw->table->column[j];
      int moves = how.all || j == how.certain || ank_rng_uniform(&rng) < SOME;
      size_t row = moves && how.kind == SWAPPED ? (size_t)ank_rng_below(&rng, data->rows) : how.row;
      int changes = moves && how.kind != SWAPPED;
      if (from->kind == ANORANK_CATEGORICAL)
        to->codes[draw->first + i] = changes ? new_level(draw, &how, j, &rng) : from->codes[row];
      else
        to->numbers[draw->first + i] = changes ? new_number(draw, &how, j, &rng) : from->numbers[row];
    }
  }
  return ANORANK_OK;
}

const ank_law ank_law_scales = {
    .info = {"scales", "rows of the data changed at many scales: noise, moved, swapped, wide and rare cells",
             "jitter-from jitter-to", 2},
    .learn = learn_scales,
    .draw = draw_scales,
};
