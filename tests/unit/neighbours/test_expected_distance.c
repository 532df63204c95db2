/* expected_distance: against all possible subsets, one by one. */
#include "kernels/vector.h"
#include "neighbours/expected_distance.h"
#include "support/check.h"

static anorank_error err;

enum { DIM = 3, REFERENCES = 9, ROWS = 6 };

static const uint32_t all[REFERENCES] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

static double between(const float *a, const float *b) {
  double sum = 0;
  for (size_t j = 0; j < DIM; j++) sum += ((double)a[j] - (double)b[j]) * ((double)a[j] - (double)b[j]);
  return sqrt(sum);
}

/* The mean over the subsets of `size` references that hold another row than copies of this one. */
static double slow(const float *row, const float *references, size_t size, int logs) {
  double sum = 0, subsets = 0;
  for (unsigned set = 0; set < 1U << REFERENCES; set++) {
    double least = INFINITY;
    size_t members = 0;
    for (size_t r = 0; r < REFERENCES; r++) {
      if (!(set >> r & 1U)) continue;
      double distance = between(row, references + r * DIM);
      members++;
      if (distance > 0 && distance < least) least = distance;
    }
    if (members != size || !(least < INFINITY)) continue;
    sum += logs ? log(least + 1e-3) : least;
    subsets++;
  }
  return sum / subsets;
}

static void fill(float *values, size_t count, double scale) {
  unsigned state = 7;
  for (size_t i = 0; i < count; i++) {
    state = state * 1664525U + 1013904223U;
    values[i] = (float)(scale * ((double)(state >> 8) / 8388608.0 - 1));
  }
}

static void check_against_all_subsets(const char *set, double scale) {
  float references[REFERENCES * DIM], rows[ROWS * DIM];
  double values[ROWS];
  if (!ank_kernels_use(set)) return;
  fill(references, REFERENCES * DIM, scale);
  fill(rows, ROWS * DIM, 3 * scale);
  for (size_t j = 0; j < DIM; j++) /* row 0 is a reference, and row 1 has two copies */
    rows[j] = references[j], references[2 * DIM + j] = references[DIM + j] = rows[DIM + j];
  for (size_t size = 1; size <= REFERENCES; size++)
    for (int logs = 0; logs < 2; logs++) {
      ank_expected_distance expected;
      assert_ok(ank_expected_distance_make(&expected, references, DIM, all, REFERENCES, size, logs, &err));
      assert_ok(ank_expected_distance_values(values, &expected, rows, ROWS, &err));
      for (size_t i = 0; i < ROWS; i++) {
        double truth = slow(rows + i * DIM, references, size, logs);
        assert_true(fabs(values[i] - truth) <= (logs ? 0.0079 : 0.0079 * truth));
      }
      ank_expected_distance_free(&expected);
    }
  ank_kernels_use(NULL);
}

TEST(means_are_those_over_all_subsets) {
  check_against_all_subsets("generic", 1);
  check_against_all_subsets(ANK_FAST_KERNELS, 1);
  check_against_all_subsets(ANK_FAST_KERNELS, 1e6);
}

TEST(copies_alone_are_at_no_distance) {
  static const float rows[2 * DIM] = {1, 2, 3, 1, 2, 3};
  ank_expected_distance expected;
  double value;
  for (int logs = 0; logs < 2; logs++) {
    assert_ok(ank_expected_distance_make(&expected, rows, DIM, all, 2, 8, logs, &err));
    assert_ok(ank_expected_distance_values(&value, &expected, rows, 1, &err));
    assert_true(value == (logs ? log(1e-3) : 0));
    ank_expected_distance_free(&expected);
  }
}

/* Return how many are asked at once, and which of the references come first, is all the same. */
TEST(values_are_of_the_row_alone) {
  enum { MANY = 300 };
  float *references = test_memory(MANY * DIM * sizeof *references);
  uint32_t order[MANY];
  double together[MANY], alone, turned[MANY];
  ank_expected_distance expected;
  fill(references, MANY * DIM, 1);
  for (uint32_t i = 0; i < MANY; i++) order[i] = MANY - 1 - i;
  assert_ok(ank_expected_distance_make(&expected, references, DIM, order, MANY, 64, 1, &err));
  assert_ok(ank_expected_distance_values(turned, &expected, references, MANY, &err));
  ank_expected_distance_free(&expected);
  for (uint32_t i = 0; i < MANY; i++) order[i] = i;
  assert_ok(ank_expected_distance_make(&expected, references, DIM, order, MANY, 64, 1, &err));
  assert_ok(ank_expected_distance_values(together, &expected, references, MANY, &err));
  for (size_t i = 0; i < MANY; i++) {
    assert_ok(ank_expected_distance_values(&alone, &expected, references + i * DIM, 1, &err));
    assert_true(alone == together[i] && turned[i] == together[i]);
  }
  ank_expected_distance_free(&expected);
}
