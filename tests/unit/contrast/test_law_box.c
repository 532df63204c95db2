/* test_law_box.c - uniform on the data's ranges and levels. */
#include "contrast/law.h"
#include "support/check.h"
#include "support/laws.h"

static anorank_settings settings_of(int64_t rows, double pad) {
  anorank_settings settings = test_settings();
  strcpy(settings.law, "box");
  settings.rows = rows;
  settings.pad = pad;
  settings.seed = 7;
  return settings;
}

/* Columns: a number, a category with three levels, a number. A code is the index of a level. */
static anorank_table *mixed_table(const double *first, const int32_t *codes, const double *last,
                                  size_t rows) {
  anorank_table *table;
  assert_ok(ank_table_new(&table, 3, NULL));
  ank_table_set_kind(table, 1, ANORANK_CATEGORICAL);
  const char *names[] = {"amount", "kind", "age"}, *levels[] = {"red", "green", "blue"};
  for (size_t j = 0; j < 3; j++) {
    int32_t code;
    assert_ok(ank_table_set_name(table, j, names[j], strlen(names[j]), NULL));
    if (codes)
      assert_ok(ank_levels_code(&code, &table->column[1].levels, levels[j], strlen(levels[j]), NULL));
  }
  assert_ok(ank_table_reserve(table, rows, NULL));
  for (size_t i = 0; i < rows; i++) {
    table->column[0].numbers[i] = first[i];
    table->column[1].codes[i] = codes ? codes[i] : -1;
    table->column[2].numbers[i] = last[i];
  }
  table->rows = rows;
  return table;
}

static double between(double x, const void *context) {
  const double *ends = context;
  return x < ends[0] ? 0 : x > ends[1] ? 1 : (x - ends[0]) / (ends[1] - ends[0]);
}

TEST(numbers_are_uniform_on_the_padded_range_and_codes_on_the_levels) {
  enum { N = 30000 };
  anorank_settings settings = settings_of(N, 0.25);
  scoped_table *out, *data = mixed_table((double[]){-1, NAN, 3, 2}, (int32_t[]){0, 1, -1, 2},
                                         (double[]){10, 20, NAN, 12}, 4);
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  assert_string_equal(out->column[0].name, "amount");
  assert_int_equal(out->column[1].kind, ANORANK_CATEGORICAL);
  assert_int_equal(out->column[1].levels.count, 3);
  assert_string_equal(out->column[1].levels.text[2], "blue");
  size_t counts[3] = {0};
  for (size_t i = 0; i < N; i++) counts[out->column[1].codes[i]]++;
  assert_counts_fit(counts, ((double[]){1.0 / 3, 1.0 / 3, 1.0 / 3}), 3);
  assert_fits(out->column[0].numbers, N, between, ((double[]){-2, 4}));
  assert_fits(out->column[2].numbers, N, between, ((double[]){7.5, 22.5}));
  assert_true(out->column[0].numbers[0] >= -2 && out->column[0].numbers[N - 1] <= 4);
  assert_true(out->column[2].numbers[0] >= 7.5 && out->column[2].numbers[N - 1] <= 22.5);
}

TEST(a_constant_column_stays_constant_whatever_the_pad) {
  anorank_settings settings = settings_of(100, 3);
  scoped_table *out,
      *data = mixed_table((double[]){0.1, NAN, 0.1}, (int32_t[]){0, 1, 2}, (double[]){1, 2, 3}, 3);
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < 100; i++) assert_true(out->column[0].numbers[i] == 0.1);
}

TEST(a_range_wider_than_the_largest_double_is_drawn_from) {
  enum { N = 10000 };
  anorank_settings settings = settings_of(N, 0);
  scoped_table *out,
      *data = mixed_table((double[]){-1.7e308, 1.7e308}, (int32_t[]){0, 0}, (double[]){0x3p-1074, 0}, 2);
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < N; i++) {
    out->column[0].numbers[i] /= 1.7e308;
    assert_true(out->column[2].numbers[i] >= 0 && out->column[2].numbers[i] <= 0x3p-1074);
  }
  assert_fits(out->column[0].numbers, N, between, ((double[]){-1, 1}));
}

TEST(a_range_of_two_neighbouring_doubles_gives_both_equally_often) {
  enum { N = 10000 };
  double high = 1 + 0x1p-52;
  size_t counts[2] = {0};
  anorank_settings settings = settings_of(N, 0);
  scoped_table *out, *data = mixed_table((double[]){1, high}, (int32_t[]){0, 0}, (double[]){0, 1}, 2);
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < N; i++) {
    double x = out->column[0].numbers[i];
    assert_true(x == 1 || x == high);
    counts[x == high]++;
  }
  assert_counts_fit(counts, ((double[]){0.5, 0.5}), 2);
}

static void check_refused(const double *first, const int32_t *codes, size_t rows, double pad,
                          const char *words) {
  anorank_settings settings = settings_of(10, pad);
  anorank_error err = {0};
  double last[4] = {0, 1, 2, 3};
  anorank_table *out = (anorank_table *)&settings, *data = mixed_table(first, codes, last, rows);
  assert_status(anorank_simulate(&out, data, &settings, &err), ANORANK_ERROR_DATA);
  assert_null(out);
  assert_error(&err, words);
  ank_table_free(data);
}

TEST(data_without_a_box_are_refused) {
  const int32_t codes[2] = {0, 1};
  check_refused(NULL, codes, 0, 0, "contrast-no-rows");
  check_refused((double[]){NAN, NAN}, codes, 2, 0, "contrast-column-empty column=amount");
  check_refused((double[]){1, INFINITY}, codes, 2, 0, "contrast-infinite row=2 column=amount");
  check_refused((double[]){-1.7e308, 1.7e308}, codes, 2, 0.1, "contrast-too-wide column=amount");
  check_refused((double[]){1, 2}, NULL, 2, 0, "contrast-column-empty column=kind");
}
