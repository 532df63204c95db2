/* search_avx2.c - search.h for processors with AVX2 and FMA, or equivalents (kernels/avx2.h). */
#include "kernels/avx2.h"
#include "neighbours/search_table.h"

#ifdef ANK_AVX2

#define TABLE ank_search_avx2

typedef __m256 vec;

#define LOAD(v, from) ((v) = _mm256_loadu_ps(from))
#define STORE(to, v) _mm256_storeu_ps((to), (v))
#define SUBTRACT(out, a, b) ((out) = _mm256_sub_ps((a), (b)))
#define SPLAT(v, x) ((v) = _mm256_set1_ps(x))
#define ADD_SQUARE(sum, d) ((sum) = _mm256_fmadd_ps((d), (d), (sum)))
#define MINIMUM(low, v) ((low) = _mm256_min_ps((v), (low)))
#define MAXIMUM(high, v) ((high) = _mm256_max_ps((v), (high)))

/* ---- estimates ---------------------------------------------------------------------------------------- */

enum { WORDS = 16 };

static inline __m256i load(const void *from) { return _mm256_loadu_si256((const __m256i *)from); }

/* Return a bit for each estimate of two vectors that is below `above`. */
static inline uint64_t below(__m256i left, __m256i right, __m256i above) {
  __m256i near = _mm256_packs_epi16(_mm256_cmpgt_epi16(above, left), _mm256_cmpgt_epi16(above, right));
  return (uint32_t)_mm256_movemask_epi8(
      _mm256_permute4x64_epi64(near, 0xd8)); /* packing interleaved the halves */
}

/* The sums of all runs are separate variables: an array would be copied at every step. */
static inline ank_marks estimate(int16_t *out, const uint32_t *row, const int8_t *codes, const int16_t *bases,
                                 size_t pairs, int limit) {
  __m256i a = load(bases), b = load(bases + WORDS), c = load(bases + 2 * WORDS), d = load(bases + 3 * WORDS);
  __m256i e = load(bases + 4 * WORDS), f = load(bases + 5 * WORDS), g = load(bases + 6 * WORDS);
  __m256i h = load(bases + 7 * WORDS), above = _mm256_set1_epi16((int16_t)(limit + 1));
#define TAKE(sum, run)                                                                                       \
  ((sum) = _mm256_sub_epi16((sum), _mm256_maddubs_epi16(x, load(codes + (size_t)(run)*2 * WORDS))))
  for (size_t p = 0; p < pairs; p++, codes += 2 * ANK_CELL) {
    __m256i x = _mm256_set1_epi32((int)row[p]);
    TAKE(a, 0), TAKE(b, 1), TAKE(c, 2), TAKE(d, 3), TAKE(e, 4), TAKE(f, 5), TAKE(g, 6), TAKE(h, 7);
  }
#undef TAKE
  ank_marks near = {below(a, b, above) | below(c, d, above) << 32, below(e, f, above) | below(g, h, above)
                                                                                            << 32};
  if (!out) return near;
  __m256i *to = (__m256i *)out;
  _mm256_storeu_si256(to, a), _mm256_storeu_si256(to + 1, b), _mm256_storeu_si256(to + 2, c);
  _mm256_storeu_si256(to + 3, d), _mm256_storeu_si256(to + 4, e), _mm256_storeu_si256(to + 5, f);
  _mm256_storeu_si256(to + 6, g), _mm256_storeu_si256(to + 7, h);
  return near;
}

static inline uint64_t mark_half(const int16_t *estimates, __m256i above) {
  return below(load(estimates), load(estimates + WORDS), above) |
         below(load(estimates + 2 * WORDS), load(estimates + 3 * WORDS), above) << 32;
}

static inline ank_marks mark(const int16_t estimates[ANK_CELL], int limit) {
  __m256i above = _mm256_set1_epi16((int16_t)(limit + 1));
  return (ank_marks){mark_half(estimates, above), mark_half(estimates + 64, above)};
}

static inline void scale_up(float out[ANK_CELL], const int16_t estimates[ANK_CELL], float norm,
                            float square) {
  __m256 by = _mm256_set1_ps(square), twice = _mm256_set1_ps(2 * square), first = _mm256_set1_ps(norm);
  first = _mm256_mul_ps(first, by);
  for (size_t i = 0; i < ANK_CELL; i += ANK_FLOATS) {
    __m256i wide = _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(estimates + i)));
    __m256 about = _mm256_fmadd_ps(_mm256_cvtepi32_ps(wide), twice, first);
    _mm256_storeu_ps(out + i, _mm256_max_ps(about, _mm256_setzero_ps()));
  }
}

static inline uint64_t mark_half_within(const float *about, __m256 most) {
  uint64_t near = 0;
  for (size_t i = 0; i < 64; i += ANK_FLOATS)
    near |= (uint64_t)_mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(about + i), most, _CMP_LE_OQ)) << i;
  return near;
}

static inline ank_marks mark_within(const float about[ANK_CELL], float limit) {
  __m256 most = _mm256_set1_ps(limit);
  return (ank_marks){mark_half_within(about, most), mark_half_within(about + 64, most)};
}

