/* csv_injection.c - texts that a spreadsheet would run as formulas when it opens the file.
 *
 * Excel, LibreOffice and Sheets run a cell that begins with = + - @, a tab or a carriage return as a formula,
 * even in quotes. =HYPERLINK(...) and similar formulas can send other cells to a server. A leading apostrophe
 * makes the cell a text. Numbers stay unchanged. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/number.h"
#include "table/raw_cells.h"

static int is_formula(const char *text, size_t length) {
  double value;
  return length > 0 && strchr("=+-@\t\r", *text) && ank_number_parse(&value, text, length) != ANK_NUMBER;
}

/* Memory for one text with a leading apostrophe, reused for the next. */
typedef struct buffer {
  char *text;
  size_t capacity;
} buffer;

/* Set `*text` to the text with a leading apostrophe. */
static anorank_status escape(buffer *to, const char **text, size_t *length, anorank_error *err) {
  ANK_CHECK(ank_reserve(&to->text, &to->capacity, *length + 1, 1, err));
  to->text[0] = '\'';
  memcpy(to->text + 1, *text, (*length)++);
  *text = to->text;
  return ANORANK_OK;
}

static anorank_status escape_levels(ank_column *column, size_t rows, buffer *escaped, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_levels levels = {0};
  int32_t *code = NULL;
  size_t first = 0;
  while (first < column->levels.count &&
         !is_formula(column->levels.text[first], strlen(column->levels.text[first])))
    first++;
  if (first == column->levels.count) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&code, column->levels.count, sizeof *code, err));
  for (size_t k = 0; k < column->levels.count; k++) {
    const char *text = column->levels.text[k];
    size_t length = strlen(text);
    if (is_formula(text, length)) ANK_TRY(escape(escaped, &text, &length, err));
    ANK_TRY(ank_levels_code(&code[k], &levels, text, length, err));
  }
  for (size_t i = 0; i < rows; i++)
    if (column->codes[i] >= 0) column->codes[i] = code[column->codes[i]];
  ank_levels_free(&column->levels);
  column->levels = levels;
  levels = (ank_levels){0};
done:
  ank_levels_free(&levels);
  ank_free(code);
  return status;
}

/* Numbers and dates are compared by value. A text among them is missing, or could not be read. */
static int is_formula_in(const ank_column *column, size_t row, const char *text, size_t length) {
  if (column->kind == ANORANK_CATEGORICAL) return is_formula(text, length);
  return length > 1 && strchr("=+-@\t\r", *text) && isnan(column->numbers[row]);
}

static anorank_status escape_raw_cells(ank_column *column, size_t rows, buffer *escaped, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_column made = {0};
  ANK_TRY(ank_raw_cells_like(&made, column, rows, err));
  for (size_t i = 0; i < rows; i++) {
    size_t length;
    const char *text = ank_raw_cells_at(column->raw_cells, i, &length);
    if (is_formula_in(column, i, text, length)) ANK_TRY(escape(escaped, &text, &length, err));
    ANK_TRY(ank_raw_cells_put(made.raw_cells, i, text, length, err));
  }
  ank_raw_cells_free(column->raw_cells);
  column->raw_cells = made.raw_cells;
  made.raw_cells = NULL;
done:
  ank_raw_cells_free(made.raw_cells);
  return status;
}

anorank_status anorank_table_escape_formulas(anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  buffer escaped = {0};
  ANK_NEED(table);
  for (size_t j = 0; j < table->columns; j++) {
    ank_column *column = &table->column[j];
    if (column->kind == ANORANK_CATEGORICAL) ANK_TRY(escape_levels(column, table->rows, &escaped, err));
    if (column->raw_cells) ANK_TRY(escape_raw_cells(column, table->rows, &escaped, err));
    const char *name = column->name;
    size_t length = strlen(name);
    if (!is_formula(name, length)) continue;
    ANK_TRY(escape(&escaped, &name, &length, err));
    ANK_TRY(ank_table_set_name(table, j, name, length, err));
  }
done:
  ank_free(escaped.text);
  return status;
}
