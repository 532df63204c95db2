/* distance_avx2.c - distance.h for x86-64 with AVX2 and FMA, and for ARM with NEON. */
#include "kernels/avx2.h"
#include "kernels/distance_table.h"

#ifdef ANK_AVX2

#define TABLE ank_distance_avx2
#ifdef ANK_NEON
#define WIDTH 4
#define SPLAT(v, x) ((v) = vdupq_n_f32(x))
#define ADD_SQUARE(sum, d) ((sum) = vfmaq_f32((sum), (d), (d)))
#define MINIMUM(low, v) ((low) = ank_neon_min((v), (low)))
#else
#define SPLAT(v, x) ((v) = _mm256_set1_ps(x))
#define ADD_SQUARE(sum, d) ((sum) = _mm256_fmadd_ps((d), (d), (sum)))
#define MINIMUM(low, v) ((low) = _mm256_min_ps((v), (low)))
#endif

#include "kernels/distance_body.h"

#else
const ank_distance_table ank_distance_avx2 = {NULL};
#endif
