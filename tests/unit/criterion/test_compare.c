/* test_compare.c - two scorers on the same rows. */
#include "golden/criterion.inc"
#include "support/check.h"
#include "support/slow_criterion.h"

#define COUNT(array) (sizeof array / sizeof array[0])

static anorank_settings settings;

TEST(difference_and_error_agree_with_the_slow_delong) {
  anorank_comparison pair;
  assert_ok(anorank_compare(&pair, tied_x, other_x, COUNT(tied_x), tied_u, other_u, COUNT(tied_u), &settings,
                            NULL));
  assert_close(pair.first.estimate, tied_area, 1e-15);
  assert_close(pair.first.sd, tied_area_sd, 1e-15);
  assert_close(pair.difference.estimate, pair_difference, 1e-15);
  assert_close(pair.difference.sd, pair_sd, 1e-15);
  assert_close(pair.z, pair_difference / pair_sd, 1e-12);
  /* DeLong's, by Student's law: a little wider than by the normal one. */
  double half = (pair.difference.high - pair.difference.low) / 2 / pair_sd;
  assert_close((pair.difference.high + pair.difference.low) / 2, pair_difference, 1e-14);
  assert_true(half > 1.959963984540054 && half < 2.2);
  assert_true(pair.p_value > pair_p && pair.p_value < 2 * pair_p + 0.05);
}

/* Influences on the area over mass in [from, 1], straight from the formulas in area.c; no ties. */
static double slow_partial(double *x_part, double *u_part, const double *x, size_t n, const double *u,
                           size_t m, double from) {
  double area = 0;
  for (size_t j = 0; j < m; j++) {
    size_t above = 0;
    for (size_t i = 0; i < n; i++) above += x[i] > u[j];
    u_part[j] = 1 - fmax((double)above / (double)n, from);
    area += u_part[j] / (double)m;
  }
  for (size_t i = 0; i < n; i++) {
    size_t above = 0;
    for (size_t l = 0; l < n; l++) above += x[l] >= x[i];
    /* Rows inside the mass `from` all count like its edge. */
    size_t edge = (size_t)(from * (double)n + 1e-9);
    if (above <= edge)
      x_part[i] = slow_volume(edge, x, n, u, m);
    else
      x_part[i] = slow_volume(above - 1, x, n, u, m);
  }
  return area;
}

static double slow_variance(const double *a, const double *b, size_t n) {
  double mean = 0, sum = 0;
  for (size_t i = 0; i < n; i++) mean += (a[i] - b[i]) / (double)n;
  for (size_t i = 0; i < n; i++) sum += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
  return sum / (double)(n - 1) / (double)n;
}

TEST(partial_difference_agrees_with_the_slow_one) {
  enum { N = 110, M = 90 };
  double x[2][N], u[2][M], x_part[2][N], u_part[2][M], area[2];
  for (int s = 0; s < 2; s++) {
    slow_scores(x[s], N, 0.7, 0, 60 + (uint64_t)s);
    slow_scores(u[s], M, 0, 0, 70 + (uint64_t)s);
    for (size_t i = 0; i < N; i++) x[s][i] += s * x[0][i];
    for (size_t j = 0; j < M; j++) u[s][j] += s * u[0][j];
    area[s] = slow_partial(x_part[s], u_part[s], x[s], N, u[s], M, 0.9);
  }
  double variance = slow_variance(x_part[0], x_part[1], N) + slow_variance(u_part[0], u_part[1], M);
  anorank_comparison pair;
  assert_ok(anorank_compare(&pair, x[0], x[1], N, u[0], u[1], M, &settings, NULL));
  assert_close(pair.partial_difference.from, 0.9, 0);
  assert_close(pair.partial_difference.area.estimate, area[0] - area[1], 1e-14);
  assert_close(pair.partial_difference.area.sd, sqrt(variance), 1e-14);
  assert_close(pair.partial_z, (area[0] - area[1]) / sqrt(variance), 1e-9);
}

/* Rows drawn again: the spread of the difference is what its standard error says. */
TEST(errors_are_the_spread_over_fresh_samples) {
  enum { N = 150, M = 250, REPEAT = 400 };
  double x[2][N], u[2][M], sum[2] = {0}, squares[2] = {0}, variance[2] = {0};
  for (uint64_t r = 0; r < REPEAT; r++) {
    anorank_comparison pair;
    slow_scores(x[0], N, 1, 0, 4 * r);
    slow_scores(u[0], M, 0, 0, 4 * r + 1);
    slow_scores(x[1], N, 0, 0, 4 * r + 2);
    slow_scores(u[1], M, 0, 0, 4 * r + 3);
    for (size_t i = 0; i < N; i++) x[1][i] += x[0][i];
    for (size_t j = 0; j < M; j++) u[1][j] += u[0][j];
    assert_ok(anorank_compare(&pair, x[0], x[1], N, u[0], u[1], M, &settings, NULL));
    const anorank_interval *made[2] = {&pair.difference, &pair.partial_difference.area};
    for (int k = 0; k < 2; k++) {
      sum[k] += made[k]->estimate;
      squares[k] += made[k]->estimate * made[k]->estimate;
      variance[k] += made[k]->sd * made[k]->sd / REPEAT;
    }
  }
  for (int k = 0; k < 2; k++)
    assert_close_relative(sqrt(variance[k]), sqrt(squares[k] / REPEAT - sum[k] / REPEAT * sum[k] / REPEAT),
                          0.12);
}

