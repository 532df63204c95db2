/* area.c - area = 1 - AUC(X against U), ties half                                             (Eq. 8)
 *
 * Write L(v) for the level of a score v, the share of X above it: X has uniform levels and the mass-volume
 * curve MV is the distribution function of the levels of U. The area over mass in [a, b] is
 *
 *   integral of MV over [a, b] = mean over j of  b - clamp(L(U_j), a, b).
 *
 * To first order its error is the mean over U of (b - clamp(L(U_j), a, b)) plus the mean over X of
 * MV(clamp(L(X_i), a, b)), each centred at its mean. The second term is the integral over [a, b] of MV'(t) (t
 * - 1{L(X_i) <= t}), the effect of a shift of the quantiles of X on the curve. Neither sum needs a density.
 * For [0, 1] they are the placements of DeLong, DeLong and Clarke-Pearson (1988). So
 *
 *   variance = S_X / n + S_U / m   with the sample variances of the two influences.
 *
 * Inside a tie group the curve is a straight line and each row's level is spread evenly over the group, so a
 * row's influence is the mean over the group.
 *
 * Intervals are normal on the logit scale of the mean volume, which keeps them inside [0, 1] and valid near
 * its ends. If all X lie above all U, the variance is 0 but the area need not be. Of k = min(n, m) disjoint
 * pairs (X_i, U_i) none is out of order, which has probability (1 - area)^k. So area <= 1 - ((1 - level) /
 * 2)^(1/k) (the bound of Clopper and Pearson); the other end likewise. For a part of the curve, the bound is
 * on the volume of its set, from m rows. If all scores are equal, the area is 1/2 for any samples, and the
 * interval has length 0.
 *
 * A part of the curve rests on the n (b - a) rows X with levels in it. Their number minus one is the degrees
 * of freedom of its standard deviation. Below ANK_PARTIAL_FEWEST rows, the result is NaN instead of an
 * interval: of 200 rows, two determine the curve over [0.99, 1], and normal intervals covered the truth in
 * only half of the samples. */
#include "criterion/area.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "kernels/student.h"

/* Return the sample variance of `count` integers from their sum and sum of squares, exact up to the last
 * roundings. */
static double exact_variance(ank_wide sum, ank_wide squares, size_t count) {
  if (count < 2) return 0;
  uint64_t rest, middle = ank_wide_divide(&rest, sum, count).low; /* a mean of counts of pairs, below 2^64 */
  /* sum of (v - middle)^2 = squares - 2 middle sum + count middle^2, and sum = count middle + rest */
  ank_wide away = ank_wide_times_add(sum, middle, ank_mul_64_64(middle, rest));
  double spread =
      ank_wide_double(ank_wide_subtract(squares, away)) - (double)rest * ((double)rest / (double)count);
  return spread > 0 ? spread / (double)(count - 1) : 0;
}

/* `rows`: number of independent rows behind a mean volume of exactly 0 or 1. `freedom`: degrees of freedom of
 * `sd`. */
static anorank_interval volume_interval(double mean, double sd, double freedom, double level, size_t rows) {
  anorank_interval out = {mean, sd, mean, mean};
  double bound = pow((1 - level) / 2, 1 / (double)rows);
  if (mean <= 0) {
    out.low = 0;
    out.high = 1 - bound;
  } else if (mean >= 1) {
    out.low = bound;
    out.high = 1;
  } else {
    double centre = log(mean / (1 - mean));
    double half = ank_student_quantile(0.5 + level / 2, freedom) * sd / (mean * (1 - mean));
    out.low = 1 / (1 + exp(half - centre));
    out.high = 1 / (1 + exp(-half - centre));
    if (half == 0) out.low = out.high = mean;
  }
  return out;
}

anorank_interval ank_area(const ank_pairs *pairs, size_t n, size_t m, double level) {
  ank_wide all = ank_wide_times(ank_mul_64_64(n, m), 2);
  double rows = (double)n, contrast = (double)m;
  double area = ank_wide_double(ank_wide_subtract(all, pairs->twice_below)) / ank_wide_double(all);
  /* The squares are of twice the counts, out of m for X and out of n for U. */
  double x_variance = exact_variance(pairs->twice_below, pairs->x_squares, n) / (4 * contrast * contrast);
  double u_variance = exact_variance(pairs->twice_below, pairs->u_squares, m) / (4 * rows * rows);
  double variance = x_variance / rows + u_variance / contrast;
  /* With one row in a sample, DeLong's variance is undefined; a(1 - a) / min(n, m) is never too small. */
  if (n < 2 || m < 2) variance = area * (1 - area);
  return volume_interval(area, sqrt(variance), INFINITY, level, n < m ? n : m);
}

/* Return the integral of clamp(t, from, to) over t in [0, end]. */
static double clamp_integral(double end, double from, double to) {
  if (end <= from) return from * end;
  double base = from * from, top = end < to ? end : to;
  base += 0.5 * (top - from) * (top + from);
  return end > to ? base + to * (end - to) : base;
}

