/* search.h - the k nearest of many references, exactly.
 *
 * Squared distances are those of kernels/distance.h, to the bit: single precision, fused, over the columns in
 * order, 0 for equal rows. The answer for a row is the k references with the smallest (distance, place) in
 * that order; it does not depend on the other rows of the call, on the processor, or on the order of the
 * search. The search skips blocks that are too far and sums that are already too large, but only
 * where they provably cannot be among the k. */
#ifndef ANK_NEIGHBOURS_SEARCH_H
#define ANK_NEIGHBOURS_SEARCH_H

#include <stdint.h>

#include "core/status.h"

typedef struct ank_search ank_search;

/* `rows`: count x dim, row-major, finite, small enough for distance.h; copied. count >= 1, below 2^32. The
 * same rows give the same search. */
anorank_status ank_search_make(ank_search **out, const float *rows, size_t count, size_t dim,
                               anorank_error *err);
void ank_search_free(ank_search *search);

size_t ank_search_bytes(const ank_search *search); /* memory held */

/* Reference number i as it was given: dim values. */
const float *ank_search_row(const ank_search *search, size_t i);

/* For each of `rows` (number x dim, row-major): the places of its k nearest references, nearest first, and
 * their squared distances: place[i * k + j], squared[i * k + j]. 1 <= k <= count. A row with a NaN gets place
 * 0 at distance INFINITY, k times. On the calling thread; scratch memory is allocated per call. */
anorank_status ank_search_nearest(uint32_t *place, float *squared, size_t k, const ank_search *search,
                                  const float *rows, size_t number, anorank_error *err);

#endif