/* Compare eight numbers at a time with all others. */
static inline void ranks(uint32_t *rank, const float *values, size_t count) {
  for (size_t i = 0; i < count; i += ANK_FLOATS) {
    __m256i below = _mm256_setzero_si256();
    __m256 own = _mm256_loadu_ps(values + i);
    for (size_t j = 0; j < count; j++)
      below = _mm256_sub_epi32(
          below, _mm256_castps_si256(_mm256_cmp_ps(_mm256_set1_ps(values[j]), own, _CMP_LT_OQ)));
    _mm256_storeu_si256((__m256i *)(rank + i), below);
  }
}

static inline size_t count_within(const float *bounds, size_t count, float limit) {
  __m256i within = _mm256_setzero_si256();
  __m256 most = _mm256_set1_ps(limit);
  for (size_t i = 0; i < count; i += ANK_FLOATS)
    within = _mm256_sub_epi32(
        within, _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(bounds + i), most, _CMP_LE_OQ)));
  __m128i half = _mm_add_epi32(_mm256_castsi256_si128(within), _mm256_extracti128_si256(within, 1));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
  return (size_t)_mm_cvtsi128_si32(half);
}

/* ---- distances ---------------------------------------------------------------------------------------- */

static inline unsigned hand_out(float out[ANK_FLOATS], __m256 sum, size_t count, float worst) {
  _mm256_storeu_ps(out, sum);
  return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(sum, _mm256_set1_ps(worst), _CMP_LE_OQ)) &
         ((1U << count) - 1);
}

static inline unsigned not_above_worst(const float distance[ANK_FLOATS], float worst) {
  return (unsigned)_mm256_movemask_ps(
      _mm256_cmp_ps(_mm256_loadu_ps(distance), _mm256_set1_ps(worst), _CMP_LE_OQ));
}

/* Turn columns j to j + 3 of eight rows into four vectors, one per column. */
static inline void transpose(__m256 column[4], const float *const row[8], size_t j) {
  __m256 a[4], b[4];
  for (size_t i = 0; i < 4; i++) /* rows i and i + 4 in the two halves */
    a[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(row[i] + j)),
                                _mm_loadu_ps(row[i + 4] + j), 1);
  b[0] = _mm256_unpacklo_ps(a[0], a[1]), b[1] = _mm256_unpackhi_ps(a[0], a[1]);
  b[2] = _mm256_unpacklo_ps(a[2], a[3]), b[3] = _mm256_unpackhi_ps(a[2], a[3]);
  column[0] = _mm256_shuffle_ps(b[0], b[2], 0x44), column[1] = _mm256_shuffle_ps(b[0], b[2], 0xee);
  column[2] = _mm256_shuffle_ps(b[1], b[3], 0x44), column[3] = _mm256_shuffle_ps(b[1], b[3], 0xee);
}

static inline unsigned distances(float out[ANK_FLOATS], const float *row,
                                 const float *const reference[ANK_FLOATS], size_t dim, size_t count,
                                 float worst) {
  __m256 sum = _mm256_setzero_ps(), column[4];
  size_t j = 0;
  for (; j + 4 <= dim; j += 4) {
    transpose(column, reference, j);
    for (size_t i = 0; i < 4; i++) {
      __m256 difference = _mm256_sub_ps(_mm256_set1_ps(row[j + i]), column[i]);
      sum = _mm256_fmadd_ps(difference, difference, sum);
    }
  }
  if (j < dim) {
    transpose(column, reference, j); /* reads beyond the row: ROOM_AT_END */
    for (size_t i = 0; j + i < dim; i++) {
      __m256 difference = _mm256_sub_ps(_mm256_set1_ps(row[j + i]), column[i]);
      sum = _mm256_fmadd_ps(difference, difference, sum);
    }
  }
  return hand_out(out, sum, count, worst);
}

static inline unsigned lane_distances(float out[ANK_STRETCH], const float *row, const float *lanes,
                                      size_t dim, float worst) {
  enum { SIDE_BY_SIDE = ANK_STRETCH / ANK_FLOATS };
  __m256 sum[SIDE_BY_SIDE];
  unsigned near = 0;
  for (size_t v = 0; v < SIDE_BY_SIDE; v++) sum[v] = _mm256_setzero_ps();
  for (size_t j = 0; j < dim; j++, lanes += ANK_FLOATS) {
    __m256 x = _mm256_set1_ps(row[j]);
    for (size_t v = 0; v < SIDE_BY_SIDE;
         v++) { /* enough sums in flight to hide the latency of the multiply-add */
      __m256 difference = _mm256_sub_ps(x, _mm256_loadu_ps(lanes + v * dim * ANK_FLOATS));
      sum[v] = _mm256_fmadd_ps(difference, difference, sum[v]);
    }
  }
  for (size_t v = 0; v < SIDE_BY_SIDE; v++)
    near |= hand_out(out + v * ANK_FLOATS, sum[v], ANK_FLOATS, worst) << v * ANK_FLOATS;
  return near;
}

#include "neighbours/search_body.h"

#else
const ank_search_kernels ank_search_avx2 = {NULL, NULL, NULL, NULL};
#endif
