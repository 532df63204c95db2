/* search.c - see search.h: the stored structures, and how many rows traverse them. */
#include "neighbours/search.h"

#include <string.h>

#include "core/alloc.h"
#include "kernels/vector.h"
#include "neighbours/search_table.h"

/* Rows traverse the cells together, a few cells at a time, so that codes stay in the first-level cache; fewer
 * rows if they have many keys. */
enum { ROWS = 16, CACHED_CODES = 12 << 10, MOST_KEYS = 1 << 20, AGAIN = 64, MOST_CODED = 1024 };

static anorank_status shape(ank_search *search, size_t count, size_t dim, anorank_error *err) {
  search->count = count;
  search->dim = dim;
  search->cells = (count - 1) / ANK_CELL + 1;
  search->cells_up = (search->cells - 1) / ANK_FLOATS * ANK_FLOATS + ANK_FLOATS;
  if (count > (SIZE_MAX - ANK_ROOM_AT_END) / dim) dim = SIZE_MAX; /* the allocation below fails */
  ANK_CHECK(ank_alloc(&search->rows, dim == SIZE_MAX ? dim : count * dim + ANK_ROOM_AT_END,
                      sizeof *search->rows, err));
  ANK_CHECK(ank_alloc_raw(&search->lanes, search->cells * ANK_CELL, dim * sizeof *search->lanes, err));
  ANK_CHECK(ank_alloc(&search->places, search->cells * ANK_CELL, sizeof *search->places, err));
  ANK_CHECK(ank_alloc_raw(&search->at, count, sizeof *search->at, err));
  ANK_CHECK(ank_alloc_raw(&search->low, search->cells_up, dim * sizeof *search->low, err));
  ANK_CHECK(ank_alloc_raw(&search->high, search->cells_up, dim * sizeof *search->high, err));
  if (dim > MOST_CODED) return ANORANK_OK;
  search->pairs = dim / 2 + dim % 2;
  ANK_CHECK(ank_alloc(&search->region, search->cells, sizeof *search->region, err));
  ANK_CHECK(ank_alloc_raw(&search->region_of, search->cells, sizeof *search->region_of, err));
  ANK_CHECK(ank_alloc_raw(&search->centre, search->cells + 1, dim * sizeof *search->centre, err));
  ANK_CHECK(
      ank_alloc(&search->codes, search->cells * ANK_CELL, 2 * search->pairs * sizeof *search->codes, err));
  return ank_alloc_raw(&search->bases, search->cells, ANK_CELL * sizeof *search->bases, err);
}

anorank_status ank_search_make(ank_search **out, const float *rows, size_t count, size_t dim,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_search *search = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&search, 1, sizeof *search, err));
  ANK_TRY(shape(search, count, dim, err));
  ANK_TRY(ank_search_build(search, rows, err));
  ANK_HAND_OVER(out, search);
done:
  ank_search_free(search);
  return status;
}

void ank_search_free(ank_search *search) {
  if (!search) return;
  ank_free(search->rows);
  ank_free(search->lanes);
  ank_free(search->places);
  ank_free(search->at);
  ank_free(search->codes);
  ank_free(search->low);
  ank_free(search->high);
  ank_free(search->region);
  ank_free(search->region_of);
  ank_free(search->centre);
  ank_free(search->bases);
  ank_free(search);
}

size_t ank_search_bytes(const ank_search *search) {
  size_t up = search->cells * ANK_CELL;
  size_t per_column = (search->count + up + 2 * search->cells_up) * sizeof(float);
  size_t codes = up * (2 * search->pairs + sizeof *search->bases) +
                 search->cells * (sizeof *search->region + sizeof *search->region_of) +
                 (search->cells + 1) * search->dim * sizeof *search->centre;
  return sizeof *search + search->dim * per_column + ANK_ROOM_AT_END * sizeof(float) +
         (up + search->count) * sizeof *search->places + (search->pairs > 0 ? codes : 0);
}

const float *ank_search_row(const ank_search *search, size_t i) {
  return search->rows + search->at[i] * search->dim;
}

/* ---- asking ------------------------------------------------------------------------------------------- */

static const ank_search_kernels *current(void) {
  return ank_kernels_are_fast() ? &ank_search_avx2 : &ank_search_generic;
}

/* The scratch memory of a batch, in a few large blocks. */
typedef struct {
  ank_seeker seekers[ROWS];
  ank_seeker *without_codes[ROWS];
  int mostly_gave_up; /* codes failed in the last batch: the next few skip them */
  ank_word *keys;
  float *distances, *gaps;
  uint32_t *places;
  double *whole;
  uint32_t *codes, *lists;
} batch;

