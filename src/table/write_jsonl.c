/* write_jsonl.c - JSON lines: one object per row with all its keys, a missing value as null.
 *
 * JSON has no infinity. It is written as 1e999: a number by the grammar, which Python, JavaScript and our own
 * reader read as infinity. The word Infinity would make the whole line invalid. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "table/cell_text.h"
#include "table/raw_cells.h"
#include "table/writer.h"

/* Writes at most 6 bytes per byte of the text, plus the quotes. JSON is UTF-8: other bytes, as from a table
 * in Latin-1, become U+FFFD. */
static size_t escape(char *to, const char *text, size_t length) {
  char *start = to;
  const char *end = text + length;
  *to++ = '"';
  for (size_t step; text < end; text += step) {
    unsigned char c = (unsigned char)*text;
    step = ank_utf8_length(text, (size_t)(end - text));
    if (step > 0 && ank_utf8_steers(text, step) && c >= 0x7F) {
      unsigned code = c;
      if (step == 2) code = (c & 0x1Fu) << 6 | ((unsigned char)text[1] & 0x3Fu);
      if (step == 3)
        code = (c & 0x0Fu) << 12 | ((unsigned char)text[1] & 0x3Fu) << 6 | ((unsigned char)text[2] & 0x3Fu);
      to += snprintf(to, 7, "\\u%04x", code & 0xFFFFu);
      continue;
    }
    if (step != 1) {
      memcpy(to, step ? text : "\xEF\xBF\xBD", step ? step : 3);
      to += step ? step : 3;
      step += step == 0;
      continue;
    }
    const char *letter = strchr("\"\"\\\\\bb\ff\nn\rr\tt", c);
    if (c == '"' || c == '\\') {
      *to++ = '\\';
      *to++ = (char)c;
    } else if (c >= 0x20) {
      *to++ = (char)c;
    } else if (letter) {
      *to++ = '\\';
      *to++ = letter[1];
    } else {
      to += snprintf(to, 7, "\\u%04x", c);
    }
  }
  *to++ = '"';
  return (size_t)(to - start);
}

static anorank_status jsonl_begin(anorank_writer *writer, const anorank_table *block, anorank_error *err) {
  anorank_status status = ank_alloc(&writer->keys, block->columns, sizeof *writer->keys, err);
  for (size_t j = 0; j < block->columns && status == ANORANK_OK; j++) {
    const char *name = block->column[j].name;
    status = ank_alloc_raw(&writer->keys[j], 6 * strlen(name) + 8, 1, err);
    if (status != ANORANK_OK) break;
    writer->keys[j][0] = j > 0 ? ',' : '{';
    size_t length = 1 + escape(writer->keys[j] + 1, name, strlen(name));
    memcpy(writer->keys[j] + length, ":", 2);
  }
  return status;
}

static anorank_status put(anorank_writer *writer, const char *text, anorank_error *err) {
  size_t length = strlen(text);
  ANK_CHECK(ank_writer_reserve(writer, length, err));
  memcpy(writer->text + writer->used, text, length);
  writer->used += length;
  return ANORANK_OK;
}

static anorank_status put_string(anorank_writer *writer, const char *text, size_t length,
                                 anorank_error *err) {
  anorank_status status = ank_writer_reserve(writer, 6 * length + 8, err);
  if (status == ANORANK_OK) writer->used += escape(writer->text + writer->used, text, length);
  return status;
}

static anorank_status put_value(anorank_writer *writer, const anorank_table *block, size_t j, size_t row,
                                anorank_error *err) {
  const ank_column *column = &block->column[j];
  anorank_status status;
  size_t bytes;
  if (ank_raw_cells_is_text(column)) {
    const char *text = ank_raw_cells_at(column->raw_cells, row, &bytes);
    return bytes > 0 ? put_string(writer, text, bytes, err) : put(writer, "null", err);
  }
  if (ank_cell_is_missing(column, row)) return put(writer, "null", err);
  if (column->kind == ANORANK_CATEGORICAL) {
    const char *text = column->levels.text[column->codes[row]];
    return put_string(writer, text, strlen(text), err);
  }
  double x = column->numbers[row];
  if (isinf(x)) return put(writer, x > 0 ? "1e999" : "-1e999", err);
  status = ank_writer_reserve(writer, ANK_CELL_SIZE + 2, err);
  if (status != ANORANK_OK) return status;
  const char *quote = column->kind == ANORANK_TIME ? "\"" : "";
  size_t length = strlen(quote);
  char *to = writer->text + writer->used;
  memcpy(to, quote, length);
  length += ank_writer_number(writer, length, column, j, row);
  memcpy(to + length, quote, strlen(quote));
  writer->used += length + strlen(quote);
  return ANORANK_OK;
}

static anorank_status jsonl_append(anorank_writer *writer, const anorank_table *block, anorank_error *err) {
  for (size_t i = 0; i < block->rows; i++) {
    for (size_t j = 0; j < block->columns; j++) {
      ANK_CHECK(put(writer, writer->keys[j], err));
      ANK_CHECK(put_value(writer, block, j, i, err));
    }
    ANK_CHECK(put(writer, block->columns ? "}\n" : "{}\n", err));
  }
  return ANORANK_OK;
}

const ank_writer_class ank_write_jsonl = {jsonl_begin, jsonl_append, NULL};
