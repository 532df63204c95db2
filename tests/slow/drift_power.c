/* drift_power.c - level and power of the drift test, next to two other tests: Kolmogorov and Smirnov's test
 * of each column with Bonferroni's correction, and a classifier test (trees learned on half of the rows,
 * their accuracy on the other half). Prints a table for docs/research/coverage.md; fails if the level is not
 * within 0.03 and 0.07.
 *
 *   drift_power [PAIRS for the level, 400] [PAIRS for each point of power, 100] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "anorank/experimental.h"
#include "core/rng.h"
#include "kernels/normal.h"
#include "scorers/scorer.h"

enum { DIM = 5, MOST = 1000 };

typedef enum kind { MEAN, SPREAD, TOGETHER, FEW, KINDS } kind;
static const char *const kind_words[] = {"mean of one column moves by", "deviation of one column grows by",
                                         "correlation of two columns becomes", "share of rows moved by 4 is"};
static const double sizes[KINDS][4] = {
    {0.2, 0.35, 0.5, 0.8}, {0.25, 0.5, 0.75, 1}, {0.3, 0.5, 0.7, 0.9}, {0.02, 0.05, 0.1, 0.2}};

static void draw(double *rows, size_t n, kind what, double size, uint64_t seed) {
  ank_rng rng;
  ank_rng_open(&rng, seed, 1234, 0);
  for (size_t i = 0; i < n; i++) {
    double *row = rows + i * DIM;
    for (size_t j = 0; j < DIM; j++) row[j] = ank_rng_normal(&rng);
    double few = ank_rng_uniform(&rng);
    if (what == MEAN) row[0] += size;
    if (what == SPREAD) row[0] *= 1 + size;
    if (what == TOGETHER) row[1] = size * row[0] + sqrt(1 - size * size) * row[1];
    if (what == FEW && few < size) row[0] += 4;
  }
}

static int ours(const double *old_rows, const double *new_rows, size_t n, uint64_t seed) {
  anorank_table *tables[2];
  anorank_settings settings;
  anorank_drift *drift;
  ank_settings_default(&settings);
  settings.seed = seed;
  settings.permutations = 199;
  if (anorank_table_from_matrix(&tables[0], old_rows, n, DIM, DIM, 1, NULL, NULL) != ANORANK_OK ||
      anorank_table_from_matrix(&tables[1], new_rows, n, DIM, DIM, 1, NULL, NULL) != ANORANK_OK ||
      anorank_drift_make(&drift, tables[0], tables[1], &settings, NULL) != ANORANK_OK)
    exit(2);
  int found = anorank_drift_get_info(drift)->p_value <= 0.05;
  anorank_drift_free(drift);
  anorank_table_free(tables[0]);
  anorank_table_free(tables[1]);
  return found;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* P(K > x) for Kolmogorov's law. */
static double kolmogorov_tail(double x) {
  double sum = 0;
  if (x < 0.3) return 1;
  for (int k = 1; k < 100; k++) sum += (k % 2 ? 2 : -2) * exp(-2.0 * k * k * x * x);
  return sum;
}

static int by_columns(const double *old_rows, const double *new_rows, size_t n) {
  static double a[MOST], b[MOST];
  for (size_t j = 0; j < DIM; j++) {
    double far = 0;
    for (size_t i = 0; i < n; i++) a[i] = old_rows[i * DIM + j], b[i] = new_rows[i * DIM + j];
    qsort(a, n, sizeof *a, ascending);
    qsort(b, n, sizeof *b, ascending);
    for (size_t i = 0, k = 0; i < n && k < n;) {
      if (a[i] <= b[k])
        i++;
      else
        k++;
      far = fmax(far, fabs((double)i - (double)k) / (double)n);
    }
    if (DIM * kolmogorov_tail(far * sqrt((double)n / 2)) <= 0.05) return 1;
  }
  return 0;
}

/* Half of the rows, by their place, learn; the accuracy of the others against chance, one-sided. */
static int by_classifier(const double *old_rows, const double *new_rows, size_t n, uint64_t seed) {
  static double scores[2][MOST];
  anorank_settings settings;
  size_t half = n / 2, left = n - half, right = 0;
  void *scorer;
  ank_samples samples = {{old_rows, half, DIM}, {new_rows, half, DIM}, NULL, {0}, NULL, 0, NULL};
  const ank_matrix rest[2] = {{old_rows + half * DIM, left, DIM}, {new_rows + half * DIM, left, DIM}};
  ank_settings_default(&settings);
  settings.seed = seed;
  settings.trees = 200;
  if (ank_scorer_fit(&scorer, &ank_scorer_trees, &samples, &settings, NULL) != ANORANK_OK) exit(2);
  for (int t = 0; t < 2; t++)
    if (ank_scorer_trees.score(scores[t], scorer, &rest[t], NULL) != ANORANK_OK) exit(2);
  ank_scorer_trees.free(scorer);
  for (size_t i = 0; i < left; i++) right += (scores[0][i] > 0) + (scores[1][i] <= 0);
  double total = 2.0 * (double)left;
  return ank_normal_tail(((double)right - 0.5 - total / 2) / sqrt(total / 4)) <= 0.05;
}

static void measure(double share[3], kind what, double size, size_t n, size_t pairs, uint64_t seed) {
  static double old_rows[MOST * DIM], new_rows[MOST * DIM];
  size_t found[3] = {0, 0, 0};
  for (size_t k = 0; k < pairs; k++) {
    draw(old_rows, n, KINDS, 0, seed + 2 * k);
    draw(new_rows, n, what, size, seed + 2 * k + 1);
    found[0] += (size_t)ours(old_rows, new_rows, n, k);
    found[1] += (size_t)by_columns(old_rows, new_rows, n);
    found[2] += (size_t)by_classifier(old_rows, new_rows, n, k);
  }
  for (int i = 0; i < 3; i++) share[i] = (double)found[i] / (double)pairs;
}

int main(int argc, char **argv) {
  size_t pairs = argc > 1 ? strtoul(argv[1], NULL, 10) : 400,
         points = argc > 2 ? strtoul(argv[2], NULL, 10) : 100;
  static const size_t rows[] = {100, 200, 1000};
  double share[3];
  int bad = 0;
  printf("%-42s %6s %8s %8s %10s\n", "", "rows", "drift", "columns", "classifier");
  for (size_t i = 0; i < 3; i++) {
    measure(share, KINDS, 0, rows[i], pairs, 1000000 * (i + 1));
    printf("%-42s %6zu %8.3f %8.3f %10.3f\n", "nothing changed (level .05)", rows[i], share[0], share[1],
           share[2]);
    double error = sqrt(0.05 * 0.95 / (double)pairs);
    if (share[0] < 0.03 - error || share[0] > 0.07 + error) bad = 1;
    fflush(stdout);
  }
  for (kind what = 0; what < KINDS; what++)
    for (size_t i = 0; i < 4; i++) {
      char words[64];
      snprintf(words, sizeof words, "%s %g", kind_words[what], sizes[what][i]);
      measure(share, what, sizes[what][i], 200, points, 90000000 + 100000 * (4 * (uint64_t)what + i));
      printf("%-42s %6d %8.2f %8.2f %10.2f\n", words, 200, share[0], share[1], share[2]);
      fflush(stdout);
    }
  if (bad) printf("FAILED: the level is not within .03 and .07\n");
  return bad;
}
