/* sentences.c - tests whether the notes on a file as a whole appear when they should, and hardly ever
 * otherwise.
 *
 *   ordinary  a model of n rows scores others drawn like them: every kind of support/noisy.h, and 20 columns with
 *             a time in each row. Promised: each note in at most 1 of 100 runs, with room for two standard errors
 *   due       the training file again, half of it among new rows, cents for euros, a column that moved by four
 *             standard deviations, one that rises with time: a note in at least 95 of 100 runs. Weaker cases are
 *             shown without a bar
 *
 * Usage: sentences [runs] */
#include <string.h>

#include "anorank/experimental.h"
#include "core/settings.h"
#include "support/noisy.h"

enum { LINES = 3, MET = 0, UNLIKE, TREND };

static const char *const line_parts[LINES] = {"rows that the model was fitted on are among these",
                                              "look unlike the training rows as a whole",
                                              "look abnormal for that alone"};
static int failures;

static void check(anorank_status status, const anorank_error *err) {
  if (status == ANORANK_OK) return;
  printf("%s\n", err->message);
  exit(2);
}

/* The notes on `test` by a model of `train`, by the watch or by the fit. */
static void look(int said[LINES], const anorank_table *train, const anorank_table *test) {
  anorank_settings settings;
  anorank_error err = {0};
  anorank_model *model = NULL;
  anorank_stream *watch = NULL;
  ank_settings_default(&settings);
  settings.threads = 1;
  settings.train = ANORANK_TRAIN_CLEAN;
  check(anorank_fit(&model, train, NULL, &settings, &err), &err);
  check(anorank_stream_new(&watch, model, NULL, &err), &err);
  check(anorank_stream_check(watch, test, 0, NULL, &err), &err);
  check(anorank_stream_conclude(watch, &err), &err);
  for (int k = 0; k < LINES; k++) {
    said[k] = 0;
    for (size_t i = 0; i < anorank_notes_count(anorank_stream_notes(watch)); i++)
      said[k] |= strstr(anorank_notes_at(anorank_stream_notes(watch), i)->text, line_parts[k]) != NULL;
    for (size_t i = 0; i < anorank_notes_count(anorank_model_notes(model)); i++)
      said[k] |= strstr(anorank_notes_at(anorank_model_notes(model), i)->text, line_parts[k]) != NULL;
  }
  anorank_stream_free(watch);
  anorank_model_free(model);
}

/* ---- ordinary ---------------------------------------------------------------------------------------- */

/* 20 columns of independent numbers, and an hour more from row to row. The first `same` rows are those of seed 0.
 * Column 0 is multiplied, moved, and rises by `slope` standard deviations from the first row to the last. */
typedef struct {
  size_t rows, columns, same;
  double unit, shift, slope;
  int time;
} plain;

static anorank_table *plain_table(const plain *plan, uint64_t seed) {
  size_t size = 1000 + plan->rows * (plan->columns * 16 + 40), used = 0;
  char *text = malloc(size);
  anorank_table *table = NULL;
  anorank_error err = {0};
  if (!text) exit(2);
  used += (size_t)snprintf(text, size, "%s", plan->time ? "when," : "");
  for (size_t j = 0; j < plan->columns; j++)
    used += (size_t)snprintf(text + used, size - used, "c%zu%c", j, j + 1 < plan->columns ? ',' : '\n');
  for (size_t i = 0; i < plan->rows; i++) {
    ank_rng rng;
    ank_rng_open(&rng, i < plan->same ? seed - 1 : seed, 8000, i);
    if (plan->time)
      used += (size_t)snprintf(text + used, size - used, "2025-%02d-%02d %02d:00,", (int)(1 + i / 672 % 12),
                               (int)(1 + i / 24 % 28), (int)(i % 24));
    for (size_t j = 0; j < plan->columns; j++) {
      double e = ank_rng_normal(&rng), way = (double)i / (double)plan->rows;
      double value = j == 0 ? plan->unit * (20 + e + plan->shift + plan->slope * way) : e;
      used += (size_t)snprintf(text + used, size - used, "%.6f%c", value, j + 1 < plan->columns ? ',' : '\n');
    }
  }
  check(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "made.csv"), NULL, &err), &err);
  free(text);
  return table;
}

static void show(const char *name, const char *rows, const double said[LINES], size_t runs,
                 const double least[LINES], const double most[LINES]) {
  printf("| %s | %s |", name, rows);
  for (int k = 0; k < LINES; k++) {
    double share = said[k] / (double)runs, room = 2 * sqrt(0.01 / (double)runs);
    int bad = share < least[k] || share > most[k] + (most[k] < 1 ? room : 0);
    failures += bad;
    printf(" %.2f%s |", share, bad ? " !" : "");
  }
  printf("\n");
  fflush(stdout);
}

