/* scorers.h - what every scorer class is put through, whatever it computes. A class's own tests call these
 * with settings that keep it small. */
#ifndef TEST_SUPPORT_SCORERS_H
#define TEST_SUPPORT_SCORERS_H

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/rng.h"
#include "scorers/scorer.h"

enum { TEST_STREAM = 77 };

/* Rows of independent, roughly normal numbers. */
static inline double *test_rows(size_t rows, size_t dim, uint64_t seed) {
  double *values = malloc((rows * dim + 1) * sizeof *values);
  ank_rng rng;
  assert_non_null(values);
  ank_rng_open(&rng, seed, TEST_STREAM, 0);
  for (size_t i = 0; i < rows * dim; i++) {
    double sum = -2;
    for (int k = 0; k < 4; k++) sum += ank_rng_uniform(&rng);
    values[i] = sum;
  }
  return values;
}

static inline void *test_fit(const ank_scorer_class *type, const double *x, size_t rows, size_t dim,
                             const anorank_settings *settings) {
  ank_samples samples = {{x, rows, dim}, {NULL, 0, dim}, NULL, {0}, NULL};
  void *scorer = NULL;
  anorank_error err = {0};
  anorank_status status = type->fit(&scorer, &samples, settings, &err);
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

static inline void assert_same_bytes(const ank_bytes *a, const ank_bytes *b) {
  assert_int_equal(a->length, b->length);
  assert_memory_equal(a->data, b->data, a->length);
}

static inline void check_finite(const double *scores, size_t count) {
  for (size_t i = 0; i < count; i++) assert_true(isfinite(scores[i]));
}

/* A loaded scorer saves the same bytes and gives the same bits. */
static inline void check_round_trip(const ank_scorer_class *type, const anorank_settings *settings, size_t n,
                                    size_t dim) {
  double *x = test_rows(n, dim, 1), *rows = test_rows(50, dim, 2), before[50], after[50];
  void *scorer = test_fit(type, x, n, dim, settings), *loaded = NULL;
  ank_bytes saved = test_save(type, scorer), again;
  ank_cursor cursor = {saved.data, saved.length, 0};
  assert_ok(type->load(&loaded, &cursor, NULL));
  assert_ok(ank_cursor_end(&cursor, NULL));
  assert_int_equal(type->dim(loaded), dim);
  assert_int_equal(type->bytes(loaded), type->bytes(scorer));
  again = test_save(type, loaded);
  assert_same_bytes(&saved, &again);
  test_score(before, type, scorer, rows, 50, dim);
  test_score(after, type, loaded, rows, 50, dim);
  assert_memory_equal(before, after, sizeof before);
  check_finite(before, 50);
  type->free(scorer);
  type->free(loaded);
  ank_bytes_free(&saved);
  ank_bytes_free(&again);
  free(x);
  free(rows);
}

/* Any split of the rows into calls gives the same bits. */
static inline void check_batches(const ank_scorer_class *type, const anorank_settings *settings, size_t n,
                                 size_t dim) {
  enum { ROWS = 1037 };
  double *x = test_rows(n, dim, 3), *rows = test_rows(ROWS, dim, 4), *whole = test_rows(ROWS, 1, 0), part[64];
  void *scorer = test_fit(type, x, n, dim, settings);
  test_score(whole, type, scorer, rows, ROWS, dim);
  for (size_t step = 1; step < 64; step = step * 2 + 1)
    for (size_t from = 0; from + step <= ROWS; from += step) {
      test_score(part, type, scorer, rows + from * dim, step, dim);
      assert_memory_equal(part, whole + from, step * sizeof *part);
    }
  test_score(part, type, scorer, rows, 0, dim);
  type->free(scorer);
  free(x);
  free(rows);
  free(whole);
}

static inline void check_threads(const ank_scorer_class *type, const anorank_settings *settings, size_t n,
                                 size_t dim) {
  static const int64_t threads[] = {1, 2, 8};
  double *x = test_rows(n, dim, 5);
  ank_bytes first = {0};
  for (size_t k = 0; k < 3; k++) {
    anorank_settings mine = *settings;
    mine.threads = threads[k];
    void *scorer = test_fit(type, x, n, dim, &mine);
    ank_bytes saved = test_save(type, scorer);
    if (k == 0)
      first = saved;
    else
      assert_same_bytes(&first, &saved);
    if (k > 0) ank_bytes_free(&saved);
    type->free(scorer);
  }
  ank_bytes_free(&first);
  free(x);
}

/* Fit, save, load and score while each request for memory fails in turn; *used counts the requests. */
static inline anorank_status whole_life(const ank_scorer_class *type, const anorank_settings *settings,
                                        const double *x, size_t n, size_t dim) {
  ank_samples samples = {{x, n, dim}, {NULL, 0, dim}, NULL, {0}, NULL};
  ank_bytes saved = {0};
  void *scorer = NULL, *loaded = NULL;
  double *scores = malloc(n * sizeof *scores);
  anorank_status status = type->fit(&scorer, &samples, settings, NULL);
  assert_true((status == ANORANK_OK) == (scorer != NULL));
  if (status == ANORANK_OK) status = type->save(scorer, &saved, NULL);
  if (status == ANORANK_OK) {
    ank_cursor cursor = {saved.data, saved.length, 0};
    status = type->load(&loaded, &cursor, NULL);
    assert_true((status == ANORANK_OK) == (loaded != NULL));
  }
  if (status == ANORANK_OK) status = type->score(scores, loaded, &samples.x, NULL);
  type->free(scorer);
  type->free(loaded);
  ank_bytes_free(&saved);
  free(scores);
  return status;
}

static inline void check_allocation_failures(const ank_scorer_class *type, const anorank_settings *settings) {
  enum { N = 40, DIM = 3 };
  double *x = test_rows(N, DIM, 6);
  anorank_settings mine = *settings;
  mine.threads = 1;
  ank_alloc_fail_at(0);
  assert_ok(whole_life(type, &mine, x, N, DIM));
  size_t requests = ank_alloc_fail_at(0);
  assert_true(requests > 3);
  for (size_t k = 1; k <= requests; k++) {
    ank_alloc_fail_at(k);
    assert_status(whole_life(type, &mine, x, N, DIM), ANORANK_ERROR_RESOURCES);
  }
  ank_alloc_fail_at(0);
  assert_ok(whole_life(type, &mine, x, N, DIM));
  free(x);
}

/* Bytes in memory of their exact size, so that the address sanitizer sees a read past the end. */
static inline void try_bytes(const ank_scorer_class *type, const unsigned char *data, size_t length,
                             int cut) {
  unsigned char *exact = malloc(length ? length : 1);
  double *rows, *scores = malloc(9 * sizeof *scores);
  ank_cursor cursor = {exact, length, 0};
  void *scorer = NULL;
  memcpy(exact, data, length);
  anorank_status status = type->load(&scorer, &cursor, NULL);
  assert_true((status == ANORANK_OK) == (scorer != NULL));
  if (status == ANORANK_OK) {
    assert_false(cut);
    if (type->dim(scorer) < 4096) {
      rows = test_rows(9, type->dim(scorer), 7);
      test_score(scores, type, scorer, rows, 9, type->dim(scorer));
      for (size_t i = 0; i < 9; i++) assert_false(isnan(scores[i]));
      free(rows);
    }
  } else {
    assert_int_equal(status, ANORANK_ERROR_MODEL);
  }
  type->free(scorer);
  free(exact);
  free(scores);
}

static inline void check_damage(const ank_scorer_class *type, const anorank_settings *settings) {
  static const unsigned char masks[] = {0x01, 0x10, 0x7F, 0x80, 0xFF};
  enum { N = 12, DIM = 2, RANDOM = 3000 };
  double *x = test_rows(N, DIM, 8);
  void *scorer = test_fit(type, x, N, DIM, settings);
  ank_bytes saved = test_save(type, scorer);
  ank_rng rng;
  for (size_t length = 0; length < saved.length; length++) try_bytes(type, saved.data, length, 1);
  for (size_t i = 0; i < saved.length; i++)
    for (size_t m = 0; m < sizeof masks; m++) {
      saved.data[i] ^= masks[m];
      try_bytes(type, saved.data, saved.length, 0);
      saved.data[i] ^= masks[m];
    }
  ank_rng_open(&rng, 9, TEST_STREAM, 0);
  for (size_t k = 0; k < RANDOM; k++) {
    unsigned char *copy = malloc(saved.length);
    memcpy(copy, saved.data, saved.length);
    for (size_t hits = 1 + ank_rng_below(&rng, 6); hits > 0; hits--)
      copy[ank_rng_below(&rng, saved.length)] = (unsigned char)ank_rng_word(&rng);
    try_bytes(type, copy, saved.length, 0);
    free(copy);
  }
  ank_bytes_free(&saved);
  type->free(scorer);
  free(x);
}

/* Fit on x and score x and some other rows: nothing but finite scores, equal for equal rows. */
static inline void check_scores(const ank_scorer_class *type, const anorank_settings *settings,
                                const double *x, size_t n, size_t dim) {
  static const double strange[] = {0, -0.0, 1, -1e300, 1e300, 1.7e308, -1.7e308, 5e-324, 1e-300, 1e17};
  double *scores = malloc((n > 10 ? n : 10) * sizeof *scores), *rows = malloc(10 * dim * sizeof *rows);
  void *scorer = test_fit(type, x, n, dim, settings);
  test_score(scores, type, scorer, x, n, dim);
  check_finite(scores, n);
  for (size_t i = 1; i < n; i++)
    if (memcmp(x, x + i * dim, dim * sizeof *x) == 0) assert_true(scores[i] == scores[0]);
  for (size_t i = 0; i < 10; i++)
    for (size_t j = 0; j < dim; j++) rows[i * dim + j] = strange[(i + j * (i % 3)) % 10];
  test_score(scores, type, scorer, rows, 10, dim);
  check_finite(scores, 10);
  for (size_t j = 0; j < dim; j++) rows[j] = NAN; /* not allowed, yet no fault */
  test_score(scores, type, scorer, rows, 1, dim);
  type->free(scorer);
  free(scores);
  free(rows);
}

static inline void check_edges(const ank_scorer_class *type, const anorank_settings *settings) {
  static const size_t shapes[][2] = {{1, 1}, {1, 3}, {2, 1}, {2, 4}, {3, 2}, {40, 1}, {17, 300}, {64, 2}};
  static const double huge[] = {1e300, -1e300, 1.7e308, -1.7e308, 1e17, -3, 0, 1e-300, 5e-324, 2};
  double *x = NULL;
  for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
    x = test_rows(shapes[k][0], shapes[k][1], 10);
    check_scores(type, settings, x, shapes[k][0], shapes[k][1]);
    free(x);
  }
  x = test_rows(60, 4, 11);
  for (size_t i = 0; i < 60; i++) x[i * 4 + 1] = 0.1; /* a constant column */
  check_scores(type, settings, x, 60, 4);
  for (size_t i = 0; i < 60; i++) x[i * 4 + 2] = x[i * 4]; /* two equal ones */
  check_scores(type, settings, x, 60, 4);
  for (size_t i = 10; i < 60; i++) memcpy(x + i * 4, x + i % 10 * 4, 4 * sizeof *x);
  check_scores(type, settings, x, 60, 4);
  for (size_t i = 0; i < 240; i++) x[i] = 7; /* all rows equal */
  check_scores(type, settings, x, 60, 4);
  for (size_t i = 0; i < 240; i++) x[i] = huge[(i * 7 + i / 11) % 10];
  check_scores(type, settings, x, 60, 4);
  free(x);
}

/* The six above; `n` rows for what needs more than a few. */
static inline void check_class(const ank_scorer_class *type, const anorank_settings *settings, size_t n) {
  type->free(NULL);
  assert_true(type->info.uses_contrast == 0 && type->info.differentiable == 0);
  check_round_trip(type, settings, n, 5);
  check_batches(type, settings, n, 3);
  check_threads(type, settings, n, 3);
  check_allocation_failures(type, settings);
  check_damage(type, settings);
  check_edges(type, settings);
}

#endif
