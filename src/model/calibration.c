/* calibration.c - see calibration.h.
 *
 * Ranks: p = (1 + #{calibration scores <= s}) / (count + 1), conformal; ties count against the row.
 *
 * Bulk and tail. If the calibration rows are those of the file itself, its anomalies are among them. The k-th lowest
 * score then has p = k / n, whatever it is, so ranks say nothing about the lowest rows. What can be used is the bulk, and
 * an assumption about how normal scores continue below it. Scores of the neighbour classes are minus logarithms of
 * distances. So a law of distances with tail x^-a has scores with an exponential tail, exp(a s), and lighter laws
 * (Gaussian, lognormal, bounded) have lighter tails. An exponential tail is therefore right for the first and
 * conservative for the others, if its rate is that of the outermost normal scores. Farther in, light tails look heavy
 * and heavy ones light.
 *
 * With the lowest `a` scores set aside, the k lowest of the others lie below a threshold u by D on average, and
 *
 *   p(s) = k / (n - a) exp((s - u) / scale)  for s < u.
 *
 * The choice of a: try a = 1, 2, 3, ..., in steps of an eighth. If the a lowest were normal like the others, the k would be
 * an exponential sample without its a lowest values, and the scale of the whole would be
 *
 *   scale_a = D / g,  g = 1 + h log(h) / (1 - h),  h = a / (a + k).
 *
 * With this scale, the a-th lowest score has the p-value p_a, about a / n if it is normal. The a with the smallest
 * n p_a / a is chosen if that is below 0.3: chance hardly leaves such a gap in the scores. k is max(40, n / 10), or 2 a if
 * that is larger and gives stronger evidence: a light tail reaches its rate at a tenth, but a heavy one needs more rows to
 * be distinguished from anomalies. If the best a is above n / 4, the lowest scores do not stand apart from a bulk (one
 * column, with both ends trimmed by the fit), and none is set aside.
 *
 * The remaining tail has scale = D / g^(1/4) (1 + 1/2 c / sqrt(k)). This lies between two views of the scores set aside,
 * nearer to the view that they are anomalies. It adds half a standard error, or c halves if the k are c tenths of the
 * rows, because a heavy tail looks light so far in. The tail need not be exponential. With y = u - s,
 *
 *   p(s) = k / (n - a) (1 + shape y / scale)^(-1/shape),  shape <= 0,
 *
 * is the law of the excesses of lighter tails (generalised Pareto). Its likelihood is maximal if `shape` is the mean of
 * log(1 + theta y), theta = shape / scale. The largest theta up to 0 is used that the likelihood ratio does not reject at
 * 5 %: the heaviest tail that the bulk may have. Few scores set aside, above all a single one, are little evidence of a
 * gap. So p is multiplied by 1 + 8 / a^2, up to the level k / (n - a) of the threshold.
 *
 * All of this concerns scores beyond the observed ones. Whatever is set aside, (1 + #{all scores <= s}) / (n + 1) is a
 * p-value, too, and anomalies among the scores only make it larger. So p never exceeds it. Both rise with s, so the
 * smaller of the two is a p-value if each is.
 *
 * Tied scores have no tail. If the lowest quarter has fewer distinct values than half of its rows, or one value in a tenth
 * of them, only ranks are used. Rows of few values form lumps with gaps between them: if the lowest `a` have fewer than
 * 0.9 a distinct scores, they are a lump and are not set aside.
 *
 * Assumption: below the threshold, scores of normal rows fall off as those just above, or faster. It fails if a few normal
 * rows form a separate group far from the others. Without labels, these cannot be distinguished from anomalies.
 * tests/slow/false_alarms.c measures this, and docs/research/coverage.md has the figures. */
#include "model/calibration.h"

#include <math.h>

/* The k scores that a tail is fitted to: from[0 .. count - 1], ascending. */
typedef struct {
  const double *from;
  size_t count;
  double g; /* as above */
} lowest;

/* The scale on which tails are exponential. */
static double on_tail_scale(const ank_calibration *null, double score) {
  return null->distances ? -log(fmax(-score, 0)) : score;
}

