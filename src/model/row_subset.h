/* row_subset.h - some rows of a table as another table. */
#ifndef ANK_MODEL_ROW_SUBSET_H
#define ANK_MODEL_ROW_SUBSET_H

#include "table/table.h"

/* Copy `count` rows of all columns, in the given order. Levels that none of these rows has are left out, so that a fit on
 * the copy depends on these rows alone. Columns of large tables are copied in parallel. */
anorank_status ank_copy_rows(anorank_table **out, const anorank_table *table, const size_t *rows,
                             size_t count, const anorank_settings *settings, anorank_error *err);

/* Append the cells of one column to one without rows: `into` has room for them and the same kind. `rows` may
 * be NULL: rows 0 .. count - 1. */
anorank_status ank_copy_cells(ank_column *into, const ank_column *from, const size_t *rows, size_t count,
                              anorank_error *err);

/* Draw `count` of the rows 0 .. n - 1 without replacement, ascending, with draw `index` of the stream. */
anorank_status ank_draw_rows(size_t **out, size_t count, size_t n, uint64_t seed, uint64_t index,
                             anorank_error *err);

#endif
