/* test_prepare.c - the fit: roles, requested columns, notes, errors, memory. */
#include "unit/prepare/prepare_kit.h"

#define FIVE "a,b,k,i,z\n1,5,u,9,3\n2,5,v,7,1\n4,5,u,8,2\n"

TEST(columns_get_the_roles_that_were_asked_for) {
  anorank_settings settings = plain_settings();
  assert_ok(ank_settings_lend(&settings, "id", "i", NULL));
  assert_ok(ank_settings_lend(&settings, "drop", " z , ", NULL));
  scoped_table *table = table_of(FIVE);
  scoped_prepare *prepare = must_fit(table, &settings);
  assert_int_equal(role_of(prepare, "a"), ANORANK_ROLE_NUMERIC);
  assert_int_equal(role_of(prepare, "b"), ANORANK_ROLE_CONSTANT);
  assert_int_equal(role_of(prepare, "k"), ANORANK_ROLE_CATEGORICAL);
  assert_int_equal(role_of(prepare, "i"), ANORANK_ROLE_ID);
  assert_int_equal(role_of(prepare, "z"), ANORANK_ROLE_DROPPED);
  assert_int_equal(ank_prepare_train_rows(prepare), 3);
  assert_true(ank_prepare_bytes(prepare) > 500);
  assert_string_equal(ank_prepare_notes(prepare)->list[0].text, "2 columns used: 1 numeric, 1 categorical");
  ank_prepare_free(prepare);

  settings = plain_settings();
  assert_ok(ank_settings_lend(&settings, "columns", "k,i", NULL));
  assert_ok(ank_settings_lend(&settings, "id", "i", NULL));
  prepare = must_fit(table, &settings);
  assert_int_equal(role_of(prepare, "a"), ANORANK_ROLE_DROPPED);
  assert_int_equal(role_of(prepare, "b"), ANORANK_ROLE_DROPPED);
  assert_int_equal(role_of(prepare, "k"), ANORANK_ROLE_CATEGORICAL);
  assert_int_equal(role_of(prepare, "i"), ANORANK_ROLE_ID);
  assert_true(has_note(prepare, "columns-used 1 column"));
}

/* A number, a number with gaps, a word: each number's own feature is scaled, all the others are marks. */
TEST(all_features_but_the_numbers_themselves_are_marks) {
  anorank_settings settings = plain_settings();
  scoped_table *table = table_of("a,g,k\n1,,u\n2,3,v\n4,5,u\n5,,u\n6,2,v\n");
  scoped_prepare *prepare = must_fit(table, &settings);
  const unsigned char expected[] = {0, 0, 1, 1, 1, 2, 1}; /* a; g, missing; u, v, how rare; surprises */
  unsigned char marks[sizeof expected];
  assert_int_equal(ank_prepare_dim(prepare), sizeof expected);
  ank_prepare_marks(marks, prepare);
  assert_memory_equal(marks, expected, sizeof expected);
}

TEST(a_name_that_resembles_a_column_is_the_remedy) {
  static const struct {
    const char *setting, *given, *remedy;
  } cases[] = {{"drop", "Fraud", "fraud"},
               {"id", "AMOUNT,fraud", "amount,fraud"},
               {"columns", "amount,fruad", "amount,fraud"},
               {"labels", "Fraud", "fraud"},
               {"time", "Amount", "amount"},
               {"drop", "A\\,b", "a\\,b"},
               {"id", "a,b", "a\\,b"},
               {"drop", "nothing", NULL},
               {"drop", "q", NULL}};
  anorank_table *table = table_of("amount,fraud,\"a,b\"\n1,0,3\n4,1,6\n7,0,10\n2,0,1\n5,1,4\n9,0,2\n");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    anorank_settings settings;
    anorank_error err = {0};
    anorank_model *model;
    const char *setting = NULL, *value = NULL;
    ank_settings_default(&settings);
    assert_ok(ank_settings_lend(&settings, cases[i].setting, cases[i].given, NULL));
    assert_status(anorank_fit(&model, table, NULL, &settings, &err), ANORANK_ERROR_USAGE);
    assert_string_equal(err.code, "column-unknown");
    assert_int_equal(anorank_error_remedy(&err, 0, &setting, &value), cases[i].remedy != NULL);
    if (!cases[i].remedy) continue;
    assert_string_equal(setting, cases[i].setting);
    assert_string_equal(value, cases[i].remedy);
  }
  anorank_table_free(table);
}

