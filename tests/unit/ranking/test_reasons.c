/* Reasons against a closed form, and on planted rows for every class (a short version of
 * tests/slow/promises.c). */
#include "ranking/ranking.h"
#include "support/check.h"
#include "support/planted.h"

static anorank_table *read_text_table(const char *text) {
  anorank_table *table;
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, strlen(text), "text"), NULL, NULL));
  return table;
}

/* Numbers, a word, a column that is never missing, and a constant. */
static anorank_table *small_train(void) {
  char *text;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  fputs("amount,city,income,flag\n", stream);
  for (int i = 0; i < 400; i++) {
    if (i % 40 == 3)
      fprintf(stream, "%g,Bergen,,7\n", 1 + 0.01 * (i % 100));
    else
      fprintf(stream, "%g,%s,%d,7\n", 1 + 0.01 * (i % 100), i == 7 ? "Narvik" : "Bergen", 20 + i % 9);
  }
  fclose(stream);
  anorank_table *table = read_text_table(text);
  free(text);
  return table;
}

TEST(sentences_say_what_is_odd_about_a_cell) {
  static const char *const expected[] = {"amount 41.2 is far above its usual 1.04 to 1.94",
                                         "city 'Oslo' was never seen",
                                         "income is missing, which happens in 2.5 % of rows",
                                         "city 'Narvik' is rare: in 1 of 400 training rows, 2nd of 2 levels",
                                         "amount is missing, which never happens",
                                         "flag 8 was never seen; it was always 7"};
  static const anorank_reason_kind kinds[] = {ANORANK_REASON_HIGH,    ANORANK_REASON_NEW_LEVEL,
                                              ANORANK_REASON_MISSING, ANORANK_REASON_RARE,
                                              ANORANK_REASON_MISSING, ANORANK_REASON_NEW_VALUE};
  scoped_table *train = small_train();
  scoped_table *rows =
      read_text_table("amount,city,income,flag\n41.2,Bergen,24,7\n1.5,Oslo,24,7\n1.5,Bergen,,7\n"
                      "1.5,Narvik,24,7\n,Bergen,24,7\n1.5,Bergen,24,8\n");
  anorank_settings settings = test_settings();
  scoped_model *model;
  anorank_error err = {0};
  settings.train = ANORANK_TRAIN_CONTAMINATED; /* all rows are learned from */
  if (anorank_fit(&model, train, NULL, &settings, &err) != ANORANK_OK) fail_msg("%s", err.message);
  for (size_t i = 0; i < 6; i++) {
    scoped_ranking *ranking;
    assert_ok(anorank_explain(&ranking, model, rows, i, &settings, NULL));
    char text[200];
    const anorank_reason *first = anorank_ranking_reason(ranking, 0, 0);
    assert_int_equal(anorank_ranking_at(ranking, 0)->row, i);
    assert_int_equal(anorank_reason_text(first, text, sizeof text), strlen(expected[i]));
    assert_string_equal(text, expected[i]);
    assert_int_equal(anorank_reason_text(first, text, 5), strlen(expected[i])); /* cut, as snprintf does */
    assert_int_equal(strlen(text), 4);
    assert_int_equal(first->kind, kinds[i]);
    assert_true(first->contribution > 0);
  }
}

/* A histogram is a sum over columns, so that altered ones come before all others. */
TEST(all_altered_columns_come_first_for_a_sum_over_columns) {
  planted made = planted_make(0, 500, 20, 1, 4);
  anorank_settings settings = test_settings();
  scoped_model *model;
  settings.scorer = "histogram";
  assert_ok(anorank_fit(&model, made.train, NULL, &settings, NULL));
  settings.reasons = 2;
  scoped_ranking *ranking;
  assert_ok(anorank_ranking_make(&ranking, model, made.test, &settings, NULL));
  assert_int_equal(anorank_ranking_get_info(ranking)->count, 20);
  for (size_t i = 0; i < 20; i++) {
    const anorank_finding *finding = anorank_ranking_at(ranking, i);
    size_t altered = 0;
    for (size_t j = 0; j < made.columns; j++) altered += made.altered[finding->row * made.columns + j];
    assert_true(finding->reasons >= altered);
    for (size_t k = 0; k < altered; k++)
      assert_int_equal(
          made.altered[finding->row * made.columns + anorank_ranking_reason(ranking, i, k)->index], 1);
    assert_true(i == 0 || finding->score >= anorank_ranking_at(ranking, i - 1)->score);
  }
  planted_free(&made);
}

