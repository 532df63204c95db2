/* search.h - the k nearest of many references, exactly.
 *
 * Squared distances are those of kernels/distance.h, to the bit: single precision, fused, over the columns in
 * order, 0 for equal rows. The result for a row is the k references with the smallest (distance, index), in
 * that order. It does not depend on the other rows of the call, on the processor, or on the order of the
 * search. The search skips distant blocks and sums that are already too large, but only if they provably
 * cannot be among the k. */
#ifndef ANK_NEIGHBOURS_SEARCH_H
#define ANK_NEIGHBOURS_SEARCH_H

#include <stdint.h>

#include "core/status.h"

typedef struct ank_search ank_search;

/* Build a search over `rows`: count x dim, row-major, finite, small enough for distance.h; copied. count >=
 * 1, below 2^32. The same rows give the same search. */
anorank_status ank_search_make(ank_search **out, const float *rows, size_t count, size_t dim,
                               anorank_error *err);
void ank_search_free(ank_search *search);

size_t ank_search_bytes(const ank_search *search); /* bytes of memory */

/* Return reference number i in the original order: dim values. */
const float *ank_search_row(const ank_search *search, size_t i);

/* For each of `rows` (number x dim, row-major), write the indices of its k nearest references, nearest first,
 * and their squared distances: place[i * k + j], squared[i * k + j]. 1 <= k <= count. A row with a NaN gets
 * index 0 at distance INFINITY, k times. Runs on the calling thread; scratch memory is allocated per call. */
anorank_status ank_search_nearest(uint32_t *place, float *squared, size_t k, const ank_search *search,
                                  const float *rows, size_t number, anorank_error *err);

#endif
