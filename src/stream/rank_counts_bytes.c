/* rank_counts_bytes.c - serialised counts, a section of a stream.
 *
 *   rows; rows at each rank; scores in the tail (a count, then the values); the number of cells with rows, and of
 *   rows in cells that `mass` selects; the place and the rows of each such cell; the lowest scores; the numbers of rows
 *   that are apart, that are unusual, and that have a p-value above 1/2
 *
 * Everything is sorted first, so the same rows give the same bytes. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "stream/rank_counts.h"

static anorank_status save_cells(ank_bytes *out, const ank_rank_counts *counts, anorank_error *err) {
  size_t filled = 0;
  for (size_t c = 0; counts->tail_cells && c < ank_tail_cells(); c++) filled += counts->tail_cells[c] > 0;
  ANK_CHECK(ank_bytes_put_u64(out, filled, err));
  ANK_CHECK(ank_bytes_put_u64(out, counts->tail_massed, err));
  for (size_t c = 0; counts->tail_cells && c < ank_tail_cells(); c++) {
    if (counts->tail_cells[c] == 0) continue;
    ANK_CHECK(ank_bytes_put_u64(out, c, err));
    ANK_CHECK(ank_bytes_put_u64(out, counts->tail_cells[c], err));
  }
  return ANORANK_OK;
}

static anorank_status load_cells(ank_cursor *in, ank_rank_counts *counts, anorank_error *err) {
  size_t filled, cell, from = 0, rows;
  ANK_CHECK(ank_cursor_size(in, &filled, 0, ank_tail_cells(), "the number of cells", err));
  ANK_CHECK(ank_cursor_size(in, &counts->tail_massed, 0, SIZE_MAX, "the rows by mass", err));
  if (filled == 0) return ANORANK_OK;
  if (counts->tail_count > 0) ANK_CHECK(ANORANK_ERROR_MODEL); /* one or the other */
  ANK_CHECK(ank_alloc(&counts->tail_cells, ank_tail_cells(), sizeof *counts->tail_cells, err));
  for (size_t i = 0; i < filled; i++) {
    ANK_CHECK(ank_cursor_size(in, &cell, from, ank_tail_cells() - 1, "the place of a cell", err));
    ANK_CHECK(ank_cursor_size(in, &rows, 1, SIZE_MAX, "the rows of a cell", err));
    if (__builtin_add_overflow(counts->tail_count, rows, &counts->tail_count)) ANK_CHECK(ANORANK_ERROR_MODEL);
    counts->tail_cells[cell] = rows;
    from = cell + 1;
  }
  if (counts->tail_massed > counts->tail_count) ANK_CHECK(ANORANK_ERROR_MODEL);
  return ANORANK_OK;
}

anorank_status ank_counts_save(ank_bytes *out, ank_rank_counts *counts, anorank_error *err) {
  ANK_CHECK(ank_counts_settle(counts, err));
  ANK_CHECK(ank_bytes_put_u64(out, counts->rows, err));
  ANK_CHECK(ank_bytes_put_u64(out, counts->rank_count, err));
  for (size_t k = 0; k < counts->rank_count; k++) ANK_CHECK(ank_bytes_put_u64(out, counts->ranks[k], err));
  ANK_CHECK(ank_bytes_put_f64s(out, counts->tail, counts->tail_cells ? 0 : counts->tail_count, err));
  ANK_CHECK(save_cells(out, counts, err));
  ANK_CHECK(ank_bytes_put_f64s(out, counts->lowest, counts->lowest_count, err));
  ANK_CHECK(ank_bytes_put_u64(out, counts->tiers.apart, err));
  ANK_CHECK(ank_bytes_put_u64(out, counts->tiers.unusual, err));
  return ank_bytes_put_u64(out, counts->tiers.high, err);
}

anorank_status ank_counts_load(ank_cursor *in, ank_rank_counts *counts, anorank_error *err) {
  size_t ranks, counted = 0;
  ANK_CHECK(ank_cursor_size(in, &counts->rows, 0, SIZE_MAX, "the number of rows", err));
  ANK_CHECK(ank_cursor_size(in, &ranks, counts->rank_count, counts->rank_count, "the number of ranks", err));
  for (size_t k = 0; k < ranks; k++) {
    ANK_CHECK(ank_cursor_u64(in, &counts->ranks[k], err));
    if (__builtin_add_overflow(counted, counts->ranks[k], &counted)) ANK_CHECK(ANORANK_ERROR_MODEL);
  }
  ANK_CHECK(ank_cursor_f64s(in, &counts->tail, &counts->tail_count, err));
  counts->tail_capacity = counts->tail_count;
  ANK_CHECK(load_cells(in, counts, err));
  ANK_CHECK(ank_cursor_f64s(in, &counts->lowest, &counts->lowest_count, err));
  counts->lowest_capacity = counts->lowest_count;
  counts->tiers.rows = counts->rows;
  ANK_CHECK(ank_cursor_size(in, &counts->tiers.apart, 0, counts->rows, "the rows apart", err));
  ANK_CHECK(ank_cursor_size(in, &counts->tiers.unusual, 0, counts->rows, "the unusual rows", err));
  ANK_CHECK(ank_cursor_size(in, &counts->tiers.high, 0, counts->rows, "the rows above the middle", err));
  size_t wanted =
      (size_t)counts->settings.lowest < counts->rows ? (size_t)counts->settings.lowest : counts->rows;
  if (counts->lowest_count != wanted || counts->tail_count > counts->rows || counted > counts->rows ||
      counted + counts->tail_count != counts->rows)
    ANK_CHECK(ANORANK_ERROR_MODEL);
  for (size_t i = 0; !counts->tail_cells && i < counts->tail_count; i++)
    if (!isfinite(counts->tail[i])) ANK_CHECK(ANORANK_ERROR_MODEL);
  for (size_t i = 0; i < counts->lowest_count; i++)
    if (!isfinite(counts->lowest[i])) ANK_CHECK(ANORANK_ERROR_MODEL);
  return ANORANK_OK;
}
