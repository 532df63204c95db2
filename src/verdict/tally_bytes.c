/* tally_bytes.c - what a tally has counted as bytes, to be sent to another process that has the same model.
 *
 *   mark; rows; how many there are at each rank; scores in the tail (a count, then the values); the number of cells
 *   with rows in it, and of rows in cells that `mass` selects; of each cell its place and its rows; the lowest scores
 *
 * Settled, so the same rows give the same bytes. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "verdict/tally.h"

static const char mark[] = "anorank tally 2";

static anorank_status save_cells(ank_bytes *out, const anorank_tally *tally, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t filled = 0;
  for (size_t c = 0; tally->tail_cells && c < ank_tail_cells(); c++) filled += tally->tail_cells[c] > 0;
  ANK_TRY(ank_bytes_put_u64(out, filled, err));
  ANK_TRY(ank_bytes_put_u64(out, tally->tail_massed, err));
  for (size_t c = 0; tally->tail_cells && c < ank_tail_cells(); c++) {
    if (tally->tail_cells[c] == 0) continue;
    ANK_TRY(ank_bytes_put_u64(out, c, err));
    ANK_TRY(ank_bytes_put_u64(out, tally->tail_cells[c], err));
  }
done:
  return status;
}

static anorank_status load_cells(ank_cursor *in, anorank_tally *tally, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t filled, cell, from = 0, rows;
  ANK_TRY(ank_cursor_size(in, &filled, 0, ank_tail_cells(), "the number of cells", err));
  ANK_TRY(ank_cursor_size(in, &tally->tail_massed, 0, SIZE_MAX, "the rows by mass", err));
  if (filled == 0) goto done;
  if (tally->tail_count > 0) ANK_TRY(ANORANK_ERROR_MODEL); /* one or the other */
  ANK_TRY(ank_alloc(&tally->tail_cells, ank_tail_cells(), sizeof *tally->tail_cells, err));
  for (size_t i = 0; i < filled; i++) {
    ANK_TRY(ank_cursor_size(in, &cell, from, ank_tail_cells() - 1, "the place of a cell", err));
    ANK_TRY(ank_cursor_size(in, &rows, 1, SIZE_MAX, "the rows of a cell", err));
    if (__builtin_add_overflow(tally->tail_count, rows, &tally->tail_count)) ANK_TRY(ANORANK_ERROR_MODEL);
    tally->tail_cells[cell] = rows;
    from = cell + 1;
  }
  if (tally->tail_massed > tally->tail_count) ANK_TRY(ANORANK_ERROR_MODEL);
done:
  return status;
}

anorank_status ank_tallied_save(ank_bytes *out, anorank_tally *tally, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ANK_TRY(ank_tallied_settle(tally, err));
  ANK_TRY(ank_bytes_put(out, mark, sizeof mark, err));
  ANK_TRY(ank_bytes_put_u64(out, tally->rows, err));
  ANK_TRY(ank_bytes_put_u64(out, tally->rank_count, err));
  for (size_t k = 0; k < tally->rank_count; k++) ANK_TRY(ank_bytes_put_u64(out, tally->ranks[k], err));
  ANK_TRY(ank_bytes_put_f64s(out, tally->tail, tally->tail_cells ? 0 : tally->tail_count, err));
  ANK_TRY(save_cells(out, tally, err));
  ANK_TRY(ank_bytes_put_f64s(out, tally->lowest, tally->lowest_count, err));
done:
  return status;
}

static anorank_status take_all(ank_cursor *in, anorank_tally *tally, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t ranks, counted = 0;
  if (in->length < sizeof mark || memcmp(in->data, mark, sizeof mark) != 0) ANK_TRY(ANORANK_ERROR_MODEL);
  in->at = sizeof mark;
  ANK_TRY(ank_cursor_size(in, &tally->rows, 0, SIZE_MAX, "the number of rows", err));
  ANK_TRY(ank_cursor_size(in, &ranks, tally->rank_count, tally->rank_count, "the number of ranks", err));
  for (size_t k = 0; k < ranks; k++) {
    ANK_TRY(ank_cursor_u64(in, &tally->ranks[k], err));
    if (__builtin_add_overflow(counted, tally->ranks[k], &counted)) ANK_TRY(ANORANK_ERROR_MODEL);
  }
  ANK_TRY(ank_cursor_f64s(in, &tally->tail, &tally->tail_count, err));
  tally->tail_capacity = tally->tail_count;
  ANK_TRY(load_cells(in, tally, err));
  ANK_TRY(ank_cursor_f64s(in, &tally->lowest, &tally->lowest_count, err));
  tally->lowest_capacity = tally->lowest_count;
  ANK_TRY(ank_cursor_end(in, err));
  size_t wanted = (size_t)tally->settings.lowest < tally->rows ? (size_t)tally->settings.lowest : tally->rows;
  if (tally->lowest_count != wanted || tally->tail_count > tally->rows || counted > tally->rows ||
      counted + tally->tail_count != tally->rows)
    ANK_TRY(ANORANK_ERROR_MODEL);
  for (size_t i = 0; !tally->tail_cells && i < tally->tail_count; i++)
    if (!isfinite(tally->tail[i])) ANK_TRY(ANORANK_ERROR_MODEL);
  for (size_t i = 0; i < tally->lowest_count; i++)
    if (!isfinite(tally->lowest[i])) ANK_TRY(ANORANK_ERROR_MODEL);
done:
  return status;
}

anorank_status ank_tallied_load(anorank_tally **out, const anorank_model *model, const unsigned char *bytes,
                                size_t length, const anorank_settings *settings, anorank_error *err) {
  ank_cursor in = {bytes, length, 0};
  anorank_error inner = {0};
  anorank_tally *tally = NULL;
  *out = NULL;
  anorank_status status = ank_tallied_new(&tally, model, settings, err);
  if (status != ANORANK_OK) return status;
  status = take_all(&in, tally, &inner);
  if (status == ANORANK_OK) {
    *out = tally;
    return status;
  }
  ank_tallied_free(tally);
  if (status == ANORANK_ERROR_RESOURCES) return ank_fail_around(err, &inner, "%s", inner.message);
  return ank_fail(
      err, ANORANK_ERROR_DATA, "stream-bytes",
      "the bytes are no tally of this version with this model and settings, or damaged; count again");
}
