/* test_law_rows.c - laws whose cells are the data's own: file and permute. */
#include "contrast/law.h"
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
