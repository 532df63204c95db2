/* sample_bytes.c - a serialised sample, a section of a stream.
 *
 *   seed; rows drawn at most; rows; first row; file and setting `missing` (a flag, then the text)
 *   notes: count; row, kind and text of each
 *   columns (0: no block was added); whether some are derived; for each: name, kind, resolution,
 *   whether it is a deviation, and the levels of categories
 *   drawn rows: count, row numbers; then the cells, column by column (codes as 32-bit words)
 *
 * Keys are not stored: they follow from the seed. Everything is sorted first, so the same rows give the same bytes. */
#include <string.h>

#include "core/alloc.h"
#include "sampling/row_draw.h"
#include "stream/sample.h"

/* ---- writing ----------------------------------------------------------------------------------------- */

static anorank_status put_optional(ank_bytes *out, const char *text, anorank_error *err) {
  anorank_status status = ank_bytes_put_u64(out, text != NULL, err);
  return status == ANORANK_OK && text ? ank_bytes_put_text(out, text, err) : status;
}

static anorank_status put_column(ank_bytes *out, const ank_column *column, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_text(out, column->name, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)column->kind, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)column->resolution, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)column->deviation, err));
  ANK_CHECK(ank_bytes_put_u64(out, column->levels.count, err));
  for (size_t k = 0; k < column->levels.count; k++)
    ANK_CHECK(ank_bytes_put_text(out, column->levels.text[k], err));
  return ANORANK_OK;
}

static anorank_status put_rows(ank_bytes *out, const ank_row_store *store, anorank_error *err) {
  const anorank_table *table = store->table;
  ANK_CHECK(ank_bytes_put_u64(out, table->rows, err));
  for (size_t i = 0; i < table->rows; i++) ANK_CHECK(ank_bytes_put_u64(out, store->row[i], err));
  for (size_t j = 0; j < table->columns; j++) {
    const ank_column *column = &table->column[j];
    if (column->kind == ANORANK_CATEGORICAL)
      ANK_CHECK(ank_bytes_put_u32s(out, (const uint32_t *)column->codes, table->rows, err));
    else
      ANK_CHECK(ank_bytes_put_f64s(out, column->numbers, table->rows, err));
  }
  return ANORANK_OK;
}

anorank_status ank_sample_save(ank_bytes *out, ank_sample *sample, anorank_error *err) {
  const anorank_table *table;
  ANK_CHECK(ank_sample_settle(&table, sample, err));
  ANK_CHECK(ank_bytes_put_u64(out, sample->seed, err));
  ANK_CHECK(ank_bytes_put_u64(out, sample->store.most, err));
  ANK_CHECK(ank_bytes_put_u64(out, sample->rows, err));
  ANK_CHECK(ank_bytes_put_u64(out, sample->first, err));
  ANK_CHECK(put_optional(out, sample->source, err));
  ANK_CHECK(put_optional(out, sample->missing, err));
  ANK_CHECK(ank_bytes_put_u64(out, sample->note_count, err));
  for (size_t i = 0; i < sample->note_count; i++) {
    ANK_CHECK(ank_bytes_put_u64(out, sample->notes[i].row, err));
    ANK_CHECK(ank_note_save(out, &sample->notes[i].note, err));
  }
  ANK_CHECK(ank_bytes_put_u64(out, table ? table->columns : 0, err));
  if (!table) return ANORANK_OK;
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)table->has_context, err));
  for (size_t j = 0; j < table->columns; j++) ANK_CHECK(put_column(out, &table->column[j], err));
  return put_rows(out, &sample->store, err);
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static anorank_status take_optional(ank_cursor *in, char **text, anorank_error *err) {
  size_t there;
  anorank_status status = ank_cursor_size(in, &there, 0, 1, "a flag", err);
  return status == ANORANK_OK && there ? ank_cursor_text(in, text, err) : status;
}

static anorank_status take_notes(ank_cursor *in, ank_sample *sample, anorank_error *err) {
  size_t count;
  ANK_CHECK(ank_cursor_size(in, &count, 0, (in->length - in->at) / 24, "the number of notes", err));
  ANK_CHECK(ank_alloc(&sample->notes, count, sizeof *sample->notes, err));
  sample->note_capacity = count;
  for (size_t i = 0; i < count; i++) {
    ank_sample_note *note = &sample->notes[i];
    ANK_CHECK(ank_cursor_size(in, &note->row, 0, SIZE_MAX, "a row", err));
    ANK_CHECK(ank_note_load(&note->note, in, err));
    sample->note_count++;
  }
  return ANORANK_OK;
}

