/* verbatim.c - see verbatim.h. */
#include "table/verbatim.h"

#include <string.h>

#include "core/alloc.h"

static anorank_status begin(ank_column *column, int plain, size_t capacity, anorank_error *err) {
  if (!column->verbatim) ANK_CHECK(ank_alloc(&column->verbatim, 1, sizeof *column->verbatim, err));
  column->verbatim->plain = plain;
  if (capacity > 0)
    ANK_CHECK(ank_resize(&column->verbatim->ends, capacity, sizeof *column->verbatim->ends, err));
  return ANORANK_OK;
}

anorank_status ank_verbatim_keep(anorank_table *table, const char *list, const unsigned char *plain,
                                 anorank_error *err) {
  int all = strcmp(list, "all") == 0;
  for (size_t j = 0; all && j < table->columns; j++)
    ANK_CHECK(begin(&table->column[j], plain && plain[j], 0, err));
  while (!all && *list) {
    size_t length = strcspn(list, ",");
    const char *name = list;
    list += length + (list[length] == ',');
    while (length > 0 && (*name == ' ' || *name == '\t')) name++, length--;
    while (length > 0 && (name[length - 1] == ' ' || name[length - 1] == '\t')) length--;
    size_t j = ank_table_find(table, name, length);
    if (j != SIZE_MAX) ANK_CHECK(begin(&table->column[j], plain && plain[j], 0, err));
  }
  table->capacity = 0; /* to be reserved again, with room for the texts */
  return ANORANK_OK;
}

anorank_status ank_verbatim_like(ank_column *column, const ank_column *from, size_t capacity,
                                 anorank_error *err) {
  return from->verbatim ? begin(column, from->verbatim->plain, capacity, err) : ANORANK_OK;
}

anorank_status ank_verbatim_put(ank_verbatim *verbatim, size_t row, const char *text, size_t length,
                                anorank_error *err) {
  size_t from = row > 0 ? verbatim->ends[row - 1] : 0;
  if (from + length > verbatim->capacity)
    ANK_CHECK(ank_reserve(&verbatim->bytes, &verbatim->capacity, from + length, 1, err));
  if (length > 0) memcpy(verbatim->bytes + from, text, length);
  verbatim->ends[row] = from + length;
  return ANORANK_OK;
}

const char *ank_verbatim_at(const ank_verbatim *verbatim, size_t row, size_t *length) {
  size_t from = row > 0 ? verbatim->ends[row - 1] : 0;
  *length = verbatim->ends[row] - from;
  return *length > 0 ? verbatim->bytes + from : "";
}

anorank_status ank_verbatim_copy(ank_column *into, const ank_column *from, const size_t *rows, size_t count,
                                 anorank_error *err) {
  for (size_t i = 0; into->verbatim && from->verbatim && i < count; i++) {
    size_t length;
    const char *text = ank_verbatim_at(from->verbatim, rows ? rows[i] : i, &length);
    ANK_CHECK(ank_verbatim_put(into->verbatim, i, text, length, err));
  }
  return ANORANK_OK;
}

void ank_verbatim_free(ank_verbatim *verbatim) {
  if (!verbatim) return;
  ank_free(verbatim->bytes);
  ank_free(verbatim->ends);
  ank_free(verbatim);
}
