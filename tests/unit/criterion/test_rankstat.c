/* test_rankstat.c - W_phi, its permutation law and the paper's identities. */
#include "criterion/area.h"
#include "criterion/rankstat.h"
#include "golden/criterion.inc"
#include "support/check.h"
#include "support/slow_criterion.h"

#define COUNT(array) (sizeof array / sizeof array[0])

static anorank_settings settings;

static void statistics(anorank_w *w, ank_pairs *pairs, const double *x, size_t n, const double *u, size_t m,
                       anorank_ties ties) {
  anorank_settings mine = settings;
  ank_pooled pooled;
  mine.ties = (int32_t)ties;
  assert_ok(ank_pooled_make(&pooled, x, n, "x", u, m, "u", &mine, NULL));
  assert_ok(ank_rankstat(w, pairs, &pooled, &mine, NULL));
  ank_pooled_free(&pooled);
}

static void check_golden(anorank_ties ties, const double *sums, const double *means, const double *sds) {
  anorank_w w[ANK_PHI_COUNT];
  ank_pairs pairs;
  statistics(w, &pairs, tied_x, COUNT(tied_x), tied_u, COUNT(tied_u), ties);
  for (size_t k = 0; k < ANK_PHI_COUNT; k++) {
    assert_string_equal(w[k].phi, ank_phi_at(k)->info.name);
    assert_close(w[k].sum, sums[k], 1e-11);
    assert_close(w[k].mean, sums[k] / (double)COUNT(tied_x), 1e-13);
    assert_close(w[k].null_mean, means[k], 1e-11);
    assert_close(w[k].null_sd, sds[k], 1e-11);
    assert_close(w[k].z, (sums[k] - means[k]) / sds[k], 1e-11);
    assert_int_equal(w[k].exact, 0);
  }
}

TEST(all_eight_agree_with_numpy_when_scores_are_tied) {
  check_golden(ANORANK_TIES_MID, tied_w_average, tied_mean_average, tied_sd_average);
  check_golden(ANORANK_TIES_MAX, tied_w_max, tied_mean_max, tied_sd_max);
}

TEST(p_values_agree_with_scipy) {
  anorank_w w[ANK_PHI_COUNT];
  ank_pairs pairs;
  statistics(w, &pairs, small_x, COUNT(small_x), small_u, COUNT(small_u), ANORANK_TIES_MID);
  assert_int_equal(w[0].exact, 1);
  assert_close_relative(w[0].p_value, small_exact_p, 1e-12);
  assert_close_relative(w[1].p_value, small_normal_p, 1e-12); /* logistic: the same statistic, not exact */
  statistics(w, &pairs, edge_x, COUNT(edge_x), edge_u, COUNT(edge_u), ANORANK_TIES_MID);
  assert_int_equal(w[0].exact, 1);
  assert_close_relative(w[0].p_value, edge_exact_p, 1e-12);
  statistics(w, &pairs, tied_x, COUNT(tied_x), tied_u, COUNT(tied_u), ANORANK_TIES_MID);
  assert_close_relative(w[0].p_value, tied_normal_p, 1e-12);
}

TEST(exact_law_of_two_and_two_rows_is_that_of_six_orders) {
  static const double tail[] = {1, 5 / 6.0, 4 / 6.0, 2 / 6.0, 1 / 6.0};
  for (size_t v = 0; v < COUNT(tail); v++) assert_close(ank_mann_whitney_tail(2, 2, v), tail[v], 1e-15);
  assert_close(ank_mann_whitney_tail(1, 49, 49), 1 / 50.0, 1e-15);
  assert_close(ank_mann_whitney_tail(49, 1, 1), 49 / 50.0, 1e-15);
}

/* Eq. 8, n m (1 - area) + n (n + 1) / 2 = rank sum, doubled so that halves are whole. */
TEST(rank_sum_and_area_agree_to_the_unit) {
  static const struct {
    size_t n, m;
    double grid;
  } cases[] = {{2, 2, 0}, {7, 300, 0}, {300, 7, 1}, {250, 250, 0.1}, {400000, 300000, 0}, {100000, 9, 0.01}};
  for (size_t c = 0; c < COUNT(cases); c++) {
    size_t n = cases[c].n, m = cases[c].m;
    double *x = test_memory(n * sizeof *x), *u = test_memory(m * sizeof *u);
    anorank_w w[ANK_PHI_COUNT];
    ank_pairs pairs;
    slow_scores(x, n, 0.4, cases[c].grid, 10 + c);
    slow_scores(u, m, 0, cases[c].grid, 20 + c);
    statistics(w, &pairs, x, n, u, m, ANORANK_TIES_MID);
    ank_wide twice_sum = ank_wide_add(pairs.twice_below, ank_mul_64_64(n, n + 1));
    assert_int_equal(ank_wide_compare(pairs.twice_rank_sum, twice_sum), 0);
    assert_close(w[0].sum, ank_wide_double(pairs.twice_rank_sum) / (2.0 * ((double)(n + m) + 1)), 0);
    if (n + m < 1000) {
      double slow = 0;
      for (size_t i = 0; i < n; i++) slow += slow_rank(x[i], x, n, u, m, 0);
      assert_true(ank_wide_double(pairs.twice_rank_sum) == 2 * slow);
      assert_close(ank_area(&pairs, n, m, 0.95).estimate, slow_area(x, n, u, m), 1e-15);
    }
  }
}

