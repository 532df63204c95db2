/* test_simulate.c - what holds for every law of the registry, and the checks of anorank_simulate. */
#include <string.h>

#include "contrast/law.h"
#include "core/alloc.h"
#include "support/check.h"

static anorank_settings settings_of(const char *law, int64_t rows) {
  anorank_settings settings;
  anorank_settings_default(&settings);
  strcpy(settings.law, law);
  settings.rows = rows;
  settings.dim = 3;
  settings.seed = 99;
  return settings;
}

/* Three numeric columns, for laws that can use data; NULL for the others. */
static anorank_table *data_for(const anorank_law *law) {
  anorank_table *table;
  if (law->around_data == 0) return NULL;
  assert_ok(ank_table_new(&table, 3, NULL));
  assert_ok(ank_table_reserve(table, 20, NULL));
  table->rows = 20;
  for (size_t j = 0; j < 3; j++) {
    assert_ok(ank_table_set_name(table, j, "", 0, NULL));
    for (size_t i = 0; i < 20; i++) table->column[j].numbers[i] = sin((double)(20 * j + i));
  }
  return table;
}

static void assert_same_rows(const anorank_table *a, size_t a_first, const anorank_table *b, size_t b_first,
                             size_t count) {
  assert_int_equal(a->columns, b->columns);
  for (size_t j = 0; j < a->columns; j++)
    assert_memory_equal(a->column[j].numbers + a_first, b->column[j].numbers + b_first,
                        count * sizeof(double));
}

static void the_number_of_threads_changes_no_byte(void **state) {
  (void)state;
  static const int64_t threads[] = {1, 2, 8};
  for (size_t l = 0; l < anorank_law_count(); l++) {
    anorank_table *data = data_for(anorank_law_at(l)), *out[3];
    anorank_settings settings = settings_of(anorank_law_at(l)->name, 50001);
    for (size_t t = 0; t < 3; t++) {
      settings.threads = threads[t];
      assert_ok(anorank_simulate(&out[t], data, &settings, NULL));
      assert_same_rows(out[0], 0, out[t], 0, 50001);
    }
    for (size_t t = 0; t < 3; t++) ank_table_free(out[t]);
    ank_table_free(data);
  }
}

static void drawing_in_two_parts_equals_drawing_at_once(void **state) {
  (void)state;
  for (size_t l = 0; l < anorank_law_count(); l++) {
    anorank_table *data = data_for(anorank_law_at(l)), *whole, *first, *second;
    anorank_settings settings = settings_of(anorank_law_at(l)->name, 30000);
    settings.first_row = 7;
    assert_ok(anorank_simulate(&whole, data, &settings, NULL));
    settings.rows = 12345;
    assert_ok(anorank_simulate(&first, data, &settings, NULL));
    settings.first_row += 12345;
    settings.rows = 30000 - 12345;
    assert_ok(anorank_simulate(&second, data, &settings, NULL));
    assert_same_rows(whole, 0, first, 0, 12345);
    assert_same_rows(whole, 12345, second, 0, 30000 - 12345);
    ank_table_free(whole);
    ank_table_free(first);
    ank_table_free(second);
    ank_table_free(data);
  }
}

static void another_seed_gives_other_rows(void **state) {
  (void)state;
  for (size_t l = 0; l < anorank_law_count(); l++) {
    anorank_table *data = data_for(anorank_law_at(l)), *one, *other;
    anorank_settings settings = settings_of(anorank_law_at(l)->name, 100);
    assert_ok(anorank_simulate(&one, data, &settings, NULL));
    settings.seed++;
    assert_ok(anorank_simulate(&other, data, &settings, NULL));
    for (size_t j = 0; j < 3; j++)
      for (size_t i = 0; i < 100; i++) assert_true(one->column[j].numbers[i] != other->column[j].numbers[i]);
    ank_table_free(one);
    ank_table_free(other);
    ank_table_free(data);
  }
}

/* Importance sampling: under the law itself the mean of (uniform density on a small cube) / (its density) is
 * the share of the cube inside the support, 1. Its standard error is measured along with it. */
