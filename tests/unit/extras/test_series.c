/* The examples "fleet" and "kpi": rows are addressed by number, and normal rows do not depend on the planted share. */
#include "support/check.h"

#include "anorank/extras.h"

static anorank_table *make(const char *name, int64_t first, int64_t rows, double share) {
  anorank_settings settings;
  anorank_table *table = NULL;
  ank_settings_default(&settings);
  settings.rows = rows;
  settings.first_row = first;
  settings.anomalies = share;
  assert_ok(anorank_example_make(&table, name, &settings, NULL));
  return table;
}

static void check(const char *name) {
  scoped_table *all = make(name, 0, 12000, 0.02), *part = make(name, 5000, 1000, 0.02),
               *clean = make(name, 0, 12000, 0);
  size_t columns = anorank_table_columns(all), planted = 0, moved = 0;
  const double *label = anorank_table_numbers(all, columns - 1);
  for (size_t i = 0; i < 12000; i++) planted += label[i] == 1;
  assert_in_range(planted, 120, 480); /* 240 expected, in about ten incidents */
  for (size_t j = 0; j < columns; j++) {
    if (anorank_table_kind(all, j) != ANORANK_NUMERIC) continue;
    const double *whole = anorank_table_numbers(all, j), *some = anorank_table_numbers(part, j),
                 *normal = anorank_table_numbers(clean, j);
    for (size_t i = 0; i < 1000; i++) assert_true(whole[5000 + i] == some[i]);
    for (size_t i = 0; i < 12000; i++) {
      if (label[i] == 0) assert_true(whole[i] == normal[i]);
      moved += j + 1 < columns && label[i] == 1 && whole[i] != normal[i];
    }
  }
  assert_true(10 * moved > 9 * planted); /* an incident shows in a column */
}

TEST(fleet_rows_are_addressed_by_number) { check("fleet"); }
TEST(kpi_rows_are_addressed_by_number) { check("kpi"); }
