/* The settings table: every row is consistent, every value survives a round trip, every refusal has a reason;
 * and settings as objects that own their texts. */
#include "core/alloc.h"
#include "support/check.h"

static anorank_settings *fresh(void) {
  anorank_settings *settings;
  assert_ok(anorank_settings_new(&settings, NULL, NULL));
  return settings;
}

static char *text_of(const anorank_settings *settings, const char *name) {
  size_t length = anorank_settings_get(settings, name, NULL, 0);
  char *text = test_memory(length + 1);
  assert_true(length != SIZE_MAX);
  assert_int_equal(anorank_settings_get(settings, name, text, length + 1), length);
  assert_int_equal(strlen(text), length);
  return text;
}

static void assert_text(const anorank_settings *settings, const char *name, const char *expected) {
  char *text = text_of(settings, name);
  assert_string_equal(text, expected);
}

static void assert_same(const anorank_settings *a, const anorank_settings *b) {
  for (size_t i = 0; anorank_setting_at(i); i++) {
    char *text = text_of(a, anorank_setting_at(i)->name);
    assert_text(b, anorank_setting_at(i)->name, text);
  }
}

TEST(every_row_is_complete_and_its_default_is_allowed) {
  scoped_settings *settings = fresh();
  assert_non_null(anorank_setting_at(10));
  for (size_t i = 0; anorank_setting_at(i); i++) {
    const anorank_setting *row = anorank_setting_at(i);
    assert_ptr_equal(anorank_setting_find(row->name), row); /* so names are unique */
    assert_true(row->help[0] != '\0' && row->help[strlen(row->help) - 1] != '.');
    assert_true(strlen(row->placeholder) > 0);
    assert_true(row->applies_to != 0);
    assert_true(row->low <= row->high);
    assert_true((row->kind == ANORANK_SETTING_CHOICE) == (row->choices != NULL));
    assert_ok(anorank_settings_set(settings, row->name, row->default_value, NULL));
    assert_text(settings, row->name, row->default_value);
    assert_text(NULL, row->name, row->default_value);
  }
  assert_null(anorank_setting_at(100000));
  assert_null(anorank_setting_find("no-such"));
}

/* Text that differs from the default; NULL for nothing but that. */
static const char *another_value(const anorank_setting *row) {
  static char text[64];
  switch (row->kind) {
  case ANORANK_SETTING_TEXT:
  case ANORANK_SETTING_LIST: return "a , \xc3\xa4=\"";
  case ANORANK_SETTING_CHOICE: {
    const char *last = strrchr(row->choices, '|') + 1;
    if (strcmp(last, row->default_value) != 0) return last;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(row->choices, "|"), row->choices);
    return text;
  }
  case ANORANK_SETTING_UNSIGNED: return "18446744073709551615";
  case ANORANK_SETTING_INTEGER:
  case ANORANK_SETTING_BYTES: snprintf(text, sizeof text, "%.0f", row->high); return text;
  case ANORANK_SETTING_REAL:
    snprintf(text, sizeof text, "%.17g", row->low + (row->high - row->low) / 3);
    return text;
  }
  return NULL;
}

TEST(every_row_has_a_separate_field_that_keeps_its_value) {
  for (size_t i = 0; anorank_setting_at(i); i++) {
    const anorank_setting *row = anorank_setting_at(i);
    scoped_settings *settings = fresh(), *again = fresh();
    if (strcmp(row->name, "delimiter") == 0)
      assert_ok(anorank_settings_set(settings, row->name, ";", NULL));
    else
      assert_ok(anorank_settings_set(settings, row->name, another_value(row), NULL));
    char *text = text_of(settings, row->name);
    assert_string_not_equal(text, row->default_value);
    assert_ok(anorank_settings_set(again, row->name, text, NULL));
    assert_same(settings, again); /* bit for bit, since texts of numbers are exact */
    for (size_t j = 0; anorank_setting_at(j); j++)
      if (j != i) assert_text(settings, anorank_setting_at(j)->name, anorank_setting_at(j)->default_value);
  }
}

