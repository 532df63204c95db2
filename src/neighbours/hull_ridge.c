/* hull_ridge.c - see hull_ridge.h. It pads the rows of a call and forwards them to the instruction set that
 * vector.h selected. */
#include "neighbours/hull_ridge.h"

#include <string.h>

#include "kernels/vector.h"
#include "neighbours/hull_ridge_table.h"

size_t ank_hull_scratch(size_t k) {
  return ANK_HULL_ROWS *
         (k * ANK_HULL_COLUMNS /* M */ + k * (k + 1) / 2 /* L */ + 3 * k /* 1/D, y and w, a row of L D */);
}

void ank_hulls(double *squared, const float *rows, size_t count, size_t dim, const float *const *near,
               size_t k, double ridge, double *scratch) {
  const float *each[ANK_HULL_ROWS];
  const float *const *near_each[ANK_HULL_ROWS];
  double all[ANK_HULL_ROWS];
  ank_hull_kernel *kernel = ank_hull_avx2 && ank_kernels_are_fast() ? ank_hull_avx2 : ank_hull_generic;
  for (size_t l = 0; l < ANK_HULL_ROWS; l++) { /* the last row replaces missing ones */
    size_t i = l < count ? l : count - 1;
    each[l] = rows + i * dim;
    near_each[l] = near + i * k;
  }
  kernel(all, each, count, dim, near_each, k, ridge, scratch);
  memcpy(squared, all, count * sizeof *squared);
}
