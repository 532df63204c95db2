/* box_bounds.h - the uniform law on a product of intervals and sets of levels: what `box` and `unit` share. */
#ifndef ANK_CONTRAST_BOX_BOUNDS_H
#define ANK_CONTRAST_BOX_BOUNDS_H

#include "contrast/law.h"

typedef struct ank_box_bound {
  double low, high;
  double half;   /* of the width: the width itself may be beyond the largest double */
  size_t levels; /* of a category; 0 for numbers */
} ank_box_bound;

typedef struct ank_box_bounds {
  ank_box_bound *side;
} ank_box_bounds;

/* To be filled with one call for each column. */
anorank_status ank_box_bounds_new(ank_box_bounds **out, size_t columns, anorank_error *err);
void ank_box_bounds_range(ank_box_bounds *sides, size_t column, double low,
                          double high);                                          /* finite, low <= high */
void ank_box_bounds_levels(ank_box_bounds *sides, size_t column, size_t levels); /* at least 1 */

/* Members of an ank_law whose state is an ank_box_bounds. */
anorank_status ank_box_bounds_draw(const void *state, const ank_draw *draw, anorank_error *err);
void ank_box_bounds_free(void *state);

#endif
