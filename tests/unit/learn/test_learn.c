/* Training and selection: the criterion rises, grids are complete, the best is kept, errors are reported. */
#include "core/rng.h"
#include "learn/learn.h"
#include "support/check.h"

enum { N = 400, M = 300 };
static double x[2 * N], u[2 * M];
static ank_samples samples = {{x, N, 2}, {u, M, 2}, NULL, {0}, NULL, 0, NULL};

static int set_up(void **state) {
  ank_rng rng;
  (void)state;
  ank_rng_open(&rng, 8, 70, 0);
  for (size_t k = 0; k < 2 * N; k++) x[k] = 0.5 * ank_rng_normal(&rng);
  for (size_t k = 0; k < 2 * M; k++) u[k] = 4 * ank_rng_uniform(&rng) - 2;
  return 0;
}

static anorank_settings defaults(void) {
  anorank_settings settings = test_settings();
  settings.threads = 1;
  settings.scorer = "mlp";
  settings.objective = ANORANK_OBJECTIVE_PAPER;
  return settings;
}

TEST(every_objective_and_optimiser_raises_w) {
  for (int objective = 0; objective < 3; objective++)
    for (int optimiser = 0; optimiser < 3; optimiser++) {
      anorank_settings settings = defaults();
      ank_quality before, after;
      const ank_phi *phi = ank_phi_find("mww");
      ank_trial trial = {.type = &ank_scorer_mlp, .train = &samples, .phi = phi, .lambda = 0.1, .index = 1};
      void *scorer;
      size_t epochs;
      settings.objective = objective;
      settings.optimiser = optimiser;
      settings.schedule = ANORANK_SCHEDULE_COSINE;
      settings.hidden = "8";
      settings.batch = 64;
      settings.learning_rate =
          optimiser == ANORANK_OPTIMISER_SGD && objective != ANORANK_OBJECTIVE_PAPER ? 0.3 : 0.02;
      settings.epochs = 1;
      settings.learning_rate *= 1e-9;
      assert_ok(ank_train(&scorer, &epochs, &trial, &settings, NULL));
      assert_ok(ank_quality_of_scorer(&before, trial.type, scorer, &samples, phi, &settings, NULL));
      trial.type->free(scorer);
      settings.learning_rate *= 1e9;
      settings.epochs = 60;
      assert_ok(ank_train(&scorer, &epochs, &trial, &settings, NULL));
      assert_ok(ank_quality_of_scorer(&after, trial.type, scorer, &samples, phi, &settings, NULL));
      trial.type->free(scorer);
      assert_int_equal(epochs, 60);
      if (!(after.area < 0.2 && after.w > before.w))
        print_error("objective %d, optimiser %d: area %g to %g\n", objective, optimiser, before.area,
                    after.area);
      assert_true(after.area < 0.2 && after.w > before.w);
    }
}

TEST(the_grid_is_walked_and_the_highest_w_is_kept) {
  anorank_settings settings = defaults();
  ank_learned learned;
  settings.lambda = "0,1";
  settings.restarts = 3;
  settings.epochs = 3;
  assert_ok(ank_learn(&learned, &samples, NULL, 1, &settings, NULL));
  assert_int_equal(learned.count, 6);
  for (size_t k = 0; k < learned.count; k++) {
    ank_quality quality;
    assert_true(learned.candidates[k].lambda == (k < 3 ? 0 : 1));
    assert_int_equal(learned.candidates[k].restart, k % 3);
    assert_true(learned.candidates[k].quality.w <= learned.candidates[learned.best].quality.w);
    assert_ok(ank_quality_of_scorer(&quality, learned.candidates[k].type, learned.candidates[k].scorer,
                                    &samples, ank_phi_find("mww"), &settings, NULL));
    assert_true(quality.w == learned.candidates[k].quality.w);
  }
  ank_learned_free(&learned);
}

TEST(held_out_rows_judge_and_are_not_trained_on) {
  anorank_settings settings = defaults();
  ank_learned learned;
  settings.epochs = 2;
  settings.held_out = 0.25;
  assert_ok(ank_learn(&learned, &samples, NULL, 0, &settings, NULL));
  for (size_t k = 0; k < learned.count; k++)
    assert_true((learned.candidates[k].scorer != NULL) == (k == learned.best));
  ank_learned_free(&learned);
  settings.held_out = 0.001;
  anorank_error err = {0};
  assert_fails(ank_learn(&learned, &samples, NULL, 0, &settings, &err), ANORANK_ERROR_DATA, "fit-held-out");
}

