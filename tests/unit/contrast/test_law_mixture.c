/* test_law_mixture.c - each row from one of several laws. */
#include "contrast/law.h"
#include "support/laws.h"
#include "support/tables.h"

enum { ROWS = 6 };

static const double cells[2 * ROWS] = {0, 0, 1, 3, 2, 1, 3, 2, 0.5, 1, 2.5, 3};

static anorank_settings mixed(const char *parts, int64_t rows) {
  anorank_settings settings = law_settings("mixture", rows);
  assert_ok(ank_settings_lend(&settings, "mixture", parts, NULL));
  return settings;
}

static int same_row(const anorank_table *a, const anorank_table *b, size_t i) {
  for (size_t j = 0; j < a->columns; j++)
    if (a->column[j].numbers[i] != b->column[j].numbers[i]) return 0;
  return 1;
}

static void row_i_is_row_i_of_a_part_chosen_by_weight(void **state) {
  (void)state;
  enum { N = 20000 };
  static const char *const parts[] = {"box", "jitter", "permute"};
  anorank_settings settings = mixed("box:1,jitter:2.5,permute:0.5", N);
  anorank_table *data = table_of(cells, ROWS, 2, NULL), *out, *alone[3];
  size_t counts[3] = {0};
  settings.first_row = 3;
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t p = 0; p < 3; p++) {
    const ank_law *law = ank_law_find(parts[p]);
    void *opened;
    strcpy(settings.law, parts[p]);
    assert_ok(anorank_simulate(&alone[p], data, &settings, NULL));
    /* again, in the mixture's stream */
    ank_draw draw = {alone[p], 0, N, settings.seed, ank_law_stream(&ank_law_mixture), 3};
    assert_ok(law->open(&opened, data, &settings, NULL));
    assert_ok(law->draw(opened, &draw, NULL));
    law->free(opened);
  }
  for (size_t i = 0; i < N; i++) {
    size_t p = 0;
    while (p < 3 && !same_row(out, alone[p], i)) p++;
    assert_true(p < 3);
    counts[p]++;
  }
  assert_counts_fit(counts, ((double[]){0.25, 0.625, 0.125}), 3);
  for (size_t p = 0; p < 3; p++) ank_table_free(alone[p]);
  ank_table_free(out);
  ank_table_free(data);
}

/* Which part is chosen tells nothing about the row: box rows of the mixture are uniform. */
static void the_choice_is_independent_of_the_row(void **state) {
  (void)state;
  enum { N = 20000 };
  static double first[N];
  anorank_settings settings = mixed("unit,box", N);
  anorank_table *data = table_of((double[]){10, 10, 11, 11}, 2, 2, NULL), *out;
  size_t count = 0;
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  for (size_t i = 0; i < N; i++)
    if (out->column[0].numbers[i] <= 1) first[count++] = out->column[0].numbers[i];
  assert_close((double)count / N, 0.5, 0.012); /* no weight: 1 */
  assert_fits(first, count, uniform_law, ((double[]){0, 1}));
  ank_table_free(out);
  ank_table_free(data);
}

static void log_density_is_the_log_of_the_weighted_sum(void **state) {
  (void)state;
  enum { N = 700 };
  static double density[N], box_density[N], jitter_density[N];
  anorank_settings settings = mixed("box:1,jitter:3", N);
  anorank_table *data = table_of(cells, ROWS, 2, NULL), *out;
  void *law, *box, *jitter;
  assert_ok(anorank_simulate(&out, data, &settings, NULL));
  assert_ok(ank_law_mixture.open(&law, data, &settings, NULL));
  assert_ok(ank_law_box.open(&box, data, &settings, NULL));
  assert_ok(ank_law_jitter.open(&jitter, data, &settings, NULL));
  ank_law_mixture.log_density(law, out, 1, N - 1, density);
  ank_law_box.log_density(box, out, 1, N - 1, box_density);
  ank_law_jitter.log_density(jitter, out, 1, N - 1, jitter_density);
  for (size_t i = 0; i + 1 < N; i++)
    assert_close(density[i], log(0.25 * exp(box_density[i]) + 0.75 * exp(jitter_density[i])), 1e-12);
  ank_law_mixture.free(law);
  ank_law_box.free(box);
  ank_law_jitter.free(jitter);
  ank_table_free(out);
  ank_table_free(data);
}

