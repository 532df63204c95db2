/* test_judgement.c - the whole judgement through the public functions. */
#include "core/alloc.h"
#include "criterion/judgement.h"
#include "support/check.h"
#include "support/slow_criterion.h"

static anorank_settings settings;

static anorank_judgement *judge(const double *x, size_t n, const double *u, size_t m) {
  anorank_judgement *judgement;
  anorank_error err = {0};
  assert_ok(anorank_judge(&judgement, x, n, u, m, &settings, &err));
  return judgement;
}

static void check_same(const anorank_judgement *a, const anorank_judgement *b) {
  assert_memory_equal(&a->info.area, &b->info.area, sizeof a->info.area);
  assert_memory_equal(a->w, b->w, sizeof a->w);
  assert_memory_equal(a->partial, b->partial, sizeof a->partial);
  assert_int_equal(a->saturation.inside, b->saturation.inside);
  assert_memory_equal(a->curve, b->curve, a->points * sizeof *a->curve);
  assert_memory_equal(a->excess, b->excess, a->points * sizeof *a->excess);
}

TEST(threads_do_not_change_a_byte) {
  enum { N = 180000, M = 120000 }; /* more than one chunk */
  double *x = test_memory(N * sizeof *x), *u = test_memory(M * sizeof *u);
  anorank_settings before = settings;
  for (int tied = 0; tied < 2; tied++) {
    slow_scores(x, N, 0.5, tied ? 0.01 : 0, 1);
    slow_scores(u, M, 0, tied ? 0.01 : 0, 2);
    settings.threads = 1;
    scoped_judgement *one = judge(x, N, u, M);
    anorank_comparison pair, other;
    assert_ok(anorank_compare(&pair, x, u, M, u, x, M, &settings, NULL));
    for (int64_t threads = 2; threads <= 8; threads *= 4) {
      settings.threads = threads;
      anorank_judgement *many = judge(x, N, u, M);
      check_same(one, many);
      anorank_judgement_free(many);
      assert_ok(anorank_compare(&other, x, u, M, u, x, M, &settings, NULL));
      assert_memory_equal(&pair, &other, sizeof pair);
    }
  }
  settings = before;
}

TEST(an_increasing_map_of_the_scores_changes_nothing) {
  enum { N = 300, M = 200 };
  double x[N], u[M];
  slow_scores(x, N, 0.5, 0.1, 3);
  slow_scores(u, M, 0, 0.1, 4);
  scoped_judgement *before = judge(x, N, u, M);
  for (size_t i = 0; i < N; i++) x[i] = exp(x[i]);
  for (size_t j = 0; j < M; j++) u[j] = exp(u[j]);
  scoped_judgement *after = judge(x, N, u, M);
  check_same(before, after);
}

TEST(getters_return_borrowed_results) {
  const double x[] = {3, 1}, u[] = {2, 0};
  size_t count;
  scoped_judgement *judgement = judge(x, 2, u, 2);
  assert_int_equal(anorank_judgement_get_info(judgement)->n, 2);
  assert_int_equal(anorank_judgement_get_info(judgement)->m, 2);
  assert_close(anorank_judgement_get_info(judgement)->area.estimate, 0.25, 0);
  const anorank_w *w = anorank_judgement_get_info(judgement)->w;
  count = anorank_judgement_get_info(judgement)->w_count;
  assert_int_equal(count, ANK_PHI_COUNT);
  assert_close(w[0].sum, 6 / 5.0, 1e-15);
  assert_close(w[0].p_value, 2 / 6.0, 1e-15);
  const anorank_curve_point *curve = anorank_judgement_get_info(judgement)->curve;
  count = anorank_judgement_get_info(judgement)->points;
  assert_int_equal(count, settings.points);
  assert_close(curve[0].mass, 0, 0);
  assert_close(curve[count - 1].volume, 1, 0);
  count = anorank_judgement_get_info(judgement)->points;
  assert_int_equal(count, settings.points);
  const anorank_partial_area *partial = anorank_judgement_get_info(judgement)->partial;
  count = anorank_judgement_get_info(judgement)->partial_count;
  assert_int_equal(count, ANK_PARTIAL_COUNT);
  assert_close(partial[0].area.estimate + partial[1].area.estimate, 0.25, 1e-15);
  assert_int_equal(anorank_judgement_get_info(judgement)->saturation->blind, 1);
  anorank_judgement_free(NULL);
}

TEST(without_bootstrap_there_are_no_bands) {
  const double x[] = {3, 1, 4}, u[] = {2, 0, 1};
  anorank_settings before = settings;
  settings.bootstrap = 0;
  anorank_judgement *judgement = judge(x, 3, u, 3);
  for (size_t k = 0; k < judgement->points; k++)
    assert_true(isnan(judgement->curve[k].low) && isnan(judgement->curve[k].band_high));
  anorank_judgement_free(judgement);
  settings = before;
}

TEST(saturation_counts_contrast_rows_among_the_normal_ones) {
  enum { N = 1000, M = 400 };
  double x[N], u[M];
  for (size_t i = 0; i < N; i++) x[i] = (double)i;
  /* F^{-1}(0.01) is the 10th lowest, 9. */
  for (size_t j = 0; j < M; j++) u[j] = j < 29 ? 9 : 8.5;
  scoped_judgement *judgement = judge(x, N, u, M);
  assert_int_equal(judgement->saturation.inside, 29);
  assert_close(judgement->saturation.share, 29.0 / M, 1e-15);
  assert_int_equal(judgement->saturation.blind, 1);
  anorank_judgement_free(judgement);
  u[29] = 9;
  judgement = judge(x, N, u, M);
  assert_int_equal(judgement->saturation.blind, 0);
}

