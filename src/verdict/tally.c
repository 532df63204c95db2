/* tally.c - the first time through: scores, counts, q-values. See tally.h. */
#include "verdict/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "gather/row_store.h"
#include "kernels/sort.h"
#include "table/verbatim.h"

enum { SPARE_LOWEST = 65536 };

anorank_status ank_tallied_new(anorank_tally **out, const anorank_model *model,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_tally *tally = NULL;
  *out = NULL;
  int ways = (settings->lowest > 0) + (settings->mass > 0) + (settings->fdr > 0);
  if (ways > 1)
    return ank_fail(err, ANORANK_ERROR_USAGE, "selection-ambiguous",
                    "lowest, mass and fdr each choose the rows to report; give one of them, not %d", ways);
  ANK_TRY(ank_alloc(&tally, 1, sizeof *tally, err));
  ANK_TRY(ank_settings_hold(&tally->settings, settings, err));
  tally->model = model;
  tally->most_in_tail = ANK_MOST_IN_TAIL;
  tally->rank_count = model->null.count - model->null.set_aside + 1;
  ANK_TRY(ank_alloc(&tally->ranks, tally->rank_count, sizeof *tally->ranks, err));
  *out = tally;
  tally = NULL;
done:
  ank_tallied_free(tally);
  return status;
}

void ank_tallied_free(anorank_tally *tally) {
  if (!tally) return;
  ank_settings_release(&tally->settings);
  ank_free(tally->ranks);
  ank_free(tally->tail);
  ank_free(tally->tail_cells);
  ank_free(tally->lowest);
  ank_free(tally->parts);
  ank_free(tally->rank_q);
  ank_free(tally->tail_q);
  ank_table_free(tally->like);
  ank_scratch_close(&tally->file);
  ank_row_sorter_free(tally->sorter);
  ank_verdict_free(tally->verdict);
  ank_table_free(tally->table);
  ank_free(tally);
}

/* ---- counting ---------------------------------------------------------------------------------------- */

/* Sorts; keeps settings.lowest of them. */
static anorank_status trim_lowest(anorank_tally *tally, anorank_error *err) {
  size_t most = (size_t)tally->settings.lowest;
  anorank_status status = ank_sort(tally->lowest, tally->lowest_count, &tally->settings, err);
  if (status == ANORANK_OK && tally->lowest_count > most) tally->lowest_count = most;
  return status;
}

static anorank_status count_lowest(anorank_tally *tally, const double *scores, size_t count,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t most = (size_t)tally->settings.lowest;
  for (size_t i = 0; most > 0 && i < count; i++) {
    ANK_TRY(ank_reserve(&tally->lowest, &tally->lowest_capacity, tally->lowest_count + 1,
                        sizeof *tally->lowest, err));
    tally->lowest[tally->lowest_count++] = scores[i];
    if (tally->lowest_count >= most && tally->lowest_count - most >= most + SPARE_LOWEST)
      ANK_TRY(trim_lowest(tally, err));
  }
done:
  return status;
}

static anorank_status count_scores(anorank_tally *tally, const double *scores, size_t count,
                                   anorank_error *err) {
  enum { SOME = 1024 };
  anorank_status status = ANORANK_OK;
  double tail[SOME];
  size_t in_tail = 0;
  for (size_t i = 0; i < count; i++) {
    size_t rank = ank_null_rank(&tally->model->null, scores[i]);
    if (rank != SIZE_MAX)
      tally->ranks[rank]++;
    else
      tail[in_tail++] = scores[i];
    if (in_tail < SOME) continue;
    ANK_TRY(ank_tail_put(tally, tail, in_tail, err));
    in_tail = 0;
  }
  ANK_TRY(ank_tail_put(tally, tail, in_tail, err));
  ANK_TRY(count_lowest(tally, scores, count, err));
  tally->rows += count;
done:
  return status;
}

static int by_row(const void *a, const void *b) {
  size_t left = *(const size_t *)a, right = *(const size_t *)b;
  return left < right ? -1 : left > right;
}

/* The scores that a fit has given to rows of this block. */
static void take_own(double *scores, const anorank_tally *tally, size_t first, size_t count) {
  size_t low = 0, high = tally->own_count;
  for (size_t i = 0; i < count; i++) scores[i] = NAN;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (tally->own_rows[middle] < first)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < tally->own_count && tally->own_rows[low] - first < count; low++)
    scores[tally->own_rows[low] - first] = tally->own_scores[low];
}

anorank_status ank_tallied_know(anorank_tally *tally, const anorank_table *block, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *like = NULL;
  if (tally->like && tally->part_count == 0 && block->rows > 0) { /* of parts without rows */
    ank_table_free(tally->like);
    tally->like = NULL;
  }
  if (tally->like) return ank_row_store_fits(tally->like, block, err);
  ANK_TRY(ank_table_new(&like, block->columns, err));
  for (size_t j = 0; j < block->columns; j++) {
    ANK_TRY(ank_table_set_like(like, j, &block->column[j], err));
    ANK_TRY(ank_verbatim_like(&like->column[j], &block->column[j], 0, err));
  }
  if (block->source) ANK_TRY(ank_copy_text(&like->source, block->source, strlen(block->source), err));
  tally->like = like;
  like = NULL;
done:
  ank_table_free(like);
  return status;
}

/* There is room for one more; one that goes on where the last ends makes that longer. */
static void put_part(anorank_tally *tally, ank_scored_part part) {
  ank_scored_part *last = tally->part_count > 0 ? &tally->parts[tally->part_count - 1] : NULL;
  if (last && last->first + last->count == part.first && last->at + last->count * sizeof(double) == part.at)
    last->count += part.count;
  else
    tally->parts[tally->part_count++] = part;
}