static void check_density(const char *parts, const anorank_table *data, int expected) {
  anorank_settings settings = mixed(parts, 10);
  double density[2];
  void *law;
  assert_ok(ank_law_mixture.open(&law, data, &settings, NULL));
  ank_law_mixture.log_density(law, data, 0, 2, density);
  if (isnan(density[0]) == expected || isnan(density[1]) == expected) fail_msg("%s: %g", parts, density[0]);
  ank_law_mixture.free(law);
}

static void log_density_is_nan_where_a_part_has_none_or_measures_differ(void **state) {
  (void)state;
  anorank_table *data = table_of(cells, ROWS, 2, NULL);
  anorank_table *line = table_of((double[]){0, 1, 1, 3, 2, 5}, 3, 2, NULL);
  anorank_table *flat = table_of((double[]){0, 1, 1, 1, 2, 1}, 3, 2, NULL);
  check_density("box,pca_box:2,jitter,unit,gaussian,radial", data, 1);
  check_density("permute", data, 0);
  check_density("box:1,file:1e-9", data, 0);
  check_density("pca_box", line, 1);
  check_density("box,pca_box", line, 0);
  check_density("pca_box,pca_box:2", line, 0);
  check_density("box,jitter,pca_box", flat, 1); /* the second column is constant for all */
  check_density("box,gaussian", flat, 0);
  ank_table_free(data);
  ank_table_free(line);
  ank_table_free(flat);
}

static void without_data_parts_agree_on_the_columns(void **state) {
  (void)state;
  anorank_settings settings = mixed("gaussian:1,unit:2", 100);
  anorank_table *out;
  settings.dim = 5;
  assert_ok(anorank_simulate(&out, NULL, &settings, NULL));
  assert_int_equal(out->columns, 5);
  ank_table_free(out);
  settings.mixture = "unit,box,gaussian"; /* the box knows its columns */
  settings.limits = "0:1,0:1,0:1,0:1,0:1,0:1,0:1";
  assert_ok(anorank_simulate(&out, NULL, &settings, NULL));
  assert_int_equal(out->columns, 7);
  for (size_t i = 0; i < 100; i++) assert_true(isfinite(out->column[6].numbers[i]));
  ank_table_free(out);
}

static void parts_that_are_none_are_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"box:0", "box:-1", "box:x", "box:", "box:nan", "box:inf", "box:1:2"};
  static const char *const unknown[] = {
      "",     "boxes:1",  ":1",
      ",box", "box,,box", "a-name-that-is-much-longer-than-any-law-and-than-the-buffer-for-it"};
  anorank_table *data = table_of(cells, ROWS, 2, (size_t[]){0, 4});
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    anorank_settings settings = mixed(bad[k], 10);
    assert_refused(data, &settings, ANORANK_ERROR_USAGE, "not of the form law:weight");
  }
  for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
    anorank_settings settings = mixed(unknown[k], 10);
    assert_refused(data, &settings, ANORANK_ERROR_USAGE, "there is no law");
  }
  anorank_settings settings = mixed("box,mixture", 10);
  assert_refused(data, &settings, ANORANK_ERROR_USAGE, "cannot be part of a mixture");
  settings = mixed("box:1,", 10);
  assert_refused(data, &settings, ANORANK_ERROR_USAGE, "nothing after the last comma");
  settings = mixed("box,gaussian", 10);
  assert_refused(data, &settings, ANORANK_ERROR_DATA, "column 'x2' is categorical");
  settings = mixed("unit,jitter", 10);
  assert_refused(NULL, &settings, ANORANK_ERROR_USAGE, "the law 'jitter' is drawn around data");
  ank_table_free(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(row_i_is_row_i_of_a_part_chosen_by_weight),
      cmocka_unit_test(the_choice_is_independent_of_the_row),
      cmocka_unit_test(log_density_is_the_log_of_the_weighted_sum),
      cmocka_unit_test(log_density_is_nan_where_a_part_has_none_or_measures_differ),
      cmocka_unit_test(without_data_parts_agree_on_the_columns),
      cmocka_unit_test(parts_that_are_none_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
