/* Which rows are left out together: stretches of each entity, with a gap. */
#include "model/left_out_blocks.h"

#include <math.h>
#include <stdlib.h>

#include "core/rng.h"
#include "core/settings.h"
#include "support/check.h"

enum { ROWS = 400 };

/* A walk, or noise, in two columns. */
static anorank_table *make(int walks) {
  static const char *const names[] = {"a", "b"};
  double cells[ROWS * 2], walk = 0;
  anorank_table *table;
  ank_rng rng;
  ank_rng_open(&rng, 3, 77, 0);
  for (size_t i = 0; i < ROWS; i++) {
    walk = (walks ? 0.9 * walk : 0) + ank_rng_normal(&rng);
    cells[2 * i] = walk;
    cells[2 * i + 1] = ank_rng_normal(&rng);
  }
  assert_ok(anorank_table_from_matrix(&table, cells, ROWS, 2, 2, 1, names, NULL));
  return table;
}

static void plan(ank_blocks *blocks, const anorank_table *table, const char *exclusion) {
  anorank_settings settings = *ank_settings_or_default(NULL);
  settings.exclusion = exclusion;
  assert_ok(ank_blocks_plan(blocks, table, NULL, &settings, NULL));
}

/* By all pairs: a row is hidden from the parts of rows at most `gap` before or after it. */
static void check_hidden(const ank_blocks *blocks, size_t gap) {
  for (size_t i = 0; i < ROWS; i++) {
    uint32_t hidden = 0;
    for (size_t j = 0; j < ROWS; j++)
      if ((i > j ? i - j : j - i) <= gap) hidden |= (uint32_t)1 << blocks->part[j];
    assert_int_equal(blocks->hidden[i], hidden);
  }
}

TEST(parts_are_stretches_and_rows_near_them_are_hidden) {
  anorank_table *table = make(1);
  static const size_t gaps[] = {1, 7, 60, 100};
  for (size_t g = 0; g < 4; g++) {
    char text[16];
    ank_blocks blocks;
    snprintf(text, sizeof text, "%zu", gaps[g]);
    plan(&blocks, table, text);
    assert_close(blocks.gap, (double)gaps[g], 0);
    assert_ok(ank_blocks_cut(&blocks, 5, 0, NULL));
    for (size_t i = 0; i < ROWS; i++) assert_int_equal(blocks.part[i], i / 80);
    check_hidden(&blocks, gaps[g]);
    ank_blocks_free(&blocks);
  }
  anorank_table_free(table);
}

TEST(a_gap_hides_at_most_a_quarter_on_each_side) {
  anorank_table *table = make(1);
  ank_blocks blocks;
  plan(&blocks, table, "1000");
  assert_ok(ank_blocks_cut(&blocks, 10, 0, NULL));
  check_hidden(&blocks, ROWS / 4);
  ank_blocks_free(&blocks);
  anorank_table_free(table);
}

TEST(a_split_keeps_about_its_share_in_two_stretches) {
  anorank_table *table = make(1);
  ank_blocks blocks;
  size_t kept = 0, starts = 0;
  plan(&blocks, table, "5");
  assert_ok(ank_blocks_cut(&blocks, 2, 0.25, NULL));
  for (size_t i = 0; i < ROWS; i++) {
    kept += blocks.part[i] == 1;
    starts += blocks.part[i] == 1 && (i == 0 || blocks.part[i - 1] == 0);
  }
  assert_int_equal(kept, ROWS / 4);
  assert_int_equal(starts, 2);
  check_hidden(&blocks, 5);
  ank_blocks_free(&blocks);
  anorank_table_free(table);
}

TEST(without_context_and_setting_rows_are_left_out_as_ever) {
  anorank_table *table = make(1);
  ank_blocks blocks;
  plan(&blocks, table, "");
  assert_close(blocks.gap, 0, 0);
  ank_blocks_free(&blocks);
  plan(&blocks, table, "0");
  assert_close(blocks.gap, 0, 0);
  ank_blocks_free(&blocks);
  anorank_table_free(table);
}

TEST(durations_need_dates_and_words_are_refused) {
  anorank_table *table = make(1);
  static const char *const bad[] = {"5min", "some", "-1", "5 min", "1e400"};
  anorank_settings settings = *ank_settings_or_default(NULL);
  for (size_t k = 0; k < 5; k++) {
    ank_blocks blocks;
    anorank_error err = {0};
    settings.exclusion = bad[k];
    assert_int_equal(ank_blocks_plan(&blocks, table, NULL, &settings, &err), ANORANK_ERROR_USAGE);
    assert_string_equal(err.code, "exclusion-value");
    ank_blocks_free(&blocks);
  }
  anorank_table_free(table);
}
