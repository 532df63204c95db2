/* fuzz_table.h - what must hold after reading any bytes, shared by the fuzzers of the readers. */
#ifndef FUZZ_TABLE_H
#define FUZZ_TABLE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anorank/anorank.h"
#include "table/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says what broke, then stops so that the fuzzer keeps the input. */
#define MUST(condition)                                                                                      \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      fprintf(stderr, "%s:%d: violated: %s\n", __FILE__, __LINE__, #condition);                              \
      abort();                                                                                               \
    }                                                                                                        \
  } while (0)

static inline void check_column(const anorank_table *table, size_t column) {
  size_t rows = anorank_table_rows(table);
  const char *name = anorank_table_name(table, column);
  MUST(name && name[0]);
  MUST(anorank_table_find(table, name) == column); /* so the names are unique */
  const int32_t *codes = anorank_table_codes(table, column);
  const double *numbers = anorank_table_numbers(table, column);
  if (anorank_table_kind(table, column) != ANORANK_CATEGORICAL) {
    double sum = 0; /* touch every cell: the sanitizer must have nothing to say */
    MUST(!codes && (numbers || rows == 0));
    for (size_t i = 0; i < rows; i++) sum += numbers[i];
    MUST(sum == sum || isnan(sum));
    return;
  }
  size_t levels = anorank_table_levels(table, column);
  MUST(!numbers && (codes || rows == 0));
  for (size_t i = 0; i < rows; i++) MUST(codes[i] >= -1 && codes[i] < (int64_t)levels);
  for (size_t k = 0; k < levels; k++) MUST(anorank_table_level(table, column, k) != NULL);
}

static inline void check_table(const anorank_table *table) {
  size_t columns = anorank_table_columns(table);
  MUST(columns > 0 && columns <= ANORANK_MAX_COLUMNS);
  for (size_t j = 0; j < columns && j < 64; j++) check_column(table, j);
}

static inline void check_status(anorank_status status, const anorank_error *err) {
  if (status == ANORANK_OK) return;
  MUST(status >= ANORANK_ERROR_USAGE && status <= ANORANK_ERROR_RESOURCES);
  size_t length = strnlen(err->message, sizeof err->message);
  MUST(length > 0 && length < sizeof err->message);
  MUST(err->message[length - 1] != '\n');
}

static inline void check_same_cell(const anorank_table *whole, size_t row, const anorank_table *block,
                                   size_t i, size_t j) {
  if (anorank_table_kind(whole, j) != ANORANK_CATEGORICAL) {
    double a = anorank_table_numbers(whole, j)[row], b = anorank_table_numbers(block, j)[i];
    MUST((isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0);
  } else {
    MUST(anorank_table_codes(whole, j)[row] == anorank_table_codes(block, j)[i]);
  }
}

/* The same bytes in blocks of three rows: the same cells and the same end. */
static inline void check_blocks(const uint8_t *data, size_t size, anorank_settings settings,
                                const anorank_table *whole) {
  anorank_error err = {0};
  ank_source *source;
  anorank_reader *reader;
  const anorank_table *block;
  size_t row = 0;
  settings.block_rows = 3;
  anorank_status status = ank_source_from_memory(&source, data, size, "fuzz", &err);
  check_status(status, &err);
  if (status == ANORANK_OK) status = ank_reader_open(&reader, source, &settings, &err);
  check_status(status, &err);
  if (status != ANORANK_OK) {
    MUST(!whole);
    return;
  }
  check_table(anorank_reader_schema(reader));
  for (;;) {
    status = anorank_reader_next(reader, &block, &err);
    check_status(status, &err);
    if (status != ANORANK_OK || !block) break;
    MUST(anorank_table_rows(block) > 0 && anorank_table_rows(block) <= 3);
    check_table(block);
    if (whole) {
      MUST(row + anorank_table_rows(block) <= anorank_table_rows(whole));
      MUST(anorank_table_columns(whole) == anorank_table_columns(block));
      for (size_t i = 0; i < anorank_table_rows(block); i++)
        for (size_t j = 0; j < anorank_table_columns(block); j++)
          check_same_cell(whole, row + i, block, i, j);
    }
    row += anorank_table_rows(block);
  }
  if (whole) MUST(status == ANORANK_OK && row == anorank_table_rows(whole));
  /* A whole read also fails without rows or memory, for no other reason. */
  if (!whole && status == ANORANK_OK) MUST(row == 0 || size > 1024);
  anorank_reader_free(reader);
}

static inline void check_format(const uint8_t *data, size_t size, const anorank_settings *settings) {
  anorank_error err = {0};
  anorank_table *table;
  anorank_status status = anorank_table_read(&table, ANORANK_FROM_MEMORY(data, size, "fuzz"), settings, &err);
  check_status(status, &err);
  MUST((status == ANORANK_OK) == (table != NULL));
  if (table) {
    MUST(anorank_table_rows(table) > 0);
    MUST(ank_table_bytes(table) <= (size_t)settings->max_memory);
    check_table(table);
  }
  check_blocks(data, size, *settings, table);
  anorank_table_free(table);
}

static inline anorank_settings fuzz_settings_for(int32_t format) {
  anorank_settings settings;
  ank_settings_default(&settings);
  settings.format = (int32_t)format;
  settings.max_memory = (int64_t)64 << 20;
  settings.threads = 1;
  return settings;
}

#endif
