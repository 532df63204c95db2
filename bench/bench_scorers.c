/* bench_scorers.c - seconds to fit and rows scored per second, one thread, for scorer classes by name.
 *
 *   bench_scorers [CLASS [SETTING=VALUE ...]]
 *
 * Without arguments: every class that is fitted directly, and neighbours with subsamples of 64 too. Rows are
 * normal, 10 columns (DIM=... in the environment for another number), 20,000 to fit
 * (FIT_ROWS=...) and 100,000 to score. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/rng.h"
#include "scorers/scorer.h"

enum { FIT_ROWS = 20000, ROWS = 100000, REPEATS = 5 };

static size_t from_environment(const char *name, size_t otherwise) {
  const char *wanted = getenv(name);
  return wanted ? (size_t)atoi(wanted) : otherwise;
}

/* Processor time of this thread, so that other programs disturb little. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double *rows_of(size_t count, size_t dim, uint64_t index) {
  double *values = malloc(count * dim * sizeof *values);
  ank_rng rng;
  if (!values) exit(1);
  ank_rng_open(&rng, 1, ANK_STREAM_SIMULATE, index);
  for (size_t i = 0; i < count * dim; i++) values[i] = ank_rng_normal(&rng);
  return values;
}

static void stop_on(anorank_status status, const anorank_error *err) {
  if (status == ANORANK_OK) return;
  fprintf(stderr, "%s\n", err->message);
  exit(1);
}

static void run(const ank_scorer_class *type, const anorank_settings *settings, size_t dim,
                const char *remark) {
  size_t fit_rows = from_environment("FIT_ROWS", FIT_ROWS);
  double *x = rows_of(fit_rows, dim, 0), *rows = rows_of(ROWS, dim, 1), *scores = rows_of(ROWS, 1, 2);
  ank_samples samples = {.x = {x, fit_rows, dim}, .u = {rows, type->info.uses_contrast ? fit_rows : 0, dim}};
  ank_matrix matrix = {rows, ROWS, dim};
  void *scorer = NULL;
  anorank_error err = {0};
  double fit = now(), best = INFINITY;
  stop_on(ank_scorer_fit(&scorer, type, &samples, settings, &err), &err);
  fit = now() - fit;
  for (int k = 0; k < REPEATS; k++) {
    double begin = now();
    stop_on(ank_score(scores, type, scorer, &matrix, settings, &err), &err);
    best = fmin(best, now() - begin);
  }
  printf("%-12s %-16s d=%zu  fit %8.4f s  score %10.0f rows/s  %8zu bytes\n", type->info.name, remark, dim,
         fit, ROWS / best, type->bytes(scorer));
  type->free(scorer);
  free(x);
  free(rows);
  free(scores);
}

int main(int count, char **words) {
  anorank_settings settings;
  anorank_error err = {0};
  size_t dim = from_environment("DIM", 10);
  ank_settings_default(&settings);
  settings.threads = 1;
  for (int i = 2; i < count; i++) {
    char *equals = strchr(words[i], '=');
    if (equals) *equals = '\0';
    stop_on(ank_settings_lend(&settings, words[i], equals ? equals + 1 : "", &err), &err);
  }
  for (size_t i = 0; ank_scorer_at(i); i++) {
    const ank_scorer_class *type = ank_scorer_at(i);
    if (!type->fit || (count > 1 && strcmp(words[1], type->info.name) != 0)) continue;
    run(type, &settings, dim, count > 2 ? "settings given" : "defaults");
    if (count > 1 || strcmp(type->info.name, "neighbours") != 0) continue;
    anorank_settings small = settings;
    small.subsample = 64;
    run(type, &small, dim, "subsample=64");
  }
  return 0;
}
