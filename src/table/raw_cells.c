/* raw_cells.c - see raw_cells.h. */
#include "table/raw_cells.h"

#include <string.h>

#include "core/alloc.h"
#include "core/list.h"

static anorank_status begin(ank_column *column, int plain, size_t capacity, anorank_error *err) {
  if (!column->raw_cells) ANK_CHECK(ank_alloc(&column->raw_cells, 1, sizeof *column->raw_cells, err));
  column->raw_cells->plain = plain;
  if (capacity > 0)
    ANK_CHECK(ank_resize(&column->raw_cells->ends, capacity, sizeof *column->raw_cells->ends, err));
  return ANORANK_OK;
}

anorank_status ank_raw_cells_keep(anorank_table *table, const char *list, const unsigned char *plain,
                                  anorank_error *err) {
  int all = strcmp(list, "all") == 0;
  for (size_t j = 0; all && j < table->columns; j++)
    ANK_CHECK(begin(&table->column[j], plain && plain[j], 0, err));
  const char *item;
  size_t length;
  while (!all && ank_list_next(&list, &item, &length)) {
    size_t j = ank_table_find_item(table, item, length);
    if (j != SIZE_MAX) ANK_CHECK(begin(&table->column[j], plain && plain[j], 0, err));
  }
  table->capacity = 0; /* reserve again, with room for the texts */
  return ANORANK_OK;
}

anorank_status ank_raw_cells_like(ank_column *column, const ank_column *from, size_t capacity,
                                  anorank_error *err) {
  return from->raw_cells ? begin(column, from->raw_cells->plain, capacity, err) : ANORANK_OK;
}

anorank_status ank_raw_cells_put(ank_raw_cells *raw_cells, size_t row, const char *text, size_t length,
                                 anorank_error *err) {
  size_t from = row > 0 ? raw_cells->ends[row - 1] : 0;
  if (from + length > raw_cells->capacity)
    ANK_CHECK(ank_reserve(&raw_cells->bytes, &raw_cells->capacity, from + length, 1, err));
  if (length > 0) memcpy(raw_cells->bytes + from, text, length);
  raw_cells->ends[row] = from + length;
  return ANORANK_OK;
}

const char *ank_raw_cells_at(const ank_raw_cells *raw_cells, size_t row, size_t *length) {
  size_t from = row > 0 ? raw_cells->ends[row - 1] : 0;
  *length = raw_cells->ends[row] - from;
  return *length > 0 ? raw_cells->bytes + from : "";
}

anorank_status ank_raw_cells_copy(ank_column *into, const ank_column *from, const size_t *rows, size_t count,
                                  anorank_error *err) {
  for (size_t i = 0; into->raw_cells && from->raw_cells && i < count; i++) {
    size_t length;
    const char *text = ank_raw_cells_at(from->raw_cells, rows ? rows[i] : i, &length);
    ANK_CHECK(ank_raw_cells_put(into->raw_cells, i, text, length, err));
  }
  return ANORANK_OK;
}

void ank_raw_cells_free(ank_raw_cells *raw_cells) {
  if (!raw_cells) return;
  ank_free(raw_cells->bytes);
  ank_free(raw_cells->ends);
  ank_free(raw_cells);
}

anorank_status ank_table_new_like(anorank_table **out, const anorank_table *like, int raw,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = NULL;
  *out = NULL;
  ANK_TRY(ank_table_new(&table, like->columns, err));
  for (size_t j = 0; j < like->columns; j++) {
    ANK_TRY(ank_table_set_like(table, j, &like->column[j], err));
    if (raw) ANK_TRY(ank_raw_cells_like(&table->column[j], &like->column[j], 0, err));
  }
  table->has_context = like->has_context;
  if (like->source) ANK_TRY(ank_copy_text(&table->source, like->source, strlen(like->source), err));
  *out = table;
  table = NULL;
done:
  ank_table_free(table);
  return status;
}
