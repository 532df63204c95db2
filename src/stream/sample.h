/* sample.h - the input of a fit on a table that is read in blocks: the number of rows, a sample of them
 * (row_draw.h), and the notes of the reader. */
#ifndef ANK_STREAM_SAMPLE_H
#define ANK_STREAM_SAMPLE_H

#include "core/bytes.h"
#include "sampling/row_store.h"

/* A note of the reader, and the first row of the first block that had it. */
typedef struct ank_sample_note {
  size_t row;
  anorank_note note; /* owns its texts */
} ank_sample_note;

typedef struct ank_sample {
  uint64_t seed;
  size_t limit; /* bytes of memory */
  size_t rows;  /* added so far */
  size_t first; /* the smallest row number; its block gives the file name and the setting `missing` */
  char *source, *missing;
  ank_row_store store;
  ank_sample_note *notes; /* in the order of the rows */
  size_t note_count, note_capacity;
} ank_sample;

anorank_status ank_sample_new(ank_sample **out, const anorank_settings *settings, anorank_error *err);
void ank_sample_free(ank_sample *sample);
anorank_status ank_sample_add(ank_sample *sample, const anorank_table *block, size_t first_row,
                              anorank_error *err);
/* Return how many rows fit; `block` has their columns. */
size_t ank_sample_room(const ank_sample *sample, const anorank_table *block);
anorank_status ank_sample_merge(ank_sample *sample, const ank_sample *other, anorank_error *err);

/* Return the drawn rows as a table, by row number; borrowed until rows are added. NULL if there are none. */
anorank_status ank_sample_settle(const anorank_table **out, ank_sample *sample, anorank_error *err);

/* Return some rows of a block as a block. `columns` has room for its columns and holds the borrowed cells. */
void ank_view_rows(anorank_table *view, ank_column *columns, const anorank_table *block, size_t from,
                   size_t count);

/* sample_bytes.c: the sample must be new. Damaged bytes fail with any status and no message. */
anorank_status ank_sample_save(ank_bytes *out, ank_sample *sample, anorank_error *err);
anorank_status ank_sample_load(ank_cursor *in, ank_sample *sample, anorank_error *err);

#endif
