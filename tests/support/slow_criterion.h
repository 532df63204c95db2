/* slow_criterion.h - the criterion by its definitions, O(n m), and scores to test it on. */
#ifndef TEST_SUPPORT_SLOW_CRITERION_H
#define TEST_SUPPORT_SLOW_CRITERION_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers in (0, 1), the same in every run. */
static inline double slow_uniform(uint64_t *state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

/* Roughly normal; `grid` > 0 rounds to multiples of it, which makes ties. */
static inline void slow_scores(double *scores, size_t n, double shift, double grid, uint64_t seed) {
  for (size_t i = 0; i < n; i++) {
    double sum = -6;
    for (int k = 0; k < 12; k++) sum += slow_uniform(&seed);
    scores[i] = grid > 0 ? grid * round((sum + shift) / grid) : sum + shift;
  }
}

/* 1 if x beats u, 1/2 if they tie. */
static inline double slow_win(double x, double u) { return x > u ? 1 : x == u ? 0.5 : 0; }

static inline double slow_area(const double *x, size_t n, const double *u, size_t m) {
  double wins = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++) wins += slow_win(x[i], u[j]);
  return 1 - wins / ((double)n * (double)m);
}

static inline double slow_rank(double score, const double *x, size_t n, const double *u, size_t m, int max) {
  size_t below = 0, equal = 0;
  for (size_t i = 0; i < n; i++) below += x[i] < score, equal += x[i] == score;
  for (size_t j = 0; j < m; j++) below += u[j] < score, equal += u[j] == score;
  return max ? (double)(below + equal) : (double)below + 0.5 * ((double)equal + 1);
}

/* Eq. 6 where X and U have no ties with each other: 0 <= k < n, mass in [k / n, (k + 1) / n). */
static inline double slow_volume(size_t k, const double *x, size_t n, const double *u, size_t m) {
  double threshold = NAN;
  for (size_t i = 0; i < n; i++) { /* the (k + 1)-th highest */
    size_t above = 0, equal = 0;
    for (size_t l = 0; l < n; l++) above += x[l] > x[i], equal += x[l] == x[i];
    if (above <= k && k < above + equal) threshold = x[i];
  }
  size_t inside = 0;
  for (size_t j = 0; j < m; j++) inside += u[j] >= threshold;
  return (double)inside / (double)m;
}

#endif
