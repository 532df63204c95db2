/* search_generic.c - search.h for any processor. */
#include "kernels/search_table.h"

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
#define MAXIMUM(high, v) EACH_LANE((high)[l] = (v)[l] > (high)[l] ? (v)[l] : (high)[l])

static void table_column(uint8_t *out, float x, const float *low, const float *high, float unit) {
  for (size_t b = 0; b < ANK_BINS; b++) {
    float below = low[b] - x, above = x - high[b], gap = below > above ? below : above;
    gap = gap > 0 ? gap * gap * unit : 0;
    out[b] = (uint8_t)(gap < 255 ? gap : 255);
  }
}

static void scan(uint64_t near[ANK_CELL_WORDS], const uint8_t *table, const uint8_t *codes, size_t dim,
                 unsigned limit) {
  unsigned sum[ANK_CELL] = {0};
  for (size_t j = 0; j < dim; j++, table += ANK_BINS, codes += ANK_CELL)
    for (size_t i = 0; i < ANK_CELL; i++) sum[i] += table[codes[i]];
  memset(near, 0, ANK_CELL_WORDS * sizeof *near);
  for (size_t i = 0; i < ANK_CELL; i++) near[i / 64] |= (uint64_t)(sum[i] <= limit) << i % 64;
}

static void distances(float out[ANK_FLOATS], const float *row, const float *const reference[ANK_FLOATS],
                      size_t dim, size_t count) {
  for (size_t i = 0; i < count; i++) {
    out[i] = 0;
    for (size_t j = 0; j < dim; j++)
      out[i] = fmaf(row[j] - reference[i][j], row[j] - reference[i][j], out[i]);
  }
}

#include "kernels/search_body.h"
