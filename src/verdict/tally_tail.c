/* tally_tail.c - rows whose p-values are by the tail; see tally.h.
 *
 * A cell holds the p-values that share their leading bits, CELL_BITS of them behind the first: it is less than 2^-CELL_BITS of
 * its p-values wide. A row of a cell has the level of the cell's largest p-value and last row. So
 *
 *   q <= q in cells < (1 + 2^-CELL_BITS) q
 *
 * for the exact q: each level in cells is that of a row that is there, or above it by less than the width; and no level of a row
 * is below that of its cell by more than that. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/sort.h"
#include "verdict/tally.h"

enum { CELL_BITS = 13, CELL_SHIFT = 52 - CELL_BITS };

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* p-values are from ANK_NULL_LEAST to 1. */
static uint64_t first_cell(void) { return bits_of(ANK_NULL_LEAST) >> CELL_SHIFT; }

size_t ank_tail_cells(void) { return (size_t)((bits_of(1) >> CELL_SHIFT) - first_cell() + 1); }

static size_t cell_of(double p) { return (size_t)((bits_of(p) >> CELL_SHIFT) - first_cell()); }

static double largest_in(size_t cell) {
  uint64_t bits = ((cell + first_cell() + 1) << CELL_SHIFT) - 1;
  double p;
  memcpy(&p, &bits, sizeof p);
  return p < 1 ? p : 1;
}

/* ---- counting ---------------------------------------------------------------------------------------- */

static void count_in_cell(anorank_tally *tally, double score) {
  double p = ank_null_p_value(&tally->model->null, score);
  tally->tail_cells[cell_of(p)]++;
  tally->tail_massed += tally->settings.mass > 0 && ank_level_selects(p, 1 - tally->settings.mass);
}

/* From here on numbers of rows alone. */
static anorank_status go_over_to_cells(anorank_tally *tally, anorank_error *err) {
  if (tally->tail_cells) return ANORANK_OK;
  anorank_status status = ank_alloc(&tally->tail_cells, ank_tail_cells(), sizeof *tally->tail_cells, err);
  if (status != ANORANK_OK) return status;
  for (size_t i = 0; i < tally->tail_count; i++) count_in_cell(tally, tally->tail[i]);
  ank_free(tally->tail);
  tally->tail = NULL;
  tally->tail_capacity = 0;
  return ANORANK_OK;
}

anorank_status ank_tail_put(anorank_tally *tally, const double *scores, size_t count, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  if (count > tally->most_in_tail || tally->tail_count > tally->most_in_tail - count)
    ANK_TRY(go_over_to_cells(tally, err));
  if (!tally->tail_cells) {
    ANK_TRY(ank_reserve(&tally->tail, &tally->tail_capacity, tally->tail_count + count, sizeof *tally->tail,
                        err));
    if (count > 0) memcpy(tally->tail + tally->tail_count, scores, count * sizeof *scores);
  }
  for (size_t i = 0; tally->tail_cells && i < count; i++) count_in_cell(tally, scores[i]);
  tally->tail_count += count;
done:
  return status;
}

anorank_status ank_tail_merge(anorank_tally *tally, const anorank_tally *other, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  if (!other->tail_cells) return ank_tail_put(tally, other->tail, other->tail_count, err);
  ANK_TRY(go_over_to_cells(tally, err));
  for (size_t c = 0; c < ank_tail_cells(); c++) tally->tail_cells[c] += other->tail_cells[c];
  tally->tail_massed += other->tail_massed;
  tally->tail_count += other->tail_count;
done:
  return status;
}

void ank_tail_clear(anorank_tally *tally) {
  ank_free(tally->tail_cells);
  tally->tail_cells = NULL;
  tally->tail_count = tally->tail_massed = 0;
}

anorank_status ank_tail_settle(anorank_tally *tally, anorank_error *err) {
  return tally->tail_cells ? ANORANK_OK : ank_sort(tally->tail, tally->tail_count, &tally->settings, err);
}

/* ---- once all are counted ---------------------------------------------------------------------------- */

anorank_status ank_tail_find_q(anorank_tally *tally, double least, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const uint64_t *cells = tally->tail_cells;
  double n = (double)tally->rows;
  size_t count = cells ? ank_tail_cells() : tally->tail_count, end = tally->tail_count;
  ANK_TRY(ank_alloc(&tally->tail_q, count, sizeof *tally->tail_q, err));
  for (size_t i = count; i-- > 0;) {
    size_t rows = cells ? (size_t)cells[i] : 1;
    double p = cells ? largest_in(i) : ank_null_p_value(&tally->model->null, tally->tail[i]);
    double level = rows > 0 ? p * n / (double)end : least;
    if (level < least) least = level;
    tally->tail_q[i] = least;
    end -= rows;
  }
done:
  return status;
}

double ank_tail_q(const anorank_tally *tally, double score) {
  if (tally->tail_cells) return tally->tail_q[cell_of(ank_null_p_value(&tally->model->null, score))];
  size_t low = 0, high = tally->tail_count;
  while (low + 1 < high) { /* the last one that is not above the score */
    size_t middle = low + (high - low) / 2;
    if (tally->tail[middle] <= score)
      low = middle;
    else
      high = middle;
  }
  return tally->tail_q[low];
}

void ank_tail_count(anorank_tally *tally, double rate) {
  const anorank_settings *settings = &tally->settings;
  size_t count = tally->tail_cells ? ank_tail_cells() : tally->tail_count;
  for (size_t i = 0; i < count; i++) {
    size_t rows = tally->tail_cells ? (size_t)tally->tail_cells[i] : 1;
    if (tally->tail_q[i] <= rate) tally->discoveries += rows;
    if (settings->fdr > 0 && ank_level_selects(tally->tail_q[i], settings->fdr)) tally->selected += rows;
    if (settings->mass > 0 && !tally->tail_cells)
      tally->selected += (size_t)ank_tallied_selects(tally, tally->tail[i]);
  }
  tally->selected += tally->tail_massed;
}
