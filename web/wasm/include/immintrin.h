/* immintrin.h - the AVX2 instructions that the kernels of the library use, on WebAssembly's vectors of 16 bytes: two of these replace
 * one of 32. Names and meanings are Intel's. There is no fused multiply-add in WebAssembly: that of floats is worked out in
 * doubles, which hold the product exactly, so that scores are those of other machines (docs/page.md). */
#ifndef ANORANK_WASM_IMMINTRIN_H
#define ANORANK_WASM_IMMINTRIN_H

#include <math.h>
#include <stdint.h>
#include <wasm_simd128.h>

typedef float __m256 __attribute__((vector_size(32), may_alias));
typedef double __m256d __attribute__((vector_size(32), may_alias));
typedef long long __m256i __attribute__((vector_size(32), may_alias));
typedef float __m128 __attribute__((vector_size(16), may_alias));
typedef long long __m128i __attribute__((vector_size(16), may_alias));

#define ANK_INLINE static inline __attribute__((always_inline, unused))
#define ANK_LOW(v) ((v128_t)__builtin_shufflevector((__m256i)(v), (__m256i)(v), 0, 1))
#define ANK_HIGH(v) ((v128_t)__builtin_shufflevector((__m256i)(v), (__m256i)(v), 2, 3))
#define ANK_JOIN(low, high)                                                                                  \
  __builtin_shufflevector((__m128i)(low), (__m128i)(high), 0, 1, 2, 3) /* an __m256i */
#define ANK_EACH(f, a, b) ANK_JOIN(f(ANK_LOW(a), ANK_LOW(b)), f(ANK_HIGH(a), ANK_HIGH(b)))

/* ---- to and from memory ------------------------------------------------------------------------------- */

typedef __m256 ank_floats_anywhere __attribute__((aligned(1)));
typedef __m256i ank_words_anywhere __attribute__((aligned(1)));

ANK_INLINE __m256 _mm256_loadu_ps(const float *from) { return *(const ank_floats_anywhere *)from; }
ANK_INLINE void _mm256_storeu_ps(float *to, __m256 v) { *(ank_floats_anywhere *)to = v; }
ANK_INLINE __m256i _mm256_loadu_si256(const __m256i *from) { return *(const ank_words_anywhere *)from; }
ANK_INLINE void _mm256_storeu_si256(__m256i *to, __m256i v) { *(ank_words_anywhere *)to = v; }
ANK_INLINE void _mm256_store_si256(__m256i *to, __m256i v) { *to = v; }
ANK_INLINE __m128 _mm_loadu_ps(const float *from) { return (__m128)wasm_v128_load(from); }
ANK_INLINE __m128i _mm_loadu_si128(const __m128i *from) { return (__m128i)wasm_v128_load(from); }

/* ---- one number in all lanes, and halves -------------------------------------------------------------- */

ANK_INLINE __m256 _mm256_setzero_ps(void) { return (__m256){0}; }
ANK_INLINE __m256i _mm256_setzero_si256(void) { return (__m256i){0}; }
ANK_INLINE __m256 _mm256_set1_ps(float x) { return (__m256){x, x, x, x, x, x, x, x}; }
ANK_INLINE __m256i _mm256_set1_epi16(short x) { return ANK_JOIN(wasm_i16x8_splat(x), wasm_i16x8_splat(x)); }
ANK_INLINE __m256i _mm256_set1_epi32(int x) { return ANK_JOIN(wasm_i32x4_splat(x), wasm_i32x4_splat(x)); }
ANK_INLINE __m128i _mm_set1_epi16(short x) { return (__m128i)wasm_i16x8_splat(x); }
ANK_INLINE __m256i _mm256_castps_si256(__m256 v) { return (__m256i)v; }
ANK_INLINE __m128i _mm256_castsi256_si128(__m256i v) { return (__m128i)ANK_LOW(v); }
ANK_INLINE __m256 _mm256_castps128_ps256(__m128 v) { return (__m256)ANK_JOIN(v, v); }
#define _mm256_extracti128_si256(v, which) ((which) ? (__m128i)ANK_HIGH(v) : (__m128i)ANK_LOW(v))
#define _mm256_insertf128_ps(v, half, which)                                                                 \
  ((which) ? (__m256)ANK_JOIN(ANK_LOW(v), half) : (__m256)ANK_JOIN(half, ANK_HIGH(v)))
