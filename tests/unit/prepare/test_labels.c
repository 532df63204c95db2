/* test_labels.c - labels from numbers and words, which no model learns from. */
#include "prepare/labels.h"
#include "unit/prepare/prepare_kit.h"

static void assert_labels(const char *csv, const char *column, const char *expected) {
  anorank_error err = {0};
  signed char labels[64];
  scoped_table *table = table_of(csv);
  if (ank_labels_read(labels, table, column, &err) != ANORANK_OK) print_error("%s\n", err.message);
  assert_string_equal(err.message, "");
  assert_int_equal(anorank_table_rows(table), strlen(expected));
  for (size_t i = 0; i < strlen(expected); i++)
    assert_int_equal(labels[i], expected[i] == '1' ? 1 : expected[i] == '0' ? 0 : -1);
}

static void assert_refused(const char *csv, const char *column, anorank_status status, const char *message) {
  anorank_error err = {0};
  signed char labels[64];
  scoped_table *table = table_of(csv);
  assert_status(ank_labels_read(labels, table, column, &err), status);
  assert_error(&err, message);
}

TEST(numbers_are_0_1_or_missing) {
  assert_labels("a,y\n1,0\n2,1\n3,\n4,1.0\n", "y", "01?1");
  assert_refused("a,y\n1,0\n2,2\n", "y", ANORANK_ERROR_DATA, "label-value row=2 column=y");
  assert_refused("a,y\n1,0\n2,-1\n", "y", ANORANK_ERROR_DATA, "label-value row=2 column=y");
  assert_refused("a,y\n1,0\n2,inf\n", "y", ANORANK_ERROR_DATA, "label-value row=2 column=y");
  assert_refused("a,y\n1,0\n2,0.5\n", "y", ANORANK_ERROR_DATA, "label-value row=2 column=y");
}

TEST(words_are_known_in_any_case) {
  assert_labels("a,y\n1,Anomaly\n2,NORMAL\n3,\n4,fraud\n5,ok\n", "y", "10?10");
  assert_labels("y\ntrue\nFalse\nyes\nno\noutlier\ninlier\nabnormal\nanomalous\n", "y", "10101011");
  assert_refused("a,y\n1,yes\n2,yess\n", "y", ANORANK_ERROR_DATA, "label-value row=2 column=y");
  assert_refused("a,y\n1,yes\n2,ye\n", "y", ANORANK_ERROR_DATA, "label-value row=2 column=y");
}

TEST(an_unknown_column_is_told_with_those_there_are) {
  assert_refused("amount,fraud\n1,0\n", "label", ANORANK_ERROR_USAGE, "column-unknown setting=labels");
  must_not_fit("amount,fraud\n1,0\n2,1\n", "labels", "label", ANORANK_ERROR_USAGE,
               "column-unknown setting=labels");
}

TEST(labels_are_never_learned_from) {
  static const char *const columns[] = {"", "a,y", "a"};
  scoped_table *table = table_of("a,b,y\n1,5,0\n2,7,1\n3,1,0\n4,2,0\n");
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
    anorank_settings settings = plain_settings();
    assert_ok(ank_settings_lend(&settings, "labels", "y", NULL));
    assert_ok(ank_settings_lend(&settings, "columns", columns[i], NULL));
    scoped_prepare *prepare = must_fit(table, &settings);
    assert_int_equal(role_of(prepare, "y"), ANORANK_ROLE_DROPPED);
    assert_int_equal(role_of(prepare, "a"), ANORANK_ROLE_NUMERIC);
    assert_int_equal(role_of(prepare, "b"), i == 0 ? ANORANK_ROLE_NUMERIC : ANORANK_ROLE_DROPPED);
  }
}

TEST(a_failed_allocation_is_told) {
  anorank_error err = {0};
  signed char labels[2];
  scoped_table *table = table_of("a,y\n1,yes\n2,no\n");
  ank_alloc_fail_at(1);
  assert_status(ank_labels_read(labels, table, "y", &err), ANORANK_ERROR_RESOURCES);
  ank_alloc_fail_at(0);
}
