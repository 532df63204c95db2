/* gathering.h - what a fit needs of a table that is read block by block (anorank.h: anorank_gathering): how many rows
 * there are, a draw of them (row_draw.h), and what was noticed while they were read. */
#ifndef ANK_GATHER_GATHERING_H
#define ANK_GATHER_GATHERING_H

#include "core/bytes.h"
#include "gather/row_store.h"

/* A note of the blocks, and the first row of the first block that had it. */
typedef struct ank_gathered_note {
  size_t row;
  anorank_note note; /* its text is held */
} ank_gathered_note;

struct anorank_gathering {
  uint64_t seed;
  size_t limit; /* bytes of memory */
  size_t rows;  /* that were added */
  size_t first; /* the smallest number of a row: of that block are the names of file and missing cells */
  char *source, *missing;
  ank_row_store store;
  ank_gathered_note *notes; /* in the order of the rows */
  size_t note_count, note_capacity;
  double *scores; /* of the drawn rows that a fit has scored on the way; NaN: it has not */
  size_t *scored_row;
  double *row_score; /* the same without those that are not there */
  size_t scored;
};

anorank_status ank_gathering_new(anorank_gathering **out, const anorank_settings *settings,
                                 anorank_error *err);
void ank_gathering_free(anorank_gathering *gathering);
anorank_status ank_gathering_add(anorank_gathering *gathering, const anorank_table *block, size_t first_row,
                                 anorank_error *err);
anorank_status ank_gathering_merge(anorank_gathering *gathering, const anorank_gathering *other,
                                   anorank_error *err);

/* The drawn rows in their order as a table; lent until rows are added. NULL where none was added. */
anorank_status ank_gathering_settle(const anorank_table **out, anorank_gathering *gathering,
                                    anorank_error *err);

/* Room for the scores of the drawn rows, and what came of them, once they are filled in. */
anorank_status ank_gathering_score_room(anorank_gathering *gathering, anorank_error *err);
anorank_status ank_gathering_scored(anorank_gathering *gathering, anorank_error *err);

/* gathering_bytes.c */
anorank_status ank_gathering_save(ank_bytes *out, anorank_gathering *gathering, anorank_error *err);
anorank_status ank_gathering_load(anorank_gathering **out, const unsigned char *bytes, size_t length,
                                  anorank_error *err);

#endif
