/* vector_table.h - the functions of vector.h, one row per instruction set.
 *
 * To add a set: a file vector_NAME.c that includes vector_body.h, its flags in cmake/simd.cmake, and a row in
 * vector.c. */
#ifndef ANK_KERNELS_VECTOR_TABLE_H
#define ANK_KERNELS_VECTOR_TABLE_H

#include <stddef.h>

typedef struct ank_vector_table {
  void (*log)(double *out, const double *x, size_t n);
} ank_vector_table;

extern const ank_vector_table ank_vector_generic;

/* Empty (all NULL) if the compiler lacks these instructions. */
extern const ank_vector_table ank_vector_avx2;

#endif
