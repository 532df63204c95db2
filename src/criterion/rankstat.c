/* rankstat.c - W_phi = sum_i phi(Rank(s(X_i)) / (N + 1))   (Definition 2, Eq. 11), for every phi at once.
 *
 * Rows with equal scores share the mean of phi over their ranks (ank_phi_of_ties). If s does not separate X
 * from U, every choice of n of the N pooled rows is equally likely to be X. Given the ties, W then is the sum
 * of n values drawn without replacement from the values a_k of the N rows:
 *
 *   mean n abar,   variance n m / (N (N - 1)) * sum_k (a_k - abar)^2.
 *
 * Sums run over the groups of the walk in chunks, compensated, and are combined in chunk order. Rank sums and
 * pair counts are exact integers, so Eq. 8, n m (1 - area) + n (n + 1) / 2 = rank sum, holds exactly. */
#include "criterion/rankstat.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "kernels/normal.h"

/* Number of groups to collect before each phi processes them. */
#define BATCH 512

/* The moments of one phi over one chunk, relative to `pivot` = phi(1/2), near the middle of all values, so
 * that the variance loses no digits. */
typedef struct {
  ank_sum in_x, all, squares;
  double low, high; /* smallest and largest value; equal if phi cannot distinguish any rows */
} moments;

typedef struct {
  moments of_phi[ANK_PHI_COUNT];
  ank_pairs pairs;
} part;

typedef struct {
  const ank_pooled *pooled;
  anorank_ties ties;
  int pairs_only;
  double parameter[ANK_PHI_COUNT], pivot[ANK_PHI_COUNT];
  part *parts;
} context;

typedef struct {
  ank_group group[BATCH];
  size_t used;
} batch;

static void flush(batch *groups, const context *job, moments *of_phi) {
  size_t total = job->pooled->n + job->pooled->m;
  for (size_t k = 0; k < ANK_PHI_COUNT; k++) {
    const ank_phi *phi = ank_phi_at(k);
    moments *sums = &of_phi[k];
    for (size_t g = 0; g < groups->used; g++) {
      const ank_group *group = &groups->group[g];
      size_t before = group->x_before + group->u_before, tied = group->x + group->u;
      double value = ank_phi_of_ties(phi, job->parameter[k], before, tied, total, job->ties);
      double apart = value - job->pivot[k];
      ank_sum_add(&sums->in_x, (double)group->x * apart);
      ank_sum_add(&sums->all, (double)tied * apart);
      ank_sum_add(&sums->squares, (double)tied * apart * apart);
      if (value < sums->low) sums->low = value;
      if (value > sums->high) sums->high = value;
    }
  }
  groups->used = 0;
}

static void count_pairs(ank_pairs *pairs, const ank_group *group, size_t n, anorank_ties ties) {
  size_t before = group->x_before + group->u_before, size = group->x + group->u;
  size_t twice_rank = ties == ANORANK_TIES_MAX ? 2 * (before + size) : 2 * before + size + 1;
  uint64_t x_place = 2 * (uint64_t)group->u_before + group->u;
  uint64_t u_place = 2 * (uint64_t)(n - group->x_before - group->x) + group->x;
  ank_wide x_pairs = ank_mul_64_64(x_place, group->x), u_pairs = ank_mul_64_64(u_place, group->u);
  pairs->twice_rank_sum = ank_wide_add(pairs->twice_rank_sum, ank_mul_64_64(twice_rank, group->x));
  pairs->twice_below = ank_wide_add(pairs->twice_below, x_pairs);
  pairs->x_squares = ank_wide_times_add(x_pairs, x_place, pairs->x_squares);
  pairs->u_squares = ank_wide_times_add(u_pairs, u_place, pairs->u_squares);
  pairs->groups++;
  if (size > 1) pairs->tied_rows += size;
}

static anorank_status run_chunk(void *argument, size_t chunk, anorank_error *err) {
  const context *job = argument;
  part *mine = &job->parts[chunk];
  batch groups = {.used = 0};
  ank_group group;
  (void)err;
  for (size_t k = 0; k < ANK_PHI_COUNT; k++) {
    mine->of_phi[k].low = INFINITY;
    mine->of_phi[k].high = -INFINITY;
  }
  for (ank_walk walk = ank_walk_chunk(job->pooled, chunk); ank_walk_next(&walk, &group);) {
    count_pairs(&mine->pairs, &group, job->pooled->n, job->ties);
    if (job->pairs_only) continue;
    groups.group[groups.used] = group;
    if (++groups.used == BATCH) flush(&groups, job, mine->of_phi);
  }
  flush(&groups, job, mine->of_phi);
  return ANORANK_OK;
}

