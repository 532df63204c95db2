/* test_sort.c - radix sorting against a slow obvious version: qsort of (value, row) pairs. */
#include "core/alloc.h"
#include "kernels/sort.h"
#include "support/check.h"

/* ---- the slow version -------------------------------------------------------------------------------- */

typedef struct {
  double value;
  size_t row;
} item;

/* NaN after everything, and equal to itself. */
static int compare_values(double a, double b) {
  if (isnan(a) || isnan(b)) return (isnan(a) != 0) - (isnan(b) != 0);
  return (a > b) - (a < b);
}

static int compare_items(const void *left, const void *right) {
  const item *a = left, *b = right;
  int by_value = compare_values(a->value, b->value);
  return by_value ? by_value : (a->row > b->row) - (a->row < b->row);
}

static item *slow_sort(const double *values, size_t n) {
  item *items = test_memory((n + 1) * sizeof *items);
  assert_non_null(items);
  for (size_t i = 0; i < n; i++) items[i] = (item){values[i], i};
  qsort(items, n, sizeof *items, compare_items);
  return items;
}

static double *slow_ranks(const item *items, size_t n, anorank_ties ties) {
  double *ranks = test_memory((n + 1) * sizeof *ranks);
  assert_non_null(ranks);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && compare_values(items[i].value, items[end].value) == 0;) end++;
    for (size_t k = i; k < end; k++)
      ranks[items[k].row] = ties == ANORANK_TIES_MAX ? (double)end : ((double)i + 1 + (double)end) / 2;
  }
  return ranks;
}

/* ---- shapes of data ---------------------------------------------------------------------------------- */

static uint64_t state;

static uint64_t word(void) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static double uniform(void) { return (double)(word() >> 11) * 0x1p-53; }

static double from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double shape_uniform(size_t i, size_t n) { return (void)i, (void)n, uniform(); }
static double shape_bell(size_t i, size_t n) {
  (void)i, (void)n;
  return sqrt(-2 * log(uniform() + 0x1p-60)) * cos(6.2831853 * uniform());
}
static double shape_equal(size_t i, size_t n) { return (void)i, (void)n, -2.5; }
static double shape_two(size_t i, size_t n) { return (void)i, (void)n, word() & 1 ? 0.1 : -0.3; }
static double shape_sorted(size_t i, size_t n) { return (void)n, (double)i / 3; }
static double shape_reversed(size_t i, size_t n) { return (double)(n - i) / 7; }
static double shape_few(size_t i, size_t n) { return (void)i, (void)n, floor(uniform() * 50) / 10 - 2; }
static double shape_bits(size_t i, size_t n) { return (void)i, (void)n, from_bits(word()); }
static double shape_denormal(size_t i, size_t n) {
  (void)i, (void)n;
  return from_bits((word() & 0x800000000000ffff) | (word() & 1) << 40);
}
static double shape_special(size_t i, size_t n) {
  (void)i, (void)n;
  static const double some[] = {NAN, -NAN, INFINITY, -INFINITY, 0.0, -0.0, 1, -1, 5e-324, -5e-324, 1e308};
  return some[word() % 11];
}
/* Values that agree in all but the last bits, next to one far away. */
static double shape_cluster(size_t i, size_t n) {
  return i == n / 2 ? -1e300 : from_bits(0x3ff0000000000000 + word() % 5000);
}
static double shape_clusters(size_t i, size_t n) {
  (void)i, (void)n;
  return from_bits((word() % 7 << 60) + (word() % 3 << 33) + (word() & 0x1ff));
}
static double shape_skewed(size_t i, size_t n) {
  return (void)i, (void)n, uniform() < 0.95 ? 0.125 : exp(-600 * uniform());
}
static double shape_heavy(size_t i, size_t n) {
  return (void)i, (void)n, pow(uniform(), -30) * (word() & 1 ? 1 : -1);
}
static double shape_saw(size_t i, size_t n) { return (void)n, (double)(i % 1000) * 0.1; }

static const struct {
  const char *name;
  double (*draw)(size_t i, size_t n);
} shapes[] = {
    {"uniform", shape_uniform}, {"bell", shape_bell},       {"equal", shape_equal},
    {"two", shape_two},         {"sorted", shape_sorted},   {"reversed", shape_reversed},
    {"few", shape_few},         {"bits", shape_bits},       {"denormal", shape_denormal},
    {"special", shape_special}, {"cluster", shape_cluster}, {"clusters", shape_clusters},
    {"skewed", shape_skewed},   {"heavy", shape_heavy},     {"saw", shape_saw},
};
#define SHAPES (sizeof shapes / sizeof *shapes)

