/* null.c - see null.h.
 *
 * Ranks: p = (1 + #{calibration scores <= s}) / (count + 1), conformal; ties count against the row.
 *
 * Bulk and tail. Where the calibration rows are those of the file itself, its anomalies are among them, and
 * the k-th lowest score has p = k / n whatever it is: ranks then say nothing about the lowest rows. What can
 * be used is the bulk, and an assumption about how normal scores go on below it. Scores of the neighbour
 * classes are minus logarithms of distances, so that a law of distances with tail x^-a has scores with an
 * exponential tail, exp(a s), and lighter laws (Gaussian, lognormal, bounded) have lighter ones. An
 * exponential tail with the rate of the bulk is then right for the first and errs on the safe side for the
 * others. With Q(t) the t-quantile of the calibration scores, for (t1, t2) = (1/2, 1/4), (1/2, 1/8),
 * (1/4, 1/16), (1/8, 1/32):
 *
 *   p(s) = min over lines with s < Q(t2) of  t2 exp((s - Q(t2)) / scale),
 *   scale = (Q(t1) - Q(t2)) / log(t1 / t2)
 *
 * Anomalies among the calibration rows make Q(t) lower and the scale larger, so that each line errs on the
 * safe side and the smallest may be taken; the first, which looks at the central quarter alone, holds out
 * longest. Lines that rest on fewer than 30 scores below Q(t2) are left out, and no scale may be less than
 * half of that of the bulk (scores of discrete tables come in lumps). Then, once: the calibration scores that
 * these p-values select at a false-discovery rate of 0.1 are set aside, and the lines drawn again.
 *
 * What is assumed: below the bulk, scores of normal rows fall off at least as fast as an exponential law with
 * the bulk's rate does. Wrong where a few normal rows are of a kind of their own, far from the others:
 * without labels they cannot be told from anomalies. docs/lab-notebook.md has simulations of both. */
#include "model/null.h"

#include <math.h>

enum { FEWEST_BELOW = 30 };

#define SELECTED_RATE 0.1
#define LEAST_SCALE 0.5 /* of the bulk's */

static const double windows[ANK_NULL_LINES][2] = {
    {0.5, 0.25}, {0.5, 0.125}, {0.25, 0.0625}, {0.125, 0.03125}};

/* The scale on which tails are exponential. */
static double on_tail_scale(const ank_null *null, double score) {
  return null->distances ? -log(fmax(-score, 0)) : score;
}

static double quantile(const ank_null *null, double level) {
  size_t count = null->count - null->set_aside, k = (size_t)ceil(level * (double)(count + 1));
  return on_tail_scale(null, null->scores[null->set_aside + k - 1]);
}

static double scale_of(const ank_null *null, size_t window) {
  double upper = windows[window][0], lower = windows[window][1];
  return (quantile(null, upper) - quantile(null, lower)) / log(upper / lower);
}

static void draw_lines(ank_null *null) {
  double count = (double)(null->count - null->set_aside);
  null->lines = 0;
  if (windows[0][1] * count < FEWEST_BELOW) return;
  double bulk = fmin(scale_of(null, 0), scale_of(null, 1));
  if (!(bulk > 0) || !isfinite(scale_of(null, 0)) || !isfinite(scale_of(null, 1))) return;
  for (size_t k = 0; k < ANK_NULL_LINES && windows[k][1] * count >= FEWEST_BELOW; k++) {
    double scale = scale_of(null, k), from = quantile(null, windows[k][1]);
    if (!isfinite(scale)) break;
    null->line[null->lines++] = (anorank_tail){from, windows[k][1], fmax(scale, LEAST_SCALE * bulk)};
  }
}

/* Benjamini and Hochberg's rule on the calibration scores themselves: they are in order, and so are their
 * p-values. At most half of them, as there would be no bulk otherwise. */
static size_t count_selected(const ank_null *null) {
  size_t selected = 0;
  for (size_t k = 0; k < null->count / 2; k++)
    if (ank_null_p_value(null, null->scores[k]) * (double)null->count <= SELECTED_RATE * (double)(k + 1))
      selected = k + 1;
  return selected;
}

ank_null ank_null_of_ranks(const double *scores, size_t count) {
  return (ank_null){.scores = scores, .count = count};
}

ank_null ank_null_of_bulk(const double *scores, size_t count, int distances) {
  ank_null null = {.scores = scores, .count = count, .distances = distances};
  draw_lines(&null);
  if (null.lines > 0) null.set_aside = count_selected(&null);
  if (null.set_aside > 0) draw_lines(&null);
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
  double at = on_tail_scale(null, score), p = 1;
  if (null->lines == 0 || !(at < null->line[0].from)) return p_by_rank(null, score);
  for (size_t k = 0; k < null->lines; k++)
    if (at < null->line[k].from)
      p = fmin(p, null->line[k].level * exp((at - null->line[k].from) / null->line[k].scale));
  return fmax(p, ANK_NULL_LEAST);
}

double ank_null_least(const ank_null *null) {
  return null->lines > 0 ? ANK_NULL_LEAST : 1 / ((double)null->count + 1);
}
