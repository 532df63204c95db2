/* test_law_scales.c - rows of the data changed at many scales. */
#include "contrast/law.h"
#include "support/laws.h"
#include "support/tables.h"

enum { N = 20000 };

static anorank_table *draw_scales(const anorank_table *data) {
  anorank_settings settings = law_settings("scales", N);
  anorank_table *out;
  settings.jitter_from = settings.jitter_to = 1e-3;
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  return out;
}

/* A column of the values 0 and 10, each many times. With noise that is negligible a cell is near a value, or it is wide:
 * a fifth of the rows. What is moved, swapped or drawn from the values is 0 or 10 exactly. */
TEST(noise_is_near_wide_is_anywhere_and_the_rest_keeps_to_the_values) {
  scoped_table *data = table_of((double[]){0, 0, 0, 10, 0, 0, 10, 10, 0, 10}, 10, 1, NULL);
  scoped_table *out = draw_scales(data);
  size_t exact = 0, near = 0, wide = 0, beyond = 0;
  for (size_t i = 0; i < N; i++) {
    double x = out->column[0].numbers[i], off = fmin(fabs(x), fabs(x - 10));
    assert_true(x >= -5 && x <= 15);
    exact += off == 0;
    near += off > 0 && off < 0.1;
    wide += off >= 0.1;
    beyond += x < -0.1 || x > 10.1;
  }
  assert_counts_fit(((size_t[]){exact, near, wide}), ((double[]){0.6, 0.204, 0.196}), 3);
  assert_true(beyond > 0.4 * (double)wide && beyond < 0.6 * (double)wide);
}

/* Two columns that are always equal: swapped rows break them, moved and near ones do not. */
TEST(swapped_rows_lose_the_dependence_of_the_columns) {
  double cells[60];
  for (size_t i = 0; i < 30; i++) cells[2 * i] = cells[2 * i + 1] = (double)(i % 3);
  scoped_table *data = table_of(cells, 30, 2, NULL), *out = draw_scales(data);
  size_t broken = 0;
  for (size_t i = 0; i < N; i++) {
    double a = out->column[0].numbers[i], b = out->column[1].numbers[i];
    if (a != floor(a) || b != floor(b)) continue;
    broken += a != b;
  }
  /* 2 / 3 of the fifth of values; of the fifth that is swapped, 1 or 2 cells come from other rows */
  assert_true(broken > N * 0.22 && broken < N * 0.30);
}

TEST(missing_cells_of_a_row_stay_missing) {
  scoped_table *data = table_of((double[]){1, NAN, 2, NAN, 3, NAN}, 3, 2, NULL);
  data->column[1].numbers[2] = 7;
  scoped_table *out = draw_scales(data);
  size_t missing = 0;
  for (size_t i = 0; i < N; i++) {
    assert_false(isnan(out->column[0].numbers[i]));
    missing += isnan(out->column[1].numbers[i]) != 0;
  }
  assert_counts_fit(((size_t[]){missing, N - missing}), ((double[]){2.0 / 3, 1.0 / 3}), 2);
}
