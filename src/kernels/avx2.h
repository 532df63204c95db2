/* avx2.h - AVX2 and FMA instructions for kernels written with them, or equivalents on other processors.
 *
 * ANK_AVX2 is defined if there are any: on x86-64 in files compiled for AVX2 (cmake/simd.cmake), on 64-bit
 * ARM by NEON below, in a browser by web/wasm/include/immintrin.h. Names and meanings are Intel's. A vector
 * of 32 bytes is a struct of two NEON vectors: gcc keeps the halves in registers. This file has only the
 * instructions that the kernels use. */
#ifndef ANK_KERNELS_AVX2_H
#define ANK_KERNELS_AVX2_H

#if defined(__AVX2__) && defined(__FMA__)

#define ANK_AVX2
#include <immintrin.h>

#elif defined(__aarch64__) && defined(__AARCH64EL__)

#define ANK_AVX2
#define ANK_NEON
#include <arm_neon.h>
#include <stdint.h>

typedef struct __m256 {
  float32x4_t low, high;
} __m256;
typedef struct __m256i {
  int16x8_t low, high;
} __m256i;
typedef float32x4_t __m128;
typedef int16x8_t __m128i;

#define ANK_INLINE static inline __attribute__((always_inline, unused))
#define ANK_EACH(type, f, a, b) ((type){f((a).low, (b).low), f((a).high, (b).high)})
/* Apply f to lanes of 32 bits. */
#define ANK_EACH_32(f, a, b)                                                                                 \
  ((__m256i){vreinterpretq_s16_s32(f(vreinterpretq_s32_s16((a).low), vreinterpretq_s32_s16((b).low))),       \
             vreinterpretq_s16_s32(f(vreinterpretq_s32_s16((a).high), vreinterpretq_s32_s16((b).high)))})

/* ---- to and from memory ------------------------------------------------------------------------------- */

ANK_INLINE __m256 _mm256_loadu_ps(const float *from) {
  return (__m256){vld1q_f32(from), vld1q_f32(from + 4)};
}
ANK_INLINE void _mm256_storeu_ps(float *to, __m256 v) {
  vst1q_f32(to, v.low);
  vst1q_f32(to + 4, v.high);
}
ANK_INLINE __m128i _mm_loadu_si128(const __m128i *from) {
  return vreinterpretq_s16_u8(vld1q_u8((const uint8_t *)from));
}
ANK_INLINE __m256i _mm256_loadu_si256(const __m256i *from) {
  const uint8_t *at = (const uint8_t *)from;
  return (__m256i){vreinterpretq_s16_u8(vld1q_u8(at)), vreinterpretq_s16_u8(vld1q_u8(at + 16))};
}
ANK_INLINE void _mm256_storeu_si256(__m256i *to, __m256i v) {
  uint8_t *at = (uint8_t *)to;
  vst1q_u8(at, vreinterpretq_u8_s16(v.low));
  vst1q_u8(at + 16, vreinterpretq_u8_s16(v.high));
}
ANK_INLINE void _mm256_store_si256(__m256i *to, __m256i v) { _mm256_storeu_si256(to, v); }

/* ---- one number in all lanes, and halves -------------------------------------------------------------- */

ANK_INLINE __m256 _mm256_set1_ps(float x) { return (__m256){vdupq_n_f32(x), vdupq_n_f32(x)}; }
ANK_INLINE __m256 _mm256_setzero_ps(void) { return _mm256_set1_ps(0); }
ANK_INLINE __m128i _mm_set1_epi16(int16_t x) { return vdupq_n_s16(x); }
ANK_INLINE __m256i _mm256_set1_epi16(int16_t x) { return (__m256i){vdupq_n_s16(x), vdupq_n_s16(x)}; }
ANK_INLINE __m256i _mm256_set1_epi32(int32_t x) {
  int16x8_t all = vreinterpretq_s16_s32(vdupq_n_s32(x));
  return (__m256i){all, all};
}
ANK_INLINE __m256i _mm256_setzero_si256(void) { return _mm256_set1_epi16(0); }
ANK_INLINE __m256i _mm256_castps_si256(__m256 v) {
  return (__m256i){vreinterpretq_s16_f32(v.low), vreinterpretq_s16_f32(v.high)};
}
ANK_INLINE __m128i _mm256_castsi256_si128(__m256i v) { return v.low; }
#define _mm256_extracti128_si256(v, which) ((which) ? (v).high : (v).low)
ANK_INLINE __m128 _mm_loadu_ps(const float *from) { return vld1q_f32(from); }
ANK_INLINE __m256 _mm256_castps128_ps256(__m128 v) { return (__m256){v, v}; }
#define _mm256_insertf128_ps(v, half, which) ((which) ? (__m256){(v).low, half} : (__m256){half, (v).high})
ANK_INLINE int _mm_cvtsi128_si32(__m128i v) { return vgetq_lane_s32(vreinterpretq_s32_s16(v), 0); }

