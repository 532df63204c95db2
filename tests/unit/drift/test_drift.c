/* Two tables of one distribution, and tables that differ in one known way. */
#include "core/rng.h"
#include "drift/drift.h"
#include "support/check.h"
#include "support/notes.h"

TEST_SCOPED(drift, anorank_drift, anorank_drift_free)
#define scoped_drift scoped(drift) anorank_drift

enum { ROWS = 400 };

/* Rows of two correlated numbers, a third, and a category; arguments choose what differs. */
typedef struct making {
  double shift, factor, correlation, missing, rare;
  const char *rare_level;
} making;

static anorank_table *make(making how, size_t rows, uint64_t seed) {
  char *text;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  anorank_table *table;
  ank_rng rng;
  ank_rng_open(&rng, seed, 99, 0);
  fputs("a,b,c,kind\n", stream);
  for (size_t i = 0; i < rows; i++) {
    double a = ank_rng_normal(&rng),
           b = how.correlation * a + sqrt(1 - how.correlation * how.correlation) * ank_rng_normal(&rng);
    double c = ank_rng_normal(&rng), kind = ank_rng_uniform(&rng), gap = ank_rng_uniform(&rng);
    fprintf(stream, "%.6f,%.6f,", how.factor * a + how.shift, b);
    if (gap >= how.missing) fprintf(stream, "%.6f", c);
    fprintf(stream, ",%s\n", kind < how.rare ? how.rare_level : kind < 0.6 ? "red" : "blue");
  }
  fclose(stream);
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, length, "rows"), NULL, NULL));
  free(text);
  return table;
}

static const making usual = {.factor = 1, .correlation = 0.8};

static anorank_drift *compare(making old_way, making new_way, uint64_t seed) {
  scoped_table *old_rows = make(old_way, ROWS, 2 * seed), *new_rows = make(new_way, ROWS, 2 * seed + 1);
  anorank_settings settings = test_settings();
  anorank_drift *drift;
  anorank_error err = {0};
  settings.permutations = 199;
  settings.seed = seed;
  if (anorank_drift_make(&drift, old_rows, new_rows, &settings, &err) != ANORANK_OK)
    fail_msg("%s", err.message);
  return drift;
}

static void expect(making new_way, const char *column, anorank_change change) {
  scoped_drift *drift = compare(usual, new_way, 3);
  const anorank_drift_column *first = anorank_drift_column_at(drift, 0);
  char text[200];
  assert_true(anorank_drift_column_text(first, text, sizeof text) < sizeof text);
  assert_int_equal(strncmp(text, column, strlen(column)), 0); /* the sentence is about it */
  assert_string_equal(first->name, column);
  assert_int_equal(first->change, change);
  if (change == ANORANK_CHANGE_HIGHER) assert_true(first->median[1] > first->median[0]);
  if (change == ANORANK_CHANGE_LOWER) assert_true(first->median[1] < first->median[0]);
  if (change == ANORANK_CHANGE_WIDER)
    assert_true(first->high[1] - first->low[1] > first->high[0] - first->low[0]);
  if (change == ANORANK_CHANGE_NARROWER)
    assert_true(first->high[1] - first->low[1] < first->high[0] - first->low[0]);
  if (change == ANORANK_CHANGE_MISSING) assert_true(first->missing[0] == 0 && first->missing[1] > 0.2);
  if (change == ANORANK_CHANGE_NEW_LEVEL || change == ANORANK_CHANGE_LEVELS) {
    assert_string_equal(first->level, new_way.rare_level);
    assert_true((first->share[0] == 0) == (change == ANORANK_CHANGE_NEW_LEVEL) && first->share[1] > 0.2);
  }
  assert_true(first->p_value <= 0.05 && anorank_drift_get_info(drift)->p_value <= 0.05);
  assert_true(anorank_drift_get_info(drift)->separation.estimate > 0.5);
  for (size_t i = 1; i < anorank_drift_get_info(drift)->columns; i++)
    assert_true(anorank_drift_column_at(drift, i)->p_value > 0.05);
}

