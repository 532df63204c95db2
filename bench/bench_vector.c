/* bench_vector.c - nanoseconds per logarithm, of an array and by the C library. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "kernels/vector.h"

#define COUNT 4096
#define REPEATS 2000

static double x[COUNT], out[COUNT];

static void libm_log(double *o, const double *a, size_t n) {
  for (size_t i = 0; i < n; i++) o[i] = log(a[i]);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* The best of many short runs: other programs only ever make it slower. */
static double time_of(void (*map)(double *, const double *, size_t)) {
  double best = INFINITY;
  for (int k = 0; k < REPEATS; k++) {
    double begin = now();
    map(out, x, COUNT);
    double took = (now() - begin) / COUNT;
    if (took < best) best = took;
  }
  return best;
}

int main(void) {
  static const char *const sets[] = {"generic", ANK_FAST_KERNELS};
  for (size_t i = 0; i < COUNT; i++) x[i] = 0.001 + 20.0 * (double)((i * 2654435761u) % COUNT) / COUNT;
  printf("ns per logarithm   anorank    libm\n");
  for (size_t s = 0; s < 2; s++)
    if (ank_kernels_use(sets[s]))
      printf("%-18s %7.2f  %6.2f\n", sets[s], time_of(ank_log), time_of(libm_log));
  return 0;
}
