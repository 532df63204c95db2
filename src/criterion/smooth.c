/* smooth.c - local quadratic smoothing of the mass-volume curve on the scale of angles
 *
 *   x = asin(sqrt(mass)),  y = asin(sqrt(volume)).
 *
 * On these scales the noise is even: about 1 / (2 sqrt(n)) along x and 1 / (2 sqrt(m)) along y everywhere. A
 * curve that starts like a power of the mass is nearly straight at 0, and the diagonal stays the diagonal. So
 * one bandwidth serves the whole curve. */
#include "criterion/smooth.h"

#include <math.h>

#include "criterion/curve.h"

#define HALF_PI 1.5707963267948966192313216916398
#define SAMPLES 512 /* points of the empirical curve that are smoothed */

/* The bandwidth falls with the smaller sample to the power -1/5, a little narrower than what is best for the
 * curve itself, as bootstrap theory requires. The factor was chosen by coverage (docs/research/coverage.md).
 * The fit uses parabolas instead of lines: the curve bends upwards towards mass 1, where lines gave too large
 * a slope and too wide intervals. */
#define BANDWIDTH_FACTOR 0.8
#define WIDEST 0.5

double ank_count_angle(double count, double m) { return asin(sqrt((count + 0.375) / (m + 0.75))); }

/* Return the value at x of the weighted parabola through the points near it. */
static double fit_at(double x, double bandwidth, const double *at, const double *y) {
  double s[5] = {0}, t[3] = {0};
  for (size_t k = 0; k < SAMPLES; k++) {
    double d = (at[k] - x) / bandwidth, weight = 1 - d * d;
    if (weight <= 0) continue;
    weight *= weight;
    for (int power = 0; power < 5; power++, weight *= d) {
      s[power] += weight;
      if (power < 3) t[power] += weight * y[k];
    }
  }
  /* Cramer's rule for the first unknown of the three normal equations. */
  double c0 = s[2] * s[4] - s[3] * s[3], c1 = s[2] * s[3] - s[1] * s[4], c2 = s[1] * s[3] - s[2] * s[2];
  return (t[0] * c0 + t[1] * c1 + t[2] * c2) / (s[0] * c0 + s[1] * c1 + s[2] * c2);
}

void ank_smooth_make(ank_smooth *out, const ank_pooled *pooled) {
  double at[SAMPLES], y[SAMPLES], m = (double)pooled->m;
  double fewer = (double)(pooled->n < pooled->m ? pooled->n : pooled->m);
  double bandwidth = BANDWIDTH_FACTOR * pow(fewer, -0.2);
  if (bandwidth > WIDEST) bandwidth = WIDEST;
  for (size_t k = 0; k < SAMPLES; k++) {
    const double parts = 1e9;
    at[k] = HALF_PI * ((double)k + 0.5) / SAMPLES;
    double mass = sin(at[k]) * sin(at[k]);
    y[k] = ank_count_angle(m * ank_volume_at(pooled, (size_t)(mass * parts), (size_t)parts), m);
  }
  for (size_t k = 0; k < ANK_SMOOTH_NODES; k++) {
    double angle = fit_at(HALF_PI * (double)k / (ANK_SMOOTH_NODES - 1), bandwidth, at, y);
    double least = k == 0 ? 0 : out->angle[k - 1];
    out->angle[k] = angle < least ? least : angle > HALF_PI ? HALF_PI : angle;
  }
}

double ank_smooth_volume(const ank_smooth *smooth, double mass) {
  if (mass <= 0) mass = 0;
  if (mass >= 1) mass = 1;
  double place = asin(sqrt(mass)) / HALF_PI * (ANK_SMOOTH_NODES - 1);
  size_t k = (size_t)place;
  if (k > ANK_SMOOTH_NODES - 2) k = ANK_SMOOTH_NODES - 2;
  double share = place - (double)k;
  double root = sin((1 - share) * smooth->angle[k] + share * smooth->angle[k + 1]);
  return root * root;
}
