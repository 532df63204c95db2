/* The paper's experiment with few repetitions: the shape of the table, its dependence on the settings, and
 * errors.
 *
 * labels: nothreads */
#include "core/alloc.h"
#include "paper/paper_figures.h"
#include "support/check.h"

TEST_SCOPED(reproduction, anorank_reproduction, anorank_reproduction_free)
#define scoped_reproduction scoped(reproduction) anorank_reproduction

static anorank_settings settings_of(int64_t repetitions) {
  anorank_settings settings = test_settings();
  settings.repetitions = repetitions;
  settings.threads = 1;
  return settings;
}

static anorank_reproduction *reproduce(const anorank_settings *settings) {
  anorank_reproduction *r = NULL;
  anorank_error err = {0};
  anorank_status status = anorank_reproduce(&r, settings, &err);
  if (status != ANORANK_OK) print_error("%s\n", err.message);
  assert_ok(status);
  assert_non_null(r);
  return r;
}

TEST(table_has_the_papers_columns_and_stays_below_the_ceiling) {
  anorank_settings settings = settings_of(20);
  scoped_reproduction *r = reproduce(&settings);
  static const double paper[] = {0.91, 0.84, 0.74, 0.64};
  size_t count;
  const anorank_accuracy *table = anorank_reproduction_table(r, &count);
  assert_int_equal(count, 4);
  for (size_t c = 0; c < 4; c++) {
    assert_int_equal(table[c].n_lowest, 25 * (c + 1));
    assert_close(table[c].paper_mean, paper[c], 0);
    /* the known values of many repetitions, within four standard errors of twenty */
    assert_close(table[c].mean, paper[c], 4 * 0.08 / sqrt(20) + 0.015);
    assert_true(table[c].mean <= table[c].ceiling_mean + 0.02);
    assert_true(table[c].sd > 0.01 && table[c].sd < 0.2);
  }
  /* 4000 draws of the true density gave 0.936, 0.874, 0.770, 0.667 */
  assert_close(table[0].ceiling_mean, 0.936, 4 * 0.065 / sqrt(20));
  assert_close(table[3].ceiling_mean, 0.667, 4 * 0.053 / sqrt(20));
}

TEST(every_repetition_trains_the_grid_and_chooses_once) {
  anorank_settings settings = settings_of(3);
  settings.lambda = "0,1,1";
  settings.restarts = 2;
  settings.epochs = 2;
  scoped_reproduction *r = reproduce(&settings);
  const double *lambdas;
  const size_t *chosen;
  double seconds;
  assert_int_equal(anorank_reproduction_networks(r, &seconds), 3 * 3 * 2);
  assert_true(seconds > 0);
  assert_int_equal(anorank_reproduction_lambdas(r, &lambdas, &chosen), 3);
  assert_close(lambdas[2], 1, 0);
  assert_int_equal(chosen[0] + chosen[1] + chosen[2], 3);
}

TEST(table_is_the_same_bytes_for_any_number_of_threads) {
  static const int64_t threads[] = {2, 8};
  anorank_settings settings = settings_of(5);
  settings.epochs = 3;
  scoped_reproduction *one = reproduce(&settings);
  for (size_t k = 0; k < 2; k++) {
    settings.threads = threads[k];
    scoped_reproduction *many = reproduce(&settings);
    assert_memory_equal(one->table, many->table, sizeof one->table);
    assert_memory_equal(one->chosen, many->chosen, sizeof one->chosen);
  }
  settings.seed = 1;
  scoped_reproduction *other = reproduce(&settings);
  assert_memory_not_equal(one->table, other->table, sizeof one->table);
}

TEST(more_repetitions_keep_the_first_ones) {
  anorank_settings settings = settings_of(1);
  settings.epochs = 2;
  scoped_reproduction *first = reproduce(&settings);
  settings.repetitions = 2;
  scoped_reproduction *both = reproduce(&settings);
  /* with two values, mean - sd and mean + sd are the values themselves */
  for (size_t c = 0; c < ANK_PAPER_COLUMNS; c++) {
    double off = fabs(first->table[c].mean - both->table[c].mean);
    assert_close(off, both->table[c].sd, 1e-12);
  }
}

TEST(best_trains_four_networks_for_each_lambda) {
  anorank_settings settings = settings_of(2);
  settings.best = 1;
  settings.epochs = 4;
  settings.lambda = "0,1";
  scoped_reproduction *r = reproduce(&settings);
  assert_int_equal(anorank_reproduction_networks(r, NULL), 2 * 2 * 4);
  for (size_t c = 0; c < ANK_PAPER_COLUMNS; c++) assert_true(r->table[c].mean > 0.1);
}

TEST(largest_ranks_choose_collapsed_networks) {
  anorank_settings settings = settings_of(8);
  scoped_reproduction *mid = reproduce(&settings);
  settings.select_ties = ANORANK_TIES_MAX;
  settings.restarts = 4;
  scoped_reproduction *max = reproduce(&settings);
  assert_true(max->table[3].mean < mid->table[3].mean - 0.02);
}

