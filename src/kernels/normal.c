/* normal.c - see normal.h.
 *
 * Quantile: M. J. Wichura, Algorithm AS 241: the percentage points of the normal distribution, Applied
 * Statistics 37 (1988). */
#include "kernels/normal.h"

#include <math.h>

static const double root_half = 0x1.6a09e667f3bcdp-1, root_half_rest = -0x1.bdd3413b26456p-55; /* sqrt(1/2) */
static const double root_2pi = 0x1.40d931ff62706p+1;

/* P(Z > x). The argument x sqrt(1/2) of erfc is rounded, which alone would cost three digits in the far tail.
 * The slope of log erfc corrects for the rounding error. */
double ank_normal_tail(double x) {
  double y = x * root_half;
  double tail = 0.5 * erfc(y);
  if (!(tail > 0.0 && tail < 0.5)) return tail; /* NaN too */
  double rest = fma(x, root_half, -y) + x * root_half_rest;
  double slope = y > 6.0 ? 2.0 * y + 1.0 / y : 0x1.20dd750429b6dp-1 * exp(-y * y) / tail; /* 1/sqrt(pi) */
  return tail - tail * slope * rest;
}

/* Return the sum of c[i] x^i, i = 0 .. 7. */
static double polynomial(const double c[8], double x) {
  double sum = c[7];
  for (int i = 6; i >= 0; i--) sum = sum * x + c[i];
  return sum;
}

/* |p - 1/2| <= 0.425; r = 0.425^2 - (p - 1/2)^2. */
static const double central_top[8] = {
    3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
    4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3};
static const double central_bottom[8] = {1.0,
                                         4.2313330701600911252e1,
                                         6.8718700749205790830e2,
                                         5.3941960214247511077e3,
                                         2.1213794301586595867e4,
                                         3.9307895800092710610e4,
                                         2.8729085735721942674e4,
                                         5.2264952788528545610e3};
/* r = sqrt(-log(tail)) <= 5, in r - 1.6. */
static const double middle_top[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                     5.76949722146069140550e0,  3.64784832476320460504e0,
                                     1.27045825245236838258e0,  2.41780725177450611770e-1,
                                     2.27238449892691845833e-2, 7.74545014278341407640e-4};
static const double middle_bottom[8] = {1.0,
                                        2.05319162663775882187e0,
                                        1.67638483018380384940e0,
                                        6.89767334985100004550e-1,
                                        1.48103976427480074590e-1,
                                        1.51986665636164571966e-2,
                                        5.47593808499534494600e-4,
                                        1.05075007164441684324e-9};
/* r > 5, in r - 5. */
static const double far_top[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                  1.78482653991729133580e0,  2.96560571828504891230e-1,
                                  2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                  2.71155556874348757815e-5, 2.01033439929228813265e-7};
static const double far_bottom[8] = {1.0,
                                     5.99832206555887937690e-1,
                                     1.36929880922735805310e-1,
                                     1.48753612908506148525e-2,
                                     7.86869131145613259100e-4,
                                     1.84631831751005468180e-5,
                                     1.42151175831644588870e-7,
                                     2.04426310338993978564e-15};

/* Return log of P(Z > x) / density(x) for x > 30. Six terms of the asymptotic series have an error below
 * 1e-14. */
static double log_mills_far(double x) {
  double z = 1.0 / (x * x);
  return log1p(-z * (1.0 - z * (3.0 - z * (15.0 - z * (105.0 - z * 945.0))))) - log(x);
}

/* Return the x > 0 with P(Z > x) = tail, tail < 0.075. */
static double upper_quantile(double tail) {
  double r = sqrt(-log(tail));
  double x = r <= 5.0 ? polynomial(middle_top, r - 1.6) / polynomial(middle_bottom, r - 1.6)
                      : polynomial(far_top, r - 5.0) / polynomial(far_bottom, r - 5.0);
  /* One Newton step, on logarithms where the tail has few digits (subnormal numbers). */
  if (tail < 1e-280) {
    double excess = log_mills_far(x) - 0.5 * x * x - log(root_2pi) - log(tail);
    return x + excess / x;
  }
  return x + (ank_normal_tail(x) - tail) * root_2pi * exp(0.5 * x * x);
}

double ank_normal_quantile(double p) {
  if (!(p >= 0.0 && p <= 1.0)) return NAN;
  if (p == 0.0) return -INFINITY;
  if (p == 1.0) return INFINITY;
  double q = p - 0.5; /* exact where it is used */
  if (q < -0.425) return -upper_quantile(p);
  if (q > 0.425) return upper_quantile(1.0 - p); /* exact: p > 1/2 */
  double r = 0.180625 - q * q;
  double x = q * polynomial(central_top, r) / polynomial(central_bottom, r);
  return x - (0.5 * erf(x * root_half) - q) * root_2pi * exp(0.5 * x * x);
}
