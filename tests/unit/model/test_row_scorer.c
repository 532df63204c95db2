/* test_row_scorer.c - rows from memory: the bits of the table way, no request for memory, many threads. */
#include <pthread.h>

#include "core/alloc.h"
#include "support/models.h"

TEST_SCOPED(row_scorer, anorank_scorer, anorank_scorer_free)
TEST_SCOPED(scratch, anorank_scratch, anorank_scratch_free)
#define scoped_row_scorer scoped(row_scorer) anorank_scorer
#define scoped_scratch scoped(scratch) anorank_scratch

enum { ROWS = 300, FIELDS = 5 };

/* In another order, with another dictionary, one text of which the model never saw. */
static const char *const kinds[] = {"q", "z", "y", "x", "z"};
static const anorank_field fields[FIELDS] = {
    {.name = "kind", .kind = ANORANK_CATEGORICAL, .levels = kinds, .level_count = 5},
    {.name = "c"},
    {.name = "not in the model"},
    {.name = "a"},
    {.name = "b"}};

/* The same rows as a table and as cells. */
static anorank_table *odd_table(double *cells) {
  static const char *const texts[] = {"q", "z", "y", "x", "z", "never", ""};
  static const double codes[] = {0, 1, 2, 3, 4, 5, -1};
  size_t size = 64 + ROWS * 120, used;
  char *text = test_memory(size);
  anorank_settings settings = test_settings();
  anorank_table *table;
  used = (size_t)snprintf(text, size, "a,b,c,kind\n");
  for (size_t i = 0; i < ROWS; i++) {
    double *row = cells + i * FIELDS;
    char b[40] = "";
    row[0] = i % 50 == 13 ? (double)NAN : i % 50 == 14 ? -2 : codes[i % 7];
    row[1] = sin((double)i);
    row[2] = 1e300;
    row[3] = i % 40 == 3 ? 60 : cos(3 * (double)i);
    row[4] = i % 9 == 0 ? (double)NAN : (double)i / 100;
    if (i % 9 != 0) snprintf(b, sizeof b, "%.17g", row[4]);
    used += (size_t)snprintf(text + used, size - used, "%.17g,%s,%.17g,%s\n", row[3], b, row[1],
                             i % 50 == 13   ? ""
                             : i % 50 == 14 ? "new"
                                            : texts[i % 7]);
  }
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "odd"), &settings, NULL));
  return table;
}

static anorank_model *fit(const char *class_name, anorank_train train) {
  anorank_settings settings = model_settings();
  scoped_table *table = model_table(ROWS, 5, 1);
  anorank_model *model;
  settings.scorer = class_name;
  settings.train = (int32_t)train;
  settings.epochs = 2;
  settings.trees = settings.rounds = 8;
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  return model;
}

TEST(every_class_gives_the_bits_of_a_table_and_asks_for_nothing) {
  double cells[ROWS * FIELDS], expected[ROWS], expected_p[ROWS], score[ROWS], p[ROWS];
  scoped_table *table = odd_table(cells);
  for (size_t k = 0; anorank_class_at(k); k++) {
    scoped_model *model = fit(anorank_class_at(k)->name, (anorank_train)(k % 2));
    scoped_row_scorer *scorer;
    scoped_scratch *scratch;
    assert_ok(anorank_model_score(model, table, expected, expected_p, NULL, NULL));
    assert_ok(anorank_scorer_new(&scorer, model, fields, FIELDS, NULL));
    assert_ok(anorank_scratch_new(&scratch, scorer, NULL));
    (void)ank_alloc_fail_at(1); /* the next allocation fails */
    assert_ok(anorank_scorer_score(scorer, scratch, cells, ROWS, FIELDS, score, p, NULL));
    assert_same_bits(score, expected, ROWS);
    assert_same_bits(p, expected_p, ROWS);
    for (size_t i = 0; i < ROWS; i++)
      assert_ok(anorank_scorer_score(scorer, scratch, cells + i * FIELDS, 1, 0, &score[i], &p[i], NULL));
    assert_ok(anorank_scorer_score(scorer, scratch, cells, ROWS, FIELDS, NULL, p, NULL));
    assert_int_equal(ank_alloc_fail_at(0), 0);
    assert_same_bits(score, expected, ROWS);
    assert_same_bits(p, expected_p, ROWS);
  }
}