static const double none[LINES] = {0}, hardly[LINES] = {0.01, 0.01, 0.01};

static void measure_ordinary(size_t runs) {
  static const size_t sizes[][2] = {{100, 100}, {1000, 50}, {1000, 1000}};
  for (size_t s = 0; s < 3; s++) {
    char rows[32];
    snprintf(rows, sizeof rows, "%zu, %zu", sizes[s][0], sizes[s][1]);
    for (int kind = 0; kind <= NOISY_KINDS; kind++) {
      double count[LINES] = {0};
      for (uint64_t r = 0; r < runs; r++) {
        plain plan = {.rows = sizes[s][0], .columns = 20, .unit = 1, .time = 1}, other = plan;
        other.rows = sizes[s][1];
        anorank_table *train = kind == NOISY_KINDS
                                   ? plain_table(&plan, 2 * r)
                                   : noisy_table((noisy_kind)kind, plan.rows, plan.rows, 0, 2 * r),
                      *test = kind == NOISY_KINDS
                                  ? plain_table(&other, 2 * r + 1)
                                  : noisy_table((noisy_kind)kind, other.rows, other.rows, 0, 2 * r + 1);
        int said[LINES];
        look(said, train, test);
        for (int k = 0; k < LINES; k++) count[k] += said[k];
        anorank_table_free(train);
        anorank_table_free(test);
      }
      show(kind == NOISY_KINDS ? "20 columns and a time" : noisy[kind].name, rows, count, runs, none, hardly);
    }
  }
}

/* ---- due --------------------------------------------------------------------------------------------- */

static void measure_due(size_t runs) {
  static const struct {
    const char *name;
    double same; /* share of the rows that are training rows */
    double unit, shift, slope, train_slope;
    int time, line, promised;
  } cases[] = {
      {"the training file again", 1, 1, 0, 0, 0, 0, MET, 1},
      {"half of it, and as many new rows", 0.5, 1, 0, 0, 0, 0, MET, 1},
      {"a fifth of it", 0.2, 1, 0, 0, 0, 0, MET, 0},
      {"cents for euros", 0, 100, 0, 0, 0, 0, UNLIKE, 1},
      {"thousands for ones", 0, 0.001, 0, 0, 0, 0, UNLIKE, 1},
      {"one column moved by 4 deviations", 0, 1, 4, 0, 0, 0, UNLIKE, 1},
      {"by 3", 0, 1, 3, 0, 0, 0, UNLIKE, 0},
      {"by 2", 0, 1, 2, 0, 0, 0, UNLIKE, 0},
      {"one column rises by 4 in time, training file too", 0, 1, 0, 4, 4, 1, TREND, 1},
      {"the same without a time", 0, 1, 0, 4, 4, 0, TREND, 1},
      {"by 2, with a time", 0, 1, 0, 2, 2, 1, TREND, 0},
      {"by 2, without", 0, 1, 0, 2, 2, 0, TREND, 0},
  };
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    enum { ROWS = 1000 };
    double count[LINES] = {0}, least[LINES] = {0}, most[LINES] = {1, 1, 1};
    for (uint64_t r = 0; r < runs; r++) {
      plain plan = {
          .rows = ROWS, .columns = 6, .unit = 1, .slope = cases[c].train_slope, .time = cases[c].time};
      anorank_table *train = plain_table(&plan, 2 * r);
      plan.same = (size_t)(cases[c].same * ROWS);
      plan.unit = cases[c].unit, plan.shift = cases[c].shift, plan.slope = cases[c].slope;
      anorank_table *test = plain_table(&plan, 2 * r + 1);
      int said[LINES];
      look(said, train, test);
      for (int k = 0; k < LINES; k++) count[k] += said[k];
      anorank_table_free(train);
      anorank_table_free(test);
    }
    if (cases[c].promised) least[cases[c].line] = 0.95;
    show(cases[c].name, "1000, 1000", count, runs, least, most);
  }
}

int main(int count, char **arguments) {
  size_t runs = count > 1 ? strtoul(arguments[1], NULL, 10) : 100;
  printf("share of %zu runs with a note\n\n| file | rows of the fit, of the file | training rows "
         "| unlike | trend "
         "|\n|---|---|---|---|---|\n",
         runs);
  measure_ordinary(runs);
  measure_due(runs);
  printf("\n%d shares are marked !\n", failures);
  return failures > 0;
}
