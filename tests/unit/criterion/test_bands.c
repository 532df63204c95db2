/* test_bands.c - intervals and bands of the curve. tests/slow/coverage.c measures their coverage; these tests
 * check what must hold in every single run. */
#include "criterion/bands.h"
#include "criterion/curve.h"
#include "criterion/smooth.h"
#include "support/check.h"
#include "support/slow_criterion.h"

#define scoped_pooled __attribute__((cleanup(ank_pooled_free))) ank_pooled

enum { POINTS = 101 };

static anorank_settings settings;

static void bands_of(anorank_curve_point *curve, size_t points, const double *x, size_t n, const double *u,
                     size_t m) {
  ank_pooled pooled;
  assert_ok(ank_pooled_make(&pooled, x, n, "x", u, m, "u", &settings, NULL));
  ank_curve(curve, points, &pooled);
  assert_ok(ank_bands(curve, points, &pooled, &settings, NULL));
  ank_pooled_free(&pooled);
}

static void check_order(const anorank_curve_point *curve, size_t points) {
  const anorank_curve_point *before = NULL;
  for (size_t k = 0; k < points; k++) {
    const anorank_curve_point *point = &curve[k];
    int inside = point->mass > settings.band_from - 1e-9 && point->mass < settings.band_to + 1e-9;
    assert_true(0 <= point->low && point->low <= point->high && point->high <= 1);
    assert_int_equal(isnan(point->band_low), !inside);
    assert_int_equal(isnan(point->band_high), !inside);
    if (!inside) continue;
    assert_true(0 <= point->band_low && point->band_low <= point->band_high && point->band_high <= 1);
    if (before) assert_true(before->band_low <= point->band_low && before->band_high <= point->band_high);
    before = point;
  }
}

TEST(bands_hold_the_curve_and_the_intervals_on_ordinary_scores) {
  enum { N = 500, M = 700 };
  double x[N], u[M];
  anorank_curve_point curve[POINTS];
  slow_scores(x, N, 1, 0, 1);
  slow_scores(u, M, 0, 0, 2);
  bands_of(curve, POINTS, x, N, u, M);
  check_order(curve, POINTS);
  for (size_t k = 5; k <= 95; k++) {
    assert_true(curve[k].low <= curve[k].volume && curve[k].volume <= curve[k].high);
    assert_true(curve[k].band_low <= curve[k].volume && curve[k].volume <= curve[k].band_high);
    assert_true(curve[k].band_high - curve[k].band_low > curve[k].high - curve[k].low);
  }
  /* The diagonal of an uninformative scorer has the standard deviation sqrt(a (1 - a) (1/n + 1/m)). */
  slow_scores(x, N, 0, 0, 3);
  bands_of(curve, POINTS, x, N, u, M);
  double width = (curve[50].high - curve[50].low) / (2 * 1.96);
  assert_close_relative(width, sqrt(0.25 * (1 / (double)N + 1 / (double)M)), 0.15);
}

TEST(strange_samples_still_give_ordered_bands) {
  double x[300], u[300];
  anorank_curve_point curve[POINTS];
  for (size_t i = 0; i < 300; i++) x[i] = u[i] = 4;
  bands_of(curve, POINTS, x, 300, u, 300); /* all tied */
  check_order(curve, POINTS);
  bands_of(curve, POINTS, x, 2, u, 2);
  check_order(curve, POINTS);
  for (size_t i = 0; i < 300; i++) u[i] = 3;
  bands_of(curve, POINTS, x, 300, u, 300); /* apart */
  check_order(curve, POINTS);
  assert_true(curve[50].high > 0 && curve[50].high < 0.03);
  bands_of(curve, POINTS, u, 300, x, 300); /* upside down */
  check_order(curve, POINTS);
  assert_true(curve[50].low < 1 && curve[50].low > 0.97);
  slow_scores(x, 300, 0, 1, 5);
  slow_scores(u, 300, 0, 1, 6);
  bands_of(curve, POINTS, x, 300, u, 2); /* n much larger than m, ties */
  check_order(curve, POINTS);
  bands_of(curve, POINTS, x, 3, u, 300); /* fewer rows than points */
  check_order(curve, POINTS);
  x[0] = -INFINITY;
  u[0] = INFINITY;
  bands_of(curve, 11, x, 300, u, 300);
  check_order(curve, 11);
}

