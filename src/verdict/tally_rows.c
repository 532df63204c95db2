/* tally_rows.c - the second time through: the cells of the rows that are reported, in order, with reasons. See tally.h. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "verdict/tally.h"

static anorank_status counted_scores(double *scores, const anorank_tally *tally, size_t first, size_t count,
                                     anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t low = 0, high = tally->part_count;
  while (low + 1 < high) { /* the last part that begins at the row or before */
    size_t middle = low + (high - low) / 2;
    if (tally->parts[middle].first <= first)
      low = middle;
    else
      high = middle;
  }
  for (; count > 0; low++) {
    const ank_scored_part *part = low < tally->part_count ? &tally->parts[low] : NULL;
    if (!part || first < part->first || first - part->first >= part->count)
      ANK_FAIL(ANORANK_ERROR_USAGE, "stream-row-unknown",
               "row %zu was not counted; fetch from the blocks that were added", first + 1);
    size_t skip = first - part->first, some = part->count - skip < count ? part->count - skip : count;
    ANK_TRY(
        ank_scratch_read(&tally->file, scores, some * sizeof *scores, part->at + skip * sizeof *scores, err));
    scores += some;
    first += some;
    count -= some;
  }
done:
  return status;
}

static anorank_status begin_fetch(anorank_tally *tally, anorank_error *err) {
  size_t limit = ank_memory_limit(&tally->settings);
  if (!tally->finished || tally->taking)
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-fetch-order",
                    "rows are fetched after the tally is finished and before findings are taken out");
  if (tally->sorter) return ANORANK_OK;
  return ank_row_sorter_new(&tally->sorter, tally->like,
                            limit < (size_t)1 << 29 ? limit / 8 : (size_t)1 << 26, err);
}

anorank_status ank_tallied_fetch(anorank_tally *tally, const anorank_table *block, size_t first_row,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *scores = NULL;
  ANK_TRY(ank_tallied_know(tally, block, err));
  ANK_TRY(begin_fetch(tally, err));
  ANK_TRY(ank_alloc_raw(&scores, block->rows, sizeof *scores, err));
  ANK_TRY(counted_scores(scores, tally, first_row, block->rows, err));
  for (size_t i = 0; i < block->rows; i++)
    if (ank_tallied_selects(tally, scores[i]))
      ANK_TRY(ank_row_sorter_put(tally->sorter, block, i, scores[i], first_row + i, err));
done:
  ank_free(scores);
  return status;
}

static void fill_findings(anorank_finding *findings, anorank_tally *tally, const ank_sorted_row *rows,
                          size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t place = tally->taken + i + 1;
    if (tally->taken + i == 0 || rows[i].score != tally->last_score) tally->rank = place;
    tally->last_score = rows[i].score;
    findings[i] = (anorank_finding){.rank = tally->rank,
                                    .row = rows[i].number,
                                    .score = rows[i].score,
                                    .p_value = ank_model_p_value(tally->model, rows[i].score),
                                    .q_value = ank_tallied_q(tally, rows[i].score)};
  }
}

/* Rows that score below the border of `lowest`. */
static size_t below_border(const anorank_tally *tally) {
  size_t count = 0;
  while (count < tally->lowest_count && tally->lowest[count] < tally->border) count++;
  return count;
}

anorank_status ank_tallied_next(anorank_tally *tally, size_t most, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_sorted_row *rows = NULL;
  anorank_finding *findings = NULL;
  anorank_table *empty = NULL;
  if (!tally->sorter)
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-not-fetched",
                    "no rows were fetched; fetch them before findings are taken out");
  int first_time = !tally->taking;
  ank_verdict_free(tally->verdict);
  ank_table_free(tally->table);
  tally->verdict = NULL;
  tally->table = NULL;
  if (first_time) ANK_TRY(ank_row_sorter_rewind(tally->sorter, err));
  tally->taking = 1;
  ANK_TRY(ank_row_sorter_next(&tally->table, &rows, tally->sorter, most, err));
  if (!tally->table && !first_time) goto done;
  if (!tally->table) { /* nothing is reported: that is an answer, too */
    const anorank_table *like = ank_row_sorter_like(tally->sorter);
    ANK_TRY(ank_table_new(&empty, like->columns, err));
    for (size_t j = 0; j < like->columns; j++) ANK_TRY(ank_table_set_like(empty, j, &like->column[j], err));
    ANK_TRY(ank_table_reserve(empty, 1, err));
    tally->table = empty;
    empty = NULL;
  }
  size_t count = tally->table->rows;
  ANK_TRY(ank_alloc(&findings, count, sizeof *findings, err));
  fill_findings(findings, tally, rows, count);
  ank_reported reported = {.findings = findings,
                           .count = count,
                           .before = tally->taken,
                           .all = ank_row_sorter_rows(tally->sorter),
                           .rows = tally->rows,
                           .discoveries = tally->discoveries,
                           .left = tally->left};
  ANK_TRY(ank_verdict_report(&tally->verdict, tally->model, tally->table, &reported, below_border(tally),
                             &tally->settings, err));
  tally->left = reported.left;
  tally->taken += count;
done:
  ank_table_free(empty);
  ank_free(rows);
  ank_free(findings);
  return status;
}
