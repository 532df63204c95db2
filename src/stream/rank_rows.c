/* rank_rows.c - the second pass: the cells of the reported rows, in order, with reasons. See rank_counts.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "stream/rank_counts.h"
#include "table/raw_cells.h"

/* Read the scores of some rows; `*there` is 0 if another stream counted some of them. */
static anorank_status counted_scores(double *scores, int *there, const ank_rank_counts *counts, size_t first,
                                     size_t count, anorank_error *err) {
  size_t low = 0, high = counts->part_count;
  while (low + 1 < high) { /* find the last part that begins at or before the row */
    size_t middle = low + (high - low) / 2;
    if (counts->parts[middle].first <= first)
      low = middle;
    else
      high = middle;
  }
  for (; count > 0; low++) {
    const ank_scored_part *part = low < counts->part_count ? &counts->parts[low] : NULL;
    *there = part && first >= part->first && first - part->first < part->count;
    if (!*there) break;
    size_t skip = first - part->first, some = part->count - skip < count ? part->count - skip : count;
    ANK_CHECK(ank_scratch_read(&counts->file, scores, some * sizeof *scores, part->at + skip * sizeof *scores,
                               err));
    scores += some;
    first += some;
    count -= some;
  }
  return ANORANK_OK;
}

static anorank_status begin_fetch(ank_rank_counts *counts, anorank_error *err) {
  size_t limit = ank_memory_limit(&counts->settings);
  if (!counts->selected_rows || counts->taking)
    return ank_fail(
        err, ANORANK_ERROR_USAGE, "stream-fetch-order",
        "rows can only be fetched after selection and before the ranking is taken; check the call order");
  if (counts->sorter) return ANORANK_OK;
  return ank_row_sorter_new(&counts->sorter, counts->like,
                            limit < (size_t)1 << 29 ? limit / 8 : (size_t)1 << 26, err);
}

/* Remember what was usual just before rows of a block. */
static anorank_status add_pasts(ank_row_pasts *to, const ank_context_run *before, const anorank_table *block,
                                const size_t *chosen, size_t count, size_t first_row, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_pasts found = {0};
  if (!before || count == 0) return ANORANK_OK;
  ANK_TRY(ank_context_run_past(&found, before, block, chosen, count, err));
  ANK_TRY(ank_reserve(&to->list, &to->capacity, to->count + count, sizeof *to->list, err));
  for (size_t i = 0; i < count; i++) {
    ank_own_past past = found.of[i];
    if (!past.column) continue;
    if (past.entity) ANK_TRY(ank_levels_code(&past.code, &to->names, past.entity, strlen(past.entity), err));
    int32_t text = -1;
    if (past.text) ANK_TRY(ank_levels_code(&text, &to->names, past.text, strlen(past.text), err));
    past.entity = past.entity ? "" : NULL; /* the texts move while names are added */
    past.text = NULL;
    to->list[to->count++] = (ank_row_past){first_row + chosen[i], past, text};
  }
done:
  ank_pasts_free(&found);
  return status;
}

static int by_row(const void *a, const void *b) {
  size_t left = ((const ank_row_past *)a)->row, right = ((const ank_row_past *)b)->row;
  return left < right ? -1 : left > right;
}

static void settle_pasts(ank_row_pasts *pasts) {
  if (pasts->count > 0) qsort(pasts->list, pasts->count, sizeof *pasts->list, by_row);
  for (size_t i = 0; i < pasts->count; i++) {
    ank_row_past *one = &pasts->list[i];
    if (one->past.entity) one->past.entity = pasts->names.text[one->past.code];
    if (one->text >= 0) one->past.text = pasts->names.text[one->text];
  }
}

anorank_status ank_counts_fetch(ank_rank_counts *counts, const anorank_table *block, size_t first_row,
                                const ank_context_run *before, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *scores = NULL;
  size_t *chosen = NULL, count = 0;
  int there = 1;
  ANK_TRY(ank_counts_know(counts, block, err));
  ANK_TRY(begin_fetch(counts, err));
  ANK_TRY(ank_alloc_raw(&scores, block->rows, sizeof *scores, err));
  ANK_TRY(counted_scores(scores, &there, counts, first_row, block->rows, err));
  if (!there) ANK_TRY(ank_counts_score(scores, counts, block, first_row, err));
  ANK_TRY(ank_alloc_raw(&chosen, block->rows, sizeof *chosen, err));
  for (size_t i = 0; i < block->rows; i++) {
    if (!ank_counts_selects(counts, scores[i])) continue;
    ANK_TRY(ank_row_sorter_put(counts->sorter, block, i, scores[i], first_row + i, err));
    chosen[count++] = i;
  }
  if (counts->settings.reasons > 0)
    ANK_TRY(add_pasts(&counts->pasts, before, block, chosen, count, first_row, err));
done:
  ank_free(chosen);
  ank_free(scores);
  return status;
}