TEST(a_change_in_one_column_is_named) {
  making how = usual;
  how.shift = 0.8;
  expect(how, "a", ANORANK_CHANGE_HIGHER);
  how.shift = -0.8;
  expect(how, "a", ANORANK_CHANGE_LOWER);
  how = usual;
  how.factor = 3;
  expect(how, "a", ANORANK_CHANGE_WIDER);
  how.factor = 0.3;
  expect(how, "a", ANORANK_CHANGE_NARROWER);
  how = usual;
  how.missing = 0.3;
  expect(how, "c", ANORANK_CHANGE_MISSING);
  how = usual;
  how.rare = 0.25;
  how.rare_level = "green";
  expect(how, "kind", ANORANK_CHANGE_NEW_LEVEL);
  how.rare_level = "blue";
  expect(how, "kind", ANORANK_CHANGE_LEVELS);
}

TEST(a_change_in_how_columns_go_together_is_found) {
  making how = usual;
  how.correlation = -0.8;
  scoped_drift *drift = compare(usual, how, 5);
  double in_a_or_b = 0, elsewhere = 0;
  assert_true(anorank_drift_get_info(drift)->joint_p_value <= 0.01 &&
              anorank_drift_get_info(drift)->p_value <= 0.02);
  for (size_t i = 0; i < anorank_drift_get_info(drift)->columns; i++) {
    const anorank_drift_column *column = anorank_drift_column_at(drift, i);
    assert_true(column->p_value > 0.05);
    double *sum = column->name[0] == 'a' || column->name[0] == 'b' ? &in_a_or_b : &elsewhere;
    *sum += column->importance;
  }
  assert_true(in_a_or_b > 0.2 && fabs(elsewhere) < 0.1);
}

/* 60 pairs drawn alike: 3 are expected below .05 (a binomial law: 9 or more in one of 2,000 such tests). */
TEST(tables_drawn_alike_are_called_different_as_often_as_the_level_says) {
  size_t found = 0, joint = 0, columns = 0;
  for (uint64_t seed = 0; seed < 60; seed++) {
    scoped_drift *drift = compare(usual, usual, 100 + seed);
    found += anorank_drift_get_info(drift)->p_value <= 0.05;
    joint += anorank_drift_get_info(drift)->joint_p_value <= 0.05;
    columns += anorank_drift_column_at(drift, 0)->p_value <= 0.05;
  }
  assert_true(found <= 8 && joint <= 8 && columns <= 8);
}

TEST(a_choice_of_rows_is_equally_likely_for_all) {
  enum { N = 6, TIMES = 20000 };
  size_t count[1 << N] = {0};
  for (uint64_t k = 0; k < TIMES; k++) {
    unsigned char labels[N];
    size_t code = 0, chosen = 0;
    ank_drift_shuffle(labels, 2, N, 7, k);
    for (size_t i = 0; i < N; i++) code |= (size_t)labels[i] << i, chosen += labels[i];
    assert_int_equal(chosen, 2);
    count[code]++;
  }
  for (size_t a = 0; a < N; a++) /* 15 choices, 1333 times each, standard deviation 35 */
    for (size_t b = a + 1; b < N; b++)
      assert_true(fabs((double)count[1 << a | 1 << b] - TIMES / 15.0) < 5 * 35);
}

/* The largest difference of the shares up to a value, by the definition. */
TEST(distances_are_those_of_the_slow_way) {
  making how = usual;
  how.shift = 0.3;
  anorank_table *tables[2] = {make(usual, ROWS, 50), make(how, ROWS, 51)};
  anorank_drift *drift;
  double far = 0;
  assert_ok(anorank_drift_make(&drift, tables[0], tables[1], NULL, NULL));
  const double *a = anorank_table_numbers(tables[0], 0), *b = anorank_table_numbers(tables[1], 0);
  for (size_t i = 0; i < 2 * ROWS; i++) {
    double value = i < ROWS ? a[i] : b[i - ROWS], below[2] = {0, 0};
    for (size_t j = 0; j < ROWS; j++) below[0] += a[j] <= value, below[1] += b[j] <= value;
    far = fmax(far, fabs(below[0] - below[1]) / ROWS);
  }
  for (size_t i = 0; i < anorank_drift_get_info(drift)->columns; i++) {
    const anorank_drift_column *column = anorank_drift_column_at(drift, i);
    if (strcmp(column->name, "a") != 0) continue;
    assert_close(column->distance, far, 1e-6);
    assert_close(fabs(column->share[0] - column->share[1]), far, 1e-6);
  }
  anorank_drift_free(drift);
  for (int t = 0; t < 2; t++) anorank_table_free(tables[t]);
}

