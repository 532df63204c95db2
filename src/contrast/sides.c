/* sides.c - see sides.h. */
#include "contrast/sides.h"

#include <math.h>

#include "core/alloc.h"

anorank_status ank_sides_new(ank_sides **out, size_t columns, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_sides *sides = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&sides, 1, sizeof *sides, err));
  ANK_TRY(ank_alloc(&sides->side, columns, sizeof *sides->side, err));
  *out = sides;
  sides = NULL;
done:
  ank_sides_free(sides);
  return status;
}

void ank_sides_free(void *state) {
  ank_sides *sides = state;
  if (sides) ank_free(sides->side);
  ank_free(sides);
}

void ank_sides_range(ank_sides *sides, size_t column, double low, double high) {
  double half = high / 2 - low / 2;
  sides->side[column] = (ank_side){.low = low, .high = high, .half = half};
}

void ank_sides_levels(ank_sides *sides, size_t column, size_t levels) {
  sides->side[column] = (ank_side){.levels = levels};
}

static double draw_number(const ank_side *s, double u) {
  double step = u * s->half, x = s->low + 2 * step;
  if (isinf(2 * step)) x = s->low + step + step;
  return x < s->high ? x : s->high;
}

anorank_status ank_sides_draw(const void *state, const ank_draw *draw, anorank_error *err) {
  (void)err;
  const ank_sides *sides = state;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    for (size_t j = 0; j < draw->table->columns; j++) {
      const ank_side *s = &sides->side[j];
      ank_column *column = &draw->table->column[j];
      if (s->levels)
        column->codes[draw->first + i] = (int32_t)ank_rng_below(&rng, s->levels);
      else
        column->numbers[draw->first + i] = draw_number(s, ank_rng_uniform(&rng));
    }
  }
  return ANORANK_OK;
}
