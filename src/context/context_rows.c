/* context_rows.c - the entities of rows, and their order. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "context/context_parts.h"
#include "core/alloc.h"
#include "core/print.h"
#include "kernels/sort.h"
#include "table/cell_format.h"

static anorank_status unknown_column(const anorank_table *table, const char *setting, const char *name,
                                     size_t length, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  (void)ank_fail(err, ANORANK_ERROR_USAGE, "column-unknown",
                 "%s names '%s', but %s has no such column; name one of its columns", setting,
                 ank_quote(quoted, name, length), table->source ? table->source : "the table");
  ank_error_set_location(err, table->source, 0, NULL);
  ank_error_set_setting(err, setting);
  return ANORANK_ERROR_USAGE;
}

void ank_context_rows_free(ank_context_rows *rows) {
  ank_free(rows->order);
  ank_free(rows->time);
  *rows = (ank_context_rows){0};
}

/* 1949-01 as its first moment. Elsewhere such cells are categories, since they may be any code. */
static int parse_month(double *seconds, const char *text) {
  int digit[7];
  if (strlen(text) != 7 || text[4] != '-') return 0;
  for (size_t i = 0; i < 7; i++) {
    digit[i] = text[i] - '0';
    if (i != 4 && (digit[i] < 0 || digit[i] > 9)) return 0;
  }
  int year = digit[0] * 1000 + digit[1] * 100 + digit[2] * 10 + digit[3], month = digit[5] * 10 + digit[6];
  if (month < 1 || month > 12) return 0;
  *seconds = (double)ank_days_from_civil(year, month, 1) * 86400.0;
  return 1;
}

int ank_context_has_months(const ank_column *column) {
  double seconds;
  size_t k = 0;
  while (k < column->levels.count && parse_month(&seconds, column->levels.text[k])) k++;
  return column->kind == ANORANK_CATEGORICAL && k > 0 && k == column->levels.count;
}

/* A row without a time takes that of the row before it; `before`: that of the row before the table, NaN: there is none. */
static anorank_status read_times(ank_context_rows *rows, const ank_column *column, double before,
                                 const anorank_table *table, size_t first, anorank_error *err) {
  double *out = rows->time;
  char quoted[ANK_QUOTE_SIZE];
  const char *name = ank_quote(quoted, column->name, strlen(column->name));
  int months = ank_context_has_months(column);
  if (column->kind == ANORANK_CATEGORICAL && !months && table->rows > 0)
    return ank_fail(
        err, ANORANK_ERROR_USAGE, "column-not-time",
        "time is '%s', a column without dates, times or numbers; write its cells like 2025-12-31 23:59",
        name);
  for (size_t i = 0; i < table->rows; i++) {
    out[i] = months ? NAN : column->numbers[i];
    if (months && column->codes[i] >= 0) (void)parse_month(&out[i], column->levels.text[column->codes[i]]);
    if (isfinite(out[i])) continue;
    out[i] = i > 0 ? out[i - 1] : before;
    rows->untimed++;
    if (isfinite(out[i])) continue;
    (void)ank_fail(err, ANORANK_ERROR_DATA, "time-missing",
                   "%s: row %zu has no value in the time column '%s'; fill it in or drop the row",
                   table->source ? table->source : "the table", first + i + 1, name);
    ank_place_row(err, table->source, first + i, column->name);
    return ANORANK_ERROR_DATA;
  }
  return ANORANK_OK;
}

anorank_status ank_context_rows_make(ank_context_rows *out, const ank_context *context,
                                     const anorank_table *table, size_t first, double before,
                                     anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = table->rows, j = ank_table_find(table, context->time, strlen(context->time));
  *out = (ank_context_rows){.rows = n};
  ANK_TRY(ank_alloc_raw(&out->order, n, sizeof *out->order, err));
  for (size_t i = 0; i < n; i++) out->order[i] = (uint32_t)i;
  if (!*context->time) goto done;
  if (j == SIZE_MAX) {
    status = unknown_column(table, "time", context->time, strlen(context->time), err);
    goto done;
  }
  ANK_TRY(ank_alloc_raw(&out->time, n, sizeof *out->time, err));
  ANK_TRY(read_times(out, &table->column[j], before, table, first, err));
done:
  if (status != ANORANK_OK) ank_context_rows_free(out);
  return status;
}

anorank_status ank_context_rows_sort(ank_context_rows *rows, anorank_error *err) {
  return rows->time ? ank_argsort(rows->order, rows->time, rows->rows, NULL, err) : ANORANK_OK;
}

/* ---- entities ---------------------------------------------------------------------------------------- */

enum { MOST_JOINED = 8 };

/* The columns of "a+b". */
static anorank_status find_columns(const ank_column **out, size_t *count, const char *by,
                                   const anorank_table *table, anorank_error *err) {
  *count = 0;
  size_t whole = ank_table_find(table, by, strlen(by));
  if (whole != SIZE_MAX) {
    out[(*count)++] = &table->column[whole];
    return ANORANK_OK;
  }
  for (const char *at = by; *at;) {
    size_t length = strcspn(at, "+"), j = ank_table_find(table, at, length);
    if (j == SIZE_MAX || *count == MOST_JOINED) return unknown_column(table, "by", at, length, err);
    out[(*count)++] = &table->column[j];
    at += length + (at[length] == '+');
  }
  return ANORANK_OK;
}