static void batch_free(batch *all) {
  ank_free(all->keys);
  ank_free(all->distances);
  ank_free(all->places);
  ank_free(all->gaps);
  ank_free(all->whole);
  ank_free(all->codes);
  ank_free(all->lists);
}

static anorank_status batch_make(batch *all, const ank_search *search, size_t rows, size_t k,
                                 anorank_error *err) {
  size_t room = (2 * k > ANK_LEAST_ROOM ? 2 * k / ANK_FLOATS * ANK_FLOATS : ANK_LEAST_ROOM) + 2 * ANK_FLOATS;
  all->keys = NULL; /* initialised below, at most one per row */
  all->distances = all->gaps = NULL;
  all->places = all->codes = all->lists = NULL;
  all->whole = NULL;
  all->mostly_gave_up = 0;
  ANK_CHECK(ank_alloc_raw(&all->keys, rows, 2 * room * sizeof *all->keys, err));
  ANK_CHECK(ank_alloc_raw(&all->distances, rows, room * sizeof *all->distances, err));
  ANK_CHECK(ank_alloc_raw(&all->places, rows, room * sizeof *all->places, err));
  ANK_CHECK(ank_alloc_raw(&all->gaps, rows, search->cells_up * sizeof *all->gaps, err));
  ANK_CHECK(ank_alloc_raw(&all->whole, 2 * search->pairs, sizeof *all->whole, err));
  ANK_CHECK(ank_alloc_raw(&all->codes, rows, search->pairs * sizeof *all->codes, err));
  ANK_CHECK(ank_alloc_raw(&all->lists, rows, (ANK_LISTED + ANK_CELL + 4) * sizeof *all->lists, err));
  for (size_t i = 0; i < rows; i++)
    all->seekers[i] = (ank_seeker){.k = k,
                                   .keys = all->keys + 2 * i * room,
                                   .distance = all->distances + i * room,
                                   .place = all->places + i * room,
                                   .room = room,
                                   .gaps = all->gaps + i * search->cells_up,
                                   .whole = all->whole,
                                   .codes = all->codes + i * search->pairs,
                                   .list = all->lists + i * (ANK_LISTED + ANK_CELL + 4)};
  return ANORANK_OK;
}

static void seek(const ank_search *search, batch *all, const float *rows, size_t count, int without_codes) {
  const ank_search_kernels *kernels = current();
  size_t step = CACHED_CODES / (search->dim * ANK_CELL) + 1;
  if (step > ANK_CHUNK) step = ANK_CHUNK;
  for (size_t i = 0; i < count; i++) {
    all->seekers[i].row = rows + i * search->dim;
    all->seekers[i].give_up = without_codes;
    kernels->start(search, &all->seekers[i]);
  }
  for (size_t cell = 0; cell < search->cells; cell += step) {
    size_t end = search->cells - cell < step ? search->cells : cell + step, left = 0;
    for (size_t i = 0; i < count; i++)
      if (!kernels->visit(search, &all->seekers[i], cell, end)) all->without_codes[left++] = &all->seekers[i];
    kernels->visit_wholly(search, all->without_codes, left, cell, end);
  }
  for (size_t i = 0; i < count; i++) kernels->finish(search, &all->seekers[i]);
}

static void hand_over(uint32_t *place, float *squared, const ank_word *keys, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t bits = (uint32_t)(keys[i] >> 32);
    memcpy(&squared[i], &bits, sizeof bits);
    place[i] = (uint32_t)keys[i];
  }
}

anorank_status ank_search_nearest(uint32_t *place, float *squared, size_t k, const ank_search *search,
                                  const float *rows, size_t number, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t most = MOST_KEYS / k + 1;
  batch all;
  if (most > ROWS) most = ROWS;
  if (most > number) most = number;
  ANK_TRY(batch_make(&all, search, most, k, err));
  for (size_t from = 0, turn = 0; from < number; from += most, turn++) {
    size_t count = number - from < most ? number - from : most, gave_up = 0;
    int without_codes = turn % AGAIN != 0 && all.mostly_gave_up;
    seek(search, &all, rows + from * search->dim, count, without_codes);
    for (size_t i = 0; i < count; i++) {
      gave_up += all.seekers[i].give_up != 0;
      hand_over(place + (from + i) * k, squared + (from + i) * k, all.seekers[i].keys, k);
    }
    all.mostly_gave_up = gave_up > count - count / 8;
  }
done:
  batch_free(&all);
  return status;
}
