/* bench_read.c - how fast a file becomes a table.
 *
 *   bench_read [--blocks] [--repeat=N] [--threads=N] FILE
 *
 * prints seconds (best of N), MB/s of the file, seconds of CPU time (on a busy machine the better measure)
 * and peak resident memory of the process. bench_read.sh runs it beside its peers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "anorank/io.h"
#include "core/settings.h"

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static anorank_status read_whole(const char *path, const anorank_settings *settings, size_t *rows,
                                 size_t *columns, anorank_error *err) {
  anorank_table *table;
  anorank_status status = anorank_table_read(&table, ANORANK_FROM_FILE(path), settings, err);
  *rows = anorank_table_rows(table);
  *columns = anorank_table_columns(table);
  anorank_table_free(table);
  return status;
}

static anorank_status read_blocks(const char *path, const anorank_settings *settings, size_t *rows,
                                  size_t *columns, anorank_error *err) {
  anorank_reader *reader;
  const anorank_table *block;
  *rows = 0;
  anorank_status status = anorank_reader_open(&reader, ANORANK_FROM_FILE(path), settings, err);
  if (status != ANORANK_OK) return status;
  *columns = anorank_table_columns(anorank_reader_schema(reader));
  do {
    status = anorank_reader_next(reader, &block, err);
    *rows += anorank_table_rows(block);
  } while (status == ANORANK_OK && block);
  anorank_reader_free(reader);
  return status;
}

int main(int argc, char **argv) {
  const char *path = NULL;
  int blocks = 0, repeat = 3;
  anorank_settings settings;
  ank_settings_default(&settings);
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--blocks") == 0)
      blocks = 1;
    else if (strncmp(argv[i], "--repeat=", 9) == 0)
      repeat = atoi(argv[i] + 9);
    else if (strncmp(argv[i], "--threads=", 10) == 0)
      settings.threads = atoi(argv[i] + 10);
    else
      path = argv[i];
  }
  struct stat about;
  if (!path || stat(path, &about) != 0) {
    fprintf(stderr, "usage: bench_read [--blocks] [--repeat=N] [--threads=N] FILE\n");
    return 2;
  }
  double best = 1e300, best_cpu = 1e300;
  size_t rows = 0, columns = 0;
  for (int i = 0; i < repeat; i++) {
    anorank_error err = {0};
    double start = now(CLOCK_MONOTONIC), start_cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    anorank_status status = blocks ? read_blocks(path, &settings, &rows, &columns, &err)
                                   : read_whole(path, &settings, &rows, &columns, &err);
    double took = now(CLOCK_MONOTONIC) - start, cpu = now(CLOCK_PROCESS_CPUTIME_ID) - start_cpu;
    if (status != ANORANK_OK) {
      fprintf(stderr, "%s\n", err.message);
      return (int)status;
    }
    if (took < best) best = took;
    if (cpu < best_cpu) best_cpu = cpu;
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%zu rows, %zu columns: %.3f s, %.0f MB/s, cpu %.3f s, peak %.0f MB\n", rows, columns, best,
         (double)about.st_size / best / 1e6, best_cpu, (double)usage.ru_maxrss * 1024 / 1e6);
  return 0;
}
