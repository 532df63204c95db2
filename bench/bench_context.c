/* bench_context.c - rows per second that a context derives columns for, on one core: 5 columns of numbers, one window.
 *
 *   bench_context [ROWS [ENTITIES]]
 *
 * Prints a line for contaminated and one for clean training. Processor time, since the machine may be shared. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <anorank/io.h>

#include "context/context.h"
#include "core/settings.h"

enum { COLUMNS = 5, BLOCK = 65536 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t state = 1;

static uint64_t draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

static void need(anorank_status status, const anorank_error *err) {
  if (status == ANORANK_OK) return;
  fprintf(stderr, "bench_context: %s\n", err->message);
  exit(1);
}

static anorank_table *make_rows(size_t rows, size_t entities) {
  anorank_settings settings;
  anorank_error err = {0};
  anorank_table *table = NULL;
  char *text = malloc(rows * (16 + COLUMNS * 16) + 64);
  if (!text) exit(1);
  size_t used = (size_t)sprintf(text, "who,a,b,c,d,e\n");
  for (size_t i = 0; i < rows; i++) {
    used += (size_t)sprintf(text + used, "m%zu", (size_t)(draw() % entities));
    for (int j = 0; j < COLUMNS; j++)
      used += (size_t)sprintf(text + used, ",%.4f", (double)(draw() % 10000 + draw() % 10000) * 1e-4);
    text[used++] = '\n';
  }
  ank_settings_default(&settings);
  need(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "rows"), &settings, &err), &err);
  free(text);
  return table;
}

int main(int argc, char **argv) {
  size_t rows = argc > 1 ? (size_t)strtod(argv[1], NULL) : 1000000;
  size_t entities = argc > 2 ? (size_t)strtod(argv[2], NULL) : 100000;
  static const unsigned char used[1 + COLUMNS] = {0, 1, 1, 1, 1, 1};
  anorank_table *table = make_rows(rows, entities);
  for (int train = ANORANK_TRAIN_CLEAN; train <= ANORANK_TRAIN_CONTAMINATED; train++) {
    anorank_settings settings;
    anorank_error err = {0};
    ank_context *context = NULL;
    anorank_table *derived = NULL;
    ank_settings_default(&settings);
    settings.by = "who";
    settings.train = (anorank_train)train;
    double start = now();
    need(ank_context_fit(&context, table, used, &settings, &err), &err);
    double fitted = now();
    need(ank_context_derive(&derived, context, table, ANK_HISTORY_NONE, &err), &err);
    double end = now();
    printf("context %-12s %zu rows, %zu entities, %d columns: %.2f million rows/s (fit %.1f s)\n",
           train == ANORANK_TRAIN_CLEAN ? "clean" : "contaminated", rows, entities, COLUMNS,
           1e-6 * (double)rows / (end - fitted), fitted - start);
    anorank_table_free(derived);
    ank_context_free(context);
  }
  anorank_table_free(table);
  return 0;
}