ANK_INLINE int _mm_cvtsi128_si32(__m128i v) { return wasm_i32x4_extract_lane((v128_t)v, 0); }

/* ---- floats ------------------------------------------------------------------------------------------- */

ANK_INLINE __m256 _mm256_sub_ps(__m256 a, __m256 b) { return a - b; }
ANK_INLINE __m256 _mm256_mul_ps(__m256 a, __m256 b) { return a * b; }
/* Two lanes at a time: clang would take the results apart, lane by lane, to make them floats again. */
#define ANK_UPPER(v) wasm_i64x2_shuffle(v, v, 1, 1)
ANK_INLINE v128_t ank_fma_two(v128_t a, v128_t b, v128_t c) {
  v128_t product = wasm_f64x2_mul(wasm_f64x2_promote_low_f32x4(a), wasm_f64x2_promote_low_f32x4(b));
  return wasm_f32x4_demote_f64x2_zero(wasm_f64x2_add(product, wasm_f64x2_promote_low_f32x4(c)));
}
ANK_INLINE v128_t ank_fma_four(v128_t a, v128_t b, v128_t c) {
  return wasm_i64x2_shuffle(ank_fma_two(a, b, c), ank_fma_two(ANK_UPPER(a), ANK_UPPER(b), ANK_UPPER(c)), 0,
                            2);
}
ANK_INLINE __m256 _mm256_fmadd_ps(__m256 a, __m256 b, __m256 c) {
  return (__m256)ANK_JOIN(ank_fma_four(ANK_LOW(a), ANK_LOW(b), ANK_LOW(c)),
                          ank_fma_four(ANK_HIGH(a), ANK_HIGH(b), ANK_HIGH(c)));
}
ANK_INLINE __m256d _mm256_fmadd_pd(__m256d a, __m256d b, __m256d c) { return a * b + c; }
#define fmaf(a, b, c) ((float)((double)(a) * (double)(b) + (double)(c))) /* a function of libc is slow */

/* The second where one is not a number or both are equal, as Intel has it. */
ANK_INLINE __m256 _mm256_min_ps(__m256 a, __m256 b) { return (__m256)ANK_EACH(wasm_f32x4_pmin, b, a); }
ANK_INLINE __m256 _mm256_max_ps(__m256 a, __m256 b) { return (__m256)ANK_EACH(wasm_f32x4_pmax, b, a); }

#define _CMP_LT_OQ 17
#define _CMP_LE_OQ 18
#define _mm256_cmp_ps(a, b, how)                                                                             \
  ((__m256)((how) == _CMP_LT_OQ ? (__m256i)((a) < (b)) : (__m256i)((a) <= (b))))

ANK_INLINE int _mm256_movemask_ps(__m256 v) {
  return (int)(wasm_i32x4_bitmask(ANK_LOW(v)) | wasm_i32x4_bitmask(ANK_HIGH(v)) << 4);
}
ANK_INLINE __m256 _mm256_unpacklo_ps(__m256 a, __m256 b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
}
ANK_INLINE __m256 _mm256_unpackhi_ps(__m256 a, __m256 b) {
  return __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
}
#define _mm256_shuffle_ps(a, b, by)                                                                          \
  __builtin_shufflevector((a), (b), (by)&3, (by) >> 2 & 3, ((by) >> 4 & 3) + 8, ((by) >> 6 & 3) + 8,         \
                          ((by)&3) + 4, ((by) >> 2 & 3) + 4, ((by) >> 4 & 3) + 12, ((by) >> 6 & 3) + 12)

/* ---- whole numbers ------------------------------------------------------------------------------------ */

