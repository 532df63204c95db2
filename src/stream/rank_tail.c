/* rank_tail.c - rows with p-values from the tail; see rank_counts.h.
 *
 * A cell holds the p-values with the same exponent and the same CELL_BITS leading bits of the mantissa. So its width is
 * less than 2^-CELL_BITS times any p-value in it. All rows of a cell get the level of its largest p-value and last row.
 * Therefore, with q the exact q-value,
 *
 *   q <= q from cells < (1 + 2^-CELL_BITS) q. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/sort.h"
#include "stream/rank_counts.h"

enum { CELL_BITS = 13, CELL_SHIFT = 52 - CELL_BITS };

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* p-values are from ANK_SMALLEST_P_VALUE to 1. */
static uint64_t first_cell(void) { return bits_of(ANK_SMALLEST_P_VALUE) >> CELL_SHIFT; }

size_t ank_tail_cells(void) { return (size_t)((bits_of(1) >> CELL_SHIFT) - first_cell() + 1); }

static size_t cell_of(double p) { return (size_t)((bits_of(p) >> CELL_SHIFT) - first_cell()); }

static double largest_in(size_t cell) {
  uint64_t bits = ((cell + first_cell() + 1) << CELL_SHIFT) - 1;
  double p;
  memcpy(&p, &bits, sizeof p);
  return p < 1 ? p : 1;
}

/* ---- counting ---------------------------------------------------------------------------------------- */

static void count_in_cell(ank_rank_counts *counts, double score) {
  double p = ank_calibration_p_value(&counts->model->null, score);
  counts->tail_cells[cell_of(p)]++;
  counts->tail_massed += counts->settings.mass > 0 && ank_level_selects(p, 1 - counts->settings.mass);
}

/* Replace the scores by counts. */
static anorank_status go_over_to_cells(ank_rank_counts *counts, anorank_error *err) {
  if (counts->tail_cells) return ANORANK_OK;
  ANK_CHECK(ank_alloc(&counts->tail_cells, ank_tail_cells(), sizeof *counts->tail_cells, err));
  for (size_t i = 0; i < counts->tail_count; i++) count_in_cell(counts, counts->tail[i]);
  ank_free(counts->tail);
  counts->tail = NULL;
  counts->tail_capacity = 0;
  return ANORANK_OK;
}

anorank_status ank_tail_put(ank_rank_counts *counts, const double *scores, size_t count, anorank_error *err) {
  if (count > counts->most_in_tail || counts->tail_count > counts->most_in_tail - count)
    ANK_CHECK(go_over_to_cells(counts, err));
  if (!counts->tail_cells) {
    ANK_CHECK(ank_reserve(&counts->tail, &counts->tail_capacity, counts->tail_count + count,
                          sizeof *counts->tail, err));
    if (count > 0) memcpy(counts->tail + counts->tail_count, scores, count * sizeof *scores);
  }
  for (size_t i = 0; counts->tail_cells && i < count; i++) count_in_cell(counts, scores[i]);
  counts->tail_count += count;
  return ANORANK_OK;
}

anorank_status ank_tail_merge(ank_rank_counts *counts, const ank_rank_counts *other, anorank_error *err) {
  if (!other->tail_cells) return ank_tail_put(counts, other->tail, other->tail_count, err);
  ANK_CHECK(go_over_to_cells(counts, err));
  for (size_t c = 0; c < ank_tail_cells(); c++) counts->tail_cells[c] += other->tail_cells[c];
  counts->tail_massed += other->tail_massed;
  counts->tail_count += other->tail_count;
  return ANORANK_OK;
}

anorank_status ank_tail_settle(ank_rank_counts *counts, anorank_error *err) {
  return counts->tail_cells ? ANORANK_OK : ank_sort(counts->tail, counts->tail_count, &counts->settings, err);
}

/* ---- once all are counted ---------------------------------------------------------------------------- */

anorank_status ank_tail_find_q(ank_rank_counts *counts, double least, anorank_error *err) {
  const uint64_t *cells = counts->tail_cells;
  double n = (double)counts->rows;
  size_t count = cells ? ank_tail_cells() : counts->tail_count, end = counts->tail_count;
  ANK_CHECK(ank_alloc(&counts->tail_q, count, sizeof *counts->tail_q, err));
  for (size_t i = count; i-- > 0;) {
    size_t rows = cells ? (size_t)cells[i] : 1;
    double p = cells ? largest_in(i) : ank_calibration_p_value(&counts->model->null, counts->tail[i]);
    double level = rows > 0 ? p * n / (double)end : least;
    if (level < least) least = level;
    counts->tail_q[i] = least;
    end -= rows;
  }
  return ANORANK_OK;
}

double ank_tail_q(const ank_rank_counts *counts, double score) {
  if (counts->tail_cells)
    return counts->tail_q[cell_of(ank_calibration_p_value(&counts->model->null, score))];
  size_t low = 0, high = counts->tail_count;
  if (high == 0) return 1; /* a row that was not counted */
  while (low + 1 < high) { /* find the last one that is not above the score */
    size_t middle = low + (high - low) / 2;
    if (counts->tail[middle] <= score)
      low = middle;
    else
      high = middle;
  }
  return counts->tail_q[low];
}

void ank_tail_count(ank_rank_counts *counts, double rate) {
  const anorank_settings *settings = &counts->settings;
  size_t count = counts->tail_cells ? ank_tail_cells() : counts->tail_count;
  for (size_t i = 0; i < count; i++) {
    size_t rows = counts->tail_cells ? (size_t)counts->tail_cells[i] : 1;
    if (counts->tail_q[i] <= rate) counts->discoveries += rows;
    if (settings->fdr > 0 && ank_level_selects(counts->tail_q[i], settings->fdr)) counts->selected += rows;
    if (settings->mass > 0 && !counts->tail_cells)
      counts->selected += (size_t)ank_counts_selects(counts, counts->tail[i]);
  }
  counts->selected += counts->tail_massed;
}
