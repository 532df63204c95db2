/* test_law_rows.c - laws whose cells are the data's own: file and permute; and swaps. */
#include "contrast/law.h"
#include "core/swap.h"
#include "support/laws.h"
#include "support/tables.h"

enum { N = 30000 };

/* Number, category, and a number with a gap and an infinite cell; each identifies the row. */
static anorank_table *four_rows(void) {
  static const double cells[] = {10, 0, 0.5, 20, 1, NAN, 30, NAN, INFINITY, 40, 2, -0.5};
  return table_of(cells, 4, 3, (size_t[]){0, 3, 0});
}

static size_t row_of_first(double x) { return (size_t)(x / 10) - 1; }

static size_t row_of_second(int32_t code) { return code == 2 ? 3 : code < 0 ? 2 : (size_t)code; }

static size_t row_of_third(double x) { return x == 0.5 ? 0 : isnan(x) ? 1 : x == INFINITY ? 2 : 3; }

TEST(file_draws_whole_rows_equally_often) {
  anorank_settings settings = law_settings("file", N);
  scoped_table *out, *data = four_rows();
  size_t counts[4] = {0};
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < N; i++) {
    size_t row = row_of_first(out->column[0].numbers[i]);
    assert_true(row < 4);
    assert_int_equal(row, row_of_second(out->column[1].codes[i]));
    assert_int_equal(row, row_of_third(out->column[2].numbers[i]));
    counts[row]++;
  }
  assert_counts_fit(counts, ((double[]){0.25, 0.25, 0.25, 0.25}), 4);
}

TEST(permute_draws_the_columns_independently) {
  anorank_settings settings = law_settings("permute", N);
  scoped_table *out, *data = four_rows();
  size_t counts[64] = {0};
  double shares[64];
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < N; i++)
    counts[16 * row_of_first(out->column[0].numbers[i]) + 4 * row_of_second(out->column[1].codes[i]) +
           row_of_third(out->column[2].numbers[i])]++;
  for (size_t k = 0; k < 64; k++) shares[k] = 1.0 / 64;
  assert_counts_fit(counts, shares, 64);
}

TEST(one_row_is_drawn_again_and_again) {
  static const char *const laws[] = {"file", "permute"};
  for (size_t l = 0; l < 2; l++) {
    anorank_settings settings = law_settings(laws[l], 50);
    scoped_table *out, *data = table_of((double[]){3, 4}, 1, 2, NULL);
    assert_ok(anorank_simulate(&out, data, &settings, NULL));
    for (size_t i = 0; i < 50; i++)
      assert_true(out->column[0].numbers[i] == 3 && out->column[1].numbers[i] == 4);
  }
}

/* With share s and k cells: none of them with (1 - s)^k, and then one is chosen; other rows equally often. */
TEST(a_swap_takes_a_share_of_the_cells_and_at_least_one) {
  enum { CELLS = 3, ROWS = 5, OWN = 2 };
  size_t from[CELLS], swapped[CELLS + 1] = {0}, rows[ROWS] = {0}, all = 0;
  ank_rng rng;
  ank_rng_open(&rng, 1, 2, 3);
  for (size_t i = 0; i < N; i++) {
    size_t here = 0;
    ank_swap_draw(from, CELLS, OWN, ROWS, 0.3, &rng);
    for (size_t c = 0; c < CELLS; c++) {
      here += from[c] != OWN;
      rows[from[c]] += from[c] != OWN;
    }
    swapped[here]++;
    all += here;
  }
  assert_int_equal(rows[OWN], 0);
  assert_counts_fit(swapped + 1, ((double[]){0.441 + 0.343, 0.189, 0.027}), 3);
  for (size_t r = 0; r < ROWS; r++) assert_close((double)rows[r] / (double)all, r == OWN ? 0 : 0.25, 0.01);
  ank_swap_draw(from, CELLS, 0, ROWS, 0, &rng);
  assert_int_equal((from[0] != 0) + (from[1] != 0) + (from[2] != 0), 1);
  ank_swap_draw(from, CELLS, 0, ROWS, 1, &rng);
  assert_true(from[0] != 0 && from[1] != 0 && from[2] != 0);
  ank_swap_draw(from, 0, 0, 1, 0.5, &rng); /* nothing to swap */
}

TEST(permute_with_a_share_leaves_the_other_cells_and_constant_columns) {
  enum { ROWS = 50 };
  double cells[ROWS * 4];
  size_t changed[4] = {0};
  for (size_t i = 0; i < ROWS; i++)
    for (size_t j = 0; j < 4; j++) cells[4 * i + j] = j == 3 ? 7 : (double)i + 1000 * (double)j;
  anorank_settings settings = law_settings("permute", N);
  settings.permute_share = 0.3;
  scoped_table *out, *data = table_of(cells, ROWS, 4, NULL);
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < N; i++) {
    size_t made_of[4], here = 0;
    ank_law_find("permute")->made_of(made_of, &(ank_origin){&settings, ROWS, 3}, i);
    size_t row = made_of[0];
    for (size_t j = 0; j < 4; j++) here += out->column[j].numbers[i] != cells[4 * row + j];
    assert_true(out->column[3].numbers[i] == 7);
    assert_in_range(here, 1, 3);
    changed[here]++;
  }
  assert_counts_fit(changed + 1, ((double[]){0.441 + 0.343, 0.189, 0.027}), 3);
}
