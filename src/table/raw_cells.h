/* raw_cells.h - cells as written in the file, for the columns that the setting `keep` names.
 *
 * Reading a number or time loses its original text. A column with raw cells keeps it: writers of text, and
 * anorank_table_text, use the text from here. */
#ifndef ANK_TABLE_RAW_CELLS_H
#define ANK_TABLE_RAW_CELLS_H

#include "table/table.h"

struct ank_raw_cells {
  char *bytes; /* the texts of all rows, one after the other */
  size_t capacity;
  size_t *ends; /* end of the text of each row; length: the table's capacity */
  int plain;    /* numbers as in C, which JSON can represent */
};

/* Keep raw cells of the columns in the list ("all": every column). Names that the table lacks are ignored.
 * The table has no rows yet. `plain[j]` != 0: the column has plain numbers; NULL: none has. */
anorank_status ank_raw_cells_keep(anorank_table *table, const char *list, const unsigned char *plain,
                                  anorank_error *err);

/* Keep raw cells if `from` does, for `capacity` rows. */
anorank_status ank_raw_cells_like(ank_column *column, const ank_column *from, size_t capacity,
                                  anorank_error *err);

/* Store the text of `row`, after those of all earlier rows. A second call for the same row replaces it. */
anorank_status ank_raw_cells_put(ank_raw_cells *raw_cells, size_t row, const char *text, size_t length,
                                 anorank_error *err);

const char *ank_raw_cells_at(const ank_raw_cells *raw_cells, size_t row, size_t *length);

/* Copy rows of another column (NULL: the first `count`), if both keep raw cells. */
anorank_status ank_raw_cells_copy(ank_column *into, const ank_column *from, const size_t *rows, size_t count,
                                  anorank_error *err);

/* Return whether JSON output also writes the cell as a text. */
static inline int ank_raw_cells_is_text(const ank_column *column) {
  return column->raw_cells && !column->raw_cells->plain;
}

void ank_raw_cells_free(ank_raw_cells *raw_cells);

/* Create a table without rows that has the columns and source of `like`; with `raw`, the same columns keep
 * raw cells. */
anorank_status ank_table_new_like(anorank_table **out, const anorank_table *like, int raw,
                                  anorank_error *err);

#endif