/* Fit the exponential tail without the lowest `aside` scores; 0 if there is none. `wide`: k is at least 2 a. */
static int fit_tail(anorank_tail *out, lowest *used, const ank_calibration *null, size_t aside, int wide) {
  size_t rest = null->count - aside, below = null->count / ANK_TAIL_BELOW, fitted = 0;
  double depth = 0;
  if (below < ANK_TAIL_FEWEST_BELOW) below = ANK_TAIL_FEWEST_BELOW;
  if (wide && below < ANK_TAIL_WIDE * aside) below = ANK_TAIL_WIDE * aside;
  if (below > rest / 2) below = rest / 2;
  double from = on_tail_scale(null, null->scores[aside + below]);
  for (size_t i = aside; i < aside + below; i++) {
    double at = on_tail_scale(null, null->scores[i]);
    depth += from - at;
    fitted += at < from;
  }
  if (fitted < ANK_TAIL_FEWEST_DEEPER || !(depth > 0) || !isfinite(depth)) return 0;
  double k = (double)fitted, h = (double)aside / ((double)aside + k);
  *used = (lowest){null->scores + aside, fitted, aside > 0 ? 1 + h * log(h) / (1 - h) : 1};
  *out = (anorank_tail){from, k / (double)rest, depth / k, 0, 1};
  return 1;
}

/* The log-likelihood of theta = shape / scale < 0, maximal over the shape. */
static double likelihood(double *shape, const ank_calibration *null, const anorank_tail *tail,
                         const lowest *used, double theta) {
  double sum = 0, k = (double)used->count;
  for (size_t i = 0; i < used->count; i++)
    sum += log1p(theta * (tail->from - on_tail_scale(null, used->from[i])));
  *shape = sum / k;
  return -k * log(*shape / theta) - sum - k;
}

/* The heaviest shape up to the exponential one that the scores do not reject. */
static void fit_shape(anorank_tail *tail, const ank_calibration *null, const lowest *used) {
  double k = (double)used->count, deepest = tail->from - on_tail_scale(null, used->from[0]), shape;
  double exponential = -k * log(tail->scale) - k, best = exponential, from = 0, to = 0;
  for (int j = 1; j <= ANK_TAIL_GRID; j++) {
    double left = 1 - (double)j / (ANK_TAIL_GRID + 1),
           theta = -ANK_TAIL_GRID_END * (1 - left * left) / deepest;
    double value = likelihood(&shape, null, tail, used, theta);
    if (shape < ANK_TAIL_LIGHTEST) break;
    if (value > best) best = value, to = theta;
  }
  if (best - exponential <= ANK_TAIL_LIKELIHOOD) return;
  for (int j = 0; j < ANK_TAIL_GRID; j++) {
    double middle = (from + to) / 2;
    *(best - likelihood(&shape, null, tail, used, middle) > ANK_TAIL_LIKELIHOOD ? &from : &to) = middle;
  }
  (void)likelihood(&tail->shape, null, tail, used, to);
  tail->scale = tail->shape / to;
}

static double p_by_tail(const anorank_tail *tail, double at) {
  double deep = (tail->from - at) / tail->scale, left = 1 + tail->shape * deep;
  double beyond = tail->shape == 0 ? exp(-deep) : left > 0 ? pow(left, -1 / tail->shape) : 0;
  return fmax(tail->level * fmin(tail->doubt * beyond, 1), ANK_SMALLEST_P_VALUE);
}

/* Count distinct values among the lowest scores, and the most frequent one. */
static size_t count_distinct(const ank_calibration *null, size_t count, size_t *longest) {
  size_t distinct = 1, run = 1;
  *longest = 1;
  for (size_t i = 1; i < count; i++) {
    int same = null->scores[i] == null->scores[i - 1];
    distinct += !same;
    run = same ? run + 1 : 1;
    if (run > *longest) *longest = run;
  }
  return distinct;
}

/* n p_a / a, as above: small if chance hardly sets the lowest `a` scores apart. */
static double chance_of(const ank_calibration *null, size_t a, int wide) {
  anorank_tail tail;
  lowest used;
  double at = on_tail_scale(null, null->scores[a - 1]);
  if (!fit_tail(&tail, &used, null, a, wide) || !(at < tail.from)) return 1;
  tail.scale /= used.g;
  return p_by_tail(&tail, at) * (double)null->count / (double)a;
}

typedef struct {
  size_t count;
  int wide;
  double chance;
} gap;

static void look_at(gap *best, const ank_calibration *null, size_t a) {
  size_t longest;
  if (10 * count_distinct(null, a, &longest) < ANK_TAIL_LUMP_TENTHS * a) return;
  for (int wide = 0; wide < 2; wide++) {
    double chance = chance_of(null, a, wide);
    if (chance < best->chance) *best = (gap){a, wide, chance};
  }
}

/* Return the number of lowest scores beyond a gap that normal scores do not leave. */
static gap find_gap(const ank_calibration *null) {
  gap best = {0, 0, ANK_TAIL_CHANCE};
  size_t most = null->count / ANK_TAIL_LOOKED_AT;
  for (size_t a = 1; a <= most; a += 1 + a / ANK_TAIL_STEP) look_at(&best, null, a);
  for (size_t a = best.count + 1, end = a + best.count / ANK_TAIL_STEP; a < end && a <= most; a++)
    look_at(&best, null, a);
  return best.count <= null->count / ANK_TAIL_ASIDE ? best : (gap){0, 0, ANK_TAIL_CHANCE};
}

