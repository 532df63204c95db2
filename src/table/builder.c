/* builder.c - tables from arrays in memory. */
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "table/cells.h"
#include "table/raw_cells.h"
#include "table/table.h"

#define TILE_ROWS ((size_t)256) /* of a matrix: with a few columns it fits the cache */

struct anorank_builder {
  anorank_table *table; /* NULL once returned */
  size_t rows;
  size_t complete; /* columns with cells and a name; a failed call left the later ones */
};

anorank_status anorank_builder_new(anorank_builder **out, size_t rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_builder *builder = NULL;
  ANK_NEED(out);
  *out = NULL;
  ANK_TRY(ank_alloc(&builder, 1, sizeof *builder, err));
  ANK_TRY(ank_table_new(&builder->table, 0, err));
  builder->rows = rows;
  *out = builder;
  builder = NULL;
done:
  anorank_builder_free(builder);
  return status;
}

void anorank_builder_free(anorank_builder *builder) {
  if (!builder) return;
  ank_table_free(builder->table);
  ank_free(builder);
}

/* ---- columns ----------------------------------------------------------------------------------------- */

/* Check that the builder still has its table, and drop the incomplete column of a failed call. */
static anorank_status begin(anorank_builder *builder, anorank_error *err) {
  anorank_table *table = builder->table;
  if (!table)
    return ank_fail(err, ANORANK_ERROR_USAGE, "builder-finished",
                    "this builder is finished; make another builder");
  while (table->columns > builder->complete) {
    ank_column *column = &table->column[--table->columns];
    ank_free(column->name);
    ank_free(column->numbers);
    ank_free(column->codes);
    ank_levels_free(&column->levels);
  }
  return ANORANK_OK;
}

/* Add a column with room for all rows and no name. It gets its name once its cells are valid, since a name
 * cannot be given back. */
static anorank_status add_column(ank_column **out, anorank_builder *builder, anorank_kind kind,
                                 anorank_error *err) {
  anorank_table *table = builder->table;
  *out = NULL;
  ANK_CHECK(ank_table_add_column(table, err));
  ank_column *column = &table->column[table->columns - 1];
  column->kind = kind;
  if (kind == ANORANK_CATEGORICAL)
    ANK_CHECK(ank_alloc_raw(&column->codes, builder->rows, sizeof *column->codes, err));
  else
    ANK_CHECK(ank_alloc_raw(&column->numbers, builder->rows, sizeof *column->numbers, err));
  *out = column;
  return ANORANK_OK;
}

/* Name the first incomplete column, which completes it. */
static anorank_status give_name(anorank_builder *builder, const char *name, anorank_error *err) {
  ANK_CHECK(
      ank_table_set_name(builder->table, builder->complete, name ? name : "", name ? strlen(name) : 0, err));
  builder->complete++;
  return ANORANK_OK;
}

/* Write the error of a column and a row, both from 0. */
static anorank_status fail_at(const char *name, size_t column, size_t row, const char *what,
                              anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE], made[32];
  snprintf(made, sizeof made, "x%zu", column + 1);
  if (!name || !*name) name = made;
  (void)ank_fail(err, ANORANK_ERROR_DATA, "builder-cell", "column '%s', row %zu: %s",
                 ank_quote(quoted, name, strlen(name)), row + 1, what);
  ank_place_row(err, NULL, row, name);
  return ANORANK_ERROR_DATA;
}

static anorank_status check_type(anorank_type type, anorank_error *err) {
  if (ank_type_size(type)) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "builder-type", "unknown type %d; pass a value of anorank_type",
                  (int)type);
}

static const char *const inexact =
    "an integer above 2^53 is not exact as a number; pass the column as texts, or leave it out";

anorank_status anorank_builder_numbers(anorank_builder *builder, const char *name, anorank_type type,
                                       const void *data, ptrdiff_t stride, const uint8_t *validity,
                                       anorank_error *err) {
  ank_column *column;
  ANK_NEED(builder);
  if (builder->rows > 0) ANK_NEED(data);
  ANK_CHECK(begin(builder, err));
  ANK_CHECK(check_type(type, err));
  ANK_CHECK(add_column(&column, builder, ANORANK_NUMERIC, err));
  ank_cells cells = {type, data, stride, validity, 0};
  size_t done = ank_cells_numbers(column->numbers, &cells, builder->rows);
  if (done < builder->rows) return fail_at(name, builder->complete, done, inexact, err);
  return give_name(builder, name, err);
}

