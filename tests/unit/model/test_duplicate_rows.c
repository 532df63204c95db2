/* Duplicate rows: which columns are compared, and what that costs. */
#include "support/check.h"

#include <stdlib.h>
#include <time.h>

#include "core/rng.h"
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

enum { CODED = 600, REPEATED = 300 };

/* Mean p-value of normal rows with code 40, by a model of CODED rows of which one has that code, and REPEATED more: copies of
 * that row, or separate rows. */
static double p_of_rare_code(int copies) {
  double data[(CODED + REPEATED) * 3], test[20 * 3], scores[20], p[20], mean = 0;
  anorank_table *table, *rows;
  anorank_model *model;
  anorank_settings settings = test_settings();
  ank_rng rng;
  settings.train = ANORANK_TRAIN_CLEAN;
  ank_rng_open(&rng, 1, 77, 0);
  for (size_t i = 0; i < CODED + REPEATED; i++) {
    data[3 * i] = i == 100 || i >= CODED ? 40 : 3 * (double)ank_rng_below(&rng, 10);
    for (size_t j = 1; j < 3; j++)
      data[3 * i + j] = i >= CODED && copies ? data[3 * 100 + j] : ank_rng_normal(&rng);
  }
  for (size_t k = 0; k < 20 * 3; k++) test[k] = k % 3 == 0 ? 40 : 0.7 * ank_rng_normal(&rng);
  assert_ok(anorank_table_from_matrix(&table, data, CODED + REPEATED, 3, 3, 1, NULL, NULL));
  assert_ok(anorank_table_from_matrix(&rows, test, 20, 3, 3, 1, NULL, NULL));
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  assert_ok(anorank_model_score(model, rows, scores, p, &settings, NULL));
  for (size_t i = 0; i < 20; i++) mean += p[i] / 20;
  anorank_model_free(model);
  anorank_table_free(rows);
  anorank_table_free(table);
  return mean;
}

TEST(copies_of_a_row_with_a_rare_code_do_not_make_the_code_common) {
  assert_true(p_of_rare_code(1) < 0.02);
  assert_true(p_of_rare_code(0) > 0.2);
}
