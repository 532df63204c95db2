/* test_law_jitter.c - rows of the data with noise of a random width. */
#include "contrast/law.h"
#include "support/laws.h"
#include "support/tables.h"

static anorank_settings jittered(int64_t rows, double from, double to) {
  anorank_settings settings = law_settings("jitter", rows);
  settings.jitter_from = from;
  settings.jitter_to = to;
  return settings;
}

typedef struct {
  double from, to;
} widths;

/* Data -1 and 1 (deviation 1): the mean of the two normal laws, over log s by Simpson's rule. */
static double two_points_law(double x, const void *context) {
  const widths *w = context;
  enum { STEPS = 64 };
  double sum = 0;
  for (int k = 0; k <= STEPS; k++) {
    double s = w->from * pow(w->to / w->from, (double)k / STEPS);
    double f = (normal_cdf((x - 1) / s) + normal_cdf((x + 1) / s)) / 2;
    sum += f * (k == 0 || k == STEPS ? 1 : k % 2 ? 4 : 2) / (3.0 * STEPS);
  }
  return sum;
}

TEST(numbers_are_data_plus_noise_of_log_uniform_width) {
  enum { N = 10000 };
  static const widths cases[] = {{0.5, 0.5}, {0.05, 3}, {1, 20}};
  scoped_table *data = table_of((double[]){-1, 1}, 2, 1, NULL);
  for (size_t k = 0; k < 3; k++) {
    anorank_settings settings = jittered(N, cases[k].from, cases[k].to);
    scoped_table *out;
    assert_ok(anorank_simulate(&out, data, &settings, NULL));
    assert_fits(out->column[0].numbers, N, two_points_law, &cases[k]);
  }
}

/* Two columns in other units: the noise goes with each column's deviation, and one width holds for a row.
 * With a width from 0.001 to 0.1 the data's row is the nearest. */
TEST(a_row_has_one_width_in_units_of_each_column) {
  enum { N = 20000 };
  anorank_settings settings = jittered(N, 0.001, 0.1);
  scoped_table *out, *data = table_of((double[]){-1, -1000, 1, 1000}, 2, 2, NULL);
  double sums[5] = {0};
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < N; i++) {
    double x = out->column[0].numbers[i], y = out->column[1].numbers[i] / 1000;
    assert_true((x > 0) == (y > 0)); /* the same row */
    double a = log(fabs(fabs(x) - 1)), b = log(fabs(fabs(y) - 1));
    sums[0] += a / N;
    sums[1] += b / N;
    sums[2] += a * a / N;
    sums[3] += b * b / N;
    sums[4] += a * b / N;
  }
  double va = sums[2] - sums[0] * sums[0], vb = sums[3] - sums[1] * sums[1];
  double width = log(100), share = width * width / 12 / (width * width / 12 + M_PI * M_PI / 8);
  assert_close(sums[0], sums[1], 0.05);
  /* log|e| has variance pi^2 / 8, log s width^2 / 12, which both columns share */
  assert_close((sums[4] - sums[0] * sums[1]) / sqrt(va * vb), share, 0.02);
}

TEST(categories_change_with_probability_s_over_1_plus_s) {
  enum { N = 20000 };
  static const double widths_tried[] = {0.05, 1, 9};
  scoped_table *data = table_of((double[]){2, 2, 2}, 3, 1, (size_t[]){4});
  for (size_t k = 0; k < 3; k++) {
    double s = widths_tried[k], other = s / (1 + s) / 4;
    anorank_settings settings = jittered(N, s, s);
    scoped_table *out;
    size_t counts[4] = {0};
    assert_ok(anorank_simulate(&out, data, &settings, NULL));
    for (size_t i = 0; i < N; i++) counts[out->column[0].codes[i]]++;
    assert_counts_fit(counts, ((double[]){other, other, 1 - 3 * other, other}), 4);
  }
}

TEST(gaps_stay_gaps_and_constants_constant) {
  enum { N = 3000 };
  static const double cells[] = {0, 7, NAN, NAN, 7, 1, 4, 7, 0, 5, 7, NAN};
  anorank_settings settings = jittered(N, 0.01, 0.1);
  scoped_table *out, *data = table_of(cells, 4, 3, (size_t[]){0, 0, 2});
  size_t gaps = 0;
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < N; i++) {
    int first = isnan(out->column[0].numbers[i]), third = out->column[2].codes[i] < 0;
    assert_true(out->column[1].numbers[i] == 7);
    assert_true(!(first && third)); /* no row of the data has both */
    gaps += (size_t)first;
  }
  assert_close((double)gaps / N, 0.25, 0.03);
}

TEST(data_without_noise_are_refused) {
  anorank_settings settings = jittered(10, 2, 1);
  scoped_table *data = table_of((double[]){1, NAN, 2, NAN}, 2, 2, NULL);
  assert_refused(data, &settings, ANORANK_ERROR_USAGE, "jitter-order");
  settings = jittered(10, 0.1, 1);
  assert_refused(data, &settings, ANORANK_ERROR_DATA, "contrast-column-empty column=x2");
  data->column[1].numbers[0] = INFINITY;
  assert_refused(data, &settings, ANORANK_ERROR_DATA, "contrast-infinite row=1 column=x2");
  data->column[1].numbers[0] = -1e308;
  data->column[1].numbers[1] = 1e308;
  assert_refused(data, &settings, ANORANK_ERROR_DATA, "contrast-too-wide column=x2");
}
