/* search_build.c - the order of the references, their boxes, bins and codes; see search_table.h.
 *
 * A range of references is cut in two along its column of largest variance, at a whole number of cells as
 * near to the middle as possible, and so on. O(count dim log count) in all. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/words.h"
#include "neighbours/search_table.h"

enum {
  USUAL = 10,
  SAMPLED = 4,             /* references of a cell that are asked for their neighbours */
  MOST_FOR_VARIANCE = 512, /* rows that choose a column */
  MOST_FOR_BINS = 4096     /* rows that choose the bins of a column */
};

typedef struct {
  ank_search *search;
  const float *rows;    /* as given */
  double *sum, *square; /* dim */
  ank_word *keys, *scratch;
} builder;

/* ---- order -------------------------------------------------------------------------------------------- */

static const float *given(const builder *work, size_t i) {
  return work->rows + work->search->places[i] * work->search->dim;
}

static size_t widest_column(const builder *work, size_t from, size_t count) {
  size_t step = count > MOST_FOR_VARIANCE ? count / MOST_FOR_VARIANCE : 1, seen = 0, best = 0;
  size_t dim = work->search->dim;
  const float *first = given(work, from);
  memset(work->sum, 0, dim * sizeof *work->sum);
  memset(work->square, 0, dim * sizeof *work->square);
  for (size_t i = from; i < from + count; i += step, seen++) {
    const float *row = given(work, i);
    for (size_t j = 0; j < dim; j++) {
      double moved = (double)row[j] - (double)first[j];
      work->sum[j] += moved;
      work->square[j] += moved * moved;
    }
  }
  for (size_t j = 0; j < dim; j++) {
    work->square[j] -= work->sum[j] * work->sum[j] / (double)seen;
    if (work->square[j] > work->square[best]) best = j;
  }
  return best;
}

/* Integers in the order of finite floats. */
static uint32_t key_of(float value) {
  uint32_t bits;
  value += 0.0F; /* -0 becomes 0 */
  memcpy(&bits, &value, sizeof bits);
  return bits >> 31 ? ~bits : bits | 0x80000000U;
}

