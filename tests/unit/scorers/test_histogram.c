/* histogram: against counts by hand and a loop over all rows. */
#include "support/scorers.h"

SCORER_UNDER_TEST(ank_scorer_histogram)

static anorank_settings with_bins(int64_t bins) {
  anorank_settings settings = test_settings();
  settings.bins = bins;
  return settings;
}

TEST(few_values_have_their_frequencies) {
  anorank_settings settings = with_bins(3);
  double x[] = {1, 1, 1, 4, 9, 1}, rows[] = {1, 4, 9, 2, 0, 10}, scores[6];
  /* total 6 + (3 + 1) / 2 = 8 */
  scoped_scorer *scorer = test_fit(type, x, 6, 1, &settings);
  test_score(scores, type, scorer, rows, 6, 1);
  assert_close(scores[0], log(4.5 / 8), 1e-15);
  assert_close(scores[1], log(1.5 / 8), 1e-15);
  assert_close(scores[2], log(1.5 / 8), 1e-15);
  for (size_t i = 3; i < 6; i++) assert_close(scores[i], log(0.5 / 8), 1e-15);
}

TEST(many_values_fall_into_smoothed_bins) {
  anorank_settings settings = with_bins(4);
  double x[] = {0, 0.1, 0.2, 1.5, 2.5, 3.9, 4, 4}, rows[] = {0.5, 1, 2.2, 3.5, 4, 4.001, -0.001}, scores[7];
  /* counts 3 1 1 3; total 8 + 5 / 2 */
  scoped_scorer *scorer = test_fit(type, x, 8, 1, &settings);
  test_score(scores, type, scorer, rows, 7, 1);
  assert_close(scores[0], log((1.5 + 0.25 + 0.5) / 10.5), 1e-15);
  assert_close(scores[1], log((0.75 + 0.5 + 0.25 + 0.5) / 10.5), 1e-15);
  assert_close(scores[2], log((0.25 + 0.5 + 0.75 + 0.5) / 10.5), 1e-15);
  assert_close(scores[3], log((0.25 + 1.5 + 0.5) / 10.5), 1e-15);
  assert_true(scores[4] == scores[3]);
  assert_close(scores[5], log(0.5 / 10.5), 1e-15);
  assert_true(scores[6] == scores[5]);
}

static double slow_column(const double *x, size_t n, size_t dim, size_t j, double value, size_t bins) {
  double low = x[j], high = x[j], count[3] = {0};
  for (size_t i = 0; i < n; i++) low = fmin(low, x[i * dim + j]), high = fmax(high, x[i * dim + j]);
  double total = (double)n + 0.5 * (double)(bins + 1), width = (high - low) / (double)bins;
  if (value < low || value > high) return log(0.5 / total);
  double bin = fmin(floor((value - low) / width), (double)bins - 1);
  for (size_t i = 0; i < n; i++) {
    double other = fmin(floor((x[i * dim + j] - low) / width), (double)bins - 1);
    if (fabs(other - bin) <= 1) count[(int)(other - bin) + 1]++;
  }
  return log((count[0] / 4 + count[1] / 2 + count[2] / 4 + 0.5) / total);
}

TEST(columns_add_up) {
  enum { N = 400, DIM = 6, ROWS = 60 };
  anorank_settings settings = with_bins(20);
  double *x = test_rows(N, DIM, 50), *rows = test_rows(ROWS, DIM, 51), scores[ROWS];
  scoped_scorer *scorer = test_fit(type, x, N, DIM, &settings);
  test_score(scores, type, scorer, rows, ROWS, DIM);
  for (size_t i = 0; i < ROWS; i++) {
    double expected = 0;
    for (size_t j = 0; j < DIM; j++) expected += slow_column(x, N, DIM, j, rows[i * DIM + j], 20);
    assert_close(scores[i], expected, 1e-12);
  }
}

TEST(negative_zero_is_zero) {
  anorank_settings settings = with_bins(5);
  double x[] = {-0.0, 0, 1, -0.0}, rows[] = {0, -0.0}, scores[2];
  scoped_scorer *scorer = test_fit(type, x, 4, 1, &settings);
  test_score(scores, type, scorer, rows, 2, 1);
  assert_close(scores[0], log(3.5 / 5.5), 1e-15);
  assert_true(scores[1] == scores[0]);
}

TEST(subnormal_ranges_have_bins) {
  anorank_settings settings = with_bins(2);
  double x[] = {0, 5e-324, 1e-323, 1.5e-323}, scores[4];
  scoped_scorer *scorer = test_fit(type, x, 4, 1, &settings);
  test_score(scores, type, scorer, x, 4, 1);
  check_finite(scores, 4);
}

TEST(the_widest_range_has_bins) {
  anorank_settings settings = with_bins(4);
  double x[8], scores[3], rows[] = {-1.6e308, 1.6e308, 5e307};
  /* counts 6 0 0 2 */
  for (size_t i = 0; i < 8; i++) x[i] = i < 6 ? -1.7e308 + 1e306 * (double)i : 1.7e308;
  scoped_scorer *scorer = test_fit(type, x, 8, 1, &settings);
  test_score(scores, type, scorer, rows, 3, 1);
  assert_close(scores[0], log(3.5 / 10.5), 1e-15);
  assert_close(scores[1], log(1.5 / 10.5), 1e-15);
  assert_close(scores[2], log(1.0 / 10.5), 1e-15);
}
