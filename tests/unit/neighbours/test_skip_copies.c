/* When a row at distance 0 is the row itself: src/neighbours/skip_copies.h. */
#include "neighbours/skip_copies.h"
#include "support/scorers.h"

static int skips_after(int had_copies, const double *x, size_t rows, size_t dim, anorank_train train) {
  anorank_settings settings = test_settings();
  int answer = -1;
  settings.threads = 1;
  settings.train = train;
  assert_ok(ank_skips_copies(&answer, &(ank_matrix){x, rows, dim}, had_copies, &settings, NULL));
  return answer;
}

static int skips(const double *x, size_t rows, size_t dim, anorank_train train) {
  return skips_after(0, x, rows, dim, train);
}

TEST(copies_are_skipped_under_clean_only_where_no_two_rows_are_equal) {
  enum { N = 5000, DIM = 3 };
  double *x = test_rows(N, DIM, 4);
  assert_int_equal(skips(x, N, DIM, ANORANK_TRAIN_CLEAN), 1);
  memcpy(x + 17 * DIM, x + 4711 * DIM, (DIM - 1) * sizeof *x); /* all columns but one */
  assert_int_equal(skips(x, N, DIM, ANORANK_TRAIN_CLEAN), 1);
  memcpy(x + 17 * DIM, x + 4711 * DIM, DIM * sizeof *x);
  assert_int_equal(skips(x, N, DIM, ANORANK_TRAIN_CLEAN), 0);
  assert_int_equal(skips(x, N, DIM, ANORANK_TRAIN_CONTAMINATED), 1);
}

TEST(zero_has_one_sign_and_the_order_of_columns_counts) {
  const double zeros[] = {0.0, 1, -0.0, 1}, swapped[] = {1, 2, 2, 1}, one[] = {5};
  assert_int_equal(skips(zeros, 2, 2, ANORANK_TRAIN_CLEAN), 0);
  assert_int_equal(skips(swapped, 2, 2, ANORANK_TRAIN_CLEAN), 1);
  assert_int_equal(skips(one, 1, 1, ANORANK_TRAIN_CLEAN), 1);
}

TEST(copies_that_were_taken_out_before_the_fit_count_under_clean) {
  const double distinct[] = {1, 2, 3};
  assert_int_equal(skips_after(0, distinct, 3, 1, ANORANK_TRAIN_CLEAN), 1);
  assert_int_equal(skips_after(1, distinct, 3, 1, ANORANK_TRAIN_CLEAN), 0);
  assert_int_equal(skips_after(1, distinct, 3, 1, ANORANK_TRAIN_CONTAMINATED), 1);
}
