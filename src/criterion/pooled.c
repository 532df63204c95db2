/* pooled.c - see pooled.h. */
#include "criterion/pooled.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/sort.h"

#define CHUNK ((size_t)1 << 18)

anorank_status ank_scores_check(const double *scores, size_t n, const char *name, anorank_error *err) {
  for (size_t i = 0; i < n; i++)
    if (isnan(scores[i])) {
      (void)ank_fail(err, ANORANK_ERROR_DATA, "score-nan",
                     "the score of %s %zu is NaN; drop the row or fix the scorer", name, i + 1);
      ank_place_row(err, NULL, i, NULL);
      return ANORANK_ERROR_DATA;
    }
  return ANORANK_OK;
}

static anorank_status sorted_copy(double **out, const double *scores, size_t n, const char *name,
                                  const anorank_settings *settings, anorank_error *err) {
  ANK_CHECK(ank_scores_check(scores, n, name, err));
  ANK_CHECK(ank_alloc_raw(out, n, sizeof **out, err));
  if (n > 0) memcpy(*out, scores, n * sizeof *scores);
  return ank_sort(*out, n, settings, err);
}

anorank_status ank_pooled_make(ank_pooled *out, const double *x, size_t n, const char *x_name,
                               const double *u, size_t m, const char *u_name,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  *out = (ank_pooled){.n = n, .m = m};
  ANK_TRY(sorted_copy(&out->x, x, n, x_name, settings, err));
  ANK_TRY(sorted_copy(&out->u, u, m, u_name, settings, err));
  return ANORANK_OK;
done:
  ank_pooled_free(out);
  return status;
}

void ank_pooled_free(ank_pooled *pooled) {
  ank_free(pooled->x);
  ank_free(pooled->u);
  *pooled = (ank_pooled){0};
}

size_t ank_count_below(const double *sorted, size_t n, double value) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (sorted[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

size_t ank_pooled_chunks(const ank_pooled *pooled) {
  size_t total = pooled->n + pooled->m;
  return total == 0 ? 1 : (total - 1) / CHUNK + 1;
}

/* Find the border before the group at the pooled position `position`: `*i` of x and `*j` of u lie below
 * it. */
static void border(const ank_pooled *pooled, size_t position, size_t *i, size_t *j) {
  size_t n = pooled->n, m = pooled->m;
  if (position >= n + m) {
    *i = n;
    *j = m;
    return;
  }
  /* Number of values of x among the first `position` in pooled order (x first among equals). */
  size_t low = position > m ? position - m : 0, high = position < n ? position : n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (pooled->x[middle] <= pooled->u[position - middle - 1])
      low = middle + 1;
    else
      high = middle;
  }
  size_t other = position - low;
  int from_x = low < n && (other >= m || pooled->x[low] <= pooled->u[other]);
  double value = from_x ? pooled->x[low] : pooled->u[other];
  *i = ank_count_below(pooled->x, n, value);
  *j = ank_count_below(pooled->u, m, value);
}

ank_walk ank_walk_chunk(const ank_pooled *pooled, size_t chunk) {
  ank_walk walk = {.pooled = pooled};
  border(pooled, chunk * CHUNK, &walk.i, &walk.j);
  border(pooled, (chunk + 1) * CHUNK, &walk.i_end, &walk.j_end);
  return walk;
}

ank_walk ank_walk_all(const ank_pooled *pooled) {
  return (ank_walk){.pooled = pooled, .i_end = pooled->n, .j_end = pooled->m};
}

int ank_walk_next(ank_walk *walk, ank_group *group) {
  const double *x = walk->pooled->x, *u = walk->pooled->u;
  size_t i = walk->i, j = walk->j;
  if (i >= walk->i_end && j >= walk->j_end) return 0;
  int from_x = i < walk->i_end && (j >= walk->j_end || x[i] <= u[j]);
  double value = from_x ? x[i] : u[j];
  while (i < walk->i_end && x[i] == value) i++;
  while (j < walk->j_end && u[j] == value) j++;
  *group = (ank_group){value, i - walk->i, j - walk->j, walk->i, walk->j};
  walk->i = i;
  walk->j = j;
  return 1;
}
