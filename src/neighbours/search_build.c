/* search_build.c - the order of the references and their boxes; see search_table.h.
 *
 * A range of references is split in two along its column of largest variance, at the whole number of cells
 * nearest to the middle, and so on. O(count dim log count) in all. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/words.h"
#include "neighbours/search_table.h"

enum { MOST_FOR_VARIANCE = 512 }; /* rows that choose a column */

typedef struct {
  ank_search *search;
  const float *rows;    /* as the caller gave them */
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

/* Map finite floats to integers of the same order. */
static uint32_t key_of(float value) {
  uint32_t bits;
  value += 0.0F; /* -0 becomes 0 */
  memcpy(&bits, &value, sizeof bits);
  return bits >> 31 ? ~bits : bits | 0x80000000U;
}

static void cut(const builder *work, size_t from, size_t count) {
  uint32_t *places = work->search->places + from;
  while (count > ANK_CELL) {
    size_t left = ((count - 1) / ANK_CELL + 2) / 2 * ANK_CELL, column = widest_column(work, from, count);
    for (size_t i = 0; i < count; i++)
      work->keys[i] = (uint64_t)key_of(given(work, from + i)[column]) << 32 | places[i];
    ank_sort_words(work->keys, work->scratch, count);
    for (size_t i = 0; i < count; i++) places[i] = (uint32_t)work->keys[i];
    cut(work, from + left, count - left); /* at most half: the recursion is at most 32 deep */
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
  if (search->pairs > 0) ANK_TRY(ank_search_encode(search, err));
done:
  ank_free(work.sum);
  ank_free(work.square);
  ank_free(work.keys);
  ank_free(work.scratch);
  return status;
}
