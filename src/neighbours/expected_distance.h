/* expected_distance.h - the mean distance to the nearest row of a random subset, over all possible subsets.
 *
 * The closed form of what subsets.h estimates with some subsets. A subset has k of m references. With the
 * references in the order of their distances from a row, d_1 <= d_2 <= ..., none of the nearest c is in the
 * subset with probability
 *     S(c) = C(m - c, k) / C(m, k),   so   E = sum_c (S(c - 1) - S(c)) f(d_c),
 * f(d) = log(d + 1e-3), or d. References at distance 0 (copies, and the row itself) do not count: E is then
 * over the subsets that contain another row.
 *
 * Instead of sorting, squared distances are counted by the leading bits of their floats: 32 steps per
 * doubling. The middle of a step represents it, so d is off by at most 0.8 %. The result is deterministic,
 * and a row's value does not depend on the other rows of the call. O(m d) per row. */
#ifndef ANK_NEIGHBOURS_EXPECTED_DISTANCE_H
#define ANK_NEIGHBOURS_EXPECTED_DISTANCE_H

#include "core/status.h"

typedef struct ank_expected_distance {
  size_t count, dim, blocks; /* references, and blocks of lanes */
  int logs;
  float *values;   /* the references in the layout of kernels/distance.h */
  double *missed;  /* S(0 .. count) */
  double *measure; /* f at the middle of each step */
} ank_expected_distance;

enum { ANK_EXPECTED_DISTANCE_MOST = 65535 }; /* references */

/* Set the references: `rows` (row-major, as held) at the indices from[0 .. count - 1], 1 <= count <= MOST.
 * Subsets have `size` of them, or all. */
anorank_status ank_expected_distance_make(ank_expected_distance *out, const float *rows, size_t dim,
                                          const uint32_t *from, size_t count, size_t size, int logs,
                                          anorank_error *err);

/* Compute one value per row; f(0) if every reference is a copy. Runs on the calling thread. */
anorank_status ank_expected_distance_values(double *out, const ank_expected_distance *expected,
                                            const float *rows, size_t count, anorank_error *err);

void ank_expected_distance_free(ank_expected_distance *expected); /* frees its memory, not the struct */

#endif
