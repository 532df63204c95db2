/* coverage.c - do nominal 95 % intervals and bands cover the truth in 93 to 97 % of repetitions?
 *
 * X ~ N(0, sigma^2 I_2), U uniform in the box [-4 sigma, 4 sigma]^2, two scorers whose curves are known:
 *
 *   density   s = -|x|^2     MV(a) = -2 pi log(1 - a) / 64 as long as the disc lies in the box
 *   one axis  s = -|x_1|     MV(a) = q((1 + a) / 2) / 4, q the normal quantile
 *
 * usage: coverage [repetitions [bootstrap]]. Progress goes to stderr, the table to stdout; the exit code is 1
 * if a share lies outside 93 to 97 % (marked !). Where fewer than 5 contrast rows are expected inside, counts
 * are so coarse that no interval can hold its level closely: there (marked +) more than 97 % is allowed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "anorank/anorank.h"
#include "anorank/criterion.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "kernels/normal.h"

#define PI 3.1415926535897932384626433832795
#define SIGMA 0.31622776601683793319988935444327 /* sigma^2 = 0.1 */
#define BOX 4.0                                  /* half the side of the box, in sigma */

static const double masses[] = {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95};
enum { MASSES = sizeof masses / sizeof masses[0], SCORERS = 2 };

/* ---- the truth --------------------------------------------------------------------------------------- */

static double density_volume(double mass) {
  double square = -2 * log1p(-mass), radius = sqrt(square); /* in sigma */
  if (radius >= BOX * sqrt(2)) return 1;
  double area = PI * square;
  if (radius > BOX) /* four circular segments stick out */
    area -= 4 * (square * acos(BOX / radius) - BOX * sqrt(square - BOX * BOX));
  return area / (4 * BOX * BOX);
}

static double axis_volume(double mass) {
  double half = -ank_normal_quantile((1 - mass) / 2);
  return half >= BOX ? 1 : half / BOX;
}

static double (*const volumes[SCORERS])(double) = {density_volume, axis_volume};

static double area_between(double (*volume)(double), double from, double to) {
  const int steps = 2000000;
  double sum = 0;
  for (int k = 0; k < steps; k++) sum += volume(from + (to - from) * (k + 0.5) / steps);
  return sum * (to - from) / steps;
}

static struct { double area[SCORERS], end[SCORERS]; } truth;

/* ---- one repetition ---------------------------------------------------------------------------------- */

typedef struct {
  unsigned char area[SCORERS], end[SCORERS], band[SCORERS], point[SCORERS][MASSES];
  unsigned char difference, end_difference;
} hits;

typedef struct {
  size_t n, m, first;
  anorank_settings settings;
  hits *found;
} experiment;

static int covers(anorank_interval interval, double value) {
  return interval.low <= value && value <= interval.high;
}

static void judge_hits(hits *found, int scorer, const anorank_judgement *judgement) {
  size_t count;
  const anorank_curve_point *curve = anorank_judgement_get_info(judgement)->curve;
  count = anorank_judgement_get_info(judgement)->points;
  found->area[scorer] =
      (unsigned char)covers(anorank_judgement_get_info(judgement)->area, truth.area[scorer]);
  const anorank_partial_area *partial = anorank_judgement_get_info(judgement)->partial;
  found->end[scorer] = (unsigned char)covers(partial[1].area, truth.end[scorer]);
  found->band[scorer] = 1;
  for (size_t k = 0; k < count; k++) {
    double value = volumes[scorer](curve[k].mass);
    if (!isnan(curve[k].band_low) && !(curve[k].band_low <= value && value <= curve[k].band_high))
      found->band[scorer] = 0;
    for (int i = 0; i < MASSES; i++)
      if (fabs(curve[k].mass - masses[i]) < 1e-9)
        found->point[scorer][i] = curve[k].low <= value && value <= curve[k].high;
  }
}