TEST(every_row_refuses_values_out_of_its_bounds) {
  scoped_settings *settings = fresh();
  for (size_t i = 0; anorank_setting_at(i); i++) {
    const anorank_setting *row = anorank_setting_at(i);
    char wrong[400];
    anorank_error err = {0};
    memset(wrong, 'x', sizeof wrong - 1);
    wrong[sizeof wrong - 1] = '\0';
    int any_length = isinf(row->high);
    assert_status(anorank_settings_set(settings, row->name, wrong, &err),
                  any_length ? ANORANK_OK : ANORANK_ERROR_USAGE);
    assert_text(settings, row->name, any_length ? wrong : row->default_value);
    if (!any_length) assert_string_equal(err.setting, row->name);
    if (row->kind == ANORANK_SETTING_REAL || row->kind == ANORANK_SETTING_INTEGER) {
      double step = row->kind == ANORANK_SETTING_INTEGER ? 1 : row->high * 1e-9;
      assert_status(anorank_settings_set_number(settings, row->name, row->high + step, NULL),
                    ANORANK_ERROR_USAGE);
      assert_status(anorank_settings_set_number(settings, row->name, row->low - 1, NULL),
                    ANORANK_ERROR_USAGE);
      assert_status(anorank_settings_set_number(settings, row->name, NAN, NULL), ANORANK_ERROR_USAGE);
      assert_ok(anorank_settings_set_number(settings, row->name, row->high, NULL));
      assert_true(anorank_settings_number(settings, row->name) == row->high);
      assert_ok(anorank_settings_set_number(settings, row->name, row->low, NULL));
      assert_true(anorank_settings_number(settings, row->name) == row->low);
    }
  }
}

TEST(wrong_values_are_refused_with_words_and_change_nothing) {
  const char *wrong[][3] = {
      {"threads", "-1", "setting-value setting=threads"},
      {"threads", "2x", "setting-value setting=threads"},
      {"threads", " 2", "setting-value setting=threads"},
      {"threads", "", "setting-value setting=threads"},
      {"threads", "99999999999999999999", NULL},
      {"threads", "-", NULL},
      {"seed", "-1", "setting-value setting=seed"},
      {"seed", "18446744073709551616", NULL},
      {"level", "nan", "setting-value setting=level"},
      {"level", "0.4", NULL},
      {"level", "0,9", NULL},
      {"level", "0.9 ", NULL},
      {"level", "0x1p-1", NULL},
      {"sigma", "inf", NULL},
      {"max-memory", "2X", "setting-value setting=max-memory"},
      {"max-memory", "9999999999T", NULL},
      {"max-memory", "G", NULL},
      {"ties", "xls", "setting-value setting=ties"},
      {"format", "", NULL},
      {"format", "csv|tsv", NULL},
      {"delimiter", "12345678", "setting-value setting=delimiter"},
      {"no-such", "1", "setting-unknown"},
  };
  scoped_settings *settings = fresh();
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    anorank_error err = {0};
    assert_status(anorank_settings_set(settings, wrong[k][0], wrong[k][1], &err), ANORANK_ERROR_USAGE);
    assert_same(settings, NULL);
    if (wrong[k][2]) assert_error(&err, wrong[k][2]);
  }
}

TEST(numbers_are_set_and_got_as_numbers) {
  scoped_settings *settings = fresh();
  assert_ok(anorank_settings_set(settings, "max-memory", "3G", NULL));
  assert_true(anorank_settings_integer(settings, "max-memory") == (int64_t)3 << 30);
  assert_ok(anorank_settings_set_number(settings, "ties", ANORANK_TIES_MAX, NULL));
  assert_text(settings, "ties", "max");
  assert_int_equal(anorank_settings_integer(settings, "ties"), ANORANK_TIES_MAX);
  assert_status(anorank_settings_set_number(settings, "ties", 2, NULL), ANORANK_ERROR_USAGE);
  assert_status(anorank_settings_set_number(settings, "ties", -1, NULL), ANORANK_ERROR_USAGE);
  assert_ok(anorank_settings_set_number(settings, "truncated-u0", 0.123456789012345678, NULL));
  assert_true(anorank_settings_number(settings, "truncated-u0") == 0.123456789012345678);
  assert_text(settings, "truncated-u0", "0.12345678901234568");
  assert_status(anorank_settings_set_number(settings, "threads", 2.5, NULL), ANORANK_ERROR_USAGE);
  assert_ok(anorank_settings_set_number(settings, "threads", 2, NULL));
  assert_int_equal(anorank_settings_integer(settings, "threads"), 2);
  assert_string_equal(anorank_settings_text(settings, "law"), "gaussian");
  assert_null(anorank_settings_text(settings, "threads"));
  assert_null(anorank_settings_text(settings, "no-such"));
  assert_true(isnan(anorank_settings_number(settings, "no-such")));
  assert_true(anorank_settings_get(settings, "no-such", NULL, 0) == SIZE_MAX);
  char little[4];
  assert_int_equal(anorank_settings_get(settings, "law", little, sizeof little), strlen("gaussian"));
  assert_string_equal(little, "gau");
}

