/* test_row_sorter.c - rows sorted in many runs on disk equal those of a plain sort, any number of times. */
#include "core/alloc.h"
#include "sampling/row_sorter.h"
#include "support/models.h"

enum { ROWS = 40000 };

typedef struct expected {
  double score;
  size_t number;
} expected;

static int in_order(const void *a, const void *b) {
  const expected *left = a, *right = b;
  if (left->score != right->score) return left->score < right->score ? -1 : 1;
  return left->number < right->number ? -1 : left->number > right->number;
}

TEST(rows_of_many_runs_come_in_order) {
  anorank_table *table = model_table(ROWS, 3, 1), *part;
  expected *sorted = test_memory(ROWS * sizeof *sorted);
  ank_row_sorter *sorter;
  ank_sorted_row *rows;
  assert_ok(ank_row_sorter_new(&sorter, table, 1, NULL)); /* the least memory: dozens of runs */
  for (size_t i = 0; i < ROWS; i++) {
    sorted[i] = (expected){(double)(i * 7919 % 1009), i}; /* ties */
    assert_ok(ank_row_sorter_put(sorter, table, i, sorted[i].score, i, NULL));
  }
  qsort(sorted, ROWS, sizeof *sorted, in_order);
  for (size_t most = 7777; most <= ROWS; most += ROWS - 7777) {
    size_t at = 0;
    assert_ok(ank_row_sorter_rewind(sorter, NULL));
    for (;;) {
      assert_ok(ank_row_sorter_next(&part, &rows, sorter, most, NULL));
      if (!part) break;
      for (size_t i = 0; i < part->rows; i++, at++) {
        assert_int_equal(rows[i].number, sorted[at].number);
        assert_true(rows[i].score == sorted[at].score);
        assert_true(anorank_table_numbers(part, 1)[i] == anorank_table_numbers(table, 1)[rows[i].number]);
      }
      anorank_table_free(part);
      ank_free(rows);
    }
    assert_int_equal(at, ROWS);
  }
  ank_row_sorter_free(sorter);
  anorank_table_free(table);
}
