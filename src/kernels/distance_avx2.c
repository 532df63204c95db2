/* distance_avx2.c - distance.h for x86-64 with AVX2 and FMA. */
#include "kernels/distance_table.h"

#if defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

#define TABLE ank_distance_avx2
#define SPLAT(v, x) ((v) = _mm256_set1_ps(x))
#define ADD_SQUARE(sum, d) ((sum) = _mm256_fmadd_ps((d), (d), (sum)))
#define MINIMUM(low, v) ((low) = _mm256_min_ps((v), (low)))

#include "kernels/distance_body.h"

#else
const ank_distance_table ank_distance_avx2 = {NULL};
#endif
