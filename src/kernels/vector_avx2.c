/* vector_avx2.c - the functions of vector.h with fused multiply-add, by AVX2 or NEON. */
#include "kernels/avx2.h"

#ifdef ANK_AVX2

#define BODY_TABLE ank_vector_avx2
#ifdef ANK_NEON
#define BODY_WIDTH 16
#define BODY_FMA(a, b, c) ((real)vfmaq_f64((float64x2_t)(c), (float64x2_t)(a), (float64x2_t)(b)))
#else
#define BODY_WIDTH 32
#define BODY_FMA(a, b, c) ((real)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#endif
#include "kernels/vector_body.h"

#else

#include "kernels/vector_table.h"

const ank_vector_table ank_vector_avx2 = {NULL};

#endif
