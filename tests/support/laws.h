/* laws.h - slow, obvious distribution functions, and goodness-of-fit tests with them.
 *
 * All are deterministic: seeds are fixed, so a test that passes once passes always. A correct generator
 * misses the limits with probability 0.001. */
#ifndef TEST_SUPPORT_LAWS_H
#define TEST_SUPPORT_LAWS_H

#include "support/check.h"

static inline double normal_cdf(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }

/* P(Gamma(shape) <= x): the series sum x^k / (shape + 1) ... (shape + k), or the continued fraction. */
static inline double gamma_cdf(double shape, double x) {
  if (x <= 0) return 0;
  double log_front = shape * log(x) - x - lgamma(shape);
  if (x < shape + 1) {
    double term = 1 / shape, sum = term;
    for (double k = 1; k < 100000 && term > 1e-17 * sum; k++) sum += term *= x / (shape + k);
    return sum * exp(log_front);
  }
  double fraction = 0;
  for (double k = 2000; k >= 1; k--) fraction = k * (k - shape) / (x + 2 * k + 1 - shape - fraction);
  return 1 - exp(log_front) / (x + 1 - shape - fraction);
}

/* P(Beta(a, b) <= x) by the continued fraction with coefficients d_1, d_2, ... evaluated from its end. */
static inline double beta_cdf(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - beta_cdf(b, a, 1 - x);
  double fraction = 1;
  for (double m = 300; m >= 0; m--) {
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double even = (m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2));
    fraction = 1 + odd / (1 + even / fraction);
  }
  return exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / (a * fraction);
}

static inline int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Kolmogorov and Smirnov: sorts `values` and fails unless their distribution is cdf(x, context). Equal values
 * are a rounded place: the distribution up to it is compared one double further down. */
typedef double (*law_cdf)(double x, const void *context);
#define assert_fits(values, n, cdf, context) check_fits((values), (n), (cdf), (context), __FILE__, __LINE__)

static inline void check_fits(double *values, size_t n, law_cdf cdf, const void *context, const char *file,
                              int line) {
  double worst = 0, at = 0;
  qsort(values, n, sizeof *values, compare_doubles);
  for (size_t i = 0; i < n;) {
    size_t next = i + 1;
    while (next < n && values[next] == values[i]) next++;
    double f = cdf(values[i], context), above = fabs((double)next / (double)n - f);
    double before = next - i == 1 ? f : cdf(nextafter(values[i], -INFINITY), context);
    double below = fabs((double)i / (double)n - before);
    if (!(fmax(above, below) <= worst)) {
      worst = fmax(above, below);
      at = values[i];
    }
    i = next;
  }
  double limit = 1.9495 / sqrt((double)n); /* P(K > 1.9495) = 0.001 */
  if (worst <= limit) return;
  print_error("the distribution is off by %.5f at %g; %.5f is allowed with %zu values\n", worst, at, limit,
              n);
  _fail(file, line);
}

/* Pearson: counts of `cells` cells against their probabilities; Wilson and Hilferty's limit. */
#define assert_counts_fit(counts, shares, cells) check_counts((counts), (shares), (cells), __FILE__, __LINE__)

static inline void check_counts(const size_t *counts, const double *shares, size_t cells, const char *file,
                                int line) {
  double total = 0, sum = 0, freedom = (double)cells - 1;
  for (size_t i = 0; i < cells; i++) total += (double)counts[i];
  for (size_t i = 0; i < cells; i++) {
    double expected = total * shares[i], gap = (double)counts[i] - expected;
    sum += gap * gap / expected;
  }
  double part = 2 / (9 * freedom), limit = freedom * pow(1 - part + 3.0902 * sqrt(part), 3);
  if (cells == 1 || sum <= limit) return;
  print_error("chi-square %.2f with %.0f degrees of freedom; %.2f is allowed\n", sum, freedom, limit);
  _fail(file, line);
}

#endif
