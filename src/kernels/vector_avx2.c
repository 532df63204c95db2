/* vector_avx2.c - the functions of vector.h with AVX2 and fused multiply-add. */
#if defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

#define BODY_WIDTH 32
#define BODY_TABLE ank_vector_avx2
#define BODY_FMA(a, b, c) ((real)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#include "kernels/vector_body.h"

#else

#include "kernels/vector_table.h"

const ank_vector_table ank_vector_avx2 = {NULL};

#endif