TEST(lists_are_of_any_length_and_owned) {
  enum { LENGTH = 3000000 };
  anorank_settings *settings = fresh(), *copy;
  char *list = test_memory(LENGTH + 1);
  for (size_t i = 0; i < LENGTH; i++) list[i] = i % 9 == 8 ? ',' : (char)('a' + i % 7);
  list[LENGTH] = '\0';
  assert_ok(anorank_settings_set(settings, "drop", list, NULL));
  assert_ok(anorank_settings_set(settings, "drop", anorank_settings_text(settings, "drop") + 9, NULL));
  assert_ok(anorank_settings_new(&copy, settings, NULL));
  assert_ok(anorank_settings_set(settings, "drop", "", NULL));
  anorank_settings_free(settings);
  assert_string_equal(anorank_settings_text(copy, "drop"), list + 9);
  memset(list, 'z', LENGTH);
  assert_int_equal(anorank_settings_text(copy, "drop")[0], 'a' + 9 % 7);
  anorank_settings_free(copy);
  anorank_settings_free(NULL);
}

static int stop(void *context, double share, const char *what) {
  (void)share, (void)what;
  return *(int *)context;
}

TEST(a_copy_keeps_values_and_callback_and_a_held_one_no_callback) {
  int answer = 1;
  anorank_settings *settings = fresh(), *copy, held;
  anorank_settings_on_progress(settings, stop, &answer);
  assert_ok(anorank_settings_set(settings, "id", "a,b", NULL));
  assert_ok(anorank_settings_set(settings, "seed", "18446744073709551615", NULL));
  assert_ok(anorank_settings_new(&copy, settings, NULL));
  assert_ok(ank_settings_hold(&held, settings, NULL));
  assert_same(copy, settings);
  assert_same(&held, settings);
  assert_true(copy->progress == stop && copy->progress_context == &answer);
  assert_null(held.progress);
  anorank_settings_free(settings);
  assert_string_equal(held.id, "a,b");
  ank_settings_release(&held);
  ank_settings_release(&held); /* zeroed now */
  anorank_settings_free(copy);
}

TEST(a_copy_by_value_cannot_hurt_the_owner) {
  anorank_settings *settings = fresh(), copy;
  assert_ok(anorank_settings_set(settings, "id", "a,b", NULL));
  copy = *settings;
  assert_ok(anorank_settings_set(&copy, "id", "c", NULL)); /* borrowed: nothing is freed */
  ank_settings_release(&copy);
  assert_text(settings, "id", "a,b");
  anorank_settings_free(settings);
}

TEST(failing_memory_leaves_settings_as_they_were) {
  scoped_settings *settings = fresh();
  const char file[] = "id = c\nseed = 4\ndrop = d,e\n";
  assert_ok(anorank_settings_set(settings, "id", "a", NULL));
  assert_ok(anorank_settings_set(settings, "lambda", "1", NULL));
  size_t failures = 0;
  for (size_t k = 1;; k++) {
    ank_alloc_fail_at(k);
    anorank_status status = anorank_settings_parse(settings, file, strlen(file), NULL);
    ank_alloc_fail_at(0);
    if (status == ANORANK_OK) break;
    assert_status(status, ANORANK_ERROR_RESOURCES);
    assert_text(settings, "id", "a");
    assert_text(settings, "drop", "");
    failures++;
  }
  assert_true(failures > 4);
  assert_text(settings, "id", "c");
  assert_text(settings, "drop", "d,e");
}

TEST(a_settings_file_is_all_or_nothing) {
  scoped_settings *settings = fresh();
  anorank_error err = {0};
  int answer = 0;
  anorank_settings_on_progress(settings, stop, &answer);
  const char bad[] = "seed = 12\nid = a\nthreads = many\n";
  assert_fails(anorank_settings_parse(settings, bad, strlen(bad), &err), ANORANK_ERROR_USAGE,
               "setting-value line=3 setting=threads");
  assert_same(settings, NULL);
  const char shapeless[] = "seed 12";
  assert_fails(anorank_settings_parse(settings, shapeless, strlen(shapeless), &err), ANORANK_ERROR_USAGE,
               "settings-line-form");
  assert_status(anorank_settings_parse(settings, "id = a\0b", 8, &err), ANORANK_ERROR_USAGE);
  assert_same(settings, NULL);
  assert_ok(anorank_settings_parse(settings, NULL, 0, &err));
  const char good[] = "# comment\n\n seed = 12 \r\nlaw=radial\nmissing = NA, none\n   \nties=max";
  assert_ok(anorank_settings_parse(settings, good, strlen(good), &err));
  assert_text(settings, "seed", "12");
  assert_text(settings, "missing", "NA, none");
  assert_text(settings, "ties", "max");
  assert_true(settings->progress == stop && settings->progress_context == &answer);
}
