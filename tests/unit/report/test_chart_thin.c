/* test_chart_thin.c - thinning keeps what can be seen. */
#include <stdlib.h>
#include <string.h>

#include "report/chart_thin.h"
#include "support/check.h"

#define N 100000
static double x[N], low[N], high[N], old_x[N], old_low[N], old_high[N];

static double noise(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)*state / 4294967296.0 - 0.5;
}

static void keep_copies(void) {
  memcpy(old_x, x, sizeof x);
  memcpy(old_low, low, sizeof low);
  memcpy(old_high, high, sizeof high);
}

static void short_curves_are_left_alone(void **state) {
  (void)state;
  double xs[] = {0, 1, NAN, 3}, ys[] = {5, 6, 7, 8};
  assert_int_equal(ank_thin(xs, ys, ys, 4, 0, 3), 4);
  assert_true(ys[3] == 8 && isnan(xs[2]));
}

static void every_column_of_a_long_line_keeps_its_first_last_highest_and_lowest(void **state) {
  (void)state;
  unsigned random = 7;
  for (int i = 0; i < N; i++) {
    x[i] = 600.0 * i / (N - 1);
    low[i] = 200 + 100 * sin(x[i] / 40) + 50 * noise(&random);
  }
  low[12345] = 1e4; /* a lone peak */
  low[54321] = -1e4;
  keep_copies();
  size_t n = ank_thin(x, low, low, N, 0, 600);
  assert_in_range(n, 1000, 2004);
  double lowest[501], highest[501], kept_lowest[501], kept_highest[501];
  for (int c = 0; c <= 500; c++) {
    lowest[c] = kept_lowest[c] = INFINITY;
    highest[c] = kept_highest[c] = -INFINITY;
  }
  for (int i = 0; i < N; i++) {
    int c = (int)(old_x[i] / 600 * 500);
    lowest[c] = fmin(lowest[c], old_low[i]);
    highest[c] = fmax(highest[c], old_low[i]);
  }
  for (size_t i = 0; i < n; i++) {
    int c = (int)(x[i] / 600 * 500);
    if (i > 0) assert_true(x[i] > x[i - 1]);
    kept_lowest[c] = fmin(kept_lowest[c], low[i]);
    kept_highest[c] = fmax(kept_highest[c], low[i]);
  }
  assert_memory_equal(lowest, kept_lowest, sizeof lowest);
  assert_memory_equal(highest, kept_highest, sizeof highest);
  assert_true(x[0] == old_x[0] && x[n - 1] == old_x[N - 1] && low[n - 1] == old_low[N - 1]);
}

static void both_edges_of_a_band_keep_their_extremes(void **state) {
  (void)state;
  for (int i = 0; i < N; i++) {
    x[i] = i;
    low[i] = i == 777 ? -9 : 0;
    high[i] = i == 778 ? 9 : 1;
  }
  size_t n = ank_thin(x, low, high, N, 0, N);
  int deep = 0, tall = 0;
  for (size_t i = 0; i < n; i++) {
    deep += x[i] == 777 && low[i] == -9 && high[i] == 1;
    tall += x[i] == 778 && low[i] == 0 && high[i] == 9;
  }
  assert_int_equal(deep, 1);
  assert_int_equal(tall, 1);
}

static void gaps_that_can_be_seen_stay_and_do_not_pile_up(void **state) {
  (void)state;
  for (int i = 0; i < N; i++) {
    x[i] = i % 3 == 1 || (i > 40000 && i < 60000) ? (double)NAN : i; /* gaps everywhere, and a wide one */
    low[i] = i;
  }
  size_t n = ank_thin(x, low, low, N, 0, N), wide = 0;
  assert_in_range(n, 500, 2600);
  for (size_t i = 1; i + 1 < n; i++)
    if (isnan(x[i])) {
      assert_false(isnan(x[i - 1]) || isnan(x[i + 1]));
      wide += x[i - 1] <= 40000 && x[i + 1] >= 60000;
    }
  assert_int_equal(wide, 1);
}

static void curves_that_turn_back_keep_their_outermost_points(void **state) {
  (void)state;
  for (int i = 0; i < N; i++) {
    double angle = 20 * 3.14159265358979 * i / N;
    x[i] = 300 + (i == 4321 ? 299 : 200 * cos(angle));
    low[i] = 200 * sin(angle);
  }
  size_t n = ank_thin(x, low, low, N, 0, 600);
  assert_in_range(n, 500, 2004);
  double rightmost = 0;
  for (size_t i = 0; i < n; i++) rightmost = fmax(rightmost, x[i]);
  assert_true(rightmost == 599);
}

static void curves_without_a_single_number_vanish(void **state) {
  (void)state;
  for (int i = 0; i < N; i++) x[i] = low[i] = NAN;
  assert_int_equal(ank_thin(x, low, low, N, 0, 600), 0);
}

static void points_on_the_same_half_pixel_are_kept_once_and_those_outside_go(void **state) {
  (void)state;
  double xs[] = {10.1, 10.2, 10.6, NAN, -1, 110, 111}, ys[] = {20, 20.1, 20, 20, 20, 70, 70};
  unsigned char *bits = calloc(1, ank_thin_bits(100, 50));
  assert_non_null(bits);
  assert_int_equal(ank_thin_points(xs, ys, 7, 10, 20, 100, 50, bits), 3);
  assert_true(xs[0] == 10.1 && xs[1] == 10.6 && xs[2] == 110);
  free(bits);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_curves_are_left_alone),
      cmocka_unit_test(every_column_of_a_long_line_keeps_its_first_last_highest_and_lowest),
      cmocka_unit_test(both_edges_of_a_band_keep_their_extremes),
      cmocka_unit_test(gaps_that_can_be_seen_stay_and_do_not_pile_up),
      cmocka_unit_test(curves_that_turn_back_keep_their_outermost_points),
      cmocka_unit_test(curves_without_a_single_number_vanish),
      cmocka_unit_test(points_on_the_same_half_pixel_are_kept_once_and_those_outside_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