static double *draw(size_t shape, size_t n) {
  double *values = test_memory((n + 1) * sizeof *values);
  assert_non_null(values);
  state = shape * 1000003 + n;
  for (size_t i = 0; i < n; i++) values[i] = shapes[shape].draw(i, n);
  return values;
}

/* ---- comparisons ------------------------------------------------------------------------------------- */

static anorank_settings with_threads(int threads) {
  anorank_settings settings = test_settings();
  settings.threads = threads;
  return settings;
}

static void report(size_t shape, size_t n, int threads, const char *what, size_t at) {
  print_error("%s of %zu values, shape %s, %d threads: wrong at %zu\n", what, n, shapes[shape].name, threads,
              at);
  fail();
}

static void compare_with_slow(size_t shape, size_t n, int threads, const double *values, const item *items,
                              double *const slow[2]) {
  anorank_settings settings = with_threads(threads);
  double *out = test_memory((n + 1) * sizeof *out);
  uint32_t *order = test_memory((n + 1) * sizeof *order);
  assert_true(out && order);
  memcpy(out, values, n * sizeof *out);
  assert_ok(ank_sort(out, n, &settings, NULL));
  for (size_t i = 0; i < n; i++) {
    double expected = items[i].value + 0.0;
    if (isnan(expected) ? !isnan(out[i]) : memcmp(&out[i], &expected, sizeof expected) != 0)
      report(shape, n, threads, "sort", i);
  }
  assert_ok(ank_argsort(order, values, n, &settings, NULL));
  for (size_t i = 0; i < n; i++)
    if (order[i] != items[i].row) report(shape, n, threads, "argsort", i);
  for (int ties = 0; ties < 2; ties++) {
    assert_ok(ank_rank(out, values, n, (anorank_ties)ties, &settings, NULL));
    for (size_t i = 0; i < n; i++)
      if (!(out[i] == slow[ties][i])) report(shape, n, threads, ties ? "largest rank" : "mid rank", i);
  }
}

static void compare_sizes(const size_t *sizes, size_t count) {
  for (size_t shape = 0; shape < SHAPES; shape++)
    for (size_t s = 0; s < count; s++) {
      size_t n = sizes[s];
      double *values = draw(shape, n);
      item *items = slow_sort(values, n);
      double *slow[2] = {slow_ranks(items, n, ANORANK_TIES_MID), slow_ranks(items, n, ANORANK_TIES_MAX)};
      static const int threads[] = {1, 2, 8};
      for (size_t t = 0; t < (n < 1000 ? 1 : 3); t++)
        compare_with_slow(shape, n, threads[t], values, items, slow);
    }
}

TEST(small_arrays_of_every_shape_sort_as_the_slow_version) {
  size_t sizes[70];
  for (size_t n = 0; n < 70; n++) sizes[n] = n;
  compare_sizes(sizes, 70);
}

TEST(larger_arrays_of_every_shape_sort_as_the_slow_version) {
  static const size_t sizes[] = {100, 255, 1000, 4097, 30000};
  compare_sizes(sizes, sizeof sizes / sizeof *sizes);
}

/* Large enough for several chunks, many buckets and buckets that are sorted by all threads. */
TEST(large_arrays_of_some_shapes_sort_as_the_slow_version) {
  static const size_t some[] = {1, 6, 10, 12};
  const size_t n = 400000;
  for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
    double *values = draw(some[k], n);
    item *items = slow_sort(values, n);
    double *slow[2] = {slow_ranks(items, n, ANORANK_TIES_MID), slow_ranks(items, n, ANORANK_TIES_MAX)};
    compare_with_slow(some[k], n, 1, values, items, slow);
    compare_with_slow(some[k], n, 8, values, items, slow);
  }
}

TEST(results_do_not_depend_on_the_number_of_threads) {
  const size_t n = 300000;
  for (size_t shape = 0; shape < SHAPES; shape += 2) {
    double *values = draw(shape, n),
           *out[2] = {test_memory(n * sizeof(double)), test_memory(n * sizeof(double))};
    assert_true(out[0] && out[1]);
    for (int threads = 1; threads <= 8; threads *= 2) {
      anorank_settings settings = with_threads(threads);
      assert_ok(ank_rank(out[threads > 1], values, n, ANORANK_TIES_MID, &settings, NULL));
      assert_memory_equal(out[0], out[threads > 1], n * sizeof(double));
    }
  }
}