ANK_INLINE __m256i _mm256_sub_epi16(__m256i a, __m256i b) { return ANK_EACH(wasm_i16x8_sub, a, b); }
ANK_INLINE __m256i _mm256_sub_epi32(__m256i a, __m256i b) { return ANK_EACH(wasm_i32x4_sub, a, b); }
ANK_INLINE __m256i _mm256_min_epi16(__m256i a, __m256i b) { return ANK_EACH(wasm_i16x8_min, a, b); }
ANK_INLINE __m256i _mm256_cmpgt_epi16(__m256i a, __m256i b) { return ANK_EACH(wasm_i16x8_gt, a, b); }
ANK_INLINE __m256i _mm256_packs_epi16(__m256i a, __m256i b) {
  return ANK_EACH(wasm_i8x16_narrow_i16x8, a, b);
}
ANK_INLINE __m128i _mm_add_epi32(__m128i a, __m128i b) {
  return (__m128i)wasm_i32x4_add((v128_t)a, (v128_t)b);
}
ANK_INLINE __m128i _mm_min_epi16(__m128i a, __m128i b) {
  return (__m128i)wasm_i16x8_min((v128_t)a, (v128_t)b);
}
ANK_INLINE __m128i _mm_xor_si128(__m128i a, __m128i b) { return a ^ b; }

/* Bytes of `a` without sign times bytes of `b` with one, two products added, which stop at the ends of the range. */
ANK_INLINE v128_t ank_maddubs(v128_t a, v128_t b) {
  v128_t even =
      wasm_i16x8_mul(wasm_v128_and(a, wasm_i16x8_const_splat(255)), wasm_i16x8_shr(wasm_i16x8_shl(b, 8), 8));
  return wasm_i16x8_add_sat(even, wasm_i16x8_mul(wasm_u16x8_shr(a, 8), wasm_i16x8_shr(b, 8)));
}
ANK_INLINE __m256i _mm256_maddubs_epi16(__m256i a, __m256i b) { return ANK_EACH(ank_maddubs, a, b); }

ANK_INLINE __m256i _mm256_cvtepi16_epi32(__m128i v) {
  return ANK_JOIN(wasm_i32x4_extend_low_i16x8((v128_t)v), wasm_i32x4_extend_high_i16x8((v128_t)v));
}
ANK_INLINE __m256 _mm256_cvtepi32_ps(__m256i v) {
  return (__m256)ANK_JOIN(wasm_f32x4_convert_i32x4(ANK_LOW(v)), wasm_f32x4_convert_i32x4(ANK_HIGH(v)));
}
ANK_INLINE int _mm256_movemask_epi8(__m256i v) {
  return (int)((uint32_t)wasm_i8x16_bitmask(ANK_LOW(v)) | (uint32_t)wasm_i8x16_bitmask(ANK_HIGH(v)) << 16);
}
#define _mm256_permute4x64_epi64(v, by)                                                                      \
  __builtin_shufflevector((v), (v), (by)&3, (by) >> 2 & 3, (by) >> 4 & 3, (by) >> 6 & 3)
#define _mm_shuffle_epi32(v, by)                                                                             \
  ((__m128i)wasm_i32x4_shuffle((v128_t)(v), (v128_t)(v), (by)&3, (by) >> 2 & 3, (by) >> 4 & 3, (by) >> 6 & 3))

/* The smallest of eight numbers without sign, in the first lane; without its position. */
ANK_INLINE __m128i _mm_minpos_epu16(__m128i v) {
  v128_t low = (v128_t)v;
  low = wasm_u16x8_min(low, wasm_i16x8_shuffle(low, low, 4, 5, 6, 7, 0, 1, 2, 3));
  low = wasm_u16x8_min(low, wasm_i16x8_shuffle(low, low, 2, 3, 0, 1, 6, 7, 4, 5));
  return (__m128i)wasm_u16x8_min(low, wasm_i16x8_shuffle(low, low, 1, 0, 3, 2, 5, 4, 7, 6));
}

#endif
