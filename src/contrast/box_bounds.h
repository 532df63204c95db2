/* box_bounds.h - the uniform law on a product of intervals and sets of levels, for `box` and `unit`. */
#ifndef ANK_CONTRAST_BOX_BOUNDS_H
#define ANK_CONTRAST_BOX_BOUNDS_H

#include "contrast/law.h"

typedef struct ank_box_bound {
  double low, high;
  double half;   /* half the width: the width may exceed the largest double */
  size_t levels; /* of a category; 0 for numbers */
} ank_box_bound;

ank_box_bound ank_box_bound_range(double low, double high); /* finite, low <= high */

/* Draw for a law that learned a bound for each column. */
anorank_status ank_box_bounds_draw(const ank_draw *draw, anorank_error *err);

#endif
