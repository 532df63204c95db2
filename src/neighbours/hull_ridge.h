/* hull_ridge.h - many small ridge problems at once: the distances of points from the affine hulls of their
 * neighbours.
 *
 * For one row, with its k neighbours minus the row as the rows of M (k x dim), G = M M', t = tr G / k and r =
 * ridge t + 1e-9:
 *     (G + r I) w = 1,  then w / sum w,     result = w' G w
 * Since (G + r I) w = c 1 once w sums to 1, w' G w = c - r w'w. So G is not needed after its factors L D L'
 * replace it. Double precision; sums in a fixed order, products rounded before they are added: the same bits
 * on every processor, for a row alone or among others. */
#ifndef ANK_NEIGHBOURS_HULL_RIDGE_H
#define ANK_NEIGHBOURS_HULL_RIDGE_H

#include <stddef.h>

enum { ANK_HULL_MOST = 64, ANK_HULL_ROWS = 4 }; /* neighbours; rows side by side */

/* Return the doubles of scratch memory. */
size_t ank_hull_scratch(size_t k);

/* Solve for `count` rows, 1 to ANK_HULL_ROWS, row-major; near[i * k + a] is neighbour a of row i, dim
 * values. */
void ank_hulls(double *squared, const float *rows, size_t count, size_t dim, const float *const *near,
               size_t k, double ridge, double *scratch);

#endif
