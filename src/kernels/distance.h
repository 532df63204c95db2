/* distance.h - squared Euclidean distances from rows to many references, picked at run time for the
 * processor.
 *
 * The arithmetic is the same on every processor, to the bit. In single precision, over the columns in order:
 *     sum = 0;  for each column j:  sum = fma(x_j - r_j, x_j - r_j, sum)
 * with a difference rounded once and a fused multiply-add rounded once. There is no |x|^2 - 2 x.r + |r|^2
 * anywhere: equal rows have distance exactly 0. A pair's distance does not depend on what else is in the
 * call. Where the processor has no such instruction, doubles take its place (fused.h).
 *
 * References come in blocks of ANK_LANES: value (i, j) is blocks[(i / LANES * dim + j) * LANES + i % LANES].
 * The empty places of the last block hold INFINITY, which never is a smallest distance. Rows are row-major
 * and finite, and small enough that no sum of two of their squared differences overflows. */
#ifndef ANK_KERNELS_DISTANCE_H
#define ANK_KERNELS_DISTANCE_H

#include <stddef.h>

enum { ANK_LANES = 16 };

/* out[i]: the smallest squared distance of row i to a reference. At least one block. */
void ank_nearest(float *out, const float *rows, size_t count, size_t dim, const float *blocks,
                 size_t block_count);

/* All of them: out[i * block_count * ANK_LANES + r] is that of row i to reference r. */
void ank_distances(float *out, const float *rows, size_t count, size_t dim, const float *blocks,
                   size_t block_count);

/* In double precision, from one row to references that lie anywhere: out[r] is the sum over the columns, in order, of
 * the squared difference, each product rounded before it is added. */
void ank_distances_to_each(double *out, const float *row, const float *const *references, size_t count,
                           size_t dim);

#endif