anorank_status anorank_builder_times(anorank_builder *builder, const char *name,
                                     anorank_resolution resolution, anorank_type type, const void *data,
                                     ptrdiff_t stride, const uint8_t *validity, anorank_error *err) {
  ank_column *column;
  ANK_NEED(builder);
  if (builder->rows > 0) ANK_NEED(data);
  ANK_CHECK(begin(builder, err));
  ANK_CHECK(check_type(type, err));
  if ((unsigned)resolution > ANORANK_NANOSECONDS)
    return ank_fail(err, ANORANK_ERROR_USAGE, "builder-resolution",
                    "unknown time resolution %d; pass a value of anorank_resolution", (int)resolution);
  ANK_CHECK(add_column(&column, builder, ANORANK_TIME, err));
  column->resolution = resolution;
  ank_cells cells = {type, data, stride, validity, 0};
  ank_cells_seconds(column->numbers, &cells, builder->rows, resolution);
  return give_name(builder, name, err);
}

/* Get the code of a text in the incomplete column. Errors name `row`, from 0. */
static anorank_status code_of(int32_t *out, anorank_builder *builder, const char *name, const char *text,
                              const size_t *length, size_t row, anorank_error *err) {
  anorank_error inner = {0};
  ank_levels *levels = &builder->table->column[builder->complete].levels;
  anorank_status status = ank_levels_code(out, levels, text, length ? *length : strlen(text), &inner);
  if (status == ANORANK_ERROR_DATA) return fail_at(name, builder->complete, row, inner.message, err);
  return status == ANORANK_OK ? status : ank_fail_around(err, &inner, "%s", inner.message);
}

static const int32_t not_yet = -2; /* a level without rows so far */

anorank_status anorank_builder_codes(anorank_builder *builder, const char *name, const int32_t *codes,
                                     ptrdiff_t stride, const uint8_t *validity, const char *const *levels,
                                     const size_t *lengths, size_t level_count, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_column *column = NULL;
  int32_t *renamed = NULL;
  ANK_NEED(builder);
  if (builder->rows > 0) ANK_NEED(codes);
  if (level_count > 0) ANK_NEED(levels);
  ANK_CHECK(begin(builder, err));
  ANK_CHECK(add_column(&column, builder, ANORANK_CATEGORICAL, err));
  ANK_TRY(ank_alloc_raw(&renamed, level_count, sizeof *renamed, err));
  for (size_t k = 0; k < level_count; k++) renamed[k] = not_yet;
  for (size_t i = 0; i < builder->rows; i++) {
    int32_t code;
    memcpy(&code, (const char *)codes + (ptrdiff_t)i * stride, sizeof code);
    column->codes[i] = -1;
    if (code < 0 || !ank_bit(validity, i)) continue;
    if ((size_t)code >= level_count || !levels[code])
      ANK_TRY(fail_at(name, builder->complete, i, "the code has no level", err));
    if (renamed[code] == not_yet)
      ANK_TRY(code_of(&renamed[code], builder, name, levels[code], lengths ? &lengths[code] : NULL, i, err));
    column->codes[i] = renamed[code];
  }
  ANK_TRY(give_name(builder, name, err));
done:
  ank_free(renamed);
  return status;
}

anorank_status anorank_builder_texts(anorank_builder *builder, const char *name, const char *const *texts,
                                     const size_t *lengths, const uint8_t *validity, anorank_error *err) {
  ank_column *column = NULL;
  ANK_NEED(builder);
  if (builder->rows > 0) ANK_NEED(texts);
  ANK_CHECK(begin(builder, err));
  ANK_CHECK(add_column(&column, builder, ANORANK_CATEGORICAL, err));
  for (size_t i = 0; i < builder->rows; i++) {
    column->codes[i] = -1;
    if (!texts[i] || !ank_bit(validity, i)) continue;
    ANK_CHECK(code_of(&column->codes[i], builder, name, texts[i], lengths ? &lengths[i] : NULL, i, err));
  }
  return give_name(builder, name, err);
}

anorank_status anorank_builder_column(anorank_builder *builder, const char *name, const anorank_table *table,
                                      size_t column, anorank_error *err) {
  ANK_NEED(builder);
  ANK_NEED(table);
  if (column >= table->columns || table->rows != builder->rows)
    return ank_fail(err, ANORANK_ERROR_USAGE, "table-copy-shape",
                    "the table has %zu rows and %zu columns; cannot copy column %zu with %zu rows",
                    table->rows, table->columns, column, builder->rows);
  const ank_column *from = &table->column[column];
  if (from->kind == ANORANK_CATEGORICAL)
    ANK_CHECK(anorank_builder_codes(builder, name, from->codes, sizeof *from->codes, NULL,
                                    (const char *const *)from->levels.text, NULL, from->levels.count, err));
  else
    ANK_CHECK(anorank_builder_numbers(builder, name, ANORANK_FLOAT64, from->numbers, sizeof *from->numbers,
                                      NULL, err));
  ank_column *to = &builder->table->column[builder->table->columns - 1];
  to->kind = from->kind;
  to->resolution = from->resolution;
  ANK_CHECK(ank_raw_cells_like(to, from, builder->rows, err));
  return ank_raw_cells_copy(to, from, NULL, builder->rows, err);
}

