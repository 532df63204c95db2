/* test_law_pca_box.c - uniform in the box along the principal axes. */
#include "contrast/law.h"
#include "core/rng.h"
#include "support/laws.h"
#include "support/tables.h"

/* Corners of the rectangle |p| <= 3, |q| <= 1 with p along (1, 1), q along (1, -1), around (10, -20); `unit`
 * multiplies the first column. Both columns have the same deviation, so the axes are p and q. */
static void put_rectangle(double *cells, double unit) {
  for (size_t i = 0; i < 4; i++) {
    double p = i & 1 ? 3 : -3, q = i & 2 ? 1 : -1;
    cells[2 * i] = (10 + (p + q) / M_SQRT2) * unit;
    cells[2 * i + 1] = -20 + (p - q) / M_SQRT2;
  }
}

static void rows_are_uniform_in_the_tilted_box(void **state) {
  (void)state;
  enum { N = 30000 };
  static double p[N], q[N];
  static const double pads[] = {0, 0.5};
  double cells[8], product = 0;
  put_rectangle(cells, 1);
  anorank_table *out, *data = table_of(cells, 4, 2, NULL);
  for (size_t k = 0; k < 2; k++) {
    anorank_settings settings = law_settings("pca_box", N);
    double grow = 1 + 2 * pads[k];
    settings.pad = pads[k];
    assert_ok(anorank_simulate(&out, data, &settings, NULL));
    for (size_t i = 0; i < N; i++) {
      double x = out->column[0].numbers[i] - 10, y = out->column[1].numbers[i] + 20;
      p[i] = (x + y) / M_SQRT2;
      q[i] = (x - y) / M_SQRT2;
      product += p[i] * q[i] / grow / grow / N;
    }
    assert_close(product, 0, 3.3 * (3 / sqrt(3)) * (1 / sqrt(3)) / sqrt(N) * (double)(k + 1));
    assert_fits(p, N, uniform_law, ((double[]){-3 * grow, 3 * grow}));
    assert_fits(q, N, uniform_law, ((double[]){-grow, grow}));
    assert_true(p[0] >= -3 * grow - 1e-9 && p[N - 1] <= 3 * grow + 1e-9);
    ank_table_free(out);
  }
  ank_table_free(data);
}

static void the_unit_of_a_column_changes_nothing_but_the_unit(void **state) {
  (void)state;
  double cells[8], units[] = {1e-200, 1e9, 1e200};
  anorank_settings settings = law_settings("pca_box", 200);
  anorank_table *plain, *scaled;
  put_rectangle(cells, 1);
  anorank_table *data = table_of(cells, 4, 2, NULL);
  assert_ok(anorank_simulate(&plain, data, &settings, NULL));
  ank_table_free(data);
  for (size_t k = 0; k < 3; k++) {
    put_rectangle(cells, units[k]);
    data = table_of(cells, 4, 2, NULL);
    assert_ok(anorank_simulate(&scaled, data, &settings, NULL));
    for (size_t i = 0; i < 200; i++) {
      assert_close(scaled->column[0].numbers[i] / units[k], plain->column[0].numbers[i], 1e-11);
      assert_close(scaled->column[1].numbers[i], plain->column[1].numbers[i], 1e-11);
    }
    ank_table_free(scaled);
    ank_table_free(data);
  }
  ank_table_free(plain);
}

/* By counting points of a fine grid: 12 units of area at density 1 / 12. */
static void log_density_integrates_to_one(void **state) {
  (void)state;
  enum { SIDE = 300 };
  static double grid[2 * SIDE * SIDE], density[SIDE * SIDE];
  double cells[8], h = 7.3 / SIDE, sum = 0;
  anorank_settings settings = law_settings("pca_box", 10);
  void *law;
  put_rectangle(cells, 1);
  for (size_t i = 0; i < SIDE * SIDE; i++) {
    grid[2 * i] = 6.31 + h * ((double)(i % SIDE) + 0.5);
    grid[2 * i + 1] = -23.65 + 0.987 * h * ((double)(i / SIDE) + 0.5);
  }
  anorank_table *data = table_of(cells, 4, 2, NULL), *rows = table_of(grid, SIDE * SIDE, 2, NULL);
  assert_ok(ank_law_pca_box.open(&law, data, &settings, NULL));
  ank_law_pca_box.log_density(law, rows, 0, SIDE * SIDE, density);
  for (size_t i = 0; i < SIDE * SIDE; i++) {
    assert_true(density[i] == -INFINITY || fabs(density[i] + log(12)) < 1e-13);
    sum += exp(density[i]) * h * 0.987 * h; /* no side of the box lies along the grid */
  }
  assert_close(sum, 1, 0.005);
  ank_law_pca_box.log_density(law, data, 1, 2, density);
  assert_close(density[0], -log(12), 1e-13); /* corners are inside */
  ank_law_pca_box.free(law);
  ank_table_free(rows);
  ank_table_free(data);
}

