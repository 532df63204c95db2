/* hull: against golden numbers, closed forms and refitting without the row. */
#include "golden/blend.inc"
#include "kernels/vector.h"
#include "neighbours/hull.h"
#include "neighbours/reference_set.h"
#include "neighbours/search.h"
#include "support/scorers.h"

enum { ROWS = 12 };

SCORER_UNDER_TEST(ank_scorer_hull)

static anorank_settings with_space(int32_t space) {
  anorank_settings settings = test_settings();
  settings.hull_scaling = space;
  return settings;
}

static void against(const double *x, size_t n, size_t dim, const double *rows, const double *expected[3],
                    const double *expected_left[3]) {
  for (int32_t s = 0; s < ANK_SPACES; s++) {
    anorank_settings settings = with_space(s);
    ank_samples samples = {{x, n, dim}, {NULL, 0, dim}, NULL, {0}, NULL, 0, NULL};
    double scores[ROWS], left[90];
    scoped_scorer *scorer = test_fit(type, x, n, dim, &settings);
    test_score(scores, type, scorer, rows, ROWS, dim);
    for (size_t i = 0; i < ROWS; i++) assert_close(scores[i], expected[s][i], 2e-5);
    assert_ok(type->score_left_out(left, scorer, &samples, &settings, NULL));
    for (size_t i = 0; i < n; i++) assert_close(left[i], expected_left[s][i], 2e-5);
  }
}

TEST(scores_are_those_of_the_golden_numbers) {
  const double *smooth[] = {smooth_hull_standard, smooth_hull_range, smooth_hull_normal};
  const double *smooth_left[] = {smooth_left_standard, smooth_left_range, smooth_left_normal};
  const double *pairs[] = {pairs_hull_standard, pairs_hull_range, pairs_hull_normal};
  const double *pairs_left[] = {pairs_left_standard, pairs_left_range, pairs_left_normal};
  against(smooth_x, 90, 5, smooth_rows, smooth, smooth_left);
  against(pairs_x, 70, 4, pairs_rows, pairs, pairs_left);
}

static double value(const float *rows, size_t k, size_t dim, const float *row) {
  const float *near[ANK_HULL_MOST];
  uint32_t some = (uint32_t)k;
  double result;
  for (size_t i = 0; i < k; i++) near[i] = rows + i * dim;
  assert_ok(ank_hull_values(&result, row, 1, dim, near, &some, k, 0.1, NULL));
  return result;
}

/* One neighbour: w = 1 and w'Gw is its squared distance. Two at distance 1 on either side: the row is in the
 * middle of them. Two orthogonal ones: halfway between. */
TEST(small_cases_have_closed_forms) {
  static const float one[] = {3, 4}, sides[] = {1, 0, -1, 0}, corner[] = {1, 0, 0, 1}, row[] = {0, 0};
  assert_close(value(one, 1, 2, row), 0.5 * log(25 + 1e-6), 1e-12);
  assert_close(value(sides, 2, 2, row), 0.5 * log(1e-6), 1e-12);
  assert_close(value(corner, 2, 2, row), 0.5 * log(0.5 + 1e-6), 1e-12);
}

TEST(copies_are_at_the_floor_and_no_size_is_too_much) {
  enum { DIM = 3 };
  float rows[ANK_HULL_MOST * DIM], row[DIM] = {1, 2, 3};
  for (size_t i = 0; i < ANK_HULL_MOST * DIM; i++) rows[i] = row[i % DIM];
  assert_close(value(rows, ANK_HULL_MOST, DIM, row), 0.5 * log(1e-6), 1e-12);
  for (size_t i = 0; i < ANK_HULL_MOST * DIM; i++) rows[i] = i % 5 < 2 ? 1e16F : -1e16F;
  assert_true(isfinite(value(rows, ANK_HULL_MOST, DIM, row)));
  for (size_t i = 0; i < DIM; i++) row[i] = -1e16F;
  assert_true(isfinite(value(rows, ANK_HULL_MOST, DIM, row)));
  for (size_t i = 0; i < ANK_HULL_MOST * DIM; i++) rows[i] = 1e16F;
  assert_close_relative(value(rows, ANK_HULL_MOST, DIM, row), log(2e16 * sqrt(3.0)), 1e-6);
}

/* Rows beside each other, with different numbers of neighbours, more columns than are taken at a time, and on
 * both instruction sets: the bits of each row alone. */
