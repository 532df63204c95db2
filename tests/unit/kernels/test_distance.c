/* distance: both instruction sets against a scalar loop, bit for bit. */
#include "kernels/distance.h"
#include "kernels/vector.h"
#include "support/check.h"

static unsigned state_of_noise = 1;

static float noise(void) {
  state_of_noise = state_of_noise * 1664525U + 1013904223U;
  return (float)(state_of_noise >> 8) / 8388608.0F - 1.0F;
}

typedef struct {
  size_t rows, dim, count, blocks;
  float *row, *flat, *packed;
} problem;

static problem make_problem(size_t rows, size_t dim, size_t count, float scale) {
  problem p = {rows, dim, count, (count + ANK_LANES - 1) / ANK_LANES, NULL, NULL, NULL};
  p.row = test_memory(rows * dim * sizeof(float));
  p.flat = test_memory(count * dim * sizeof(float));
  p.packed = test_memory(p.blocks * ANK_LANES * dim * sizeof(float));
  for (size_t i = 0; i < rows * dim; i++) p.row[i] = noise() * scale;
  for (size_t i = 0; i < count * dim; i++) p.flat[i] = noise() * scale;
  memcpy(p.flat, p.row, dim * sizeof(float)); /* one exact copy */
  for (size_t i = 0; i < p.blocks * ANK_LANES; i++)
    for (size_t j = 0; j < dim; j++)
      p.packed[(i / ANK_LANES * dim + j) * ANK_LANES + i % ANK_LANES] =
          i < count ? p.flat[i * dim + j] : INFINITY;
  return p;
}

static float slow_distance(const problem *p, size_t i, size_t r) {
  float sum = 0;
  for (size_t j = 0; j < p->dim; j++) {
    float difference = p->row[i * p->dim + j] - p->flat[r * p->dim + j];
    sum = fmaf(difference, difference, sum);
  }
  return sum;
}

static float slow_nearest(const problem *p, size_t i) {
  float least = INFINITY;
  for (size_t r = 0; r < p->count; r++) {
    float distance = slow_distance(p, i, r);
    least = distance < least ? distance : least;
  }
  return least;
}

static void check_all_distances(const problem *p) {
  size_t stride = p->blocks * ANK_LANES;
  float *all = test_memory(p->rows * stride * sizeof *all);
  ank_distances(all, p->row, p->rows, p->dim, p->packed, p->blocks);
  for (size_t i = 0; i < p->rows; i++)
    for (size_t r = 0; r < stride; r++) {
      float expected = r < p->count ? slow_distance(p, i, r) : INFINITY;
      assert_memory_equal(&all[i * stride + r], &expected, sizeof expected);
    }
}

/* To references in any order, one of them twice. */
static void check_distances_to_each(const problem *p) {
  const float **references = test_memory((p->count + 1) * sizeof *references);
  double *all = test_memory((p->count + 1) * sizeof *all);
  for (size_t r = 0; r <= p->count; r++) references[r] = p->flat + (p->count - 1) * 7 * r % p->count * p->dim;
  for (size_t count = 1; count <= p->count + 1; count += count < 9 ? 1 : p->count / 3 + 1) {
    ank_distances_to_each(all, p->row, references, count, p->dim);
    for (size_t r = 0; r < count; r++) {
      double sum = 0;
      for (size_t j = 0; j < p->dim; j++) {
        double difference = (double)references[r][j] - (double)p->row[j];
        sum += difference * difference;
      }
      assert_memory_equal(&all[r], &sum, sizeof sum);
    }
  }
}

static void check_problem(const problem *p) {
  float *least = test_memory(p->rows * sizeof *least);
  ank_nearest(least, p->row, p->rows, p->dim, p->packed, p->blocks);
  for (size_t i = 0; i < p->rows; i++) {
    float expected = slow_nearest(p, i);
    assert_memory_equal(&least[i], &expected, sizeof expected);
  }
  assert_true(least[0] == 0);
}

static void check_set(const char *name) {
  static const size_t shapes[][3] = {{1, 1, 1},     {3, 2, 5},    {4, 10, 256}, {9, 7, 33},
                                     {21, 300, 50}, {5, 3, 1000}, {2, 4, 3}};
  if (!ank_kernels_use(name)) return;
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
    for (int big = 0; big < 2; big++) {
      problem p = make_problem(shapes[s][0], shapes[s][1], shapes[s][2], big ? 1e16F : 1.0F);
      check_problem(&p);
      check_all_distances(&p);
      check_distances_to_each(&p);
    }
  ank_kernels_use(NULL);
}

TEST(generic_distances_equal_a_loop_to_the_bit) { check_set("generic"); }

TEST(fast_distances_equal_a_loop_to_the_bit) { check_set(ANK_FAST_KERNELS); }
