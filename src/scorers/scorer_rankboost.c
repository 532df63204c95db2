/* scorer_rankboost.c - RankBoost (Freund, Iyer, Schapire and Singer 2003) for two samples.
 *
 *   f(x) = sum over rounds of alpha_t h_t(x),   h_t(x) = 1 if x_j > threshold, else 0
 *
 * minimises the sum over pairs of exp(-(f(x_i) - f(u_k))) step by step. Between two samples the weight of a
 * pair is a product v(x_i) v(u_k), each side summing to 1, so a round is linear in the rows. It takes the
 * column and threshold of largest |r|,
 *
 *   r = sum of v over X where h = 1 - sum of v over U where h = 1,   alpha = log((1 + r) / (1 - r)) / 2
 *
 * (a negative alpha reverses the stump), which multiplies the loss by
 *
 *   Z = (sum over X of v exp(-alpha h)) (sum over U of v exp(alpha h)) <= sqrt(1 - r^2).
 *
 * |r| is limited to 1 - 1e-6, so alpha is at most 7.3. A stump that separates X from U perfectly, or that
 * gains nothing, ends the rounds. Thresholds are those between neighbouring values of a column, or 255 of
 * them at even ranks if there are more. Rounds that share a column are merged into a step function: the
 * scorer is a table of thresholds and levels per column, at most 255 of each, for any number of rounds. The
 * fit is deterministic. Fit O(d N log N + rounds d N) for N = n + m, score O(d) searches per row. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "kernels/sort.h"
#include "scorers/scorer.h"

enum { MOST_CUTS = 255, SPREAD_FROM = 1 << 18 /* values; below, threads cost more than they save */ };

#define LARGEST_R (1 - 1e-6)
#define LEAST_R 1e-12
#define LARGEST_LEVEL 1e12

typedef struct {
  size_t dim;
  uint32_t *start;   /* first threshold of each column, and the end: dim + 1 */
  double *threshold; /* ascending within a column */
  double *level;     /* contribution of the column above that threshold, up to the next; below the first: 0 */
} rankboost;

static void rankboost_free(void *scorer) {
  rankboost *self = scorer;
  if (!self) return;
  ank_free(self->start);
  ank_free(self->threshold);
  ank_free(self->level);
  ank_free(self);
}

/* ---- fit --------------------------------------------------------------------------------------------- */

typedef struct {
  double r;
  size_t cut;
} stump;

/* Rows 0 .. n - 1 are X, the others U. h of row i and cut k of column j is 1 if bin[j * total + i] > k. */
typedef struct {
  const ank_samples *samples;
  const anorank_settings *settings;
  size_t n, total, dim;
  double *v;          /* weight of each row; negative for U */
  unsigned char *bin; /* number of cuts of the column below the value */
  size_t *cuts;       /* number of cuts of each column */
  double *threshold;  /* MOST_CUTS per column */
  double *alpha;      /* likewise, summed over rounds */
  stump *best;        /* of each column */
} boosting;

static void boosting_free(boosting *b) {
  ank_free(b->v);
  ank_free(b->bin);
  ank_free(b->cuts);
  ank_free(b->threshold);
  ank_free(b->alpha);
  ank_free(b->best);
}

static double middle(double low, double high) {
  double cut = low / 2 + high / 2;
  return cut >= low && cut < high ? cut : low;
}

/* Place cuts wherever the sorted values change, or at the nearest changes below even ranks. */
static size_t place_cuts(double *threshold, const double *values, const uint32_t *order, size_t total) {
  size_t changes = 0, count = 0, taken = 0;
  for (size_t k = 1; k < total; k++) changes += values[order[k - 1]] < values[order[k]];
  for (size_t k = 1; k < total && count < MOST_CUTS; k++) {
    double low = values[order[k - 1]], high = values[order[k]];
    if (!(low < high)) continue;
    size_t step = k * (MOST_CUTS + 1) / total; /* 0 .. MOST_CUTS */
    if (changes > MOST_CUTS && step <= taken) continue;
    taken = step;
    threshold[count++] = middle(low, high);
  }
  return count;
}

/* Compute cuts and bins of one column. */
static anorank_status prepare_column(void *context, size_t j, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  boosting *b = context;
  const ank_matrix *x = &b->samples->x, *u = &b->samples->u;
  double *values = NULL, *threshold = b->threshold + j * MOST_CUTS;
  unsigned char *bin = b->bin + j * b->total;
  uint32_t *order = NULL;
  size_t below = 0;
  ANK_TRY(ank_alloc_raw(&values, b->total, sizeof *values, err));
  ANK_TRY(ank_alloc_raw(&order, b->total, sizeof *order, err));
  for (size_t i = 0; i < x->rows; i++) values[i] = x->values[i * x->dim + j];
  for (size_t i = 0; i < u->rows; i++) values[x->rows + i] = u->values[i * u->dim + j];
  ANK_TRY(ank_argsort(order, values, b->total, NULL, err));
  b->cuts[j] = place_cuts(threshold, values, order, b->total);
  for (size_t k = 0; k < b->total; k++) {
    while (below < b->cuts[j] && values[order[k]] > threshold[below]) below++;
    bin[order[k]] = (unsigned char)below;
  }
done:
  ank_free(values);
  ank_free(order);
  return status;
}

