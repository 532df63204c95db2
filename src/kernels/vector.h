/* vector.h - logarithms of arrays, with kernels selected at run time for the processor.
 *
 * `out` may be `x`. Special values are as in the C library: log(0) = -inf, log(-1) = NaN, log(NaN) = NaN. The
 * result of an element depends on that element alone, not on its position. Error at most 2 ulp. */
#ifndef ANK_KERNELS_VECTOR_H
#define ANK_KERNELS_VECTOR_H

#include <stddef.h>

void ank_log(double *out, const double *x, size_t n);

/* The name of the set for one kind of processor. */
#ifdef __aarch64__
#define ANK_FAST_KERNELS "neon"
#else
#define ANK_FAST_KERNELS "avx2"
#endif

/* Return the selected set: ANK_FAST_KERNELS or "generic". */
const char *ank_kernels_name(void);
int ank_kernels_are_fast(void);

/* For tests: use "generic" or ANK_FAST_KERNELS from now on, NULL for the best. Returns 0 if the processor
 * lacks it. */
int ank_kernels_use(const char *name);

#endif
