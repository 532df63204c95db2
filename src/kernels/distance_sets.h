/* distance_sets.h - the instruction sets that distance.c chooses from. */
#ifndef ANK_KERNELS_DISTANCE_SETS_H
#define ANK_KERNELS_DISTANCE_SETS_H

#include "kernels/distance.h"

void ank_generic_nearest(float *out, const float *rows, size_t count, size_t dim, const float *blocks,
                         size_t block_count);
void ank_generic_smallest(float *heaps, size_t k, const float *rows, size_t count, size_t dim,
                          const float *blocks, size_t block_count);

#if defined(__x86_64__)
void ank_avx2_nearest(float *out, const float *rows, size_t count, size_t dim, const float *blocks,
                      size_t block_count);
void ank_avx2_smallest(float *heaps, size_t k, const float *rows, size_t count, size_t dim,
                       const float *blocks, size_t block_count);
#endif

#endif
