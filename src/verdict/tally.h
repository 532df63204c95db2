/* tally.h - a table judged block by block (anorank.h: anorank_tally).
 *
 * First time through: each row is scored; its score goes into a file without a name, in the order of the rows, and is
 * counted. p-values are ranks among the calibration scores, or by a tail below them, so q-values follow from the number
 * of rows at each rank and from the scores in the tail. Both, and the lowest scores asked for, merge. Second time: the cells
 * of the rows that are reported are taken, and sorted.
 *
 *   tally.c          the first time through
 *   tally_tail.c     the rows in the tail: each score, or, of more than ANK_MOST_IN_TAIL, numbers of rows by p-value
 *   tally_rows.c     the second time
 *   tally_bytes.c    counts as bytes */
#ifndef ANK_VERDICT_TALLY_H
#define ANK_VERDICT_TALLY_H

#include "core/bytes.h"
#include "core/scratch_file.h"
#include "gather/row_sorter.h"
#include "verdict/verdict.h"

enum { ANK_MOST_IN_TAIL = 1 << 20 };

/* Scores of rows first, first + 1, ... in the file. */
typedef struct ank_scored_part {
  size_t first, count;
  uint64_t at;
} ank_scored_part;

struct anorank_tally {
  const anorank_model *model; /* borrowed */
  anorank_settings settings;  /* held; calls nobody */
  /* what merges */
  size_t rows;
  uint64_t *ranks; /* how many rows have each rank among the calibration scores: rank_count of them */
  size_t rank_count;
  double *tail; /* scores below; NULL: numbers of rows stand for them */
  size_t tail_count, tail_capacity;
  uint64_t *tail_cells; /* how many rows have a p-value in each cell; NULL: the scores are there */
  size_t tail_massed;   /* of the rows in cells: how many `mass` selects */
  size_t most_in_tail;  /* scores that are kept; whether they are depends on their number alone */
  double *lowest;       /* the lowest settings.lowest scores, and some more */
  size_t lowest_count, lowest_capacity;
  /* of the rows that were added here */
  anorank_table *like;    /* their columns; NULL: none came so far */
  const size_t *own_rows; /* borrowed: rows that a fit has scored, ascending */
  const double *own_scores;
  size_t own_count;
  ank_scratch_file file;
  ank_scored_part *parts; /* ascending once finished */
  size_t part_count, part_capacity;
  /* once finished */
  int finished;
  double *rank_q, *tail_q;
  double border;      /* lowest: the highest score that is reported */
  size_t discoveries; /* as in the verdict */
  size_t selected;    /* by mass or fdr, or all */
  ank_row_sorter *sorter;
  int taking;   /* rows are being taken out */
  size_t taken; /* findings so far */
  size_t rank;  /* of the last finding, and its score */
  double last_score;
  size_t left; /* columns that no reason was sought in, at most */
  anorank_verdict *verdict;
  anorank_table *table;
};

anorank_status ank_tallied_new(anorank_tally **out, const anorank_model *model,
                               const anorank_settings *settings, anorank_error *err);
void ank_tallied_free(anorank_tally *tally);
anorank_status ank_tallied_add(anorank_tally *tally, const anorank_table *block, size_t first_row,
                               anorank_error *err);
anorank_status ank_tallied_merge(anorank_tally *tally, const anorank_tally *other, anorank_error *err);
anorank_status ank_tallied_finish(anorank_tally *tally, anorank_error *err);
anorank_status ank_tallied_fetch(anorank_tally *tally, const anorank_table *block, size_t first_row,
                                 anorank_error *err);
anorank_status ank_tallied_next(anorank_tally *tally, size_t most, anorank_error *err);

/* The counts of `all` in place of its own. */
anorank_status ank_tallied_take_counts(anorank_tally *tally, const anorank_tally *all, anorank_error *err);

/* The columns of the first block; later ones must have the same. */
anorank_status ank_tallied_know(anorank_tally *tally, const anorank_table *block, anorank_error *err);

/* tally_tail.c: scores whose p-values are by the tail. In cells q-values are above the exact ones by less than 2^-13 of them. */
anorank_status ank_tail_put(anorank_tally *tally, const double *scores, size_t count, anorank_error *err);
anorank_status ank_tail_merge(anorank_tally *tally, const anorank_tally *other, anorank_error *err);
void ank_tail_clear(anorank_tally *tally);
anorank_status ank_tail_settle(anorank_tally *tally, anorank_error *err);
anorank_status ank_tail_find_q(anorank_tally *tally, double least, anorank_error *err);
void ank_tail_count(anorank_tally *tally, double rate); /* discoveries and selected rows */
double ank_tail_q(const anorank_tally *tally, double score);
size_t ank_tail_cells(void);

/* tally_bytes.c */
anorank_status ank_tallied_save(ank_bytes *out, anorank_tally *tally, anorank_error *err);
anorank_status ank_tallied_load(anorank_tally **out, const anorank_model *model, const unsigned char *bytes,
                                size_t length, const anorank_settings *settings, anorank_error *err);

/* Keep the lowest scores alone, sorted; and the scores of the tail, sorted. */
anorank_status ank_tallied_settle(anorank_tally *tally, anorank_error *err);

/* After ank_tallied_finish. */
double ank_tallied_q(const anorank_tally *tally, double score);
int ank_tallied_selects(const anorank_tally *tally, double score);

#endif
