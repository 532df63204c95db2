/* rank_counts.c - the first pass: scores, counts, q-values. See rank_counts.h. */
#include "stream/rank_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/sort.h"
#include "sampling/row_store.h"
#include "table/raw_cells.h"

enum { SPARE_LOWEST = 65536 };

anorank_status ank_counts_new(ank_rank_counts **out, const anorank_model *model,
                              const ank_fitted_scores *fitted, const anorank_settings *settings,
                              anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_rank_counts *counts = NULL;
  *out = NULL;
  int ways = (settings->lowest > 0) + (settings->mass > 0) + (settings->fdr > 0);
  if (ways > 1)
    return ank_fail(err, ANORANK_ERROR_USAGE, "selection-ambiguous",
                    "lowest, mass and fdr each choose the rows to report; give one of them, not %d", ways);
  ANK_TRY(ank_alloc(&counts, 1, sizeof *counts, err));
  ANK_TRY(ank_settings_hold(&counts->settings, settings, err));
  counts->model = model;
  counts->fitted = fitted;
  counts->most_in_tail = ANK_MOST_IN_TAIL;
  counts->rank_count = model->null.count - model->null.set_aside + 1;
  ANK_TRY(ank_alloc(&counts->ranks, counts->rank_count, sizeof *counts->ranks, err));
  ANK_HAND_OVER(out, counts);
done:
  ank_counts_free(counts);
  return status;
}

void ank_counts_free(ank_rank_counts *counts) {
  if (!counts) return;
  ank_settings_release(&counts->settings);
  ank_free(counts->ranks);
  ank_free(counts->tail);
  ank_free(counts->tail_cells);
  ank_free(counts->lowest);
  ank_free(counts->parts);
  ank_free(counts->rank_q);
  ank_free(counts->tail_q);
  ank_table_free(counts->like);
  ank_scratch_close(&counts->file);
  ank_row_sorter_free(counts->sorter);
  ank_free(counts->pasts.list);
  ank_levels_free(&counts->pasts.names);
  ank_ranking_free(counts->ranking);
  ank_table_free(counts->table);
  ank_free(counts);
}

/* ---- counting ---------------------------------------------------------------------------------------- */

/* Sort, and keep the settings.lowest first ones. */
static anorank_status trim_lowest(ank_rank_counts *counts, anorank_error *err) {
  size_t most = (size_t)counts->settings.lowest;
  anorank_status status = ank_sort(counts->lowest, counts->lowest_count, &counts->settings, err);
  if (status == ANORANK_OK && counts->lowest_count > most) counts->lowest_count = most;
  return status;
}

static anorank_status count_lowest(ank_rank_counts *counts, const double *scores, size_t count,
                                   anorank_error *err) {
  size_t most = (size_t)counts->settings.lowest;
  for (size_t i = 0; most > 0 && i < count; i++) {
    ANK_CHECK(ank_reserve(&counts->lowest, &counts->lowest_capacity, counts->lowest_count + 1,
                          sizeof *counts->lowest, err));
    counts->lowest[counts->lowest_count++] = scores[i];
    if (counts->lowest_count >= most && counts->lowest_count - most >= most + SPARE_LOWEST)
      ANK_CHECK(trim_lowest(counts, err));
  }
  return ANORANK_OK;
}

static anorank_status count_scores(ank_rank_counts *counts, const double *scores, size_t count,
                                   anorank_error *err) {
  enum { SOME = 1024 };
  double tail[SOME];
  size_t in_tail = 0;
  for (size_t i = 0; i < count; i++) {
    size_t rank = ank_calibration_rank(&counts->model->null, scores[i]);
    if (rank != SIZE_MAX)
      counts->ranks[rank]++;
    else
      tail[in_tail++] = scores[i];
    if (in_tail < SOME) continue;
    ANK_CHECK(ank_tail_put(counts, tail, in_tail, err));
    in_tail = 0;
  }
  ANK_CHECK(ank_tail_put(counts, tail, in_tail, err));
  ANK_CHECK(count_lowest(counts, scores, count, err));
  counts->rows += count;
  return ANORANK_OK;
}

