/* test_normal.c - the normal distribution against golden numbers (tests/golden/make_normal.py). */
#include "golden/normal.inc"
#include "kernels/normal.h"
#include "support/check.h"

#define ROWS(array) (sizeof(array) / sizeof *(array))

TEST(tails_keep_their_digits_down_to_the_smallest_number) {
  double worst = 0;
  for (size_t i = 0; i < ROWS(golden_cdf); i++) {
    double x = golden_cdf[i][0], below = golden_cdf[i][1], above = golden_cdf[i][2];
    double place = 5e-324; /* results this small are rounded to multiples of it */
    check_close(ank_normal_tail(x), above, place, 1e-15, "tail", "golden", __FILE__, __LINE__);
    assert_close_relative(ank_normal_tail(-x), below, 3e-16);
    double off = fabs(ank_normal_tail(x) / above - 1);
    if (above > 1e-300 && off > worst) worst = off;
  }
  print_message("largest relative error of a tail: %.2e\n", worst);
}

TEST(quantiles_have_fifteen_digits_everywhere) {
  double worst = 0;
  for (size_t i = 0; i < ROWS(golden_quantile); i++) {
    double p = golden_quantile[i][0], x = golden_quantile[i][1];
    assert_close_relative(ank_normal_quantile(p), x, 1e-15);
    double off = fabs(ank_normal_quantile(p) / x - 1);
    if (off > worst) worst = off;
  }
  print_message("largest relative error of a quantile: %.2e\n", worst);
}

TEST(ends_and_impossible_arguments_have_their_values) {
  assert_close(ank_normal_quantile(0), -INFINITY, 0);
  assert_close(ank_normal_quantile(1), INFINITY, 0);
  assert_close(ank_normal_quantile(0.5), 0, 0);
  assert_true(isnan(ank_normal_quantile(-1e-300)));
  assert_true(isnan(ank_normal_quantile(1 + 0x1p-52)));
  assert_true(isnan(ank_normal_quantile(NAN)));
  assert_true(isnan(ank_normal_tail(NAN)));
  assert_close(ank_normal_tail(INFINITY), 0, 0);
  assert_close(ank_normal_tail(-INFINITY), 1, 0);
  assert_close(ank_normal_tail(40), 0, 0);
  assert_close(ank_normal_tail(0), 0.5, 0);
}

TEST(quantiles_invert_the_law_and_ascend) {
  double before = -INFINITY;
  for (double p = 1e-300; p < 0.5; p *= 1.7) {
    double x = ank_normal_quantile(p);
    assert_true(x > before);
    /* An error of 1e-15 in x moves the tail by x^2 times as much. */
    assert_close_relative(ank_normal_tail(-x), p, 1e-15 * (2 + x * x));
    before = x;
  }
}

TEST(quantiles_of_opposite_chances_are_opposite) {
  for (int k = 1; k < 64; k++) {
    double p = k / 128.0; /* 1 - p is exact */
    assert_close(ank_normal_quantile(1 - p), -ank_normal_quantile(p), 0);
  }
}
