/* planted.h - ten kinds of tables, and rows of them in which one or two cells are altered, to test reasons.
 * The alteration breaks what defines the kind (a dependence, a cluster, a ring, a level). For classes that
 * see one column at a time it leaves the column's range instead. */
#ifndef TEST_SUPPORT_PLANTED_H
#define TEST_SUPPORT_PLANTED_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anorank/anorank.h"
#include "anorank/io.h"
#include "core/rng.h"

enum { PLANTED_KINDS = 10, PLANTED_MOST = 30 };

static const char *const planted_names[PLANTED_KINDS] = {
    "gaussian", "correlated", "clusters", "heavy tails", "counts",
    "binary",   "mixed",      "ring",     "30 columns",  "missing"};

typedef struct planted {
  anorank_table *train, *test; /* test: altered rows only */
  size_t columns, rows;        /* rows of test */
  unsigned char *altered;      /* rows x columns */
} planted;

static inline size_t planted_columns(int kind) {
  static const size_t columns[PLANTED_KINDS] = {6, 6, 8, 6, 6, 12, 6, 9, 30, 6};
  return columns[kind];
}

/* Columns written as words, not numbers. */
static inline int planted_is_word(int kind, size_t column) { return kind == 6 && column < 3; }

/* A word column's level: the first common, the last one in 300 rows. */
static inline double planted_level(ank_rng *rng) {
  double u = ank_rng_uniform(rng);
  return u < 0.4 ? 0 : u < 0.7 ? 1 : u < 0.9 ? 2 : u < 0.997 ? 3 : 4;
}

static inline void planted_draw(double *row, int kind, ank_rng *rng) {
  size_t columns = planted_columns(kind);
  double shared = ank_rng_normal(rng), angle = 6.283185307179586 * ank_rng_uniform(rng);
  size_t cluster = (size_t)ank_rng_below(rng, 3);
  double factors[5] = {shared, ank_rng_normal(rng), ank_rng_normal(rng), ank_rng_normal(rng),
                       ank_rng_normal(rng)};
  for (size_t j = 0; j < columns; j++) {
    double e = ank_rng_normal(rng);
    switch (kind) {
    case 0: row[j] = 10.0 * (double)j + (1 + (double)j) * e; break;
    case 1: row[j] = 0.9 * shared + 0.436 * e; break;
    case 2: row[j] = ((j * 7 + cluster * 5) % 3 == 0 ? -5 : (j + cluster) % 2 ? 0 : 5) + 0.7 * e; break;
    case 3: row[j] = e / sqrt(ank_rng_gamma(rng, 1.5) / 1.5); break;
    case 4: row[j] = (double)ank_rng_binomial(rng, 200, 0.02 * (double)(j + 1)); break;
    case 5: row[j] = j < 6 ? (double)(shared > 0) : 0; break;
    case 6: row[j] = j < 3 ? planted_level(rng) : 2 * row[j - 3] * (j == 3) + e; break;
    case 7:
      row[j] = (j < 8 ? (j % 2 ? sin : cos)((double)(j / 2 + 1) * angle) : 0) + (j < 8 ? 0.05 : 1) * e;
      break;
    case 8: row[j] = 0.8 * factors[j % 5] + 0.6 * e; break;
    default: row[j] = 0.8 * shared + 0.6 * e; break;
    }
    if (kind == 5 && ank_rng_uniform(rng) < 0.002) row[j] = 1 - row[j];
  }
  if (kind == 9)
    for (size_t j = 0; j + 1 < columns; j++) /* the last column is always there */
      if (ank_rng_uniform(rng) < 0.1) row[j] = NAN;
}

/* Alter one cell. `alone`: in a way that the column by itself shows. */
static inline void planted_alter(double *row, int kind, size_t j, int alone, ank_rng *rng) {
  double sign = ank_rng_uniform(rng) < 0.5 ? -1 : 1;
  switch (kind) {
  case 0: row[j] = 10.0 * (double)j + (1 + (double)j) * 6 * sign; break;
  case 1: row[j] = alone ? 6 * sign : row[j] + (row[j] > 0 ? -3.5 : 3.5); break;
  case 2: row[j] = alone ? 11 * sign : row[j] + (row[j] > 0 ? -5 : 5); break;
  case 3: row[j] = 25 * sign; break;
  case 4: row[j] = floor(4 * (double)(j + 1) + 8 * sqrt(4.0 * (double)(j + 1))); break;
  case 5: row[j] = alone ? 3 : 1 - row[j]; break;
  case 6:
    row[j] = j < 3 ? (ank_rng_uniform(rng) < 0.5 ? 4 : 5) : row[j] + 7 * sign + (j == 3 ? sign * 4 : 0);
    break;
  case 7: row[j] = j == 8 ? 6 * sign : alone ? 3 * sign : row[j] + (row[j] > 0 ? -1.4 : 1.4); break;
  default: row[j] = isnan(row[j]) || (kind == 9 && j == 5 && sign > 0) ? (j == 5 ? NAN : 6 * sign) : 6 * sign;
  }
}

