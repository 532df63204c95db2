/* mahalanobis: against scikit-learn's EmpiricalCovariance and closed forms. */
#include "scorers/mahalanobis.h"
#include "support/scorers.h"

SCORER_UNDER_TEST(ank_scorer_mahalanobis)

static const double golden[] = {
#include "golden/scorers_mahalanobis.inc"
};

/* The share, then the distances. */
static const double golden_shrunk[] = {
#include "golden/scorers_shrunk.inc"
};

enum { GOLDEN_ROWS = sizeof golden / sizeof golden[0], GOLDEN_STREAM = 78 };

/* As in make_scorers.py. */
static void golden_bells(double *out, uint64_t seed, size_t count) {
  ank_rng rng;
  ank_rng_open(&rng, seed, GOLDEN_STREAM, 0);
  for (size_t i = 0; i < count; i++) {
    out[i] = -2;
    for (int k = 0; k < 4; k++) out[i] += ((double)(ank_rng_word(&rng) >> 11) + 0.5) * 0x1p-53;
  }
}

static void golden_rows(double *x, uint64_t seed, size_t rows) {
  golden_bells(x, seed, rows * 5);
  for (size_t i = 0; i < rows; i++) {
    double e[5];
    memcpy(e, x + i * 5, sizeof e);
    x[i * 5 + 1] = 10 + 3 * e[1] + 2 * e[0];
    x[i * 5 + 2] = e[2] - e[0] * .5;
    x[i * 5 + 3] = 1000 * e[3] + 500 * e[2];
    x[i * 5 + 4] = .001 * e[4];
  }
}

TEST(scores_equal_those_of_scikit_learn) {
  anorank_settings settings = test_settings();
  double x[200 * 5], rows[GOLDEN_ROWS * 5], scores[GOLDEN_ROWS];
  golden_rows(x, 1, 200);
  golden_rows(rows, 2, GOLDEN_ROWS);
  scoped_scorer *scorer = test_fit(type, x, 200, 5, &settings);
  test_score(scores, type, scorer, rows, GOLDEN_ROWS, 5);
  for (size_t i = 0; i < GOLDEN_ROWS; i++) assert_close_relative(scores[i], -golden[i], 1e-10);
}

TEST(shrunk_distances_equal_those_of_scikit_learn) {
  anorank_settings settings = test_settings();
  double x[15 * 5], rows[GOLDEN_ROWS * 5], scores[GOLDEN_ROWS], share;
  scoped_scorer *scorer;
  golden_rows(x, 1, 15);
  golden_rows(rows, 2, GOLDEN_ROWS);
  assert_ok(ank_mahalanobis_fit(&scorer, &share, &(ank_matrix){x, 15, 5}, &settings, NULL));
  assert_close(share, golden_shrunk[0], 1e-12);
  test_score(scores, type, scorer, rows, GOLDEN_ROWS, 5);
  for (size_t i = 0; i < GOLDEN_ROWS; i++) assert_close_relative(scores[i], -golden_shrunk[i + 1], 1e-10);
}

/* A column that is constant keeps its unit, and fewer rows than columns are enough. */
TEST(shrunk_distances_need_no_full_rank) {
  anorank_settings settings = test_settings();
  double *x = test_rows(6, 40, 9), rows[2 * 40], scores[2], share;
  scoped_scorer *scorer;
  for (size_t i = 0; i < 6; i++) x[i * 40] = 7;
  memcpy(rows, x, 40 * sizeof *x);
  memcpy(rows + 40, x, 40 * sizeof *x);
  rows[40] = 9;
  assert_ok(ank_mahalanobis_fit(&scorer, &share, &(ank_matrix){x, 6, 40}, &settings, NULL));
  assert_true(share > 0 && share <= 1);
  test_score(scores, type, scorer, rows, 2, 40);
  assert_close(scores[1], scores[0] - 4, 1e-9);
}

TEST(one_column_gives_the_squared_standard_score) {
  anorank_settings settings = test_settings();
  double x[] = {1, 2, 3, 6}, rows[] = {3, 4, -1}, scores[3];
  /* mean 3, variance 14/4 */
  scoped_scorer *scorer = test_fit(type, x, 4, 1, &settings);
  test_score(scores, type, scorer, rows, 3, 1);
  assert_close(scores[0], 0, 1e-14);
  assert_close(scores[1], -1 / 3.5, 1e-14);
  assert_close(scores[2], -16 / 3.5, 1e-13);
}

TEST(scores_do_not_change_when_columns_are_rescaled) {
  static const double scale[] = {1e300, 1e-300, 1e150};
  anorank_settings settings = test_settings();
  double *x = test_rows(3000, 3, 40), before[3000], after[3000];
  scoped_scorer *scorer = test_fit(type, x, 3000, 3, &settings);
  test_score(before, type, scorer, x, 3000, 3);
  type->free(scorer);
  for (size_t i = 0; i < 9000; i++) x[i] *= scale[i % 3];
  scorer = test_fit(type, x, 3000, 3, &settings);
  test_score(after, type, scorer, x, 3000, 3);
  for (size_t i = 0; i < 3000; i++) assert_close(after[i], before[i], 1e-9);
}

/* n * mean of the distances of X itself is n * d whatever the data: trace(C^-1 C) = d. */
TEST(distances_of_the_sample_have_mean_d) {
  anorank_settings settings = test_settings();
  double *x = test_rows(5000, 7, 41), scores[5000], sum = 0;
  scoped_scorer *scorer = test_fit(type, x, 5000, 7, &settings);
  test_score(scores, type, scorer, x, 5000, 7);
  for (size_t i = 0; i < 5000; i++) sum += scores[i];
  assert_close(sum / 5000, -7, 1e-10);
}

TEST(leaving_a_singular_plane_is_far) {
  anorank_settings settings = test_settings();
  double *x = test_rows(200, 3, 42), rows[] = {0.1, 0.1, 5, 0.1, 0.2, 5, 0.1, 0.1, 5.1}, scores[3];
  for (size_t i = 0; i < 200; i++) {
    x[i * 3 + 1] = x[i * 3];
    x[i * 3 + 2] = 5;
  }
  scoped_scorer *scorer = test_fit(type, x, 200, 3, &settings);
  test_score(scores, type, scorer, rows, 3, 3);
  assert_true(scores[0] > -10 && scores[1] < -1e4 && scores[2] < -1e4);
}

TEST(values_that_are_not_numbers_are_an_error) {
  anorank_settings settings = test_settings();
  double x[] = {1, 2, NAN, 4};
  ank_samples samples = {{x, 2, 2}, {NULL, 0, 2}, NULL, {0}, NULL, 0, NULL};
  void *scorer;
  assert_status(ank_scorer_fit(&scorer, type, &samples, &settings, NULL), ANORANK_ERROR_DATA);
  assert_null(scorer);
}

TEST(a_distance_beyond_all_numbers_is_the_largest_double) {
  anorank_settings settings = test_settings();
  double x[] = {1, 2, 3, 6}, far = 9, stretch = 1e300, score;
  scoped_scorer *scorer = test_fit(type, x, 4, 1, &settings), *loaded;
  scoped_bytes saved = test_save(type, scorer);
  ank_cursor cursor = {saved.data, saved.length, 0};
  memcpy(saved.data + saved.length - 8, &stretch, 8); /* the inverted diagonal */
  assert_ok(ank_scorer_load(&loaded, type, &cursor, NULL));
  test_score(&score, type, loaded, &far, 1, 1);
  assert_true(score == -1.7976931348623157e308);
}
