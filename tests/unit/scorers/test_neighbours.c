/* neighbours: against a brute-force loop, bit for bit. */
#include "kernels/vector.h"
#include "support/scorers.h"

SCORER_UNDER_TEST(ank_scorer_neighbours)

static anorank_settings small(void) {
  anorank_settings settings = test_settings();
  settings.subsamples = 5;
  settings.subsample = 20;
  return settings;
}

static float held(double x, double centre) { return (float)fmax(fmin(x - centre, 1e16), -1e16); }

/* Over the subsamples that do not hold row `own` of x. */
static double slow_without(const double *row, size_t own, const double *x, size_t n, size_t dim,
                           const anorank_settings *settings) {
  double centre[300], total = 0, counted = 0;
  size_t count = (n + 1) / 2, chosen[512];
  if ((size_t)settings->subsample < count) count = (size_t)settings->subsample;
  medians(centre, x, n, dim);
  for (size_t s = 0; s < (size_t)settings->subsamples; s++) {
    ank_rng rng;
    float least = INFINITY;
    int in = 0;
    ank_rng_open(&rng, settings->seed, ANK_STREAM_FIT, s);
    if (count < n)
      assert_ok(ank_rng_sample(&rng, chosen, count, n, NULL));
    else
      chosen[0] = 0; /* n = 1 */
    for (size_t i = 0; i < count; i++) {
      float sum = 0;
      in |= chosen[i] == own;
      for (size_t j = 0; j < dim; j++) {
        float difference = held(row[j], centre[j]) - held(x[chosen[i] * dim + j], centre[j]);
        sum = fmaf(difference, difference, sum);
      }
      if (sum < least) least = sum;
    }
    if (in) continue;
    double distance = sqrt((double)least) + 1e-3, log_distance;
    ank_log(&log_distance, &distance, 1);
    total += log_distance;
    counted++;
  }
  return -(total / counted);
}

static double slow_score(const double *row, const double *x, size_t n, size_t dim,
                         const anorank_settings *settings) {
  return slow_without(row, SIZE_MAX, x, n, dim, settings);
}

static void against_brute_force(size_t n, size_t dim, int64_t subsample, double offset) {
  enum { ROWS = 40 };
  anorank_settings settings = small();
  double *x = test_rows(n, dim, 20), *rows = test_rows(ROWS, dim, 21), scores[ROWS];
  settings.subsample = subsample;
  settings.seed = 99;
  for (size_t i = 0; i < n * dim; i++) x[i] += offset;
  for (size_t i = 0; i < ROWS * dim; i++) rows[i] += offset;
  memcpy(rows, x, dim * sizeof *x);
  if (n > 1) memcpy(x + dim, x, dim * sizeof *x); /* a copy: a score skips none */
  rows[dim] = 1e300;
  scoped_scorer *scorer = test_fit(type, x, n, dim, &settings);
  test_score(scores, type, scorer, rows, ROWS, dim);
  for (size_t i = 0; i < ROWS; i++) {
    double expected = slow_score(rows + i * dim, x, n, dim, &settings);
    assert_memory_equal(&scores[i], &expected, sizeof expected);
  }
}

TEST(scores_equal_a_brute_force_loop_to_the_bit) {
  against_brute_force(100, 3, 20, 0);
  against_brute_force(101, 10, 256, 0);
  against_brute_force(3000, 2, 33, 0);
  against_brute_force(40, 300, 16, 0);
  against_brute_force(1, 2, 16, 0);
  against_brute_force(2, 1, 16, 0);
  against_brute_force(100, 3, 20, 1.7e9);
}

TEST(subsamples_hold_half_of_a_small_sample) {
  anorank_settings settings = small();
  double x[] = {1, 2, 3, 4, 5};
  settings.subsample = 100;
  scoped_scorer *scorer = test_fit(type, x, 5, 1, &settings);
  scoped_bytes saved = test_save(type, scorer);
  assert_int_equal(saved.data[8], 3); /* the count after the number of sets */
}

TEST(a_copy_of_every_reference_scores_the_floor) {
  anorank_settings settings = small();
  double x[] = {3.25, -1, 3.25, -1, 3.25, -1, 3.25, -1}, score, floor_value = 1e-3;
  scoped_scorer *scorer = test_fit(type, x, 4, 2, &settings);
  test_score(&score, type, scorer, x, 1, 2);
  ank_log(&floor_value, &floor_value, 1);
  assert_close(score, -floor_value, 1e-14);
}

TEST(the_seed_chooses_the_subsamples) {
  anorank_settings settings = small();
  double *x = test_rows(100, 2, 24);
  scoped_scorer *one = test_fit(type, x, 100, 2, &settings);
  settings.seed++;
  scoped_scorer *two = test_fit(type, x, 100, 2, &settings);
  scoped_bytes first = test_save(type, one), second = test_save(type, two);
  assert_int_equal(first.length, second.length);
  assert_memory_not_equal(first.data, second.data, first.length);
}

TEST(a_row_left_out_is_scored_by_the_subsamples_without_it) {
  enum { N = 300, DIM = 3 };
  anorank_settings settings = small();
  double *x = test_rows(N, DIM, 50), left[N];
  ank_samples samples = {{x, N, DIM}, {NULL, 0, DIM}, NULL, {0}, NULL, 0, NULL};
  settings.subsamples = 19;
  scoped_scorer *scorer = test_fit(type, x, N, DIM, &settings);
  assert_ok(type->score_left_out(left, scorer, &samples, &settings, NULL));
  for (size_t i = 0; i < N; i++) assert_true(left[i] == slow_without(x + i * DIM, i, x, N, DIM, &settings));
}
