/* vector.c - see vector.h. */
#include "kernels/vector.h"

#include <math.h>
#include <string.h>

static double logistic(double x) {
  double e = exp(-fabs(x));
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

void ank_exp(double *out, const double *x, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = exp(x[i]);
}
void ank_log(double *out, const double *x, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = log(x[i]);
}
void ank_logistic(double *out, const double *x, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = logistic(x[i]);
}
void ank_exp_float(float *out, const float *x, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = expf(x[i]);
}
void ank_log_float(float *out, const float *x, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = logf(x[i]);
}
void ank_logistic_float(float *out, const float *x, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = (float)logistic((double)x[i]);
}

const char *ank_kernels_name(void) { return "generic"; }

int ank_kernels_use(const char *name) { return !name || strcmp(name, "generic") == 0; }
