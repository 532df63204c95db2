/* table_get.c - getters of tables; tables and readers from sources. */
#include <string.h>

#include "anorank/io.h"
#include "core/ascii.h"
#include "core/list.h"
#include "core/nearest_name.h"
#include "core/status.h"
#include "table/cell_text.h"
#include "table/raw_cells.h"
#include "table/reader.h"
#include "table/source.h"
#include "table/table.h"

/* ---- tables ------------------------------------------------------------------------------------------ */

void anorank_table_free(anorank_table *table) { ank_table_free(table); }

size_t anorank_table_rows(const anorank_table *table) { return table ? table->rows : 0; }

size_t anorank_table_columns(const anorank_table *table) { return table ? table->columns : 0; }

/* Return the column, NULL past the end. */
static const ank_column *column_at(const anorank_table *table, size_t column) {
  return table && column < table->columns ? &table->column[column] : NULL;
}

const char *anorank_table_name(const anorank_table *table, size_t column) {
  const ank_column *found = column_at(table, column);
  return found ? found->name : NULL;
}

anorank_kind anorank_table_kind(const anorank_table *table, size_t column) {
  const ank_column *found = column_at(table, column);
  return found ? found->kind : ANORANK_NUMERIC;
}

size_t anorank_table_find(const anorank_table *table, const char *name) {
  return table && name ? ank_table_find(table, name, strlen(name)) : SIZE_MAX;
}

const double *anorank_table_numbers(const anorank_table *table, size_t column) {
  const ank_column *found = column_at(table, column);
  return found && found->kind != ANORANK_CATEGORICAL ? found->numbers : NULL;
}

size_t anorank_table_text(const anorank_table *table, size_t column, size_t row, char *text, size_t size) {
  const ank_column *found = column_at(table, column);
  char number[ANK_CELL_SIZE];
  const char *cell = number;
  size_t length = 0;
  if (found && row < table->rows && found->raw_cells) {
    cell = ank_raw_cells_at(found->raw_cells, row, &length);
  } else if (found && row < table->rows && !ank_cell_is_missing(found, row)) {
    if (found->kind == ANORANK_CATEGORICAL)
      length = strlen(cell = found->levels.text[found->codes[row]]);
    else
      length = ank_cell_number(number, found, row);
  }
  if (size == 0) return length;
  size_t copied = length < size ? length : size - 1;
  memcpy(text, cell, copied);
  text[copied] = '\0';
  return length;
}

anorank_verbatim anorank_table_raw_cells(const anorank_table *table, size_t column) {
  const ank_column *found = column_at(table, column);
  if (!found || !found->raw_cells) return ANORANK_VERBATIM_NONE;
  return found->raw_cells->plain ? ANORANK_VERBATIM_NUMBERS : ANORANK_VERBATIM_TEXT;
}

const int32_t *anorank_table_codes(const anorank_table *table, size_t column) {
  const ank_column *found = column_at(table, column);
  return found && found->kind == ANORANK_CATEGORICAL ? found->codes : NULL;
}

size_t anorank_table_levels(const anorank_table *table, size_t column) {
  const ank_column *found = column_at(table, column);
  return found && found->kind == ANORANK_CATEGORICAL ? found->levels.count : 0;
}

const char *anorank_table_level(const anorank_table *table, size_t column, size_t level) {
  return level < anorank_table_levels(table, column) ? table->column[column].levels.text[level] : NULL;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

anorank_status anorank_table_read(anorank_table **out, const anorank_source *source,
                                  const anorank_settings *settings, anorank_error *err) {
  ank_source *opened;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(source);
  settings = ank_settings_or_default(settings);
  ANK_CHECK(ank_source_of(&opened, source, settings, err));
  return ank_reader_read_all(out, opened, settings, err);
}

anorank_status anorank_reader_open(anorank_reader **out, const anorank_source *source,
                                   const anorank_settings *settings, anorank_error *err) {
  ank_source *opened;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(source);
  settings = ank_settings_or_default(settings);
  ANK_CHECK(ank_source_of(&opened, source, settings, err));
  return ank_reader_open(out, opened, settings, err);
}

static const char *name_at(const void *context, size_t j) {
  const anorank_table *table = context;
  return j < table->columns ? table->column[j].name : NULL;
}

const char *ank_table_nearest(const anorank_table *table, const char *item, size_t length) {
  char name[64];
  if (length >= sizeof name) return NULL;
  name[ank_list_decode(name, item, length)] = '\0';
  const char *nearest = ank_nearest_name(name, name_at, table);
  return nearest && (strlen(name) > 2 || ank_same_word(nearest, name)) ? nearest : NULL;
}
