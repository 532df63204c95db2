/* rank_loss.c - the rank statistic W_phi with smoothed comparisons, and its gradient, in O(N log N).
 *
 * Walk up the pooled scores: passing point k raises phi by its jump
 *   J_k = phi((C_k + 1/2) / (N + 1)) - phi((C_k - w_k + 1/2) / (N + 1)),   C_k the weight up to and with k,
 * so a score after the points below it has phi(1/2 / (N + 1)) + the sum of their jumps. Smoothing "after" by
 * K gives the loss and its gradient,
 *   W = phi(1/2 / (N + 1)) + (1/n) sum_{i in X} sum_k J_k K((z_i - z_k) / h)
 *   dW/dz_p = [p in X] D_p / (n h) - J_p A_p / (n h),   D_p = sum_k J_k K'(.),  A_p = sum_{i in X} K'(.)
 * where the term of a point with itself is in both sums and cancels. The alternative, phi of a smoothed rank,
 * fails: some phi (log, clipped) bend down at the abnormal end, so a smoothed rank in the middle exceeds the
 * mean over its ranks, and the best scorer under such a loss is nearly constant. Here a tied run has the mean
 * of phi at its two ends. That is less than a random order of the run if phi bends down, and more if phi
 * bends up, as logrank does: keep h narrow. Jumps also need no slope of phi.
 *
 * The sums are over points within h of p, of a cubic or a quadratic in (z_p - z_k) / h. The sorted scores are
 * cut into cells of width h; a point's neighbourhood then is its own cell, the upper part of the cell below
 * and the lower part of the cell above. Sums of powers of the position inside a cell (in [0, 1), which avoids
 * cancellation) give each part's polynomial in O(1), and the two borders only move forward with p. */
#include <math.h>

#include "core/alloc.h"
#include "kernels/sort.h"
#include "learn/objective.h"

/* Sums over a set of points of weight * t^0 .. t^3. */
typedef struct moments {
  double m[4];
} moments;

typedef struct cells {
  size_t count;    /* points */
  uint32_t *order; /* sorted position -> index into scores */
  double *at;      /* position inside the cell, sorted */
  double *cell;    /* number of the cell, sorted */
  moments *before; /* sums over earlier points of the same cell */
  double *weight;  /* sorted */
} cells;

static void cells_free(cells *c) {
  ank_free(c->order);
  ank_free(c->at);
  ank_free(c->cell);
  ank_free(c->before);
  ank_free(c->weight);
}

static anorank_status cells_make(cells *c, const double *scores, size_t count, double h, anorank_error *err) {
  *c = (cells){.count = count};
  ANK_CHECK(ank_alloc_raw(&c->order, count, sizeof *c->order, err));
  ANK_CHECK(ank_alloc_raw(&c->at, count, sizeof *c->at, err));
  ANK_CHECK(ank_alloc_raw(&c->cell, count, sizeof *c->cell, err));
  ANK_CHECK(ank_alloc_raw(&c->before, count, sizeof *c->before, err));
  ANK_CHECK(ank_alloc_raw(&c->weight, count, sizeof *c->weight, err));
  ANK_CHECK(ank_argsort(c->order, scores, count, NULL, err));
  for (size_t k = 0; k < count; k++) {
    double place = (scores[c->order[k]] - scores[c->order[0]]) / h;
    c->cell[k] = floor(place);
    c->at[k] = place - c->cell[k];
  }
  return ANORANK_OK;
}

static void add_point(moments *sum, double weight, double t) {
  sum->m[0] += weight;
  sum->m[1] += weight * t;
  sum->m[2] += weight * t * t;
  sum->m[3] += weight * t * t * t;
}

static moments minus(const moments *a, const moments *b) {
  return (moments){{a->m[0] - b->m[0], a->m[1] - b->m[1], a->m[2] - b->m[2], a->m[3] - b->m[3]}};
}

/* Sum K and K' over points at t seen from e: the argument is e - t. */
static double sum_of_k(const moments *s, double e) {
  double cubes = e * e * e * s->m[0] - 3 * e * e * s->m[1] + 3 * e * s->m[2] - s->m[3];
  return 0.5 * s->m[0] + 0.75 * (e * s->m[0] - s->m[1]) - 0.25 * cubes;
}

static double sum_of_slopes(const moments *s, double e) {
  return 0.75 * (s->m[0] - e * e * s->m[0] + 2 * e * s->m[1] - s->m[2]);
}

static void prefix_sums(cells *c) {
  moments sum = {{0}};
  for (size_t k = 0; k < c->count; k++) {
    if (k > 0 && c->cell[k] != c->cell[k - 1]) sum = (moments){{0}};
    c->before[k] = sum;
    add_point(&sum, c->weight[k], c->at[k]);
  }
}