TEST(infinities_are_scores_like_others) {
  const double x[] = {INFINITY, 0, INFINITY, 1}, u[] = {-INFINITY, INFINITY, -INFINITY};
  scoped_judgement *judgement = judge(x, 4, u, 3);
  assert_close(judgement->info.area.estimate, slow_area(x, 4, u, 3), 1e-15);
}

TEST(wrong_input_is_named) {
  const double good[] = {1, 2, 3}, bad[] = {1, NAN, 3};
  anorank_judgement *judgement = (anorank_judgement *)&settings;
  anorank_error err = {0};
  assert_fails(anorank_judge(&judgement, bad, 3, good, 3, &settings, &err), ANORANK_ERROR_DATA,
               "score-nan row=2");
  assert_null(judgement);
  assert_status(anorank_judge(&judgement, good, 3, good, 1, &settings, &err), ANORANK_ERROR_DATA);
  assert_status(anorank_judge(&judgement, good, 3, NULL, 0, &settings, &err), ANORANK_ERROR_DATA);
  assert_status(anorank_judge(&judgement, NULL, 3, good, 3, &settings, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_judge(NULL, good, 3, good, 3, &settings, &err), ANORANK_ERROR_USAGE);
  anorank_settings wrong = settings;
  wrong.band_from = wrong.band_to = 0.5;
  assert_fails(anorank_judge(&judgement, good, 3, good, 3, &wrong, &err), ANORANK_ERROR_USAGE,
               "setting-band-order");
}

TEST(ranks_are_given_back_row_by_row) {
  const double scores[] = {3, -0.0, INFINITY, 0.0, 3, -INFINITY}, bad[] = {0, NAN};
  static const double mid[] = {4.5, 2.5, 6, 2.5, 4.5, 1}, max[] = {5, 3, 6, 3, 5, 1};
  double ranks[6];
  anorank_error err = {0};
  assert_ok(anorank_ranks(ranks, scores, 6, ANORANK_TIES_MID, NULL, NULL));
  for (int i = 0; i < 6; i++) assert_close(ranks[i], mid[i], 0);
  assert_ok(anorank_ranks(ranks, scores, 6, ANORANK_TIES_MAX, &settings, NULL));
  for (int i = 0; i < 6; i++) assert_close(ranks[i], max[i], 0);
  assert_ok(anorank_ranks(NULL, NULL, 0, ANORANK_TIES_MID, NULL, NULL));
  assert_fails(anorank_ranks(ranks, bad, 2, ANORANK_TIES_MID, NULL, &err), ANORANK_ERROR_DATA,
               "score-nan row=2");
  assert_status(anorank_ranks(NULL, scores, 6, ANORANK_TIES_MID, NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_ranks(ranks, scores, 6, (anorank_ties)7, NULL, &err), ANORANK_ERROR_USAGE);
}

static int stop_at(void *context, double share, const char *what) {
  double *stop = context;
  assert_non_null(what);
  assert_true(share >= 0 && share <= 1);
  return share >= *stop;
}

TEST(the_callback_can_stop_the_work) {
  const double x[] = {3, 1, 4}, u[] = {2, 0, 1};
  anorank_settings mine = settings;
  double stops[] = {0, 0.4, 0.61, 0.85, 1};
  mine.progress = stop_at;
  for (size_t k = 0; k < 5; k++) {
    anorank_judgement *judgement;
    mine.progress_context = &stops[k];
    assert_status(anorank_judge(&judgement, x, 3, u, 3, &mine, NULL), ANORANK_CANCELLED);
    assert_null(judgement);
  }
}

TEST(every_allocation_may_fail_once) {
  enum { N = 100, M = 80 };
  double x[N], u[M];
  unsigned char labels[N];
  anorank_settings mine = settings;
  mine.threads = 1;
  slow_scores(x, N, 0.5, 0.1, 8);
  slow_scores(u, M, 0, 0.1, 9);
  for (size_t i = 0; i < N; i++) labels[i] = i % 3 == 0;
  for (int what = 0; what < 4; what++)
    for (size_t k = 1;; k++) {
      anorank_judgement *judgement = NULL;
      anorank_comparison pair;
      anorank_labelled metrics;
      double accuracy;
      anorank_error err = {0};
      ank_alloc_fail_at(k);
      anorank_status status = what == 0   ? anorank_judge(&judgement, x, N, u, M, &mine, &err)
                              : what == 1 ? anorank_compare(&pair, x, u, M, u, x, M, &mine, &err)
                              : what == 2 ? anorank_labelled_metrics(&metrics, x, labels, N, &mine, &err)
                                          : anorank_accuracy_lowest(&accuracy, x, labels, N, 10, &err);
      ank_alloc_fail_at(0);
      anorank_judgement_free(judgement);
      if (status == ANORANK_OK) break;
      assert_status(status, ANORANK_ERROR_RESOURCES);
      assert_error(&err, "memory-exhausted");
    }
}

static int set_up(void **state) {
  (void)state;
  ank_settings_default(&settings);
  settings.bootstrap = 100;
  return 0;
}

TEST_GROUP(set_up, NULL)
