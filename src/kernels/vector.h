/* vector.h - logarithms of arrays, by kernels picked at run time for the processor.
 *
 * `out` may be `x`. Special values as in the C library: log(0) = -inf, log(-1) = NaN, NaN stays. Each element's
 * result depends on that element alone, wherever it stands in the array. Error at most 2 ulp. */
#ifndef ANK_KERNELS_VECTOR_H
#define ANK_KERNELS_VECTOR_H

#include <stddef.h>

void ank_log(double *out, const double *x, size_t n);

/* The set that is not for any processor. */
#ifdef __aarch64__
#define ANK_FAST_KERNELS "neon"
#else
#define ANK_FAST_KERNELS "avx2"
#endif

/* ANK_FAST_KERNELS or "generic": what was picked. */
const char *ank_kernels_name(void);
int ank_kernels_are_fast(void);

/* For tests: use "generic" or ANK_FAST_KERNELS from now on, NULL for the best; 0 if the processor lacks it. */
int ank_kernels_use(const char *name);

#endif
