/* distance.h - squared Euclidean distances from rows to many references, with an instruction set selected at
 * run time.
 *
 * Results have the same bits on every processor. In single precision, over the columns in order:
 *     sum = 0;  for each column j:  sum = fma(x_j - r_j, x_j - r_j, sum)
 * with a difference rounded once and a fused multiply-add rounded once. |x|^2 - 2 x.r + |r|^2 is never used,
 * so equal rows have distance exactly 0. A pair's distance does not depend on the other rows of the call. On
 * processors without fused multiply-add, doubles replace it (fused.h).
 *
 * References come in blocks of ANK_LANES: value (i, j) is blocks[(i / LANES * dim + j) * LANES + i % LANES].
 * Unused lanes of the last block hold INFINITY, which is never the smallest distance. Rows are row-major and
 * finite, and small enough that no sum of two of their squared differences overflows. */
#ifndef ANK_KERNELS_DISTANCE_H
#define ANK_KERNELS_DISTANCE_H

#include <stddef.h>

enum { ANK_LANES = 16 };

/* Set out[i] to the smallest squared distance of row i to a reference. Needs at least one block. */
void ank_nearest(float *out, const float *rows, size_t count, size_t dim, const float *blocks,
                 size_t block_count);

/* Compute all distances: out[i * block_count * ANK_LANES + r] is that of row i to reference r. */
void ank_distances(float *out, const float *rows, size_t count, size_t dim, const float *blocks,
                   size_t block_count);

/* Compute distances in double precision, from one row to references at any addresses: out[r] sums the squared
 * differences over the columns in order, with each product rounded before the addition. */
void ank_distances_to_each(double *out, const float *row, const float *const *references, size_t count,
                           size_t dim);

#endif
