/* context_rows.c - whose rows they are, and in which order. */
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
  (void)ank_fail(err, ANORANK_ERROR_USAGE, "column-unknown", "%s names '%s', but %s has no such column",
                 setting, ank_quote(quoted, name, length), table->source ? table->source : "the table");
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

static anorank_status read_times(double *out, const ank_column *column, const anorank_table *table,
                                 anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  const char *name = ank_quote(quoted, column->name, strlen(column->name));
  int months = ank_context_has_months(column);
  if (column->kind == ANORANK_CATEGORICAL && !months && table->rows > 0)
    return ank_fail(err, ANORANK_ERROR_USAGE, "column-not-time",
                    "time names '%s', but its cells are not read as dates, times or numbers; write them as "
                    "2025-12-31 23:59",
                    name);
  for (size_t i = 0; i < table->rows; i++) {
    out[i] = months ? NAN : column->numbers[i];
    if (months && column->codes[i] >= 0) (void)parse_month(&out[i], column->levels.text[column->codes[i]]);
    if (isfinite(out[i])) continue;
    (void)ank_fail(err, ANORANK_ERROR_DATA, "time-missing",
                   "%s: row %zu has no value in '%s', which says when rows happened; fill it in or leave the "
                   "row out",
                   table->source ? table->source : "the table", i + 1, name);
    ank_place_row(err, table->source, i, column->name);
    return ANORANK_ERROR_DATA;
  }
  return ANORANK_OK;
}

anorank_status ank_context_rows_make(ank_context_rows *out, const ank_context *context,
                                     const anorank_table *table, anorank_error *err) {
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
  ANK_TRY(read_times(out->time, &table->column[j], table, err));
  ANK_TRY(ank_argsort(out->order, out->time, n, NULL, err));
done:
  if (status != ANORANK_OK) ank_context_rows_free(out);
  return status;
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
  if (column->kind != ANORANK_CATEGORICAL)
    return (size_t)ank_print(text, size, "%.17g", column->numbers[row]);
  int32_t code = column->codes[row];
  return (size_t)snprintf(text, size, "%s", code < 0 ? "" : column->levels.text[code]);
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
    snprintf(text, size, "%s", key->names.text[entity]);
    return ANORANK_OK;
  }
  ANK_CHECK(find_columns(column, &count, key->by, table, err));
  (void)put_entity(text, size, column, count, row);
  return ANORANK_OK;
}

anorank_status ank_context_entities_of(uint32_t *out, ank_key *key, size_t columns,
                                       const anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_column *column[MOST_JOINED];
  size_t count = 0;
  int32_t code = 0, *known = NULL;
  char text[1024];
  ANK_TRY(find_columns(column, &count, key->by, table, err));
  if (count == 1 && column[0]->kind == ANORANK_CATEGORICAL) { /* each level is looked up once */
    const ank_levels *levels = &column[0]->levels;
    ANK_TRY(ank_alloc_raw(&known, levels->count + 1, sizeof *known, err));
    for (size_t k = 0; k <= levels->count; k++) known[k] = -1;
  }
  for (size_t i = 0; i < table->rows; i++) {
    size_t place = known ? (size_t)(column[0]->codes[i] + 1) : 0;
    if (!known || known[place] < 0) {
      size_t used = put_entity(text, sizeof text, column, count, i);
      ANK_TRY(ank_levels_code(&code, &key->names, text, used, err));
      if (known) known[place] = code;
    }
    out[i] = (uint32_t)(known ? known[place] : code);
  }
  ANK_TRY(ank_key_reserve(key, columns, err));
done:
  ank_free(known);
  return status;
}
