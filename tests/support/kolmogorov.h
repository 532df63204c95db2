/* kolmogorov.h - the probability of a distance from the uniform law, for the slow tests of p-values. */
#ifndef TEST_SUPPORT_KOLMOGOROV_H
#define TEST_SUPPORT_KOLMOGOROV_H

#include <math.h>

static inline int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* P(K > distance) for n uniform numbers, by the limit law with Stephens' correction. */
static inline double kolmogorov(double distance, double n) {
  double t = (sqrt(n) + 0.12 + 0.11 / sqrt(n)) * distance, sum = 0;
  for (int k = 1; k <= 100; k++) sum += (k % 2 ? 2 : -2) * exp(-2.0 * k * k * t * t);
  return t < 0.2 ? 1 : fmin(1, fmax(0, sum));
}

#endif
