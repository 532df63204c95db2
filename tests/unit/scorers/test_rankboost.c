/* scorer_rankboost.c: rounds against pair sums and brute force; quality, files, threads, failures. */
#include "support/two_samples.h"

SCORER_UNDER_TEST(ank_scorer_rankboost)

static anorank_settings defaults(void) {
  anorank_settings settings = test_settings();
  settings.threads = 1;
  settings.rounds = 50;
  return settings;
}

static void fit_and_score(double *x, double *u, const ank_samples *samples, int64_t rounds) {
  anorank_settings settings = defaults();
  scoped_scorer *scorer;
  settings.rounds = rounds;
  assert_ok(ank_scorer_fit(&scorer, type, samples, &settings, NULL));
  assert_ok(type->score(x, scorer, &samples->x, NULL));
  assert_ok(type->score(u, scorer, &samples->u, NULL));
}

/* The mean over pairs of exp(-(f(x) - f(u))), U by weight. */
static double pair_loss(const double *x, const double *u, const ank_samples *s) {
  double sum = 0, weights = 0;
  for (size_t k = 0; k < s->u.rows; k++) {
    double w = s->u_weight ? s->u_weight[k] : 1;
    weights += w;
    for (size_t i = 0; i < s->x.rows; i++) sum += w * exp(u[k] - x[i]);
  }
  return sum / ((double)s->x.rows * weights);
}

/* r of a stump under the pair weights exp(-(f(x) - f(u))), by summing over all pairs. */
static double slow_r(const double *x, const double *u, const ank_samples *s, size_t column,
                     double threshold) {
  double sum = 0, total = 0;
  for (size_t i = 0; i < s->x.rows; i++)
    for (size_t k = 0; k < s->u.rows; k++) {
      double w = (s->u_weight ? s->u_weight[k] : 1) * exp(u[k] - x[i]);
      sum += w * ((s->x.values[i * s->x.dim + column] > threshold) -
                  (s->u.values[k * s->u.dim + column] > threshold));
      total += w;
    }
  return sum / total;
}

/* Of largest |r| by trying every value of X and U. */
static double slow_best(const double *x, const double *u, const ank_samples *s) {
  double best = 0;
  for (size_t j = 0; j < s->x.dim; j++)
    for (size_t i = 0; i < s->x.rows + s->u.rows; i++) {
      double threshold =
          i < s->x.rows ? s->x.values[i * s->x.dim + j] : s->u.values[(i - s->x.rows) * s->u.dim + j];
      double r = slow_r(x, u, s, j, threshold);
      if (fabs(r) > fabs(best)) best = r;
    }
  return best;
}

/* From round t to t + 1: the step that the scores take is log((1 + r) / (1 - r)) / 2 with the largest |r|
 * that brute force finds under the weights of round t; the loss falls by the factor Z of the two samples. */
TEST(every_round_takes_the_stump_that_brute_force_finds) {
  enum { N = 20, M = 25, ROUNDS = 12 };
  double weight[M];
  for (size_t i = 0; i < M; i++) weight[i] = 1 + (double)(i % 4);
  for (uint64_t seed = 0; seed < 4; seed++) {
    ank_samples samples = two_samples(N, M, 2, seed);
    double x[N] = {0}, u[M] = {0}, next_x[N], next_u[M], loss = 1;
    if (seed % 2) samples.u_weight = weight;
    for (int64_t t = 0; t < ROUNDS; t++) {
      double r = slow_best(x, u, &samples), alpha = 0.5 * log((1 + r) / (1 - r)), step = 0;
      double z_x = 0, z_u = 0, sum_x = 0, sum_u = 0;
      fit_and_score(next_x, next_u, &samples, t + 1);
      for (size_t i = 0; i < N; i++) {
        if (fabs(next_x[i] - x[i]) > 1e-9) step = next_x[i] - x[i];
        z_x += exp(-next_x[i]);
        sum_x += exp(-x[i]);
      }
      for (size_t k = 0; k < M; k++) {
        double w = samples.u_weight ? weight[k] : 1;
        if (fabs(next_u[k] - u[k]) > 1e-9) step = next_u[k] - u[k];
        z_u += w * exp(next_u[k]);
        sum_u += w * exp(u[k]);
      }
      double z = z_x / sum_x * (z_u / sum_u), next_loss = pair_loss(next_x, next_u, &samples);
      assert_close(fabs(step), fabs(alpha), 1e-9); /* two stumps of equal |r| may differ in sign */
      assert_close(next_loss, loss * z, 1e-9);
      assert_true(z < 1 && z <= sqrt(1 - r * r) + 1e-9);
      loss = next_loss;
      memcpy(x, next_x, sizeof x);
      memcpy(u, next_u, sizeof u);
    }
  }
}

TEST(the_area_on_the_training_rows_rises_with_the_rounds) {
  enum { N = 400 };
  ank_samples samples = two_samples(N, N, 3, 9);
  static double x[N], u[N];
  double last = 1, loss = 2;
  for (int64_t rounds = 1; rounds <= 256; rounds *= 4) {
    fit_and_score(x, u, &samples, rounds);
    double area = slow_area(x, N, u, N);
    assert_true(area <= last + 1e-3);
    assert_true(pair_loss(x, u, &samples) < loss);
    last = area;
    loss = pair_loss(x, u, &samples);
  }
  assert_true(last < 0.06);
}

