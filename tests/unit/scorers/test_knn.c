/* knn: against a full sort of all distances, to the bit. */
#include "support/scorers.h"

SCORER_UNDER_TEST(ank_scorer_knn)

static anorank_settings small(void) {
  anorank_settings settings = test_settings();
  settings.neighbours = 3;
  settings.reference_rows = 50;
  return settings;
}

/* Single precision, as distance.h says. */
static double exact_score(const double *row, const double *x, size_t n, size_t dim, size_t k,
                          const double *centre) {
  double *all = test_memory(n * sizeof *all);
  for (size_t i = 0; i < n; i++) {
    float sum = 0;
    for (size_t j = 0; j < dim; j++) {
      float difference = (float)(row[j] - centre[j]) - (float)(x[i * dim + j] - centre[j]);
      sum = fmaf(difference, difference, sum);
    }
    all[i] = (double)sum;
  }
  qsort(all, n, sizeof *all, by_value);
  return -sqrt(all[(k < n ? k : n) - 1]);
}

static void against_a_loop(size_t n, size_t dim, size_t k) {
  enum { ROWS = 70 };
  anorank_settings settings = small();
  double *x = test_rows(n, dim, 33), *rows = test_rows(ROWS, dim, 34), scores[ROWS], centre[300];
  memcpy(rows, x, dim * sizeof *x);
  settings.neighbours = (int64_t)k;
  settings.reference_rows = 100000;
  medians(centre, x, n, dim);
  scoped_scorer *scorer = test_fit(type, x, n, dim, &settings);
  test_score(scores, type, scorer, rows, ROWS, dim);
  for (size_t i = 0; i < ROWS; i++) {
    double expected = exact_score(rows + i * dim, x, n, dim, k + (i == 0), centre); /* row 0 is one of X */
    assert_memory_equal(&scores[i], &expected, sizeof expected);
  }
}

TEST(scores_are_those_of_single_precision_to_the_bit) {
  against_a_loop(900, 10, 5);
  against_a_loop(2500, 3, 40);
  against_a_loop(140, 70, 1);
  against_a_loop(300, 4, 300);
  against_a_loop(500, 3, 1);
  against_a_loop(1000, 2, 1000000);
  against_a_loop(3000, 40, 7);
  against_a_loop(50, 300, 2);
  against_a_loop(1, 1, 5);
}

TEST(large_samples_are_cut_to_the_references) {
  anorank_settings settings = small();
  double *x = test_rows(400, 2, 32), scores[400];
  size_t chosen[50], zeros = 0;
  ank_rng rng;
  settings.neighbours = 1;
  ank_rng_open(&rng, settings.seed, ANK_STREAM_FIT, 0);
  assert_ok(ank_rng_sample(&rng, chosen, 50, 400, NULL));
  for (size_t j = 0; j < 2; j++) x[chosen[0] * 2 + j] = x[chosen[1] * 2 + j]; /* then no copy is skipped */
  scoped_scorer *scorer = test_fit(type, x, 400, 2, &settings);
  test_score(scores, type, scorer, x, 400, 2);
  for (size_t i = 0; i < 400; i++) zeros += scores[i] == 0;
  assert_int_equal(zeros, 50);
  for (size_t i = 0; i < 50; i++) assert_true(scores[chosen[i]] == 0);
}

TEST(repeated_rows_count_as_often_as_they_occur) {
  anorank_settings settings = small();
  double x[] = {0, 0, 0, 5}, rows[] = {0, 5}, scores[2];
  scoped_scorer *scorer = test_fit(type, x, 4, 1, &settings);
  test_score(scores, type, scorer, rows, 2, 1);
  assert_true(scores[0] == 0);
  assert_true(scores[1] == -5);
}

TEST(more_neighbours_than_references_are_refused) {
  anorank_settings settings = small();
  double x[] = {0, 1, 2, 5};
  void *scorer = test_fit(type, x, 4, 1, &settings), *loaded;
  scoped_bytes saved = test_save(type, scorer);
  ank_cursor cursor = {saved.data, saved.length, 0};
  saved.data[0] = 5;
  assert_status(ank_scorer_load(&loaded, type, &cursor, NULL), ANORANK_ERROR_MODEL);
  assert_null(loaded);
  type->free(scorer);
}

/* All rows are kept, and the centre of the references moves no distance by more than rounding: leaving a row
 * out is refitting without it. */
TEST(a_row_left_out_scores_as_after_a_fit_without_it) {
  enum { N = 80, DIM = 3 };
  double *x = test_rows(N, DIM, 40), *others = test_rows(N, DIM, 0), left[N], score;
  for (size_t i = 30; i < 45; i++) memcpy(x + i * DIM, x, DIM * sizeof *x); /* copies */
  for (int64_t k = 1; k < 200; k = 3 * k + 1) {
    anorank_settings settings = small();
    ank_samples samples = {{x, N, DIM}, {NULL, 0, DIM}, NULL, {0}, NULL, 0, NULL};
    settings.reference_rows = 1000;
    settings.neighbours = k;
    void *scorer = test_fit(type, x, N, DIM, &settings);
    assert_ok(type->score_left_out(left, scorer, &samples, &settings, NULL));
    type->free(scorer);
    for (size_t i = 0; i < N; i++) {
      memcpy(others, x, i * DIM * sizeof *x);
      memcpy(others + i * DIM, x + (i + 1) * DIM, (N - 1 - i) * DIM * sizeof *x);
      scorer = test_fit(type, others, N - 1, DIM, &settings);
      test_score(&score, type, scorer, x + i * DIM, 1, DIM);
      assert_close(left[i], score, 1e-6);
      type->free(scorer);
    }
  }
}

TEST(rows_that_were_not_kept_are_left_in) {
  enum { N = 300, DIM = 2 };
  anorank_settings settings = small();
  double *x = test_rows(N, DIM, 41), left[N], plain[N];
  ank_samples samples = {{x, N, DIM}, {NULL, 0, DIM}, NULL, {0}, NULL, 0, NULL};
  size_t same = 0;
  memcpy(x, x + DIM, DIM * sizeof *x); /* a copy: a score skips none */
  scoped_scorer *scorer = test_fit(type, x, N, DIM, &settings);
  test_score(plain, type, scorer, x, N, DIM);
  assert_ok(type->score_left_out(left, scorer, &samples, &settings, NULL));
  for (size_t i = 0; i < N; i++) same += left[i] == plain[i];
  assert_int_equal(same, N - 50);
}
