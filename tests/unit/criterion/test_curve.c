/* test_curve.c - the mass-volume curve and the excess mass. */
#include "criterion/curve.h"
#include "support/check.h"
#include "support/slow_criterion.h"

#define scoped_pooled __attribute__((cleanup(ank_pooled_free))) ank_pooled

static anorank_settings settings;

static ank_pooled pool(const double *x, size_t n, const double *u, size_t m) {
  ank_pooled pooled;
  assert_ok(ank_pooled_make(&pooled, x, n, "x", u, m, "u", &settings, NULL));
  return pooled;
}

TEST(curve_is_that_of_the_definition) {
  enum { N = 37, M = 53 };
  double x[N], u[M];
  slow_scores(x, N, 0.5, 0, 1);
  slow_scores(u, M, 0, 0, 2);
  scoped_pooled pooled = pool(x, N, u, M);
  for (size_t k = 0; k < N; k++) {
    assert_close(ank_volume_at(&pooled, k, N), slow_volume(k, x, N, u, M), 0);
    assert_close(ank_volume_at(&pooled, 3 * k + 2, 3 * N), slow_volume(k, x, N, u, M), 0);
  }
  assert_close(ank_volume_at(&pooled, 1, 1), 1, 0);
}

TEST(constant_scores_give_the_diagonal) {
  const double same[] = {INFINITY, INFINITY, INFINITY};
  anorank_curve_point curve[11];
  scoped_pooled pooled = pool(same, 3, same, 2);
  ank_curve(curve, 11, &pooled);
  for (size_t k = 0; k < 11; k++) assert_close(curve[k].volume, curve[k].mass, 1e-15);
}

/* The integral of the curve, by its corners, is the area with ties counted half. */
TEST(area_under_the_tied_curve_counts_ties_half) {
  enum { N = 60, M = 80, FINE = 100 };
  double x[N], u[M], sum = 0;
  slow_scores(x, N, 0.4, 0.5, 3);
  slow_scores(u, M, 0, 0.5, 4);
  scoped_pooled pooled = pool(x, N, u, M);
  /* Straight between multiples of 1 / N, so midpoints of a finer grid integrate it exactly. */
  for (size_t k = 0; k < N * FINE; k++) sum += ank_volume_at(&pooled, 2 * k + 1, 2 * N * FINE);
  assert_close(sum / (N * FINE), slow_area(x, N, u, M), 1e-12);
}

TEST(curve_does_not_change_under_an_increasing_map) {
  enum { N = 50, M = 70 };
  double x[N], u[M], x_map[N], u_map[M];
  anorank_curve_point before[101], after[101];
  slow_scores(x, N, 0.4, 0.25, 5);
  slow_scores(u, M, 0, 0.25, 6);
  for (size_t i = 0; i < N; i++) x_map[i] = exp(3 * x[i]) - 7;
  for (size_t j = 0; j < M; j++) u_map[j] = exp(3 * u[j]) - 7;
  scoped_pooled one = pool(x, N, u, M), two = pool(x_map, N, u_map, M);
  ank_curve(before, 101, &one);
  ank_curve(after, 101, &two);
  for (size_t k = 0; k < 101; k++) assert_true(before[k].volume == after[k].volume);
}

TEST(excess_is_the_largest_over_the_points_of_the_curve) {
  enum { N = 200, M = 300, POINTS = 41 };
  for (uint64_t seed = 0; seed < 20; seed++) {
    double x[N], u[M], shift = 0.3 * (double)seed - 1;
    anorank_curve_point curve[POINTS];
    anorank_excess_point excess[POINTS], room[POINTS + 1];
    slow_scores(x, N, shift, seed % 3 == 0 ? 0.5 : 0, 100 + seed);
    slow_scores(u, M, 0, seed % 3 == 0 ? 0.5 : 0, 200 + seed);
    scoped_pooled pooled = pool(x, N, u, M);
    double of_all = ank_volume_of_all(&pooled);
    ank_curve(curve, POINTS, &pooled);
    ank_excess(excess, POINTS, curve, of_all, room);
    assert_close(excess[0].t, 0, 0);
    assert_close(excess[0].excess, 1, 1e-15);
    for (size_t k = 0; k < POINTS; k++) {
      double best = fmax(0, 1 - excess[k].t * of_all);
      for (size_t i = 0; i + 1 < POINTS; i++)
        best = fmax(best, curve[i].mass - excess[k].t * curve[i].volume);
      assert_close(excess[k].excess, best, 1e-12);
      if (k > 0) assert_true(excess[k].t > excess[k - 1].t && excess[k].excess <= excess[k - 1].excess);
    }
    assert_true(excess[POINTS - 1].excess < 0.99);
  }
}

TEST(excess_of_perfectly_separated_scores_is_one) {
  const double x[] = {5, 6, 7}, u[] = {1, 2};
  anorank_curve_point curve[11];
  anorank_excess_point excess[11], room[12];
  scoped_pooled pooled = pool(x, 3, u, 2);
  ank_curve(curve, 11, &pooled);
  ank_excess(excess, 11, curve, ank_volume_of_all(&pooled), room);
  for (size_t k = 0; k < 11; k++) assert_close(excess[k].excess, 1, 0);
}

static int set_up(void **state) {
  (void)state;
  ank_settings_default(&settings);
  return 0;
}

TEST_GROUP(set_up, NULL)
