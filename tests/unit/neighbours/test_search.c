/* search: against computing and sorting all distances, bit for bit. */
#include "kernels/vector.h"
#include "neighbours/search.h"
#include "support/check.h"

static uint32_t state_of_noise = 1;

static float noise(void) {
  state_of_noise = state_of_noise * 1664525U + 1013904223U;
  return (float)(state_of_noise >> 8) / 8388608.0F - 1.0F;
}

/* Heavy tails, as sums and quotients of uniform numbers have. */
static float wild(void) {
  float below = noise();
  return noise() / (below * below + 1e-6F);
}

typedef enum { SMOOTH, WILD, GRID, CLUSTERS, COPIES, ONE_COLUMN_WIDE, FAR_CLUMPS, SCALES, KINDS } kind;

/* `scale` times values of the kind; every third column is constant where `constants`. */
static float *rows_of(size_t count, size_t dim, kind what, float scale, int constants) {
  float *rows = test_memory((count * dim + 1) * sizeof *rows);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < dim; j++) {
      float value = noise() + noise();
      if (what == WILD) value = wild();
      if (what == GRID) value = (float)(int)(noise() * 3);
      if (what == CLUSTERS) value = (float)((i * 7 + j * j) % 5) * 10 + value * 0.01F;
      if (what == COPIES) value = (float)(i % 3 == 0 ? i % 7 : 1) + (float)j;
      if (what == ONE_COLUMN_WIDE && j == 0) value *= 1e4F;
      if (what == FAR_CLUMPS) value = value * (float)(1 + i % 3 * 40) + (float)((i % 3 * 5 + j) % 4) * 1000;
      if (what == SCALES) value *= expf((float)(i % 17) - 8);
      rows[i * dim + j] = constants && j % 3 == 1 ? scale : value * scale;
    }
  return rows;
}

typedef struct {
  float distance;
  uint32_t place;
} found;

