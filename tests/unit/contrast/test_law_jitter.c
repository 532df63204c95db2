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

static void numbers_are_data_plus_noise_of_log_uniform_width(void **state) {
  (void)state;
  enum { N = 10000 };
  static const widths cases[] = {{0.5, 0.5}, {0.05, 3}, {1, 20}};
  anorank_table *data = table_of((double[]){-1, 1}, 2, 1, NULL);
  for (size_t k = 0; k < 3; k++) {
    anorank_settings settings = jittered(N, cases[k].from, cases[k].to);
    anorank_table *out;
    assert_ok(anorank_simulate(&out, data, &settings, NULL));
    assert_fits(out->column[0].numbers, N, two_points_law, &cases[k]);
    ank_table_free(out);
  }
  ank_table_free(data);
}

/* Two columns in other units: the noise goes with each column's deviation, and one width holds for a row.
 * With a width from 0.001 to 0.1 the data's row is the nearest. */
static void a_row_has_one_width_in_units_of_each_column(void **state) {
  (void)state;
  enum { N = 20000 };
  anorank_settings settings = jittered(N, 0.001, 0.1);
  anorank_table *out, *data = table_of((double[]){-1, -1000, 1, 1000}, 2, 2, NULL);
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
  ank_table_free(out);
  ank_table_free(data);
}

static void categories_change_with_probability_s_over_1_plus_s(void **state) {
  (void)state;
  enum { N = 20000 };
  static const double widths_tried[] = {0.05, 1, 9};
  anorank_table *data = table_of((double[]){2, 2, 2}, 3, 1, (size_t[]){4});
  for (size_t k = 0; k < 3; k++) {
    double s = widths_tried[k], other = s / (1 + s) / 4;
    anorank_settings settings = jittered(N, s, s);
    anorank_table *out;
    size_t counts[4] = {0};
    assert_ok(anorank_simulate(&out, data, &settings, NULL));
    for (size_t i = 0; i < N; i++) counts[out->column[0].codes[i]]++;
    assert_counts_fit(counts, ((double[]){other, other, 1 - 3 * other, other}), 4);
    ank_table_free(out);
  }
  ank_table_free(data);
}

static void gaps_stay_gaps_and_constants_constant(void **state) {
  (void)state;
  enum { N = 3000 };
  static const double cells[] = {0, 7, NAN, NAN, 7, 1, 4, 7, 0, 5, 7, NAN};
  anorank_settings settings = jittered(N, 0.01, 0.1);
  anorank_table *out, *data = table_of(cells, 4, 3, (size_t[]){0, 0, 2});
  size_t gaps = 0;
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < N; i++) {
    int first = isnan(out->column[0].numbers[i]), third = out->column[2].codes[i] < 0;
    assert_true(out->column[1].numbers[i] == 7);
    assert_true(!(first && third)); /* no row of the data has both */
    gaps += (size_t)first;
  }
  assert_close((double)gaps / N, 0.25, 0.03);
  ank_table_free(out);
  ank_table_free(data);
}

/* Trapezium rule in x, sum over the category and over the gap. */
static void log_density_integrates_to_one(void **state) {
  (void)state;
  enum { POINTS = 2001 };
  static double cells[2 * 3 * POINTS], density[3 * POINTS + 1];
  static const double data_cells[] = {-1, 0, 0, 1, NAN, 1, 1, NAN};
  anorank_settings settings = jittered(10, 0.05, 3);
  double h = 60.0 / (POINTS - 1), sum = 0;
  void *law;
  size_t levels[] = {0, 2};
  for (size_t i = 0; i < 3 * POINTS; i++) {
    cells[2 * i] = -30 + h * (double)(i % POINTS);
    cells[2 * i + 1] = i / POINTS < 2 ? (double)(i / POINTS) : NAN;
  }
  anorank_table *data = table_of(data_cells, 4, 2, levels), *rows = table_of(cells, 3 * POINTS, 2, levels);
  assert_ok(ank_law_jitter.open(&law, data, &settings, NULL));
  ank_law_jitter.log_density(law, rows, 0, 3 * POINTS, density);
  for (size_t i = 0; i < 3 * POINTS; i++) sum += exp(density[i]) * h;
  for (size_t code = 0; code < 2; code++) { /* the row whose number is missing */
    rows->column[0].numbers[0] = NAN;
    rows->column[1].codes[0] = (int32_t)code;
    ank_law_jitter.log_density(law, rows, 0, 1, density);
    sum += exp(density[0]);
  }
  assert_close(sum, 1, 1e-6);
  ank_law_jitter.free(law);
  ank_table_free(rows);
  ank_table_free(data);
}