static int is_tied(const ank_calibration *null) {
  size_t quarter = null->count / ANK_TAIL_QUARTER, longest,
         distinct = count_distinct(null, quarter, &longest);
  return ANK_TAIL_DISTINCT * distinct < quarter || ANK_TAIL_LONGEST * longest > quarter;
}

ank_calibration ank_calibration_from_ranks(const double *scores, size_t count) {
  return (ank_calibration){.scores = scores, .count = count};
}

ank_calibration ank_calibration_from_bulk(const double *scores, size_t count, int distances) {
  ank_calibration null = {.scores = scores, .count = count, .distances = distances};
  lowest used;
  if (count < ANK_TAIL_FEWEST || is_tied(&null)) return null;
  gap found = find_gap(&null);
  if (!fit_tail(&null.tail, &used, &null, found.count, found.wide)) return null;
  null.has_tail = 1;
  null.set_aside = found.count;
  if (found.count > 0) {
    fit_shape(&null.tail, &null, &used);
    null.tail.doubt = 1 + ANK_TAIL_DOUBT / ((double)found.count * (double)found.count);
  }
  double tenths = fmax(1, ANK_TAIL_BELOW * (double)used.count / (double)(count - found.count));
  null.tail.scale *=
      (1 + ANK_TAIL_STANDARD_ERRORS * tenths / sqrt((double)used.count)) / pow(used.g, ANK_TAIL_SCALE_POWER);
  return null;
}

/* Return `low` plus the number of scores from the `low`-th on that are at most this one. */
static size_t count_up_to(const ank_calibration *null, double score, size_t low) {
  size_t high = null->count; /* it lies in [low, high] */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (null->scores[middle] <= score)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Among the scores without the lowest `aside`. */
static double p_by_rank(const ank_calibration *null, double score, size_t aside) {
  return (double)(1 + count_up_to(null, score, aside) - aside) / (double)(null->count - aside + 1);
}

size_t ank_calibration_rank(const ank_calibration *null, double score) {
  if (null->has_tail && on_tail_scale(null, score) < null->tail.from) return SIZE_MAX;
  return count_up_to(null, score, null->set_aside) - null->set_aside;
}

double ank_calibration_rank_p_value(const ank_calibration *null, size_t rank) {
  return (double)(1 + rank) / (double)(null->count - null->set_aside + 1);
}

double ank_calibration_p_value(const ank_calibration *null, double score) {
  double at = on_tail_scale(null, score);
  if (!null->has_tail || !(at < null->tail.from)) return p_by_rank(null, score, null->set_aside);
  return fmin(p_by_tail(&null->tail, at), p_by_rank(null, score, 0));
}

double ank_calibration_smallest(const ank_calibration *null) {
  return null->has_tail ? ANK_SMALLEST_P_VALUE : 1 / ((double)null->count + 1);
}

/* ---- stretches --------------------------------------------------------------------------------------- */

/* Whether the score of this row is at most the `low`-th of the ascending scores, without those set aside. */
static int is_low(const ank_calibration *null, uint32_t place, size_t low) {
  return place / 2 >= null->set_aside && place / 2 < low;
}

double ank_calibration_stretch_p_value(const ank_calibration *null, const ank_calibration_order *stretches,
                                       double score, size_t rows) {
  size_t low = count_up_to(null, score, null->set_aside), all = 0, hit = 0;
  if (stretches->count == 0 || rows == 0) return NAN;
  for (size_t from = 0, end; from < stretches->count; from = end) {
    size_t last = SIZE_MAX; /* the last low row so far */
    for (end = from; end < stretches->count && (end == from || !(stretches->place[end] & 1)); end++) {
      if (is_low(null, stretches->place[end], low)) last = end;
      if (end + 1 - from < rows) continue;
      all++;
      hit += last != SIZE_MAX && last + rows > end;
    }
    if (end - from >= rows) continue;
    all++;
    hit += last != SIZE_MAX;
  }
  return (1 + (double)hit) / (1 + (double)all);
}

size_t ank_calibration_runs(const ank_calibration *null, const ank_calibration_order *stretches, double score,
                            size_t between) {
  size_t low = count_up_to(null, score, null->set_aside), runs = 0, last = SIZE_MAX;
  for (size_t i = 0; i < stretches->count; i++) {
    if (stretches->place[i] & 1) last = SIZE_MAX;
    if (!is_low(null, stretches->place[i], low)) continue;
    runs += last == SIZE_MAX || i - last > between + 1;
    last = i;
  }
  return runs;
}