static anorank_status take_column(ank_cursor *in, anorank_table *table, size_t j, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t kind, resolution, deviation, levels;
  char *text = NULL;
  ANK_TRY(ank_cursor_text(in, &text, err));
  ANK_TRY(ank_table_set_name(table, j, text, strlen(text), err));
  ANK_TRY(ank_cursor_size(in, &kind, 0, ANORANK_TIME, "a column's kind", err));
  ANK_TRY(ank_cursor_size(in, &resolution, 0, ANORANK_NANOSECONDS, "a column's resolution", err));
  ANK_TRY(ank_cursor_size(in, &deviation, 0, 1, "a flag", err));
  ANK_TRY(ank_cursor_size(in, &levels, 0, (in->length - in->at) / 8, "the number of levels", err));
  ank_table_set_kind(table, j, (anorank_kind)kind);
  table->column[j].resolution = (anorank_resolution)resolution;
  table->column[j].deviation = (int)deviation;
  for (size_t k = 0; k < levels; k++) {
    int32_t code;
    ank_free(text);
    text = NULL;
    ANK_TRY(ank_cursor_text(in, &text, err));
    ANK_TRY(ank_levels_code(&code, &table->column[j].levels, text, strlen(text), err));
    if ((size_t)code != k) ANK_TRY(ANORANK_ERROR_MODEL);
  }
done:
  ank_free(text);
  return status;
}

static anorank_status take_cells(ank_cursor *in, ank_column *column, size_t rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t count = 0;
  uint32_t *codes = NULL;
  double *numbers = NULL;
  if (column->kind == ANORANK_CATEGORICAL) {
    ANK_TRY(ank_cursor_u32s(in, &codes, &count, err));
    for (size_t i = 0; i < count; i++)
      if (codes[i] != UINT32_MAX && codes[i] >= column->levels.count) ANK_TRY(ANORANK_ERROR_MODEL);
    if (count == rows && rows > 0) memcpy(column->codes, codes, rows * sizeof *codes);
  } else {
    ANK_TRY(ank_cursor_f64s(in, &numbers, &count, err));
    if (count == rows && rows > 0) memcpy(column->numbers, numbers, rows * sizeof *numbers);
  }
  if (count != rows) ANK_TRY(ANORANK_ERROR_MODEL);
done:
  ank_free(codes);
  ank_free(numbers);
  return status;
}

static anorank_status take_rows(ank_cursor *in, ank_sample *sample, anorank_error *err) {
  ank_row_store *store = &sample->store;
  size_t rows;
  ANK_CHECK(ank_cursor_size(in, &rows, 0, (in->length - in->at) / 8, "the number of rows", err));
  if (rows > store->most || rows > sample->rows) ANK_CHECK(ANORANK_ERROR_MODEL);
  ANK_CHECK(ank_table_reserve(store->table, rows, err));
  ANK_CHECK(ank_reserve(&store->row, &store->row_capacity, rows, sizeof *store->row, err));
  ANK_CHECK(ank_reserve(&store->key, &store->key_capacity, rows, sizeof *store->key, err));
  for (size_t i = 0; i < rows; i++) {
    ANK_CHECK(ank_cursor_size(in, &store->row[i], i > 0 ? store->row[i - 1] + 1 : 0, SIZE_MAX - 1,
                              "a row's number", err));
    ank_draw_keys(&store->key[i], sample->seed, store->row[i], 1);
  }
  for (size_t j = 0; j < store->table->columns; j++)
    ANK_CHECK(take_cells(in, &store->table->column[j], rows, err));
  store->table->rows = rows;
  if (sample->rows > rows) { /* rows were discarded: the largest key is the border */
    store->border = 0;
    for (size_t i = 0; i < rows; i++)
      if (store->key[i] > store->border) store->border = store->key[i];
  }
  return ANORANK_OK;
}

anorank_status ank_sample_load(ank_cursor *in, ank_sample *sample, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *like = NULL;
  size_t columns, most, derived;
  ANK_TRY(ank_cursor_u64(in, &sample->seed, err));
  ANK_TRY(ank_cursor_size(in, &most, 0, ANK_MOST_DRAWN, "the number of rows to draw", err));
  ANK_TRY(ank_cursor_size(in, &sample->rows, 0, SIZE_MAX, "the number of rows", err));
  ANK_TRY(ank_cursor_size(in, &sample->first, 0, SIZE_MAX, "the first row", err));
  ANK_TRY(take_optional(in, &sample->source, err));
  ANK_TRY(take_optional(in, &sample->missing, err));
  ANK_TRY(take_notes(in, sample, err));
  ANK_TRY(ank_cursor_size(in, &columns, 0, ANORANK_MAX_COLUMNS, "the number of columns", err));
  if (columns > 0) {
    ANK_TRY(ank_table_new(&like, columns, err));
    ANK_TRY(ank_cursor_size(in, &derived, 0, 1, "a flag", err));
    like->has_context = (int)derived;
    for (size_t j = 0; j < columns; j++) ANK_TRY(take_column(in, like, j, err));
    sample->store = (ank_row_store){.table = like, .most = most, .border = UINT64_MAX, .settled = 1};
    like = NULL;
    ANK_TRY(take_rows(in, sample, err));
  }
done:
  ank_table_free(like);
  return status;
}
