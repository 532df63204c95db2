/* bench_rank.c - seconds per evaluation (value and gradient) of the rank loss for N = 10^3 to the N given
 * (10^6), next to the obvious double loop up to 10^4. The column "/ N log2 N" should stay about constant. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/alloc.h"
#include "core/rng.h"
#include "learn/objective.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The same for phi = mww, where every jump is 1 / (N + 1): value and gradient over all pairs. */
static double obvious(double *slopes, const ank_scored *s, double h) {
  size_t count = s->n + s->m;
  double sum = 0, scale = 1 / ((double)count + 1) / (double)s->n;
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0; k < count; k++) {
      double t = (s->scores[i] - s->scores[k]) / h;
      if (t >= 1) sum += 1;
      if (t >= 1 || t <= -1) continue;
      double slope = 0.75 * (1 - t * t) * scale / h;
      sum += 0.5 + 0.75 * t - 0.25 * t * t * t;
      slopes[i] -= slope;
      slopes[k] += slope;
    }
  return -(sum + 0.5 * (double)s->n) * scale;
}

static int measure(size_t count) {
  double *scores = NULL, *slopes = NULL, best[2] = {INFINITY, INFINITY}, loss[2] = {0};
  ank_rng rng;
  if (ank_alloc(&scores, count, sizeof *scores, NULL) != ANORANK_OK) return 0;
  if (ank_alloc(&slopes, count, sizeof *slopes, NULL) != ANORANK_OK) return 0;
  ank_rng_open(&rng, 1, 99, 0);
  for (size_t i = 0; i < count; i++) scores[i] = ank_rng_normal(&rng) + (i < count / 2);
  ank_scored scored = {scores, count / 2, count - count / 2, NULL};
  for (int run = 0; run < 3; run++)
    for (int slow = 0; slow <= (count <= 10000); slow++) {
      memset(slopes, 0, count * sizeof *slopes);
      double start = now();
      if (slow)
        loss[1] = obvious(slopes, &scored, 0.1);
      else if (ank_loss_rank(&loss[0], slopes, &scored, ank_phi_find("mww"), 0, 0.1, NULL) != ANORANK_OK)
        return 0;
      best[slow] = fmin(best[slow], now() - start);
    }
  double work = (double)count * log2((double)count);
  printf("%9zu  %.3e s  %5.2f ns / N log2 N", count, best[0], best[0] / work * 1e9);
  if (isfinite(best[1]))
    printf("   all pairs %.3e s, %.0f times (same value to %.0e)", best[1], best[1] / best[0],
           fabs(loss[0] - loss[1]));
  printf("\n");
  ank_free(scores);
  ank_free(slopes);
  return 1;
}

int main(int argc, char **argv) {
  double most = argc > 1 ? strtod(argv[1], NULL) : 1e6;
  for (size_t count = 1000; (double)count <= most; count *= 10)
    if (!measure(count)) return 1;
  return 0;
}
