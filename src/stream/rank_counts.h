/* rank_counts.h - a table ranked block by block.
 *
 * First pass: each row is scored. Its score is counted, and stored in an unnamed file in row order. p-values are ranks
 * among the calibration scores, or come from a tail below them. So q-values follow from the number of rows at each rank
 * and from the scores in the tail. Both can be merged, and so can the requested lowest scores. Second pass: the cells of
 * the reported rows are collected and sorted.
 *
 *   rank_counts.c        the first pass
 *   rank_tail.c          the rows in the tail: their scores or, of more than ANK_MOST_IN_TAIL rows, counts by p-value
 *   rank_rows.c          the second pass
 *   rank_counts_bytes.c  counts as bytes */
#ifndef ANK_STREAM_RANK_COUNTS_H
#define ANK_STREAM_RANK_COUNTS_H

#include "core/bytes.h"
#include "core/scratch_file.h"
#include "ranking/ranking.h"
#include "sampling/row_sorter.h"

enum { ANK_MOST_IN_TAIL = 1 << 20 };

/* Scores of rows first, first + 1, ... in the file. */
typedef struct ank_scored_part {
  size_t first, count;
  uint64_t at;
} ank_scored_part;

/* Scores that a fit gave to rows it was fitted on, ascending by row. */
typedef struct ank_fitted_scores {
  size_t *row;
  double *score;
  size_t count;
} ank_fitted_scores;

typedef struct ank_rank_counts {
  const anorank_model *model; /* borrowed */
  anorank_settings settings;  /* held; no callbacks */
  /* merged with other counts: */
  size_t rows;
  uint64_t *ranks; /* number of rows at each of the rank_count ranks among the calibration scores */
  size_t rank_count;
  double *tail; /* scores below these ranks; NULL: only counted, in tail_cells */
  size_t tail_count, tail_capacity;
  uint64_t *tail_cells; /* number of rows with a p-value in each cell; NULL: `tail` has the scores */
  size_t tail_massed;   /* number of rows in cells that `mass` selects */
  size_t most_in_tail;  /* up to so many scores are stored; more are counted */
  double *lowest;       /* the lowest settings.lowest scores, and some more */
  size_t lowest_count, lowest_capacity;
  ank_tier_counts tiers;
  /* of the rows added here: */
  anorank_table *like; /* their columns; NULL: no rows yet */
  int like_has_rows;
  const ank_fitted_scores *fitted; /* borrowed */
  ank_scratch_file file;
  ank_scored_part *parts; /* ascending once selected */
  size_t part_count, part_capacity;
  /* after the selection: */
  int selected_rows;
  double *rank_q, *tail_q;
  double border;      /* lowest: the highest score that is reported */
  size_t discoveries; /* as in the ranking */
  size_t selected;    /* by mass or fdr, or all */
  ank_row_sorter *sorter;
  ank_row_pasts pasts; /* of the reported rows */
  int taking;          /* fetching has begun */
  size_t taken;        /* findings so far */
  size_t rank;         /* of the last finding, and its score */
  double last_score;
  size_t left; /* most columns skipped in the search for reasons */
  anorank_ranking *ranking;
  anorank_table *table;
} ank_rank_counts;

anorank_status ank_counts_new(ank_rank_counts **out, const anorank_model *model,
                              const ank_fitted_scores *fitted, const anorank_settings *settings,
                              anorank_error *err);

void ank_counts_free(ank_rank_counts *counts);
anorank_status ank_counts_add(ank_rank_counts *counts, const anorank_table *block, size_t first_row,
                              anorank_error *err);
anorank_status ank_counts_merge(ank_rank_counts *counts, const ank_rank_counts *other, anorank_error *err);
anorank_status ank_counts_select(ank_rank_counts *counts, anorank_error *err);
/* `before`: what is known of the entities just before the block; NULL: rows have none. */
anorank_status ank_counts_fetch(ank_rank_counts *counts, const anorank_table *block, size_t first_row,
                                const ank_context_run *before, anorank_error *err);
anorank_status ank_counts_next(ank_rank_counts *counts, size_t most, const ank_shift_sample *sample,
                               anorank_error *err);

/* The scores of a block: those of a fit, and of the other rows by the model. */
anorank_status ank_counts_score(double *scores, const ank_rank_counts *counts, const anorank_table *block,
                                size_t first_row, anorank_error *err);

/* The columns of the first block; later ones must have the same. */
anorank_status ank_counts_know(ank_rank_counts *counts, const anorank_table *block, anorank_error *err);

/* rank_tail.c: scores with p-values from the tail. q-values from cells exceed the exact ones by a factor below 1 + 2^-13. */
anorank_status ank_tail_put(ank_rank_counts *counts, const double *scores, size_t count, anorank_error *err);
anorank_status ank_tail_merge(ank_rank_counts *counts, const ank_rank_counts *other, anorank_error *err);
anorank_status ank_tail_settle(ank_rank_counts *counts, anorank_error *err);
anorank_status ank_tail_find_q(ank_rank_counts *counts, double least, anorank_error *err);
void ank_tail_count(ank_rank_counts *counts, double rate); /* discoveries and selected rows */
double ank_tail_q(const ank_rank_counts *counts, double score);
size_t ank_tail_cells(void);

/* rank_counts_bytes.c: the counts must be new. */
anorank_status ank_counts_save(ank_bytes *out, ank_rank_counts *counts, anorank_error *err);
anorank_status ank_counts_load(ank_cursor *in, ank_rank_counts *counts, anorank_error *err);

/* Keep only the lowest scores, sorted; and the scores of the tail, sorted. */
anorank_status ank_counts_settle(ank_rank_counts *counts, anorank_error *err);

/* After ank_counts_select. */
double ank_counts_q(const ank_rank_counts *counts, double score);
int ank_counts_selects(const ank_rank_counts *counts, double score);

#endif
