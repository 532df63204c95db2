/* stream_kit.h - for the tests of streams: blocks of a table. */
#ifndef TEST_STREAM_KIT_H
#define TEST_STREAM_KIT_H

#include "model/row_subset.h"
#include "stream/stream.h"
#include "support/models.h"

/* Rows from .. to - 1 as a block, with separate levels. */
static inline anorank_table *cut(const anorank_table *table, size_t from, size_t to) {
  anorank_table *block;
  size_t *rows = test_memory((to - from + 1) * sizeof *rows);
  for (size_t i = from; i < to; i++) rows[i - from] = i;
  assert_ok(ank_copy_rows(&block, table, rows, to - from, NULL, NULL));
  return block;
}

#endif
