/* scorer_trees.c: its trees, against a slow replay; quality, files, threads, failures. */
#include "support/two_samples.h"

SCORER_UNDER_TEST(ank_scorer_trees)

static anorank_settings defaults(void) {
  anorank_settings settings = test_settings();
  settings.threads = 1;
  settings.trees = 20;
  return settings;
}

/* Gini of one column and threshold over all rows; negative if a side is too small. */
static double slow_gini(const ank_samples *s, size_t column, double threshold) {
  double x[2] = {0}, u[2] = {0}, count[2] = {0}, sum = 0;
  double weight = 4 * (double)s->x.rows / (double)s->u.rows;
  for (size_t i = 0; i < s->x.rows; i++) {
    int side = s->x.values[i * s->x.dim + column] > threshold;
    x[side] += 4;
    count[side]++;
  }
  for (size_t i = 0; i < s->u.rows; i++) {
    int side = s->u.values[i * s->u.dim + column] > threshold;
    u[side] += weight;
    count[side]++;
  }
  if (count[0] < 3 || count[1] < 3) return -1;
  for (int side = 0; side < 2; side++) sum += (x[side] * x[side] + u[side] * u[side]) / (x[side] + u[side]);
  return sum;
}

TEST(the_root_is_cut_where_the_best_of_the_drawn_candidates_is) {
  enum { N = 50, DIM = 9, CANDIDATES = 3 };
  anorank_settings settings = defaults();
  settings.trees = 1;
  settings.tree_rows = N;
  for (settings.seed = 0; settings.seed < 20; settings.seed++) {
    ank_samples samples = two_samples(N, N, DIM, settings.seed);
    scoped_scorer *scorer;
    ank_rng rng;
    size_t chosen[N], columns[DIM], best_column = 0;
    double best = -1, best_threshold = 0;
    assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
    saved_forest f = read_forest(type, scorer);
    ank_rng_open(&rng, settings.seed, ANK_STREAM_FIT, 0);
    assert_ok(ank_rng_sample(&rng, chosen, N, N, NULL));
    assert_ok(ank_rng_sample(&rng, chosen, N, N, NULL));
    for (size_t j = 0; j < DIM; j++) columns[j] = j;
    for (size_t k = 0; k < CANDIDATES; k++) {
      size_t pick = k + (size_t)ank_rng_below(&rng, DIM - k), column = columns[pick];
      double low = INFINITY, high = -INFINITY;
      columns[pick] = columns[k];
      columns[k] = column;
      for (size_t i = 0; i < N; i++) {
        low = fmin(low, fmin(samples.x.values[i * DIM + column], samples.u.values[i * DIM + column]));
        high = fmax(high, fmax(samples.x.values[i * DIM + column], samples.u.values[i * DIM + column]));
      }
      double share = ank_rng_uniform(&rng), threshold = low * (1 - share) + high * share;
      double gini = slow_gini(&samples, column, threshold);
      if (gini > best) best = gini, best_column = column, best_threshold = threshold;
    }
    assert_true(best > 0);
    assert_int_equal(f.column[0], best_column + 1);
    assert_close(f.value[0], best_threshold, 1e-12);
    free_forest(&f);
  }
}

TEST(leaves_hold_three_rows_and_the_smoothed_logit) {
  enum { N = 150, M = 200 };
  anorank_settings settings = defaults();
  ank_samples samples = two_samples(N, M, 3, 1);
  void *scorer;
  size_t deep = 0;
  settings.trees = 1;
  settings.tree_rows = N; /* fewer than 4 N of U: all are in the tree */
  assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
  saved_forest f = read_forest(type, scorer);
  size_t *x = test_memory(f.nodes * sizeof *x), *u = test_memory(f.nodes * sizeof *u);
  count_passing(x, &f, &samples.x);
  count_passing(u, &f, &samples.u);
  for (size_t i = 0; i < f.nodes; i++) {
    if (f.column[i]) {
      assert_true(x[i] + u[i] >= 6 && x[i] > 0 && u[i] > 0);
      deep++;
      continue;
    }
    assert_true(x[i] + u[i] >= 3);
    double weight = (double)u[i] * 4 * N / M;
    assert_close(f.value[i], log((4 * (double)x[i] + 1) / (weight + 1)), 1e-12);
    /* a mixed leaf has too few rows to be cut, or every cut drawn was refused: that is rare */
    if (x[i] > 0 && u[i] > 0) assert_true(x[i] + u[i] < 20);
  }
  assert_true(deep > 20);
  free_forest(&f);
  type->free(scorer);
}

TEST(weights_of_contrast_rows_count_as_copies) {
  enum { N = 100 };
  anorank_settings settings = defaults();
  ank_samples samples = two_samples(N, N, 2, 2);
  double weight[N];
  scoped_scorer *scorer;
  settings.trees = 1;
  settings.tree_rows = N;
  for (size_t i = 0; i < N; i++) weight[i] = i < N / 2 ? 3 : 1;
  samples.u_weight = weight;
  assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
  saved_forest f = read_forest(type, scorer);
  ank_matrix heavy = {samples.u.values, N / 2, 2}, light = {samples.u.values + N, N / 2, 2};
  size_t *x = test_memory(f.nodes * sizeof *x), *three = test_memory(f.nodes * sizeof *x);
  size_t *one = test_memory(f.nodes * sizeof *x);
  count_passing(x, &f, &samples.x);
  count_passing(three, &f, &heavy);
  count_passing(one, &f, &light);
  for (size_t i = 0; i < f.nodes; i++) {
    double u = (3 * (double)three[i] + (double)one[i]) * 4 * N / (2.0 * N);
    if (!f.column[i]) assert_close(f.value[i], log((4 * (double)x[i] + 1) / (u + 1)), 1e-9);
  }
  free_forest(&f);
}

TEST(without_contrast_rows_it_draws_its_own_around_the_data) {
  anorank_settings settings = defaults();
  ank_samples samples = two_samples(1000, 0, 2, 3);
  const double rows[] = {0, 0, 0.5, -0.5, 4, 4, -5, 3};
  const ank_matrix probes = {rows, 4, 2};
  double scores[4];
  scoped_scorer *scorer;
  assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
  assert_ok(type->score(scores, scorer, &probes, NULL));
  assert_true(fmin(scores[0], scores[1]) > fmax(scores[2], scores[3]) + 1);
}

/* Rows at powers of two are cut off a few at a time: depth grows with n, and no stack with it. */
TEST(very_deep_trees_grow_and_score) {
  enum { N = 2000 };
  static double x[N], u[N], scores[N];
  anorank_settings settings = defaults();
  const ank_samples samples = {{x, N, 1}, {u, N, 1}, NULL, {0}, NULL, 0, NULL};
  scoped_scorer *scorer;
  for (size_t i = 0; i < N; i++) {
    x[i] = ldexp(1, (int)(i % 1000));
    u[i] = ldexp(1.5, (int)(i % 1000));
  }
  settings.tree_rows = N;
  settings.trees = 2;
  assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
  assert_ok(type->score(scores, scorer, &samples.x, NULL));
  for (size_t i = 0; i < N; i++) assert_true(isfinite(scores[i]));
}

TEST(more_rows_bring_the_order_nearer_to_the_best) {
  anorank_settings settings = defaults();
  settings.trees = 50;
  assert_excess_falls(type, &settings, 0.012);
}
