/* Models with entities and times: what they refuse, and the row order of their tests. */
#include <stdlib.h>

#include "core/rng.h"
#include "core/settings.h"
#include "model/model.h"
#include "support/check.h"

enum { ROWS = 300, COLUMNS = 4 };

/* t, x and y of one series, w independent; in the order of time or in none. */
static anorank_table *series(int shuffled) {
  static const char *const names[] = {"t", "x", "y", "w"};
  double cells[ROWS][COLUMNS], walk = 0;
  anorank_table *table;
  size_t place[ROWS];
  ank_rng rng;
  ank_rng_open(&rng, 3, ANK_STREAM_REPORT, 1);
  for (size_t i = 0; i < ROWS; i++) {
    size_t with = shuffled ? (size_t)ank_rng_below(&rng, i + 1) : i;
    if (with < i) place[i] = place[with];
    place[with] = i;
  }
  for (size_t i = 0; i < ROWS; i++) {
    size_t to = place[i];
    walk = 0.98 * walk + 0.3 * ank_rng_normal(&rng);
    cells[to][0] = (double)i;
    cells[to][1] = walk;
    cells[to][2] = walk + 0.1 * ank_rng_normal(&rng);
    cells[to][3] = ank_rng_normal(&rng);
  }
  assert_ok(anorank_table_from_matrix(&table, cells[0], ROWS, COLUMNS, COLUMNS, 1, names, NULL));
  return table;
}

static anorank_model *fit(const anorank_table *table, const char *time, const char *drop) {
  anorank_settings settings;
  anorank_model *model = NULL;
  ank_settings_default(&settings);
  settings.time = time;
  settings.drop = drop;
  settings.scorer = "mahalanobis";
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  return model;
}

TEST(a_time_column_is_the_order_of_the_test_of_dependence) {
  scoped_table *table = series(1);
  scoped_model *model = fit(table, "t", ""), *plain = fit(table, "", "t");
  const anorank_dependence *found = anorank_model_get_info(model)->dependence;
  assert_true(found->tested && found->dependent);
  assert_string_equal(found->entity, "");
  assert_false(anorank_model_get_info(plain)->dependence->dependent);
}

TEST(a_model_with_times_refuses_rows_without_those_before_them) {
  static const anorank_field fields[] = {{.name = "t"}, {.name = "x"}, {.name = "y"}, {.name = "w"}};
  scoped_table *table = series(0);
  scoped_model *model = fit(table, "t", "");
  scoped_table *scores = NULL;
  anorank_scorer *scorer = NULL;
  anorank_error err = {0};
  assert_ok(anorank_model_score_table(&scores, model, table, 1, NULL, &err));
  anorank_table *later = NULL;
  assert_status(anorank_model_score_table(&later, model, table, 2, NULL, &err), ANORANK_ERROR_USAGE);
  assert_error(&err, "context-needs-table");
  assert_status(anorank_scorer_new(&scorer, model, fields, COLUMNS, &err), ANORANK_ERROR_USAGE);
  assert_error(&err, "context-needs-table");
  assert_null(scorer);
}

TEST(stretches_are_the_calibration_scores_in_the_order_of_time) {
  scoped_table *sorted = series(0), *shuffled = series(1);
  scoped_model *model = fit(sorted, "t", ""), *plain = fit(sorted, "", "t"), *again = NULL,
               *other = fit(shuffled, "t", "");
  unsigned char *seen = test_memory(ROWS);
  ank_bytes bytes = {0};
  assert_int_equal(plain->stretches.count, 0);
  assert_int_equal(model->stretches.count, ROWS);
  assert_int_equal(model->stretches.count, model->calibration_count);
  for (size_t i = 0; i < ROWS; i++) seen[i] = 0;
  for (size_t i = 0; i < ROWS; i++) {
    assert_int_equal(model->stretches.place[i] & 1, i == 0); /* one series without holes */
    assert_false(seen[model->stretches.place[i] / 2]++);
  }
  assert_int_equal(other->stretches.count, ROWS);
  assert_ok(anorank_model_save(model, ANORANK_TO_MEMORY(&bytes.data, &bytes.length, "m"), NULL));
  assert_ok(ank_model_load(&again, bytes.data, bytes.length, "m", NULL));
  assert_memory_equal(again->stretches.place, model->stretches.place, ROWS * sizeof(uint32_t));
  ank_bytes_free(&bytes);
}

TEST(stretches_that_point_beyond_the_scores_are_refused) {
  scoped_table *table = series(0);
  scoped_model *model = fit(table, "t", ""), *again = NULL;
  ank_bytes bytes = {0};
  anorank_error err = {0};
  model->stretches.place[7] = 2 * ROWS;
  assert_ok(anorank_model_save(model, ANORANK_TO_MEMORY(&bytes.data, &bytes.length, "m"), NULL));
  assert_int_equal(ank_model_load(&again, bytes.data, bytes.length, "m", &err), ANORANK_ERROR_MODEL);
  assert_string_equal(err.code, "model-calibration");
  ank_bytes_free(&bytes);
}
