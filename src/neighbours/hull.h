/* hull.h - the distance of a row to the regularised affine hull of its neighbours.
 *
 * With the neighbours minus the row as the rows of M (k x dim), G = M M', t = tr G / k:
 *     (G + (ridge t + 1e-9) I) w = 1,  then w / sum w,     value = 1/2 log( w' G w + 1e-6 )
 * The weights w sum to 1. They give the point of the hull that is near the row without lying far outside its
 * neighbours. ridge = 0.1 max(1, K / d)^2, with K the requested neighbours and d the columns that are not
 * constant: for K > d the affine hull is the whole space, and the ridge alone determines the value. It is a
 * share of the mean squared distance, so G may be singular (copies, fewer columns than neighbours) and the
 * condition number is at most k / 0.1 + 1. Equal neighbours at distance 0 give 1/2 log 1e-6. O(k^2 (dim +
 * k)). */
#ifndef ANK_NEIGHBOURS_HULL_H
#define ANK_NEIGHBOURS_HULL_H

#include "core/status.h"
#include "neighbours/hull_ridge.h"

double ank_hull_ridge(size_t neighbours, size_t columns);

/* Compute the values of `count` rows, row-major. Row i has some[i] neighbours, 1 <= some[i] <= k <=
 * ANK_HULL_MOST, at near[i * k + a]. */
anorank_status ank_hull_values(double *values, const float *rows, size_t count, size_t dim,
                               const float *const *near, const uint32_t *some, size_t k, double ridge,
                               anorank_error *err);

#endif