/* Sum over the points from the cell's first up to, and without, `end`. */
static moments sums_up_to(const cells *c, size_t first, size_t end) {
  if (end == first) return (moments){{0}};
  moments sum = c->before[end - 1];
  add_point(&sum, c->weight[end - 1], c->at[end - 1]);
  return sum;
}

static size_t end_of_cell(const cells *c, size_t first) {
  size_t end = first;
  while (end < c->count && c->cell[end] == c->cell[first]) end++;
  return end;
}

/* Compute for every sorted point the sums of weight * K (unless `k_sums` is NULL) and of weight * K'. */
static void window_sums(cells *c, double *k_sums, double *slope_sums) {
  const moments none = {{0}};
  size_t low_first = 0, low_end = 0; /* the cell below: empty unless it is adjacent */
  double settled = 0;                /* weight of all cells before the one below */
  prefix_sums(c);
  for (size_t first = 0, end; first < c->count; first = end) {
    end = end_of_cell(c, first);
    size_t next_end = end < c->count && c->cell[end] == c->cell[first] + 1 ? end_of_cell(c, end) : end;
    if (low_end > low_first && c->cell[low_first] + 1 != c->cell[first]) {
      settled += sums_up_to(c, low_first, low_end).m[0];
      low_first = low_end;
    }
    moments own = sums_up_to(c, first, end), low = sums_up_to(c, low_first, low_end);
    for (size_t p = first, below = low_first, above = end; p < end; p++) {
      double t = c->at[p];
      while (below < low_end && c->at[below] <= t) below++;
      while (above < next_end && c->at[above] < t) above++;
      moments passed = sums_up_to(c, low_first, below), near_low = minus(&low, &passed);
      moments near_high = above > end ? sums_up_to(c, end, above) : none;
      if (k_sums)
        k_sums[p] = settled + passed.m[0] + sum_of_k(&near_low, t + 1) + sum_of_k(&own, t) +
                    sum_of_k(&near_high, t - 1);
      slope_sums[p] =
          sum_of_slopes(&near_low, t + 1) + sum_of_slopes(&own, t) + sum_of_slopes(&near_high, t - 1);
    }
    settled += low.m[0];
    low_first = first;
    low_end = end;
  }
}

/* Turn the weights into jumps of phi; tied points share theirs by weight. Returns phi below all points. */
static double jumps(cells *c, const double *scores, const ank_phi *phi, double parameter, double total) {
  double passed = 0, lowest = phi->value(0.5 / (total + 1), parameter), value = lowest;
  for (size_t from = 0, to; from < c->count; from = to) {
    double group = 0;
    for (to = from; to < c->count && scores[c->order[to]] == scores[c->order[from]]; to++)
      group += c->weight[to];
    passed += group;
    double next = phi->value((passed + 0.5) / (total + 1), parameter);
    for (size_t k = from; k < to; k++) c->weight[k] *= group > 0 ? (next - value) / group : 0;
    value = next;
  }
  return lowest;
}

anorank_status ank_loss_rank(double *loss, double *slopes, const ank_scored *scored, const ank_phi *phi,
                             double parameter, double h, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = scored->n, count = n + scored->m;
  double *lifts = NULL, *density = NULL, *jump = NULL, total = 0, sum = 0, scale = 1 / ((double)n * h);
  cells c = {0};
  *loss = NAN;
  ANK_TRY(cells_make(&c, scored->scores, count, h, err));
  ANK_TRY(ank_alloc_raw(&lifts, count, sizeof *lifts, err));
  ANK_TRY(ank_alloc_raw(&density, count, sizeof *density, err));
  ANK_TRY(ank_alloc_raw(&jump, count, sizeof *jump, err));
  for (size_t k = 0; k < count; k++) {
    size_t i = c.order[k];
    c.weight[k] = i < n || !scored->u_weight ? 1 : scored->u_weight[i - n];
    total += c.weight[k];
  }
  double lowest = jumps(&c, scored->scores, phi, parameter, total);
  window_sums(&c, lifts, density);
  for (size_t k = 0; k < count; k++) {
    size_t i = c.order[k];
    jump[k] = c.weight[k];
    c.weight[k] = i < n; /* for A_p */
    if (i >= n) continue;
    sum += lifts[k];
    slopes[i] -= density[k] * scale;
  }
  window_sums(&c, NULL, density);
  for (size_t k = 0; k < count; k++) slopes[c.order[k]] += jump[k] * density[k] * scale;
  *loss = -lowest - sum / (double)n;
done:
  cells_free(&c);
  ank_free(lifts);
  ank_free(density);
  ank_free(jump);
  return status;
}