static void fill_findings(anorank_finding *findings, ank_rank_counts *counts, const ank_sorted_row *rows,
                          size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t place = counts->taken + i + 1;
    if (counts->taken + i == 0 || rows[i].score != counts->last_score) counts->rank = place;
    counts->last_score = rows[i].score;
    findings[i] = (anorank_finding){.rank = counts->rank,
                                    .row = rows[i].number,
                                    .first = rows[i].number,
                                    .last = rows[i].number,
                                    .span = 1,
                                    .score = rows[i].score,
                                    .p_value = ank_model_p_value(counts->model, rows[i].score),
                                    .q_value = ank_counts_q(counts, rows[i].score)};
  }
}

static anorank_status find_tiers(anorank_finding *findings, const ank_rank_counts *counts, size_t count,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_match *match = NULL;
  unsigned char *tier = NULL;
  double *scores = NULL;
  ANK_TRY(ank_match_make(&match, counts->model->pipeline.prepare, counts->table, err));
  ANK_TRY(ank_alloc_raw(&tier, count, sizeof *tier, err));
  ANK_TRY(ank_alloc_raw(&scores, count, sizeof *scores, err));
  for (size_t i = 0; i < count; i++) scores[i] = findings[i].score;
  ank_tiers_find(tier, counts->model, match, counts->table, scores);
  for (size_t i = 0; i < count; i++) findings[i].tier = (anorank_tier)tier[i];
done:
  ank_match_free(match);
  ank_free(tier);
  ank_free(scores);
  return status;
}

/* Rows that score below the border of `lowest`. */
static size_t below_border(const ank_rank_counts *counts) {
  size_t count = 0;
  while (count < counts->lowest_count && counts->lowest[count] < counts->border) count++;
  return count;
}

anorank_status ank_counts_next(ank_rank_counts *counts, size_t most, const ank_shift_sample *sample,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_sorted_row *rows = NULL;
  anorank_finding *findings = NULL;
  if (!counts->sorter)
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-not-fetched",
                    "no rows were fetched; fetch them before you take the ranking");
  int first_time = !counts->taking;
  ank_ranking_free(counts->ranking);
  ank_table_free(counts->table);
  counts->ranking = NULL;
  counts->table = NULL;
  if (first_time) ANK_TRY(ank_row_sorter_rewind(counts->sorter, err));
  if (first_time) settle_pasts(&counts->pasts);
  counts->taking = 1;
  ANK_TRY(ank_row_sorter_next(&counts->table, &rows, counts->sorter, most, err));
  if (!counts->table && !first_time) goto done;
  if (!counts->table) { /* no row is reported: give an empty ranking */
    ANK_TRY(ank_table_new_like(&counts->table, ank_row_sorter_like(counts->sorter), 0, err));
    ANK_TRY(ank_table_reserve(counts->table, 1, err));
  }
  size_t count = counts->table->rows;
  ANK_TRY(ank_alloc(&findings, count, sizeof *findings, err));
  fill_findings(findings, counts, rows, count);
  ANK_TRY(find_tiers(findings, counts, count, err));
  /* The sentences count all reported rows, including those that other streams fetch. */
  size_t fetched = ank_row_sorter_rows(counts->sorter);
  ank_reported reported = {.findings = findings,
                           .count = count,
                           .before = counts->taken,
                           .all = fetched > counts->selected ? fetched : counts->selected,
                           .rows = counts->rows,
                           .discoveries = counts->discoveries,
                           .left = counts->left,
                           .tiers = counts->tiers,
                           .own = counts->fitted && counts->fitted->count > 0,
                           .sample = sample,
                           .pasts = counts->model->context ? &counts->pasts : NULL};
  ANK_TRY(ank_ranking_report(&counts->ranking, counts->model, counts->table, &reported, below_border(counts),
                             &counts->settings, err));
  counts->left = reported.left;
  counts->taken += count;
done:
  ank_free(rows);
  ank_free(findings);
  return status;
}
