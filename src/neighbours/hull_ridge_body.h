/* hull_ridge_body.h - the kernel of hull_ridge.h, included once per instruction set. A vector holds one
 * number of each row, so that rows never mix and no sum is re-ordered. NAME: the name of the kernel. */
#include <string.h>

typedef double vec __attribute__((vector_size(8 * ANK_HULL_ROWS)));
typedef double vec_anywhere __attribute__((vector_size(8 * ANK_HULL_ROWS), aligned(8), may_alias));

/* Return the start of row a of a lower triangle. */
static inline size_t triangle(size_t a) { return a * (a + 1) / 2; }

/* Load columns [from, from + some) of M: m[a * COLUMNS + j]. A single row is in all lanes. */
static void load(vec_anywhere *m, const float *const *rows, size_t count, const float *const *const *near,
                 size_t k, size_t from, size_t some) {
  if (count == 1) {
    for (size_t a = 0; a < k; a++)
      for (size_t j = 0; j < some; j++) {
        double value = (double)near[0][a][from + j] - (double)rows[0][from + j];
        m[a * ANK_HULL_COLUMNS + j] = (vec){value, value, value, value};
      }
    return;
  }
  for (size_t l = 0; l < ANK_HULL_ROWS; l++) {
    double row[ANK_HULL_COLUMNS];
    for (size_t j = 0; j < some; j++) row[j] = (double)rows[l][from + j];
    for (size_t a = 0; a < k; a++) {
      const float *neighbour = near[l][a] + from;
      double *out = (double *)(m + a * ANK_HULL_COLUMNS) + l;
      for (size_t j = 0; j < some; j++) out[j * ANK_HULL_ROWS] = (double)neighbour[j] - row[j];
    }
  }
}

/* Compute four products of row a of G, from b on, side by side. Those right of the diagonal are not
 * stored. */
static inline void row_of_products(vec_anywhere *g, const vec_anywhere *m, size_t a, size_t b, size_t k,
                                   size_t some, int more) {
  const vec_anywhere *x = m + a * ANK_HULL_COLUMNS, *y[4];
  for (size_t i = 0; i < 4; i++) y[i] = m + (b + i < k ? b + i : a) * ANK_HULL_COLUMNS;
  vec sum[4] = {x[0] * y[0][0], x[0] * y[1][0], x[0] * y[2][0], x[0] * y[3][0]};
  for (size_t j = 1; j < some; j++) {
    sum[0] += x[j] * y[0][j];
    sum[1] += x[j] * y[1][j];
    sum[2] += x[j] * y[2][j];
    sum[3] += x[j] * y[3][j];
  }
  for (size_t i = 0; i < 4 && b + i <= a; i++) g[b + i] = more ? sum[i] + g[b + i] : sum[i];
}

/* Compute the lower triangle of G. */
static void products(vec_anywhere *g, vec_anywhere *m, const float *const *rows, size_t count, size_t dim,
                     const float *const *const *near, size_t k) {
  for (size_t from = 0; from < dim; from += ANK_HULL_COLUMNS) {
    size_t some = dim - from < ANK_HULL_COLUMNS ? dim - from : ANK_HULL_COLUMNS;
    load(m, rows, count, near, k, from, some);
    for (size_t a = 0; a < k; a++)
      for (size_t b = 0; b <= a; b += 4) row_of_products(g + triangle(a), m, a, b, k, some, from > 0);
  }
}

/* Compute G + ridge I = L D L' in place (L below the diagonal), and y with L y = 1 along the way. `scaled` is
 * a row of L D. */
static void factor(vec_anywhere *g, vec_anywhere *inverse, vec_anywhere *y, vec_anywhere *scaled, size_t k,
                   const vec *ridge) {
  for (size_t a = 0; a < k; a++) {
    vec_anywhere *l = g + triangle(a);
    vec pivot = l[a] + *ridge, rest = pivot - pivot + 1.0;
    for (size_t b = 0; b < a; b++) {
      const vec_anywhere *other = g + triangle(b);
      vec sum = l[b];
      for (size_t c = 0; c < b; c++) sum -= scaled[c] * other[c];
      scaled[b] = sum;
      l[b] = sum * inverse[b];
      pivot -= sum * l[b];
      rest -= l[b] * y[b];
    }
    inverse[a] = 1.0 / pivot;
    y[a] = rest;
  }
}

static void NAME(double *squared, const float *const *rows, size_t count, size_t dim,
                 const float *const *const *near, size_t k, double ridge, double *scratch) {
  vec_anywhere *m = (vec_anywhere *)scratch, *g = m + k * ANK_HULL_COLUMNS, *inverse = g + triangle(k);
  vec_anywhere *y = inverse + k, *scaled = y + k;
  products(g, m, rows, count, dim, near, k);
  vec trace = g[0];
  for (size_t a = 1; a < k; a++) trace += g[triangle(a) + a];
  vec r = trace * (ridge / (double)k) + 1e-9;
  factor(g, inverse, y, scaled, k, &r);
  vec total = r - r, length = total; /* total = 1'(G + r I)^-1 1 > 0 */
  for (size_t a = 0; a < k; a++) {
    total += y[a] * y[a] * inverse[a];
    y[a] *= inverse[a];
  }
  for (size_t a = k; a-- > 0;) { /* L' w = y / D, column by column */
    vec w = y[a];
    for (size_t b = 0; b < a; b++) y[b] -= g[triangle(a) + b] * w;
    length += w * w;
  }
  vec result = 1.0 / total - r * length / total / total;
  memcpy(squared, &result, sizeof result);
}
