/* duplicate_rows.h - rows that appear more than once because of copying: an export appended to itself, two
 * that overlap. Such a row is its own nearest neighbour even when it is left out, and in a split or cross-fit
 * its copy remains, so that later rows look abnormal in comparison. Copies count as one row.
 *
 * Equal rows need not be copies: in a table of few words or small numbers many rows are equal by nature, which
 * shows their frequency. Equal rows count as copies where
 *   - the rows of every group of equal ones can be divided by the same number, two or more, and there are at
 *     least ten groups: the whole table is there so many times; or
 *   - every other of the group's numeric cells (the first, third, ..., or the second, fourth, ...) already
 *     tells it from all other rows, and yet the rest of its cells agree as well, which those of two rows do
 *     by chance less than once in a hundred times. The group has at most ten rows, or one in a hundred of the
 *     table: a row that is more frequent is a usual one.
 * Numbers of rows and columns that only name a row are not compared. */
#ifndef ANK_MODEL_DUPLICATE_ROWS_H
#define ANK_MODEL_DUPLICATE_ROWS_H

#include "table/table.h"

typedef struct ank_duplicates {
  size_t *of;    /* per row: the row that it is a copy of, or itself; NULL: there are no copies */
  size_t copies; /* rows that are */
} ank_duplicates;

/* O(rows x columns). */
anorank_status ank_duplicates_find(ank_duplicates *out, const anorank_table *table,
                                   const anorank_settings *settings, anorank_error *err);
void ank_duplicates_free(ank_duplicates *copies); /* what it holds, not the struct */

#endif
