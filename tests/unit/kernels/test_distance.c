/* distance: both instruction sets against a scalar loop, bit for bit. */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/distance.h"
#include "kernels/vector.h"

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
  p.row = malloc(rows * dim * sizeof(float));
  p.flat = malloc(count * dim * sizeof(float));
  p.packed = malloc(p.blocks * ANK_LANES * dim * sizeof(float));
  for (size_t i = 0; i < rows * dim; i++) p.row[i] = noise() * scale;
  for (size_t i = 0; i < count * dim; i++) p.flat[i] = noise() * scale;
  memcpy(p.flat, p.row, dim * sizeof(float)); /* one exact copy */
  for (size_t i = 0; i < p.blocks * ANK_LANES; i++)
    for (size_t j = 0; j < dim; j++)
      p.packed[(i / ANK_LANES * dim + j) * ANK_LANES + i % ANK_LANES] =
          i < count ? p.flat[i * dim + j] : INFINITY;
  return p;
}

static void free_problem(problem *p) {
  free(p->row);
  free(p->flat);
  free(p->packed);
}

static int by_value(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* All squared distances of a row, ascending. */
static float *sorted_distances(const problem *p, size_t i) {
  float *all = malloc(p->count * sizeof *all);
  for (size_t r = 0; r < p->count; r++) {
    all[r] = 0;
    for (size_t j = 0; j < p->dim; j++) {
      float difference = p->row[i * p->dim + j] - p->flat[r * p->dim + j];
      all[r] = fmaf(difference, difference, all[r]);
    }
  }
  qsort(all, p->count, sizeof *all, by_value);
  return all;
}

static void check_problem(const problem *p, size_t k) {
  float *least = malloc(p->rows * sizeof *least), *heaps = malloc(p->rows * k * sizeof *heaps);
  size_t half = p->blocks / 2;
  ank_nearest(least, p->row, p->rows, p->dim, p->packed, p->blocks);
  for (size_t i = 0; i < p->rows * k; i++) heaps[i] = INFINITY;
  ank_smallest(heaps, k, p->row, p->rows, p->dim, p->packed, half); /* in two parts */
  ank_smallest(heaps, k, p->row, p->rows, p->dim, p->packed + half * p->dim * ANK_LANES, p->blocks - half);
  for (size_t i = 0; i < p->rows; i++) {
    float *all = sorted_distances(p, i), *heap = heaps + i * k, top = heap[0];
    assert_memory_equal(&least[i], &all[0], sizeof(float));
    if (k <= p->count) assert_memory_equal(&top, &all[k - 1], sizeof(float));
    qsort(heap, k, sizeof *heap, by_value);
    for (size_t r = 0; r < k; r++) assert_true(r < p->count ? heap[r] == all[r] : heap[r] == INFINITY);
    free(all);
  }
  assert_true(least[0] == 0);
  free(least);
  free(heaps);
}

static void check_set(const char *name) {
  static const size_t shapes[][4] = {{1, 1, 1, 1},     {3, 2, 5, 2},      {4, 10, 256, 5}, {9, 7, 33, 33},
                                     {21, 300, 50, 4}, {5, 3, 1000, 200}, {2, 4, 3, 6}};
  if (!ank_kernels_use(name)) return;
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
    for (int big = 0; big < 2; big++) {
      problem p = make_problem(shapes[s][0], shapes[s][1], shapes[s][2], big ? 1e16F : 1.0F);
      check_problem(&p, shapes[s][3]);
      free_problem(&p);
    }
  ank_kernels_use(NULL);
}

static void generic_distances_equal_a_loop_to_the_bit(void **state) {
  (void)state;
  check_set("generic");
}

static void avx2_distances_equal_a_loop_to_the_bit(void **state) {
  (void)state;
  check_set("avx2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(generic_distances_equal_a_loop_to_the_bit),
      cmocka_unit_test(avx2_distances_equal_a_loop_to_the_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
