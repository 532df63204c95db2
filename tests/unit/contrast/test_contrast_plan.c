/* test_contrast_plan.c - the contrast rows drawn for fits and for evaluations. */
#include "contrast/contrast_plan.h"
#include "core/alloc.h"
#include "unit/prepare/prepare_kit.h"

/* A plan to judge by, with another number of rows. */
static ank_contrast_plan plan_of(const char *law, int64_t rows, anorank_settings *settings) {
  ank_contrast_plan plan;
  strcpy(settings->contrast, law);
  assert_ok(ank_contrast_plan_make(&plan, ANK_CONTRAST_TO_JUDGE, 10, 3, 3, settings, NULL));
  assert_string_equal(plan.law->info.name, law);
  plan.settings.rows = rows;
  return plan;
}

TEST(law_and_number_follow_features_ratio_and_use) {
  anorank_settings settings = plain_settings();
  ank_contrast_plan plan;
  strcpy(settings.contrast, "auto");
  settings.contrast_ratio = 2.5;
  assert_ok(ank_contrast_plan_make(&plan, ANK_CONTRAST_TO_LEARN, 101, 8, 8, &settings, NULL));
  assert_ptr_equal(plan.law, &ank_law_box);
  assert_int_equal(plan.settings.rows, 253);
  assert_int_equal(plan.settings.first_row, 0);
  assert_ok(ank_contrast_plan_make(&plan, ANK_CONTRAST_TO_JUDGE, 101, 9, 9, &settings, NULL));
  assert_ptr_equal(plan.law, &ank_law_jitter);
  assert_int_equal(plan.settings.rows, 10000);
  assert_true(plan.settings.first_row == ANK_JUDGING_FIRST_ROW);
  assert_ok(ank_contrast_plan_make(&plan, ANK_CONTRAST_TO_LEARN, 1000000, 9, 9, &settings, NULL));
  assert_int_equal(plan.settings.rows, 100000);
  settings.max_memory = 1 << 16; /* an eighth of it for rows of 72 bytes */
  assert_ok(ank_contrast_plan_make(&plan, ANK_CONTRAST_TO_JUDGE, 1000000, 9, 9, &settings, NULL));
  assert_int_equal(plan.settings.rows, 113);
  settings.max_memory = 1;
  assert_ok(ank_contrast_plan_make(&plan, ANK_CONTRAST_TO_JUDGE, 1000000, 9, 9, &settings, NULL));
  assert_int_equal(plan.settings.rows, 2);
  strcpy(settings.contrast, "nonsense");
  assert_status(ank_contrast_plan_make(&plan, ANK_CONTRAST_TO_LEARN, 10, 9, 9, &settings, NULL),
                ANORANK_ERROR_USAGE);
}

static anorank_table *draw(const anorank_table *table, size_t rows, const ank_used_column *columns,
                           const char *law) {
  anorank_settings settings = plain_settings();
  anorank_error err = {0};
  anorank_table *drawn;
  ank_contrast_plan plan = plan_of(law, 500, &settings);
  if (ank_contrast_to_judge(&drawn, &plan, table, rows, columns, &err) != ANORANK_OK) {
    print_error("%s\n", err.message);
    fail();
  }
  assert_int_equal(anorank_table_rows(drawn), 500);
  return drawn;
}

static const char odd_csv[] = "id,whole,real,inf,none,word,blank\n"
                              "a,1,0.5,1.5,,x,\nb,9,1.5,inf,,y,\nc,4,0.25,2.5,,x,\nd,100,90,-inf,,z,\n";
static const ank_used_column odd_columns[] = {{0, NULL},   {1, "whole"}, {1, "R"},    {1, "inf"},
                                              {1, "none"}, {1, "word"},  {1, "blank"}};

TEST(the_first_rows_and_used_columns_alone_count) {
  scoped_table *table = table_of(odd_csv), *drawn = draw(table, 3, odd_columns, "box");
  assert_int_equal(anorank_table_columns(drawn), 6);
  assert_string_equal(anorank_table_name(drawn, 1), "R"); /* by the name that the model knows */
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < 500; i++) {
    low = fmin(low, anorank_table_numbers(drawn, 1)[i]);
    high = fmax(high, anorank_table_numbers(drawn, 1)[i]);
  }
  assert_true(low >= 0.25 && low < 0.3 && high <= 1.5 && high > 1.45);
}

