/* bands.c - pointwise intervals and a simultaneous band by a smoothed bootstrap.
 *
 * Give each score its level, the share of the law of s(X) above it. X has uniform levels; U has levels with
 * distribution function MV. The estimate at mass a is the share of U whose level is at most that of the
 * (k+1)-th highest of X, k = floor(n a): the (k+1)-th smallest of n uniform levels. So a replication of the
 * curve at the reported masses can be drawn exactly, in O(points) for any n and m:
 *
 *   levels   uniform order statistics, from gamma spacings;
 *   counts   of U between neighbouring levels, conditional binomials with probabilities from MV.
 *
 * A smoothed estimate replaces MV (smooth.c). The error of a quantile enters through the slope of MV. The
 * steps of the raw curve have no slope, so resampling the rows would miss that error (Clemencon and
 * Jakubowicz 2013; for ROC curves Bertail, Clemencon and Vayatis 2008).
 *
 * Errors are measured on the scale asin(sqrt(volume)) (with Anscombe's correction). There they are close to
 * normal, with a variance that hardly depends on the volume. With the standard deviation d of the replicated
 * error at a point, the pointwise interval is y - b -+ z d, the band y - b -+ c d. Here c is the quantile of
 * the largest |error - its mean| / d over the masses of the band. The (k+1)-th of n levels is (k+1) / (n+1)
 * on average, not a; b is the resulting shift of y. (The mean of the replicated errors contains it too, but
 * with few rows it is mostly the bias of the transformation, which the limits allow for.) The true curve
 * never falls, so the lower edge of the band is raised to its running maximum and the upper edge lowered
 * likewise.
 *
 * Where the curve jumps (contrast rows between two groups of normal rows, or at a separate score), the smooth
 * curve climbs slowly, and its slope does not show on which side of the jump the mass a lies. The raw curve
 * does. A mass a has the error e = sqrt(a (1 - a) / n). On a smooth curve, the number of contrast rows
 * between two neighbouring normal rows is geometric. If the largest number from a - 3 e to a + 3 e is hardly
 * due to chance, the curve jumps there. Then the interval also covers the raw curve from a - t e to a + t e,
 * with t = z or c, extended by the variation of counts of U.
 *
 * Replication r has its own generator (seed, ANK_STREAM_BOOTSTRAP, r), and replications are cut into a fixed
 * number of chunks. They are drawn twice, once for b and d and once for c: cheaper than storing them. */
#include "criterion/bands.h"

#include <math.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "criterion/curve.h"
#include "criterion/smooth.h"
#include "kernels/normal.h"
#include "kernels/sort.h"

#define CHUNKS 32
#define CHUNKS_AT_ONCE 8 /* between two calls of the progress callback */
#define HALF_PI 1.5707963267948966192313216916398

/* Sums over the replications of a chunk. */
typedef struct {
  double sum, squares;
} error_sums;

typedef struct {
  const ank_pooled *pooled;
  size_t count, n, m, replications, first_chunk;
  uint64_t seed;
  const anorank_curve_point *curve;
  ank_smooth smooth;
  double *truth;     /* angle of the smooth curve at each point */
  double *mean, *sd; /* of the errors, after the first pass */
  error_sums *sums;  /* CHUNKS times count */
  double *largest;   /* per replication; NULL in the first pass */
  double from, to;   /* of the band */
  size_t *spacing;   /* order statistics of X between a point and the one before */
} context;

/* Return floor(n a) at the mass a = k / last. */
static size_t rows_inside(size_t k, size_t n, size_t last) {
  uint64_t rest;
  return (size_t)ank_wide_divide(&rest, ank_mul_64_64(k, n), last).low;
}

/* Draw one replication: angle[k] = asin(sqrt(volume)) at point k. */
static void draw(const context *job, size_t replication, double *angle) {
  ank_rng rng;
  ank_rng_open(&rng, job->seed, ANK_STREAM_BOOTSTRAP, replication);
  double total = 0;
  for (size_t k = 0; k < job->count; k++) {
    if (job->spacing[k] > 0) total += ank_rng_gamma(&rng, (double)job->spacing[k]);
    angle[k] = total;
  }
  /* The last point has mass 1 and its spacing closes the sum of all n + 1 spacings. */
  double volume = 0, m = (double)job->m;
  uint64_t counted = 0;
  for (size_t k = 0; k + 1 < job->count; k++) {
    double next = ank_smooth_volume(&job->smooth, angle[k] / total);
    if (next > volume) {
      counted += ank_rng_binomial(&rng, job->m - counted, (next - volume) / (1 - volume));
      volume = next;
    }
    angle[k] = ank_count_angle((double)counted, m);
  }
}

static double largest_error(const context *job, const double *angle) {
  double largest = 0;
  for (size_t k = 0; k + 1 < job->count; k++) {
    double mass = job->curve[k].mass;
    if (mass < job->from || mass > job->to || !(job->sd[k] > 0)) continue;
    double error = fabs(angle[k] - job->truth[k] - job->mean[k]) / job->sd[k];
    if (error > largest) largest = error;
  }
  return largest;
}