static void constants_gaps_and_categories_keep_to_their_rules(void **state) {
  (void)state;
  enum { N = 6000 };
  static const double cells[] = {0, 0.1, 0, 4, 0.1, 1, NAN, 0.1, NAN, 1, NAN, 2, 3, 0.1, 2};
  anorank_settings settings = law_settings("pca_box", N);
  anorank_table *out, *data = table_of(cells, 5, 3, (size_t[]){0, 0, 3});
  size_t counts[3] = {0};
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < N; i++) {
    assert_true(out->column[1].numbers[i] == 0.1);
    counts[out->column[2].codes[i]]++;
  }
  assert_counts_fit(counts, ((double[]){1.0 / 3, 1.0 / 3, 1.0 / 3}), 3);
  assert_fits(out->column[0].numbers, N, uniform_law, ((double[]){0, 4}));
  ank_table_free(out);
  ank_table_free(data);
}

static void data_on_a_line_stay_on_it_and_have_its_length_as_volume(void **state) {
  (void)state;
  static const double cells[] = {0, 1, 2, 5, 1, 3, 0.5, 2};
  static const double outside[] = {0, 1.001, 3, 7, NAN, 1, 2, INFINITY};
  enum { N = 5000 };
  static double density[N];
  anorank_settings settings = law_settings("pca_box", N);
  anorank_table *out, *data = table_of(cells, 4, 2, NULL), *others = table_of(outside, 4, 2, NULL);
  void *law;
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  assert_ok(ank_law_pca_box.open(&law, data, &settings, NULL));
  assert_int_equal(ank_law_pca_box.spreads(law, 0), ANK_SPREADS_BOUND);
  ank_law_pca_box.log_density(law, out, 0, N, density);
  for (size_t i = 0; i < N; i++) {
    assert_close(out->column[1].numbers[i], 2 * out->column[0].numbers[i] + 1, 1e-12);
    assert_close(density[i], -log(2 * sqrt(5)), 1e-12);
  }
  assert_fits(out->column[0].numbers, N, uniform_law, ((double[]){0, 2}));
  ank_law_pca_box.log_density(law, others, 0, 4, density);
  for (size_t i = 0; i < 4; i++) assert_true(density[i] == -INFINITY);
  ank_law_pca_box.free(law);
  ank_table_free(others);
  ank_table_free(out);
  ank_table_free(data);
}

static void more_columns_than_rows_are_drawn_from_the_plane_of_the_rows(void **state) {
  (void)state;
  enum { ROWS = 20, DIM = 50, N = 300 };
  static double cells[ROWS * DIM], density[N];
  ank_rng rng;
  void *law;
  ank_rng_open(&rng, 1, 77, 0);
  for (size_t k = 0; k < ROWS * DIM; k++) cells[k] = 1000 + ank_rng_normal(&rng);
  anorank_settings settings = law_settings("pca_box", N);
  anorank_table *out, *data = table_of(cells, ROWS, DIM, NULL);
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  assert_ok(ank_law_pca_box.open(&law, data, &settings, NULL));
  ank_law_pca_box.log_density(law, out, 0, N, density);
  /* 19 axes, each a few units long: not 50, of which 31 would be as thin as a rounding error */
  for (size_t i = 0; i < N; i++) assert_true(density[i] > -100 && density[i] < 0 && density[i] == density[0]);
  ank_law_pca_box.log_density(law, data, 0, ROWS, density);
  for (size_t i = 0; i < ROWS; i++) assert_true(isfinite(density[i]));
  ank_law_pca_box.free(law);
  ank_table_free(out);
  ank_table_free(data);
}

static void data_without_axes_are_refused(void **state) {
  (void)state;
  static double wide[2 * 1025];
  anorank_settings settings = law_settings("pca_box", 10);
  anorank_table *data = table_of((double[]){1, NAN, 2, NAN}, 2, 2, NULL);
  assert_refused(data, &settings, ANORANK_ERROR_DATA, "'x2' has no value");
  ank_table_free(data);
  data = table_of((double[]){1, 3, 2, -INFINITY}, 2, 2, NULL);
  assert_refused(data, &settings, ANORANK_ERROR_DATA, "'x2' is infinite in row 2");
  ank_table_free(data);
  data = table_of((double[]){-1.7e308, 1.7e308}, 2, 1, NULL);
  settings.pad = 0.2;
  assert_refused(data, &settings, ANORANK_ERROR_DATA, "too wide");
  ank_table_free(data);
  for (size_t k = 0; k < 1025; k++) wide[k] = 1;
  data = table_of(wide, 2, 1025, NULL);
  assert_refused(data, &settings, ANORANK_ERROR_DATA, "at most 1024 numeric columns");
  ank_table_free(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_uniform_in_the_tilted_box),
      cmocka_unit_test(the_unit_of_a_column_changes_nothing_but_the_unit),
      cmocka_unit_test(log_density_integrates_to_one),
      cmocka_unit_test(constants_gaps_and_categories_keep_to_their_rules),
      cmocka_unit_test(data_on_a_line_stay_on_it_and_have_its_length_as_volume),
      cmocka_unit_test(more_columns_than_rows_are_drawn_from_the_plane_of_the_rows),
      cmocka_unit_test(data_without_axes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
