/* test_pooled.c - the walk over two sorted samples sees every row once, in groups, for any chunks. */
#include "criterion/pooled.h"
#include "support/check.h"
#include "support/slow_criterion.h"

#define scoped_pooled __attribute__((cleanup(ank_pooled_free))) ank_pooled

static anorank_settings settings;

TEST(groups_gather_equal_scores_of_both_samples) {
  const double x[] = {2, -INFINITY, 0.0, 2, INFINITY}, u[] = {-0.0, 2, 3, INFINITY};
  static const ank_group expected[] = {
      {-INFINITY, 1, 0, 0, 0}, {0, 1, 1, 1, 0}, {2, 2, 1, 2, 1}, {3, 0, 1, 4, 2}, {INFINITY, 1, 1, 4, 3}};
  scoped_pooled pooled;
  ank_group group;
  size_t seen = 0;
  assert_ok(ank_pooled_make(&pooled, x, 5, "a", u, 4, "b", &settings, NULL));
  for (ank_walk walk = ank_walk_all(&pooled); ank_walk_next(&walk, &group); seen++) {
    assert_true(seen < 5);
    assert_true(group.value == expected[seen].value);
    assert_int_equal(group.x, expected[seen].x);
    assert_int_equal(group.u, expected[seen].u);
    assert_int_equal(group.x_before, expected[seen].x_before);
    assert_int_equal(group.u_before, expected[seen].u_before);
  }
  assert_int_equal(seen, 5);
}

/* The chunks' groups one after the other are the groups of the whole walk. */
static void check_chunks(size_t n, size_t m, double grid) {
  double *x = test_memory(n * sizeof *x), *u = test_memory(m * sizeof *u);
  scoped_pooled pooled;
  ank_group whole, part;
  slow_scores(x, n, 0.3, grid, 1);
  slow_scores(u, m, 0, grid, 2);
  assert_ok(ank_pooled_make(&pooled, x, n, "a", u, m, "b", &settings, NULL));
  ank_walk all = ank_walk_all(&pooled);
  for (size_t chunk = 0; chunk < ank_pooled_chunks(&pooled); chunk++)
    for (ank_walk walk = ank_walk_chunk(&pooled, chunk); ank_walk_next(&walk, &part);) {
      assert_true(ank_walk_next(&all, &whole));
      assert_memory_equal(&whole, &part, sizeof part);
    }
  assert_false(ank_walk_next(&all, &whole));
}

TEST(chunks_put_together_are_the_whole) {
  check_chunks(300000, 500000, 0);
  check_chunks(300000, 500000, 0.5); /* groups larger than a chunk */
  check_chunks(700000, 2, 0);
  check_chunks(3, 600000, 100); /* all in one group */
}

TEST(a_nan_is_named_by_row_and_sample) {
  const double good[] = {1, 2, 3}, bad[] = {1, NAN, 3};
  ank_pooled pooled;
  anorank_error err = {0};
  assert_status(ank_pooled_make(&pooled, good, 3, "normal row", bad, 3, "contrast row", &settings, &err),
                ANORANK_ERROR_DATA);
  assert_error(&err, "score-nan row=2");
  assert_null(pooled.x);
}

TEST(either_sample_may_be_empty) {
  const double u[] = {1, 1};
  scoped_pooled pooled;
  ank_group group;
  assert_ok(ank_pooled_make(&pooled, NULL, 0, "a", u, 2, "b", &settings, NULL));
  ank_walk walk = ank_walk_all(&pooled);
  assert_true(ank_walk_next(&walk, &group));
  assert_int_equal(group.u, 2);
  assert_false(ank_walk_next(&walk, &group));
}

TEST(compensated_sums_keep_digits_that_plain_sums_lose) {
  ank_sum sum = {0, 0}, other = {0, 0};
  ank_sum_add(&sum, 1);
  ank_sum_add(&sum, 1e100);
  ank_sum_add(&other, 1);
  ank_sum_add(&other, -1e100);
  ank_sum_merge(&sum, &other);
  assert_close(ank_sum_value(&sum), 2, 0);
}

static int set_up(void **state) {
  (void)state;
  ank_settings_default(&settings);
  return 0;
}

TEST_GROUP(set_up, NULL)
