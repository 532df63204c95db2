/* hull_ridge_avx2.c - hull_ridge.h for x86-64 with AVX2. */
#include "neighbours/hull_ridge_table.h"

#ifdef __AVX2__

#define NAME hulls

#include "neighbours/hull_ridge_body.h"

ank_hull_kernel *const ank_hull_avx2 = hulls;

#else
ank_hull_kernel *const ank_hull_avx2 = 0;
#endif
