/* search_codes.c - references and rows as small integers; see search_table.h and search_body.h.
 *
 * A row minus the centre is divided by the step, each column clamped to [-MOST, MOST], then the whole
 * shortened to a length of `reach`, then rounded. The reach leaves room for the rounding error. One step is
 * enough for references with similar spread. If they form clusters, or have far outliers, cells have regions
 * with separate steps. */
#include <math.h>

#include "core/alloc.h"
#include "neighbours/search_table.h"

enum {
  MOST_FOR_STEP = 1024, /* references that choose a step */
  ONE_IN = 500          /* one of this many may be clamped or shortened */
};

/* Regions are joined if the step becomes at most this much longer than those of their cells. */
#define JOINED 1.4

/* Rows that search a region do not always lie in it. */
#define AROUND 1.25

double ank_search_round(double *whole, const ank_search *search, size_t region, const float *row) {
  const double shift = 0x1.8p52, most = ANK_SEARCH_MOST; /* adding it rounds to an integer */
  const double *centre = search->centre + region * search->dim, per_step = search->region[region].per_step;
  double square = 0, moved = 0, factor = 1;
  for (size_t j = 0; j < search->dim; j++) {
    double steps = ((double)row[j] - centre[j]) * per_step;
    whole[j] = steps > most ? most : steps < -most ? -most : steps;
    square += whole[j] * whole[j];
  }
  if (square > search->reach * search->reach) factor = search->reach / sqrt(square);
  for (size_t j = 0; j < search->dim; j++) {
    double steps = whole[j] * factor;
    whole[j] = (steps + shift) - shift;
    moved += (steps - whole[j]) * (steps - whole[j]);
  }
  return sqrt(moved) + 1e-6; /* errors of double precision are below 1e-9 steps */
}

/* ---- regions ------------------------------------------------------------------------------------------ */

typedef struct {
  ank_search *search;
  double *whole;              /* dim */
  ank_word *needed, *scratch; /* MOST_FOR_STEP + 1 */
} encoder;

static void find_centre(const ank_search *search, double *centre, size_t from, size_t count) {
  for (size_t j = 0; j < search->dim; j++) centre[j] = 0;
  for (size_t i = from; i < from + count; i++)
    for (size_t j = 0; j < search->dim; j++)
      centre[j] += (double)search->rows[i * search->dim + j] / (double)count;
}

/* Find the smallest step that clamps hardly any of the references. */
static double find_step(const encoder *work, const double *centre, size_t from, size_t count) {
  const ank_search *search = work->search;
  size_t apart = (count - 1) / MOST_FOR_STEP + 1, seen = 0;
  double step;
  for (size_t i = from; i < from + count; i += apart) {
    double square = 0, widest = 0, needed;
    for (size_t j = 0; j < search->dim; j++) {
      double value = (double)search->rows[i * search->dim + j] - centre[j];
      square += value * value;
      widest = fmax(widest, fabs(value));
    }
    needed = fmax(fmax(sqrt(square) / search->reach, widest / ANK_SEARCH_MOST), 1e-30);
    memcpy(&work->needed[seen++], &needed, sizeof needed); /* above 0, so their bits have the same order */
  }
  ank_sort_words(work->needed, work->scratch, seen);
  memcpy(&step, &work->needed[seen - 1 - seen / ONE_IN], sizeof step);
  return step;
}

/* Find as few regions as possible for the cells of `count` references. Returns the mean step of the cells
 * alone. */
static double find_regions(const encoder *work, size_t from, size_t count) {
  ank_search *search = work->search;
  size_t first = search->regions, cell = from / ANK_CELL;
  double *centre = search->centre + first * search->dim, mean, step;
  if (count <= ANK_CELL) {
    find_centre(search, centre, from, count);
    mean = step = find_step(work, centre, from, count);
  } else {
    size_t left = ((count - 1) / ANK_CELL + 2) / 2 * ANK_CELL; /* as the build split them */
    mean = find_regions(work, from, left) * (double)left;
    mean = (mean + find_regions(work, from + left, count - left) * (double)(count - left)) / (double)count;
    if (search->regions > first + 2) return mean;
    double *joined = search->centre + search->regions * search->dim;
    find_centre(search, joined, from, count);
    step = find_step(work, joined, from, count);
    if (step > JOINED * mean) return mean;
    memcpy(centre, joined, search->dim * sizeof *centre);
  }
  search->region[first] = (ank_region){.step = step * (count < search->count ? AROUND : 1)};
  search->regions = first + 1;
  for (size_t end = (from + count - 1) / ANK_CELL; cell <= end; cell++)
    search->region_of[cell] = (uint32_t)first;
  return mean;
}

/* ---- references --------------------------------------------------------------------------------------- */

static void encode(const encoder *work, size_t i) {
  ank_search *search = work->search;
  size_t cell = i / ANK_CELL, in_cell = i % ANK_CELL;
  ank_region *region = &search->region[search->region_of[cell]];
  double norm = 0, sum = 0;
  double moved =
      ank_search_round(work->whole, search, search->region_of[cell], search->rows + i * search->dim);
  for (size_t j = 0; j < search->dim; j++) {
    double whole = work->whole[j];
    norm += whole * whole;
    sum += whole;
    search->codes[((cell * search->pairs + j / 2) * ANK_CELL + in_cell) * 2 + j % 2] = (int8_t)whole;
  }
  search->bases[i] = (int16_t)(uint16_t)(int64_t)(floor(norm / 2) + ANK_SEARCH_MOST * sum);
  region->moved = fmax(region->moved, moved);
}

anorank_status ank_search_encode(ank_search *search, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  encoder work = {.search = search};
  ANK_TRY(ank_alloc_raw(&work.whole, search->dim, sizeof *work.whole, err));
  ANK_TRY(ank_alloc_raw(&work.needed, MOST_FOR_STEP + 1, sizeof *work.needed, err));
  ANK_TRY(ank_alloc_raw(&work.scratch, MOST_FOR_STEP + 1, sizeof *work.scratch, err));
  search->reach = ANK_SEARCH_LENGTH - sqrt((double)search->dim) / 2;
  find_regions(&work, 0, search->count);
  for (size_t r = 0; r < search->regions; r++) search->region[r].per_step = 1 / search->region[r].step;
  for (size_t i = 0; i < search->count; i++) encode(&work, i);
  for (size_t i = search->count; i < search->cells * ANK_CELL; i++) search->bases[i] = ANK_NO_ESTIMATE;
done:
  ank_free(work.whole);
  ank_free(work.needed);
  ank_free(work.scratch);
  return status;
}
