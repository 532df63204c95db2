/* distance.c - see distance.h. It forwards each call to the instruction set that vector.h selected. */
#include "kernels/distance.h"

#include "kernels/distance_table.h"
#include "kernels/vector.h"

static const ank_distance_table *current(void) {
  return ank_kernels_are_fast() ? &ank_distance_avx2 : &ank_distance_generic;
}

void ank_nearest(float *out, const float *rows, size_t count, size_t dim, const float *blocks,
                 size_t block_count) {
  current()->nearest(out, rows, count, dim, blocks, block_count);
}

void ank_distances(float *out, const float *rows, size_t count, size_t dim, const float *blocks,
                   size_t block_count) {
  current()->distances(out, rows, count, dim, blocks, block_count);
}

void ank_distances_to_each(double *out, const float *row, const float *const *references, size_t count,
                           size_t dim) {
  current()->to_each(out, row, references, count, dim);
}
