/* expected_distance.h - the mean distance to the nearest row of a random subset, over all subsets there are.
 *
 * What subsets.h estimates with some subsets, in closed form. Of m references a subset has k. With the references in
 * the order of their distances from a row, d_1 <= d_2 <= ..., none of the nearest c is in the subset with probability
 *     S(c) = C(m - c, k) / C(m, k),   so   E = sum_c (S(c - 1) - S(c)) f(d_c),
 * f(d) = log(d + 1e-3), or d. References at distance 0 (copies, and the row itself) do not count: E is then over
 * the subsets that hold another row.
 *
 * Sorting is not needed: squared distances are counted by the leading bits of their floats, 32 steps to each doubling,
 * and a step's middle represents all of it, so that d is off by at most 0.8 %. Nothing is random, and a row's value
 * does not depend on the others asked. O(m d) a row. */
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

/* `rows` (row-major, as held), at the places from[0 .. count - 1], are the references: 1 <= count <= MOST. Subsets have
 * `size` of them, or all. */
anorank_status ank_expected_distance_make(ank_expected_distance *out, const float *rows, size_t dim,
                                          const uint32_t *from, size_t count, size_t size, int logs,
                                          anorank_error *err);

/* One value a row; f(0) where every reference is a copy. On the calling thread. */
anorank_status ank_expected_distance_values(double *out, const ank_expected_distance *expected,
                                            const float *rows, size_t count, anorank_error *err);

void ank_expected_distance_free(ank_expected_distance *expected); /* what it holds, not the struct */

#endif