TEST(wrong_wishes_are_refused_with_a_way_out) {
  must_not_fit(FIVE, "id", "a,q", ANORANK_ERROR_USAGE, "column-unknown setting=id");
  must_not_fit(FIVE, "drop", "A", ANORANK_ERROR_USAGE, "column-unknown setting=drop");
  must_not_fit(FIVE, "columns", "a,b,c", ANORANK_ERROR_USAGE, "column-unknown setting=columns");
  must_not_fit("a,b\n,\n,\n", NULL, NULL, ANORANK_ERROR_DATA, "table-no-usable-column setting=columns");
  must_not_fit(FIVE, "drop", "a,b,k,i,z", ANORANK_ERROR_DATA, "table-no-usable-column setting=columns");
  must_not_fit("a,b,k\n1,2,\n3,,u\n,5,v\n", "on-missing", "error", ANORANK_ERROR_DATA,
               "cell-missing row=2 column=b");
  anorank_settings settings = plain_settings();
  anorank_error err;
  ank_prepare *prepare;
  assert_ok(ank_settings_lend(&settings, "columns", "a,b", NULL));
  assert_ok(ank_settings_lend(&settings, "drop", "b", NULL));
  scoped_table *table = table_of(FIVE);
  assert_fails(ank_prepare_fit(&prepare, table, &settings, &err), ANORANK_ERROR_USAGE,
               "setting-columns-and-drop column=b setting=drop");
  anorank_table_free(table);
  assert_ok(anorank_table_from_matrix(&table, NULL, 0, 2, 2, 1, NULL, NULL));
  assert_fails(ank_prepare_fit(&prepare, table, &settings, &err), ANORANK_ERROR_DATA, "table-no-rows");
}

TEST(empty_columns_are_left_out) {
  scoped_table *table = table_of("a,e\n1,\n2,NA\n4,\n");
  scoped_prepare *prepare = must_fit(table, NULL);
  assert_int_equal(role_of(prepare, "e"), ANORANK_ROLE_UNUSABLE);
  assert_true(has_note(prepare, "column-empty 'e'"));
  assert_close(ank_prepare_column(prepare, 1).missing_share, 1, 0);
}

TEST(many_columns_of_a_kind_are_noted_once) {
  char *csv = test_memory(1 << 16);
  size_t used = 0;
  for (size_t j = 0; j < 500; j++) used += (size_t)sprintf(csv + used, "%sc%zu", j ? "," : "", j);
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 500; j++) {
      used += (size_t)sprintf(csv + used, "%s", j ? "," : "\n");
      if (i != 1) used += (size_t)sprintf(csv + used, "%zu.5", i);
    }
  sprintf(csv + used, "\n");
  scoped_table *table = table_of(csv);
  scoped_prepare *prepare = must_fit(table, NULL);
  assert_int_equal(ank_prepare_notes(prepare)->count, 2);
  const anorank_note *note = &ank_prepare_notes(prepare)->list[1];
  assert_int_equal(note->kind, ANORANK_NOTE_UNDERSTOOD);
  assert_string_equal(note->code, "columns-with-gaps");
  assert_non_null(strstr(note->text, "'c0'"));
  assert_non_null(strstr(note->text, "'c7'"));
  assert_null(strstr(note->text, "'c8'"));
  assert_non_null(strstr(note->text, " 492 "));
}