static float value_of(uint32_t key) {
  uint32_t bits = key >> 31 ? key & 0x7fffffffU : ~key;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void cut(const builder *work, size_t from, size_t count) {
  uint32_t *places = work->search->places + from;
  while (count > ANK_CELL) {
    size_t left = ((count - 1) / ANK_CELL + 2) / 2 * ANK_CELL, column = widest_column(work, from, count);
    for (size_t i = 0; i < count; i++)
      work->keys[i] = (uint64_t)key_of(given(work, from + i)[column]) << 32 | places[i];
    ank_sort_words(work->keys, work->scratch, count);
    for (size_t i = 0; i < count; i++) places[i] = (uint32_t)work->keys[i];
    cut(work, from + left, count - left); /* at most half: never more than 32 calls deep */
    count = left;
  }
}

static void copy_rows(const builder *work) {
  ank_search *search = work->search;
  for (size_t i = 0; i < search->count; i++) {
    memcpy(search->rows + i * search->dim, given(work, i), search->dim * sizeof *search->rows);
    search->at[search->places[i]] = (uint32_t)i;
  }
}

static void fill_lanes(ank_search *search) {
  for (size_t i = 0; i < search->cells * ANK_CELL; i++)
    for (size_t j = 0; j < search->dim; j++)
      search->lanes[(i / ANK_FLOATS * search->dim + j) * ANK_FLOATS + i % ANK_FLOATS] =
          i < search->count ? search->rows[i * search->dim + j] : INFINITY;
}

/* ---- boxes -------------------------------------------------------------------------------------------- */

/* Boxes past the last cell lie at infinity. */
static void fill_boxes(ank_search *search) {
  for (size_t i = 0; i < search->cells_up * search->dim; i++) search->low[i] = search->high[i] = INFINITY;
  for (size_t i = 0; i < search->count; i++) {
    size_t cell = i / ANK_CELL, box = cell / ANK_FLOATS * search->dim * ANK_FLOATS + cell % ANK_FLOATS;
    for (size_t j = 0; j < search->dim; j++) {
      float value = search->rows[i * search->dim + j];
      float *low = &search->low[box + j * ANK_FLOATS], *high = &search->high[box + j * ANK_FLOATS];
      if (i % ANK_CELL == 0 || value < *low) *low = value;
      if (i % ANK_CELL == 0 || value > *high) *high = value;
    }
  }
}

/* The squared distance of reference i to its USUAL-th neighbour within its cell. */
static double neighbour_in_cell(const ank_search *search, size_t i) {
  size_t first = i / ANK_CELL * ANK_CELL, end = first + ANK_CELL, found = 0;
  double best[USUAL + 1] = {0}; /* the reference itself is the first */
  for (size_t r = first; r < end && r < search->count; r++) {
    const float *x = search->rows + i * search->dim, *y = search->rows + r * search->dim;
    double sum = 0;
    for (size_t j = 0; j < search->dim; j++)
      sum += ((double)x[j] - (double)y[j]) * ((double)x[j] - (double)y[j]);
    size_t p = found <= USUAL ? found++ : USUAL;
    if (p == USUAL && r - first > USUAL && sum >= best[p]) continue;
    for (; p > 0 && best[p - 1] > sum; p--) best[p] = best[p - 1];
    best[p] = sum;
  }
  return best[found - 1];
}

/* A guess is enough: it only decides what is looked at first. */
static void fill_usual(ank_search *search) {
  for (size_t cell = 0; cell < search->cells; cell++) {
    size_t first = cell * ANK_CELL, count = search->count - first;
    double sum = 0;
    if (count > ANK_CELL) count = ANK_CELL;
    for (size_t s = 0; s < SAMPLED; s++) sum += neighbour_in_cell(search, first + s * count / SAMPLED);
    search->usual[cell] = (float)(sum / SAMPLED);
  }
}

/* ---- bins and codes ----------------------------------------------------------------------------------- */

/* Bin b + 1 begins at edges[b]; equal values share a bin. Unused edges are INFINITY. */
static void find_edges(const builder *work, size_t column, float edges[ANK_BINS - 1]) {
  const ank_search *search = work->search;
  size_t step = (search->count - 1) / MOST_FOR_BINS + 1, seen = 0, begin = 0;
  for (size_t i = 0; i < search->count; i += step)
    work->keys[seen++] = key_of(search->rows[i * search->dim + column]);
  ank_sort_words(work->keys, work->scratch, seen);
  for (size_t b = 0; b < ANK_BINS - 1; b++) {
    size_t end = begin + (seen - begin) / (ANK_BINS - b) + 1;
    while (end < seen && work->keys[end] == work->keys[end - 1]) end++;
    edges[b] = end < seen ? value_of((uint32_t)work->keys[end]) : INFINITY;
    begin = end < seen ? end : seen;
  }
}

static void fill_codes(const builder *work, size_t column) {
  ank_search *search = work->search;
  float edges[ANK_BINS - 1], *low = search->bin_low + column * ANK_BINS;
  float *high = search->bin_high + column * ANK_BINS;
  find_edges(work, column, edges);
  for (size_t b = 0; b < ANK_BINS; b++) low[b] = high[b] = INFINITY;
  for (size_t i = 0; i < search->count; i++) {
    float value = search->rows[i * search->dim + column];
    unsigned bin = 0;
    for (size_t b = 0; b < ANK_BINS - 1; b++) bin += value >= edges[b];
    if (!(low[bin] < INFINITY)) low[bin] = high[bin] = value;
    low[bin] = value < low[bin] ? value : low[bin];
    high[bin] = value > high[bin] ? value : high[bin];
    search->codes[(i / ANK_CELL * search->dim + column) * ANK_CELL + i % ANK_CELL] = (uint8_t)bin;
  }
}

anorank_status ank_search_build(ank_search *search, const float *rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  builder work = {search, rows, NULL, NULL, NULL, NULL};
  ANK_TRY(ank_alloc(&work.sum, search->dim, sizeof *work.sum, err));
  ANK_TRY(ank_alloc(&work.square, search->dim, sizeof *work.square, err));
  ANK_TRY(ank_alloc_raw(&work.keys, search->count, sizeof *work.keys, err));
  ANK_TRY(ank_alloc_raw(&work.scratch, search->count, sizeof *work.scratch, err));
  for (size_t i = 0; i < search->count; i++) search->places[i] = (uint32_t)i;
  cut(&work, 0, search->count);
  copy_rows(&work);
  fill_lanes(search);
  fill_boxes(search);
  fill_usual(search);
  for (size_t j = 0; j < search->dim; j++) fill_codes(&work, j);
done:
  ank_free(work.sum);
  ank_free(work.square);
  ank_free(work.keys);
  ank_free(work.scratch);
  return status;
}
