/* curve.h - the mass-volume and the excess-mass curve of one scorer. */
#ifndef ANK_CRITERION_CURVE_H
#define ANK_CRITERION_CURVE_H

#include "anorank/criterion.h"
#include "criterion/pooled.h"

/* Return the volume of the set with mass numerator / denominator (exact, unlike a double): Eq. 6, with a
 * straight line inside a group in which X and U are tied. O(log N). */
double ank_volume_at(const ank_pooled *pooled, size_t numerator, size_t denominator);

/* Return the volume of the smallest set { s >= t } that contains all of X. */
double ank_volume_of_all(const ank_pooled *pooled);

/* Compute the curve at count >= 2 masses evenly spaced on [0, 1]. Intervals and bands are set to NaN. */
void ank_curve(anorank_curve_point *curve, size_t count, const ank_pooled *pooled);

/* Compute the excess mass at `count` >= 2 values of t from 0 up, from the points of the curve. `hull` has
 * room for count + 1 points. */
void ank_excess(anorank_excess_point *excess, size_t count, const anorank_curve_point *curve,
                double volume_of_all, anorank_excess_point *hull);

#endif