/* Correlation of two columns, as they are or by their distance from 0. */
static double correlation(const double *a, int a_apart, const double *b, int b_apart, size_t n) {
  double sum_a = 0, sum_b = 0, aa = 0, bb = 0, ab = 0;
  for (size_t i = 0; i < n; i++) {
    double x = a_apart ? fabs(a[i]) : a[i], y = b_apart ? fabs(b[i]) : b[i];
    sum_a += x, sum_b += y, aa += x * x, bb += y * y, ab += x * y;
  }
  double count = (double)n;
  return (ab - sum_a * sum_b / count) / sqrt((aa - sum_a * sum_a / count) * (bb - sum_b * sum_b / count));
}

/* One seed for X and for U is what happens by default, and intervals take the two to be independent. */
static void samples_of_two_laws_with_one_seed_are_independent(void **state) {
  (void)state;
  const size_t rows = 20000; /* a correlation has a standard error of 0.007 */
  for (size_t first = 0; first < anorank_law_count(); first++)
    for (size_t second = 0; second < first; second++) {
      const anorank_law *laws[] = {anorank_law_at(first), anorank_law_at(second)};
      anorank_table *drawn[2];
      for (size_t k = 0; k < 2; k++) {
        anorank_table *data = data_for(laws[k]);
        anorank_settings settings = settings_of(laws[k]->name, (int64_t)rows);
        assert_ok(anorank_simulate(&drawn[k], data, &settings, NULL));
        ank_table_free(data);
      }
      for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
          for (int apart = 0; apart < 4; apart++)
            assert_true(fabs(correlation(drawn[0]->column[i].numbers, apart & 1, drawn[1]->column[j].numbers,
                                         apart >> 1, rows)) < 0.04);
      ank_table_free(drawn[0]);
      ank_table_free(drawn[1]);
    }
}

static void log_densities_belong_to_what_is_drawn(void **state) {
  (void)state;
  enum { N = 200000 };
  static double density[N];
  for (size_t l = 0; l < ank_law_count(); l++) {
    const ank_law *law = ank_law_at(l);
    if (!law->log_density) continue;
    anorank_table *data = data_for(&law->info), *out;
    anorank_settings settings = settings_of(law->info.name, N);
    void *opened;
    double sum = 0, squares = 0, from = 0.05, side = 0.45; /* [0.05, 0.5]^3 lies in every support */
    settings.alpha = 2;
    assert_ok(anorank_simulate(&out, data, &settings, NULL));
    assert_ok(law->open(&opened, data, &settings, NULL));
    law->log_density(opened, out, 0, N, density);
    for (size_t i = 0; i < N; i++) {
      int inside = 1;
      for (size_t j = 0; j < 3; j++)
        inside &= out->column[j].numbers[i] > from && out->column[j].numbers[i] < from + side;
      double weight = inside ? exp(-density[i]) / (side * side * side) : 0;
      sum += weight / N;
      squares += weight * weight / N;
    }
    assert_close(sum, 1, 3.3 * sqrt(squares / N));
    assert_true(sqrt(squares / N) < 0.05);
    law->free(opened);
    ank_table_free(out);
    ank_table_free(data);
  }
}

static void every_failing_allocation_is_a_clean_error(void **state) {
  (void)state;
  for (size_t l = 0; l < anorank_law_count(); l++) {
    anorank_table *data = data_for(anorank_law_at(l)), *out;
    anorank_settings settings = settings_of(anorank_law_at(l)->name, 30000);
    settings.threads = 1;
    for (size_t k = 1;; k++) {
      anorank_error err = {0};
      (void)ank_alloc_fail_at(k);
      anorank_status status = anorank_simulate(&out, data, &settings, &err);
      size_t requests = ank_alloc_fail_at(0);
      if (requests < k) {
        assert_ok(status);
        ank_table_free(out);
        break;
      }
      assert_status(status, ANORANK_ERROR_RESOURCES);
      assert_null(out);
      assert_true(err.message[0] != '\0');
    }
    ank_table_free(data);
  }
}

static void the_registry_is_complete_and_names_settings_that_exist(void **state) {
  (void)state;
  assert_null(anorank_law_at(anorank_law_count()));
  for (size_t l = 0; l < anorank_law_count(); l++) {
    const anorank_law *law = anorank_law_at(l);
    char words[256], *rest = words, *word;
    assert_true(ank_law_find(law->name) == ank_law_at(l));
    assert_true(strlen(law->help) > 0 && law->around_data >= 0 && law->around_data <= 2);
    assert_true(strlen(law->settings) < sizeof words);
    strcpy(words, law->settings);
    while ((word = strtok_r(rest, " ", &rest)))
      assert_true(anorank_setting_find(word)->applies_to & ANORANK_FOR_SIMULATE);
  }
}

