/* test_area.c - the area, its parts, their standard errors and intervals. */
#include "criterion/area.h"
#include "golden/criterion.inc"
#include "support/check.h"
#include "support/slow_criterion.h"

#define COUNT(array) (sizeof array / sizeof array[0])

static anorank_settings settings;

static anorank_interval area_of(const double *x, size_t n, const double *u, size_t m) {
  anorank_w w[ANK_PHI_COUNT];
  ank_pairs pairs;
  ank_pooled pooled;
  assert_ok(ank_pooled_make(&pooled, x, n, "x", u, m, "u", &settings, NULL));
  assert_ok(ank_rankstat(w, &pairs, &pooled, &settings, NULL));
  ank_pooled_free(&pooled);
  return ank_area(&pairs, n, m, settings.level);
}

static void partial_of(anorank_partial_area *parts, size_t count, const double *x, size_t n, const double *u,
                       size_t m) {
  ank_pooled pooled;
  assert_ok(ank_pooled_make(&pooled, x, n, "x", u, m, "u", &settings, NULL));
  assert_ok(ank_partial_areas(parts, count, &pooled, &settings, NULL));
  ank_pooled_free(&pooled);
}

TEST(area_and_error_agree_with_the_slow_delong) {
  anorank_interval area = area_of(tied_x, COUNT(tied_x), tied_u, COUNT(tied_u));
  assert_close(area.estimate, tied_area, 1e-15);
  assert_close(area.sd, tied_area_sd, 1e-15);
  /* logit scale */
  double logit = log(tied_area / (1 - tied_area));
  double half = 1.959963984540054 * tied_area_sd / (tied_area * (1 - tied_area));
  assert_close(area.low, 1 / (1 + exp(-(logit - half))), 1e-14);
  assert_close(area.high, 1 / (1 + exp(-(logit + half))), 1e-14);
}

TEST(partial_areas_agree_with_scikit_learn) {
  anorank_partial_area parts[] = {{.from = 0.9, .to = 1}, {.from = 0.95, .to = 1}, {.from = 0.99, .to = 1}};
  partial_of(parts, 3, tied_x, COUNT(tied_x), tied_u, COUNT(tied_u));
  assert_close(parts[0].area.estimate, tied_partial_90, 1e-14);
  assert_close(parts[1].area.estimate, tied_partial_95, 1e-14);
  assert_close(parts[2].area.estimate, tied_partial_99, 1e-14);
}

TEST(parts_add_up_and_the_whole_part_is_the_area) {
  enum { N = 90, M = 140 };
  double x[N], u[M];
  for (uint64_t seed = 0; seed < 6; seed++) {
    double grid = seed % 2 ? 0.4 : 0;
    anorank_partial_area parts[] = {
        {.from = 0, .to = 1}, {.from = 0, .to = 0.33}, {.from = 0.33, .to = 0.9}, {.from = 0.9, .to = 1}};
    slow_scores(x, N, 0.5, grid, 30 + seed);
    slow_scores(u, M, 0, grid, 40 + seed);
    partial_of(parts, 4, x, N, u, M);
    anorank_interval area = area_of(x, N, u, M);
    assert_close(parts[0].area.estimate, area.estimate, 1e-14);
    assert_close(parts[0].area.sd, area.sd, 1e-14);
    assert_close(parts[1].area.estimate + parts[2].area.estimate + parts[3].area.estimate, area.estimate,
                 1e-14);
    for (int k = 0; k < 3; k++)
      assert_true(parts[k].area.low < parts[k].area.estimate && parts[k].area.estimate < parts[k].area.high);
    assert_true(isnan(parts[3].area.low) && isnan(parts[3].area.high)); /* nine rows are no sample */
  }
}

/* The standard error of a partial area, against the spread over fresh samples from the same laws. */
TEST(partial_error_is_the_spread_over_fresh_samples) {
  enum { N = 200, M = 200, REPEAT = 400 };
  double x[N], u[M], sum = 0, squares = 0, variance = 0;
  for (uint64_t r = 0; r < REPEAT; r++) {
    anorank_partial_area part = {.from = 0.9, .to = 1};
    slow_scores(x, N, 1, 0, 5000 + r);
    slow_scores(u, M, 0, 0, 9000 + r);
    partial_of(&part, 1, x, N, u, M);
    sum += part.area.estimate;
    squares += part.area.estimate * part.area.estimate;
    variance += part.area.sd * part.area.sd / REPEAT;
  }
  double spread = squares / REPEAT - sum / REPEAT * sum / REPEAT;
  assert_close_relative(sqrt(variance), sqrt(spread), 0.12); /* three standard errors of the spread */
}

TEST(turning_the_order_round_turns_the_area_round) {
  enum { N = 40, M = 60 };
  double x[N], u[M];
  slow_scores(x, N, 0.5, 0.5, 7);
  slow_scores(u, M, 0, 0.5, 8);
  anorank_interval before = area_of(x, N, u, M), swapped = area_of(u, M, x, N);
  for (size_t i = 0; i < N; i++) x[i] = -x[i];
  for (size_t j = 0; j < M; j++) u[j] = -u[j];
  anorank_interval after = area_of(x, N, u, M);
  assert_close(before.estimate + after.estimate, 1, 1e-15);
  assert_close(before.estimate + swapped.estimate, 1, 1e-15);
  assert_close(before.sd, after.sd, 1e-16);
  assert_close(before.sd, swapped.sd, 1e-16);
  assert_close(before.low, 1 - after.high, 1e-14);
}

TEST(perfect_separation_leaves_a_one_sided_bound) {
  const double high[] = {5, 6, 7, 8}, low[] = {1, 2, 3};
  anorank_interval area = area_of(high, 4, low, 3);
  assert_close(area.estimate, 0, 0);
  assert_close(area.low, 0, 0);
  assert_close(area.high, 1 - cbrt(0.025), 1e-14);
  area = area_of(low, 3, high, 4);
  assert_close(area.estimate, 1, 0);
  assert_close(area.low, cbrt(0.025), 1e-14);
  assert_close(area.high, 1, 0);
}

TEST(variance_keeps_its_digits_where_areas_are_tiny) {
  /* One U above one X among 2000 and 3000 rows. */
  enum { N = 2000, M = 3000 };
  static double x[N], u[M];
  for (size_t i = 0; i < N; i++) x[i] = 10 + (double)i;
  for (size_t j = 0; j < M; j++) u[j] = -(double)j;
  u[17] = 10.5;
  double n = N, m = M;
  anorank_interval area = area_of(x, N, u, M);
  /* One placement differs by 1 / m (or 1 / n) from all others: sample variance 1 / (n m^2), 1 / (m n^2). */
  double x_variance = 1 / (n * m * m), u_variance = 1 / (m * n * n);
  assert_close_relative(area.estimate, 1 / (n * m), 1e-14);
  assert_close_relative(area.sd, sqrt(x_variance / n + u_variance / m), 1e-12);
}

static int set_up(void **state) {
  (void)state;
  ank_settings_default(&settings);
  return 0;
}

TEST_GROUP(set_up, NULL)
