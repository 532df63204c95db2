/* bench_vector.c - nanoseconds per element of the vector functions and of the C library's. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "kernels/vector.h"

#define COUNT 4096
#define REPEATS 2000

static double x[COUNT], out[COUNT];
static float xs[COUNT], outs[COUNT];

static void libm_exp(double *o, const double *a, size_t n) {
  for (size_t i = 0; i < n; i++) o[i] = exp(a[i]);
}
static void libm_log(double *o, const double *a, size_t n) {
  for (size_t i = 0; i < n; i++) o[i] = log(a[i]);
}
static void libm_logistic(double *o, const double *a, size_t n) {
  for (size_t i = 0; i < n; i++) o[i] = 1 / (1 + exp(-a[i]));
}
static void libm_exp_float(float *o, const float *a, size_t n) {
  for (size_t i = 0; i < n; i++) o[i] = expf(a[i]);
}
static void libm_log_float(float *o, const float *a, size_t n) {
  for (size_t i = 0; i < n; i++) o[i] = logf(a[i]);
}
static void libm_logistic_float(float *o, const float *a, size_t n) {
  for (size_t i = 0; i < n; i++) o[i] = 1 / (1 + expf(-a[i]));
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* The best of many short runs: other programs only ever make it slower. */
static double time_double(void (*map)(double *, const double *, size_t)) {
  double best = INFINITY;
  for (int k = 0; k < REPEATS; k++) {
    double begin = now();
    map(out, x, COUNT);
    double took = (now() - begin) / COUNT;
    if (took < best) best = took;
  }
  return best;
}

static double time_float(void (*map)(float *, const float *, size_t)) {
  double best = INFINITY;
  for (int k = 0; k < REPEATS; k++) {
    double begin = now();
    map(outs, xs, COUNT);
    double took = (now() - begin) / COUNT;
    if (took < best) best = took;
  }
  return best;
}

int main(void) {
  for (size_t i = 0; i < COUNT; i++)
    xs[i] = (float)(x[i] = 0.001 + 20.0 * (double)((i * 2654435761u) % COUNT) / COUNT);
  static const struct {
    const char *name;
    void (*map)(double *, const double *, size_t), (*libm)(double *, const double *, size_t);
    void (*map_s)(float *, const float *, size_t), (*libm_s)(float *, const float *, size_t);
  } rows[] = {{"exp", ank_exp, libm_exp, ank_exp_float, libm_exp_float},
              {"log", ank_log, libm_log, ank_log_float, libm_log_float},
              {"logistic", ank_logistic, libm_logistic, ank_logistic_float, libm_logistic_float}};
  static const char *const sets[] = {"generic", "avx2"};
  printf("ns per element     double    libm   float    libm\n");
  for (size_t s = 0; s < 2; s++) {
    if (!ank_kernels_use(sets[s])) continue;
    for (size_t f = 0; f < sizeof rows / sizeof *rows; f++)
      printf("%-8s %-9s %6.2f  %6.2f  %6.2f  %6.2f\n", sets[s], rows[f].name, time_double(rows[f].map),
             time_double(rows[f].libm), time_float(rows[f].map_s), time_float(rows[f].libm_s));
  }
  return 0;
}
