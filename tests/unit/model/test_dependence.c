/* Are rows exchangeable, and which columns only count them? */
#include "model/dependence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "core/settings.h"
#include "model/model.h"
#include "support/check.h"

enum { ROWS = 400, COLUMNS = 3 };

typedef enum { NOISE, WALK, SORTED, COUNTER } made_kind;

/* Columns a, b, c. NOISE: independent rows. WALK: a random walk and noise on it. SORTED: independent rows in the order
 * of a, which b follows. COUNTER: a rises by uneven steps, the others are noise. */
static anorank_table *make(made_kind kind, size_t rows, uint64_t seed) {
  static const char *const names[] = {"a", "b", "c"};
  double *cells = malloc(rows * COLUMNS * sizeof *cells), walk = 0, sum = 0;
  anorank_table *table;
  ank_rng rng;
  assert_non_null(cells);
  ank_rng_open(&rng, seed, 77, 0);
  for (size_t i = 0; i < rows; i++) {
    double *row = cells + i * COLUMNS, z = ank_rng_normal(&rng), e = ank_rng_normal(&rng);
    walk += 0.3 * ank_rng_normal(&rng);
    sum += 1 + ank_rng_uniform(&rng);
    double rank = ((double)i + 0.5) / (double)rows, sorted = -log(1 - rank);
    row[0] = kind == WALK ? walk : kind == SORTED ? sorted : kind == COUNTER ? sum : z;
    row[1] = kind == WALK ? walk + 0.3 * e : kind == SORTED ? sorted + e : e;
    row[2] = ank_rng_normal(&rng);
  }
  assert_ok(anorank_table_from_matrix(&table, cells, rows, COLUMNS, COLUMNS, 1, names, NULL));
  free(cells);
  return table;
}

static anorank_dependence test_of(made_kind kind, size_t rows, uint64_t seed) {
  static const size_t used[] = {0, 1, 2};
  anorank_settings settings;
  anorank_dependence found;
  anorank_table *table = make(kind, rows, seed);
  ank_settings_default(&settings);
  assert_ok(ank_dependence_test(&found, table,
                                &(ank_dependence_columns){.used = used, .used_count = 3, .time = SIZE_MAX},
                                &settings, NULL));
  anorank_table_free(table);
  return found;
}

TEST(rows_in_no_order_are_independent) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    anorank_dependence found = test_of(NOISE, ROWS, seed);
    assert_true(found.tested && !found.dependent);
    assert_true(fabs(found.nearness - 0.5) < 0.1);
    assert_int_equal(found.reach, 0);
  }
}

TEST(a_random_walk_depends_on_its_order_as_far_as_it_remembers) {
  anorank_dependence found = test_of(WALK, ROWS, 1);
  assert_true(found.dependent && found.z > 10 && found.nearness < 0.3);
  assert_true(found.reach >= 4);
}

TEST(independent_rows_that_were_sorted_by_a_measurement_stay_independent) {
  for (uint64_t seed = 0; seed < 5; seed++) assert_int_equal(test_of(SORTED, 2000, seed).dependent, 0);
}

TEST(fewer_than_a_hundred_rows_are_not_tested) {
  assert_int_equal(test_of(WALK, 99, 1).tested, 0);
  assert_int_equal(test_of(WALK, 100, 1).tested, 1);
}

/* Each account has its own level in the first columns; the rows of all accounts are mixed. */
static anorank_dependence accounts(size_t count, size_t alike, double spread) {
  enum { ALL = 3000 };
  static const char *const names[] = {"account", "amount", "distance", "hour"};
  static const size_t used[] = {1, 2, 3}, entities[] = {0};
  static double cells[ALL * 4];
  anorank_settings settings;
  anorank_dependence found;
  anorank_table *table;
  ank_rng rng;
  ank_settings_default(&settings);
  ank_rng_open(&rng, 3, 77, 1);
  for (size_t i = 0; i < ALL; i++) {
    double account = cells[4 * i] = (double)ank_rng_below(&rng, count);
    for (size_t j = 1; j < 4; j++)
      cells[4 * i + j] = (j <= alike ? 3 * sin(7 * account * (double)j) : 0) + spread * ank_rng_normal(&rng);
  }
  assert_ok(anorank_table_from_matrix(&table, cells, ALL, 4, 4, 1, names, NULL));
  assert_ok(ank_dependence_test(
      &found, table,
      &(ank_dependence_columns){
          .used = used, .used_count = 3, .entities = entities, .entity_count = 1, .time = SIZE_MAX},
      &settings, NULL));
  anorank_table_free(table);
  return found;
}