/* Without a layout: the model's columns in their order, categories by their own codes. */
/* Rows of a table that repeat are scored once; alone, each is. */
TEST(equal_rows_have_the_score_of_one) {
  enum { COUNT = 300, STEPS = 90, WIDE = 3 };
  double cells[COUNT * WIDE], scores[COUNT], one;
  for (size_t i = 0; i < COUNT; i++)
    for (size_t j = 0; j < WIDE; j++) cells[i * WIDE + j] = (double)(i * i % STEPS % (5 + 6 * j));
  anorank_settings *settings;
  anorank_table *table;
  anorank_model *model;
  assert_ok(anorank_settings_new(&settings, NULL, NULL));
  assert_ok(anorank_table_from_matrix(&table, cells, COUNT, WIDE, WIDE, 1, NULL, NULL));
  assert_ok(anorank_fit(&model, table, NULL, settings, NULL));
  assert_ok(anorank_model_score(model, table, scores, NULL, settings, NULL));
  for (size_t i = 0; i < COUNT; i++) {
    anorank_table *row;
    assert_ok(anorank_table_from_matrix(&row, cells + i * WIDE, 1, WIDE, WIDE, 1, NULL, NULL));
    assert_ok(anorank_model_score(model, row, &one, NULL, settings, NULL));
    assert_true(one == scores[i]);
    anorank_table_free(row);
  }
  anorank_model_free(model);
  anorank_table_free(table);
  anorank_settings_free(settings);
}

TEST(texts_become_codes_by_the_models_own_levels) {
  scoped_model *model = fit("auto", ANORANK_TRAIN_CLEAN);
  scoped_table *table;
  anorank_settings settings = model_settings();
  scoped_row_scorer *scorer, *mine;
  scoped_scratch *scratch;
  double expected[3], score;
  static const char *const texts[] = {"y", "new", NULL};
  static const char csv[] = "name,a,b,c,kind\nr,0.5,1,0.25,y\nr,0.5,1,0.25,new\nr,0.5,1,0.25,\n";
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(csv, sizeof csv - 1, "texts"), &settings, NULL));
  assert_ok(anorank_model_score(model, table, expected, NULL, NULL, NULL));
  assert_ok(anorank_scorer_new(&scorer, model, NULL, 0, NULL));
  assert_ok(anorank_scratch_new(&scratch, scorer, NULL));
  for (size_t i = 0; i < 3; i++) {
    double row[] = {0, 0.5, 1, 0.25, anorank_scorer_code(scorer, 4, texts[i])};
    assert_ok(anorank_scorer_score(scorer, scratch, row, 1, 5, &score, NULL, NULL));
    assert_same_bits(&score, &expected[i], 1);
  }
  assert_true(isnan(anorank_scorer_code(scorer, 1, "y")) && isnan(anorank_scorer_code(scorer, 9, "y")));
  assert_ok(anorank_scorer_new(&mine, model, fields, FIELDS, NULL));
  assert_close(anorank_scorer_code(mine, 0, "x"), 3, 0);
  assert_close(anorank_scorer_code(mine, 0, "z"), 1, 0);
  assert_close(anorank_scorer_code(mine, 0, "never"), -2, 0);
}

typedef struct caller {
  const anorank_scorer *scorer;
  const double *cells;
  double scores[ROWS];
} caller;

static void *score_often(void *context) {
  caller *self = context;
  anorank_scratch *scratch;
  if (anorank_scratch_new(&scratch, self->scorer, NULL) != ANORANK_OK) return NULL;
  for (int turn = 0; turn < 3; turn++)
    for (size_t i = 0; i < ROWS; i++)
      if (anorank_scorer_score(self->scorer, scratch, self->cells + i * FIELDS, 1, FIELDS, &self->scores[i],
                               NULL, NULL) != ANORANK_OK)
        self->scores[i] = NAN;
  anorank_scratch_free(scratch);
  return self;
}

TEST(many_threads_share_a_scorer) {
  enum { THREADS = 4 };
  static double cells[ROWS * FIELDS], expected[ROWS];
  static caller callers[THREADS];
  pthread_t thread[THREADS];
  scoped_model *model = fit("auto", ANORANK_TRAIN_CONTAMINATED);
  scoped_table *table = odd_table(cells);
  scoped_row_scorer *scorer;
  assert_ok(anorank_model_score(model, table, expected, NULL, NULL, NULL));
  assert_ok(anorank_scorer_new(&scorer, model, fields, FIELDS, NULL));
  for (size_t t = 0; t < THREADS; t++) {
    callers[t].scorer = scorer;
    callers[t].cells = cells;
    assert_int_equal(pthread_create(&thread[t], NULL, score_often, &callers[t]), 0);
  }
  for (size_t t = 0; t < THREADS; t++) {
    void *done;
    pthread_join(thread[t], &done);
    assert_non_null(done);
    assert_same_bits(callers[t].scores, expected, ROWS);
  }
}

