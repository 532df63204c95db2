/* box_bounds.c - see box_bounds.h. */
#include "contrast/box_bounds.h"

#include <math.h>

ank_box_bound ank_box_bound_range(double low, double high) {
  return (ank_box_bound){.low = low, .high = high, .half = high / 2 - low / 2};
}

static double draw_number(const ank_box_bound *s, double u) {
  double step = u * s->half, x = s->low + 2 * step;
  if (isinf(2 * step)) x = s->low + step + step;
  return x < s->high ? x : s->high;
}

anorank_status ank_box_bounds_draw(const ank_draw *draw, anorank_error *err) {
  (void)err;
  const ank_box_bound *bounds = draw->learned;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    for (size_t j = 0; j < draw->table->columns; j++) {
      const ank_box_bound *s = &bounds[j];
      ank_column *column = &draw->table->column[j];
      if (s->levels)
        column->codes[draw->first + i] = (int32_t)ank_rng_below(&rng, s->levels);
      else
        column->numbers[draw->first + i] = draw_number(s, ank_rng_uniform(&rng));
    }
  }
  return ANORANK_OK;
}