/* Find the best stump on one column. With two histograms, consecutive equal bins do not wait for each
 * other. */
static anorank_status search_column(void *context, size_t j, anorank_error *err) {
  boosting *b = context;
  const unsigned char *bin = b->bin + j * b->total;
  double even[MOST_CUTS + 1] = {0}, odd[MOST_CUTS + 1] = {0}, above = 0;
  size_t i = 0;
  (void)err;
  for (; i + 2 <= b->total; i += 2) {
    even[bin[i]] += b->v[i];
    odd[bin[i + 1]] += b->v[i + 1];
  }
  if (i < b->total) even[bin[i]] += b->v[i];
  b->best[j] = (stump){0, 0};
  for (size_t k = b->cuts[j]; k-- > 0;) {
    above += even[k + 1] + odd[k + 1];
    if (fabs(above) > fabs(b->best[j].r)) b->best[j] = (stump){above, k};
  }
  return ANORANK_OK;
}

/* Multiply the weights of the rows with h = 1, and normalise each side to sum 1. */
static void reweigh(boosting *b, size_t j, size_t cut, double alpha) {
  const unsigned char *bin = b->bin + j * b->total;
  double fall = exp(-alpha), rise = exp(alpha), x = 0, u = 0;
  for (size_t i = 0; i < b->n; i++) x += b->v[i] *= bin[i] > cut ? fall : 1;
  for (size_t i = b->n; i < b->total; i++) u -= b->v[i] *= bin[i] > cut ? rise : 1;
  for (size_t i = 0; i < b->n; i++) b->v[i] /= x;
  for (size_t i = b->n; i < b->total; i++) b->v[i] /= u;
}

/* Do one round. *more is 0 if it was the last. */
static anorank_status boost(boosting *b, int *more, anorank_error *err) {
  anorank_settings alone = *b->settings;
  size_t best = 0;
  if (b->total * b->dim < SPREAD_FROM) alone.threads = 1;
  *more = 0;
  ANK_CHECK(ank_parallel(&alone, b->dim, search_column, b, err));
  for (size_t j = 1; j < b->dim; j++)
    if (fabs(b->best[j].r) > fabs(b->best[best].r)) best = j;
  double r = b->best[best].r, bound = fmax(-LARGEST_R, fmin(LARGEST_R, r));
  if (!(fabs(r) > LEAST_R)) return ANORANK_OK;
  double alpha = 0.5 * (log1p(bound) - log1p(-bound));
  b->alpha[best * MOST_CUTS + b->best[best].cut] += alpha;
  reweigh(b, best, b->best[best].cut, alpha);
  *more = fabs(r) < LARGEST_R;
  return ANORANK_OK;
}

static anorank_status prepare(boosting *b, anorank_error *err) {
  const double *u_weight = b->samples->u_weight;
  double sum = 0;
  ANK_CHECK(ank_alloc_raw(&b->v, b->total, sizeof *b->v, err));
  ANK_CHECK(ank_alloc_raw(&b->bin, b->total * b->dim, 1, err));
  ANK_CHECK(ank_alloc(&b->cuts, b->dim, sizeof *b->cuts, err));
  ANK_CHECK(ank_alloc(&b->threshold, b->dim, MOST_CUTS * sizeof *b->threshold, err));
  ANK_CHECK(ank_alloc(&b->alpha, b->dim, MOST_CUTS * sizeof *b->alpha, err));
  ANK_CHECK(ank_alloc(&b->best, b->dim, sizeof *b->best, err));
  for (size_t i = 0; i < b->total - b->n; i++) sum += u_weight ? u_weight[i] : 1;
  for (size_t i = 0; i < b->n; i++) b->v[i] = 1 / (double)b->n;
  for (size_t i = b->n; i < b->total; i++) b->v[i] = -(u_weight ? u_weight[i - b->n] : 1) / sum;
  if (!(sum > 0))
    return ank_fail(err, ANORANK_ERROR_DATA, "fit-needs-contrast",
                    "rankboost needs contrast rows; pass some");
  return ank_parallel(b->settings, b->dim, prepare_column, b, err);
}

/* Keep the cuts in use, with the levels above them. */
static anorank_status merge(rankboost *self, const boosting *b, anorank_error *err) {
  size_t used = 0;
  for (size_t k = 0; k < b->dim * MOST_CUTS; k++) used += b->alpha[k] != 0;
  ANK_CHECK(ank_alloc(&self->start, b->dim + 1, sizeof *self->start, err));
  ANK_CHECK(ank_alloc(&self->threshold, used, sizeof *self->threshold, err));
  ANK_CHECK(ank_alloc(&self->level, used, sizeof *self->level, err));
  used = 0;
  for (size_t j = 0; j < b->dim; j++) {
    double level = 0;
    for (size_t k = j * MOST_CUTS; k < j * MOST_CUTS + b->cuts[j]; k++)
      if (b->alpha[k] != 0) {
        self->threshold[used] = b->threshold[k];
        self->level[used++] = level += b->alpha[k];
      }
    self->start[j + 1] = (uint32_t)used;
  }
  return ANORANK_OK;
}

