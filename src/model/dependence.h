/* dependence.h - a test of whether the rows of a table are exchangeable, in file order and without labels.
 *
 * Take a row and the row that follows it. In random order, the follower is as far away as any other row, so the share of
 * other rows that are nearer is uniform. The test averages that share over up to ANK_DEPENDENCE_ROWS rows: 1/2 for rows in
 * random order, less if neighbours in the file resemble each other. The distance is the sum over columns of the difference
 * of ranks (texts: 1/2 if they differ).
 *
 * The same test after sorting by a repeating identifier (an account, a machine) shows whether rows of one entity resemble
 * each other. */
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
  size_t time;               /* rows are sorted by this column; SIZE_MAX: file order */
  const unsigned char *skip; /* 1: the row is left out of the test; NULL: all rows are tested */
} ank_dependence_columns;

/* O(rows) time, little memory. Too few rows are not tested. */
anorank_status ank_dependence_test(anorank_dependence *out, const anorank_table *table,
                                   const ank_dependence_columns *columns, const anorank_settings *settings,
                                   anorank_error *err);

/* The same with the roles of a preparation. `match` locates its columns; NULL: they are in order. `skip` as above. */
anorank_status ank_dependence_of_table(anorank_dependence *out, const anorank_table *table,
                                       const ank_prepare *prepare, const ank_match *match,
                                       const unsigned char *skip, const anorank_settings *settings,
                                       anorank_error *err);

/* Return the largest lag at which a row of an entity resembles its successors more than other rows of that entity; 0: not
 * even the next row. */
anorank_status ank_dependence_reach(size_t *out, const anorank_table *table, const ank_prepare *prepare,
                                    const ank_sequences *rows, const anorank_settings *settings,
                                    anorank_error *err);

/* Find numeric columns that follow the order of the rows: always rising or falling, or with a rank correlation of at least
 * ANK_CLOCK_CORRELATION, unless the file is merely sorted by them (dependence.c). `marks` has a byte per column of the
 * table: on entry 1 for columns to test, on return 1 for clocks. */
anorank_status ank_clocks_find(unsigned char *marks, const anorank_table *table,
                               const anorank_settings *settings, anorank_error *err);

#endif
