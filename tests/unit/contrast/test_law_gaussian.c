/* test_law_gaussian.c - N(0, sigma^2 I). */
#include "contrast/law.h"
#include "support/check.h"
#include "support/laws.h"

static double normal_law(double x, const void *sigma) { return normal_cdf(x / *(const double *)sigma); }

static anorank_settings settings_of(int64_t rows, int64_t dim, double sigma) {
  anorank_settings settings = test_settings();
  strcpy(settings.law, "gaussian");
  settings.rows = rows;
  settings.dim = dim;
  settings.sigma = sigma;
  settings.seed = 5;
  return settings;
}

TEST(columns_are_normal_with_the_requested_deviation) {
  double sigma = sqrt(0.1);
  anorank_settings settings = settings_of(50000, 3, sigma);
  scoped_table *table;
  assert_ok(anorank_simulate(&table, NULL, &settings, NULL));
  assert_int_equal(table->rows, 50000);
  assert_int_equal(table->columns, 3);
  for (size_t j = 0; j < 3; j++) assert_fits(table->column[j].numbers, table->rows, normal_law, &sigma);
}

TEST(columns_are_uncorrelated) {
  anorank_settings settings = settings_of(50000, 3, 1);
  scoped_table *table;
  assert_ok(anorank_simulate(&table, NULL, &settings, NULL));
  for (size_t j = 0; j < 3; j++)
    for (size_t k = 0; k < 3; k++) {
      double sum = 0;
      for (size_t i = 0; i < table->rows; i++)
        sum += table->column[j].numbers[i] * table->column[k].numbers[i];
      /* standard error: 1 / sqrt(n) = 0.0045, and 0.0063 on the diagonal */
      assert_close(sum / 50000, j == k, j == k ? 0.022 : 0.016);
    }
}

TEST(columns_are_named_x1_x2) {
  anorank_settings settings = settings_of(2, 2, 1);
  scoped_table *table;
  assert_ok(anorank_simulate(&table, NULL, &settings, NULL));
  assert_string_equal(table->column[0].name, "x1");
  assert_string_equal(table->column[1].name, "x2");
}

TEST(sigma_zero_gives_zeros) {
  anorank_settings settings = settings_of(100, 2, 0);
  scoped_table *table;
  assert_ok(anorank_simulate(&table, NULL, &settings, NULL));
  for (size_t i = 0; i < 100; i++) assert_true(table->column[0].numbers[i] == 0);
}
