/* compare.c - two scorers on the same rows, paired.
 *
 * Each row has an influence on each scorer's area (area.c; for the whole area these are DeLong's placements).
 * The influence of a row on the difference of the two areas is the difference of its two influences, and
 *
 *   variance = S_X / n + S_U / m   of these differences,
 *
 * which includes the covariance between the scorers. Influences are computed in sorted order and mapped back
 * to their rows by the sort's permutation.
 *
 * At the abnormal end the difference rests on the n (b - a) rows X with levels there, as areas do (area.c).
 * Its standard deviation has at most as many degrees of freedom as these rows, minus one. Below END_FEWEST
 * rows the interval and the p-value are NaN: of 30 rows only three are there, and equal scorers had p <= 0.05
 * in 11 % of the samples. */
#include "criterion/compare.h"

#include <math.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "criterion/area.h"
#include "kernels/normal.h"
#include "kernels/sort.h"
#include "kernels/student.h"

enum { END_FEWEST = 5 }; /* least rows X at the abnormal end */

#define END_FROM 0.9
#define END_TO 1.0

/* First minus second, row by row. */
typedef ank_area_influences differences;

typedef struct {
  ank_pooled pooled;
  uint32_t *x_order, *u_order;
  ank_range all, end;
  double sign;
  const differences *into;
} side;

static void free_side(side *one) {
  ank_pooled_free(&one->pooled);
  ank_free(one->x_order);
  ank_free(one->u_order);
}

static anorank_status sort_sample(double **sorted, uint32_t **order, const double *scores, size_t n,
                                  const char *name, const anorank_settings *settings, anorank_error *err) {
  ANK_CHECK(ank_scores_check(scores, n, name, err));
  ANK_CHECK(ank_alloc_raw(order, n, sizeof **order, err));
  ANK_CHECK(ank_alloc_raw(sorted, n, sizeof **sorted, err));
  ANK_CHECK(ank_argsort(*order, scores, n, settings, err));
  for (size_t i = 0; i < n; i++) (*sorted)[i] = scores[(*order)[i]];
  return ANORANK_OK;
}

static anorank_status run_chunk(void *argument, size_t chunk, anorank_error *err) {
  const side *one = argument;
  size_t n = one->pooled.n, m = one->pooled.m;
  ank_group group;
  (void)err;
  for (ank_walk walk = ank_walk_chunk(&one->pooled, chunk); ank_walk_next(&walk, &group);) {
    ank_influence all = ank_group_influence(&group, n, m, &one->all);
    ank_influence end = ank_group_influence(&group, n, m, &one->end);
    for (size_t i = group.x_before; i < group.x_before + group.x; i++) {
      one->into->x_all[one->x_order[i]] += one->sign * all.x;
      one->into->x_end[one->x_order[i]] += one->sign * end.x;
    }
    for (size_t j = group.u_before; j < group.u_before + group.u; j++) {
      one->into->u_all[one->u_order[j]] += one->sign * all.u;
      one->into->u_end[one->u_order[j]] += one->sign * end.u;
    }
  }
  return ANORANK_OK;
}

/* Add sign times the influences of one scorer, and set its area. */
static anorank_status add_scorer(const differences *into, anorank_interval *area, double sign,
                                 const double *x, size_t n, const char *x_name, const double *u, size_t m,
                                 const char *u_name, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  side one = {.pooled = {.n = n, .m = m}, .sign = sign, .into = into};
  ank_pairs pairs;
  ANK_TRY(sort_sample(&one.pooled.x, &one.x_order, x, n, x_name, settings, err));
  ANK_TRY(sort_sample(&one.pooled.u, &one.u_order, u, m, u_name, settings, err));
  one.all = ank_range_make(&one.pooled, 0, 1);
  one.end = ank_range_make(&one.pooled, END_FROM, END_TO);
  ANK_TRY(ank_rankstat(NULL, &pairs, &one.pooled, settings, err));
  *area = ank_area(&pairs, n, m, settings->level);
  ANK_TRY(ank_parallel(settings, ank_pooled_chunks(&one.pooled), run_chunk, &one, err));
done:
  free_side(&one);
  return status;
}

anorank_status ank_add_influences(const ank_area_influences *into, double sign, const double *x, size_t n,
                                  const double *u, size_t m, const anorank_settings *settings,
                                  anorank_error *err) {
  anorank_interval area;
  return add_scorer(into, &area, sign, x, n, "normal row", u, m, "contrast row", settings, err);
}

static double mean_of(const double *values, size_t n) {
  ank_sum sum = {0, 0};
  for (size_t i = 0; i < n; i++) ank_sum_add(&sum, values[i]);
  return ank_sum_value(&sum) / (double)n;
}

static double variance_of_mean(const double *values, size_t n) {
  ank_sum sum = {0, 0};
  double mean = mean_of(values, n);
  for (size_t i = 0; i < n; i++) ank_sum_add(&sum, (values[i] - mean) * (values[i] - mean));
  double spread = ank_sum_value(&sum) / (double)(n - 1);
  /* Rounding leaves about 1e-16 per row: treat such a variance as 0. */
  return spread > 1e-28 ? spread / (double)n : 0;
}

/* The variance of n values with kurtosis k has the relative variance (k - 1) / n, like one with 2 n / (k - 1)
 * degrees of freedom. Where few values differ from the rest, k is large and the degrees are about twice those
 * few. */
