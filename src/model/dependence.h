/* dependence.h - a test of whether the rows of a table are exchangeable, in file order and without labels.
 *
 * Take a row and the row that follows it. In random order, the follower is as far from it as any other
 * row, so the share of other rows that are nearer is uniform. The test averages that share over up to
 * ANK_DEPENDENCE_ROWS rows: 1/2 for rows in no order, less where neighbours in the file resemble each other. The
 * distance is the sum over columns of the difference of ranks (texts: 1/2 where they differ).
 *
 * The same test after sorting by an identifier that repeats (an account, a machine) says whether rows of one entity
 * resemble each other. */
#ifndef ANK_MODEL_DEPENDENCE_H
#define ANK_MODEL_DEPENDENCE_H

#include "context/context.h"
#include "prepare/prepare.h"

/* Columns of a table used in the distance, and those that may name entities. */
typedef struct ank_dependence_columns {
  const size_t *used;
  size_t used_count;
  const size_t *entities;
  size_t entity_count;
  size_t time;               /* rows are in the order of this column; SIZE_MAX: in that of the file */
  const unsigned char *skip; /* 1: a row that is left out of the test; NULL: none is */
} ank_dependence_columns;

/* O(rows) time, little memory. Too few rows are not tested. */
anorank_status ank_dependence_test(anorank_dependence *out, const anorank_table *table,
                                   const ank_dependence_columns *columns, const anorank_settings *settings,
                                   anorank_error *err);

/* The same by the roles of a preparation; `match`: where its columns are, NULL: in their order. `skip` as above. */
anorank_status ank_dependence_of_table(anorank_dependence *out, const anorank_table *table,
                                       const ank_prepare *prepare, const ank_match *match,
                                       const unsigned char *skip, const anorank_settings *settings,
                                       anorank_error *err);

/* How many rows on a row of an entity still resembles those that follow it, more than it does other rows of that
 * entity; 0: not the next. */
anorank_status ank_dependence_reach(size_t *out, const anorank_table *table, const ank_prepare *prepare,
                                    const ank_sequences *rows, const anorank_settings *settings,
                                    anorank_error *err);

/* Columns of numbers that move with the order of the rows: rising or falling throughout, or with a rank correlation
 * of at least ANK_CLOCK_CORRELATION, and not merely what the file is sorted by (dependence.c). `marks` has a byte for
 * each column of the table: on entry 1 for those to look at, on return for clocks. */
anorank_status ank_clocks_find(unsigned char *marks, const anorank_table *table,
                               const anorank_settings *settings, anorank_error *err);

#endif
