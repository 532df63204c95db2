/* row_sorter.h - rows of a table with a score each, sorted by score and number in bounded memory: what does not fit goes
 * to sorted runs in an unnamed file, which are merged on output.
 *
 * A row is stored as bytes: score, number, length of the rest; then the cells, column by column: a double, or a text as
 * length and bytes (length UINT32_MAX: missing), followed by the raw cell of the column, if kept. */
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

/* Columns like those of `like`, its remembered texts included. At most about `memory` bytes are held. */
anorank_status ank_row_sorter_new(ank_row_sorter **out, const anorank_table *like, size_t memory,
                                  anorank_error *err);
void ank_row_sorter_free(ank_row_sorter *sorter);

/* Row i of a block with these columns. */
anorank_status ank_row_sorter_put(ank_row_sorter *sorter, const anorank_table *block, size_t i, double score,
                                  size_t number, anorank_error *err);

size_t ank_row_sorter_rows(const ank_row_sorter *sorter);
const anorank_table *ank_row_sorter_like(const ank_row_sorter *sorter); /* no rows */

/* Once all rows are there: begin to take them out, the lowest score first; again from the start. */
anorank_status ank_row_sorter_rewind(ank_row_sorter *sorter, anorank_error *err);

/* The next rows, at most `most`, as a table, and their sort keys; `*out` is NULL at the end. Both are
 * the caller's. */
anorank_status ank_row_sorter_next(anorank_table **out, ank_sorted_row **rows, ank_row_sorter *sorter,
                                   size_t most, anorank_error *err);

#endif
