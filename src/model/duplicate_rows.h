/* duplicate_rows.h - rows that appear more than once because of copying: an export appended to itself, or two exports that
 * overlap. Such a row is its own nearest neighbour even if it is left out. In a split or cross-fit its copy remains, so
 * that later rows look abnormal in comparison. Copies count as one row.
 *
 * Equal rows are not always copies: in a table of few words or small numbers, many rows are equal by nature, which shows
 * their frequency. Equal rows count as copies if
 *   - the sizes of all groups of equal rows have a common divisor of two or more, and there are at least ten groups: the
 *     whole table was copied; or
 *   - every other numeric cell of the group (the first, third, ..., or the second, fourth, ...) already identifies it among
 *     all rows, and yet its other cells agree, too, which has a chance of less than one in a hundred for two rows. The
 *     group has at most ten rows, or one in a hundred of the table: a more frequent row is a usual one.
 * Row numbers, and columns that only name a row, are not compared. */
#ifndef ANK_MODEL_DUPLICATE_ROWS_H
#define ANK_MODEL_DUPLICATE_ROWS_H

#include "table/table.h"

typedef struct ank_duplicates {
  size_t *of;    /* per row: its original, or itself; NULL: there are no copies */
  size_t copies; /* number of copies */
} ank_duplicates;

/* O(rows x columns). */
anorank_status ank_duplicates_find(ank_duplicates *out, const anorank_table *table,
                                   const anorank_settings *settings, anorank_error *err);
void ank_duplicates_free(ank_duplicates *copies); /* its content, not the struct */

#endif