TEST(reasons_do_not_depend_on_threads_or_neighbours_in_the_file) {
  planted made = planted_make(6, 300, 30, 0, 5);
  anorank_settings settings = test_settings();
  scoped_model *model;
  scoped_ranking *one, *many;
  anorank_ranking *alone;
  assert_ok(anorank_fit(&model, made.train, NULL, &settings, NULL));
  settings.threads = 1;
  settings.reasons = 6;
  assert_ok(anorank_ranking_make(&one, model, made.test, &settings, NULL));
  settings.threads = 8;
  assert_ok(anorank_ranking_make(&many, model, made.test, &settings, NULL));
  for (size_t i = 0; i < 30; i++) {
    const anorank_finding *a = anorank_ranking_at(one, i), *b = anorank_ranking_at(many, i), *c;
    assert_ok(anorank_explain(&alone, model, made.test, a->row, &settings, NULL));
    c = anorank_ranking_at(alone, 0);
    assert_int_equal(a->row, b->row);
    assert_int_equal(a->reasons, b->reasons);
    assert_true(a->rank == c->rank && a->q_value == c->q_value && a->p_value == c->p_value);
    for (size_t k = 0, at = 0; k < a->reasons; k++, at++) {
      const anorank_reason *mine = anorank_ranking_reason(one, i, k),
                           *other = anorank_ranking_reason(many, i, k);
      char text[200], other_text[200];
      assert_true(mine->contribution == other->contribution);
      /* among all columns there are some that are no reasons */
      while (strcmp(anorank_ranking_reason(alone, 0, at)->column, mine->column) != 0) at++;
      assert_true(mine->contribution == anorank_ranking_reason(alone, 0, at)->contribution);
      anorank_reason_text(mine, text, sizeof text);
      anorank_reason_text(other, other_text, sizeof other_text);
      assert_string_equal(text, other_text);
    }
    anorank_ranking_free(alone);
  }
  planted_free(&made);
}

TEST(an_altered_column_comes_first_for_every_class) {
  static const int kinds[] = {0, 6};
  anorank_settings settings = test_settings();
  for (size_t c = 0; c == 0 || anorank_class_at(c - 1); c++) {
    double sum = 0;
    settings.scorer = c == 0 ? "auto" : anorank_class_at(c - 1)->name;
    settings.lambda = "0,1";
    settings.rounds = 100;
    for (size_t k = 0; k < 2; k++) {
      planted made = planted_make(kinds[k], 400, 20, 1, 9);
      scoped_model *model;
      assert_ok(anorank_fit(&model, made.train, NULL, &settings, NULL));
      sum += planted_share_right(model, &made) / 2;
      planted_free(&made);
    }
    if (!(sum >= 0.85)) print_error("%s: %.3f\n", settings.scorer, sum);
    assert_true(sum >= 0.85);
  }
}

TEST(wrong_arguments_are_refused) {
  planted made = planted_make(0, 100, 3, 0, 1);
  anorank_ranking *ranking = (anorank_ranking *)&made;
  anorank_settings settings = test_settings();
  scoped_model *model;
  anorank_error err = {0};
  assert_ok(anorank_fit(&model, made.train, NULL, &settings, NULL));
  assert_status(anorank_ranking_make(NULL, model, made.test, NULL, NULL), ANORANK_ERROR_USAGE);
  assert_status(anorank_ranking_make(&ranking, NULL, made.test, NULL, NULL), ANORANK_ERROR_USAGE);
  assert_null(ranking);
  assert_status(anorank_ranking_make(&ranking, model, NULL, NULL, NULL), ANORANK_ERROR_USAGE);
  assert_fails(anorank_explain(&ranking, model, made.test, 3, NULL, &err), ANORANK_ERROR_USAGE,
               "row-unknown");
  settings.lowest = settings.reasons = 1;
  settings.fdr = 0.5;
  assert_status(anorank_ranking_make(&ranking, model, made.test, &settings, &err), ANORANK_ERROR_USAGE);
  assert_null(anorank_ranking_get_info(NULL));
  assert_null(anorank_ranking_at(NULL, 0));
  assert_null(anorank_ranking_reason(NULL, 0, 0));
  planted_free(&made);
}

/* ---- codes and pairs that never occur ------------------------------------------------------------------ */

static const int codes[] = {1, 2, 3, 5, 8, 13, 16, 18, 21, 34};

