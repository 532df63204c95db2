/* pooled.h - two samples of scores, sorted, and a walk over them in pooled order.
 *
 * The samples stay separate, each sorted; the walk merges them into tie groups on the fly. Every statistic of
 * one scorer is a sum over these groups, so it needs no row order and no pooled copy: 8 bytes per score, 16
 * while sorting. For threads the pooled order is cut into chunks whose borders lie between groups and depend
 * on the scores alone. */
#ifndef ANK_CRITERION_POOLED_H
#define ANK_CRITERION_POOLED_H

#include "core/status.h"
#include "core/wide.h" /* counts of pairs reach n * m, their squares n * m^2: 10^24 for 10^8 scores */

typedef struct ank_pooled {
  double *x, *u; /* ascending */
  size_t n, m;
} ank_pooled;

/* All rows with one value: `x` and `u` of them, after `x_before` and `u_before` rows with lower values. */
typedef struct ank_group {
  double value;
  size_t x, u, x_before, u_before;
} ank_group;

typedef struct ank_walk {
  const ank_pooled *pooled;
  size_t i, j, i_end, j_end;
} ank_walk;

/* Copy and sort. A NaN is ANORANK_ERROR_DATA; messages call the samples `x_name` and `u_name` ("normal row").
 * Either sample may be empty. `out` is empty on failure. */
anorank_status ank_pooled_make(ank_pooled *out, const double *x, size_t n, const char *x_name,
                               const double *u, size_t m, const char *u_name,
                               const anorank_settings *settings, anorank_error *err);
void ank_pooled_free(ank_pooled *pooled);

/* Return ANORANK_ERROR_DATA for the first NaN, with its 1-based row. */
anorank_status ank_scores_check(const double *scores, size_t n, const char *name, anorank_error *err);

size_t ank_pooled_chunks(const ank_pooled *pooled);

/* Walk over the groups of one chunk, in ascending order. Chunks may be empty. */
ank_walk ank_walk_chunk(const ank_pooled *pooled, size_t chunk);

/* Walk over all groups. */
ank_walk ank_walk_all(const ank_pooled *pooled);

/* Get the next group. Returns 0 at the end. */
int ank_walk_next(ank_walk *walk, ank_group *group);

/* Return the number of sorted values below `value`. */
size_t ank_count_below(const double *sorted, size_t n, double value);

/* Neumaier's compensated sum. */
typedef struct ank_sum {
  double high, low;
} ank_sum;

static inline void ank_sum_add(ank_sum *sum, double value) {
  double total = sum->high + value;
  double big = sum->high < 0 ? -sum->high : sum->high, other = value < 0 ? -value : value;
  sum->low += big >= other ? (sum->high - total) + value : (value - total) + sum->high;
  sum->high = total;
}

static inline double ank_sum_value(const ank_sum *sum) { return sum->high + sum->low; }

static inline void ank_sum_merge(ank_sum *sum, const ank_sum *other) {
  ank_sum_add(sum, other->high);
  ank_sum_add(sum, other->low);
}

#endif
