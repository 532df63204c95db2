/* sort.h - sorting and arg-sorting of doubles, by radix.
 *
 * Order: -inf first, -0 and +0 are equal, +inf, then every NaN (all equal). Stable. Time O(n), memory about
 * one more copy. The result does not depend on the number of threads. */
#ifndef ANK_KERNELS_SORT_H
#define ANK_KERNELS_SORT_H

#include "core/status.h"

/* Sort ascending, in place. A -0 becomes +0, since the sort treats them as equal. On failure the values are
 * all there, in some order. */
anorank_status ank_sort(double *values, size_t n, const anorank_settings *settings, anorank_error *err);

/* Set order[k] to the index of the k-th smallest value; equal values keep their order. n < 2^32. */
anorank_status ank_argsort(uint32_t *order, const double *values, size_t n, const anorank_settings *settings,
                           anorank_error *err);

/* Compute ranks 1..n in the order of the rows; ties get their mean (or largest) rank. n < 2^32. */
anorank_status ank_rank(double *ranks, const double *values, size_t n, anorank_ties ties,
                        const anorank_settings *settings, anorank_error *err);

#endif
