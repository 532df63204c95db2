/* search_avx2.c - search.h for x86-64 with AVX2 and FMA. */
#include "neighbours/search_table.h"

#if defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

#define TABLE ank_search_avx2

typedef float vec __attribute__((vector_size(32)));
typedef float vec_anywhere __attribute__((vector_size(32), aligned(4), may_alias));

#define SPLAT(v, x) ((v) = _mm256_set1_ps(x))
#define ADD_SQUARE(sum, d) ((sum) = _mm256_fmadd_ps((d), (d), (sum)))
#define MINIMUM(low, v) ((low) = _mm256_min_ps((v), (low)))
#define MAXIMUM(high, v) ((high) = _mm256_max_ps((v), (high)))

/* ---- table and scan ----------------------------------------------------------------------------------- */

static inline __m256i table_part(__m256 x, const float *low, const float *high, __m256 unit) {
  __m256 gap = _mm256_max_ps(_mm256_sub_ps(_mm256_loadu_ps(low), x), _mm256_sub_ps(x, _mm256_loadu_ps(high)));
  gap = _mm256_max_ps(gap, _mm256_setzero_ps());
  gap = _mm256_mul_ps(_mm256_mul_ps(gap, gap), unit);
  return _mm256_cvttps_epi32(_mm256_min_ps(gap, _mm256_set1_ps(255)));
}

static inline void table_column(uint8_t *out, float value, const float *low, const float *high, float unit) {
  __m256 x = _mm256_set1_ps(value), u = _mm256_set1_ps(unit);
  __m256i words = _mm256_packus_epi32(table_part(x, low, high, u), table_part(x, low + 8, high + 8, u));
  words = _mm256_permute4x64_epi64(words, 0xd8); /* the packing went by halves */
  _mm_storeu_si128((__m128i *)out,
                   _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
}

enum { RUN = 32, RUNS = ANK_CELL / RUN };

static inline uint64_t not_above(__m256i sum, __m256i limit) {
  return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(sum, limit), sum));
}

/* The sums of the four runs are in variables of their own: an array would be copied at every step. */
static inline void add_columns(__m256i sum[RUNS], const uint8_t *table, const uint8_t *codes,
                               size_t columns) {
  __m256i a = sum[0], b = sum[1], c = sum[2], d = sum[3];
  const uint8_t *end = table + columns * ANK_BINS;
#define ADD_COLUMN(offset)                                                                                   \
  do {                                                                                                       \
    const __m256i *code = (const __m256i *)codes + RUNS * (offset);                                          \
    __m256i entries = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table + (offset)));       \
    a = _mm256_adds_epu8(a, _mm256_shuffle_epi8(entries, _mm256_loadu_si256(code)));                         \
    b = _mm256_adds_epu8(b, _mm256_shuffle_epi8(entries, _mm256_loadu_si256(code + 1)));                     \
    c = _mm256_adds_epu8(c, _mm256_shuffle_epi8(entries, _mm256_loadu_si256(code + 2)));                     \
    d = _mm256_adds_epu8(d, _mm256_shuffle_epi8(entries, _mm256_loadu_si256(code + 3)));                     \
  } while (0)
  if (columns % 2) {
    ADD_COLUMN(0);
    table += ANK_BINS;
    codes += ANK_CELL;
  }
  for (; table < end; table += 2 * ANK_BINS, codes += 2 * ANK_CELL) {
    ADD_COLUMN(0);
    ADD_COLUMN(1);
  }
#undef ADD_COLUMN
  sum[0] = a, sum[1] = b, sum[2] = c, sum[3] = d;
}

static inline void add_up(uint8_t sums[ANK_CELL], const uint8_t *table, const uint8_t *codes, size_t dim) {
  __m256i sum[RUNS];
  for (size_t r = 0; r < RUNS; r++) sum[r] = _mm256_setzero_si256();
  add_columns(sum, table, codes, dim);
  for (size_t r = 0; r < RUNS; r++) _mm256_storeu_si256((__m256i *)(sums + r * RUN), sum[r]);
}

static inline void mark(uint64_t near[ANK_CELL_WORDS], const uint8_t sums[ANK_CELL], unsigned limit) {
  __m256i most = _mm256_set1_epi8((char)limit);
  for (size_t w = 0; w < ANK_CELL_WORDS; w++)
    near[w] = not_above(_mm256_loadu_si256((const __m256i *)(sums + 64 * w)), most) |
              not_above(_mm256_loadu_si256((const __m256i *)(sums + 64 * w + RUN)), most) << 32;
}

static inline void scan(uint64_t near[ANK_CELL_WORDS], const uint8_t *table, const uint8_t *codes, size_t dim,
                        unsigned limit) {
  __m256i sum[RUNS], most = _mm256_set1_epi8((char)limit);
  for (size_t r = 0; r < RUNS; r++) sum[r] = _mm256_setzero_si256();
  add_columns(sum, table, codes, dim);
  for (size_t w = 0; w < ANK_CELL_WORDS; w++)
    near[w] = not_above(sum[2 * w], most) | not_above(sum[2 * w + 1], most) << 32;
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

/* Columns j to j + 7 of eight rows become eight vectors, one per column. */
static inline void transpose(__m256 column[8], const float *const row[8], size_t j) {
  __m256 a[8], b[8];
  for (size_t i = 0; i < 4;
       i++) { /* rows i and i + 4 in the two halves, columns j to j + 3, then the others */
    a[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(row[i] + j)),
                                _mm_loadu_ps(row[i + 4] + j), 1);
    a[i + 4] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(row[i] + j + 4)),
                                    _mm_loadu_ps(row[i + 4] + j + 4), 1);
  }
  for (size_t h = 0; h < 8; h += 4) {
    b[h] = _mm256_unpacklo_ps(a[h], a[h + 1]);
    b[h + 1] = _mm256_unpackhi_ps(a[h], a[h + 1]);
    b[h + 2] = _mm256_unpacklo_ps(a[h + 2], a[h + 3]);
    b[h + 3] = _mm256_unpackhi_ps(a[h + 2], a[h + 3]);
    column[h] = _mm256_shuffle_ps(b[h], b[h + 2], 0x44);
    column[h + 1] = _mm256_shuffle_ps(b[h], b[h + 2], 0xee);
    column[h + 2] = _mm256_shuffle_ps(b[h + 1], b[h + 3], 0x44);
    column[h + 3] = _mm256_shuffle_ps(b[h + 1], b[h + 3], 0xee);
  }
}

static inline unsigned distances(float out[ANK_FLOATS], const float *row,
                                 const float *const reference[ANK_FLOATS], size_t dim, size_t count,
                                 float worst) {
  __m256 sum = _mm256_setzero_ps(), column[8];
  size_t j = 0;
  for (; j + 8 <= dim; j += 8) {
    transpose(column, reference, j);
    for (size_t i = 0; i < 8; i++) {
      __m256 difference = _mm256_sub_ps(_mm256_set1_ps(row[j + i]), column[i]);
      sum = _mm256_fmadd_ps(difference, difference, sum);
    }
  }
  if (j < dim) {
    transpose(column, reference, j); /* beyond the row: ROOM_AT_END */
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
         v++) { /* enough sums under way to hide the latency of the multiply-add */
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