/* 2,000,000 rows with 1,000,000 levels: the matrix stays narrow. Built directly, since text would be slow. */
TEST(a_million_levels_give_few_features) {
  size_t levels = 1000000, rows = 2 * levels + 1;
  scoped_table *table;
  assert_ok(ank_table_new(&table, 1, NULL));
  assert_ok(ank_table_set_name(table, 0, "city", 4, NULL));
  ank_table_set_kind(table, 0, ANORANK_CATEGORICAL);
  assert_ok(ank_table_reserve(table, rows, NULL));
  for (size_t k = 0; k < levels; k++) {
    char text[32];
    int32_t code;
    int length = sprintf(text, "p%zu", k);
    assert_ok(ank_levels_code(&code, &table->column[0].levels, text, (size_t)length, NULL));
    table->column[0].codes[2 * k] = table->column[0].codes[2 * k + 1] = code;
  }
  table->column[0].codes[rows - 1] = 77;
  table->rows = rows;
  scoped_prepare *prepare = must_fit(table, NULL);
  assert_int_equal(ank_prepare_dim(prepare), 32 + 1 + 1 + 1);
  assert_true(has_note(prepare, "column-levels 1000000 ") && has_note(prepare, "column-levels 32 "));
  assert_int_equal(ank_prepare_level_rows(prepare, 0, "p77"), 3);
  assert_true(ank_prepare_bytes(prepare) < (size_t)100 << 20);
  scoped_match *match;
  assert_ok(ank_match_make(&match, prepare, table, NULL));
  double row[35];
  assert_ok(ank_prepare_rows(row, prepare, match, table, rows - 1, 1, NULL));
  assert_close(row[0], 1, 0); /* the most frequent comes first */
}

TEST(the_order_of_rows_does_not_change_the_order_of_levels) {
  scoped_table *one = table_of("k\nb\na\nc\nb\nc\na\nc\n"), *two = table_of("k\nc\nc\na\na\nc\nb\nb\n");
  scoped_prepare *first = must_fit(one, NULL), *second = must_fit(two, NULL);
  double *x = matrix_of(first, one), *y = matrix_of(second, one);
  assert_memory_equal(x, y, 7 * ank_prepare_dim(first) * sizeof *x);
}

/* -999 in three rows, far from all others; 999 in a column that reaches 1200, 99 in one row, 9 anywhere: values. */
TEST(what_may_stand_for_a_gap_is_pointed_out) {
  scoped_table *table =
      table_of("a,b,c,d\n-999,999,99,9\n-999,999,12,9\n-999,999,13,9\n20,300,14,1\n21,1200,15,1\n"
               "22,400,16,2\n23,500,17,1\n19,600,18,2\n");
  scoped_prepare *prepare = must_fit(table, NULL);
  assert_true(has_note(prepare, "column-missing-number 'a'"));
  for (size_t i = 0; i < ank_prepare_notes(prepare)->count; i++)
    assert_true(strcmp(ank_prepare_notes(prepare)->list[i].code, "column-missing-number") != 0 ||
                !strncmp(ank_prepare_notes(prepare)->list[i].text, "'a'", 3));
}

TEST(every_failing_request_for_memory_is_survived) {
  anorank_settings settings = plain_settings();
  assert_ok(ank_settings_lend(&settings, "id", "i", NULL));
  scoped_table *table = table_of("a,b,k,i,e\n1,5,u,9,\n2,5,v,7,\n,5,u,8,\n");
  for (size_t k = 1;; k++) {
    anorank_error err = {0};
    ank_prepare *prepare;
    (void)ank_alloc_fail_at(k);
    anorank_status status = ank_prepare_fit(&prepare, table, &settings, &err);
    size_t made = ank_alloc_fail_at(0);
    if (status == ANORANK_OK) {
      assert_true(made < k && k > 10);
      ank_prepare_free(prepare);
      break;
    }
    assert_status(status, ANORANK_ERROR_RESOURCES);
    assert_null(prepare);
  }
}