anorank_status ank_tallied_add(anorank_tally *tally, const anorank_table *block, size_t first_row,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_match *match = NULL;
  double *scores = NULL, *own = NULL;
  size_t n = block->rows;
  if (tally->finished)
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-finished",
                    "the tally is finished; add all rows before that");
  ANK_TRY(ank_tallied_know(tally, block, err));
  if (n == 0) return ANORANK_OK;
  ANK_TRY(ank_match_make(&match, tally->model->pipeline.prepare, block, err));
  ANK_TRY(ank_alloc_raw(&scores, n, sizeof *scores, err));
  ANK_TRY(ank_alloc_raw(&own, n, sizeof *own, err));
  take_own(own, tally, first_row, n);
  ANK_TRY(ank_model_score(scores, tally->model, match, block, own, &tally->settings, err));
  ANK_TRY(
      ank_reserve(&tally->parts, &tally->part_capacity, tally->part_count + 1, sizeof *tally->parts, err));
  ank_scored_part part = {first_row, n, 0};
  ANK_TRY(ank_scratch_append(&tally->file, scores, n * sizeof *scores, &part.at, err));
  put_part(tally, part);
  ANK_TRY(count_scores(tally, scores, n, err));
done:
  ank_match_free(match);
  ank_free(scores);
  ank_free(own);
  return status;
}

anorank_status ank_tallied_merge(anorank_tally *tally, const anorank_tally *other, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  if (tally->finished || other->finished || tally->rank_count != other->rank_count ||
      tally->settings.lowest != other->settings.lowest)
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-merge",
                    "tallies are merged before they are finished, with the same model and settings");
  for (size_t k = 0; k < tally->rank_count; k++) tally->ranks[k] += other->ranks[k];
  ANK_TRY(ank_tail_merge(tally, other, err));
  ANK_TRY(count_lowest(tally, other->lowest, other->lowest_count, err));
  tally->rows += other->rows;
done:
  return status;
}

anorank_status ank_tallied_take_counts(anorank_tally *tally, const anorank_tally *all, anorank_error *err) {
  if (!tally->finished) {
    memset(tally->ranks, 0, tally->rank_count * sizeof *tally->ranks);
    ank_tail_clear(tally);
    tally->lowest_count = tally->rows = 0;
  }
  return ank_tallied_merge(tally, all, err);
}

/* ---- finishing --------------------------------------------------------------------------------------- */

anorank_status ank_tallied_settle(anorank_tally *tally, anorank_error *err) {
  anorank_status status = ank_tail_settle(tally, err);
  return status == ANORANK_OK ? trim_lowest(tally, err) : status;
}

/* q_values.c over groups of rows with one p-value: the last row of a group has its smallest level. */
static anorank_status find_q_values(anorank_tally *tally, anorank_error *err) {
  const ank_null *null = &tally->model->null;
  double least = 1, n = (double)tally->rows;
  size_t end = tally->rows; /* rows up to the group's last */
  for (size_t k = tally->rank_count; k-- > 0;) {
    double level = end > 0 ? ank_null_p_of_rank(null, k) * n / (double)end : 1;
    if (tally->ranks[k] > 0 && level < least) least = level;
    tally->rank_q[k] = least;
    end -= (size_t)tally->ranks[k];
  }
  return ank_tail_find_q(tally, least, err);
}

double ank_tallied_q(const anorank_tally *tally, double score) {
  size_t rank = ank_null_rank(&tally->model->null, score);
  return rank != SIZE_MAX ? tally->rank_q[rank] : ank_tail_q(tally, score);
}

int ank_tallied_selects(const anorank_tally *tally, double score) {
  const anorank_settings *settings = &tally->settings;
  if (settings->lowest > 0) return score <= tally->border;
  if (settings->mass > 0)
    return ank_level_selects(ank_null_p_value(&tally->model->null, score), 1 - settings->mass);
  if (settings->fdr > 0) return ank_level_selects(ank_tallied_q(tally, score), settings->fdr);
  return 1;
}

static void count_selected(anorank_tally *tally) {
  const anorank_settings *settings = &tally->settings;
  const ank_null *null = &tally->model->null;
  double rate = settings->fdr > 0 ? settings->fdr : ANORANK_USUAL_FDR;
  for (size_t k = 0; k < tally->rank_count; k++) {
    double p = ank_null_p_of_rank(null, k), q = tally->rank_q[k];
    tally->discoveries += q <= rate ? (size_t)tally->ranks[k] : 0;
    if (settings->mass > 0 ? ank_level_selects(p, 1 - settings->mass)
                           : settings->fdr > 0 && ank_level_selects(q, settings->fdr))
      tally->selected += (size_t)tally->ranks[k];
  }
  ank_tail_count(tally, rate);
  if (settings->mass == 0 && settings->fdr == 0) tally->selected = tally->rows;
  if (settings->lowest > 0 && (size_t)settings->lowest < tally->rows) {
    tally->border = tally->lowest[settings->lowest - 1];
    tally->selected = (size_t)settings->lowest; /* and what is tied with the last: told once all are there */
  }
}

anorank_status ank_tallied_finish(anorank_tally *tally, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  if (tally->finished) return ANORANK_OK;
  ANK_TRY(ank_tallied_settle(tally, err));
  ANK_TRY(ank_alloc(&tally->rank_q, tally->rank_count, sizeof *tally->rank_q, err));
  if (tally->part_count > 0) qsort(tally->parts, tally->part_count, sizeof *tally->parts, by_row);
  tally->border = INFINITY;
  ANK_TRY(find_q_values(tally, err));
  count_selected(tally);
  tally->finished = 1;
done:
  return status;
}
