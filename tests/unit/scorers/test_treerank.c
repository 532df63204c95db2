/* scorer_treerank.c: cuts against brute force, leaves against counts; quality, files, threads, failures. */
#include "support/two_samples.h"

SCORER_UNDER_TEST(ank_scorer_treerank)

static anorank_settings defaults(void) {
  anorank_settings settings = test_settings();
  settings.threads = 1;
  settings.trees = 20;
  return settings;
}

/* |X_left / X - U_left / U| among the rows that pass `node`; 0 if a side has fewer than 5 rows. */
static double slow_gain(const saved_forest *f, size_t node, const ank_samples *s, size_t column,
                        double threshold) {
  double in[2][2] = {{0}};
  for (int label = 0; label < 2; label++) {
    const ank_matrix *rows = label ? &s->u : &s->x;
    for (size_t r = 0; r < rows->rows; r++) {
      const double *row = rows->values + r * rows->dim;
      size_t at = 0;
      while (at != node && f->column[at]) at = f->left[at] + (row[f->column[at] - 1] > f->value[at]);
      if (at == node) in[label][row[column] > threshold]++;
    }
  }
  if (in[0][0] + in[1][0] < 5 || in[0][1] + in[1][1] < 5) return 0;
  return fabs(in[0][0] / (in[0][0] + in[0][1]) - in[1][0] / (in[1][0] + in[1][1]));
}

static double slow_best_gain(const saved_forest *f, size_t node, const ank_samples *s) {
  double best = 0;
  for (size_t j = 0; j < s->x.dim; j++)
    for (int label = 0; label < 2; label++) {
      const ank_matrix *rows = label ? &s->u : &s->x;
      for (size_t r = 0; r < rows->rows; r++)
        best = fmax(best, slow_gain(f, node, s, j, rows->values[r * rows->dim + j]));
    }
  return best;
}

static void round_to_grid(const ank_matrix *rows) {
  double *values = (double *)(uintptr_t)rows->values;
  for (size_t k = 0; k < rows->rows * rows->dim; k++) values[k] = round(4 * values[k]) / 4;
}

/* Every cut of the tree is the best of all, found by trying each; once without ties, once with many. */
TEST(every_node_is_cut_where_brute_force_cuts_it) {
  anorank_settings settings = defaults();
  settings.trees = 1;
  settings.depth = 4;
  for (uint64_t seed = 0; seed < 4; seed++) {
    ank_samples samples = two_samples(60, 80, 3, seed);
    void *scorer;
    if (seed % 2) round_to_grid(&samples.x), round_to_grid(&samples.u);
    assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
    saved_forest f = read_forest(type, scorer);
    assert_true(f.nodes > 7);
    for (size_t i = 0; i < f.nodes; i++) {
      if (!f.column[i]) continue;
      double gain = slow_gain(&f, i, &samples, f.column[i] - 1, f.value[i]);
      assert_true(gain > 0);
      assert_close(gain, slow_best_gain(&f, i, &samples), 1e-15);
    }
    free_forest(&f);
    type->free(scorer);
  }
}

TEST(one_tree_scores_by_the_smoothed_likelihood_ratio_of_its_leaves) {
  enum { N = 300, M = 500 };
  anorank_settings settings = defaults();
  ank_samples samples = two_samples(N, M, 2, 1);
  scoped_scorer *scorer;
  settings.trees = 1;
  settings.depth = 5;
  assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
  saved_forest f = read_forest(type, scorer);
  size_t *x = test_memory(f.nodes * sizeof *x), *u = test_memory(f.nodes * sizeof *u);
  count_passing(x, &f, &samples.x);
  count_passing(u, &f, &samples.u);
  assert_true(f.nodes > 15 && f.nodes < 64);
  for (size_t i = 0; i < f.nodes; i++) {
    double e = 5.0 / (N + M);
    assert_true(x[i] + u[i] >= (f.column[i] ? 10 : 5));
    if (!f.column[i]) assert_close(f.value[i], log(((double)x[i] / N + e) / ((double)u[i] / M + e)), 1e-12);
  }
  free_forest(&f);
}

TEST(a_forest_scores_by_mean_ranks) {
  anorank_settings settings = defaults();
  ank_samples samples = two_samples(300, 300, 2, 1);
  static double x[300], u[300];
  double sum = 0;
  scoped_scorer *scorer;
  assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
  saved_forest f = read_forest(type, scorer);
  for (size_t i = 0; i < f.nodes; i++)
    if (!f.column[i]) assert_true(f.value[i] > 0 && f.value[i] < 1);
  assert_int_equal(f.trees, 20);
  assert_ok(type->score(x, scorer, &samples.x, NULL));
  assert_ok(type->score(u, scorer, &samples.u, NULL));
  for (size_t i = 0; i < 300; i++) sum += (x[i] + u[i]) / 600;
  assert_close(sum, 0.5, 0.05); /* ranks within the bootstrap samples have mean 1/2 exactly */
  free_forest(&f);
}

/* A cell that U never visits but X does has no reason to be worse because U is the larger sample. */
TEST(unequal_sample_sizes_do_not_turn_the_order_round) {
  enum { N = 30, M = 3000 };
  anorank_settings settings = defaults();
  ank_samples samples = two_samples(N, M, 1, 4);
  const double rows[] = {0, 3.9, -3.9};
  const ank_matrix probes = {rows, 3, 1};
  double scores[3];
  void *scorer;
  for (settings.trees = 1; settings.trees <= 50; settings.trees += 49) {
    assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
    assert_ok(type->score(scores, scorer, &probes, NULL));
    assert_true(scores[0] > scores[1] && scores[0] > scores[2]);
    type->free(scorer);
  }
}

/* One tree on whole weights sees what it would see on rows repeated that often: same cuts and values up to
 * the smoothing, which counts rows by weight. */
TEST(weights_of_contrast_rows_count_as_copies) {
  enum { N = 80, M = 60 };
  anorank_settings settings = defaults();
  ank_samples samples = two_samples(N, M, 2, 2);
  double weight[M], copies[3 * M * 2], a[N], b[N];
  size_t total = 0;
  void *scorer;
  settings.trees = 1;
  settings.depth = 2; /* leaves far larger than the least: rows and weights agree on what is allowed */
  for (size_t i = 0; i < M; i++) {
    weight[i] = (double)(1 + i % 3);
    for (size_t k = 0; k <= i % 3; k++)
      memcpy(copies + 2 * total++, samples.u.values + 2 * i, 2 * sizeof *copies);
  }
  samples.u_weight = weight;
  assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
  assert_ok(type->score(a, scorer, &samples.x, NULL));
  type->free(scorer);
  const ank_samples repeated = {.x = samples.x, .u = {copies, total, 2}};
  assert_ok(ank_scorer_fit(&scorer, type, &repeated, &settings, NULL));
  assert_ok(type->score(b, scorer, &samples.x, NULL));
  type->free(scorer);
  for (size_t i = 0; i < N; i++) assert_close(a[i], b[i], 1e-12);
}

TEST(without_contrast_rows_there_is_nothing_to_learn) { assert_needs_contrast(type); }

TEST(more_rows_bring_the_order_nearer_to_the_best) {
  anorank_settings settings = defaults();
  assert_excess_falls(type, &settings, 0.015);
  settings.trees = 1;
  assert_excess_falls(type, &settings, 0.03);
}