TEST(rows_of_few_entities_that_resemble_each_other_are_found) {
  anorank_dependence found = accounts(40, 1, 0.5);
  assert_true(found.dependent);
  assert_string_equal(found.entity, "account");
}

TEST(many_entities_count_only_where_their_own_rows_are_the_nearest) {
  assert_true(accounts(300, 3, 0.1).dependent);
  assert_false(accounts(300, 1, 0.5).dependent);
}

static unsigned char clock_in(made_kind kind) {
  unsigned char marks[COLUMNS] = {1, 1, 1};
  anorank_settings settings;
  anorank_table *table = make(kind, 1000, 2);
  ank_settings_default(&settings);
  assert_ok(ank_clocks_find(marks, table, &settings, NULL));
  anorank_table_free(table);
  assert_int_equal(marks[1] + marks[2], 0);
  return marks[0];
}

TEST(a_column_that_counts_rows_is_a_clock_and_a_sorted_measurement_is_not) {
  assert_int_equal(clock_in(COUNTER), 1);
  assert_int_equal(clock_in(SORTED), 0);
  assert_int_equal(clock_in(NOISE), 0);
}

/* Three machines one after another; `step` counts the rows of each, or holds sorted values. */
static unsigned char clock_of_machines(int counts) {
  enum { ALL = 600 };
  char text[ALL * 40] = "machine,step,load\n";
  size_t used = strlen(text);
  unsigned char marks[3] = {1, 1, 1};
  anorank_settings settings;
  anorank_table *table;
  ank_rng rng;
  ank_rng_open(&rng, 6, 77, 2);
  for (size_t i = 0; i < ALL; i++) {
    double at = (double)(i % 200), sorted = at + 0.9 * ank_rng_uniform(&rng);
    used += (size_t)snprintf(text + used, sizeof text - used, "m%zu,%.3f,%.3f\n", i / 200,
                             counts ? 3000 * (double)(i / 200 == 1) + at : sorted, ank_rng_normal(&rng));
  }
  ank_settings_default(&settings);
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "fleet"), &settings, NULL));
  assert_ok(ank_clocks_find(marks, table, &settings, NULL));
  anorank_table_free(table);
  assert_int_equal(marks[0] + marks[2], 0);
  return marks[1];
}

TEST(a_column_that_counts_the_rows_of_each_machine_is_a_clock) {
  assert_int_equal(clock_of_machines(1), 1);
  assert_int_equal(clock_of_machines(0), 0);
}

static anorank_role role_of_a(const char *columns) {
  anorank_settings settings;
  anorank_model *model;
  anorank_table *table = make(COUNTER, ROWS, 4);
  ank_settings_default(&settings);
  settings.columns = columns;
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  anorank_role role = anorank_model_column_at(model, 0)->role;
  anorank_model_free(model);
  anorank_table_free(table);
  return role;
}

TEST(a_clock_is_shown_and_not_learned_from_unless_it_is_named) {
  assert_int_equal(role_of_a(""), ANORANK_ROLE_ID);
  assert_int_equal(role_of_a("a,b"), ANORANK_ROLE_NUMERIC);
}

TEST(a_model_keeps_the_test_of_its_rows) {
  anorank_settings settings;
  anorank_model *model, *loaded;
  ank_bytes file = {0};
  anorank_table *table = make(WALK, ROWS, 5);
  ank_settings_default(&settings);
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  const anorank_dependence *found = anorank_model_get_info(model)->dependence;
  assert_true(found->tested && found->dependent);
  assert_ok(anorank_model_save(model, ANORANK_TO_MEMORY(&file.data, &file.length, "m"), NULL));
  assert_ok(anorank_model_load(&loaded, ANORANK_FROM_MEMORY(file.data, file.length, "m"), NULL));
  assert_memory_equal(anorank_model_get_info(loaded)->dependence, found, sizeof *found);
  ank_bytes_free(&file);
  anorank_model_free(model);
  anorank_model_free(loaded);
  anorank_table_free(table);
}