TEST(whole_numbers_stay_whole_and_empty_columns_empty) {
  static const char *const laws[] = {"box", "jitter", "permute"};
  scoped_table *table = table_of(odd_csv);
  for (size_t l = 0; l < sizeof laws / sizeof laws[0]; l++) {
    scoped_table *drawn = draw(table, 3, odd_columns, laws[l]);
    for (size_t i = 0; i < 500; i++) {
      double whole = anorank_table_numbers(drawn, 0)[i];
      assert_true(whole == floor(whole));
      assert_false(isinf(anorank_table_numbers(drawn, 2)[i]));
      assert_true(isnan(anorank_table_numbers(drawn, 3)[i]));
    }
    assert_int_equal(anorank_table_kind(drawn, 4), ANORANK_CATEGORICAL);
  }
}

/* The rows that a fit with the same seed draws around the same rows must not come again. */
TEST(these_are_not_the_rows_that_a_fit_draws) {
  static const ank_used_column columns[] = {{1, "a"}, {1, "b"}};
  anorank_settings settings = plain_settings();
  scoped_table *table = table_of("a,b\n0.5,1.5\n3.5,2.5\n1.5,0.5\n"), *drawn, *again;
  drawn = draw(table, 3, columns, "box");
  strcpy(settings.law, "box");
  settings.rows = 500;
  assert_ok(anorank_simulate(&again, table, &settings, NULL));
  for (size_t i = 0; i < 500; i++)
    assert_true(anorank_table_numbers(drawn, 0)[i] != anorank_table_numbers(again, 0)[i]);
}

/* Intervals need the evaluated rows that a contrast row derives from. One cell at most is another's, so the other two
 * say which row it is. */
TEST(the_source_of_a_changed_row_is_known) {
  static const ank_used_column columns[] = {{1, "a"}, {1, "b"}, {1, "c"}};
  static const char *const laws[] = {"jitter", "permute", "displace"};
  anorank_settings settings = plain_settings();
  scoped_table *table = table_of("a,b,c\n0.5,1.5,2.5\n3.25,4.25,5.25\n11.5,12.5,13.5\n90.5,91.5,92.5\n");
  settings.jitter_from = settings.jitter_to = 1e-6;
  settings.permute_share = 0;
  for (size_t l = 0; l < 3; l++) {
    scoped_table *drawn;
    ank_contrast_plan plan = plan_of(laws[l], 300, &settings);
    assert_ok(ank_contrast_to_judge(&drawn, &plan, table, 4, columns, NULL));
    for (size_t i = 0; i < 300; i++) {
      size_t rows[4], same = 0, known = 0;
      const ank_origin origin = {&plan.settings, 4, plan.cells};
      size_t count = plan.law->made_of(rows, &origin, (uint64_t)ANK_JUDGING_FIRST_ROW + i);
      assert_int_equal(count, l == 1 ? 2 : 1);
      for (size_t j = 0; j < 3; j++) {
        double value = anorank_table_numbers(drawn, j)[i], *column = table->column[j].numbers;
        same += fabs(value - column[rows[0]]) < 0.01;
        known += fabs(value - column[rows[0]]) < 0.01 || (l == 1 && value == column[rows[1]]);
      }
      assert_int_equal(same, l == 0 ? 3 : 2);
      assert_int_equal(known, l == 2 ? 2 : 3);
    }
    assert_int_equal(plan.cells, 3);
  }
  const ank_origin all = {&settings, 4, 3};
  size_t rows[4];
  settings.permute_share = 1;
  assert_int_equal(ank_law_find("permute")->made_of(rows, &all, 0), 0);
}

TEST(a_law_that_looks_at_no_data_is_refused) {
  static const ank_used_column columns[] = {{1, "a"}};
  anorank_settings settings = plain_settings();
  anorank_error err = {0};
  anorank_table *table = table_of("a\n0.5\n3.5\n"), *drawn = table;
  ank_contrast_plan plan = plan_of("gaussian", 10, &settings);
  assert_fails(ank_contrast_to_judge(&drawn, &plan, table, 2, columns, &err), ANORANK_ERROR_USAGE,
               "contrast-law setting=contrast");
  assert_null(drawn);
  anorank_table_free(table);
}

TEST(every_failing_request_for_memory_is_survived) {
  anorank_settings settings = plain_settings();
  anorank_table *table = table_of(odd_csv), *drawn;
  settings.threads = 1;
  ank_contrast_plan plan = plan_of("box", 1000, &settings);
  for (size_t k = 1;; k++) {
    (void)ank_alloc_fail_at(k);
    anorank_status status = ank_contrast_to_judge(&drawn, &plan, table, 4, odd_columns, NULL);
    if (ank_alloc_fail_at(0) < k) {
      assert_ok(status);
      break;
    }
    assert_status(status, ANORANK_ERROR_RESOURCES);
    assert_null(drawn);
  }
  anorank_table_free(drawn);
  anorank_table_free(table);
}
