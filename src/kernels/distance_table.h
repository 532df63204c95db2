/* distance_table.h - the functions of distance.h, one row per instruction set; selected like those of
 * vector.h. */
#ifndef ANK_KERNELS_DISTANCE_TABLE_H
#define ANK_KERNELS_DISTANCE_TABLE_H

#include "kernels/distance.h"

typedef struct ank_distance_table {
  void (*nearest)(float *out, const float *rows, size_t count, size_t dim, const float *blocks,
                  size_t block_count);
  void (*distances)(float *out, const float *rows, size_t count, size_t dim, const float *blocks,
                    size_t block_count);
  void (*to_each)(double *out, const float *row, const float *const *references, size_t count, size_t dim);
} ank_distance_table;

extern const ank_distance_table ank_distance_generic;

/* Empty (all NULL) if the compiler lacks these instructions. */
extern const ank_distance_table ank_distance_avx2;

#endif