static anorank_status run_chunk(void *argument, size_t index, anorank_error *err) {
  const context *job = argument;
  size_t chunk = job->first_chunk + index;
  double *angle = NULL;
  ANK_CHECK(ank_alloc(&angle, job->count, sizeof *angle, err));
  size_t first = job->replications * chunk / CHUNKS, end = job->replications * (chunk + 1) / CHUNKS;
  error_sums *sums = &job->sums[chunk * job->count];
  for (size_t r = first; r < end; r++) {
    draw(job, r, angle);
    if (job->largest) {
      job->largest[r] = largest_error(job, angle);
      continue;
    }
    for (size_t k = 0; k + 1 < job->count; k++) {
      double error = angle[k] - job->truth[k];
      sums[k].sum += error;
      sums[k].squares += error * error;
    }
  }
  ank_free(angle);
  return ANORANK_OK;
}

static anorank_status run_all(context *job, double done, const anorank_settings *settings,
                              anorank_error *err) {
  for (job->first_chunk = 0; job->first_chunk < CHUNKS; job->first_chunk += CHUNKS_AT_ONCE) {
    double share = done + 0.2 * (double)job->first_chunk / CHUNKS;
    ANK_CHECK(ank_progress(settings, share, "drawing bootstrap replications", err));
    ANK_CHECK(ank_parallel(settings, CHUNKS_AT_ONCE, run_chunk, job, err));
  }
  return ANORANK_OK;
}

static void measure_errors(const context *job) {
  double replications = (double)job->replications;
  for (size_t k = 0; k + 1 < job->count; k++) {
    double sum = 0, squares = 0;
    for (size_t c = 0; c < CHUNKS; c++) {
      sum += job->sums[c * job->count + k].sum;
      squares += job->sums[c * job->count + k].squares;
    }
    double spread = squares - sum * (sum / replications);
    job->mean[k] = sum / replications;
    double sd = spread > 0 && replications > 1 ? sqrt(spread / (replications - 1)) : 0;
    /* Counts near 0 vary less than slightly larger ones, which may be the truth: use at least the variance of
     * larger counts. */
    job->sd[k] = fmax(sd, 0.5 / sqrt((double)job->m));
  }
}

/* Return the end of an interval at `apart` standard deviations. It adds half a row to the count, and Cornish
 * and Fisher's term for the skewness of a binomial. The limits for a plain count then agree with exact mid-p
 * limits to a tenth of a row, from 0 rows up. */
static double limit_of(double angle, double apart, double m) {
  double root = sin(angle <= 0 ? 0 : angle >= HALF_PI ? HALF_PI : angle), volume = root * root;
  double skew = fmin((apart * apart - 4) / (12 * m), 0.25); /* a few rows must not reverse the ends */
  volume += (1 - 2 * volume) * skew;
  return volume <= 0 || angle <= 0 ? 0 : volume >= 1 || angle >= HALF_PI ? 1 : volume;
}

/* Return the quantile such that (replications + 1) * level of the values lie at or below it. */
static double critical_value(const double *sorted, size_t replications, double level) {
  size_t place = (size_t)ceil((double)(replications + 1) * level);
  return sorted[place > replications ? replications - 1 : place < 1 ? 0 : place - 1];
}

/* Return a factor for pointwise intervals, as Student's t for the normal law: the standard deviation at a
 * point comes from an estimated curve, which is poor with few rows. The band needs no factor; its critical
 * value accounts for it. */
static double for_few_rows(double rows) { return 1 + 0.08 / (rows + 1); }

/* Return asin(sqrt(volume)) of the raw curve, with half a row added to the count. */
static double raw_angle(const context *job, double mass) {
  const double parts = 1e9, m = (double)job->m;
  double at = mass <= 0 ? 0 : mass >= 1 ? 1 : mass;
  return asin(sqrt((ank_volume_at(job->pooled, (size_t)(at * parts), (size_t)parts) * m + 0.5) / (m + 1)));
}

typedef struct {
  double low, high;
} angles;

static size_t count_up_to(const ank_pooled *pooled, double score) {
  return score == INFINITY ? pooled->m : ank_count_below(pooled->u, pooled->m, nextafter(score, INFINITY));
}

/* Return whether two neighbours near the mass have more contrast rows between them than chance explains. Of N
 * geometric numbers with mean b, the largest exceeds b (log N + 5) in fewer than one case in a hundred. */