static int by_distance_and_place(const void *a, const void *b) {
  const found *x = a, *y = b;
  if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

static void all_sorted(found *all, const float *row, const float *references, size_t count, size_t dim) {
  for (size_t r = 0; r < count; r++) {
    float sum = 0;
    for (size_t j = 0; j < dim; j++) {
      float difference = row[j] - references[r * dim + j];
      sum = fmaf(difference, difference, sum);
    }
    all[r] = (found){sum, (uint32_t)r};
  }
  qsort(all, count, sizeof *all, by_distance_and_place);
}

/* Queries are new rows, some of them references, one far away. */
static float *queries_of(const float *references, size_t count, size_t dim, size_t number, kind what,
                         float scale, int constants) {
  float *rows = rows_of(number, dim, what, scale, constants);
  for (size_t i = 0; i < number; i += 4)
    memcpy(rows + i * dim, references + (i * 37 % count) * dim, dim * sizeof *rows);
  for (size_t j = 0; j < dim && number > 1; j++) rows[dim + j] = 30 * scale;
  return rows;
}

static void check_rows(const ank_search *search, const float *references, size_t count, size_t dim,
                       const float *rows, size_t number, const size_t *ks, size_t k_count) {
  found *all = test_memory(number * count * sizeof *all);
  for (size_t i = 0; i < number; i++) all_sorted(all + i * count, rows + i * dim, references, count, dim);
  for (size_t c = 0; c < k_count; c++) {
    size_t k = ks[c] < count ? ks[c] : count;
    uint32_t *place = test_memory(number * k * sizeof *place), *alone = test_memory(k * sizeof *alone);
    float *squared = test_memory(number * k * sizeof *squared), *lonely = test_memory(k * sizeof *lonely);
    assert_ok(ank_search_nearest(place, squared, k, search, rows, number, NULL));
    for (size_t i = 0; i < number; i++)
      for (size_t j = 0; j < k; j++) {
        assert_int_equal(place[i * k + j], all[i * count + j].place);
        assert_memory_equal(&squared[i * k + j], &all[i * count + j].distance, sizeof(float));
      }
    for (size_t i = 0; i < number; i += 5) {
      assert_ok(ank_search_nearest(alone, lonely, k, search, rows + i * dim, 1, NULL));
      assert_memory_equal(alone, place + i * k, k * sizeof *alone);
      assert_memory_equal(lonely, squared + i * k, k * sizeof *lonely);
    }
  }
}

static void check_problem(size_t count, size_t dim, kind what, float scale, int constants, size_t number) {
  const size_t ks[] = {1, 2, 10, 33, 60, 400, count};
  ank_search *search = NULL;
  float *references = rows_of(count, dim, what, scale, constants);
  float *rows = queries_of(references, count, dim, number, what, scale, constants);
  assert_ok(ank_search_make(&search, references, count, dim, NULL));
  for (size_t i = 0; i < count; i++)
    assert_memory_equal(ank_search_row(search, i), references + i * dim, dim * sizeof *references);
  check_rows(search, references, count, dim, rows, number, ks, sizeof ks / sizeof *ks);
  ank_search_free(search);
}

/* Every kind at a few sizes, then every number of columns. */
static void check_set(const char *name) {
  static const float scales[] = {1, 1e15F, 1e-12F, 1e-19F, 1e-22F, 1e-40F};
  if (!ank_kernels_use(name)) return;
  for (kind what = 0; what < KINDS; what++) {
    check_problem(700, 3, what, 1, 0, 70);
    check_problem(1100, 10, what, 1, 1, 70);
    check_problem(300, 60, what, 1, 0, 20);
    for (size_t s = 1; s < sizeof scales / sizeof *scales; s++)
      check_problem(290, 5, what,
                    scales[s] * ((what == WILD || what == ONE_COLUMN_WIDE) && scales[s] > 1 ? 1e-6F : 1), 0,
                    13);
  }
  for (size_t dim = 1; dim <= 70; dim++) check_problem(150 + dim, dim, (kind)(dim % KINDS), 1, dim % 2, 9);
  for (size_t count = 1; count <= 20; count++) check_problem(count, 2, SMOOTH, 1, 0, 5);
  for (size_t count = 126; count <= 130; count++) check_problem(count, 4, GRID, 1, 0, 5);
  check_problem(260, 150, SMOOTH, 1, 0, 9);
  ank_kernels_use(NULL);
}

TEST(generic_search_equals_sorting_all_distances) { check_set("generic"); }

TEST(fast_search_equals_sorting_all_distances) { check_set(ANK_FAST_KERNELS); }

TEST(many_references_are_searched_exactly) {
  check_problem(6000, 10, SMOOTH, 1, 0, 70);
  check_problem(6000, 10, WILD, 1, 0, 70);
  check_problem(6000, 10, FAR_CLUMPS, 1, 0, 70);
  check_problem(6000, 10, SCALES, 1, 0, 70);
  check_problem(4000, 30, CLUSTERS, 1, 0, 20);
  check_problem(900, 1030, SMOOTH, 1, 0, 9); /* so many columns have no codes */
}

/* All references are equal: places decide. */
TEST(equal_distances_go_by_place) {
  enum { COUNT = 1000, K = 40 };
  float rows[COUNT], query = 3, squared[K];
  uint32_t place[K];
  ank_search *search = NULL;
  for (size_t i = 0; i < COUNT; i++) rows[i] = 2;
  assert_ok(ank_search_make(&search, rows, COUNT, 1, NULL));
  assert_ok(ank_search_nearest(place, squared, K, search, &query, 1, NULL));
  for (size_t i = 0; i < K; i++) assert_true(place[i] == i && squared[i] == 1);
  assert_true(ank_search_bytes(search) > COUNT * sizeof(float));
  ank_search_free(search);
}

TEST(a_row_with_a_nan_is_near_nothing) {
  enum { COUNT = 1000, K = 33 };
  float *rows = rows_of(COUNT, 2, SMOOTH, 1, 0), query[] = {0, NAN}, squared[K];
  uint32_t place[K];
  ank_search *search = NULL;
  assert_ok(ank_search_make(&search, rows, COUNT, 2, NULL));
  assert_ok(ank_search_nearest(place, squared, K, search, query, 1, NULL));
  for (size_t i = 0; i < K; i++) assert_true(place[i] == 0 && squared[i] == INFINITY);
  ank_search_free(search);
}