anorank_status anorank_builder_notes(anorank_builder *builder, const anorank_table *table,
                                     anorank_error *err) {
  ANK_NEED(builder);
  ANK_NEED(table);
  ANK_CHECK(begin(builder, err));
  for (size_t i = 0; i < table->notes.count; i++)
    ANK_CHECK(ank_notes_copy(&builder->table->notes, &table->notes.list[i], err));
  return ANORANK_OK;
}

anorank_status anorank_builder_matrix(anorank_builder *builder, const char *const *names, size_t columns,
                                      anorank_type type, const void *data, ptrdiff_t row_stride,
                                      ptrdiff_t column_stride, anorank_error *err) {
  ank_column *column;
  ANK_NEED(builder);
  if (builder->rows > 0 && columns > 0) ANK_NEED(data);
  ANK_CHECK(begin(builder, err));
  ANK_CHECK(check_type(type, err));
  size_t before = builder->complete;
  for (size_t j = 0; j < columns; j++) ANK_CHECK(add_column(&column, builder, ANORANK_NUMERIC, err));
  for (size_t row = 0; row < builder->rows; row += TILE_ROWS) {
    size_t now = builder->rows - row < TILE_ROWS ? builder->rows - row : TILE_ROWS;
    const char *tile = (const char *)data + (ptrdiff_t)row * row_stride;
    for (size_t j = 0; j < columns; j++) {
      column = &builder->table->column[before + j];
      ank_cells cells = {type, tile + (ptrdiff_t)j * column_stride, row_stride, NULL, 0};
      size_t done = ank_cells_numbers(column->numbers + row, &cells, now);
      if (done < now) return fail_at(names ? names[j] : NULL, before + j, row + done, inexact, err);
    }
  }
  anorank_status status = ANORANK_OK;
  for (size_t j = 0; j < columns && status == ANORANK_OK; j++)
    status = give_name(builder, names ? names[j] : NULL, err);
  if (status != ANORANK_OK) builder->complete = before; /* all columns or none */
  return status;
}

anorank_status anorank_builder_finish(anorank_table **out, anorank_builder *builder, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(builder);
  ANK_CHECK(begin(builder, err));
  if (builder->table->columns == 0)
    return ank_fail(err, ANORANK_ERROR_USAGE, "table-no-columns", "a table needs at least one column");
  *out = builder->table;
  builder->table = NULL;
  (*out)->rows = (*out)->capacity = builder->rows;
  return ANORANK_OK;
}

/* ---- a matrix of doubles ----------------------------------------------------------------------------- */

/* Return whether the index of the last element is within pointer range. */
static int reachable(size_t rows, size_t columns, size_t row_stride, size_t column_stride) {
  size_t down, across, last;
  if (rows == 0 || columns == 0) return 1;
  return !__builtin_mul_overflow(rows - 1, row_stride, &down) &&
         !__builtin_mul_overflow(columns - 1, column_stride, &across) &&
         !__builtin_add_overflow(down, across, &last) && last < PTRDIFF_MAX / sizeof(double);
}

anorank_status anorank_table_from_matrix(anorank_table **out, const double *data, size_t rows, size_t columns,
                                         size_t row_stride, size_t column_stride, const char *const *names,
                                         anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_builder *builder = NULL;
  ANK_NEED(out);
  *out = NULL;
  if (columns == 0) ANK_FAIL(ANORANK_ERROR_USAGE, "table-no-columns", "a table needs at least one column");
  if (rows > 0) ANK_NEED(data);
  if (!reachable(rows, columns, row_stride, column_stride))
    ANK_FAIL(ANORANK_ERROR_USAGE, "table-size",
             "%zu rows by %zu columns with these strides do not fit into memory", rows, columns);
  ANK_TRY(anorank_builder_new(&builder, rows, err));
  ANK_TRY(anorank_builder_matrix(builder, names, columns, ANORANK_FLOAT64, data,
                                 (ptrdiff_t)(row_stride * sizeof(double)),
                                 (ptrdiff_t)(column_stride * sizeof(double)), err));
  ANK_TRY(anorank_builder_finish(out, builder, err));
done:
  anorank_builder_free(builder);
  return status;
}
