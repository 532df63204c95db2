/* The settings that rows for a model are read with: its identifiers keep their text, its cells their meaning. */
#include "support/models.h"

/* A model with the identifiers "a,b" and "c\d". */
static anorank_model *model_with_ids(void) {
  static const char *const names[] = {"a,b", "c\\d"};
  anorank_settings settings = model_settings();
  scoped_table *table = model_table(60, 4, 1);
  anorank_model *model;
  for (size_t j = 0; j < 2; j++) assert_ok(ank_table_set_name(table, j, names[j], 3, NULL));
  settings.id = "a\\,b, c\\d";
  settings.missing = "n.a.";
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  return model;
}

/* `keep` after it was `before`. */
static void expect_keep(const anorank_model *model, const char *before, const char *after) {
  scoped_settings *settings;
  assert_ok(anorank_settings_new(&settings, NULL, NULL));
  assert_ok(anorank_settings_set(settings, "keep", before, NULL));
  for (int time = 0; time < 2; time++) {
    assert_ok(anorank_settings_prepare_reading(settings, model, NULL));
    assert_string_equal(anorank_settings_text(settings, "keep"), after);
  }
}

TEST(identifiers_of_the_model_join_keep_once_whatever_their_names) {
  scoped_model *model = model_with_ids();
  expect_keep(model, "", "a\\,b,c\\\\d");
  expect_keep(model, "x, y", "x, y,a\\,b,c\\\\d");
  expect_keep(model, "c\\d", "c\\d,a\\,b");
  expect_keep(model, "all", "all");
}

TEST(cells_mean_what_they_meant_at_the_fit_unless_the_settings_say_otherwise) {
  scoped_model *model = model_with_ids();
  scoped_settings *settings;
  assert_ok(anorank_settings_new(&settings, NULL, NULL));
  assert_ok(anorank_settings_prepare_reading(settings, model, NULL));
  assert_string_equal(anorank_settings_text(settings, "missing"), "n.a.");
  assert_ok(anorank_settings_set(settings, "missing", "-", NULL));
  assert_ok(anorank_settings_prepare_reading(settings, model, NULL));
  assert_string_equal(anorank_settings_text(settings, "missing"), "-");
}

TEST(before_a_fit_the_columns_of_id_keep_their_text) {
  anorank_settings *settings;
  assert_ok(anorank_settings_new(&settings, NULL, NULL));
  assert_ok(anorank_settings_set(settings, "id", "a\\,b", NULL));
  assert_ok(anorank_settings_prepare_reading(settings, NULL, NULL));
  assert_string_equal(anorank_settings_text(settings, "keep"), "a\\,b");
  anorank_settings_free(settings);
  assert_status(anorank_settings_prepare_reading(NULL, NULL, NULL), ANORANK_ERROR_USAGE);
}
