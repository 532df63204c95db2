/* test_law_box_limits.c - the law box with the setting limits. */
#include "contrast/law.h"
#include "support/laws.h"
#include "support/tables.h"

static anorank_settings limited(const char *limits, int64_t rows) {
  anorank_settings settings = law_settings("box", rows);
  assert_ok(ank_settings_lend(&settings, "limits", limits, NULL));
  return settings;
}

TEST(without_data_there_are_as_many_columns_as_limits) {
  enum { N = 20000 };
  anorank_settings settings = limited("-1:1,1e2:2e2,5:5", N);
  scoped_table *out;
  settings.pad = 3; /* not for limits */
  assert_ok(anorank_simulate(&out, NULL, &settings, NULL));
  assert_int_equal(out->columns, 3);
  for (size_t i = 0; i < N; i++) assert_true(out->column[2].numbers[i] == 5);
  assert_fits(out->column[0].numbers, N, uniform_law, ((double[]){-1, 1}));
  assert_fits(out->column[1].numbers, N, uniform_law, ((double[]){100, 200}));
  assert_string_equal(out->column[2].name, "x3");
}

TEST(limits_take_the_place_of_the_numbers_but_not_of_the_levels) {
  enum { N = 20000 };
  anorank_settings settings = limited("2:3,-7:-4", N);
  double cells[] = {INFINITY, 0, NAN, 1, 1, NAN};
  scoped_table *out, *data = table_of(cells, 2, 3, (size_t[]){0, 2, 0});
  size_t counts[2] = {0};
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < N; i++) counts[out->column[1].codes[i]]++;
  assert_counts_fit(counts, ((double[]){0.5, 0.5}), 2);
  assert_fits(out->column[0].numbers, N, uniform_law, ((double[]){2, 3}));
  assert_fits(out->column[2].numbers, N, uniform_law, ((double[]){-7, -4}));
}

TEST(limits_that_are_none_are_refused) {
  static const char *const bad[] = {"1",     "1:",    ":2",      "2:1",     "1:2,",   "1:2,,3:4",
                                    "nan:1", "0:inf", "1:2:3",   "1:2 3:4", "1 : 2x", "1;2",
                                    ",",     "a:b",   "0:1e999", "0:1,x"};
  scoped_table *data = table_of((double[]){1, 2}, 1, 2, NULL);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    anorank_settings settings = limited(bad[k], 10);
    assert_refused(NULL, &settings, ANORANK_ERROR_USAGE, "limits-form");
    assert_refused(data, &settings, ANORANK_ERROR_USAGE, "limits-form");
  }
  anorank_settings settings = limited("0:1", 10);
  assert_refused(data, &settings, ANORANK_ERROR_USAGE, "limits-count");
  settings = limited("0:1,5:4", 10);
  assert_refused(data, &settings, ANORANK_ERROR_USAGE, "limits-form");
  settings = limited("", 10);
  assert_refused(NULL, &settings, ANORANK_ERROR_USAGE, "law-needs-data");
}