double ank_freedom_of(const double *values, size_t n) {
  double mean = mean_of(values, n), second = 0, fourth = 0, count = (double)n;
  for (size_t i = 0; i < n; i++) {
    double square = (values[i] - mean) * (values[i] - mean);
    second += square;
    fourth += square * square;
  }
  double excess = second > 0 ? count * fourth / second / second - 1 : 0;
  return excess > 2 ? fmax(2 * count / excess, 1) : fmax(count - 1, 1);
}

/* Return the degrees of freedom of a sum of two (Satterthwaite). */
static double freedom_of_sum(const double *x, size_t n, const double *u, size_t m) {
  double a = variance_of_mean(x, n), b = variance_of_mean(u, m);
  if (!(a + b > 0)) return INFINITY;
  return (a + b) * (a + b) / (a * a / ank_freedom_of(x, n) + b * b / ank_freedom_of(u, m));
}

static anorank_interval interval_of(double estimate, double sd, double freedom, double most, double level) {
  double half = sd > 0 ? ank_student_quantile(0.5 + level / 2, freedom) * sd : 0;
  double low = estimate - half, high = estimate + half;
  return (anorank_interval){estimate, sd, low < -most ? -most : low, high > most ? most : high};
}

/* Compute z, p-value and interval of a difference. With variance 0 there is a difference only if each scorer
 * puts every relevant row on the same side, or ties them all. Then all k = min(n, m) disjoint pairs (X_i,
 * U_i) favour the same scorer: the sign test. Each area is known up to the bound of area.c, and the
 * difference up to twice that. With neither variance nor difference, no row distinguishes the scorers, and no
 * pair of k is ordered differently by them: the same bound, once. */
static void test_of(double *z, double *p_value, anorank_interval *difference, double freedom, double width,
                    size_t k, double level) {
  double estimate = difference->estimate;
  *z = 0;
  *p_value = 1;
  if (difference->sd > 0) {
    *z = estimate / difference->sd;
    *p_value = 2 * ank_student_tail(fabs(*z), freedom);
    return;
  }
  double half = (estimate != 0 ? 2 : 1) * width * (1 - pow((1 - level) / 2, 1 / (double)k));
  difference->low = fmax(estimate - half, -width);
  difference->high = fmin(estimate + half, width);
  if (estimate == 0) return;
  *p_value = exp2(1 - (double)k);
  *z = copysign(-ank_normal_quantile(*p_value / 2), estimate);
}

anorank_status anorank_compare(anorank_comparison *out, const double *x_first, const double *x_second,
                               size_t n, const double *u_first, const double *u_second, size_t m,
                               const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(out);
  if (n > 0) {
    ANK_NEED(x_first);
    ANK_NEED(x_second);
  }
  if (m > 0) {
    ANK_NEED(u_first);
    ANK_NEED(u_second);
  }
  settings = ank_settings_or_default(settings);
  anorank_status status = ANORANK_OK;
  differences rows = {0};
  anorank_comparison made = {.partial_difference = {.from = END_FROM, .to = END_TO}};
  if (n < 2 || m < 2)
    ANK_FAIL(ANORANK_ERROR_DATA, "compare-too-few-rows",
             "%zu normal and %zu contrast rows are too few; give at least 2 of each", n, m);
  if (n > UINT32_MAX || m > UINT32_MAX)
    ANK_FAIL(ANORANK_ERROR_DATA, "compare-too-many-rows",
             "a comparison takes at most %lu rows of each kind; use a random sample",
             (unsigned long)UINT32_MAX);
  ANK_TRY(ank_alloc(&rows.x_all, n, sizeof(double), err));
  ANK_TRY(ank_alloc(&rows.x_end, n, sizeof(double), err));
  ANK_TRY(ank_alloc(&rows.u_all, m, sizeof(double), err));
  ANK_TRY(ank_alloc(&rows.u_end, m, sizeof(double), err));
  ANK_TRY(ank_progress(settings, 0, "ranking by the first scorer", err));
  ANK_TRY(add_scorer(&rows, &made.first, 1, x_first, n, "normal row (first scorer)", u_first, m,
                     "contrast row (first scorer)", settings, err));
  ANK_TRY(ank_progress(settings, 0.5, "ranking by the second scorer", err));
  ANK_TRY(add_scorer(&rows, &made.second, -1, x_second, n, "normal row (second scorer)", u_second, m,
                     "contrast row (second scorer)", settings, err));

  double sd = sqrt(variance_of_mean(rows.x_all, n) + variance_of_mean(rows.u_all, m));
  double freedom = freedom_of_sum(rows.x_all, n, rows.u_all, m);
  made.difference = interval_of(made.first.estimate - made.second.estimate, sd, freedom, 1, settings->level);
  test_of(&made.z, &made.p_value, &made.difference, freedom, 1, n < m ? n : m, settings->level);

  sd = sqrt(variance_of_mean(rows.x_end, n) + variance_of_mean(rows.u_end, m));
  double width = END_TO - END_FROM;
  anorank_interval *end = &made.partial_difference.area;
  double there = width * (double)n * (1 + 1e-9);
  freedom = fmin(freedom_of_sum(rows.x_end, n, rows.u_end, m), fmax(there - 1, 1));
  *end = interval_of(mean_of(rows.u_end, m), sd, freedom, width, settings->level);
  test_of(&made.partial_z, &made.partial_p_value, end, freedom, width, n < m ? n : m, settings->level);
  if (there < END_FEWEST) end->low = end->high = made.partial_p_value = NAN;
  *out = made;
  ANK_TRY(ank_progress(settings, 1, "comparing the scorers", err));
done:
  ank_free(rows.x_all);
  ank_free(rows.x_end);
  ank_free(rows.u_all);
  ank_free(rows.u_end);
  return status;
}