static int by_row(const void *a, const void *b) {
  size_t left = *(const size_t *)a, right = *(const size_t *)b;
  return left < right ? -1 : left > right;
}

/* The scores of a fit for rows of this block; NaN: none. */
static void take_fitted(double *scores, const ank_fitted_scores *fitted, size_t first, size_t count) {
  size_t low = 0, high = fitted->count;
  for (size_t i = 0; i < count; i++) scores[i] = NAN;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (fitted->row[middle] < first)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < fitted->count && fitted->row[low] - first < count; low++)
    scores[fitted->row[low] - first] = fitted->score[low];
}

anorank_status ank_counts_score(double *scores, const ank_rank_counts *counts, const anorank_table *block,
                                size_t first_row, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_match *match = NULL;
  double *fitted = NULL;
  ANK_TRY(ank_match_make(&match, counts->model->pipeline.prepare, block, err));
  ANK_TRY(ank_alloc_raw(&fitted, block->rows, sizeof *fitted, err));
  take_fitted(fitted, counts->fitted, first_row, block->rows);
  ANK_TRY(ank_model_score(scores, counts->model, match, block, fitted, &counts->settings, err));
done:
  ank_match_free(match);
  ank_free(fitted);
  return status;
}

anorank_status ank_counts_know(ank_rank_counts *counts, const anorank_table *block, anorank_error *err) {
  if (counts->like && !counts->like_has_rows && block->rows > 0) { /* after parts without rows */
    ank_table_free(counts->like);
    counts->like = NULL;
  }
  counts->like_has_rows |= block->rows > 0;
  if (counts->like) return ank_row_store_fits(counts->like, block, err);
  return ank_table_new_like(&counts->like, block, 1, err);
}

/* A range that continues the last one extends it; otherwise there is space for one more. */
static void put_part(ank_rank_counts *counts, ank_scored_part part) {
  ank_scored_part *last = counts->part_count > 0 ? &counts->parts[counts->part_count - 1] : NULL;
  if (last && last->first + last->count == part.first && last->at + last->count * sizeof(double) == part.at)
    last->count += part.count;
  else
    counts->parts[counts->part_count++] = part;
}

/* Count the tiers of the rows of a block. */
static anorank_status count_tiers(ank_rank_counts *counts, const anorank_table *block, const double *scores,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_match *match = NULL;
  unsigned char *tier = NULL;
  ANK_TRY(ank_match_make(&match, counts->model->pipeline.prepare, block, err));
  ANK_TRY(ank_alloc_raw(&tier, block->rows, sizeof *tier, err));
  ank_tiers_find(tier, counts->model, match, block, scores);
  ank_tiers_count(&counts->tiers, counts->model, tier, scores, block->rows);
done:
  ank_match_free(match);
  ank_free(tier);
  return status;
}

anorank_status ank_counts_add(ank_rank_counts *counts, const anorank_table *block, size_t first_row,
                              anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *scores = NULL;
  size_t n = block->rows;
  if (counts->selected_rows)
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-finished",
                    "rows are already selected; add all rows before selection");
  ANK_TRY(ank_counts_know(counts, block, err));
  if (n == 0) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&scores, n, sizeof *scores, err));
  ANK_TRY(ank_counts_score(scores, counts, block, first_row, err));
  ANK_TRY(ank_reserve(&counts->parts, &counts->part_capacity, counts->part_count + 1, sizeof *counts->parts,
                      err));
  ank_scored_part part = {first_row, n, 0};
  ANK_TRY(ank_scratch_append(&counts->file, scores, n * sizeof *scores, &part.at, err));
  put_part(counts, part);
  ANK_TRY(count_scores(counts, scores, n, err));
  ANK_TRY(count_tiers(counts, block, scores, err));
done:
  ank_free(scores);
  return status;
}

