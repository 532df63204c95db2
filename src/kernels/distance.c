/* distance.c - see distance.h: hands each call to the instruction set that vector.h picked. */
#include "kernels/distance.h"

#include <string.h>

#include "kernels/distance_sets.h"
#include "kernels/vector.h"

#if defined(__x86_64__)
static int has_avx2(void) { return strcmp(ank_kernels_name(), "avx2") == 0; }
#endif

void ank_nearest(float *out, const float *rows, size_t count, size_t dim, const float *blocks,
                 size_t block_count) {
#if defined(__x86_64__)
  if (has_avx2()) {
    ank_avx2_nearest(out, rows, count, dim, blocks, block_count);
    return;
  }
#endif
  ank_generic_nearest(out, rows, count, dim, blocks, block_count);
}

void ank_smallest(float *heaps, size_t k, const float *rows, size_t count, size_t dim, const float *blocks,
                  size_t block_count) {
#if defined(__x86_64__)
  if (has_avx2()) {
    ank_avx2_smallest(heaps, k, rows, count, dim, blocks, block_count);
    return;
  }
#endif
  ank_generic_smallest(heaps, k, rows, count, dim, blocks, block_count);
}
