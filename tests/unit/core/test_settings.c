/* The settings table: every row is consistent, every value survives a round trip, every refusal says why. */
#include "core/format_names.h"
#include "support/check.h"

#include <string.h>

static anorank_settings defaults(void) {
  anorank_settings settings;
  anorank_settings_default(&settings);
  return settings;
}

static void every_row_is_complete_and_its_default_is_allowed(void **state) {
  (void)state;
  anorank_settings settings = defaults();
  assert_true(anorank_setting_count() > 10);
  for (size_t i = 0; i < anorank_setting_count(); i++) {
    const anorank_setting *row = anorank_setting_at(i);
    assert_ptr_equal(anorank_setting_find(row->name), row); /* so names are unique */
    assert_true(row->help[0] != '\0' && row->help[strlen(row->help) - 1] != '.');
    assert_true(strlen(row->placeholder) > 0);
    assert_true(row->applies_to != 0);
    assert_true(row->low <= row->high);
    assert_true((row->kind == ANORANK_SETTING_CHOICE) == (row->choices != NULL));
    assert_true(row->offset < sizeof settings);
    assert_ok(anorank_settings_set(&settings, row->name, row->default_value, NULL));
  }
  assert_null(anorank_setting_at(anorank_setting_count()));
  assert_null(anorank_setting_find("no-such"));
  assert_ok(anorank_settings_check(&settings, NULL));
}

static void no_two_rows_share_a_field(void **state) {
  (void)state;
  for (size_t i = 0; i < anorank_setting_count(); i++)
    for (size_t j = 0; j < i; j++)
      assert_true(anorank_setting_at(i)->offset != anorank_setting_at(j)->offset);
}

static void text_of_every_value_reads_back_to_the_same_bytes(void **state) {
  (void)state;
  const char *values[][2] = {{"seed", "18446744073709551615"},
                             {"threads", "7"},
                             {"max-memory", "3G"},
                             {"format", "jsonl"},
                             {"header", "no"},
                             {"delimiter", ";"},
                             {"missing", "-,none"},
                             {"ties", "max"},
                             {"level", "0.1e1"},
                             {"truncated-u0", "0.123456789012345678"},
                             {"law", "radial"}};
  anorank_settings changed = defaults();
  for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
    anorank_status status = anorank_settings_set(&changed, values[k][0], values[k][1], NULL);
    assert_status(status, strcmp(values[k][0], "level") == 0 ? ANORANK_ERROR_USAGE : ANORANK_OK);
  }
  anorank_settings again = defaults();
  for (size_t i = 0; i < anorank_setting_count(); i++) {
    char text[2048];
    const anorank_setting *row = anorank_setting_at(i);
    assert_true(anorank_settings_get(&changed, row, text, sizeof text) < sizeof text);
    assert_ok(anorank_settings_set(&again, row->name, text, NULL));
  }
  assert_memory_equal(&changed, &again, sizeof changed);
  assert_true(again.seed == UINT64_MAX);
  assert_true(again.max_memory == (int64_t)3 << 30);
  assert_int_equal(again.format, ANK_FORMAT_jsonl);
  assert_true(again.truncated_u0 == 0.123456789012345678);
}

static void wrong_values_are_refused_and_change_nothing(void **state) {
  (void)state;
  const char *wrong[][3] = {
      {"threads", "-1", "threads is \"-1\"; it takes a whole number from 0 to 256"},
      {"threads", "2x", "threads is \"2x\"; it takes a whole number from 0 to 256"},
      {"threads", " 2", "threads is \" 2\"; it takes a whole number from 0 to 256"},
      {"threads", "", "threads is \"\"; it takes a whole number from 0 to 256"},
      {"threads", "99999999999999999999", NULL},
      {"seed", "-1", "seed is \"-1\"; it takes a whole number from 0 to 18446744073709551615"},
      {"seed", "18446744073709551616", NULL},
      {"level", "nan", "level is \"nan\"; it takes a number from 0.5 to 0.9999"},
      {"level", "0.4", NULL},
      {"level", "0.9 ", NULL},
      {"max-memory", "2X", "max-memory is \"2X\"; it takes a size such as 512M or 2G"},
      {"max-memory", "9999999999T", NULL},
      {"max-memory", "G", NULL},
      {"format", "xls", "input-format is \"xls\"; it takes one of auto|csv|tsv|npy|npz|jsonl"},
      {"format", "", NULL},
      {"format", "csv|tsv", NULL},
      {"delimiter", "12345678", "delimiter is \"12345678\"; it takes at most 7 bytes of text"},
      {"no-such", "1", "there is no setting \"no-such\"; check its spelling"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    anorank_settings settings = defaults(), before = settings;
    anorank_error err = {0};
    assert_status(anorank_settings_set(&settings, wrong[k][0], wrong[k][1], &err), ANORANK_ERROR_USAGE);
    assert_memory_equal(&settings, &before, sizeof before);
    if (wrong[k][2]) assert_string_equal(err.message, wrong[k][2]);
  }
}

static void a_settings_file_is_all_or_nothing(void **state) {
  (void)state;
  anorank_settings settings = defaults(), before = settings;
  anorank_error err = {0};
  const char good[] = "# comment\n\n seed = 12 \r\nlaw=radial\nmissing = NA, none\n   \nties=max";
  assert_ok(anorank_settings_parse(&settings, good, strlen(good), &err));
  assert_true(settings.seed == 12);
  assert_string_equal(settings.missing, "NA, none");
  assert_int_equal(settings.ties, ANORANK_TIES_MAX);
  settings = before;
  const char bad[] = "seed = 12\nthreads = many\n";
  assert_status(anorank_settings_parse(&settings, bad, strlen(bad), &err), ANORANK_ERROR_USAGE);
  assert_string_equal(err.message,
                      "settings, line 2: threads is \"many\"; it takes a whole number from 0 to 256");
  assert_memory_equal(&settings, &before, sizeof before);
  const char shapeless[] = "seed 12";
  assert_status(anorank_settings_parse(&settings, shapeless, strlen(shapeless), &err), ANORANK_ERROR_USAGE);
  assert_string_equal(err.message, "settings, line 1: \"seed 12\" is not of the form name = value; correct "
                                   "it, or put a # before a remark");
  const char crossed[] = "band-from = 0.9\nband-to = 0.1\n";
  assert_status(anorank_settings_parse(&settings, crossed, strlen(crossed), &err), ANORANK_ERROR_USAGE);
  assert_ok(anorank_settings_parse(&settings, NULL, 0, &err));
}

static void settings_filled_in_by_hand_are_checked(void **state) {
  (void)state;
  anorank_error err = {0};
  anorank_settings settings = defaults();
  settings.ties = 7;
  assert_status(anorank_settings_check(&settings, &err), ANORANK_ERROR_USAGE);
  assert_string_equal(err.message, "ties is \"7\"; it takes one of mid|max");
  settings = defaults();
  settings.level = NAN;
  assert_status(anorank_settings_check(&settings, &err), ANORANK_ERROR_USAGE);
  settings = defaults();
  memset(settings.law, 'x', sizeof settings.law);
  assert_status(anorank_settings_check(&settings, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_settings_check(NULL, &err), ANORANK_ERROR_USAGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_complete_and_its_default_is_allowed),
      cmocka_unit_test(no_two_rows_share_a_field),
      cmocka_unit_test(text_of_every_value_reads_back_to_the_same_bytes),
      cmocka_unit_test(wrong_values_are_refused_and_change_nothing),
      cmocka_unit_test(a_settings_file_is_all_or_nothing),
      cmocka_unit_test(settings_filled_in_by_hand_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
