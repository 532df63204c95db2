/* eigen.h - eigenvalues and eigenvectors of a symmetric matrix. */
#ifndef ANK_KERNELS_EIGEN_H
#define ANK_KERNELS_EIGEN_H

#include "core/status.h"

/* Of the n x n symmetric matrix a (row-major, both halves filled), which is overwritten. values[k], largest
 * first, belongs to the unit vector in row k of `vectors` (n x n), whose largest component is positive, so
 * that the result is one of its possible signs and always the same. Cyclic Jacobi: O(n^3) a sweep, 6 to 12
 * sweeps; every value is right to a few rounding errors of the largest. The entries must be finite
 * (ANORANK_ERROR_DATA otherwise). */
anorank_status ank_eigen_symmetric(double *values, double *vectors, double *a, size_t n, anorank_error *err);

#endif
