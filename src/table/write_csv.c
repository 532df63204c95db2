/* write_csv.c - delimited text: RFC 4180 quotes where a cell needs them, lines ended by a newline, numbers in
 * the shortest form that reads back to the same double, a missing value as an empty cell. */
#include <string.h>

#include "table/cell_text.h"
#include "table/format.h"
#include "table/raw_cells.h"

/* Some readers strip spaces at the ends of unquoted cells, and a byte-order mark would be dropped. */
static int needs_quotes(const char *text, size_t length, char delimiter) {
  if (length == 0 || text[0] == ' ' || text[length - 1] == ' ' || (unsigned char)text[0] == 0xEF) return 1;
  for (size_t i = 0; i < length; i++)
    if (text[i] == delimiter || text[i] == '"' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t')
      return 1;
  return 0;
}

static anorank_status put_bytes(anorank_writer *writer, const char *text, size_t length, anorank_error *err) {
  ANK_CHECK(ank_writer_reserve(writer, 2 * length + 2, err));
  char *to = writer->text + writer->used;
  if (!needs_quotes(text, length, writer->format->delimiter)) {
    memcpy(to, text, length);
    writer->used += length;
    return ANORANK_OK;
  }
  *to++ = '"';
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '"') *to++ = '"';
    *to++ = text[i];
  }
  *to++ = '"';
  writer->used = (size_t)(to - writer->text);
  return ANORANK_OK;
}

static anorank_status put_text(anorank_writer *writer, const char *text, anorank_error *err) {
  return put_bytes(writer, text, strlen(text), err);
}

static anorank_status put_char(anorank_writer *writer, char c, anorank_error *err) {
  anorank_status status = ank_writer_reserve(writer, 1, err);
  if (status == ANORANK_OK) writer->text[writer->used++] = c;
  return status;
}

static anorank_status csv_begin(anorank_writer *writer, const anorank_table *block, anorank_error *err) {
  for (size_t j = 0; j < block->columns; j++) {
    if (j > 0) ANK_CHECK(put_char(writer, writer->format->delimiter, err));
    ANK_CHECK(put_text(writer, block->column[j].name, err));
  }
  return put_char(writer, '\n', err);
}

static anorank_status put_cell(anorank_writer *writer, const anorank_table *block, size_t j, size_t row,
                               anorank_error *err) {
  const ank_column *column = &block->column[j];
  int alone = block->columns == 1;
  if (column->raw_cells) {
    size_t length;
    const char *text = ank_raw_cells_at(column->raw_cells, row, &length);
    return length > 0 || alone ? put_bytes(writer, text, length, err) : ANORANK_OK;
  }
  if (ank_cell_is_missing(column, row))
    return alone ? put_text(writer, "", err) : ANORANK_OK; /* an empty line would not count as a row */
  if (column->kind == ANORANK_CATEGORICAL)
    return put_text(writer, column->levels.text[column->codes[row]], err);
  anorank_status status = ank_writer_reserve(writer, ANK_CELL_SIZE, err);
  if (status == ANORANK_OK) writer->used += ank_writer_number(writer, 0, column, j, row);
  return status;
}

static anorank_status csv_append(anorank_writer *writer, const anorank_table *block, anorank_error *err) {
  for (size_t i = 0; i < block->rows; i++) {
    for (size_t j = 0; j < block->columns; j++) {
      if (j > 0) ANK_CHECK(put_char(writer, writer->format->delimiter, err));
      ANK_CHECK(put_cell(writer, block, j, i, err));
    }
    ANK_CHECK(put_char(writer, '\n', err));
  }
  return ANORANK_OK;
}

const ank_writer_class ank_write_csv = {csv_begin, csv_append, NULL};