static int jumps_at(const context *job, size_t k) {
  const ank_pooled *pooled = job->pooled;
  double mass = job->curve[k].mass, n = (double)job->n, aside = 3 * sqrt(mass * (1 - mass) / n);
  size_t first = (size_t)(fmax(1 - mass - aside, 0) * n), last = (size_t)(fmin(1 - mass + aside, 1) * n),
         most = 0;
  if (last >= job->n) last = job->n - 1;
  if (last < first + 2) return 0;
  size_t from = count_up_to(pooled, pooled->x[first]), before = from;
  for (size_t i = first + 1; i <= last; i++) {
    size_t here = ank_count_below(pooled->u, pooled->m, pooled->x[i]);
    if (here > before && here - before > most) most = here - before;
    before = count_up_to(pooled, pooled->x[i]);
  }
  double rows = (double)(last - first), mean = (double)(before > from ? before - from : 0) / rows;
  return (double)most > 5 + mean * (log(rows) + 5);
}

/* Return y -+ half, wider where the curve jumps within `times` standard deviations of the mass. */
static angles reach(const context *job, size_t k, double y, double half, double times, int jumps) {
  double mass = job->curve[k].mass, aside = times * sqrt(mass * (1 - mass) / (double)job->n);
  double beyond = times * 0.5 / sqrt((double)job->m);
  if (!jumps) return (angles){y - half, y + half};
  return (angles){fmin(y - half, raw_angle(job, mass - aside) - beyond),
                  fmax(y + half, raw_angle(job, mass + aside) + beyond)};
}

static void write_bands(anorank_curve_point *curve, const context *job, double z, double critical) {
  double m = (double)job->m, edge = 0;
  size_t last = job->count - 1;
  for (size_t k = 0; k < last; k++) {
    double level = (double)(rows_inside(k, job->n, last) + 1) / ((double)job->n + 1);
    double bias = asin(sqrt(ank_smooth_volume(&job->smooth, level))) - job->truth[k];
    double y = asin(sqrt((curve[k].volume * m + 0.5) / (m + 1))) - bias;
    int jumps = jumps_at(job, k);
    angles ends = reach(job, k, y, z * for_few_rows(curve[k].volume * m) * job->sd[k], z, jumps);
    curve[k].low = limit_of(ends.low, z, m);
    curve[k].high = limit_of(ends.high, z, m);
    if (curve[k].mass < job->from || curve[k].mass > job->to) continue;
    ends = reach(job, k, y, critical * job->sd[k], critical, jumps);
    edge = fmax(edge, limit_of(ends.low, critical, m));
    curve[k].band_low = edge;
    curve[k].band_high = limit_of(ends.high, critical, m);
  }
  /* Mass 1 needs all of the reference law, so its volume is exact. */
  curve[last].low = curve[last].high = 1;
  edge = 1;
  if (job->to >= 1) curve[last].band_low = curve[last].band_high = 1;
  for (size_t k = last; k-- > 0;) {
    if (curve[k].mass < job->from || curve[k].mass > job->to) continue;
    edge = fmin(edge, curve[k].band_high);
    curve[k].band_high = edge;
  }
}

anorank_status ank_bands(anorank_curve_point *curve, size_t count, const ank_pooled *pooled,
                         const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = pooled->n, replications = (size_t)settings->bootstrap, reached = 0;
  context job = {.pooled = pooled, .count = count, .n = n, .m = pooled->m, .replications = replications};
  double *largest = NULL;
  job.seed = settings->seed;
  job.curve = curve;
  /* A grid mass that equals an end of the band up to rounding is inside. */
  job.from = settings->band_from - 1e-12;
  job.to = settings->band_to + 1e-12;
  ANK_TRY(ank_alloc(&job.truth, count, sizeof(double), err));
  ANK_TRY(ank_alloc(&job.mean, count, sizeof(double), err));
  ANK_TRY(ank_alloc(&job.sd, count, sizeof(double), err));
  ANK_TRY(ank_alloc(&job.spacing, count, sizeof(size_t), err));
  ANK_TRY(ank_alloc(&job.sums, CHUNKS * count, sizeof *job.sums, err));
  ANK_TRY(ank_alloc(&largest, replications, sizeof *largest, err));
  ank_smooth_make(&job.smooth, pooled);
  for (size_t k = 0; k < count; k++) {
    size_t order = k + 1 == count ? n + 1 : rows_inside(k, n, count - 1) + 1;
    job.spacing[k] = order - reached;
    reached = order;
    job.truth[k] = asin(sqrt(ank_smooth_volume(&job.smooth, curve[k].mass)));
  }
  ANK_TRY(run_all(&job, 0.6, settings, err));
  measure_errors(&job);
  job.largest = largest;
  ANK_TRY(run_all(&job, 0.8, settings, err));
  ANK_TRY(ank_sort(largest, replications, settings, err));
  write_bands(curve, &job, ank_normal_quantile(0.5 + settings->level / 2),
              critical_value(largest, replications, settings->level));
done:
  ank_free(job.truth);
  ank_free(job.mean);
  ank_free(job.sd);
  ank_free(job.spacing);
  ank_free(job.sums);
  ank_free(largest);
  return status;
}

anorank_status ank_bands_check(const anorank_settings *settings, anorank_error *err) {
  if (settings->band_from < settings->band_to) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "setting-band-order", "band-from (%g) must be below band-to (%g)",
                  settings->band_from, settings->band_to);
}