TEST(threads_change_nothing) {
  making how = usual;
  how.shift = 0.2;
  anorank_table *tables[2] = {make(usual, ROWS, 60), make(how, ROWS, 61)};
  anorank_drift *drift[2];
  for (int t = 0; t < 2; t++) {
    anorank_settings settings = test_settings();
    settings.threads = t ? 8 : 1;
    assert_ok(anorank_drift_make(&drift[t], tables[0], tables[1], &settings, NULL));
  }
  assert_true(drift[0]->joint_p_value == drift[1]->joint_p_value);
  assert_memory_equal(&drift[0]->separation, &drift[1]->separation, sizeof drift[0]->separation);
  for (size_t i = 0; i < drift[0]->columns; i++) {
    assert_true(drift[0]->column[i].p_value == drift[1]->column[i].p_value);
    assert_true(drift[0]->column[i].importance == drift[1]->column[i].importance);
  }
  for (int t = 0; t < 2; t++) {
    anorank_drift_free(drift[t]);
    anorank_table_free(tables[t]);
  }
}

static anorank_table *read_text(const char *text) {
  anorank_table *table;
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, strlen(text), "rows"), NULL, NULL));
  return table;
}

static void refuse(const char *old_text, const char *new_text, const char *words, const char *remedy) {
  anorank_table *tables[2] = {read_text(old_text), read_text(new_text)};
  anorank_drift *drift;
  anorank_error err = {0};
  assert_status(anorank_drift_make(&drift, tables[0], tables[1], NULL, &err), ANORANK_ERROR_DATA);
  assert_null(drift);
  assert_error(&err, words);
  const char *setting = "", *value = "";
  if (remedy) assert_true(anorank_error_remedy(&err, 0, &setting, &value));
  if (remedy) assert_string_equal(setting, remedy);
  for (int t = 0; t < 2; t++) anorank_table_free(tables[t]);
}

TEST(tables_that_cannot_be_compared_are_refused) {
  enum { LINES = 30 };
  char numbers[400] = "x\n", texts[400] = "x\n", others[400] = "y\n";
  for (int i = 0; i < LINES; i++) {
    snprintf(numbers + strlen(numbers), 8, "%d\n", i % 7);
    snprintf(texts + strlen(texts), 8, "%s\n", i % 2 ? "on" : "off");
    snprintf(others + strlen(others), 8, "%d\n", i % 5);
  }
  refuse("x\n1\n2\n3\n", numbers, "drift-too-few-rows", NULL);
  refuse(numbers, "x\n1\n2\n3\n", "drift-too-few-rows", NULL);
  refuse(numbers, texts, "drift-column-type column=x setting=categorical", "categorical");
  refuse(numbers, others, "drift-no-common-column", NULL);
}

TEST(columns_that_one_table_lacks_are_in_a_note) {
  enum { LINES = 40 };
  char old_text[1000] = "x,gone\n", new_text[1000] = "more,x\n";
  for (int i = 0; i < LINES; i++) {
    snprintf(old_text + strlen(old_text), 16, "%d,%d\n", i * 7 % 11, i % 3);
    snprintf(new_text + strlen(new_text), 16, "%d,%d\n", i % 3, i * 7 % 11);
  }
  anorank_table *tables[2] = {read_text(old_text), read_text(new_text)};
  anorank_drift *drift;
  assert_ok(anorank_drift_make(&drift, tables[0], tables[1], NULL, NULL));
  assert_int_equal(anorank_notes_count(anorank_drift_notes(drift)), 2);
  assert_true(has_note(anorank_drift_notes(drift), "drift-columns-skipped", "'gone'"));
  assert_true(has_note(anorank_drift_notes(drift), "drift-columns-skipped", "'more'"));
  assert_true(anorank_drift_get_info(drift)->p_value > 0.2); /* the same rows in another order */
  assert_int_equal(anorank_drift_get_info(drift)->columns, 1);
  anorank_drift_free(drift);
  for (int t = 0; t < 2; t++) anorank_table_free(tables[t]);
}
