/* coarse_avx2.c - coarse.h for processors with AVX2 and FMA, or equivalents (kernels/avx2.h). */
#include "kernels/avx2.h"
#include "neighbours/coarse_table.h"

#ifdef ANK_AVX2

#include <math.h>

/* The registers hold TILE rows by two blocks of references. GROUP rows go through a page one stage after the
 * other, so that no stage waits for the previous one. */
enum {
  TILE = 4,
  GROUP = ANK_GROUP,
  PAGE_KEYS = ANK_PAGE * ANK_LANES,
  CODES = 2 * ANK_LANES, /* bytes of a block and a pair of columns */
  MANY = 24,             /* a row with more references than this to compute stays undecided */
  CHAINS = 4,            /* distances computed side by side */
  WORDS = PAGE_KEYS / 64 /* one bit per key of a page */
};

/* State of a group of rows and a page; `least` covers the pages so far. */
typedef struct {
  _Alignas(32) int16_t keys[GROUP][PAGE_KEYS];
  double smallest[GROUP];
  int32_t limit[GROUP];
  float least[GROUP];
  int open[GROUP];
  size_t found;
  uint32_t pair[GROUP * MANY + CHAINS]; /* row * PAGE_KEYS + reference */
} group;

/* ---- keys --------------------------------------------------------------------------------------------- */

static inline __m256i take_products(__m256i key, __m256i x, __m256i codes) {
  return _mm256_sub_epi16(key, _mm256_maddubs_epi16(x, codes));
}

static inline __m256i splat(uint32_t pairs) { return _mm256_set1_epi32((int)pairs); }

static inline __m256i load(const void *from) { return _mm256_loadu_si256((const __m256i *)from); }

static inline double least_key(__m256i keys) {
  __m128i low = _mm_min_epi16(_mm256_castsi256_si128(keys), _mm256_extracti128_si256(keys, 1));
  low = _mm_minpos_epu16(_mm_xor_si128(low, _mm_set1_epi16(-32768))); /* needs unsigned numbers */
  return (double)((_mm_cvtsi128_si32(low) & 0xffff) - 32768);
}

/* Scan two blocks at a time. If their number is odd, the last is scanned twice. */
__attribute__((always_inline)) static inline void scan(group *all, size_t first,
                                                       const uint32_t *const row[TILE], const int8_t *codes,
                                                       const int16_t *bases, size_t blocks, size_t pairs) {
  __m256i low[TILE];
  for (size_t i = 0; i < TILE; i++) low[i] = _mm256_set1_epi16(ANK_NO_KEY);
  for (size_t b = 0; b < blocks; b += 2) {
    size_t next = b + 1 < blocks ? b + 1 : b;
    const int8_t *left = codes + b * pairs * CODES, *right = codes + next * pairs * CODES;
    __m256i x[TILE], y[TILE];
    for (size_t i = 0; i < TILE; i++) {
      x[i] = load(bases + b * ANK_LANES);
      y[i] = load(bases + next * ANK_LANES);
    }
    for (size_t p = 0; p < pairs; p++) {
      __m256i one = load(left + p * CODES), two = load(right + p * CODES);
      for (size_t i = 0; i < TILE; i++) {
        __m256i value = splat(row[i][p]);
        x[i] = take_products(x[i], value, one);
        y[i] = take_products(y[i], value, two);
      }
    }
    for (size_t i = 0; i < TILE; i++) {
      _mm256_store_si256((__m256i *)(all->keys[first + i] + b * ANK_LANES), x[i]);
      _mm256_store_si256((__m256i *)(all->keys[first + i] + next * ANK_LANES), y[i]);
      low[i] = _mm256_min_epi16(low[i], _mm256_min_epi16(x[i], y[i]));
    }
  }
  for (size_t i = 0; i < TILE; i++) all->smallest[first + i] = least_key(low[i]);
}

/* ---- what they leave to compute ----------------------------------------------------------------------- */

/* Keys above the limit belong to references that are not nearer than that of the smallest key. */
static inline void find_limits(group *all, const double *norm, const double *margin, double slack) {
  for (size_t i = 0; i < GROUP; i++) {
    double reach = sqrt(norm[i] + 2 * all->smallest[i] + 1) * (1 + slack) + margin[i];
    double limit = floor((reach * reach - norm[i]) / 2);
    all->limit[i] = (int32_t)(limit < ANK_NO_KEY ? limit : ANK_NO_KEY);
  }
}

/* Return a bit for each of 32 keys that is not above the limit; bits 8 to 15 and 16 to 23 are swapped. */
static inline uint32_t not_above(const int16_t *keys, __m256i limit) {
  __m256i above = _mm256_packs_epi16(_mm256_cmpgt_epi16(load(keys), limit),
                                     _mm256_cmpgt_epi16(load(keys + ANK_LANES), limit));
  return ~(uint32_t)_mm256_movemask_epi8(above);
}

static inline uint32_t in_order(uint32_t bit) { return (bit & 39) | (bit & 8) << 1 | (bit & 16) >> 1; }

