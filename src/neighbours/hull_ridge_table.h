/* hull_ridge_table.h - the function of hull_ridge.h per instruction set; selected like those of vector.h. */
#ifndef ANK_NEIGHBOURS_HULL_RIDGE_TABLE_H
#define ANK_NEIGHBOURS_HULL_RIDGE_TABLE_H

#include "neighbours/hull_ridge.h"

enum { ANK_HULL_COLUMNS = 16 }; /* at a time, so that the loaded neighbours stay in the first-level cache */

/* Like ank_hulls, for ANK_HULL_ROWS rows by address, of which the first `count` may differ. */
typedef void ank_hull_kernel(double *squared, const float *const *rows, size_t count, size_t dim,
                             const float *const *const *near, size_t k, double ridge, double *scratch);

extern ank_hull_kernel *const ank_hull_generic;

/* NULL if the compiler lacks these instructions. On ARM the generic kernel uses NEON. */
extern ank_hull_kernel *const ank_hull_avx2;

#endif
