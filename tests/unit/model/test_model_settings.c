/* Settings in a model file: all that shape a fit are stated, and a default that changes later changes no
 * model. */
#include "model/model.h"
#include "model/model_settings.h"
#include "support/check.h"
#include "support/models.h"

TEST(every_setting_that_belongs_has_a_frozen_value_and_no_other) {
  scoped_settings *settings;
  assert_ok(anorank_settings_new(&settings, NULL, NULL));
  for (size_t i = 0; anorank_setting_at(i); i++) {
    const anorank_setting *setting = anorank_setting_at(i);
    const char *value = ank_model_settings_unstated(setting->name);
    if ((value != NULL) != ank_model_settings_belongs(setting))
      print_error("%s: see the table in src/model/model_settings.c\n", setting->name);
    assert_true((value != NULL) == ank_model_settings_belongs(setting));
    if (value) assert_ok(anorank_settings_set(settings, setting->name, value, NULL));
  }
}

static void load(anorank_settings *settings, const ank_bytes *bytes) {
  ank_cursor cursor = {.data = bytes->data, .length = bytes->length};
  memset(settings, 0, sizeof *settings);
  assert_ok(ank_model_settings_load(settings, &cursor, 0, NULL));
}

/* The defaults are one object of the process; a later version is one in which it differs. */
static void set_default(int64_t trees, double ratio) {
  union {
    const anorank_settings *lent;
    anorank_settings *changed;
  } defaults = {ank_settings_defaults()};
  defaults.changed->trees = trees;
  defaults.changed->contrast_ratio = ratio;
}

TEST(a_default_that_changes_changes_neither_old_nor_new_models) {
  ank_bytes stated = {0}, unstated = {0};
  anorank_settings today, read;
  ank_settings_default(&today);
  assert_int_equal(today.trees, 100);
  assert_ok(
      ank_model_settings_save(&today, &stated, NULL)); /* a file of today, which states that it is 100 */
  set_default(7, 2.5);
  load(&read, &stated);
  assert_int_equal(read.trees, 100);
  assert_true(read.contrast_ratio == 1);
  ank_settings_release(&read);
  load(&read, &unstated); /* a file of version 0.1 that was fitted with its defaults */
  assert_int_equal(read.trees, 100);
  assert_true(read.contrast_ratio == 1);
  ank_settings_release(&read);
  ank_settings_default(&today);
  assert_int_equal(today.trees, 7);
  scoped_bytes later = {0};
  assert_ok(ank_model_settings_save(&today, &later, NULL)); /* a file of the later version */
  set_default(100, 1);
  load(&read, &later);
  assert_int_equal(read.trees, 7);
  assert_true(read.contrast_ratio == 2.5);
  ank_settings_release(&read);
  ank_bytes_free(&stated);
}

/* `--missing n.a.` meant that word alone; now it adds one. */
TEST(a_list_of_missing_words_of_an_old_file_still_replaces_the_usual_ones) {
  static const char *const stated[] = {"n.a.,-999", ""}, *const meant[] = {"=n.a.,-999", "="};
  for (size_t i = 0; i < 2; i++) {
    for (int old = 0; old < 2; old++) {
      scoped_bytes bytes = {0};
      anorank_settings read = {0};
      assert_ok(ank_bytes_put_text(&bytes, "missing", NULL));
      assert_ok(ank_bytes_put_text(&bytes, stated[i], NULL));
      ank_cursor cursor = {.data = bytes.data, .length = bytes.length};
      assert_ok(ank_model_settings_load(&read, &cursor, old, NULL));
      assert_string_equal(read.missing, old ? meant[i] : stated[i]);
      ank_settings_release(&read);
    }
  }
  /* a file that does not state it was fitted with the usual ones */
  ank_bytes unstated = {0};
  anorank_settings read = {0};
  ank_cursor cursor = {.data = unstated.data, .length = 0};
  assert_ok(ank_model_settings_load(&read, &cursor, 1, NULL));
  assert_string_equal(read.missing, "");
  ank_settings_release(&read);
}

TEST(lists_of_any_length_come_back) {
  static char list[200001];
  scoped_bytes bytes = {0};
  anorank_settings settings, read;
  memset(list, 'n', sizeof list - 1);
  ank_settings_default(&settings);
  settings.drop = list;
  assert_ok(ank_model_settings_save(&settings, &bytes, NULL));
  load(&read, &bytes);
  assert_string_equal(read.drop, list);
  ank_settings_release(&read);
}