/* Integral of s^-d exp(-q / (2 s^2)) d log s = 1/2 (q / 2)^(-d/2) gamma(d/2, between). */
static double closed_form(double q, double d, double from, double to) {
  double shape = d / 2, share = gamma_cdf(shape, q / 2 / from / from) - gamma_cdf(shape, q / 2 / to / to);
  return log(share) + lgamma(shape) - shape * log(q / 2) - log(2 * log(to / from)) - shape * log(2 * M_PI);
}

static void log_density_is_that_of_the_closed_form_in_many_columns(void **state) {
  (void)state;
  static const size_t dims[] = {1, 3, 20, 80};
  static const double places[] = {0.9, 0.5, 0.1, -3};
  for (size_t k = 0; k < 4; k++) {
    size_t d = dims[k];
    double cells[160], density;
    void *law;
    anorank_settings settings = jittered(10, 0.05, 3);
    for (size_t j = 0; j < 2 * d; j++) cells[j] = j < d ? -1 : 1;
    anorank_table *data = table_of(cells, 2, d, NULL);
    assert_ok(ank_law_jitter.open(&law, data, &settings, NULL));
    for (size_t p = 0; p < 4; p++) {
      double x = places[p];
      for (size_t j = 0; j < d; j++) cells[j] = x;
      anorank_table *row = table_of(cells, 1, d, NULL);
      ank_law_jitter.log_density(law, row, 0, 1, &density);
      double a = closed_form((double)d * (x - 1) * (x - 1), (double)d, 0.05, 3);
      double b = closed_form((double)d * (x + 1) * (x + 1), (double)d, 0.05, 3);
      assert_close(density, fmax(a, b) + log1p(exp(-fabs(a - b))) - log(2), 1e-4);
      ank_table_free(row);
    }
    ank_law_jitter.free(law);
    ank_table_free(data);
  }
}

static void one_width_gives_the_density_of_two_normal_laws(void **state) {
  (void)state;
  anorank_settings settings = jittered(10, 0.5, 0.5);
  anorank_table *data = table_of((double[]){-1, 5, 1, 5}, 2, 2, NULL);
  anorank_table *rows = table_of((double[]){0.3, 5, 0.3, 5.1, INFINITY, 5}, 3, 2, NULL);
  double density[3], front = 1 / (0.5 * sqrt(2 * M_PI));
  void *law;
  assert_ok(ank_law_jitter.open(&law, data, &settings, NULL));
  ank_law_jitter.log_density(law, rows, 0, 3, density);
  assert_close(density[0], log(front * (exp(-2 * 0.7 * 0.7) + exp(-2 * 1.3 * 1.3)) / 2), 1e-13);
  assert_true(density[1] == -INFINITY && density[2] == -INFINITY);
  assert_int_equal(ank_law_jitter.spreads(law, 0), ANK_SPREADS_FREELY);
  assert_int_equal(ank_law_jitter.spreads(law, 1), ANK_SPREADS_NOT);
  ank_law_jitter.free(law);
  ank_table_free(rows);
  ank_table_free(data);
}

static void what_cannot_be_shaken_is_refused(void **state) {
  (void)state;
  anorank_settings settings = jittered(10, 2, 1);
  anorank_table *data = table_of((double[]){1, NAN, 2, NAN}, 2, 2, NULL);
  assert_refused(data, &settings, ANORANK_ERROR_USAGE, "from must not be above to");
  settings = jittered(10, 0.1, 1);
  assert_refused(data, &settings, ANORANK_ERROR_DATA, "'x2' has no value");
  data->column[1].numbers[0] = INFINITY;
  assert_refused(data, &settings, ANORANK_ERROR_DATA, "'x2' is infinite in row 1");
  data->column[1].numbers[0] = -1e308;
  data->column[1].numbers[1] = 1e308;
  assert_refused(data, &settings, ANORANK_ERROR_DATA, "'x2' with noise of 1 standard deviations is too wide");
  ank_table_free(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_data_plus_noise_of_log_uniform_width),
      cmocka_unit_test(a_row_has_one_width_in_units_of_each_column),
      cmocka_unit_test(categories_change_with_probability_s_over_1_plus_s),
      cmocka_unit_test(gaps_stay_gaps_and_constants_constant),
      cmocka_unit_test(log_density_integrates_to_one),
      cmocka_unit_test(log_density_is_that_of_the_closed_form_in_many_columns),
      cmocka_unit_test(one_width_gives_the_density_of_two_normal_laws),
      cmocka_unit_test(what_cannot_be_shaken_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
