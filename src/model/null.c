/* null.c - see null.h.
 *
 * Ranks: p = (1 + #{calibration scores <= s}) / (count + 1), conformal; ties count against the row.
 *
 * Bulk and tail. Where the calibration rows are those of the file itself, its anomalies are among them, and
 * the k-th lowest score has p = k / n whatever it is: ranks then say nothing about the lowest rows. What can
 * be used is the bulk, and an assumption about how normal scores go on below it. Scores of the neighbour
 * classes are minus logarithms of distances, so that a law of distances with tail x^-a has scores with an
 * exponential tail, exp(a s), and lighter laws (Gaussian, lognormal, bounded) have lighter ones. So an
 * exponential tail is right for the first and errs on the safe side for the others, if its rate is that of
 * the outermost normal scores: farther in, light tails look heavy and heavy ones light.
 *
 * With the lowest `a` scores set aside, the k lowest of the others, k = max(30, n / 10, 2 a), lie below a
 * threshold u by D on average, and
 *
 *   p(s) = k / (n - a) exp((s - u) / scale)  for s < u.
 *
 * Which are set aside? For each a (1, 2, 3, ... in steps of an eighth, up to n / 4): were the a lowest normal
 * like the others, the k would be an exponential sample without its a lowest, and the scale of the whole
 *
 *   scale_a = D / g,  g = 1 + h log(h) / (1 - h),  h = a / (a + k).
 *
 * With it the a-th lowest score has the p-value p_a, about a / n if it is normal. The a with the smallest
 * n p_a / a is taken, if that is below 0.3: a gap in the scores that is hardly by chance. Of the tail that
 * stays, scale = D / g^(1/4) (1 + 1/2 / sqrt(k)): between the two views of those set aside, nearer to the one
 * that they are anomalies, and half a standard error more.
 *
 * Scores that are tied are no tail: with fewer distinct values in the lowest quarter than half of its rows, or
 * one that a tenth of them have, ranks are all there is. And rows of few values fall into lumps with gaps
 * between: where the lowest `a` have fewer than 0.9 a distinct scores, they are a lump and not set aside.
 *
 * What is assumed: below the threshold, scores of normal rows fall off at least as fast as an exponential law
 * with their rate. Wrong where a few normal rows are of a kind of their own, far from the others: without
 * labels they cannot be told from anomalies. tests/slow/false_alarms.c measures it, docs/coverage.md has the
 * figures. */
#include "model/null.h"

#include <math.h>

enum { FEWEST = 100, FEWEST_BELOW = 30, BELOW = 10, ASIDE = 4, QUARTER = 4 };

#define CHANCE 0.3
#define STANDARD_ERRORS 0.5

/* The scale on which tails are exponential. */
static double on_tail_scale(const ank_null *null, double score) {
  return null->distances ? -log(fmax(-score, 0)) : score;
}

/* The tail of the scores without the lowest `aside`: 0 where there is none. `*g` as above. */
static int fit_tail(anorank_tail *out, double *g, const ank_null *null, size_t aside) {
  size_t rest = null->count - aside, below = null->count / BELOW, fitted = 0;
  double depth = 0;
  if (below < FEWEST_BELOW) below = FEWEST_BELOW;
  if (below < 2 * aside) below = 2 * aside;
  if (below > rest / 2) below = rest / 2;
  double from = on_tail_scale(null, null->scores[aside + below]);
  for (size_t i = aside; i < aside + below; i++) {
    double at = on_tail_scale(null, null->scores[i]);
    depth += from - at;
    fitted += at < from;
  }
  if (fitted < FEWEST_BELOW / 2 || !(depth > 0) || !isfinite(depth)) return 0;
  double k = (double)fitted, h = (double)aside / ((double)aside + k);
  *g = aside > 0 ? 1 + h * log(h) / (1 - h) : 1;
  *out = (anorank_tail){from, k / (double)rest, depth / k};
  return 1;
}

static double p_by_tail(const anorank_tail *tail, double at) {
  return fmax(tail->level * exp((at - tail->from) / tail->scale), ANK_NULL_LEAST);
}

/* Distinct values among the lowest scores, and how often the most frequent one is there. */
static size_t count_distinct(const ank_null *null, size_t count, size_t *longest) {
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

/* n p_a / a of above: how small a chance would have set the lowest `a` scores apart. */
static double chance_of(const ank_null *null, size_t a) {
  anorank_tail tail;
  size_t longest;
  double g, at = on_tail_scale(null, null->scores[a - 1]);
  if (10 * count_distinct(null, a, &longest) < 9 * a) return 1;
  if (!fit_tail(&tail, &g, null, a) || !(at < tail.from)) return 1;
  tail.scale /= g;
  return p_by_tail(&tail, at) * (double)null->count / (double)a;
}

/* How many of the lowest scores lie beyond a gap that normal ones do not leave. */
static size_t count_aside(const ank_null *null) {
  size_t aside = 0, step = 1, most = null->count / ASIDE;
  double least = CHANCE, chance;
  for (size_t a = 1; a <= most; a += step) {
    step = 1 + a / 8;
    if (!((chance = chance_of(null, a)) < least)) continue;
    least = chance;
    aside = a;
  }
  for (size_t a = aside + 1, end = aside + 1 + aside / 8; aside > 0 && a < end && a <= most; a++) {
    if (!((chance = chance_of(null, a)) < least)) continue;
    least = chance;
    aside = a;
  }
  return aside;
}

static int is_tied(const ank_null *null) {
  size_t quarter = null->count / QUARTER, longest, distinct = count_distinct(null, quarter, &longest);
  return 2 * distinct < quarter || 10 * longest > quarter;
}

ank_null ank_null_of_ranks(const double *scores, size_t count) {
  return (ank_null){.scores = scores, .count = count};
}

ank_null ank_null_of_bulk(const double *scores, size_t count, int distances) {
  ank_null null = {.scores = scores, .count = count, .distances = distances};
  double g;
  if (count < FEWEST || is_tied(&null)) return null;
  size_t aside = count_aside(&null);
  if (!fit_tail(&null.tail, &g, &null, aside)) return null;
  null.has_tail = 1;
  null.set_aside = aside;
  double k = null.tail.level * (double)(count - aside);
  null.tail.scale *= (1 + STANDARD_ERRORS / sqrt(k)) / pow(g, 0.25);
  return null;
}

static double p_by_rank(const ank_null *null, double score) {
  size_t low = null->set_aside, high = null->count; /* how many are <= score lies in [low, high] */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (null->scores[middle] <= score)
      low = middle + 1;
    else
      high = middle;
  }
  return (double)(1 + low - null->set_aside) / (double)(null->count - null->set_aside + 1);
}

double ank_null_p_value(const ank_null *null, double score) {
  double at = on_tail_scale(null, score);
  return null->has_tail && at < null->tail.from ? p_by_tail(&null->tail, at) : p_by_rank(null, score);
}

double ank_null_least(const ank_null *null) {
  return null->has_tail ? ANK_NULL_LEAST : 1 / ((double)null->count + 1);
}