/* GB never goes with gold; of 5, 6 and 7 `plan` has only even sums with `size`. */
static anorank_table *table_of_codes(int rows) {
  static const char *const countries[] = {"GB", "FR", "DE"}, *const tiers[] = {"blue", "red", "gold"};
  char *text;
  size_t length;
  ank_rng rng;
  FILE *stream = open_memstream(&text, &length);
  ank_rng_open(&rng, 3, 77, 0);
  fputs("code,country,tier,plan,size,amount\n", stream);
  for (int i = 0; i < rows; i++) {
    uint64_t country = ank_rng_below(&rng, 3), plan = ank_rng_below(&rng, 6);
    fprintf(stream, "%d,%s,%s,%d,%d,%.2f\n", codes[ank_rng_below(&rng, 10)], countries[country],
            tiers[ank_rng_below(&rng, country == 0 ? 2 : 3)], (int)plan + 5,
            (int)(2 * ank_rng_below(&rng, 5) + plan % 2) + 40, 10 + ank_rng_normal(&rng));
  }
  fclose(stream);
  anorank_table *table = read_text_table(text);
  free(text);
  return table;
}

/* Training rows with the cells of a reason, counted in the table. */
static size_t rows_with(const anorank_table *table, const char *column, double number, const char *level,
                        const char *other, double with_number, const char *with_level) {
  size_t count = 0;
  for (size_t i = 0; i < table->rows; i++) {
    int same = 1;
    for (size_t j = 0; j < table->columns; j++) {
      const ank_column *at = &table->column[j];
      int first = strcmp(at->name, column) == 0, second = other && strcmp(at->name, other) == 0;
      const char *text = first ? level : with_level;
      if (!first && !second) continue;
      same = same && (text ? strcmp(at->levels.text[at->codes[i]], text) == 0
                           : at->numbers[i] == (first ? number : with_number));
    }
    count += (size_t)same;
  }
  return count;
}

TEST(codes_and_pairs_that_never_occur_are_named) {
  static const char rows[] = "code,country,tier,plan,size,amount\n17,DE,red,5,40,10\n5,GB,gold,5,40,10\n"
                             "8,FR,red,6,42,10\n99,FR,red,6,41,10\n2,FR,red,6,41,10\n";
  static const char *const pairs[][2] = {{"code", NULL}, {"country", "tier"}, {"plan", "size"}};
  anorank_settings settings = test_settings();
  settings.train = ANORANK_TRAIN_CLEAN;
  settings.reasons = 3;
  scoped_table *train = table_of_codes(2000), *test = read_text_table(rows);
  scoped_model *model;
  scoped_ranking *ranking;
  assert_ok(anorank_fit(&model, train, NULL, &settings, NULL));
  assert_ok(anorank_ranking_make(&ranking, model, test, &settings, NULL));
  for (size_t i = 0; i < 5; i++) {
    const anorank_finding *finding = anorank_ranking_at(ranking, i);
    const anorank_reason *reason = anorank_ranking_reason(ranking, i, 0);
    char text[200];
    for (size_t k = 0; k < finding->reasons; k++) {
      const anorank_reason *other = anorank_ranking_reason(ranking, i, k);
      int new_cell = other->kind == ANORANK_REASON_NEW_CODE || other->kind == ANORANK_REASON_NEW_PAIR;
      assert_int_equal(other->compared_rows, new_cell ? 2000 : 0);
      if (new_cell) assert_int_equal(other->partners, other->kind == ANORANK_REASON_NEW_PAIR);
      if (new_cell)
        assert_int_equal(rows_with(train, other->column, other->number, other->level,
                                   other->partners ? other->partner[0].column : NULL,
                                   other->partner[0].number, other->partner[0].level),
                         0);
    }
    if (finding->row == 3) assert_int_equal(reason->kind, ANORANK_REASON_HIGH);
    if (finding->row >= 3) continue;
    int swapped = strcmp(reason->column, pairs[finding->row][0]) != 0;
    assert_string_equal(reason->column, pairs[finding->row][swapped]);
    if (finding->row > 0) assert_string_equal(reason->partner[0].column, pairs[finding->row][!swapped]);
    assert_int_equal(reason->kind, finding->row == 0 ? ANORANK_REASON_NEW_CODE : ANORANK_REASON_NEW_PAIR);
    anorank_reason_text(reason, text, sizeof text);
    if (finding->row == 0) assert_string_equal(text, "code = 17 does not occur in 2,000 training rows");
  }
}
