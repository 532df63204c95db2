/* hull_avx2.c - hull.h for x86-64 with AVX2. */
#include "kernels/hull_table.h"

#ifdef __AVX2__

#define NAME hulls

#include "kernels/hull_body.h"

ank_hull_kernel *const ank_hull_avx2 = hulls;

#else
ank_hull_kernel *const ank_hull_avx2 = 0;
#endif