/* More than 255 different values: the thresholds are thinned, and the best of them is nearly
 * the best of all. */
TEST(thinned_thresholds_cost_little) {
  enum { N = 1000 };
  ank_samples samples = two_samples(N, N, 1, 10);
  static double x[N], u[N];
  double best = 0, step = 0;
  fit_and_score(x, u, &samples, 1);
  for (size_t i = 0; i < N; i++) step = fmax(step, fabs(x[i]));
  for (size_t i = 0; i < N; i++) {
    double r = 0;
    for (size_t k = 0; k < N; k++)
      r += (samples.x.values[k] > samples.x.values[i]) - (samples.u.values[k] > samples.x.values[i]);
    best = fmax(best, fabs(r) / N);
  }
  assert_true(tanh(step) > best - 1.0 / 128 && tanh(step) < best + 0.01);
}

TEST(a_stump_without_fault_is_the_last_and_stays_finite) {
  const double x[] = {1, 2, 3}, u[] = {-1, -2, -3};
  const ank_samples samples = {{x, 3, 1}, {u, 3, 1}, NULL, {0}, NULL, 0, NULL};
  double sx[3], su[3], more[3];
  fit_and_score(sx, su, &samples, 1);
  fit_and_score(more, su, &samples, 1000);
  assert_memory_equal(sx, more, sizeof sx);
  assert_close(sx[0], 0.5 * log(2e6 - 1), 1e-6);
  for (size_t i = 0; i < 3; i++) assert_true(sx[i] == sx[0] && su[i] == 0);
}

TEST(the_size_is_bounded_whatever_the_rounds) {
  ank_samples samples = two_samples(500, 500, 2, 11);
  anorank_settings settings = defaults();
  scoped_scorer *scorer;
  settings.rounds = 3000;
  assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
  assert_true(type->bytes(scorer) < 2 * 255 * 16 + 200);
}

TEST(without_contrast_rows_there_is_nothing_to_learn) { assert_needs_contrast(type); }

/* The best order here is a sum over columns: RankBoost can reach it. */
TEST(more_rows_bring_the_order_nearer_to_the_best) {
  anorank_settings settings = defaults();
  assert_excess_falls(type, &settings, 0.01);
}

/* Large enough that the columns are spread over threads. */
TEST(the_number_of_threads_does_not_matter) {
  ank_samples samples = two_samples(30000, 40000, 4, 5);
  ank_bytes saved[2] = {{0}};
  anorank_settings settings = defaults();
  settings.rounds = 4;
  for (int k = 0; k < 2; k++) {
    scoped_scorer *scorer;
    settings.threads = k ? 8 : 1;
    assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
    assert_ok(type->save(scorer, &saved[k], NULL));
  }
  assert_same_bytes(&saved[0], &saved[1]);
  ank_bytes_free(&saved[0]);
  ank_bytes_free(&saved[1]);
}

/* One threshold per column is sound; every other table here is not. */
TEST(tables_that_make_no_sense_are_refused) {
  static const struct {
    uint32_t start[4];
    double threshold[3], level[3];
    int sound;
  } tables[] = {
      {{0, 1, 2, 3}, {1, 2, 3}, {1, 2, 3}, 1},        {{0, 3, 3, 3}, {1, 2, 3}, {1, 2, 3}, 1},
      {{0, 3, 3, 3}, {1, 3, 2}, {1, 2, 3}, 0},        {{0, 3, 3, 3}, {1, 1, 2}, {1, 2, 3}, 0},
      {{0, 3, 1, 3}, {1, 2, 3}, {1, 2, 3}, 0},        {{1, 1, 2, 3}, {1, 2, 3}, {1, 2, 3}, 0},
      {{0, 1, 2, 2}, {1, 2, 3}, {1, 2, 3}, 0},        {{0, 9, 2, 3}, {1, 2, 3}, {1, 2, 3}, 0},
      {{0, 1, 2, 3}, {1, NAN, 3}, {1, 2, 3}, 0},      {{0, 1, 2, 3}, {1, 2, 3}, {1, 2, NAN}, 0},
      {{0, 1, 2, 3}, {1, INFINITY, 3}, {1, 2, 3}, 0}, {{0, 1, 2, 3}, {1, 2, 3}, {1, 2, 1e300}, 0},
  };
  for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
    scoped_bytes bytes = {0};
    void *scorer;
    assert_ok(ank_bytes_put_u32s(&bytes, tables[t].start, 4, NULL));
    assert_ok(ank_bytes_put_f64s(&bytes, tables[t].threshold, 3, NULL));
    assert_ok(ank_bytes_put_f64s(&bytes, tables[t].level, 3, NULL));
    ank_cursor cursor = {bytes.data, bytes.length, 0};
    assert_status(ank_scorer_load(&scorer, type, &cursor, NULL),
                  tables[t].sound ? ANORANK_OK : ANORANK_ERROR_MODEL);
    if (scorer) type->free(scorer);
  }
}