static void merge(part *total, const part *other) {
  for (size_t k = 0; k < ANK_PHI_COUNT; k++) {
    moments *into = &total->of_phi[k];
    const moments *from = &other->of_phi[k];
    ank_sum_merge(&into->in_x, &from->in_x);
    ank_sum_merge(&into->all, &from->all);
    ank_sum_merge(&into->squares, &from->squares);
    if (from->low < into->low) into->low = from->low;
    if (from->high > into->high) into->high = from->high;
  }
  total->pairs.twice_rank_sum = ank_wide_add(total->pairs.twice_rank_sum, other->pairs.twice_rank_sum);
  total->pairs.twice_below = ank_wide_add(total->pairs.twice_below, other->pairs.twice_below);
  total->pairs.x_squares = ank_wide_add(total->pairs.x_squares, other->pairs.x_squares);
  total->pairs.u_squares = ank_wide_add(total->pairs.u_squares, other->pairs.u_squares);
  total->pairs.groups += other->pairs.groups;
  total->pairs.tied_rows += other->pairs.tied_rows;
}

double ank_mann_whitney_tail(size_t n, size_t m, size_t at_least) {
  /* Coefficients of the Gaussian binomial [n + m choose n]: way[v] = number of orders with V = v. Computed as
   * a product of (1 - q^(m+i)) / (1 - q^i); every quotient is a polynomial with coefficients up to C(50, 25)
   * < 2^47. */
  int64_t way[ANK_EXACT_ROWS * ANK_EXACT_ROWS / 4 + 1] = {1};
  double all = 0, tail = 0;
  size_t most = n * m;
  for (size_t i = 1; i <= n; i++) {
    for (size_t v = most + 1; v-- > m + i;) way[v] -= way[v - m - i];
    for (size_t v = i; v <= most; v++) way[v] += way[v - i];
  }
  for (size_t v = 0; v <= most; v++) {
    all += (double)way[v];
    if (v >= at_least) tail += (double)way[v];
  }
  return tail / all;
}

static void finish(anorank_w *w, const ank_phi *phi, const moments *sums, double pivot, double n, double m) {
  double total = n + m, all = ank_sum_value(&sums->all);
  w->phi = phi->info.name;
  w->sum = n * pivot + ank_sum_value(&sums->in_x);
  w->mean = pivot + ank_sum_value(&sums->in_x) / n;
  w->null_mean = n * pivot + n * (all / total);
  double spread = ank_sum_value(&sums->squares) - all * (all / total);
  if (!(spread > 0) || sums->low == sums->high) spread = 0;
  w->null_sd = sqrt(n * m / (total * (total - 1)) * spread);
  /* If phi is constant over all rows, W is constant. */
  w->z = w->null_sd > 0 ? (ank_sum_value(&sums->in_x) - n * (all / total)) / w->null_sd : 0;
  w->p_value = w->null_sd > 0 ? ank_normal_tail(w->z) : 1;
}

anorank_status ank_rankstat(anorank_w *w, ank_pairs *pairs, const ank_pooled *pooled,
                            const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t chunks = ank_pooled_chunks(pooled), n = pooled->n, m = pooled->m;
  context job = {.pooled = pooled, .ties = (anorank_ties)settings->ties, .pairs_only = !w};
  for (size_t k = 0; k < ANK_PHI_COUNT; k++) {
    const ank_phi *phi = ank_phi_at(k);
    job.parameter[k] = ank_phi_parameter(phi, settings);
    job.pivot[k] = phi->value(0.5, job.parameter[k]);
  }
  ANK_TRY(ank_alloc(&job.parts, chunks, sizeof *job.parts, err));
  ANK_TRY(ank_parallel(settings, chunks, run_chunk, &job, err));
  for (size_t c = 1; c < chunks; c++) merge(&job.parts[0], &job.parts[c]);
  *pairs = job.parts[0].pairs;
  if (!w) goto done;
  for (size_t k = 0; k < ANK_PHI_COUNT; k++) {
    w[k] = (anorank_w){0};
    finish(&w[k], ank_phi_at(k), &job.parts[0].of_phi[k], job.pivot[k], (double)n, (double)m);
  }
  /* mww comes first in the registry; its sum is a ratio of integers. */
  w[0].sum = ank_wide_double(pairs->twice_rank_sum) / (2 * ((double)(n + m) + 1));
  w[0].mean = w[0].sum / (double)n;
  if (n + m <= ANK_EXACT_ROWS && pairs->tied_rows == 0) {
    w[0].p_value = ank_mann_whitney_tail(n, m, (size_t)(pairs->twice_below.low / 2));
    w[0].exact = 1;
  }
done:
  ank_free(job.parts);
  return status;
}
