/* two_samples.h - a normal X against a uniform U, where the best order is known, and shared tests of classes
 * that learn from both. */
#ifndef TEST_SUPPORT_TWO_SAMPLES_H
#define TEST_SUPPORT_TWO_SAMPLES_H

#include "core/alloc.h"
#include "core/rng.h"
#include "support/scorers.h"
#include "support/slow_criterion.h"

#define HALF_SIDE 4.0

/* X: standard normal; U: uniform on [-4, 4]^dim. */
static inline ank_samples two_samples(size_t n, size_t m, size_t dim, uint64_t seed) {
  double *x = test_memory(n * dim * sizeof *x), *u = test_memory((m * dim + 1) * sizeof *u);
  ank_rng rng;
  ank_rng_open(&rng, seed, 99, 0);
  for (size_t i = 0; i < n * dim; i++) x[i] = ank_rng_normal(&rng);
  for (size_t i = 0; i < m * dim; i++) u[i] = HALF_SIDE * (2 * ank_rng_uniform(&rng) - 1);
  return (ank_samples){{x, n, dim}, {u, m, dim}, NULL, {0}, NULL, 0, NULL};
}

static inline void best_scores(double *scores, const ank_matrix *rows) {
  for (size_t i = 0; i < rows->rows; i++) {
    scores[i] = 0;
    for (size_t j = 0; j < rows->dim; j++) scores[i] -= pow(rows->values[i * rows->dim + j], 2);
  }
}

/* Area under the mass-volume curve on fresh rows, above that of the best order; a mean over three samples. */
static inline double mean_excess(const ank_scorer_class *type, size_t n, anorank_settings *settings) {
  enum { FRESH = 1500, TIMES = 3 };
  static double sx[FRESH], su[FRESH];
  double sum = 0;
  ank_samples fresh = two_samples(FRESH, FRESH, 2, 1000);
  for (uint64_t k = 0; k < TIMES; k++) {
    ank_samples samples = two_samples(n, n, 2, k);
    void *scorer;
    settings->seed = k;
    assert_ok(ank_scorer_fit(&scorer, type, &samples, settings, NULL));
    assert_ok(type->score(sx, scorer, &fresh.x, NULL));
    assert_ok(type->score(su, scorer, &fresh.u, NULL));
    sum += slow_area(sx, FRESH, su, FRESH);
    type->free(scorer);
  }
  best_scores(sx, &fresh.x);
  best_scores(su, &fresh.u);
  sum = sum / TIMES - slow_area(sx, FRESH, su, FRESH);
  return sum;
}

/* More rows, a better order. `last` is what 5000 rows must reach. */
static inline void assert_excess_falls(const ank_scorer_class *type, anorank_settings *settings,
                                       double last) {
  double few = mean_excess(type, 200, settings), more = mean_excess(type, 1000, settings);
  double many = mean_excess(type, 5000, settings);
  if (few > more && more > many && many < last && many > -0.005) return;
  print_error("%s: excess area %g, %g, %g for 200, 1000, 5000 rows; at most %g at the end\n", type->info.name,
              few, more, many, last);
  fail();
}

static inline void assert_needs_contrast(const ank_scorer_class *type) {
  ank_samples samples = two_samples(50, 0, 2, 3);
  anorank_settings settings = test_settings();
  anorank_error err = {0};
  void *scorer = &samples;
  assert_fails(ank_scorer_fit(&scorer, type, &samples, &settings, &err), ANORANK_ERROR_DATA,
               "fit-needs-contrast");
  assert_null(scorer);
}

/* ---- forests as saved -------------------------------------------------------------------------------- */

typedef struct saved_forest {
  size_t dim, trees, nodes;
  uint32_t *start, *column, *left; /* column: from 1, 0 at leaves; left: counted from the tree's root */
  double *value;
} saved_forest;

static inline saved_forest read_forest(const ank_scorer_class *type, const void *scorer) {
  saved_forest f;
  ank_bytes bytes = {0};
  size_t count;
  assert_ok(type->save(scorer, &bytes, NULL));
  ank_cursor cursor = {bytes.data, bytes.length, 0};
  assert_ok(ank_cursor_size(&cursor, &f.dim, 1, 1000, "dim", NULL));
  assert_ok(ank_cursor_u32s(&cursor, &f.start, &f.trees, NULL));
  assert_ok(ank_cursor_u32s(&cursor, &f.column, &f.nodes, NULL));
  assert_ok(ank_cursor_f64s(&cursor, &f.value, &count, NULL));
  assert_ok(ank_cursor_end(&cursor, NULL));
  ank_bytes_free(&bytes);
  f.trees--;
  f.left = test_memory(f.nodes * sizeof *f.left);
  for (size_t t = 0; t < f.trees; t++) {
    uint32_t next = 1;
    for (size_t i = f.start[t]; i < f.start[t + 1]; i++)
      if (f.column[i]) f.left[i] = next, next += 2;
  }
  return f;
}

static inline void free_forest(saved_forest *f) {
  ank_free(f->start);
  ank_free(f->column);
  ank_free(f->value);
}

/* Count into counts[i] the rows that pass node i of the first tree. */
static inline void count_passing(size_t *counts, const saved_forest *f, const ank_matrix *rows) {
  memset(counts, 0, f->nodes * sizeof *counts);
  for (size_t r = 0; r < rows->rows; r++) {
    size_t node = 0;
    counts[0]++;
    while (f->column[node]) {
      node = f->left[node] + (rows->values[r * rows->dim + f->column[node] - 1] > f->value[node]);
      counts[node]++;
    }
  }
}

#endif
