/* test_simulate.c - the checks of anorank_simulate. contract/test_laws.c tests the contract of laws. */
#include "contrast/law.h"
#include "support/check.h"

static anorank_settings settings_of(const char *law, int64_t rows) {
  anorank_settings settings = test_settings();
  strcpy(settings.law, law);
  settings.rows = rows;
  settings.dim = 3;
  settings.seed = 99;
  return settings;
}

/* Three numeric columns of 20 rows. */
static anorank_table *some_data(void) {
  anorank_table *table;
  assert_ok(ank_table_new(&table, 3, NULL));
  assert_ok(ank_table_reserve(table, 20, NULL));
  table->rows = 20;
  for (size_t j = 0; j < 3; j++) {
    assert_ok(ank_table_set_name(table, j, "", 0, NULL));
    for (size_t i = 0; i < 20; i++) table->column[j].numbers[i] = sin((double)(20 * j + i));
  }
  return table;
}

static void check_usage(const char *law, anorank_table *data, const char *words) {
  anorank_settings settings = settings_of(law, 10);
  anorank_error err = {0};
  anorank_table *out = (anorank_table *)&settings;
  assert_status(anorank_simulate(&out, data, &settings, &err), ANORANK_ERROR_USAGE);
  assert_null(out);
  assert_error(&err, words);
}

TEST(wrong_arguments_are_refused_with_words_that_help) {
  scoped_table *data = some_data();
  anorank_settings settings = settings_of("gaussian", 10);
  check_usage("gauss", NULL, "law-unknown");
  check_usage("", NULL, "law-unknown");
  check_usage("box", NULL, "law-needs-data");
  check_usage("jitter", NULL, "law-needs-data");
  check_usage("gaussian", data, "law-takes-no-data");
  assert_status(anorank_simulate(NULL, NULL, &settings, NULL), ANORANK_ERROR_USAGE);
}

TEST(without_settings_the_defaults_hold) {
  scoped_table *out;
  assert_ok(anorank_simulate(&out, NULL, NULL, NULL));
  assert_int_equal(out->rows, 1000);
  assert_int_equal(out->columns, 2);
}

TEST(more_than_the_memory_allowed_is_refused_before_it_is_taken) {
  anorank_settings settings = settings_of("gaussian", 1000000000000);
  anorank_error err = {0};
  anorank_table *out;
  assert_status(anorank_simulate(&out, NULL, &settings, &err), ANORANK_ERROR_RESOURCES);
  settings.rows = 1000;
  settings.max_memory = 20000;
  assert_fails(anorank_simulate(&out, NULL, &settings, &err), ANORANK_ERROR_RESOURCES,
               "memory-limit setting=max-memory");
  assert_null(out);
}

static int count_and_stop(void *context, double share, const char *what) {
  int *calls = context;
  assert_true(share >= 0 && share <= 1 && what);
  return ++*calls == 2;
}

TEST(the_progress_callback_can_stop_it) {
  int calls = 0;
  anorank_settings settings = settings_of("gaussian", 4000000);
  anorank_table *out;
  settings.progress = count_and_stop;
  settings.progress_context = &calls;
  assert_status(anorank_simulate(&out, NULL, &settings, NULL), ANORANK_CANCELLED);
  assert_int_equal(calls, 2);
  assert_null(out);
}

TEST(many_columns_are_drawn) {
  anorank_settings settings = settings_of("radial", 3);
  scoped_table *out;
  settings.dim = 65536;
  assert_ok(anorank_simulate(&out, NULL, &settings, NULL));
  assert_string_equal(out->column[65535].name, "x65536");
  for (size_t i = 0; i < 3; i++) {
    double square = 0;
    for (size_t j = 0; j < 65536; j++) square += out->column[j].numbers[i] * out->column[j].numbers[i];
    assert_true(square > 0 && square <= 1);
  }
}