ank_range ank_range_make(const ank_pooled *pooled, double from, double to) {
  const double parts = 1e6; /* ranges have at most six decimals */
  return (ank_range){from, to, ank_volume_at(pooled, (size_t)llround(from * parts), (size_t)parts),
                     ank_volume_at(pooled, (size_t)llround(to * parts), (size_t)parts)};
}

ank_influence ank_group_influence(const ank_group *group, size_t n, size_t m, const ank_range *range) {
  double from = range->from, to = range->to;
  double low = (double)(n - group->x_before - group->x) / (double)n;
  double high = (double)(n - group->x_before) / (double)n;
  if (high <= from && low < from) return (ank_influence){range->volume_from, to - from};
  if (low >= to) return (ank_influence){range->volume_to, 0};
  double volume = (double)(m - group->u_before - group->u) / (double)m;
  if (group->x == 0) return (ank_influence){volume, to - low};
  /* The mean of clamp(level, from, to) over the levels of the group, and MV there on the group's line. */
  double middle = 0.5 * (low + high);
  if (low < from || high > to)
    middle = (clamp_integral(high, from, to) - clamp_integral(low, from, to)) / (high - low);
  double rise = (double)group->u / (double)m;
  return (ank_influence){volume + rise * ((middle - low) / (high - low)), to - middle};
}

anorank_interval ank_partial_interval(double area, double sd, double width, double freedom, size_t m,
                                      double level) {
  anorank_interval out = volume_interval(area / width, sd / width, freedom, level, m);
  out.estimate = area;
  out.sd = sd;
  out.low *= width;
  out.high *= width;
  return out;
}

/* ---- parts of the curve, in one pass ----------------------------------------------------------------- */

typedef struct {
  ank_sum x, x_squares, u, u_squares;
} sums;

typedef struct {
  const ank_pooled *pooled;
  const ank_range *ranges;
  size_t count;
  sums *parts; /* chunk by chunk, `count` each */
} context;

static anorank_status run_chunk(void *argument, size_t chunk, anorank_error *err) {
  const context *job = argument;
  size_t n = job->pooled->n, m = job->pooled->m;
  ank_group group;
  (void)err;
  for (ank_walk walk = ank_walk_chunk(job->pooled, chunk); ank_walk_next(&walk, &group);)
    for (size_t k = 0; k < job->count; k++) {
      sums *mine = &job->parts[chunk * job->count + k];
      ank_influence row = ank_group_influence(&group, n, m, &job->ranges[k]);
      double x = row.x - job->ranges[k].volume_from; /* most are 0, so the squares lose no digits */
      ank_sum_add(&mine->x, (double)group.x * x);
      ank_sum_add(&mine->x_squares, (double)group.x * x * x);
      ank_sum_add(&mine->u, (double)group.u * row.u);
      ank_sum_add(&mine->u_squares, (double)group.u * row.u * row.u);
    }
  return ANORANK_OK;
}

static double variance_of(const ank_sum *sum, const ank_sum *squares, double count) {
  double total = ank_sum_value(sum), spread = ank_sum_value(squares) - total * (total / count);
  return spread > 0 ? spread / (count - 1) : 0;
}

anorank_status ank_partial_areas(anorank_partial_area *parts, size_t count, const ank_pooled *pooled,
                                 const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t chunks = ank_pooled_chunks(pooled);
  double n = (double)pooled->n, m = (double)pooled->m;
  ank_range *ranges = NULL;
  context job = {.pooled = pooled, .count = count};
  ANK_TRY(ank_alloc(&ranges, count, sizeof *ranges, err));
  ANK_TRY(ank_alloc(&job.parts, chunks * count, sizeof *job.parts, err));
  for (size_t k = 0; k < count; k++) ranges[k] = ank_range_make(pooled, parts[k].from, parts[k].to);
  job.ranges = ranges;
  ANK_TRY(ank_parallel(settings, chunks, run_chunk, &job, err));
  for (size_t k = 0; k < count; k++) {
    sums *total = &job.parts[k];
    for (size_t c = 1; c < chunks; c++) {
      const sums *other = &job.parts[c * count + k];
      ank_sum_merge(&total->x, &other->x);
      ank_sum_merge(&total->x_squares, &other->x_squares);
      ank_sum_merge(&total->u, &other->u);
      ank_sum_merge(&total->u_squares, &other->u_squares);
    }
    double variance =
        variance_of(&total->x, &total->x_squares, n) / n + variance_of(&total->u, &total->u_squares, m) / m;
    double width = parts[k].to - parts[k].from, area = ank_sum_value(&total->u) / m, inside = n * width;
    if (inside < ANK_PARTIAL_FEWEST * (1 - 1e-9))
      parts[k].area = (anorank_interval){area, NAN, NAN, NAN};
    else
      parts[k].area =
          ank_partial_interval(area, sqrt(variance), width, inside - 1, pooled->m, settings->level);
  }
done:
  ank_free(ranges);
  ank_free(job.parts);
  return status;
}
