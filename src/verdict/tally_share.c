/* tally_share.c - findings that several processes share: where each row goes, rows as bytes, and what comes before a share.
 *
 * All tallies have the same counts, so each knows how many rows come before any score: rows are dealt out by that number, and
 * rows of one score, which have one number, stay together. A share as bytes:
 *
 *   a digest of the columns; then the rows (row_sorter.h)
 *
 * and no byte where it has no rows. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "table/verbatim.h"
#include "verdict/tally.h"

static uint64_t digest_bytes(uint64_t digest, const void *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) digest = (digest ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
  return digest;
}

/* Names and kinds, and which columns remember their texts. */
static uint64_t digest_columns(const anorank_table *like) {
  uint64_t digest = 0xCBF29CE484222325u;
  for (size_t j = 0; j < like->columns; j++) {
    const ank_column *column = &like->column[j];
    unsigned char kind[2] = {(unsigned char)column->kind, column->verbatim != NULL};
    digest = digest_bytes(digest, column->name, strlen(column->name) + 1);
    digest = digest_bytes(digest, kind, sizeof kind);
  }
  return digest;
}

/* ---- which share --------------------------------------------------------------------------------------- */

static anorank_status count_starts(anorank_tally *tally, anorank_error *err) {
  if (tally->starts) return ANORANK_OK;
  anorank_status status = ank_alloc_raw(&tally->starts, tally->rank_count, sizeof *tally->starts, err);
  uint64_t below = tally->tail_count;
  for (size_t k = 0; status == ANORANK_OK && k < tally->rank_count; k++) {
    tally->starts[k] = below;
    below += tally->ranks[k];
  }
  return status;
}

/* Was such a score counted by anybody? */
static int is_counted(const anorank_tally *tally, double score) {
  if (!isfinite(score)) return 0;
  size_t rank = ank_null_rank(&tally->model->null, score);
  if (rank != SIZE_MAX) return tally->ranks[rank] > 0;
  return ank_tail_has(tally, score);
}

static size_t share_of(const anorank_tally *tally, double score, size_t shares) {
  size_t rank = ank_null_rank(&tally->model->null, score);
  double below = rank != SIZE_MAX ? (double)tally->starts[rank] : (double)ank_tail_below(tally, score);
  double share = below / (double)tally->selected * (double)shares;
  return share < (double)shares ? (size_t)share : shares - 1;
}

/* ---- rows as bytes ------------------------------------------------------------------------------------- */

/* Rows to be reported, share by share: row[0], ..., and how many each has. */
static anorank_status deal(size_t *row, size_t *counts, const anorank_tally *tally, const double *scores,
                           size_t rows, size_t shares, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *share = NULL, *next = NULL;
  ANK_TRY(ank_alloc_raw(&share, rows, sizeof *share, err));
  ANK_TRY(ank_alloc(&next, shares, sizeof *next, err));
  for (size_t i = 0; i < rows; i++) {
    share[i] = ank_tallied_selects(tally, scores[i]) ? share_of(tally, scores[i], shares) : SIZE_MAX;
    if (share[i] != SIZE_MAX) counts[share[i]]++;
  }
  for (size_t s = 1; s < shares; s++) next[s] = next[s - 1] + counts[s - 1];
  for (size_t i = 0; i < rows; i++)
    if (share[i] != SIZE_MAX) row[next[share[i]]++] = i;
done:
  ank_free(share);
  ank_free(next);
  return status;
}

anorank_status ank_tallied_pack(ank_bytes *out, size_t *lengths, anorank_tally *tally,
                                const anorank_table *block, size_t first_row, size_t shares,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *scores = NULL;
  size_t *row = NULL, *counts = NULL, at = 0;
  for (size_t s = 0; s < shares; s++) lengths[s] = 0;
  ANK_TRY(ank_tallied_know(tally, block, err));
  ANK_TRY(ank_tallied_begin_fetch(tally, err));
  ANK_TRY(count_starts(tally, err));
  ANK_TRY(ank_alloc_raw(&scores, block->rows, sizeof *scores, err));
  ANK_TRY(ank_alloc_raw(&row, block->rows, sizeof *row, err));
  ANK_TRY(ank_alloc(&counts, shares, sizeof *counts, err));
  ANK_TRY(ank_tallied_scores(scores, tally, first_row, block->rows, err));
  ANK_TRY(deal(row, counts, tally, scores, block->rows, shares, err));
  uint64_t digest = digest_columns(tally->like);
  for (size_t s = 0; s < shares; s++) {
    size_t begin = out->length;
    if (counts[s] > 0) ANK_TRY(ank_bytes_put(out, &digest, sizeof digest, err));
    for (size_t k = 0; k < counts[s]; k++, at++)
      ANK_TRY(
          ank_sorted_row_save(out, tally->like, block, row[at], scores[row[at]], first_row + row[at], err));
    lengths[s] = out->length - begin;
  }
done:
  ank_free(scores);
  ank_free(row);
  ank_free(counts);
  return status;
}

anorank_status ank_tallied_unpack(anorank_tally *tally, const unsigned char *bytes, size_t length,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  uint64_t digest = 0;
  size_t at = sizeof digest, used = 0;
  if (length == 0) return ANORANK_OK;
  if (!tally->like)
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-fetch-order",
                    "the columns are not known yet; pack a block before the first that is unpacked");
  ANK_TRY(ank_tallied_begin_fetch(tally, err));
  if (length >= sizeof digest) memcpy(&digest, bytes, sizeof digest);
  int whole = length > at && digest == digest_columns(tally->like);
  for (; whole && at < length; at += used) {
    ank_sorted_row row;
    whole = ank_sorted_row_check(&row, &used, tally->like, bytes + at, length - at) == ANORANK_OK &&
            is_counted(tally, row.score);
    if (whole) ANK_TRY(ank_row_sorter_put_saved(tally->sorter, bytes + at, used, err));
  }
  if (!whole)
    ANK_FAIL(ANORANK_ERROR_DATA, "stream-bytes",
             "the bytes are no rows for this tally, with its columns, or damaged; pack them again");
done:
  return status;
}

anorank_status ank_tallied_follow(anorank_tally *tally, size_t before, size_t all, anorank_error *err) {
  size_t own = tally->sorter ? ank_row_sorter_rows(tally->sorter) : 0;
  if (tally->taking || before > all || own > all - before)
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-offset",
                    "a tally with %zu findings cannot follow %zu of %zu, or they are being taken out; "
                    "say it once all rows are fetched",
                    own, before, all);
  tally->before = before;
  tally->all = all;
  return ANORANK_OK;
}
