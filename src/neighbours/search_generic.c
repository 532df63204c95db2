/* search_generic.c - search.h for any processor. */
#include "neighbours/search_table.h"

#include <math.h>
#include <string.h>

#define TABLE ank_search_generic

typedef float vec __attribute__((vector_size(32)));
typedef float vec_anywhere __attribute__((vector_size(32), aligned(4), may_alias));

#define EACH_LANE(statement)                                                                                 \
  do {                                                                                                       \
    for (size_t l = 0; l < ANK_FLOATS; l++) statement;                                                       \
  } while (0)

#define SPLAT(v, x) EACH_LANE((v)[l] = (x))
#define ADD_SQUARE(sum, d) EACH_LANE((sum)[l] = fmaf((d)[l], (d)[l], (sum)[l]))
#define MINIMUM(low, v) EACH_LANE((low)[l] = (v)[l] < (low)[l] ? (v)[l] : (low)[l])
#define MAXIMUM(high, v) EACH_LANE((high)[l] = (v)[l] > (high)[l] ? (v)[l] : (high)[l])

static void table_column(uint8_t *out, float x, const float *low, const float *high, float unit) {
  for (size_t b = 0; b < ANK_BINS; b++) {
    float below = low[b] - x, above = x - high[b], gap = below > above ? below : above;
    gap = gap > 0 ? gap * gap * unit : 0;
    out[b] = (uint8_t)(gap < 255 ? gap : 255);
  }
}

static void add_up(uint8_t sums[ANK_CELL], const uint8_t *table, const uint8_t *codes, size_t dim) {
  memset(sums, 0, ANK_CELL);
  for (size_t j = 0; j < dim; j++, table += ANK_BINS, codes += ANK_CELL)
    for (size_t i = 0; i < ANK_CELL; i++) {
      unsigned sum = (unsigned)sums[i] + table[codes[i]];
      sums[i] = (uint8_t)(sum < 255 ? sum : 255);
    }
}

static void mark(uint64_t near[ANK_CELL_WORDS], const uint8_t sums[ANK_CELL], unsigned limit) {
  memset(near, 0, ANK_CELL_WORDS * sizeof *near);
  for (size_t i = 0; i < ANK_CELL; i++) near[i / 64] |= (uint64_t)(sums[i] <= limit) << i % 64;
}

static void scan(uint64_t near[ANK_CELL_WORDS], const uint8_t *table, const uint8_t *codes, size_t dim,
                 unsigned limit) {
  uint8_t sums[ANK_CELL];
  add_up(sums, table, codes, dim);
  mark(near, sums, limit);
}

static unsigned not_above_worst(const float distance[ANK_FLOATS], float worst) {
  unsigned near = 0;
  for (size_t i = 0; i < ANK_FLOATS; i++) near |= (unsigned)(distance[i] <= worst) << i;
  return near;
}

static unsigned distances(float out[ANK_FLOATS], const float *row, const float *const reference[ANK_FLOATS],
                          size_t dim, size_t count, float worst) {
  unsigned near = 0;
  for (size_t i = 0; i < count; i++) {
    out[i] = 0;
    for (size_t j = 0; j < dim; j++)
      out[i] = fmaf(row[j] - reference[i][j], row[j] - reference[i][j], out[i]);
    near |= (unsigned)(out[i] <= worst) << i;
  }
  return near;
}

static unsigned lane_distances(float out[ANK_STRETCH], const float *row, const float *lanes, size_t dim,
                               float worst) {
  unsigned near = 0;
  for (size_t i = 0; i < ANK_STRETCH; i++) {
    const float *lane = lanes + i / ANK_FLOATS * dim * ANK_FLOATS + i % ANK_FLOATS;
    out[i] = 0;
    for (size_t j = 0; j < dim; j++)
      out[i] = fmaf(row[j] - lane[j * ANK_FLOATS], row[j] - lane[j * ANK_FLOATS], out[i]);
    near |= (unsigned)(out[i] <= worst) << i;
  }
  return near;
}

#include "neighbours/search_body.h"
