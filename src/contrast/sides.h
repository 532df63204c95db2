/* sides.h - the uniform law on a product of intervals and sets of levels: what `box` and `unit` share. */
#ifndef ANK_CONTRAST_SIDES_H
#define ANK_CONTRAST_SIDES_H

#include "contrast/law.h"

typedef struct ank_side {
  double low, high;
  double half;   /* of the width: the width itself may be beyond the largest double */
  size_t levels; /* of a category; 0 for numbers */
} ank_side;

typedef struct ank_sides {
  ank_side *side;
} ank_sides;

/* To be filled with one call for each column. */
anorank_status ank_sides_new(ank_sides **out, size_t columns, anorank_error *err);
void ank_sides_range(ank_sides *sides, size_t column, double low, double high); /* finite, low <= high */
void ank_sides_levels(ank_sides *sides, size_t column, size_t levels);          /* at least 1 */

/* Members of an ank_law whose state is an ank_sides. */
anorank_status ank_sides_draw(const void *state, const ank_draw *draw, anorank_error *err);
void ank_sides_free(void *state);

#endif
