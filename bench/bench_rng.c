/* bench_rng.c - nanoseconds of processor time per random draw, best of five runs. */
#include <stdio.h>
#include <time.h>

#include "core/rng.h"

enum { DRAWS = 1000000, RUNS = 5 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double draw_word(ank_rng *rng, double a, double b) {
  (void)a, (void)b;
  return (double)(ank_rng_word(rng) >> 11);
}
static double draw_uniform(ank_rng *rng, double a, double b) {
  (void)a, (void)b;
  return ank_rng_uniform(rng);
}
static double draw_below(ank_rng *rng, double a, double b) {
  (void)b;
  return (double)ank_rng_below(rng, (uint64_t)a);
}
static double draw_normal(ank_rng *rng, double a, double b) {
  (void)a, (void)b;
  return ank_rng_normal(rng);
}
static double draw_gamma(ank_rng *rng, double a, double b) {
  (void)b;
  return ank_rng_gamma(rng, a);
}
static double draw_binomial(ank_rng *rng, double a, double b) {
  return (double)ank_rng_binomial(rng, (uint64_t)a, b);
}
static double draw_sphere(ank_rng *rng, double a, double b) {
  (void)b;
  double point[16];
  ank_rng_sphere(rng, point, (size_t)a);
  return point[0];
}
/* What a simulated row of two columns costs: a separate generator. */
static double draw_row(ank_rng *rng, double a, double b) {
  (void)a, (void)b;
  ank_rng_open(rng, 1, ANK_STREAM_SIMULATE, rng->index + 1);
  return ank_rng_normal(rng) + ank_rng_normal(rng);
}

static const struct {
  const char *name;
  double (*draw)(ank_rng *, double, double);
  double a, b;
} rows[] = {
    {"word", draw_word, 0, 0},
    {"uniform", draw_uniform, 0, 0},
    {"below 1000", draw_below, 1000, 0},
    {"normal", draw_normal, 0, 0},
    {"row of 2 normals", draw_row, 0, 0},
    {"gamma 0.5", draw_gamma, 0.5, 0},
    {"gamma 2.5", draw_gamma, 2.5, 0},
    {"gamma 10000", draw_gamma, 10000, 0},
    {"beta 3, 1", ank_rng_beta, 3, 1},
    {"beta 50, 70", ank_rng_beta, 50, 70},
    {"beta 0.5, 0.5", ank_rng_beta, 0.5, 0.5},
    {"binomial 10, 0.5", draw_binomial, 10, 0.5},
    {"binomial 1000, 0.5", draw_binomial, 1000, 0.5},
    {"binomial 1e9, 0.3", draw_binomial, 1e9, 0.3},
    {"sphere of 3", draw_sphere, 3, 0},
};

int main(void) {
  for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
    double best = 1e300, sum = 0;
    for (int run = 0; run < RUNS; run++) {
      ank_rng rng;
      ank_rng_open(&rng, 1, 0, (uint64_t)run);
      double start = now();
      for (size_t i = 0; i < DRAWS; i++) sum += rows[r].draw(&rng, rows[r].a, rows[r].b);
      double took = (now() - start) / DRAWS;
      if (took < best) best = took;
    }
    printf("%-20s %7.1f ns   (mean %g)\n", rows[r].name, best, sum / DRAWS / RUNS);
  }
  return 0;
}