TEST(early_stopping_keeps_the_best_epoch) {
  anorank_settings settings = defaults();
  const ank_phi *phi = ank_phi_find("mww");
  ank_trial trial = {.type = &ank_scorer_mlp, .train = &samples, .phi = phi};
  ank_quality stopped;
  void *scorer;
  size_t epochs;
  settings.objective = ANORANK_OBJECTIVE_BCE;
  settings.learning_rate = 3; /* so long a step that W goes up and down */
  settings.epochs = 200;
  settings.patience = 5;
  assert_ok(ank_train(&scorer, &epochs, &trial, &settings, NULL));
  assert_true(epochs >= 6 && epochs < 200);
  assert_ok(ank_quality_of_scorer(&stopped, trial.type, scorer, &samples, phi, &settings, NULL));
  trial.type->free(scorer);
  /* the log of the same training: nothing in it is better */
  ank_epoch log[200];
  trial.log = log;
  settings.patience = 0;
  settings.epochs = (int64_t)epochs;
  assert_ok(ank_train(&scorer, NULL, &trial, &settings, NULL));
  trial.type->free(scorer);
  for (size_t e = 0; e < epochs; e++) assert_true(log[e].w <= stopped.w);
}

TEST(choosing_by_the_papers_ranks_prefers_a_constant) {
  double good[N + M], constant[N + M];
  const ank_phi *phi = ank_phi_find("mww");
  anorank_settings settings = defaults();
  ank_quality g, c;
  for (size_t i = 0; i < N + M; i++) good[i] = i < N ? 1 + (double)i : -(double)i, constant[i] = 0.5;
  assert_ok(ank_quality_of_scores(&g, good, N, good + N, M, phi, ANORANK_TIES_MAX, &settings, NULL));
  assert_ok(ank_quality_of_scores(&c, constant, N, constant + N, M, phi, ANORANK_TIES_MAX, &settings, NULL));
  assert_true(c.w > g.w); /* the trap: perfect order loses to none */
  assert_ok(ank_quality_of_scores(&g, good, N, good + N, M, phi, ANORANK_TIES_MID, &settings, NULL));
  assert_ok(ank_quality_of_scores(&c, constant, N, constant + N, M, phi, ANORANK_TIES_MID, &settings, NULL));
  assert_true(c.w < g.w);
  assert_close(c.area, 0.5, 0);
  assert_close(g.area, 0, 0);
  /* nor does a phi that bends down make a constant the best */
  phi = ank_phi_find("clipped");
  assert_ok(ank_quality_of_scores(&g, good, N, good + N, M, phi, ANORANK_TIES_MID, &settings, NULL));
  assert_ok(ank_quality_of_scores(&c, constant, N, constant + N, M, phi, ANORANK_TIES_MID, &settings, NULL));
  assert_true(c.w < g.w - 0.01);
}

TEST(invalid_settings_are_errors) {
  const char *const wrong[][3] = {{"scorer", "mpl", "scorer-unknown"},
                                  {"scorer", "", "scorer-unknown"},
                                  {"phi", "wilcoxon", "phi-unknown"},
                                  {"train-phi", "mww,x", "phi-unknown"},
                                  {"lambda", "1,,2", "setting-value"},
                                  {"lambda", "-1", "setting-value"},
                                  {"hidden", "0", "setting-value"},
                                  {"hidden", "4,", "setting-value"},
                                  {"learning-rate", "1000", "fit-diverged setting=learning-rate"}};
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    anorank_settings settings = defaults();
    anorank_error err = {0};
    ank_learned learned;
    settings.optimiser = ANORANK_OPTIMISER_MOMENTUM;
    assert_ok(ank_settings_lend(&settings, wrong[k][0], wrong[k][1], NULL));
    assert_true(ank_learn(&learned, &samples, NULL, 0, &settings, &err) != ANORANK_OK);
    assert_error(&err, wrong[k][2]);
    assert_null(learned.candidates);
  }
  anorank_settings settings = defaults();
  ank_learned learned;
  ank_samples no_contrast = {{x, N, 2}, {NULL, 0, 2}, NULL, {0}, NULL, 0, NULL};
  assert_status(ank_learn(&learned, &no_contrast, NULL, 0, &settings, NULL), ANORANK_ERROR_USAGE);
}

TEST_GROUP(set_up, NULL)