static void check_usage(const char *law, anorank_table *data, const char *words) {
  anorank_settings settings = settings_of(law, 10);
  anorank_error err = {0};
  anorank_table *out = (anorank_table *)&settings;
  assert_status(anorank_simulate(&out, data, &settings, &err), ANORANK_ERROR_USAGE);
  assert_null(out);
  if (!strstr(err.message, words)) fail_msg("%s", err.message);
}

static void wrong_arguments_are_refused_with_words_that_help(void **state) {
  (void)state;
  anorank_table *data = data_for(anorank_law_at(1)), *out;
  anorank_settings settings = settings_of("gaussian", 10);
  check_usage("gauss", NULL, "no law 'gauss'; choose one of gaussian, radial, box");
  check_usage("", NULL, "choose one of gaussian, radial, box");
  check_usage("box", NULL, "the law 'box' is drawn around data");
  check_usage("gaussian", data, "choose one of radial, box");
  assert_status(anorank_simulate(NULL, NULL, &settings, NULL), ANORANK_ERROR_USAGE);
  settings.rows = 0;
  assert_status(anorank_simulate(&out, NULL, &settings, NULL), ANORANK_ERROR_USAGE);
  ank_table_free(data);
}

static void without_settings_the_defaults_hold(void **state) {
  (void)state;
  anorank_table *out;
  assert_ok(anorank_simulate(&out, NULL, NULL, NULL));
  assert_int_equal(out->rows, 1000);
  assert_int_equal(out->columns, 2);
  ank_table_free(out);
}

static void more_than_the_memory_allowed_is_refused_before_it_is_taken(void **state) {
  (void)state;
  anorank_settings settings = settings_of("gaussian", 1000000000000);
  anorank_error err = {0};
  anorank_table *out;
  assert_status(anorank_simulate(&out, NULL, &settings, &err), ANORANK_ERROR_RESOURCES);
  settings.rows = 1000;
  settings.max_memory = 20000;
  assert_status(anorank_simulate(&out, NULL, &settings, &err), ANORANK_ERROR_RESOURCES);
  assert_non_null(strstr(err.message, "--max-memory"));
  assert_null(out);
}

static int count_and_stop(void *context, double share, const char *what) {
  int *calls = context;
  assert_true(share >= 0 && share <= 1 && what);
  return ++*calls == 2;
}

static void the_progress_callback_can_stop_it(void **state) {
  (void)state;
  int calls = 0;
  anorank_settings settings = settings_of("gaussian", 4000000);
  anorank_table *out;
  settings.progress = count_and_stop;
  settings.progress_context = &calls;
  assert_status(anorank_simulate(&out, NULL, &settings, NULL), ANORANK_CANCELLED);
  assert_int_equal(calls, 2);
  assert_null(out);
}

static void many_columns_are_drawn(void **state) {
  (void)state;
  anorank_settings settings = settings_of("radial", 3);
  anorank_table *out;
  settings.dim = 65536;
  assert_ok(anorank_simulate(&out, NULL, &settings, NULL));
  assert_string_equal(out->column[65535].name, "x65536");
  for (size_t i = 0; i < 3; i++) {
    double square = 0;
    for (size_t j = 0; j < 65536; j++) square += out->column[j].numbers[i] * out->column[j].numbers[i];
    assert_true(square > 0 && square <= 1);
  }
  ank_table_free(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_number_of_threads_changes_no_byte),
      cmocka_unit_test(drawing_in_two_parts_equals_drawing_at_once),
      cmocka_unit_test(another_seed_gives_other_rows),
      cmocka_unit_test(samples_of_two_laws_with_one_seed_are_independent),
      cmocka_unit_test(log_densities_belong_to_what_is_drawn),
      cmocka_unit_test(every_failing_allocation_is_a_clean_error),
      cmocka_unit_test(the_registry_is_complete_and_names_settings_that_exist),
      cmocka_unit_test(wrong_arguments_are_refused_with_words_that_help),
      cmocka_unit_test(without_settings_the_defaults_hold),
      cmocka_unit_test(more_than_the_memory_allowed_is_refused_before_it_is_taken),
      cmocka_unit_test(the_progress_callback_can_stop_it),
      cmocka_unit_test(many_columns_are_drawn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
