/* test_law_displace.c - rows with one value beyond the range of its column. */
#include "contrast/law.h"
#include "support/laws.h"
#include "support/tables.h"

enum { N = 30000, ROWS = 40 };

/* A column of fractions from 10 to 20, one of whole numbers from -3 to 36, a constant one and a category. */
static anorank_table *make(double cells[4 * ROWS]) {
  for (size_t i = 0; i < ROWS; i++) {
    cells[4 * i] = 10 + 10.0 * (double)i / (ROWS - 1);
    cells[4 * i + 1] = (double)(7 * i % ROWS) - 3;
    cells[4 * i + 2] = 5;
    cells[4 * i + 3] = (double)(i % 3);
  }
  return table_of(cells, ROWS, 4, (size_t[]){0, 0, 0, 3});
}

static size_t row_of(const anorank_settings *settings, uint64_t index, size_t rows) {
  size_t row;
  assert_int_equal(ank_law_find("displace")->made_of(&row, &(ank_origin){settings, rows, 0}, index), 1);
  return row;
}

TEST(one_number_is_beyond_its_range_and_all_else_is_of_the_row) {
  double cells[4 * ROWS];
  anorank_settings settings = law_settings("displace", N);
  scoped_table *data = make(cells), *out;
  size_t sides[4] = {0}, near = 0;
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < N; i++) {
    size_t row = row_of(&settings, i, ROWS);
    double first = out->column[0].numbers[i], second = out->column[1].numbers[i];
    assert_true(out->column[2].numbers[i] == 5);
    assert_int_equal(out->column[3].codes[i], row % 3);
    if (first == cells[4 * row]) {
      assert_true(second == floor(second) &&
                  ((second >= -3 - 78 && second < -3) || (second > 36 && second <= 36 + 78)));
      sides[second > 0]++;
    } else {
      assert_true(second == cells[4 * row + 1]);
      assert_true((first >= 10 - 20.001 && first <= 9.9) || (first >= 20.0999 && first <= 40.001));
      near += first > 20 - 11 && first < 10 + 11; /* less than a tenth of the width away */
      sides[2 + (first > 15)]++;
    }
  }
  assert_counts_fit(sides, ((double[]){0.25, 0.25, 0.25, 0.25}), 4);
  /* log-uniform on [0.01, 2]: log 10 / log 200 of them */
  assert_close((double)near / (double)(sides[2] + sides[3]), 0.4346, 0.015);
}

TEST(without_numbers_a_category_becomes_another_level) {
  double cells[6] = {0, 1, 2, 0, 1, 2};
  size_t counts[2] = {0};
  anorank_settings settings = law_settings("displace", N);
  scoped_table *data = table_of(cells, 6, 1, (size_t[]){3}), *out;
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < N; i++) {
    int before = (int)(row_of(&settings, i, 6) % 3);
    int after = out->column[0].codes[i];
    assert_true(after != before && after >= 0 && after < 3);
    counts[(after - before + 3) % 3 - 1]++;
  }
  assert_counts_fit(counts, ((double[]){0.5, 0.5}), 2);
}

/* Nothing can be beyond: columns that are constant, or as wide as doubles go. */
TEST(columns_that_cannot_be_left_stay_as_they_are) {
  double cells[4] = {5, -1.7e308, 5, 1.7e308};
  anorank_settings settings = law_settings("displace", 100);
  scoped_table *data = table_of(cells, 2, 2, NULL), *out;
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < 100; i++)
    assert_true(out->column[0].numbers[i] == 5 && fabs(out->column[1].numbers[i]) == 1.7e308);
}

/* One step of the last digit is less than a hundredth of the width. */
TEST(a_narrow_column_far_from_zero_is_left_all_the_same) {
  double cells[2] = {1e9 + 0.5, nextafter(1e9 + 0.5, INFINITY)};
  anorank_settings settings = law_settings("displace", 100);
  scoped_table *data = table_of(cells, 2, 1, NULL), *out;
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < 100; i++)
    assert_true(out->column[0].numbers[i] < cells[0] || out->column[0].numbers[i] > cells[1]);
}
