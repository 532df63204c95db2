/* law_displace.c - rows of the data with one value moved beyond its column's range: U = x_j, but in a random
 * column k that varies
 *
 *   U_k = max + e width   or   min - e width, half the time each,   width = max - min,
 *
 * with e log-uniform on [NEAREST, FARTHEST]. Whole numbers stay whole, at least one beyond. The other cells
 * stay, so only the extreme value distinguishes U from X; `permute` draws no such values. Columns too wide
 * for that in doubles stay, too.
 *
 * Categories have no range, so they stay. In a table without numbers that vary, one cell becomes another
 * level instead, all with equal probability. A missing cell may get a value. */
#include <math.h>

#include "contrast/column.h"
#include "contrast/law.h"
#include "core/alloc.h"

#define NAME ank_law_displace.info.name
#define NEAREST 0.01 /* widths beyond the range; study on odd-dev: docs/research/accuracy-log.md */
#define FARTHEST 2.0

typedef struct {
  size_t column;
  double low, high;
  int whole;
  size_t levels; /* of a category; 0 for numbers */
} reach;

typedef struct {
  size_t count;
  reach of[];
} reaches;

static anorank_status measure(reach *out, int *used, const anorank_table *data, size_t column,
                              anorank_error *err) {
  const double *x = data->column[column].numbers;
  ank_column_facts facts;
  ANK_CHECK(ank_column_measure(&facts, data, column, NAME, err));
  *out = (reach){.column = column, .low = facts.low, .high = facts.high, .whole = 1};
  for (size_t i = 0; i < data->rows; i++) out->whole &= isnan(x[i]) || x[i] == floor(x[i]);
  double far = FARTHEST * (facts.high - facts.low);
  *used = facts.high > facts.low && isfinite(facts.low - far) && isfinite(facts.high + far);
  return ANORANK_OK;
}

static anorank_status learn_reaches(void **learned, const anorank_table *data,
                                    const anorank_settings *settings, anorank_error *err) {
  reaches *found;
  (void)settings;
  ANK_CHECK(ank_law_needs_rows(data, err));
  ANK_CHECK(ank_alloc_raw(&found, 1, sizeof *found + data->columns * sizeof found->of[0], err));
  *learned = found;
  found->count = 0;
  for (size_t j = 0; j < data->columns; j++) {
    int used = 0;
    if (data->column[j].kind == ANORANK_CATEGORICAL) continue;
    ANK_CHECK(measure(&found->of[found->count], &used, data, j, err));
    found->count += (size_t)used;
  }
  for (size_t j = 0, numbers = found->count; j < data->columns && numbers == 0; j++) {
    const ank_column *column = &data->column[j];
    if (column->kind == ANORANK_CATEGORICAL && column->levels.count > 1)
      found->of[found->count++] = (reach){.column = j, .levels = column->levels.count};
  }
  return ANORANK_OK;
}

static double beyond(const reach *of, ank_rng *rng) {
  double start = log(NEAREST), length = log(FARTHEST) - start;
  double away = exp(start + length * ank_rng_uniform(rng)) * (of->high - of->low);
  if (ank_rng_uniform(rng) < 0.5) {
    double low = of->whole ? floor(of->low - away) : of->low - away;
    return fmin(low, nextafter(of->low, -INFINITY)); /* outside, however narrow the column is */
  }
  double high = of->whole ? ceil(of->high + away) : of->high + away;
  return fmax(high, nextafter(of->high, INFINITY));
}

static anorank_status draw_displace(const ank_draw *draw, anorank_error *err) {
  (void)err;
  const reaches *found = draw->learned;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    ank_copy_row(draw, i,
                 (size_t)ank_rng_below(&rng, draw->data->rows)); /* the first word: made_of_displace */
    if (found->count == 0) continue;
    const reach *of = &found->of[ank_rng_below(&rng, found->count)];
    ank_column *to = &draw->table->column[of->column];
    if (of->levels == 0) {
      to->numbers[draw->first + i] = beyond(of, &rng);
      continue;
    }
    int32_t *code = &to->codes[draw->first + i], other = (int32_t)ank_rng_below(&rng, of->levels - 1);
    *code = *code >= 0 && other >= *code ? other + 1 : other;
  }
  return ANORANK_OK;
}

static size_t made_of_displace(size_t *rows, const ank_origin *origin, uint64_t index) {
  ank_rng rng;
  ank_law_open(&rng, &ank_law_displace, origin->settings, index);
  rows[0] = (size_t)ank_rng_below(&rng, origin->rows);
  return 1;
}

const ank_law ank_law_displace = {
    .info = {"displace", "rows of the data with one value moved beyond the range of its column", "", 2},
    .learn = learn_reaches,
    .draw = draw_displace,
    .made_of = made_of_displace,
};
