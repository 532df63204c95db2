/* box_bounds.c - see box_bounds.h. */
#include "contrast/box_bounds.h"

#include <math.h>

#include "core/alloc.h"

anorank_status ank_box_bounds_new(ank_box_bounds **out, size_t columns, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_box_bounds *sides = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&sides, 1, sizeof *sides, err));
  ANK_TRY(ank_alloc(&sides->side, columns, sizeof *sides->side, err));
  *out = sides;
  sides = NULL;
done:
  ank_box_bounds_free(sides);
  return status;
}

void ank_box_bounds_free(void *state) {
  ank_box_bounds *sides = state;
  if (sides) ank_free(sides->side);
  ank_free(sides);
}

void ank_box_bounds_range(ank_box_bounds *sides, size_t column, double low, double high) {
  double half = high / 2 - low / 2;
  sides->side[column] = (ank_box_bound){.low = low, .high = high, .half = half};
}

void ank_box_bounds_levels(ank_box_bounds *sides, size_t column, size_t levels) {
  sides->side[column] = (ank_box_bound){.levels = levels};
}

static double draw_number(const ank_box_bound *s, double u) {
  double step = u * s->half, x = s->low + 2 * step;
  if (isinf(2 * step)) x = s->low + step + step;
  return x < s->high ? x : s->high;
}

anorank_status ank_box_bounds_draw(const void *state, const ank_draw *draw, anorank_error *err) {
  (void)err;
  const ank_box_bounds *sides = state;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    for (size_t j = 0; j < draw->table->columns; j++) {
      const ank_box_bound *s = &sides->side[j];
      ank_column *column = &draw->table->column[j];
      if (s->levels)
        column->codes[draw->first + i] = (int32_t)ank_rng_below(&rng, s->levels);
      else
        column->numbers[draw->first + i] = draw_number(s, ank_rng_uniform(&rng));
    }
  }
  return ANORANK_OK;
}
