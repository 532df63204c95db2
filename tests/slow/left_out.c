/* Tests whether p-values hold if the calibration rows are the training rows, each left out. Takes minutes;
 * exits 1 if they do not.
 *
 * Normal rows of several laws and sizes: for each, 20 tables to fit on and 1,000 new rows of the same law. A
 * line has the least Kolmogorov-Smirnov p of the 20 (bar: 0.01 over all 20; n is that of the calibration rows
 * and the new ones together), and the shares with p <= 0.01, 0.05 and 0.5, with the standard error of the
 * middle one over the tables. Correct is at most 0.01, 0.05 and 0.5, less up to 1 / (n + 1). */
#include <math.h>
#include <string.h>

#include "core/settings.h"
#include "support/kolmogorov.h"
#include "support/noisy.h"

enum { TABLES = 20, NEW = 1000 };

static int failures;

/* p-values of new rows; they are multiples of 1 / (n + 1), and the distance is taken at those. */
static double one_table(double at_most[3], noisy_kind kind, size_t rows, size_t columns, uint64_t seed,
                        const anorank_settings *settings) {
  static const double levels[3] = {0.01, 0.05, 0.5};
  anorank_table *train = noisy_table_of(kind, columns, rows, rows, 0, 2 * seed + 1),
                *test = noisy_table_of(kind, columns, NEW, NEW, 0, 2 * seed + 2);
  anorank_model *model = NULL;
  anorank_error err = {0};
  double p[NEW], distance = 0;
  if (anorank_fit(&model, train, NULL, settings, &err) != ANORANK_OK ||
      anorank_model_score(model, test, NULL, p, settings, &err) != ANORANK_OK) {
    printf("%s\n", err.message);
    exit(1);
  }
  double n = (double)anorank_model_get_info(model)->calibration->rows;
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

static void measure(noisy_kind kind, size_t rows, size_t columns, const anorank_settings *settings) {
  double least = 1, sum[3] = {0}, squares = 0;
  for (uint64_t t = 0; t < TABLES; t++) {
    double at_most[3], p = one_table(at_most, kind, rows, columns, 1000 * rows + 10 * t + columns, settings);
    if (p < least) least = p;
    for (int k = 0; k < 3; k++) sum[k] += at_most[k] / TABLES;
    squares += at_most[1] * at_most[1] / TABLES;
  }
  double error = sqrt(fmax(0, squares - sum[1] * sum[1]) / TABLES);
  int bad = !(least > 0.01 / TABLES) || sum[1] > 0.05 + 3 * error + 0.002;
  printf("%-20s %5zu rows %3zu columns   least %.3f   %.4f  %.4f (%.4f)  %.3f%s\n", noisy[kind].name, rows,
         columns, least, sum[0], sum[1], error, sum[2], bad ? "   FAILED" : "");
  fflush(stdout);
  failures += bad;
}

/* Options are settings: left_out scorer=blend train=contaminated */
int main(int argc, char **argv) {
  static const size_t sizes[] = {50, 100, 200, 500, 2000, 5000}, widths[] = {2, 6, 20};
  static const noisy_kind kinds[] = {NOISY_GAUSSIAN, NOISY_CORRELATED, NOISY_T2,
                                     NOISY_MONEY,    NOISY_CLUSTERS,   NOISY_MIXED};
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
      for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        measure(kinds[k], sizes[s], widths[w], &settings);
  printf("%d of the lines failed\n", failures);
  return failures ? 1 : 0;
}
