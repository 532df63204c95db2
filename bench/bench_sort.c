/* bench_sort.c - seconds for sorting, arg-sorting and ranking.
 *
 *   bench_sort N uniform|normal|ties|decimals|cauchy|zeros|sorted|cluster [THREADS [REPEATS]]
 *   bench_sort FILE file [THREADS [REPEATS]]       FILE: raw doubles
 *   bench_sort N DISTRIBUTION write FILE           write the values instead (for a peer)
 *
 * BENCH_CPU=1 measures processor time, for machines that others use at the same time.
 * Prints "name n distribution threads best-seconds" per line, then the peak memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "core/alloc.h"
#include "kernels/sort.h"

static double now(void) {
  struct timespec t;
  clock_gettime(getenv("BENCH_CPU") ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A separate generator (splitmix64), so that a change to the library's leaves the data alone. */
static uint64_t state = 1;

static double uniform(void) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return ((double)(z >> 11) + 0.5) * 0x1p-53;
}

static double draw(const char *kind, size_t i) {
  const double pi = 3.14159265358979323846;
  double u = uniform();
  if (!strcmp(kind, "normal")) return sqrt(-2 * log(u)) * cos(2 * pi * uniform());
  if (!strcmp(kind, "ties")) return floor(u * 1000);
  if (!strcmp(kind, "decimals")) return floor(u * 1000) / 1000;
  if (!strcmp(kind, "cauchy")) return tan(pi * (u - 0.5));
  if (!strcmp(kind, "zeros")) return u < 0.9 ? 0 : u;
  if (!strcmp(kind, "sorted")) return (double)i;
  if (!strcmp(kind, "cluster")) return i == 0 ? -1e300 : 1 + ldexp(u, -30);
  return u;
}

/* Huge pages, as the library's own arrays and numpy's have. */
static double *make(size_t *n, const char *size, const char *kind) {
  double *values = NULL;
  if (strcmp(kind, "file") == 0) {
    FILE *file = fopen(size, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file) / sizeof *values;
    rewind(file);
    if (ank_alloc_raw(&values, *n, sizeof *values, NULL) == ANORANK_OK &&
        fread(values, sizeof *values, *n, file) != *n)
      *n = 0;
    fclose(file);
    return values;
  }
  *n = (size_t)strtod(size, NULL);
  (void)ank_alloc_raw(&values, *n, sizeof *values, NULL);
  for (size_t i = 0; values && i < *n; i++) values[i] = draw(kind, i);
  return values;
}

/* `what`: 0 sort, 1 argsort, 2 rank. */
static double measure(int what, const double *values, double *out, size_t n, int repeats,
                      const anorank_settings *settings) {
  double best = INFINITY;
  for (int k = 0; k < repeats; k++) {
    anorank_error err;
    if (what == 0) memcpy(out, values, n * sizeof *out);
    double begin = now();
    anorank_status status = what == 0   ? ank_sort(out, n, settings, &err)
                            : what == 1 ? ank_argsort((uint32_t *)(void *)out, values, n, settings, &err)
                                        : ank_rank(out, values, n, ANORANK_TIES_MID, settings, &err);
    double took = now() - begin;
    if (status != ANORANK_OK) fprintf(stderr, "%s\n", err.message);
    if (took < best) best = took;
  }
  return best;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: bench_sort N DISTRIBUTION [THREADS [REPEATS]] | N DISTRIBUTION write FILE\n");
    return 2;
  }
  size_t n;
  double *values = make(&n, argv[1], argv[2]), *out = NULL;
  if (!values || ank_alloc(&out, n, sizeof *out, NULL) != ANORANK_OK) return 1;
  if (argc == 5 && strcmp(argv[3], "write") == 0) {
    FILE *file = fopen(argv[4], "wb");
    return !file || fwrite(values, sizeof *values, n, file) != n || fclose(file) != 0;
  }
  static const char *const names[] = {"sort", "argsort", "rank"};
  anorank_settings settings;
  ank_settings_default(&settings);
  int only = argc > 3 ? atoi(argv[3]) : -1, repeats = argc > 4 ? atoi(argv[4]) : 3;
  for (int threads = 1; threads >= 0; threads--) {
    if (only >= 0 && threads != only) continue;
    settings.threads = threads;
    for (int what = 0; what < 3; what++)
      printf("%s %zu %s %s %.4f\n", names[what], n, argv[2], threads ? "1" : "all",
             measure(what, values, out, n, repeats, &settings));
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("memory %zu %s - %.0f MB\n", n, argv[2], (double)usage.ru_maxrss / 1024);
  ank_free(out);
  ank_free(values);
  return 0;
}
