/* What a blend learns from feedback: against the equations it solves, and in cases with an obvious answer. */
#include "core/alloc.h"
#include "kernels/sort.h"
#include "scorers/blend.h"
#include "support/scorers.h"

enum { N = 600, DIM = 3 };

SCORER_UNDER_TEST(ank_scorer_blend)

static anorank_settings recipe(int32_t train) {
  anorank_settings settings = test_settings();
  settings.train = train;
  return settings;
}

/* `told`: first `confirmed` rows, then `dismissed`. */
static ank_blend *taught(const double *x, size_t n, const double *feedback_rows, size_t confirmed,
                         size_t dismissed, int32_t train) {
  anorank_settings settings = recipe(train);
  ank_samples samples = {
      {x, n, DIM}, {NULL, 0, DIM}, NULL, {feedback_rows, confirmed, DIM, dismissed}, NULL, 0, NULL};
  void *scorer = NULL;
  assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
  return scorer;
}

/* Abnormality of one row: minus its score. */
static double of(const ank_blend *blend, const double *row) {
  double score;
  test_score(&score, type, blend, row, 1, DIM);
  return -score;
}

static double apart(const float *a, const float *b) {
  double sum = 0;
  for (size_t j = 0; j < DIM; j++) sum += pow((double)a[j] - (double)b[j], 2);
  return sqrt(sum);
}

TEST(a_feedback_row_moves_to_its_target_up_to_the_noise) {
  double *x = test_rows(N, DIM, 41), odd[DIM] = {2, -2, 2}, far[DIM] = {-3, 3, -3};
  for (int32_t train = 0; train < 2; train++) {
    scoped_blend *plain = taught(x, N, NULL, 0, 0, train), *up = taught(x, N, odd, 1, 0, train),
                 *down = taught(x, N, odd, 0, 1, train);
    double before = of(plain, odd), median, *all = test_memory(N * sizeof *all);
    anorank_settings settings = recipe(train);
    ank_samples samples = {{x, N, DIM}, {NULL, 0, DIM}, NULL, {0}, NULL, 0, NULL};
    assert_ok(type->score_left_out(all, plain, &samples, &settings, NULL));
    for (size_t i = 0; i < N; i++) all[i] = -all[i];
    assert_ok(ank_sort(all, N, ank_settings_defaults(), NULL));
    median = (all[N / 2 - 1] + all[N / 2]) / 2;
    double top = all[593] + 0.01 * (all[594] - all[593]); /* the 99 % quantile: place 593.01 */
    assert_close(of(up, odd), before + 1.0 * (top - median) / 1.1, 1e-6); /* K + NOISE I is 1.1 */
    assert_close(of(down, odd), before - (before - median) / 1.1, 1e-6);
    assert_close(of(up, far), of(plain, far), 0.05); /* another kind keeps its place */
    assert_close(of(down, far), of(plain, far), 0.1);
  }
}

TEST(pulls_solve_their_equations_and_the_value_is_their_sum) {
  enum { P = 3, Q = 2 };
  double *x = test_rows(N, DIM, 42), *feedback_rows = test_rows(P + Q, DIM, 43);
  for (size_t i = 0; i < (P + Q) * DIM; i++) feedback_rows[i] *= 2;
  scoped_blend *blend = taught(x, N, feedback_rows, P, Q, ANORANK_TRAIN_CLEAN),
               *plain = taught(x, N, NULL, 0, 0, 0);
  const ank_feedback *feedback = &blend->feedback;
  assert_int_equal(feedback->confirmed, P);
  assert_int_equal(feedback->dismissed, Q);
  for (size_t a = 0; a < P + Q; a++) {
    double target = 0, value = 0;
    for (size_t b = 0; b < P + Q; b++) {
      double kernel = exp(-apart(feedback->mapped + a * DIM, feedback->mapped + b * DIM) / feedback->length);
      target += (kernel + (a == b ? 0.1 : 0)) * feedback->pull[b];
      value += kernel * feedback->pull[b];
    }
    if (a < P) { /* confirmed rows all ask for the same */
      static double first;
      if (a == 0) first = target;
      assert_close(target, first, 1e-5);
      assert_true(target > 0);
      if (feedback->near[0] == 0)
        assert_close(of(blend, feedback_rows + a * DIM) - of(plain, feedback_rows + a * DIM), value, 1e-5);
    } else {
      assert_true(target <= 1e-6);
    }
  }
}

