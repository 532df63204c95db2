/* student.c - P(T > t) = I_x(f / 2, 1 / 2) / 2 with x = f / (f + t^2). The regularised incomplete beta
 * function is evaluated by its continued fraction (Lentz's method), the quantile by bisection. */
#include "kernels/student.h"

#include <math.h>

#include "kernels/normal.h"

enum { MOST_STEPS = 500, HALVINGS = 200 };

#define NORMAL_FREEDOM 1e7 /* beyond, the normal distribution is accurate enough */

/* Return the continued fraction of I_x(a, b), which converges fast for x < (a + 1) / (a + b + 2). */
static double fraction(double a, double b, double x) {
  double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m < MOST_STEPS; m++) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    value *= c * d;
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    value *= c * d;
    if (fabs(c * d - 1) < 1e-15) break;
  }
  return value;
}

/* Return I_x(a, b). The caller passes 1 - x too, so that neither loses digits. */
static double beta_share(double a, double b, double x, double rest) {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest));
  if (x < (a + 1) / (a + b + 2)) return front * fraction(a, b, x) / a;
  return 1 - front * fraction(b, a, rest) / b;
}

double ank_student_tail(double t, double freedom) {
  if (freedom > NORMAL_FREEDOM) return ank_normal_tail(t);
  double square = t * t, whole = freedom + square;
  return 0.5 * beta_share(freedom / 2, 0.5, freedom / whole, square / whole);
}

double ank_student_quantile(double p, double freedom) {
  double low = 0, high = 1;
  if (freedom > NORMAL_FREEDOM) return ank_normal_quantile(p);
  while (ank_student_tail(high, freedom) > 1 - p && high < 1e300) high *= 2;
  for (int k = 0; k < HALVINGS && high - low > 1e-14 * high; k++) {
    double middle = 0.5 * (low + high);
    if (ank_student_tail(middle, freedom) > 1 - p)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}
