/* tables.h - small tables and settings for the tests of laws. */
#ifndef TEST_SUPPORT_TABLES_H
#define TEST_SUPPORT_TABLES_H

#include "support/check.h"
#include "table/table.h"

static inline anorank_settings law_settings(const char *law, int64_t rows) {
  anorank_settings settings = test_settings();
  snprintf(settings.law, sizeof settings.law, "%s", law);
  settings.rows = rows;
  settings.seed = 11;
  return settings;
}

/* Cells row by row; columns are named x1, x2, ... Where levels[j] is above 0, column j is a category with the
 * levels a, b, ... and its cells are codes. NaN is a missing cell. `levels` may be NULL. */
static inline anorank_table *table_of(const double *cells, size_t rows, size_t columns,
                                      const size_t *levels) {
  anorank_table *table;
  assert_ok(ank_table_new(&table, columns, NULL));
  for (size_t j = 0; j < columns; j++) {
    assert_ok(ank_table_set_name(table, j, "", 0, NULL));
    if (!levels || levels[j] == 0) continue;
    ank_table_set_kind(table, j, ANORANK_CATEGORICAL);
    for (size_t k = 0; k < levels[j]; k++) {
      char letter = (char)('a' + k);
      int32_t code;
      assert_ok(ank_levels_code(&code, &table->column[j].levels, &letter, 1, NULL));
    }
  }
  assert_ok(ank_table_reserve(table, rows, NULL));
  for (size_t k = 0; k < rows * columns; k++) {
    ank_column *column = &table->column[k % columns];
    if (column->kind != ANORANK_CATEGORICAL)
      column->numbers[k / columns] = cells[k];
    else
      column->codes[k / columns] = isnan(cells[k]) ? -1 : (int32_t)cells[k];
  }
  table->rows = rows;
  return table;
}

/* The draw is refused with this status and with this code and these fields (check.h). */
#define assert_refused(data, settings, status, words)                                                        \
  check_refused((data), (settings), (status), (words), __FILE__, __LINE__)

static inline void check_refused(const anorank_table *data, const anorank_settings *settings,
                                 anorank_status status, const char *words, const char *file, int line) {
  anorank_error err = {0};
  anorank_table *out = (anorank_table *)&err;
  check_status(anorank_simulate(&out, data, settings, &err), status, "anorank_simulate", file, line);
  assert_null(out);
  check_error(&err, words, file, line);
}

/* Uniform on [ends[0], ends[1]], for assert_fits. */
static inline double uniform_law(double x, const void *context) {
  const double *ends = context;
  return x < ends[0] ? 0 : x > ends[1] ? 1 : (x - ends[0]) / (ends[1] - ends[0]);
}

#endif