TEST(negative_zero_becomes_positive) {
  double values[] = {0.0, -0.0, -0.0};
  assert_ok(ank_sort(values, 3, NULL, NULL));
  for (int i = 0; i < 3; i++) assert_false(signbit(values[i]));
}

TEST(midranks_of_equal_values_are_all_their_mean) {
  const double values[] = {3, 1, 3, -0.0, 0.0, NAN, -NAN};
  const double mid[] = {4.5, 3, 4.5, 1.5, 1.5, 6.5, 6.5}, most[] = {5, 3, 5, 2, 2, 7, 7};
  double ranks[7];
  assert_ok(ank_rank(ranks, values, 7, ANORANK_TIES_MID, NULL, NULL));
  for (int i = 0; i < 7; i++) assert_close(ranks[i], mid[i], 0);
  assert_ok(ank_rank(ranks, values, 7, ANORANK_TIES_MAX, NULL, NULL));
  for (int i = 0; i < 7; i++) assert_close(ranks[i], most[i], 0);
}

TEST(too_many_rows_are_refused_before_anything_is_read) {
  anorank_error err = {.message = ""};
  double value = 1;
  uint32_t order = 7;
  if (sizeof(size_t) < 8) skip();
  size_t n = (size_t)UINT32_MAX + 1;
  assert_fails(ank_argsort(&order, &value, n, NULL, &err), ANORANK_ERROR_USAGE, "scores-too-many");
  assert_status(ank_rank(&value, &value, n, ANORANK_TIES_MID, NULL, NULL), ANORANK_ERROR_USAGE);
  assert_int_equal(order, 7);
}

TEST(memory_that_cannot_be_had_is_a_clean_error) {
  const size_t n = 300000, shape = 10; /* a cluster: takes the longest way */
  anorank_settings settings = with_threads(2);
  double *values = draw(shape, n), *out = test_memory(n * sizeof *out);
  uint32_t *order = test_memory(n * sizeof *order);
  assert_true(out && order);
  for (int what = 0; what < 3; what++) {
    size_t failures = 0;
    for (size_t k = 1;; k++) {
      anorank_error err = {.message = ""};
      memcpy(out, values, n * sizeof *out);
      ank_alloc_fail_at(k);
      anorank_status status = what == 0   ? ank_sort(out, n, &settings, &err)
                              : what == 1 ? ank_argsort(order, values, n, &settings, &err)
                                          : ank_rank(out, values, n, ANORANK_TIES_MID, &settings, &err);
      ank_alloc_fail_at(0);
      if (status == ANORANK_OK) break;
      assert_int_equal(status, ANORANK_ERROR_RESOURCES);
      assert_error(&err, "memory-exhausted");
      failures++;
      if (what != 0) continue;
      /* A failed sort loses no value: */
      double before = 0, after = 0;
      for (size_t i = 0; i < n; i++) before += values[i] > 0, after += out[i] > 0;
      assert_close(after, before, 0);
    }
    assert_true(failures >= 3);
  }
}

/* Two large clusters inside one: the second fails after the first was moved about. */
TEST(a_sort_that_fails_half_way_loses_no_value) {
  const size_t n = 560000;
  anorank_settings settings = with_threads(2);
  double *values = test_memory(n * sizeof *values), *out = test_memory(n * sizeof *out);
  assert_true(values && out);
  for (size_t i = 0; i < n; i++)
    values[i] = 1 + (double)(i & 1) * 0x1p-20 + (double)(word() % 5000) * 0x1p-52;
  values[0] = -1e300;
  for (size_t k = 1, ok = 0; !ok; k++) {
    memcpy(out, values, n * sizeof *out);
    ank_alloc_fail_at(k);
    ok = ank_sort(out, n, &settings, NULL) == ANORANK_OK;
    ank_alloc_fail_at(0);
    uint64_t before = 0, after = 0, bits;
    for (size_t i = 0; i < n; i++) {
      memcpy(&bits, &values[i], sizeof bits);
      before += bits * bits;
      memcpy(&bits, &out[i], sizeof bits);
      after += bits * bits;
    }
    assert_true(before == after);
  }
}