/* List the references to compute for each row. Branches would be unpredictable here, so there are few. */
static void list_rows(group *all, size_t count) {
  uint64_t words[GROUP * WORDS + 1];
  uint32_t from[GROUP * WORDS + 1];
  size_t marked = 0;
  for (size_t i = 0; i < count; i++) {
    const int16_t *keys = all->keys[i];
    __m256i limit = _mm256_set1_epi16((short)all->limit[i]);
    uint64_t word[WORDS], wanted;
    int some = 0;
    for (size_t w = 0; w < WORDS; w++) {
      word[w] = not_above(keys + 64 * w, limit) | (uint64_t)not_above(keys + 64 * w + 32, limit) << 32;
      some += __builtin_popcountll(word[w]);
    }
    all->open[i] |= some > MANY || all->limit[i] >= ANK_NO_KEY;
    wanted = all->open[i] ? 0 : ~(uint64_t)0;
    for (size_t w = 0; w < WORDS; w++) {
      words[marked] = word[w] & wanted;
      from[marked] = (uint32_t)(i * PAGE_KEYS + 64 * w);
      marked += (word[w] & wanted) != 0;
    }
  }
  all->found = 0;
  for (size_t m = 0; m < marked; m++) {
    uint64_t left = words[m];
    do {
      all->pair[all->found++] = from[m] + in_order((uint32_t)__builtin_ctzll(left));
      left &= left - 1;
    } while (left);
  }
}

/* Several chains of sums run in parallel, so that none waits for its previous step. */
static void compute(group *all, const float *rows, const float *blocks, size_t dim) {
  for (size_t c = 0; c < CHAINS; c++) all->pair[all->found + c] = all->pair[0]; /* pads the last iteration */
  for (size_t from = 0; from < all->found; from += CHAINS) {
    const float *x[CHAINS], *lane[CHAINS];
    float sum[CHAINS] = {0};
    for (size_t c = 0; c < CHAINS; c++) {
      uint32_t i = all->pair[from + c] % PAGE_KEYS;
      x[c] = rows + all->pair[from + c] / PAGE_KEYS * dim;
      lane[c] = blocks + i / ANK_LANES * dim * ANK_LANES + i % ANK_LANES;
    }
    for (size_t j = 0; j < dim; j++)
      for (size_t c = 0; c < CHAINS; c++) {
        float difference = x[c][j] - lane[c][j * ANK_LANES];
        sum[c] = fmaf(difference, difference, sum[c]);
      }
    for (size_t c = 0; c < CHAINS; c++) {
      float *least = &all->least[all->pair[from + c] / PAGE_KEYS];
      *least = sum[c] < *least ? sum[c] : *least;
    }
  }
}

/* ---- all rows ----------------------------------------------------------------------------------------- */

static void page(group *all, const ank_coarse *coarse, size_t set, size_t block, const ank_coarse_rows *rows,
                 size_t from, size_t count) {
  size_t at = set * coarse->blocks + block, left = coarse->blocks - block;
  size_t blocks = left < ANK_PAGE ? left : ANK_PAGE;
  for (size_t first = 0; first < count; first += TILE) {
    const uint32_t *row[TILE];
    for (size_t i = 0; i < TILE; i++)
      row[i] = rows->codes + (from + (first + i < count ? first + i : count - 1)) * coarse->pairs;
    scan(all, first, row, coarse->codes + at * coarse->pairs * CODES, coarse->bases + at * ANK_LANES, blocks,
         coarse->pairs);
    for (size_t i = 0; i < TILE; i++)
      for (size_t k = blocks * ANK_LANES; k < PAGE_KEYS; k++) all->keys[first + i][k] = ANK_NO_KEY;
  }
  find_limits(all, rows->norm + from, rows->margin + from, coarse->slack);
  list_rows(all, count);
  if (all->found)
    compute(all, rows->rows + from * coarse->dim, coarse->values + at * coarse->dim * ANK_LANES, coarse->dim);
}

static size_t nearest(float *out, const ank_coarse *coarse, size_t set, const ank_coarse_rows *rows) {
  group all;
  size_t open = 0;
  for (size_t from = 0; from < rows->count; from += GROUP) {
    size_t count = rows->count - from < GROUP ? rows->count - from : GROUP;
    for (size_t i = 0; i < GROUP; i++) {
      all.least[i] = INFINITY;
      all.open[i] = 0;
      all.smallest[i] = 0;
    }
    for (size_t block = 0; block < coarse->blocks; block += ANK_PAGE)
      page(&all, coarse, set, block, rows, from, count);
    for (size_t i = 0; i < count; i++) {
      out[from + i] = all.least[i];
      if (all.open[i]) rows->open[open++] = (uint32_t)(from + i);
    }
  }
  return open;
}

const ank_coarse_kernels ank_coarse_avx2 = {nearest};

#else
const ank_coarse_kernels ank_coarse_avx2 = {NULL};
#endif
