/* matrix.h - a matrix of numbers, for the learning modules. */
#ifndef ANK_CORE_MATRIX_H
#define ANK_CORE_MATRIX_H

#include <stddef.h>

/* Row-major: value (i, j) is values[i * dim + j]. Borrowed. */
typedef struct ank_matrix {
  const double *values;
  size_t rows, dim;
} ank_matrix;

#endif
