/* coarse: against a scalar loop over all references, bit for bit. */
#include "kernels/distance.h"
#include "kernels/vector.h"
#include "neighbours/coarse.h"
#include "support/check.h"

static uint32_t state_of_noise = 1;

static float noise(void) {
  state_of_noise = state_of_noise * 1664525U + 1013904223U;
  return (float)(state_of_noise >> 8) / 8388608.0F - 1.0F;
}

/* Smooth values, whole numbers (many equal distances), long tails, copies of one row, one
 * column very wide. */
typedef enum { SMOOTH, GRID, WILD, COPIES, ONE_WIDE, KINDS } kind;

static float value_of(kind what, size_t column) {
  float value = noise() + noise() + noise(), below = noise();
  if (what == GRID) return (float)(int)value;
  if (what == WILD) return value / (below * below + 1e-5F);
  if (what == COPIES) return (float)column;
  return what == ONE_WIDE && column == 1 ? value * 1e5F : value;
}

typedef struct {
  size_t rows, dim, sets, count, blocks;
  float *row, *flat, *packed;
} problem;

/* Some rows are references, some nearly so, some far away. */
static problem make_problem(size_t rows, size_t dim, size_t sets, size_t count, kind what, float scale) {
  size_t blocks = (count + ANK_LANES - 1) / ANK_LANES;
  problem p = {rows, dim, sets, count, blocks, NULL, NULL, NULL};
  p.row = test_memory(rows * dim * sizeof(float));
  p.flat = test_memory(sets * count * dim * sizeof(float));
  p.packed = test_memory(sets * blocks * ANK_LANES * dim * sizeof(float));
  for (size_t i = 0; i < sets * count * dim; i++) p.flat[i] = value_of(what, i % dim) * scale;
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < dim; j++) {
      float like = p.flat[i % (sets * count) * dim + j], own = value_of(what, j) * scale;
      p.row[i * dim + j] = i % 5 == 1 ? like : i % 5 == 2 ? like + own * 1e-3F : i % 17 == 3 ? own * 9 : own;
    }
  for (size_t set = 0; set < sets; set++)
    for (size_t i = 0; i < blocks * ANK_LANES; i++)
      for (size_t j = 0; j < dim; j++)
        p.packed[((set * blocks + i / ANK_LANES) * dim + j) * ANK_LANES + i % ANK_LANES] =
            i < count ? p.flat[(set * count + i) * dim + j] : INFINITY;
  return p;
}

static float slow_nearest(const problem *p, size_t set, size_t i) {
  float least = INFINITY;
  for (size_t r = 0; r < p->count; r++) {
    float sum = 0;
    for (size_t j = 0; j < p->dim; j++) {
      float difference = p->row[i * p->dim + j] - p->flat[(set * p->count + r) * p->dim + j];
      sum = fmaf(difference, difference, sum);
    }
    least = sum < least ? sum : least;
  }
  return least;
}

static void check_problem(size_t rows, size_t dim, size_t sets, size_t count, kind what, float scale) {
  problem p = make_problem(rows, dim, sets, count, what, scale);
  float *least = test_memory(rows * sizeof *least), alone;
  ank_coarse *coarse = NULL;
  ank_coarse_rows all, one;
  assert_ok(ank_coarse_make(&coarse, p.packed, sets, p.blocks, dim, NULL));
  assert_ok(ank_coarse_rows_make(&all, coarse, rows, NULL));
  assert_ok(ank_coarse_rows_make(&one, coarse, 1, NULL));
  assert_true(ank_coarse_bytes(coarse) > sets * count * dim);
  ank_coarse_take(&all, coarse, p.row, rows);
  for (size_t set = 0; set < sets; set++) {
    ank_coarse_nearest(least, coarse, set, &all);
    for (size_t i = 0; i < rows; i++) {
      float expected = slow_nearest(&p, set, i);
      assert_memory_equal(&least[i], &expected, sizeof expected);
      if (i % 7) continue;
      ank_coarse_take(&one, coarse, p.row + i * dim, 1);
      ank_coarse_nearest(&alone, coarse, set, &one);
      assert_memory_equal(&alone, &expected, sizeof expected);
    }
  }
  ank_coarse_rows_free(&all);
  ank_coarse_rows_free(&one);
  ank_coarse_free(coarse);
}

static void check_set(const char *name) {
  static const float scales[] = {1e14F, 1e-12F, 1e-19F, 1e-22F, 1e-40F};
  if (!ank_kernels_use(name)) return;
  for (kind what = 0; what < KINDS; what++) {
    check_problem(100, 10, 4, 256, what, 1);
    check_problem(37, 7, 3, 33, what, 1);
    check_problem(20, 30, 2, 600, what, 1);
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
      check_problem(18, 6, 2, 100, what,
                    what == WILD && scales[s] > 1 ? 1e7F : scales[s] * (what == ONE_WIDE ? 1e-4F : 1));
  }
  for (size_t dim = 1; dim < 40; dim++) check_problem(9, dim, 2, 20 + dim, (kind)(dim % KINDS), 1);
  for (size_t count = 1; count < 40; count++) check_problem(5, 8, 2, count, SMOOTH, 1);
  check_problem(30, 146, 2, 100, SMOOTH, 1);
  check_problem(5, 300, 1, 20, SMOOTH, 1);
  ank_kernels_use(NULL);
}

TEST(without_fast_kernels_the_nearest_is_that_of_a_loop) { check_set("generic"); }

TEST(with_fast_kernels_the_nearest_is_that_of_a_loop) { check_set(ANK_FAST_KERNELS); }

/* Otherwise the tests above would show nothing. */
TEST(rounding_decides_smooth_values_and_gives_up_on_copies) {
  enum { ROWS = 200, SETS = 4 };
  if (!ank_kernels_use(ANK_FAST_KERNELS)) return;
  for (int copies = 0; copies < 2; copies++) {
    problem p = make_problem(ROWS, 10, SETS, 256, copies ? COPIES : SMOOTH, 1);
    ank_coarse *coarse = NULL;
    ank_coarse_rows rows;
    float least[ROWS];
    assert_ok(ank_coarse_make(&coarse, p.packed, SETS, p.blocks, 10, NULL));
    assert_ok(ank_coarse_rows_make(&rows, coarse, ROWS, NULL));
    ank_coarse_take(&rows, coarse, p.row, ROWS);
    for (size_t set = 0; set < SETS; set++) ank_coarse_nearest(least, coarse, set, &rows);
    assert_int_equal(rows.asked, copies ? ROWS : ROWS * SETS);
    assert_true(copies ? rows.opened > ROWS / 2 : rows.opened < ROWS * SETS / 10);
    ank_coarse_rows_free(&rows);
    ank_coarse_free(coarse);
  }
  ank_kernels_use(NULL);
}
