/* test_law_unit.c - uniform on the unit cube. */
#include "contrast/law.h"
#include "support/laws.h"
#include "support/tables.h"

TEST(without_data_dim_columns_are_uniform_from_0_to_1) {
  enum { N = 20000 };
  anorank_settings settings = law_settings("unit", N);
  scoped_table *out;
  settings.dim = 4;
  assert_ok(anorank_simulate(&out, NULL, &settings, NULL));
  assert_int_equal(out->columns, 4);
  for (size_t j = 0; j < 4; j++) {
    double product = 0;
    for (size_t i = 0; i < N; i++)
      product += (out->column[j].numbers[i] - 0.5) * (out->column[(j + 1) % 4].numbers[i] - 0.5) / N;
    assert_close(product, 0, 3.3 / 12 / sqrt(N));
  }
  for (size_t j = 0; j < 4; j++) {
    assert_fits(out->column[j].numbers, N, uniform_law, ((double[]){0, 1}));
    assert_true(out->column[j].numbers[0] > 0 && out->column[j].numbers[N - 1] < 1); /* sorted now */
  }
}

TEST(data_give_columns_and_levels_and_their_numbers_do_not_matter) {
  enum { N = 20000 };
  anorank_settings settings = law_settings("unit", N);
  scoped_table *out, *data = table_of((double[]){NAN, 0, INFINITY, 2}, 2, 2, (size_t[]){0, 3});
  size_t counts[3] = {0};
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  assert_int_equal(out->columns, 2);
  for (size_t i = 0; i < N; i++) counts[out->column[1].codes[i]]++;
  assert_counts_fit(counts, ((double[]){1.0 / 3, 1.0 / 3, 1.0 / 3}), 3);
  assert_fits(out->column[0].numbers, N, uniform_law, ((double[]){0, 1}));
}

TEST(a_category_without_levels_is_refused) {
  anorank_settings settings = law_settings("unit", 10);
  scoped_table *data = table_of((double[]){1, NAN}, 1, 2, (size_t[]){0, 1});
  ank_levels_free(&data->column[1].levels);
  data->column[1].levels = (ank_levels){0};
  assert_refused(data, &settings, ANORANK_ERROR_DATA, "contrast-column-empty column=x2");
}
