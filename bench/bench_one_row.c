/* bench_one_row.c - rows from memory through the default model at 10 columns (10,000 references): one row at
 * a time (p50, p99 of the calls) and in bulk (rows per second), on one core.
 *
 *   bench_one_row             anorank_scorer, as a service would use it
 *   bench_one_row rows FILE   the same with rows of a file: doubles of TRAIN, TEST and BULK rows
 *   bench_one_row table       anorank_model_score on a table of one row, the only way before 0.2
 *
 * Needs the public header alone, so that the second way can be compiled against an older library
 * (-DANORANK_BENCH_OLD). */
#include <anorank/anorank.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMNS = 10, TRAIN = 20000, TEST = 4096, CALLS = 40000, BULK = 200000 };

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* Roughly normal columns, each leaning on the one before it; the same in every run. */
static double draw(unsigned long long *state) {
  double sum = -6;
  for (int k = 0; k < 12; k++) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    sum += (double)(*state >> 11) * 0x1p-53;
  }
  return sum;
}

static FILE *given; /* rows are taken from there */

static double *make_rows(size_t rows, unsigned long long seed) {
  double *cells = malloc(rows * COLUMNS * sizeof *cells);
  if (!cells) exit(1);
  if (given) {
    if (fread(cells, COLUMNS * sizeof *cells, rows, given) == rows) return cells;
    fprintf(stderr, "bench_one_row: the file has too few rows\n");
    exit(1);
  }
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < COLUMNS; j++)
      cells[i * COLUMNS + j] = draw(&seed) + (j > 0 ? 0.5 * cells[i * COLUMNS + j - 1] : 0);
  return cells;
}

static void need(anorank_status status, const anorank_error *err) {
  if (status == ANORANK_OK) return;
  fprintf(stderr, "bench_one_row: %s\n", err->message);
  exit(1);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void report(const char *what, double *seconds) {
  qsort(seconds, CALLS, sizeof *seconds, by_value);
  printf("%-34s p50 %6.2f us   p99 %6.2f us\n", what, 1e6 * seconds[CALLS / 2],
         1e6 * seconds[CALLS / 100 * 99]);
}

static void by_table(const anorank_model *model, const double *rows, double *seconds) {
  anorank_error err = {0};
  double score, p;
  for (size_t k = 0; k < CALLS; k++) {
    anorank_table *one = NULL;
    double start = now();
    need(anorank_table_from_matrix(&one, rows + k % TEST * COLUMNS, 1, COLUMNS, COLUMNS, 1, NULL, &err),
         &err);
    need(anorank_model_score(model, one, &score, &p, NULL, &err), &err);
    seconds[k] = now() - start;
    anorank_table_free(one);
  }
  report("one row, by a table", seconds);
}

#ifndef ANORANK_BENCH_OLD
static void by_scorer(const anorank_model *model, const double *rows, double *seconds) {
  anorank_error err = {0};
  anorank_scorer *scorer = NULL;
  anorank_scratch *scratch = NULL;
  double score, p, *bulk = make_rows(BULK, 3), *scores = malloc(BULK * sizeof *scores);
  need(anorank_scorer_new(&scorer, model, NULL, 0, &err), &err);
  need(anorank_scratch_new(&scratch, scorer, &err), &err);
  for (size_t k = 0; k < CALLS; k++) {
    double start = now();
    need(anorank_scorer_score(scorer, scratch, rows + k % TEST * COLUMNS, 1, COLUMNS, &score, &p, &err),
         &err);
    seconds[k] = now() - start;
  }
  report("one row, by a scorer", seconds);
  double start = now();
  need(anorank_scorer_score(scorer, scratch, bulk, BULK, COLUMNS, scores, NULL, &err), &err);
  printf("%-34s %.0f rows/s\n", "many rows, by a scorer, one core", BULK / (now() - start));
  if (given) { /* whatever else the machine does */
    clock_t least = 0;
    for (int k = 0; k < 5; k++) {
      clock_t began = clock();
      need(anorank_scorer_score(scorer, scratch, bulk, BULK, COLUMNS, scores, NULL, &err), &err);
      began = clock() - began;
      if (k == 0 || began < least) least = began;
    }
    printf("%-34s %.0f rows/s\n", "  by processor time, best of five",
           BULK / ((double)least / CLOCKS_PER_SEC));
  }
  anorank_scratch_free(scratch);
  anorank_scorer_free(scorer);
  free(bulk);
  free(scores);
}
#endif

int main(int count, char **arguments) {
  anorank_error err = {0};
  anorank_table *table = NULL;
  anorank_model *model = NULL;
  if (count > 2 && strcmp(arguments[1], "rows") == 0 && !(given = fopen(arguments[2], "rb"))) return 1;
  double *train = make_rows(TRAIN, 1), *test = make_rows(TEST, 2), *seconds = malloc(CALLS * sizeof *seconds);
  int tables = count > 1 && strcmp(arguments[1], "table") == 0;
  need(anorank_table_from_matrix(&table, train, TRAIN, COLUMNS, COLUMNS, 1, NULL, &err), &err);
  need(anorank_fit(&model, table, NULL, NULL, &err), &err);
#ifndef ANORANK_BENCH_OLD
  if (!tables) by_scorer(model, test, seconds);
#else
  tables = 1;
#endif
  if (tables) by_table(model, test, seconds);
  anorank_model_free(model);
  anorank_table_free(table);
  if (given) fclose(given);
  free(train);
  free(test);
  free(seconds);
  return 0;
}
