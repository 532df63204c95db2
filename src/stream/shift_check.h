/* shift_check.h - notes on a table as a whole, compared with the training rows of a model:
 *
 *   - it contains training rows, whose p-values are too large;
 *   - most rows differ from the training rows: another unit, time or source;
 *   - rows are in the order of time, and columns drift with it (trend.h);
 *   - the file was read differently from the training file, or with assumptions.
 *
 * Memory and time beyond the scoring are bounded: for a long table, the check keeps a sample of rows that depends on
 * the rows alone. shift_check.c fills it, shift_merge.c merges two, shift_notes.c writes the notes. */
#ifndef ANK_STREAM_SHIFT_CHECK_H
#define ANK_STREAM_SHIFT_CHECK_H

#include "core/bytes.h"
#include "model/training_index.h"
#include "ranking/column_shift.h"

/* The origin of a reader note: the first row of its block, and the number of its file. */
typedef struct ank_shift_place {
  size_t row;
  uint64_t source;
} ank_shift_place;

typedef struct ank_shift_check {
  const anorank_model *model;
  size_t columns;  /* of the model */
  size_t low, all; /* number of p-values up to LEVEL, and of all */
  int scores;      /* score the sampled rows at the end */
  /* rows whose number is a multiple of the stride: cells as ank_prepare_value has them, then the moments of the file's time
   * columns. The stride is the least power of 2 with which they fit, so it depends on the numbers of the rows alone. */
  double *sample;
  size_t *sample_row; /* ascending */
  size_t sampled, capacity, width, stride;
  char **time_name;
  size_t *time_column, times;
  ank_training_index index; /* the training rows that the model holds */
  unsigned char *met;
  size_t met_count, meetings, compared;
  size_t training_rows; /* in `met` */
  ank_notes notes;
  ank_shift_place *places; /* of the notes before it is finished */
  size_t place_capacity;
  /* after ank_shift_conclude; adding rows removes the conclusions */
  int concluded;
  size_t reading; /* notes on reading: the first of `notes` */
} ank_shift_check;

anorank_status ank_shift_new(ank_shift_check **out, const anorank_model *model, anorank_error *err);
void ank_shift_free(ank_shift_check *check);

/* Add rows first_row, first_row + 1, ... of the table, in ascending order over the calls. `p` has their p-values; if NULL
 * for all blocks, those of the sample are computed at the end. A block without rows brings the notes of the reader. The
 * resulting notes do not depend on the blocks. */
anorank_status ank_shift_add(ank_shift_check *check, const anorank_table *block, size_t first_row,
                             const double *p, anorank_error *err);

/* Write the notes on the rows so far, valid until more are added or merged. */
anorank_status ank_shift_conclude(ank_shift_check *check, anorank_error *err);
void ank_shift_reopen(ank_shift_check *check); /* remove them */

/* shift_merge.c: merge two checks of one table with one model; serialise. For loading, the check must be new. */
anorank_status ank_shift_merge(ank_shift_check *check, const ank_shift_check *other, anorank_error *err);
anorank_status ank_shift_save(ank_bytes *out, const ank_shift_check *check, anorank_error *err);
anorank_status ank_shift_load(ank_cursor *in, ank_shift_check *check, anorank_error *err);

/* Drop every other row of the sample. */
void ank_shift_thin(ank_shift_check *check);

/* Add a time column of the file; after the last one, allocate the sample. */
anorank_status ank_shift_add_time(ank_shift_check *check, const char *name, size_t column,
                                  anorank_error *err);
anorank_status ank_shift_alloc_sample(ank_shift_check *check, anorank_error *err);
anorank_status ank_shift_add_note(ank_shift_check *check, const anorank_note *note, ank_shift_place place,
                                  anorank_error *err);

/* shift_notes.c: `low` of `all` p-values are low. */
anorank_status ank_shift_note_unlike(ank_shift_check *check, size_t low, size_t all, anorank_error *err);
anorank_status ank_shift_note_trend(ank_shift_check *check, anorank_error *err);

#endif
