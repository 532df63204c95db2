/* row_sorter.h - sort rows of a table by score and number, in bounded memory. Rows that exceed it are
 * written as sorted runs to an unnamed file, and merged on output.
 *
 * A row is stored as bytes: score, number, length of the rest; then the cells, column by column: a double,
 * or a text as length and bytes (length UINT32_MAX: missing), followed by the raw cell of the column, if
 * kept. */
#ifndef ANK_SAMPLING_ROW_SORTER_H
#define ANK_SAMPLING_ROW_SORTER_H

#include "core/bytes.h"
#include "core/scratch_file.h"
#include "table/table.h"

typedef struct ank_sorted_row {
  double score;
  size_t number;
} ank_sorted_row;

typedef struct ank_row_sorter ank_row_sorter;

/* Create a sorter for the columns of `like`, including raw cells. It holds at most about `memory` bytes. */
anorank_status ank_row_sorter_new(ank_row_sorter **out, const anorank_table *like, size_t memory,
                                  anorank_error *err);
void ank_row_sorter_free(ank_row_sorter *sorter);

/* Add row i of a block with these columns. */
anorank_status ank_row_sorter_put(ank_row_sorter *sorter, const anorank_table *block, size_t i, double score,
                                  size_t number, anorank_error *err);

size_t ank_row_sorter_rows(const ank_row_sorter *sorter);
const anorank_table *ank_row_sorter_like(const ank_row_sorter *sorter); /* no rows */

/* Begin the output, lowest score first, after all rows were added; a second call starts again. */
anorank_status ank_row_sorter_rewind(ank_row_sorter *sorter, anorank_error *err);

/* Get the next rows, at most `most`, as a table, and their sort keys; `*out` is NULL at the end. The caller
 * owns both. */
anorank_status ank_row_sorter_next(anorank_table **out, ank_sorted_row **rows, ank_row_sorter *sorter,
                                   size_t most, anorank_error *err);

#endif
