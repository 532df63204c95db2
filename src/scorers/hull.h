/* hull.h - the distance of a row to the regularised affine hull of its neighbours.
 *
 * With the neighbours minus the row as the rows of M (k x dim), G = M M', t = tr G / k:
 *     (G + (0.3 t + 1e-9) I) w = 1,  then w / sum w,     value = 1/2 log( w' G w + 1e-6 )
 * w are the weights, adding up to 1, of the point of the hull that is near the row without lying far outside
 * its neighbours. The ridge is a share of the mean squared distance, so G may be singular (copies, fewer
 * columns than neighbours) and the condition number is at most k / 0.3 + 1; equal neighbours at distance 0
 * give 1/2 log 1e-6. In double precision, O(k^2 (dim + k)), no memory but the stack. */
#ifndef ANK_SCORERS_HULL_H
#define ANK_SCORERS_HULL_H

#include "kernels/search.h"

enum { ANK_HULL_MOST = 64 }; /* neighbours */

/* `place`: k of the search's references, 1 <= k <= ANK_HULL_MOST. */
double ank_hull_value(const ank_search *search, const uint32_t *place, size_t k, const float *row);

#endif
