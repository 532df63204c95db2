/* Duplicate rows: which columns are compared, and what that costs. */
#include "support/check.h"

#include <stdlib.h>
#include <time.h>

#include "model/duplicate_rows.h"
#include "table/table.h"

static size_t copies_of(const double *data, size_t rows, size_t columns) {
  anorank_table *table;
  ank_duplicates found;
  anorank_settings settings = *ank_settings_defaults();
  assert_ok(anorank_table_from_matrix(&table, data, rows, columns, columns, 1, NULL, NULL));
  assert_ok(ank_duplicates_find(&found, table, &settings, NULL));
  size_t copies = found.copies;
  ank_duplicates_free(&found);
  anorank_table_free(table);
  return copies;
}

/* A number of the row, and numbers that a second half repeats. */
TEST(a_column_that_names_rows_is_not_compared_however_late_it_repeats) {
  enum { ROWS = 200, COLUMNS = 4 };
  double data[ROWS * COLUMNS];
  for (size_t i = 0; i < ROWS; i++) {
    double x = (double)(i % (ROWS / 2)) * 0.7310585 + 0.25;
    data[COLUMNS * i] = (double)(i + 1);
    for (size_t j = 1; j < COLUMNS; j++) data[COLUMNS * i + j] = sin(x * (double)j) * 100;
  }
  assert_int_equal(copies_of(data, ROWS, COLUMNS), ROWS / 2);
  data[COLUMNS * (ROWS - 1)] = 1; /* now it repeats a value, so it is a quantity, and no two rows are equal */
  assert_int_equal(copies_of(data, ROWS, COLUMNS), 0);
}

/* Processor time, with many times as much as it takes. */
TEST(wide_tables_of_whole_numbers_cost_no_more_than_their_cells) {
  enum { ROWS = 400, COLUMNS = 8000 };
  double *data = malloc((size_t)ROWS * COLUMNS * sizeof *data);
  assert_non_null(data);
  for (size_t i = 0; i < ROWS; i++)
    for (size_t j = 0; j < COLUMNS; j++) data[i * COLUMNS + j] = (double)((i * i + 7 * j + i * j) % 101);
  clock_t before = clock();
  (void)copies_of(data, ROWS, COLUMNS);
  double spent = (double)(clock() - before) / CLOCKS_PER_SEC;
  print_message("%.2f s\n", spent);
  assert_true(spent < 3);
  free(data);
}
