/* noisy.h - tables of normal rows of eleven kinds, light and heavy tails, numbers and words, with gross
 * anomalies planted in one cell. Tests measure p-values and false discoveries on them. */
#ifndef TEST_SUPPORT_NOISY_H
#define TEST_SUPPORT_NOISY_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "anorank/anorank.h"
#include "anorank/io.h"
#include "core/rng.h"

typedef enum {
  NOISY_GAUSSIAN = 0,
  NOISY_CORRELATED,
  NOISY_T2,
  NOISY_T2_WIDE,
  NOISY_CAUCHY,
  NOISY_MONEY,
  NOISY_MIXED,
  NOISY_COUNTS,
  NOISY_CATEGORIES,
  NOISY_BINARY,
  NOISY_CLUSTERS
} noisy_kind;

enum { NOISY_KINDS = 11 };

/* An anomaly has one cell 8 `sigma` off: in heavy-tailed columns what one normal cell in ten million exceeds,
 * in counts 24, in 0/1 columns 12. Words have no size: an anomaly has a word that no normal row has. */
static const struct {
  const char *name;
  size_t columns;
  double sigma;
} noisy[NOISY_KINDS] = {{"gaussian x 6", 6, 1},       {"correlated x 6", 6, 1}, {"t2 x 6", 6, 275},
                        {"t2 x 20", 20, 275},         {"cauchy x 6", 6, 4e5},   {"exp(1.5 N) x 10", 10, 1000},
                        {"mixed: 4 + 2 words", 6, 1}, {"counts x 6", 6, 3},     {"words x 3", 3, 0},
                        {"0/1 x 8", 8, 1.5},          {"five groups x 6", 6, 1}};

static inline int noisy_is_word(noisy_kind kind, size_t j) {
  return kind == NOISY_CATEGORIES || (kind == NOISY_MIXED && j % 3 == 1);
}

/* `shared`: the same for all cells of a row. */
static inline double noisy_number(noisy_kind kind, size_t j, double shared, ank_rng *rng) {
  double e = ank_rng_normal(rng), u = ank_rng_uniform(rng);
  switch (kind) {
  case NOISY_CORRELATED: return 0.9 * shared + 0.436 * e;
  case NOISY_T2:
  case NOISY_T2_WIDE: return e / sqrt(-log(1 - u));
  case NOISY_CAUCHY: return tan(3.14159265358979 * (u - 0.5));
  case NOISY_MONEY: return exp(1.5 * e);
  case NOISY_COUNTS: return (double)ank_rng_binomial(rng, 60, 0.05);
  case NOISY_BINARY: return u < 0.3;
  case NOISY_CLUSTERS: return (double)((size_t)(5 * shared) * (j + 3) % 7) + 0.2 * e;
  default: return e;
  }
}

/* Levels of categories: five alike, or, in mixed tables, 40 of frequency 1 / rank. */
static inline size_t noisy_level(noisy_kind kind, ank_rng *rng) {
  double u = ank_rng_uniform(rng);
  return kind == NOISY_CATEGORIES ? (size_t)(5 * u) : (size_t)exp(u * log(40));
}

/* A CSV file, allocated, of `rows` rows, those from `fresh` on copies of the first; the last `anomalies` are
 * anomalies. */
static inline char *noisy_text(size_t *length, noisy_kind kind, size_t columns, size_t rows, size_t fresh,
                               size_t anomalies, uint64_t seed) {
  size_t size = 256 + (rows + 1) * columns * 26, used = 0;
  char *text = malloc(size);
  if (!text) exit(1);
  for (size_t j = 0; j < columns; j++)
    used += (size_t)snprintf(text + used, size - used, "c%zu%c", j, j + 1 < columns ? ',' : '\n');
  for (size_t i = 0; i < rows; i++) {
    ank_rng rng;
    ank_rng_open(&rng, seed, 7000 + (uint64_t)kind, i % fresh);
    double shared = kind == NOISY_CLUSTERS ? ank_rng_uniform(&rng) : ank_rng_normal(&rng);
    size_t odd = i + anomalies < rows ? columns : (size_t)ank_rng_below(&rng, columns);
    if (odd < columns && kind == NOISY_MIXED) odd -= odd % 3 == 1;
    double sign = kind == NOISY_MONEY || kind == NOISY_COUNTS || ank_rng_uniform(&rng) < 0.5 ? 1 : -1;
    for (size_t j = 0; j < columns; j++) {
      char end = j + 1 < columns ? ',' : '\n';
      double x = noisy_number(kind, j, shared, &rng);
      if (noisy_is_word(kind, j) && j == odd)
        used += (size_t)snprintf(text + used, size - used, "odd%zu%c", i % 7, end);
      else if (noisy_is_word(kind, j))
        used += (size_t)snprintf(text + used, size - used, "v%zu%c", noisy_level(kind, &rng), end);
      else if (kind == NOISY_MIXED && j != odd && ank_rng_uniform(&rng) < 0.05)
        used += (size_t)snprintf(text + used, size - used, "%c", end);
      else
        used += (size_t)snprintf(text + used, size - used, "%.9g%c",
                                 j == odd ? x + sign * 8 * noisy[kind].sigma : x, end);
    }
  }
  *length = used;
  return text;
}

static inline anorank_table *noisy_table_of(noisy_kind kind, size_t columns, size_t rows, size_t fresh,
                                            size_t anomalies, uint64_t seed) {
  anorank_table *table = NULL;
  size_t length;
  char *text = noisy_text(&length, kind, columns, rows, fresh, anomalies, seed);
  if (anorank_table_read(&table, ANORANK_FROM_MEMORY(text, length, "made.csv"), NULL, NULL) != ANORANK_OK)
    exit(1);
  free(text);
  return table;
}

/* With as many columns as the kind's name says. */
static inline anorank_table *noisy_table(noisy_kind kind, size_t rows, size_t fresh, size_t anomalies,
                                         uint64_t seed) {
  return noisy_table_of(kind, noisy[kind].columns, rows, fresh, anomalies, seed);
}

#endif