TEST(layouts_that_do_not_fit_are_refused) {
  scoped_model *model = fit("knn", ANORANK_TRAIN_CLEAN);
  static const anorank_field twice[] = {{.name = "a"}, {.name = "a"}}, nameless[] = {{.name = NULL}};
  static const char *const gap[] = {"x", NULL};
  anorank_field holed[FIELDS];
  anorank_error err = {0};
  scoped_row_scorer *scorer, *other;
  scoped_scratch *scratch;
  double row[FIELDS] = {0}, score;
  assert_fails(anorank_scorer_new(&scorer, model, fields, 3, &err), ANORANK_ERROR_DATA, "column-missing");
  assert_fails(anorank_scorer_new(&scorer, model, twice, 2, &err), ANORANK_ERROR_USAGE, "scorer-field-twice");
  assert_fails(anorank_scorer_new(&scorer, model, nameless, 1, &err), ANORANK_ERROR_USAGE,
               "scorer-field-name");
  memcpy(holed, fields, sizeof holed);
  holed[0].levels = gap, holed[0].level_count = 2;
  assert_fails(anorank_scorer_new(&scorer, model, holed, FIELDS, &err), ANORANK_ERROR_USAGE,
               "scorer-field-text");
  assert_null(scorer);
  assert_ok(anorank_scorer_new(&scorer, model, fields, FIELDS, NULL));
  assert_ok(anorank_scorer_new(&other, model, fields, FIELDS, NULL));
  assert_ok(anorank_scratch_new(&scratch, other, NULL));
  assert_status(anorank_scorer_score(scorer, scratch, row, 1, FIELDS, &score, NULL, &err),
                ANORANK_ERROR_USAGE);
  assert_string_equal(err.code, "scorer-scratch");
  assert_fails(anorank_scorer_score(other, scratch, row, 2, 1, &score, NULL, &err), ANORANK_ERROR_USAGE,
               "scorer-stride");
}

TEST(a_missing_cell_is_found_by_its_row) {
  anorank_settings settings = model_settings();
  static double cells[300];
  static const anorank_field field = {.name = "a"};
  scoped_table *table;
  scoped_model *model;
  scoped_row_scorer *scorer;
  scoped_scratch *scratch;
  anorank_error err = {0};
  for (size_t i = 0; i < 300; i++) cells[i] = (double)(i * i % 97);
  assert_ok(anorank_table_from_matrix(&table, cells, 300, 1, 1, 1, (const char *const[]){"a"}, NULL));
  settings.id = "";
  settings.on_missing = ANORANK_ON_MISSING_ERROR;
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  assert_ok(anorank_scorer_new(&scorer, model, &field, 1, NULL));
  assert_ok(anorank_scratch_new(&scratch, scorer, NULL));
  cells[260] = NAN;
  assert_fails(anorank_scorer_score(scorer, scratch, cells, 300, 1, NULL, NULL, &err), ANORANK_ERROR_DATA,
               "cell-missing");
  assert_string_equal(err.code, "cell-missing");
}

TEST(every_failing_request_for_memory_is_survived) {
  scoped_model *model = fit("auto", ANORANK_TRAIN_CONTAMINATED);
  for (size_t k = 1;; k++) {
    anorank_scorer *scorer = NULL;
    anorank_scratch *scratch = NULL;
    (void)ank_alloc_fail_at(k);
    anorank_status status = anorank_scorer_new(&scorer, model, fields, FIELDS, NULL);
    if (status == ANORANK_OK) status = anorank_scratch_new(&scratch, scorer, NULL);
    size_t asked = ank_alloc_fail_at(0);
    anorank_scratch_free(scratch);
    anorank_scorer_free(scorer);
    if (asked < k) {
      assert_ok(status);
      break;
    }
    assert_status(status, ANORANK_ERROR_RESOURCES);
    assert_null(scratch);
  }
}

/* "n" is folded into the level of "off" when a table is read, and so it is for a row from memory. */
TEST(another_spelling_of_yes_or_no_has_the_code_of_its_level) {
  enum { LINES = 24 };
  char text[1000] = "a,b\n";
  anorank_settings settings = test_settings();
  scoped_table *table;
  scoped_model *model;
  scoped_row_scorer *scorer;
  for (int i = 0; i < LINES; i++)
    strcat(text, i == 7 ? "red,n\n" : i % 3 ? "red,on\n" : i % 2 ? "blue,off\n" : "green,off\n");
  settings.threads = 1;
  settings.scorer = "knn";
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, strlen(text), "made.csv"), &settings, NULL));
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  assert_ok(anorank_scorer_new(&scorer, model, NULL, 0, NULL));
  assert_true(anorank_scorer_code(scorer, 1, "off") >= 0);
  assert_close(anorank_scorer_code(scorer, 1, "n"), anorank_scorer_code(scorer, 1, "off"), 0);
  assert_close(anorank_scorer_code(scorer, 1, "YES"), anorank_scorer_code(scorer, 1, "on"), 0);
  assert_close(anorank_scorer_code(scorer, 1, "maybe"), -2, 0);
}
