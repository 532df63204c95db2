/* scorers.h - short functions that fit, score and save, for the tests of one class.
 * tests/contract/test_scorers.c tests the contract of all classes. */
#ifndef TEST_SUPPORT_SCORERS_H
#define TEST_SUPPORT_SCORERS_H

#include "core/alloc.h"
#include "core/rng.h"
#include "scorers/scorer.h"
#include "support/check.h"

enum { TEST_STREAM = 77 };

/* Which class the file tests, as `type`; scoped_scorer *scorer = test_fit(type, ...); frees it at the end of the block. */
#define SCORER_UNDER_TEST(name)                                                                              \
  static const ank_scorer_class *const type = &name;                                                         \
  static inline void drop_scorer(void *at) { type->free(*(void **)at); }
#define scoped_scorer scoped(scorer) void
#define scoped_blend scoped(scorer) ank_blend

/* Independent, roughly normal numbers. */
static inline void test_draw(double *values, size_t count, uint64_t seed) {
  ank_rng rng;
  ank_rng_open(&rng, seed, TEST_STREAM, 0);
  for (size_t i = 0; i < count; i++) {
    values[i] = -2;
    for (int k = 0; k < 4; k++) values[i] += ank_rng_uniform(&rng);
  }
}

static inline double *test_rows(size_t rows, size_t dim, uint64_t seed) {
  double *values = test_memory((rows * dim + 1) * sizeof *values);
  test_draw(values, rows * dim, seed);
  return values;
}

static inline int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The lower median of every row / 1001-th row, as references.h says. */
static inline void medians(double *centre, const double *x, size_t n, size_t dim) {
  size_t count = n < 1001 ? n : 1001;
  double column[1001];
  for (size_t j = 0; j < dim; j++) {
    for (size_t i = 0; i < count; i++) column[i] = x[i * (n / count) * dim + j];
    qsort(column, count, sizeof *column, by_value);
    centre[j] = column[(count - 1) / 2];
  }
}

static inline void *test_fit(const ank_scorer_class *type, const double *x, size_t rows, size_t dim,
                             const anorank_settings *settings) {
  ank_samples samples = {{x, rows, dim}, {NULL, 0, dim}, NULL, {0}, NULL, 0, NULL};
  void *scorer = NULL;
  anorank_error err = {0};
  anorank_status status = ank_scorer_fit(&scorer, type, &samples, settings, &err);
  if (status != ANORANK_OK) print_error("%s\n", err.message);
  assert_ok(status);
  assert_non_null(scorer);
  assert_int_equal(type->dim(scorer), dim);
  assert_true(type->bytes(scorer) > 0);
  return scorer;
}

static inline void test_score(double *scores, const ank_scorer_class *type, const void *scorer,
                              const double *rows, size_t count, size_t dim) {
  ank_matrix matrix = {rows, count, dim};
  assert_ok(type->score(scores, scorer, &matrix, NULL));
}

static inline ank_bytes test_save(const ank_scorer_class *type, const void *scorer) {
  ank_bytes bytes = {0};
  assert_ok(type->save(scorer, &bytes, NULL));
  return bytes;
}

static inline void check_finite(const double *scores, size_t count) {
  for (size_t i = 0; i < count; i++) assert_true(isfinite(scores[i]));
}

/* Load bytes from memory of their exact size, so that the address sanitizer sees a read past the end: an error
 * with words (always, where they are `cut` short), or a scorer whose scores are numbers. */
static inline void try_bytes(const ank_scorer_class *type, const unsigned char *data, size_t length,
                             int cut) {
  unsigned char *exact = malloc(length ? length : 1);
  static double rows[9 * 4096];
  double scores[9];
  anorank_error err = {0};
  ank_cursor cursor = {exact, length, 0};
  void *scorer = NULL;
  assert_non_null(exact);
  memcpy(exact, data, length);
  anorank_status status = ank_scorer_load(&scorer, type, &cursor, &err);
  assert_true((status == ANORANK_OK) == (scorer != NULL));
  if (scorer) {
    assert_false(cut);
    if (type->dim(scorer) < 4096) {
      test_draw(rows, 9 * type->dim(scorer), 7);
      test_score(scores, type, scorer, rows, 9, type->dim(scorer));
      for (size_t i = 0; i < 9; i++) assert_false(isnan(scores[i]));
    }
  } else {
    assert_int_equal(status, ANORANK_ERROR_MODEL);
    assert_true(err.message[0]);
  }
  type->free(scorer);
  free(exact);
}

#endif