TEST(answers_that_disagree_cancel) {
  double *x = test_rows(N, DIM, 44), both[2 * DIM] = {2, -2, 2, 2, -2, 2};
  scoped_blend *plain = taught(x, N, NULL, 0, 0, 1), *up = taught(x, N, both, 1, 0, 1),
               *mixed = taught(x, N, both, 1, 1, 1);
  assert_true(fabs(of(mixed, both) - of(plain, both)) < fabs(of(up, both) - of(plain, both)) + 1e-9 ||
              of(mixed, both) < of(plain, both));
  assert_true(of(mixed, both) < of(up, both));
}

/* Twelve anomalies on a line inside the data that no view sees: the nearest of them tells, and leaving each out
 * shows it. Twelve random rows tell nothing, and are given no weight. */
TEST(the_nearest_is_trusted_where_leaving_out_shows_a_gain) {
  enum { TOLD = 12 };
  double *x = test_rows(N, DIM, 45), *line = test_memory(TOLD * DIM * sizeof *line),
         *random = test_rows(TOLD, DIM, 46);
  for (size_t i = 0; i < TOLD; i++)
    for (size_t j = 0; j < DIM; j++) line[i * DIM + j] = 0.3 + 0.002 * (double)i;
  scoped_blend *agreed = taught(x, N, line, TOLD, 0, 0), *none = taught(x, N, random, TOLD, 0, 0);
  assert_true(agreed->feedback.near[0] > 0);
  assert_true(none->feedback.near[0] == 0);
}

TEST(many_answers_are_cut_to_the_most_that_are_held) {
  enum { MANY = 300 };
  double *x = test_rows(N, DIM, 47), *feedback_rows = test_rows(2 * MANY, DIM, 48);
  scoped_blend *blend = taught(x, N, feedback_rows, MANY, MANY, 1);
  assert_int_equal(blend->feedback.confirmed, ANK_MOST_FEEDBACK);
  assert_int_equal(blend->feedback.dismissed, ANK_MOST_FEEDBACK);
}

TEST(feedback_gives_the_same_bytes_for_any_number_of_threads) {
  double *x = test_rows(N, DIM, 49), *feedback_rows = test_rows(20, DIM, 50);
  ank_samples samples = {{x, N, DIM}, {NULL, 0, DIM}, NULL, {feedback_rows, 10, DIM, 10}, NULL, 0, NULL};
  scoped_bytes first = {0};
  for (int32_t threads = 1; threads <= 3; threads++) {
    anorank_settings settings = recipe(1);
    settings.threads = threads;
    scoped_scorer *scorer;
    assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
    ank_bytes saved = test_save(type, scorer);
    if (threads == 1) first = saved;
    assert_same_bytes(&saved, &first);
    if (threads > 1) ank_bytes_free(&saved);
  }
}

/* Columns that are normal already have no space of normal scores; what is saved names the one that is used. */
TEST(loaded_feedback_saves_to_the_same_bytes) {
  double *x = test_rows(N, DIM, 51), *feedback_rows = test_rows(20, DIM, 52);
  ank_samples samples = {{x, N, DIM}, {NULL, 0, DIM}, NULL, {feedback_rows, 10, DIM, 10}, NULL, 0, NULL};
  for (int clean = 0; clean < 2; clean++) {
    anorank_settings settings = recipe(clean);
    scoped_scorer *scorer, *again;
    assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
    scoped_bytes saved = test_save(type, scorer);
    ank_cursor in = {saved.data, saved.length, 0};
    assert_ok(ank_scorer_load(&again, type, &in, NULL));
    scoped_bytes resaved = test_save(type, again);
    assert_same_bytes(&resaved, &saved);
  }
}

TEST(each_allocation_of_the_learning_may_fail) {
  double *x = test_rows(40, DIM, 51), *feedback_rows = test_rows(4, DIM, 52);
  ank_samples samples = {{x, 40, DIM}, {NULL, 0, DIM}, NULL, {feedback_rows, 2, DIM, 2}, NULL, 0, NULL};
  anorank_settings settings = recipe(0);
  settings.fast = 1;
  settings.threads = 1;
  anorank_status status = ANORANK_ERROR_RESOURCES;
  size_t failed = 0;
  for (; status != ANORANK_OK; failed++) {
    scoped_scorer *scorer;
    anorank_error err = {0};
    (void)ank_alloc_fail_at(failed + 1);
    status = ank_scorer_fit(&scorer, type, &samples, &settings, &err);
    (void)ank_alloc_fail_at(0);
    assert_true((status == ANORANK_OK) == (scorer != NULL));
    if (status != ANORANK_OK) assert_int_equal(status, ANORANK_ERROR_RESOURCES);
  }
  assert_true(failed > 20);
}
