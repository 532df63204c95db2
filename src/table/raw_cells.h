/* raw_cells.h - cells as written in the file, for the columns that the setting `keep` names.
 *
 * Numbers and times lose their spelling when they are read. A column that is to come out beside the results
 * as it went in remembers it: writers of text, and anorank_table_text, take the text from here. */
#ifndef ANK_TABLE_RAW_CELLS_H
#define ANK_TABLE_RAW_CELLS_H

#include "table/table.h"

struct ank_raw_cells {
  char *bytes; /* the texts of all rows, one after the other */
  size_t capacity;
  size_t *ends; /* where the text of each row ends: the table's capacity */
  int plain;    /* numbers as C writes them: JSON has the numbers */
};

/* Let the columns that the list names ("all": every one) remember; names that the table lacks are
 * ignored. The table has no rows yet. `plain[j]` != 0: the column holds plain numbers; NULL: none does. */
anorank_status ank_raw_cells_keep(anorank_table *table, const char *list, const unsigned char *plain,
                                  anorank_error *err);

/* The same as another column does, for `capacity` rows. Nothing if that remembers nothing. */
anorank_status ank_raw_cells_like(ank_column *column, const ank_column *from, size_t capacity,
                                  anorank_error *err);

/* The text of `row`, all rows before it being there; again for the same row: instead. */
anorank_status ank_raw_cells_put(ank_raw_cells *raw_cells, size_t row, const char *text, size_t length,
                                 anorank_error *err);

const char *ank_raw_cells_at(const ank_raw_cells *raw_cells, size_t row, size_t *length);

/* Rows of another column (NULL: the first `count`), where both remember. */
anorank_status ank_raw_cells_copy(ank_column *into, const ank_column *from, const size_t *rows, size_t count,
                                  anorank_error *err);

/* Whether JSON output writes the cell as a text as well. */
static inline int ank_raw_cells_is_text(const ank_column *column) {
  return column->raw_cells && !column->raw_cells->plain;
}

void ank_raw_cells_free(ank_raw_cells *raw_cells);

/* A table without rows whose columns, and source, are those of `like`; with `raw` they remember raw cells where those do. */
anorank_status ank_table_new_like(anorank_table **out, const anorank_table *like, int raw,
                                  anorank_error *err);

#endif
