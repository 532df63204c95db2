/* hull.c - see hull.h. */
#include "scorers/hull.h"

#include <math.h>

#define RIDGE 0.3
#define LEAST_RIDGE 1e-9
#define FLOOR 1e-6

enum { COLUMNS = 16 }; /* at a time: what is loaded of the neighbours stays on the stack */

/* The lower triangle of G = M M'. Each entry is a sum over the columns in order. */
static void products(double g[][ANK_HULL_MOST], const ank_search *search, const uint32_t *place, size_t k,
                     const float *row) {
  double m[COLUMNS][ANK_HULL_MOST];
  size_t dim = ank_search_dim(search);
  for (size_t a = 0; a < k; a++)
    for (size_t b = 0; b <= a; b++) g[a][b] = 0;
  for (size_t from = 0; from < dim; from += COLUMNS) {
    size_t some = dim - from < COLUMNS ? dim - from : COLUMNS;
    for (size_t a = 0; a < k; a++) {
      const float *neighbour = ank_search_row(search, place[a]) + from;
      for (size_t j = 0; j < some; j++) m[j][a] = (double)neighbour[j] - (double)row[from + j];
    }
    for (size_t j = 0; j < some; j++)
      for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b <= a; b++) g[a][b] += m[j][a] * m[j][b];
  }
}

/* Solve (G + ridge I) w = 1 by Cholesky. */
static void solve(double *w, double g[][ANK_HULL_MOST], size_t k, double ridge) {
  double l[ANK_HULL_MOST][ANK_HULL_MOST];
  for (size_t a = 0; a < k; a++) {
    double rest = 1;
    for (size_t b = 0; b <= a; b++) {
      double sum = g[a][b] + (a == b ? ridge : 0);
      for (size_t c = 0; c < b; c++) sum -= l[a][c] * l[b][c];
      l[a][b] = a == b ? 1 / sqrt(sum) : sum * l[b][b]; /* the diagonal holds reciprocals */
    }
    for (size_t b = 0; b < a; b++) rest -= l[a][b] * w[b];
    w[a] = rest * l[a][a];
  }
  for (size_t a = k; a-- > 0;) {
    double rest = w[a];
    for (size_t b = a + 1; b < k; b++) rest -= l[b][a] * w[b];
    w[a] = rest * l[a][a];
  }
}

double ank_hull_value(const ank_search *search, const uint32_t *place, size_t k, const float *row) {
  double g[ANK_HULL_MOST][ANK_HULL_MOST], w[ANK_HULL_MOST], trace = 0, total = 0, squared = 0;
  products(g, search, place, k, row);
  for (size_t a = 0; a < k; a++) trace += g[a][a];
  solve(w, g, k, RIDGE * trace / (double)k + LEAST_RIDGE);
  for (size_t a = 0; a < k; a++) total += w[a]; /* = 1'(G + ridge I)^-1 1 > 0 */
  for (size_t a = 0; a < k; a++) w[a] /= total;
  for (size_t a = 0; a < k; a++) {
    double across = 0;
    for (size_t b = 0; b < a; b++) across += g[a][b] * w[b];
    squared += w[a] * (2 * across + g[a][a] * w[a]);
  }
  return 0.5 * log(fmax(squared, 0) + FLOOR);
}