TEST(other_levels_and_ranges_are_obeyed) {
  enum { N = 200, M = 300 };
  double x[N], u[M];
  anorank_curve_point narrow[POINTS], wide[POINTS];
  anorank_settings before = settings;
  slow_scores(x, N, 1, 0, 7);
  slow_scores(u, M, 0, 0, 8);
  settings.level = 0.8;
  bands_of(narrow, POINTS, x, N, u, M);
  settings.level = 0.99;
  settings.band_from = 0;
  settings.band_to = 1;
  bands_of(wide, POINTS, x, N, u, M);
  check_order(wide, POINTS);
  settings = before;
  for (size_t k = 10; k <= 90; k++) {
    assert_true(wide[k].low < narrow[k].low && narrow[k].high < wide[k].high);
    assert_true(wide[k].band_low <= narrow[k].band_low && narrow[k].band_high <= wide[k].band_high);
  }
  assert_close(wide[POINTS - 1].band_low, 1, 0);
}

/* Between two groups of normal rows, 0.6 and 0.4 of them, lie 0.3 of the contrast rows: next to the jump both of its ends
 * are possible, and away from it they are not. */
TEST(a_jump_is_inside_the_band_on_both_sides_of_its_place) {
  enum { N = 1000, M = 1000 };
  static double x[N], u[M];
  anorank_curve_point curve[POINTS];
  for (size_t i = 0; i < N; i++) x[i] = (i < 600 ? 10 : 0) + (double)(i % 200) / 200;
  for (size_t j = 0; j < M; j++) u[j] = (j < 100 ? 10 : j < 400 ? 5 : 0) + ((double)(j % 100) + 0.5) / 100;
  bands_of(curve, POINTS, x, N, u, M);
  check_order(curve, POINTS);
  for (size_t k = 59; k <= 61; k++) {
    assert_true(curve[k].band_low < 0.1 && curve[k].band_high > 0.4);
    assert_true(curve[k].low < 0.1 && curve[k].high > 0.4);
  }
  assert_true(curve[52].band_high < 0.3 && curve[68].band_low > 0.3);
}

TEST(smooth_curve_stays_near_the_curve_and_does_not_fall) {
  enum { N = 4000, M = 4000 };
  static double x[N], u[M];
  scoped_pooled pooled;
  ank_smooth smooth;
  slow_scores(x, N, 1, 0, 9);
  slow_scores(u, M, 0, 0, 10);
  assert_ok(ank_pooled_make(&pooled, x, N, "x", u, M, "u", &settings, NULL));
  ank_smooth_make(&smooth, &pooled);
  double before = 0;
  for (size_t k = 0; k <= 1000; k++) {
    double volume = ank_smooth_volume(&smooth, (double)k / 1000);
    assert_true(volume >= before && volume <= 1);
    before = volume;
    if (k >= 50 && k <= 950) assert_close(volume, ank_volume_at(&pooled, k, 1000), 0.02);
  }
}

TEST(smooth_curve_of_constant_scores_is_the_diagonal_to_its_ends) {
  enum { N = 4000 };
  static double same[N];
  scoped_pooled pooled;
  ank_smooth smooth;
  assert_ok(ank_pooled_make(&pooled, same, N, "x", same, N, "u", &settings, NULL));
  ank_smooth_make(&smooth, &pooled);
  for (size_t k = 0; k <= 200; k++)
    assert_close(ank_smooth_volume(&smooth, (double)k / 200), (double)k / 200, 2e-4);
}

static int set_up(void **state) {
  (void)state;
  ank_settings_default(&settings);
  settings.bootstrap = 200;
  return 0;
}

TEST_GROUP(set_up, NULL)