/* ---- floats ------------------------------------------------------------------------------------------- */

ANK_INLINE __m256 _mm256_sub_ps(__m256 a, __m256 b) { return ANK_EACH(__m256, vsubq_f32, a, b); }
ANK_INLINE __m256 _mm256_mul_ps(__m256 a, __m256 b) { return ANK_EACH(__m256, vmulq_f32, a, b); }
ANK_INLINE __m256 _mm256_fmadd_ps(__m256 a, __m256 b, __m256 c) {
  return (__m256){vfmaq_f32(c.low, a.low, b.low), vfmaq_f32(c.high, a.high, b.high)};
}
/* Return the smaller number, or b if one is NaN or both are equal. */
ANK_INLINE float32x4_t ank_neon_min(float32x4_t a, float32x4_t b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
ANK_INLINE float32x4_t ank_neon_max(float32x4_t a, float32x4_t b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
ANK_INLINE __m256 _mm256_min_ps(__m256 a, __m256 b) { return ANK_EACH(__m256, ank_neon_min, a, b); }
ANK_INLINE __m256 _mm256_max_ps(__m256 a, __m256 b) { return ANK_EACH(__m256, ank_neon_max, a, b); }

#define _CMP_LT_OQ 17
#define _CMP_LE_OQ 18
ANK_INLINE float32x4_t ank_neon_less(float32x4_t a, float32x4_t b) {
  return vreinterpretq_f32_u32(vcltq_f32(a, b));
}
ANK_INLINE float32x4_t ank_neon_not_more(float32x4_t a, float32x4_t b) {
  return vreinterpretq_f32_u32(vcleq_f32(a, b));
}
#define _mm256_cmp_ps(a, b, how)                                                                             \
  ((how) == _CMP_LT_OQ ? ANK_EACH(__m256, ank_neon_less, a, b) : ANK_EACH(__m256, ank_neon_not_more, a, b))

ANK_INLINE int _mm256_movemask_ps(__m256 v) {
  static const uint32_t bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  uint32x4_t low = vandq_u32(vreinterpretq_u32_f32(v.low), vld1q_u32(bits));
  uint32x4_t high = vandq_u32(vreinterpretq_u32_f32(v.high), vld1q_u32(bits + 4));
  return (int)vaddvq_u32(vorrq_u32(low, high));
}

/* Interleave two vectors, by halves. */
ANK_INLINE __m256 _mm256_unpacklo_ps(__m256 a, __m256 b) { return ANK_EACH(__m256, vzip1q_f32, a, b); }
ANK_INLINE __m256 _mm256_unpackhi_ps(__m256 a, __m256 b) { return ANK_EACH(__m256, vzip2q_f32, a, b); }
#define ANK_PAIRS(which, a, b)                                                                               \
  vreinterpretq_f32_f64(vzip##which##q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)))
/* 0x44 takes the lower pairs of both, 0xee the upper ones. */
#define _mm256_shuffle_ps(a, b, by)                                                                          \
  ((by) == 0x44 ? (__m256){ANK_PAIRS(1, (a).low, (b).low), ANK_PAIRS(1, (a).high, (b).high)}                 \
                : (__m256){ANK_PAIRS(2, (a).low, (b).low), ANK_PAIRS(2, (a).high, (b).high)})

/* ---- whole numbers ------------------------------------------------------------------------------------ */

ANK_INLINE int16x8_t ank_neon_greater(int16x8_t a, int16x8_t b) {
  return vreinterpretq_s16_u16(vcgtq_s16(a, b));
}
ANK_INLINE __m256i _mm256_sub_epi16(__m256i a, __m256i b) { return ANK_EACH(__m256i, vsubq_s16, a, b); }
ANK_INLINE __m256i _mm256_min_epi16(__m256i a, __m256i b) { return ANK_EACH(__m256i, vminq_s16, a, b); }
ANK_INLINE __m256i _mm256_cmpgt_epi16(__m256i a, __m256i b) {
  return ANK_EACH(__m256i, ank_neon_greater, a, b);
}
ANK_INLINE __m256i _mm256_sub_epi32(__m256i a, __m256i b) { return ANK_EACH_32(vsubq_s32, a, b); }
ANK_INLINE __m128i _mm_min_epi16(__m128i a, __m128i b) { return vminq_s16(a, b); }
ANK_INLINE __m128i _mm_xor_si128(__m128i a, __m128i b) { return veorq_s16(a, b); }
ANK_INLINE __m128i _mm_add_epi32(__m128i a, __m128i b) {
  return vreinterpretq_s16_s32(vaddq_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)));
}
/* 0x4e swaps the halves, 0xb1 swaps neighbours. */
#define _mm_shuffle_epi32(v, by)                                                                             \
  ((by) == 0x4e ? vextq_s16(v, v, 4) : vreinterpretq_s16_s32(vrev64q_s32(vreinterpretq_s32_s16(v))))

ANK_INLINE int16x8_t ank_neon_pack(int16x8_t a, int16x8_t b) {
  return vreinterpretq_s16_s8(vcombine_s8(vqmovn_s16(a), vqmovn_s16(b)));
}
ANK_INLINE __m256i _mm256_packs_epi16(__m256i a, __m256i b) { return ANK_EACH(__m256i, ank_neon_pack, a, b); }

/* 0xd8 swaps the two quarters in the middle. */
#define _mm256_permute4x64_epi64(v, by)                                                                      \
  ((__m256i){vcombine_s16(vget_low_s16((v).low), vget_low_s16((v).high)),                                    \
             vcombine_s16(vget_high_s16((v).low), vget_high_s16((v).high))})

ANK_INLINE uint32_t ank_neon_signs(int16x8_t v) {
  static const uint8_t bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  int8x16_t negative = vshrq_n_s8(vreinterpretq_s8_s16(v), 7);
  uint8x16_t own = vandq_u8(vreinterpretq_u8_s8(negative), vld1q_u8(bits));
  return (uint32_t)vaddv_u8(vget_low_u8(own)) | (uint32_t)vaddv_u8(vget_high_u8(own)) << 8;
}
ANK_INLINE int _mm256_movemask_epi8(__m256i v) {
  return (int)(ank_neon_signs(v.low) | ank_neon_signs(v.high) << 16);
}

/* Multiply unsigned bytes of `a` by signed bytes of `b`, and add two products with saturation. */
ANK_INLINE int16x8_t ank_neon_maddubs(int16x8_t a, int16x8_t b) {
  int16x8_t even = vmulq_s16(vandq_s16(a, vdupq_n_s16(255)), vshrq_n_s16(vshlq_n_s16(b, 8), 8));
  int16x8_t odd =
      vmulq_s16(vreinterpretq_s16_u16(vshrq_n_u16(vreinterpretq_u16_s16(a), 8)), vshrq_n_s16(b, 8));
  return vqaddq_s16(even, odd);
}
ANK_INLINE __m256i _mm256_maddubs_epi16(__m256i a, __m256i b) {
  return ANK_EACH(__m256i, ank_neon_maddubs, a, b);
}

ANK_INLINE __m256i _mm256_cvtepi16_epi32(__m128i v) {
  return (__m256i){vreinterpretq_s16_s32(vmovl_s16(vget_low_s16(v))),
                   vreinterpretq_s16_s32(vmovl_s16(vget_high_s16(v)))};
}
ANK_INLINE __m256 _mm256_cvtepi32_ps(__m256i v) {
  return (__m256){vcvtq_f32_s32(vreinterpretq_s32_s16(v.low)), vcvtq_f32_s32(vreinterpretq_s32_s16(v.high))};
}

/* Return the smallest of eight unsigned numbers in the first lane, without its position. */
ANK_INLINE __m128i _mm_minpos_epu16(__m128i v) {
  return vreinterpretq_s16_u32(vdupq_n_u32(vminvq_u16(vreinterpretq_u16_s16(v))));
}

#endif

#endif