TEST(a_scorer_does_not_differ_from_its_increasing_transform) {
  double x[COUNT(tied_x)], u[COUNT(tied_u)];
  anorank_comparison pair;
  for (size_t i = 0; i < COUNT(tied_x); i++) x[i] = exp(tied_x[i]);
  for (size_t j = 0; j < COUNT(tied_u); j++) u[j] = exp(tied_u[j]);
  assert_ok(anorank_compare(&pair, tied_x, x, COUNT(tied_x), tied_u, u, COUNT(tied_u), &settings, NULL));
  assert_true(pair.difference.estimate == 0 && pair.difference.sd == 0 && pair.z == 0 && pair.p_value == 1);
  assert_true(pair.partial_difference.area.estimate == 0);
}

/* Where no row tells them apart, rows that would may have been missed: up to 1 - 0.025^(1/k) of the pairs. */
TEST(scorers_that_no_row_tells_apart_may_still_differ_a_little) {
  enum { N = 200, M = 120 };
  double x[N], u[M], bound = 1 - pow(0.025, 1.0 / M);
  anorank_comparison pair;
  slow_scores(x, N, 1, 0, 80);
  slow_scores(u, M, 0, 0, 81);
  assert_ok(anorank_compare(&pair, x, x, N, u, u, M, &settings, NULL));
  assert_close(pair.difference.high, bound, 1e-14);
  assert_close(pair.difference.low, -bound, 1e-14);
  assert_close(pair.partial_difference.area.high, 0.1 * bound, 1e-14);
  assert_true(pair.p_value == 1 && pair.partial_p_value == 1);
}

/* Three rows at the abnormal end are no sample: equal scorers had p <= 0.05 in one case in nine. */
TEST(too_few_rows_at_the_abnormal_end_give_no_p_value) {
  enum { N = 50, M = 100 };
  double x[2][N], u[2][M];
  anorank_comparison pair;
  for (int s = 0; s < 2; s++) {
    slow_scores(x[s], N, 1, 0, 90 + (uint64_t)s);
    slow_scores(u[s], M, 0, 0, 95 + (uint64_t)s);
  }
  assert_ok(anorank_compare(&pair, x[0], x[1], N, u[0], u[1], M, &settings, NULL));
  assert_false(isnan(pair.partial_p_value) || isnan(pair.partial_difference.area.low));
  assert_ok(anorank_compare(&pair, x[0], x[1], N - 1, u[0], u[1], M, &settings, NULL));
  assert_true(isnan(pair.partial_p_value) && isnan(pair.partial_difference.area.low));
  assert_false(isnan(pair.p_value) || isnan(pair.partial_difference.area.estimate));
}

TEST(swapping_the_scorers_turns_the_sign) {
  anorank_comparison one, two;
  size_t n = COUNT(tied_x), m = COUNT(tied_u);
  assert_ok(anorank_compare(&one, tied_x, other_x, n, tied_u, other_u, m, &settings, NULL));
  assert_ok(anorank_compare(&two, other_x, tied_x, n, other_u, tied_u, m, &settings, NULL));
  assert_close(one.difference.estimate, -two.difference.estimate, 0);
  assert_close(one.difference.low, -two.difference.high, 1e-16);
  assert_close(one.z, -two.z, 1e-13);
  assert_close(one.p_value, two.p_value, 1e-13);
  assert_close(one.partial_z, -two.partial_z, 1e-12);
}

TEST(a_certain_difference_of_few_rows_is_tested_by_signs) {
  const double high[] = {5, 6, 7, 8, 9}, low[] = {1, 2, 3, 4};
  anorank_comparison pair;
  /* The first puts X above U, the second ties everything. */
  const double same[] = {1, 1, 1, 1, 1};
  assert_ok(anorank_compare(&pair, high, same, 5, low, same, 4, &settings, NULL));
  assert_close(pair.difference.estimate, -0.5, 0);
  assert_close(pair.difference.sd, 0, 0);
  assert_close(pair.p_value, 0.125, 1e-15);
  assert_true(pair.z < 0 && pair.difference.low < -0.5 && pair.difference.high > -0.5);
}

TEST(wrong_input_is_named) {
  const double good[] = {1, 2, 3}, bad[] = {1, 2, NAN};
  anorank_comparison pair;
  anorank_error err = {0};
  assert_fails(anorank_compare(&pair, good, good, 3, good, bad, 3, &settings, &err), ANORANK_ERROR_DATA,
               "score-nan row=3");
  assert_status(anorank_compare(&pair, good, good, 1, good, good, 3, &settings, &err), ANORANK_ERROR_DATA);
  assert_status(anorank_compare(&pair, good, NULL, 3, good, good, 3, &settings, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_compare(NULL, good, good, 3, good, good, 3, &settings, &err), ANORANK_ERROR_USAGE);
}

static int set_up(void **state) {
  (void)state;
  ank_settings_default(&settings);
  return 0;
}

TEST_GROUP(set_up, NULL)
