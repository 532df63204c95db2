/* test_row_draw.c - the draw of rows by keys, against sorting all keys. */
#include "core/alloc.h"
#include "core/rng.h"
#include "sampling/row_draw.h"
#include "support/models.h"

static int by_size(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return left < right ? -1 : left > right;
}

TEST(kth_word_is_that_of_the_sorted_words) {
  for (size_t n = 1; n < 200; n++) {
    uint64_t words[200], sorted[200];
    ank_rng rng;
    ank_rng_open(&rng, n, 99, 0);
    for (size_t i = 0; i < n; i++)
      sorted[i] = ank_rng_below(&rng, n % 3 == 0 ? 1 : n % 3 == 1 ? 5 : UINT64_MAX);
    size_t k = n * 7 % n, other = n / 2;
    memcpy(words, sorted, sizeof words);
    uint64_t first = ank_draw_kth(words, n, k), second = ank_draw_kth(words, n, other),
             last = ank_draw_kth(words, n, n - 1);
    qsort(sorted, n, sizeof *sorted, by_size);
    assert_true(first == sorted[k] && second == sorted[other] && last == sorted[n - 1]);
  }
}

TEST(keys_do_not_depend_on_where_a_block_begins) {
  uint64_t all[100], some[100];
  ank_draw_keys(all, 3, 0, 100);
  for (size_t first = 0; first < 20; first++) {
    ank_draw_keys(some, 3, first, 100 - first);
    assert_memory_equal(some, all + first, (100 - first) * sizeof *all);
  }
}

TEST(smallest_keys_are_those_of_the_sorted_keys) {
  enum { ROWS = 10000 };
  static uint64_t keys[ROWS], sorted[ROWS];
  static const size_t counts[] = {0, 1, 2, 999, 5000, 9999, ROWS};
  ank_draw_keys(keys, 11, 0, ROWS);
  memcpy(sorted, keys, sizeof sorted);
  qsort(sorted, ROWS, sizeof *sorted, by_size);
  for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
    size_t *drawn, used = 0;
    assert_ok(ank_draw_smallest(&drawn, counts[c], ROWS, 11, NULL));
    for (size_t i = 0; i < ROWS && counts[c] > 0; i++)
      if (keys[i] <= sorted[counts[c] - 1]) assert_int_equal(drawn[used++], i);
    assert_int_equal(used, counts[c]);
    ank_free(drawn);
  }
}

/* Each row as often as any other: the number of draws among 400 seeds is binomial. */
TEST(every_row_is_drawn_as_often) {
  enum { ROWS = 50, SEEDS = 2000 };
  size_t times[ROWS] = {0};
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    size_t *drawn;
    assert_ok(ank_draw_smallest(&drawn, 10, ROWS, seed, NULL));
    for (size_t k = 0; k < 10; k++) times[drawn[k]]++;
    ank_free(drawn);
  }
  for (size_t i = 0; i < ROWS; i++) assert_close((double)times[i], SEEDS / 5.0, 5 * 18); /* sd 17.9 */
}

TEST(more_memory_draws_more_rows_within_bounds) {
  scoped_table *table = model_table(10, 0, 1);
  assert_int_equal(ank_draw_most(table, 0), ANK_FEWEST_DRAWN);
  assert_int_equal(ank_draw_most(table, SIZE_MAX), ANK_MOST_DRAWN);
  /* a, b, c: 8 bytes; name, kind: 32; key and number: 16; a quarter of the memory */
  assert_int_equal(ank_draw_most(table, 4 * 104 * 5000), 5000);
}