/* Eq. 10 as it holds exactly for samples without ties. The rank of the (k + 1)-th highest X is (n - k) plus
 * the U below it, so with k = floor(n a) and Eq. 6,
 *   W_phi / n = integral over a of phi( N / (N + 1) * (1 - p floor(n a) / n - (1 - p) MV~(a)) ). */
TEST(w_is_the_integral_over_the_step_curve) {
  enum { N_X = 83, N_U = 131 };
  double x[N_X], u[N_U], total = N_X + N_U, p = N_X / total;
  anorank_w w[ANK_PHI_COUNT];
  ank_pairs pairs;
  slow_scores(x, N_X, 0.8, 0, 5);
  slow_scores(u, N_U, 0, 0, 6);
  statistics(w, &pairs, x, N_X, u, N_U, ANORANK_TIES_MAX);
  for (size_t k = 0; k < ANK_PHI_COUNT; k++) {
    const ank_phi *phi = ank_phi_at(k);
    double integral = 0;
    for (size_t step = 0; step < N_X; step++) {
      double inner = 1 - p * (double)step / N_X - (1 - p) * slow_volume(step, x, N_X, u, N_U);
      integral += phi->value(total / (total + 1) * inner, ank_phi_parameter(phi, &settings)) / N_X;
    }
    assert_close(w[k].mean, integral, 1e-12);
  }
}

TEST(constant_scores_carry_no_evidence) {
  const double same[] = {3, 3, 3, 3, 3};
  anorank_w w[ANK_PHI_COUNT];
  ank_pairs pairs;
  statistics(w, &pairs, same, 5, same, 4, ANORANK_TIES_MID);
  for (size_t k = 0; k < ANK_PHI_COUNT; k++) {
    assert_true(w[k].null_sd == 0 && w[k].z == 0 && w[k].p_value == 1);
    assert_close(w[k].sum, w[k].null_mean, 1e-14);
  }
  assert_close(ank_area(&pairs, 5, 4, 0.95).estimate, 0.5, 0);
  statistics(w, &pairs, same, 5, same, 4, ANORANK_TIES_MAX);
  assert_close(w[0].mean, 0.9, 1e-15); /* the trap of the paper's ties: the largest rank for everybody */
}

/* phi of the mean rank would give constant scores W_clipped = c, that of a perfect order. */
TEST(constant_scores_are_worth_the_mean_of_phi) {
  enum { N_X = 400, N_U = 600 };
  double x[N_X], u[N_U], same[N_U] = {0};
  anorank_w perfect[ANK_PHI_COUNT], constant[ANK_PHI_COUNT];
  ank_pairs pairs;
  for (size_t i = 0; i < N_X; i++) x[i] = N_U + (double)i;
  for (size_t j = 0; j < N_U; j++) u[j] = (double)j;
  statistics(perfect, &pairs, x, N_X, u, N_U, ANORANK_TIES_MID);
  statistics(constant, &pairs, same, N_X, same, N_U, ANORANK_TIES_MID);
  for (size_t k = 0; k < ANK_PHI_COUNT; k++) {
    double mean = 0;
    for (size_t rank = 1; rank <= N_X + N_U; rank++)
      mean +=
          ank_phi_at(k)->value((double)rank / (N_X + N_U + 1), ank_phi_parameter(ank_phi_at(k), &settings)) /
          (N_X + N_U);
    assert_close(constant[k].mean, mean, 1e-12);
    assert_true(constant[k].mean < perfect[k].mean - 0.01);
  }
}

TEST(null_law_is_that_of_all_orders) {
  /* n = 2 of the 6 rows: 15 equally likely choices; ties between X and U on purpose. */
  const double rows[] = {0.1, 0.4, 0.4, 0.7, 0.9, 0.9};
  for (size_t k = 0; k < ANK_PHI_COUNT; k++) {
    double sum = 0, squares = 0, mean = 0, sd = 0;
    for (size_t a = 0; a < 6; a++)
      for (size_t b = a + 1; b < 6; b++) {
        double x[2] = {rows[a], rows[b]}, u[4];
        size_t used = 0;
        anorank_w w[ANK_PHI_COUNT];
        ank_pairs pairs;
        for (size_t i = 0; i < 6; i++)
          if (i != a && i != b) u[used++] = rows[i];
        statistics(w, &pairs, x, 2, u, 4, ANORANK_TIES_MID);
        sum += w[k].sum;
        squares += w[k].sum * w[k].sum;
        mean = w[k].null_mean;
        sd = w[k].null_sd;
      }
    assert_close(sum / 15, mean, 1e-13);
    assert_close(sqrt(squares / 15 - sum / 15 * sum / 15), sd, 1e-7);
  }
}

static int set_up(void **state) {
  (void)state;
  ank_settings_default(&settings);
  return 0;
}

TEST_GROUP(set_up, NULL)