static inline void planted_print(FILE *stream, const double *row, int kind) {
  for (size_t j = 0; j < planted_columns(kind); j++) {
    if (j > 0) fputc(',', stream);
    if (isnan(row[j])) continue;
    if (planted_is_word(kind, j))
      fprintf(stream, "%s",
              ((const char *[]){"red", "green", "blue", "white", "black", "purple"})[(int)row[j]]);
    else
      fprintf(stream, "%.9g", row[j]);
  }
  fputc('\n', stream);
}

typedef struct planted_text {
  char *bytes;
  size_t length;
  FILE *stream;
} planted_text;

static inline void planted_begin(planted_text *text, int kind) {
  text->stream = open_memstream(&text->bytes, &text->length);
  for (size_t j = 0; j < planted_columns(kind); j++) fprintf(text->stream, "%sc%zu", j ? "," : "", j);
  fputc('\n', text->stream);
}

static inline anorank_table *planted_end(planted_text *text) {
  anorank_settings settings;
  anorank_table *table = NULL;
  anorank_error err = {0};
  ank_settings_default(&settings);
  settings.categorical = "";
  settings.header = ANORANK_HEADER_YES;
  fclose(text->stream);
  if (anorank_table_read(&table, ANORANK_FROM_MEMORY(text->bytes, text->length, "planted"), &settings,
                         &err) != ANORANK_OK)
    fprintf(stderr, "%s\n", err.message);
  free(text->bytes);
  return table;
}

static inline planted planted_make(int kind, size_t train_rows, size_t test_rows, int alone, uint64_t seed) {
  planted out = {.columns = planted_columns(kind), .rows = test_rows};
  planted_text train, test;
  double row[PLANTED_MOST];
  ank_rng rng;
  ank_rng_open(&rng, seed, 1000 + (uint64_t)kind, 0);
  planted_begin(&train, kind);
  for (size_t i = 0; i < train_rows; i++)
    planted_draw(row, kind, &rng), planted_print(train.stream, row, kind);
  out.train = planted_end(&train);
  out.altered = calloc(test_rows * out.columns, 1);
  planted_begin(&test, kind);
  for (size_t i = 0; i < test_rows; i++) {
    /* Two altered cells can make another point of the ring likelier than the true one. */
    size_t altered = kind == 7 ? 1 : 1 + (size_t)ank_rng_below(&rng, 2);
    planted_draw(row, kind, &rng);
    for (size_t k = 0; k < altered; k++) {
      size_t j = (size_t)ank_rng_below(&rng, out.columns);
      if (kind == 5 && alone) j = 6 + j / 2; /* of six equal columns such a class may look at one only */
      if (out.altered[i * out.columns + j]) continue;
      planted_alter(row, kind, j, alone, &rng);
      out.altered[i * out.columns + j] = 1;
    }
    planted_print(test.stream, row, kind);
  }
  out.test = planted_end(&test);
  return out;
}

static inline void planted_free(planted *made) {
  anorank_table_free(made->train);
  anorank_table_free(made->test);
  free(made->altered);
}

/* The share of the rows whose first reason is an altered column. */
static inline double planted_share_right(const anorank_model *model, const planted *made) {
  anorank_ranking *ranking = NULL;
  anorank_settings settings;
  anorank_error err = {0};
  size_t right = 0;
  ank_settings_default(&settings);
  settings.reasons = 1;
  settings.lowest = (int64_t)anorank_table_rows(made->test); /* reasons for all */
  if (anorank_ranking_make(&ranking, model, made->test, &settings, &err) != ANORANK_OK) {
    fprintf(stderr, "%s\n", err.message);
    return NAN;
  }
  for (size_t i = 0; i < anorank_ranking_get_info(ranking)->count; i++) {
    const anorank_reason *first = anorank_ranking_reason(ranking, i, 0);
    if (first) right += made->altered[anorank_ranking_at(ranking, i)->row * made->columns + first->index];
  }
  anorank_ranking_free(ranking);
  return (double)right / (double)made->rows;
}

#endif