TEST(a_row_has_the_same_value_alone_and_among_others) {
  enum { N = 23, DIM = 37, K = 12 };
  double *drawn = test_rows(N * (K + 1), DIM, 31), values[N], again[N];
  float all[N * (K + 1) * DIM];
  const float *near[N * K];
  uint32_t some[N];
  for (size_t i = 0; i < N * (K + 1) * DIM; i++) all[i] = (float)drawn[i];
  for (size_t i = 0; i < N; i++) {
    some[i] = i % 7 == 3 ? 5 : K;
    for (size_t a = 0; a < K; a++) near[i * K + a] = all + (N + i * K + a) * DIM;
  }
  assert_ok(ank_hull_values(values, all, N, DIM, near, some, K, 0.1, NULL));
  for (size_t i = 0; i < N; i++) {
    assert_ok(ank_hull_values(again, all + i * DIM, 1, DIM, near + i * K, some + i, K, 0.1, NULL));
    assert_true(again[0] == values[i]);
  }
  assert_true(ank_kernels_use("generic"));
  double plain[N];
  assert_ok(ank_hull_values(plain, all, N, DIM, near, some, K, 0.1, NULL));
  ank_kernels_use(NULL);
  for (size_t i = 0; i < N; i++) assert_close(plain[i], values[i], 1e-14); /* the logarithm may differ */
}

TEST(the_ridge_grows_where_there_are_fewer_columns_than_neighbours) {
  assert_close(ank_hull_ridge(10, 40), 0.1, 1e-15);
  assert_close(ank_hull_ridge(10, 10), 0.1, 1e-15);
  assert_close(ank_hull_ridge(10, 5), 0.4, 1e-15);
  assert_close(ank_hull_ridge(10, 0), 10, 1e-12);
}

/* The standard space with units of 1 does not move when a row is left out, so a search without the row must
 * give the very bits. */
TEST(a_row_left_out_scores_as_if_it_had_not_been_there) {
  enum { N = 60, DIM = 3, K = 10 };
  anorank_settings settings = with_space(ANORANK_SPACE_STANDARD);
  double *x = test_rows(N, DIM, 8), left[N];
  ank_samples samples = {{x, N, DIM}, {NULL, 0, DIM}, NULL, {0}, NULL, 0, NULL};
  for (size_t i = 20; i < 40; i++) memcpy(x + i * DIM, x, DIM * sizeof *x); /* more copies than neighbours */
  scoped_scorer *scorer = test_fit(type, x, N, DIM, &settings);
  ank_reference_set reference_set;
  assert_ok(ank_reference_set_make(&reference_set, &samples.x, NULL, 0, &settings, NULL));
  assert_ok(type->score_left_out(left, scorer, &samples, &settings, NULL));
  for (size_t i = 0; i < N; i++) {
    float others[(N - 1) * DIM], squared[K];
    const float *near[K];
    uint32_t place[K], some = K;
    double expected;
    ank_search *search;
    for (size_t r = 0, at = 0; r < N; r++)
      if (r != i) memcpy(others + at++ * DIM, reference_set.rows + r * DIM, DIM * sizeof *others);
    assert_ok(ank_search_make(&search, others, N - 1, DIM, NULL));
    assert_ok(ank_search_nearest(place, squared, K, search, reference_set.rows + i * DIM, 1, NULL));
    for (size_t a = 0; a < K; a++) near[a] = others + place[a] * DIM;
    assert_ok(ank_hull_values(&expected, reference_set.rows + i * DIM, 1, DIM, near, &some, K,
                              ank_hull_ridge(K, DIM), NULL));
    assert_true(left[i] == -expected);
    ank_search_free(search);
  }
  ank_reference_set_free(&reference_set);
}

TEST(rows_that_were_not_kept_are_scored_as_they_are) {
  enum { N = 200, DIM = 2 };
  anorank_settings settings = with_space(ANORANK_SPACE_RANGE);
  double *x = test_rows(N, DIM, 9), left[N], plain[N];
  ank_samples samples = {{x, N, DIM}, {NULL, 0, DIM}, NULL, {0}, NULL, 0, NULL};
  size_t same = 0;
  settings.reference_rows = 50;
  memcpy(x, x + DIM, DIM * sizeof *x); /* a copy: a score skips none */
  scoped_scorer *scorer = test_fit(type, x, N, DIM, &settings);
  test_score(plain, type, scorer, x, N, DIM);
  assert_ok(type->score_left_out(left, scorer, &samples, &settings, NULL));
  for (size_t i = 0; i < N; i++) same += left[i] == plain[i];
  assert_int_equal(same, 150);
}