TEST(other_objectives_have_one_lambda) {
  anorank_settings settings = settings_of(1);
  settings.objective = ANORANK_OBJECTIVE_RANK;
  settings.epochs = 2;
  settings.dim = 3;
  scoped_reproduction *r = reproduce(&settings);
  const double *lambdas;
  assert_int_equal(anorank_reproduction_lambdas(r, &lambdas, NULL), 1);
  assert_close(lambdas[0], 0, 0);
  assert_int_equal(anorank_reproduction_networks(r, NULL), 1);
}

TEST(figures_see_the_first_repetition_and_average_all) {
  anorank_settings settings = settings_of(3);
  ank_paper_figures *f;
  scoped_reproduction *r = reproduce(&settings);
  assert_ok(ank_paper_figures_make(&f, r, NULL));
  assert_close(f->curve_lambda, 1, 0);
  for (size_t k = 1; k < ANK_PAPER_GRID; k++) {
    assert_true(f->optimum.mean[k] >= f->optimum.mean[k - 1]);
    assert_true(f->typical[k] >= f->typical[k - 1] && f->typical[k] <= 1);
  }
  assert_true(f->optimum.sd[50] > 0);
  /* the true density at half the mass: the disc of squared radius 0.2 log 2, in that of the data */
  assert_close(f->typical_optimum[50], 0.2 * log(2) / (f->data.radius * f->data.radius), 0.05);
  for (size_t i = 0; i < ANK_PAPER_X; i++) assert_true(f->x_score[i] >= 0 && f->x_score[i] <= 1);
  const ank_epoch *last = &f->logs[29];
  assert_true(last->bce < f->logs[0].bce && last->accuracy > 0 && last->accuracy <= 1);
  ank_paper_figures_free(f);
}

TEST(invalid_calls_are_refused_with_a_reason) {
  static const struct {
    const char *name, *value, *says;
  } cases[] = {{"scorer", "knn", "paper-scorer"},  {"scorer", "nonsense", "paper-scorer"},
               {"lambda", "0,x", "setting-value"}, {"lambda", "-1", "setting-value"},
               {"phi", "median", "phi-no-slope"},  {"phi", "nonsense", "phi-unknown"},
               {"dim", "5000", "paper-dim"}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    anorank_settings settings = settings_of(1);
    anorank_reproduction *r;
    anorank_error err = {0};
    assert_ok(ank_settings_lend(&settings, cases[k].name, cases[k].value, NULL));
    assert_status(anorank_reproduce(&r, &settings, &err), ANORANK_ERROR_USAGE);
    assert_null(r);
    assert_error(&err, cases[k].says);
  }
  assert_status(anorank_reproduce(NULL, NULL, NULL), ANORANK_ERROR_USAGE);
  assert_status(anorank_reproduction_write(NULL, "x", NULL, NULL, NULL), ANORANK_ERROR_USAGE);
  anorank_reproduction_free(NULL);
  assert_null(anorank_reproduction_table(NULL, NULL));
  assert_int_equal(anorank_reproduction_lambdas(NULL, NULL, NULL), 0);
  assert_int_equal(anorank_reproduction_networks(NULL, NULL), 0);
}

static int stop(void *context, double share, const char *what) {
  (void)what;
  *(int *)context += 1;
  return share > 0;
}

TEST(progress_may_stop_it) {
  anorank_settings settings = settings_of(40);
  anorank_reproduction *r;
  int calls = 0;
  settings.epochs = 1;
  settings.progress = stop;
  settings.progress_context = &calls;
  assert_status(anorank_reproduce(&r, &settings, NULL), ANORANK_CANCELLED);
  assert_null(r);
  assert_int_equal(calls, 2);
}

/* There are thousands of requests: every k-th is looked at, with steps that share no factor
 * with the loops. */
TEST(an_allocation_may_fail) {
  anorank_settings settings = settings_of(1);
  settings.epochs = 1;
  settings.lambda = "0,1";
  for (size_t k = 1, done = 0; !done; k += k < 20 ? 1 : 7) {
    scoped_reproduction *r;
    anorank_error err = {0};
    (void)ank_alloc_fail_at(k);
    anorank_status status = anorank_reproduce(&r, &settings, &err);
    done = ank_alloc_fail_at(0) < k;
    assert_status(status, done ? ANORANK_OK : ANORANK_ERROR_RESOURCES);
    assert_true((r != NULL) == (status == ANORANK_OK));
  }
}

TEST(scorers_are_listed) {
  int found = 0;
  assert_non_null(anorank_class_at(1));
  for (size_t i = 0; anorank_class_at(i); i++)
    found += strcmp(anorank_class_at(i)->name, "mlp") == 0 && anorank_class_at(i)->differentiable;
  assert_int_equal(found, 1);
  assert_null(anorank_class_at(1000));
}