static anorank_status repeat(void *argument, size_t index, anorank_error *err) {
  experiment *job = argument;
  size_t repetition = job->first + index, n = job->n, m = job->m;
  hits *found = &job->found[repetition];
  anorank_settings settings = job->settings;
  anorank_comparison comparison;
  double *scores[2 * SCORERS];
  ank_rng rng;
  anorank_status status = ANORANK_OK;
  settings.seed = repetition;
  settings.threads = 1;
  ank_rng_open(&rng, 20210, ANK_STREAM_SIMULATE, repetition * 65536 + n);
  for (int k = 0; k < 2 * SCORERS; k++) scores[k] = malloc((k % 2 ? m : n) * sizeof(double));
  for (size_t i = 0; i < n + m; i++) {
    double point[2];
    for (int k = 0; k < 2; k++)
      point[k] = SIGMA * (i < n ? ank_rng_normal(&rng) : BOX * (2 * ank_rng_uniform(&rng) - 1));
    scores[i < n ? 0 : 1][i < n ? i : i - n] = -point[0] * point[0] - point[1] * point[1];
    scores[i < n ? 2 : 3][i < n ? i : i - n] = -fabs(point[0]);
  }
  for (int scorer = 0; scorer < SCORERS && status == ANORANK_OK; scorer++) {
    anorank_judgement *judgement = NULL;
    status = anorank_judge(&judgement, scores[2 * scorer], n, scores[2 * scorer + 1], m, &settings, err);
    if (status == ANORANK_OK) judge_hits(found, scorer, judgement);
    anorank_judgement_free(judgement);
  }
  if (status == ANORANK_OK)
    status = anorank_compare(&comparison, scores[0], scores[2], n, scores[1], scores[3], m, &settings, err);
  if (status == ANORANK_OK) {
    found->difference = (unsigned char)covers(comparison.difference, truth.area[0] - truth.area[1]);
    found->end_difference =
        (unsigned char)covers(comparison.partial_difference.area, truth.end[0] - truth.end[1]);
  }
  for (int k = 0; k < 2 * SCORERS; k++) free(scores[k]);
  return status;
}

/* ---- the table --------------------------------------------------------------------------------------- */

static int outside;

static void print_share(size_t hit, size_t repetitions, int coarse) {
  double share = 100.0 * (double)hit / (double)repetitions;
  int bad = share < 93 || (share > 97 && !coarse);
  outside += bad;
  printf(" %.1f%s |", share, bad ? " !" : coarse ? " +" : "");
}

#define PRINT(field, coarse)                                                                                 \
  do {                                                                                                       \
    size_t hit = 0;                                                                                          \
    for (size_t r = 0; r < repetitions; r++) hit += found[r].field;                                          \
    print_share(hit, repetitions, coarse);                                                                   \
  } while (0)

static void print_rows(size_t n, size_t m, const hits *found, size_t repetitions) {
  static const char *const names[SCORERS] = {"density", "one axis"};
  for (int s = 0; s < SCORERS; s++) {
    printf("| %zu, %zu | %s |", n, m, names[s]);
    PRINT(area[s], 0);
    PRINT(end[s], 0);
    for (int i = 0; i < MASSES; i++) PRINT(point[s][i], (double)m * volumes[s](masses[i]) < 5);
    PRINT(band[s], 0);
    if (s == 0) {
      PRINT(difference, 0);
      PRINT(end_difference, 0);
    } else
      printf("  |  |");
    printf("\n");
  }
  fflush(stdout);
}

static int run(size_t n, size_t m, size_t repetitions, const anorank_settings *settings) {
  experiment job = {.n = n, .m = m, .settings = *settings};
  anorank_error err = {0};
  anorank_status status = ANORANK_OK;
  job.found = calloc(repetitions, sizeof *job.found);
  for (job.first = 0; job.first < repetitions && status == ANORANK_OK; job.first += 50) {
    size_t left = repetitions - job.first;
    fprintf(stderr, "\rn = %zu, m = %zu: %zu of %zu  ", n, m, job.first, repetitions);
    status = ank_parallel(settings, left < 50 ? left : 50, repeat, &job, &err);
  }
  fprintf(stderr, "\n");
  if (status == ANORANK_OK)
    print_rows(n, m, job.found, repetitions);
  else
    fprintf(stderr, "%s\n", err.message);
  free(job.found);
  return status == ANORANK_OK;
}

int main(int count, char **arguments) {
  size_t repetitions = count > 1 ? strtoul(arguments[1], NULL, 10) : 2000;
  static const size_t sizes[][2] = {{300, 500}, {1000, 1000}, {5000, 5000}};
  anorank_settings settings;
  ank_settings_default(&settings);
  settings.points = 101; /* every mass of the table is one of them */
  settings.bootstrap = count > 2 ? strtol(arguments[2], NULL, 10) : 300;
  for (int s = 0; s < SCORERS; s++) {
    truth.area[s] = area_between(volumes[s], 0, 1);
    truth.end[s] = area_between(volumes[s], 0.9, 1);
  }
  printf("%zu repetitions, %ld bootstrap replications, shares in %%\n\n", repetitions,
         (long)settings.bootstrap);
  printf("| n, m | scorer | area | area 0.9-1 |");
  for (int i = 0; i < MASSES; i++) printf(" %.2f |", masses[i]);
  printf(" band | difference | difference 0.9-1 |\n|---|---|");
  for (int i = 0; i < MASSES + 5; i++) printf("---|");
  printf("\n");
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
    if (!run(sizes[k][0], sizes[k][1], repetitions, &settings)) return 1;
  printf("\n%d shares are marked !\n", outside);
  return outside > 0;
}