static anorank_status rankboost_fit(void *scorer, const ank_samples *samples,
                                    const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  rankboost *self = scorer;
  boosting b = {.samples = samples, .settings = settings, .n = samples->x.rows, .dim = samples->x.dim};
  int more = 1;
  b.total = b.n + samples->u.rows;
  if (b.total > UINT32_MAX || b.dim > UINT32_MAX / MOST_CUTS)
    ANK_FAIL(ANORANK_ERROR_RESOURCES, "rows-too-many", "rankboost takes up to 2^32 rows, not %zu; use fewer",
             b.total);
  self->dim = b.dim;
  ANK_TRY(prepare(&b, err));
  for (int64_t round = 0; round < settings->rounds && more; round++) ANK_TRY(boost(&b, &more, err));
  ANK_TRY(merge(self, &b, err));
done:
  boosting_free(&b);
  return status;
}

/* ---- score ------------------------------------------------------------------------------------------- */

/* Return the number of `count` ascending thresholds below x, by branch-free bisection. */
static size_t count_below(const double *threshold, size_t count, double x) {
  size_t from = 0;
  while (count > 1) {
    size_t half = count / 2;
    from += threshold[from + half - 1] < x ? half : 0;
    count -= half;
  }
  return from + (count == 1 && threshold[from] < x);
}

static anorank_status rankboost_score(double *scores, const void *scorer, const ank_matrix *rows,
                                      anorank_error *err) {
  const rankboost *self = scorer;
  (void)err;
  for (size_t i = 0; i < rows->rows; i++) scores[i] = 0;
  for (size_t j = 0; j < self->dim; j++) {
    const double *threshold = self->threshold + self->start[j], *level = self->level + self->start[j];
    size_t count = self->start[j + 1] - self->start[j];
    for (size_t i = 0; count > 0 && i < rows->rows; i++) {
      size_t below = count_below(threshold, count, rows->values[i * self->dim + j]);
      if (below > 0) scores[i] += level[below - 1];
    }
  }
  return ANORANK_OK;
}

/* ---- the rest ---------------------------------------------------------------------------------------- */

static size_t rankboost_dim(const void *scorer) { return ((const rankboost *)scorer)->dim; }

static size_t rankboost_bytes(const void *scorer) {
  const rankboost *self = scorer;
  return sizeof *self + (self->dim + 1) * sizeof *self->start +
         2 * (size_t)self->start[self->dim] * sizeof *self->level;
}

static anorank_status rankboost_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  const rankboost *self = scorer;
  ANK_CHECK(ank_bytes_put_u32s(out, self->start, self->dim + 1, err));
  ANK_CHECK(ank_bytes_put_f64s(out, self->threshold, self->start[self->dim], err));
  return ank_bytes_put_f64s(out, self->level, self->start[self->dim], err);
}

static int sound(const rankboost *self, size_t thresholds) {
  if (self->start[0] != 0 || self->start[self->dim] != thresholds) return 0;
  for (size_t j = 0; j < self->dim; j++)
    if (self->start[j] > self->start[j + 1]) return 0;
  for (size_t j = 0; j < self->dim; j++)
    for (size_t k = self->start[j]; k < self->start[j + 1]; k++)
      if (!isfinite(self->threshold[k]) || !(fabs(self->level[k]) <= LARGEST_LEVEL) ||
          (k > self->start[j] && !(self->threshold[k - 1] < self->threshold[k])))
        return 0;
  return 1;
}

static anorank_status rankboost_load(void *scorer, ank_cursor *in, anorank_error *err) {
  rankboost *self = scorer;
  size_t starts, thresholds, levels;
  ANK_CHECK(ank_cursor_u32s(in, &self->start, &starts, err));
  ANK_CHECK(ank_cursor_f64s(in, &self->threshold, &thresholds, err));
  ANK_CHECK(ank_cursor_f64s(in, &self->level, &levels, err));
  self->dim = starts > 0 ? starts - 1 : 0;
  if (self->dim == 0 || thresholds != levels || !sound(self, thresholds))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-thresholds",
                    "the model is damaged: its thresholds are invalid");
  return ANORANK_OK;
}

const ank_scorer_class ank_scorer_rankboost = {
    .info = {"rankboost", "RankBoost: sum of single-column steps that ranks X above U", "rounds", 1, 0},
    .size = sizeof(rankboost),
    .fit = rankboost_fit,
    .score = rankboost_score,
    .dim = rankboost_dim,
    .bytes = rankboost_bytes,
    .save = rankboost_save,
    .load = rankboost_load,
    .free = rankboost_free,
};
