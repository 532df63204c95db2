/* Are p-values right where the calibration rows are the training rows, each left out? Minutes; exits 1 where
 * they are not.
 *
 * Normal rows of several laws and sizes: for each, 20 tables to fit on and 1,000 new rows of the same law. A
 * line has the least Kolmogorov-Smirnov p of the 20 (bar: 0.01 over all 20; n is that of the calibration rows
 * and the new ones together), and how often p <= 0.01, 0.05 and 0.5 on the whole, with the standard error of
 * the middle one over the tables. Right is at most 0.01, 0.05 and 0.5, less up to 1 / (n + 1). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anorank/anorank.h"
#include "core/rng.h"
#include "support/kolmogorov.h"

enum { TABLES = 20, NEW = 1000, LAWS = 6 };

static const char *const law_names[LAWS] = {"normal", "correlated", "t2", "lognormal", "clusters", "mixed"};
static int failures;

static double heavy(ank_rng *rng) { /* Student with 2 degrees of freedom */
  return ank_rng_normal(rng) / sqrt(-log(1 - ank_rng_uniform(rng)));
}

/* Of 1 / rank, so that some levels are in one row only. */
static size_t rare_level(ank_rng *rng) { return (size_t)exp(ank_rng_uniform(rng) * log(40)); }

static double cell(int law, size_t j, double shared, size_t cluster, ank_rng *rng) {
  switch (law) {
  case 1: return 0.9 * shared + 0.44 * ank_rng_normal(rng);
  case 2: return heavy(rng);
  case 3: return exp(1.5 * ank_rng_normal(rng));
  case 4: return (double)((cluster * (j + 3)) % 7) + 0.2 * ank_rng_normal(rng);
  default: return ank_rng_normal(rng);
  }
}

/* mixed: every third column has levels, and a tenth of the other cells is missing. */
static anorank_table *draw(int law, size_t rows, size_t columns, uint64_t seed) {
  size_t size = 64 + (rows + 1) * columns * 24, used = 0;
  char *text = malloc(size);
  anorank_table *table = NULL;
  if (!text) exit(1);
  for (size_t j = 0; j < columns; j++)
    used += (size_t)snprintf(text + used, size - used, "c%zu%c", j, j + 1 < columns ? ',' : '\n');
  for (size_t i = 0; i < rows; i++) {
    ank_rng rng;
    ank_rng_open(&rng, seed, 3000, i);
    double shared = ank_rng_normal(&rng);
    size_t cluster = (size_t)(5 * ank_rng_uniform(&rng));
    for (size_t j = 0; j < columns; j++) {
      char end = j + 1 < columns ? ',' : '\n';
      if (law == 5 && j % 3 == 1)
        used += (size_t)snprintf(text + used, size - used, "v%zu%c", rare_level(&rng), end);
      else if (law == 5 && ank_rng_uniform(&rng) < 0.1)
        used += (size_t)snprintf(text + used, size - used, "%c", end);
      else
        used +=
            (size_t)snprintf(text + used, size - used, "%.9g%c", cell(law, j, shared, cluster, &rng), end);
    }
  }
  if (anorank_table_read_memory(&table, text, used, "made.csv", NULL, NULL) != ANORANK_OK) exit(1);
  free(text);
  return table;
}

/* p-values of new rows; they are multiples of 1 / (n + 1), and the distance is taken at those. */
static double one_table(double at_most[3], int law, size_t rows, size_t columns, uint64_t seed,
                        const anorank_settings *settings) {
  static const double levels[3] = {0.01, 0.05, 0.5};
  anorank_table *train = draw(law, rows, columns, 2 * seed + 1),
                *test = draw(law, NEW, columns, 2 * seed + 2);
  anorank_model *model = NULL;
  anorank_error err = {0};
  double p[NEW], distance = 0;
  if (anorank_fit(&model, train, settings, &err) != ANORANK_OK ||
      anorank_model_score(model, test, NULL, p, settings, &err) != ANORANK_OK) {
    printf("%s\n", err.message);
    exit(1);
  }
  double n = (double)anorank_model_calibration_rows(model);
  for (int k = 0; k < 3; k++) at_most[k] = 0;
  for (size_t i = 0; i < NEW; i++)
    for (int k = 0; k < 3; k++) at_most[k] += (p[i] <= levels[k]) / (double)NEW;
  qsort(p, NEW, sizeof *p, ascending);
  size_t below = 0;
  for (size_t i = 1; i <= (size_t)n; i++) {
    while (below < NEW && p[below] <= ((double)i + 0.5) / (n + 1)) below++;
    distance = fmax(distance, fabs((double)below / NEW - (double)i / (n + 1)));
  }
  anorank_model_free(model);
  anorank_table_free(train);
  anorank_table_free(test);
  return kolmogorov(distance, NEW * n / (NEW + n));
}

static void measure(int law, size_t rows, size_t columns, const anorank_settings *settings) {
  double least = 1, sum[3] = {0}, squares = 0;
  for (uint64_t t = 0; t < TABLES; t++) {
    double at_most[3], p = one_table(at_most, law, rows, columns, 1000 * rows + 10 * t + columns, settings);
    if (p < least) least = p;
    for (int k = 0; k < 3; k++) sum[k] += at_most[k] / TABLES;
    squares += at_most[1] * at_most[1] / TABLES;
  }
  double error = sqrt(fmax(0, squares - sum[1] * sum[1]) / TABLES);
  int bad = !(least > 0.01 / TABLES) || sum[1] > 0.05 + 3 * error + 0.002;
  printf("%-11s %5zu rows %3zu columns   least %.3f   %.4f  %.4f (%.4f)  %.3f%s\n", law_names[law], rows,
         columns, least, sum[0], sum[1], error, sum[2], bad ? "   FAILED" : "");
  fflush(stdout);
  failures += bad;
}

/* Options are settings: left_out scorer=blend train=contaminated */
int main(int argc, char **argv) {
  static const size_t sizes[] = {50, 100, 200, 500, 2000, 5000}, widths[] = {2, 6, 20};
  anorank_settings settings;
  anorank_error err = {0};
  size_t most = 5000;
  ank_settings_default(&settings);
  settings.threads = 1;
  for (int k = 1; k < argc; k++) {
    char *value = strchr(argv[k], '=');
    if (!value) continue;
    *value = '\0';
    if (strcmp(argv[k], "most") == 0)
      most = (size_t)atol(value + 1);
    else if (ank_settings_lend(&settings, argv[k], value + 1, &err) != ANORANK_OK)
      return printf("%s\n", err.message), 2;
  }
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0] && sizes[s] <= most; s++)
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
      for (int law = 0; law < LAWS; law++) measure(law, sizes[s], widths[w], &settings);
  printf("%d of the lines failed\n", failures);
  return failures ? 1 : 0;
}