static size_t put_cell(char *text, size_t size, const ank_column *column, size_t row) {
  if (column->kind == ANORANK_CATEGORICAL) {
    int32_t code = column->codes[row];
    return (size_t)snprintf(text, size, "%s", code < 0 ? "" : column->levels.text[code]);
  }
  if (isnan(column->numbers[row])) return (size_t)snprintf(text, size, "%s", "");
  return (size_t)ank_print(text, size, "%.17g", column->numbers[row]);
}

void ank_row_entities_free(ank_row_entities *entities) {
  ank_free(entities->of);
  ank_free(entities->name);
  ank_levels_free(&entities->joined);
  *entities = (ank_row_entities){0};
}

/* One column of texts: its codes, in the order of first appearance. */
static anorank_status take_codes(ank_row_entities *out, const ank_column *column, size_t rows,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t levels = column->levels.count;
  uint32_t *number = NULL;
  ANK_TRY(ank_alloc_raw(&number, levels + 1, sizeof *number, err));
  ANK_TRY(ank_alloc_raw(&out->name, levels + 1, sizeof *out->name, err));
  for (size_t k = 0; k <= levels; k++) number[k] = ANK_NO_ENTITY;
  for (size_t i = 0; i < rows; i++) {
    int32_t code = column->codes[i];
    uint32_t *own = &number[code + 1];
    if (*own == ANK_NO_ENTITY) {
      *own = (uint32_t)out->count;
      out->name[out->count++] = code < 0 ? "" : column->levels.text[code];
    }
    out->of[i] = *own;
  }
done:
  ank_free(number);
  return status;
}

/* The cells of a row that name its entity. */
static size_t put_entity(char *text, size_t size, const ank_column *const *column, size_t count, size_t row) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t k = 0; k < count; k++) {
    if (k > 0 && used + 1 < size) text[used++] = '+';
    used += put_cell(text + used, size - used, column[k], row);
    if (used >= size) used = size - 1;
  }
  return used;
}

anorank_status ank_context_entity_text(char *text, size_t size, const ank_context *context, uint32_t entity,
                                       const anorank_table *table, size_t row, anorank_error *err) {
  const ank_key *key = &context->key[0];
  const ank_column *column[MOST_JOINED];
  size_t count = 0;
  if (entity < key->names.count) {
    snprintf(text, size, "%s", ank_entity_name(&key->names, entity));
    return ANORANK_OK;
  }
  ANK_CHECK(find_columns(column, &count, key->by, table, err));
  (void)put_entity(text, size, column, count, row);
  return ANORANK_OK;
}

static anorank_status join_cells(ank_row_entities *out, const ank_column *const *column, size_t count,
                                 size_t rows, anorank_error *err) {
  char text[1024];
  int32_t code;
  for (size_t i = 0; i < rows; i++) {
    size_t used = put_entity(text, sizeof text, column, count, i);
    ANK_CHECK(ank_levels_code(&code, &out->joined, text, used, err));
    out->of[i] = (uint32_t)code;
  }
  out->count = out->joined.count;
  ANK_CHECK(ank_alloc_raw(&out->name, out->count, sizeof *out->name, err));
  for (size_t e = 0; e < out->count; e++) out->name[e] = out->joined.text[e];
  return ANORANK_OK;
}

anorank_status ank_row_entities_make(ank_row_entities *out, const char *by, const anorank_table *table,
                                     anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_column *column[MOST_JOINED];
  size_t count = 0;
  *out = (ank_row_entities){0};
  ANK_TRY(find_columns(column, &count, by, table, err));
  ANK_TRY(ank_alloc_raw(&out->of, table->rows, sizeof *out->of, err));
  if (count == 1 && column[0]->kind == ANORANK_CATEGORICAL)
    ANK_TRY(take_codes(out, column[0], table->rows, err));
  else
    ANK_TRY(join_cells(out, column, count, table->rows, err));
done:
  if (status != ANORANK_OK) ank_row_entities_free(out);
  return status;
}

/* FNV-1a: the same on every machine and in every process. */
static uint64_t stable_hash(const char *text) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001B3u;
  return hash ^ hash >> 32;
}

anorank_status ank_context_shards(uint32_t *out, const ank_context *context, const anorank_table *table,
                                  size_t first, size_t shards, anorank_error *err) {
  ank_row_entities entities;
  if (!*context->key[0].by) {
    for (size_t i = 0; i < table->rows; i++) out[i] = (uint32_t)((first + i) % shards);
    return ANORANK_OK;
  }
  ANK_CHECK(ank_row_entities_make(&entities, context->key[0].by, table, err));
  for (size_t i = 0; i < table->rows; i++)
    out[i] = (uint32_t)(stable_hash(entities.name[entities.of[i]]) % shards);
  ank_row_entities_free(&entities);
  return ANORANK_OK;
}
