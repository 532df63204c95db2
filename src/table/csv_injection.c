/* csv_injection.c - texts that a spreadsheet would run as formulas when it opens the file.
 *
 * A cell that begins with = + - @, a tab or a carriage return is taken for a formula by Excel, LibreOffice
 * and Sheets, whatever the quotes around it; =HYPERLINK(...) and its kin can send other cells elsewhere.
 * An apostrophe in front makes it a text there. Numbers are left as they are. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/number.h"
#include "table/raw_cells.h"

static int is_formula(const char *text) {
  double value;
  return *text && strchr("=+-@\t\r", *text) && ank_number_parse(&value, text, strlen(text)) != ANK_NUMBER;
}

/* The text with an apostrophe in front. */
static anorank_status quoted_copy(char **out, const char *text, anorank_error *err) {
  size_t length = strlen(text);
  ANK_CHECK(ank_alloc_raw(out, length + 2, 1, err));
  (*out)[0] = '\'';
  memcpy(*out + 1, text, length + 1);
  return ANORANK_OK;
}

static anorank_status guard_levels(ank_column *column, size_t rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_levels guarded = {0};
  int32_t *code = NULL;
  char *copy = NULL;
  size_t formulas = 0;
  for (size_t k = 0; k < column->levels.count; k++) formulas += (size_t)is_formula(column->levels.text[k]);
  if (formulas == 0) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&code, column->levels.count, sizeof *code, err));
  for (size_t k = 0; k < column->levels.count; k++) {
    const char *text = column->levels.text[k];
    if (is_formula(text)) ANK_TRY(quoted_copy(&copy, text, err));
    ANK_TRY(ank_levels_code(&code[k], &guarded, copy ? copy : text, strlen(copy ? copy : text), err));
    ank_free(copy);
    copy = NULL;
  }
  for (size_t i = 0; i < rows; i++)
    if (column->codes[i] >= 0) column->codes[i] = code[column->codes[i]];
  ank_levels_free(&column->levels);
  column->levels = guarded;
  guarded = (ank_levels){0};
done:
  ank_levels_free(&guarded);
  ank_free(code);
  ank_free(copy);
  return status;
}

/* Numbers and moments are what they say; a text among them is a word for "no value", or was not read. */
static int needs_guard(const ank_column *column, size_t row, const char *text, size_t length) {
  double value;
  if (length == 0 || !strchr("=+-@\t\r", *text)) return 0;
  if (column->kind != ANORANK_CATEGORICAL) return isnan(column->numbers[row]) && length > 1;
  return ank_number_parse(&value, text, length) != ANK_NUMBER;
}

static anorank_status guard_verbatim(ank_column *column, size_t rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_column guarded = {0};
  char *copy = NULL;
  size_t capacity = 0, length;
  ANK_TRY(ank_raw_cells_like(&guarded, column, rows, err));
  for (size_t i = 0; i < rows; i++) {
    const char *text = ank_raw_cells_at(column->raw_cells, i, &length);
    if (needs_guard(column, i, text, length)) {
      ANK_TRY(ank_reserve(&copy, &capacity, length + 1, 1, err));
      copy[0] = '\'';
      memcpy(copy + 1, text, length++);
      text = copy;
    }
    ANK_TRY(ank_raw_cells_put(guarded.raw_cells, i, text, length, err));
  }
  ank_raw_cells_free(column->raw_cells);
  column->raw_cells = guarded.raw_cells;
  guarded.raw_cells = NULL;
done:
  ank_raw_cells_free(guarded.raw_cells);
  ank_free(copy);
  return status;
}

anorank_status ank_table_escape_formulas(anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char *copy = NULL;
  for (size_t j = 0; j < table->columns; j++) {
    if (table->column[j].kind == ANORANK_CATEGORICAL)
      ANK_TRY(guard_levels(&table->column[j], table->rows, err));
    if (table->column[j].raw_cells) ANK_TRY(guard_verbatim(&table->column[j], table->rows, err));
    if (!is_formula(table->column[j].name)) continue;
    ANK_TRY(quoted_copy(&copy, table->column[j].name, err));
    ANK_TRY(ank_table_set_name(table, j, copy, strlen(copy), err));
    ank_free(copy);
    copy = NULL;
  }
done:
  ank_free(copy);
  return status;
}
