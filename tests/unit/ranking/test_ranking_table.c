/* A ranking as a table: its columns, their names, the kept cells, and texts that are not formulas. */
#include "support/check.h"

static anorank_table *table;
static anorank_model *model;
static anorank_ranking *ranking;

/* Columns that are called as ours; a name of rows, an odd cell in row 7. */
static int open_verdict(void **state) {
  char *text;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  anorank_settings settings = test_settings();
  (void)state;
  fputs("score,rank,name,x,y,city\n", stream);
  for (int i = 1; i <= 120; i++)
    fprintf(stream, "%d,%g,n%d,%g,%s,%s\n", i % 7, 0.1 * (i % 11), i * 31,
            i == 7 ? 99.25 : 0.01 * (i * 37 % 101), i % 5 ? "1.50" : "", i % 2 ? "=Oslo" : "Bergen");
  fclose(stream);
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, length, "text"), NULL, NULL));
  free(text);
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  settings.fast = 1;
  settings.id = "score,rank";
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  settings.lowest = 5;
  assert_ok(anorank_ranking_make(&ranking, model, table, &settings, NULL));
  return 0;
}

static int close_verdict(void **state) {
  (void)state;
  anorank_ranking_free(ranking);
  anorank_model_free(model);
  anorank_table_free(table);
  return 0;
}

static void expect_names(const anorank_table *made, const char *expected) {
  char names[500] = "";
  for (size_t j = 0; j < anorank_table_columns(made); j++) {
    strcat(names, j > 0 ? "," : "");
    strcat(names, anorank_table_name(made, j));
  }
  assert_string_equal(names, expected);
}

TEST(the_ranking_lends_the_p_values_of_all_rows) {
  double p_values[120];
  const anorank_ranking_info *info = anorank_ranking_get_info(ranking);
  assert_ok(anorank_model_score(model, table, NULL, p_values, NULL, NULL));
  assert_int_equal(info->rows, 120);
  assert_memory_equal(info->p_values, p_values, sizeof p_values);
}

TEST(ids_come_first_and_no_name_comes_twice) {
  scoped_table *made;
  assert_ok(anorank_ranking_table(&made, ranking, table, NULL, 1, NULL));
  /* the column `name` was recognised as an identifier */
  expect_names(made, "score_1,rank_1,name,rank,row,score,p_value,q_value,tier,reasons");
  assert_int_equal(anorank_table_rows(made), anorank_ranking_get_info(ranking)->count);
  anorank_table_free(made);
  assert_ok(anorank_ranking_table(&made, ranking, table, " x , score,city", 0, NULL));
  expect_names(made, "score_1,rank_1,name,x,city,rank,row,score,p_value,q_value");
}

TEST(kept_cells_are_those_of_the_row) {
  scoped_table *made;
  assert_ok(anorank_ranking_table(&made, ranking, table, "all", 1, NULL));
  expect_names(made, "score_1,rank_1,name,x,y,city,rank,row,score,p_value,q_value,tier,reasons");
  for (size_t i = 0; i < anorank_table_rows(made); i++) {
    const anorank_finding *finding = anorank_ranking_at(ranking, i);
    char kept[100], cell[100];
    for (size_t j = 0; j < anorank_table_columns(table); j++) {
      anorank_table_text(made, j, i, kept, sizeof kept);
      anorank_table_text(table, j, finding->row, cell, sizeof cell);
      assert_string_equal(kept, cell);
    }
    assert_true(anorank_table_numbers(made, 6)[i] == (double)finding->rank);
    assert_true(anorank_table_numbers(made, 7)[i] == (double)finding->row + 1);
    assert_true(anorank_table_numbers(made, 8)[i] == finding->score);
    assert_true(anorank_table_numbers(made, 10)[i] == finding->q_value);
  }
  char reasons[600], first[200];
  anorank_table_text(made, 12, 0, reasons, sizeof reasons);
  anorank_reason_text(anorank_ranking_reason(ranking, 0, 0), first, sizeof first);
  assert_int_equal(strncmp(reasons, first, strlen(first)), 0);
  assert_int_equal(anorank_ranking_reason(ranking, 0, 0)->kind, ANORANK_REASON_HIGH);
}

TEST(wrong_tables_and_names_are_refused) {
  anorank_table *made = table, *other;
  anorank_error err = {0};
  assert_fails(anorank_ranking_table(&made, ranking, table, "x,nowhere", 1, &err), ANORANK_ERROR_USAGE,
               "column-unknown setting=keep");
  assert_null(made);
  assert_ok(anorank_table_read(&other, ANORANK_FROM_MEMORY("a\n1\n", 4, "text"), NULL, NULL));
  assert_fails(anorank_ranking_table(&made, ranking, other, NULL, 1, &err), ANORANK_ERROR_USAGE,
               "ranking-other-table");
  anorank_table_free(other);
}

TEST(texts_that_would_be_formulas_get_an_apostrophe) {
  static const char text[] = "=a,b,c\n-5,+x,@sum\n7,'+x,-3\n8,plain,=1+1\n";
  scoped_table *guarded;
  char cell[50];
  anorank_settings settings = test_settings();
  settings.categorical = "c";
  assert_ok(
      anorank_table_read(&guarded, ANORANK_FROM_MEMORY(text, sizeof text - 1, "text"), &settings, NULL));
  assert_ok(anorank_table_escape_formulas(guarded, NULL));
  static const char *const expected[3][3] = {
      {"-5", "'+x", "'@sum"}, {"7", "'+x", "-3"}, {"8", "plain", "'=1+1"}}; /* numbers stay numbers */
  assert_string_equal(anorank_table_name(guarded, 0), "'=a");
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++) {
      anorank_table_text(guarded, j, i, cell, sizeof cell);
      assert_string_equal(cell, expected[i][j]);
    }
  assert_status(anorank_table_escape_formulas(NULL, NULL), ANORANK_ERROR_USAGE);
}

TEST_GROUP(open_verdict, close_verdict)