anorank_status ank_counts_merge(ank_rank_counts *counts, const ank_rank_counts *other, anorank_error *err) {
  if (counts->selected_rows || counts->rank_count != other->rank_count ||
      counts->settings.lowest != other->settings.lowest)
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-merge",
                    "streams merge only before selection, with the same model and settings");
  for (size_t k = 0; k < counts->rank_count; k++) counts->ranks[k] += other->ranks[k];
  ANK_CHECK(ank_tail_merge(counts, other, err));
  ANK_CHECK(count_lowest(counts, other->lowest, other->lowest_count, err));
  counts->rows += other->rows;
  counts->tiers.rows += other->tiers.rows;
  counts->tiers.apart += other->tiers.apart;
  counts->tiers.unusual += other->tiers.unusual;
  counts->tiers.high += other->tiers.high;
  return ANORANK_OK;
}

/* ---- selecting --------------------------------------------------------------------------------------- */

anorank_status ank_counts_settle(ank_rank_counts *counts, anorank_error *err) {
  anorank_status status = ank_tail_settle(counts, err);
  return status == ANORANK_OK ? trim_lowest(counts, err) : status;
}

/* q_values.c over groups of rows with one p-value: the last row of a group has its smallest level. */
static anorank_status find_q_values(ank_rank_counts *counts, anorank_error *err) {
  const ank_calibration *null = &counts->model->null;
  double least = 1, n = (double)counts->rows;
  size_t end = counts->rows; /* rows up to the group's last */
  for (size_t k = counts->rank_count; k-- > 0;) {
    double level = end > 0 ? ank_calibration_rank_p_value(null, k) * n / (double)end : 1;
    if (counts->ranks[k] > 0 && level < least) least = level;
    counts->rank_q[k] = least;
    end -= (size_t)counts->ranks[k];
  }
  return ank_tail_find_q(counts, least, err);
}

double ank_counts_q(const ank_rank_counts *counts, double score) {
  size_t rank = ank_calibration_rank(&counts->model->null, score);
  return rank != SIZE_MAX ? counts->rank_q[rank] : ank_tail_q(counts, score);
}

int ank_counts_selects(const ank_rank_counts *counts, double score) {
  const anorank_settings *settings = &counts->settings;
  if (settings->lowest > 0) return score <= counts->border;
  if (settings->mass > 0)
    return ank_level_selects(ank_calibration_p_value(&counts->model->null, score), 1 - settings->mass);
  if (settings->fdr > 0) return ank_level_selects(ank_counts_q(counts, score), settings->fdr);
  return 1;
}

static void count_selected(ank_rank_counts *counts) {
  const anorank_settings *settings = &counts->settings;
  const ank_calibration *null = &counts->model->null;
  double rate = settings->fdr > 0 ? settings->fdr : ANORANK_USUAL_FDR;
  for (size_t k = 0; k < counts->rank_count; k++) {
    double p = ank_calibration_rank_p_value(null, k), q = counts->rank_q[k];
    counts->discoveries += q <= rate ? (size_t)counts->ranks[k] : 0;
    if (settings->mass > 0 ? ank_level_selects(p, 1 - settings->mass)
                           : settings->fdr > 0 && ank_level_selects(q, settings->fdr))
      counts->selected += (size_t)counts->ranks[k];
  }
  ank_tail_count(counts, rate);
  if (settings->mass == 0 && settings->fdr == 0) counts->selected = counts->rows;
  if (settings->lowest > 0 && (size_t)settings->lowest < counts->rows) {
    counts->border = counts->lowest[settings->lowest - 1];
    counts->selected = (size_t)settings->lowest; /* rows tied with the last are added at the end */
  }
}

anorank_status ank_counts_select(ank_rank_counts *counts, anorank_error *err) {
  if (counts->selected_rows) return ANORANK_OK;
  ANK_CHECK(ank_counts_settle(counts, err));
  ANK_CHECK(ank_alloc(&counts->rank_q, counts->rank_count, sizeof *counts->rank_q, err));
  if (counts->part_count > 0) qsort(counts->parts, counts->part_count, sizeof *counts->parts, by_row);
  counts->border = INFINITY;
  ANK_CHECK(find_q_values(counts, err));
  count_selected(counts);
  counts->selected_rows = 1;
  return ANORANK_OK;
}
