/* Reviews: questions, answers, and the table with the answers. */
#include "ranking/review.h"
#include "support/models.h"

static anorank_table *read_text(const char *text, const char *name, const char *keep) {
  anorank_settings settings = test_settings();
  anorank_table *table;
  settings.keep = keep;
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, strlen(text), name), &settings, NULL));
  return table;
}

/* Twelve rows around 0 and one at 9; id 007 and up. */
static anorank_table *few_rows(void) {
  char text[512];
  size_t used = (size_t)snprintf(text, sizeof text, "id,a\n");
  for (int i = 0; i < 13; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%03d,%s\n", 7 + i,
                             i == 4  ? "9"
                             : i % 2 ? "0.5"
                                     : "-0.5");
  return read_text(text, "rows.csv", "id");
}

static anorank_settings with_id(void) {
  anorank_settings settings = test_settings();
  settings.id = "id";
  return settings;
}

TEST(answers_are_found_by_row_and_by_identifier) {
  static const char *const cases[] = {
      "row,label\n5,1\n2,0\n9,skip\n3,\n",
      "id,label\n011,yes\n008,NO\n015,Skip\n009,\n",
      "label,id,row,note\n1,011,5,x\n0,008,2,y\nskip,015,9,\n,009,3,\n",
      "row,id,label\n1,011,1\n7,008,0\n2,015,skip\n13,009,\n", /* sorted again: the identifier decides */
      "row,label\n5,0\n5,1\n2,0\n2,\n9,skip\n3,\n",            /* the last answer that is one */
  };
  anorank_settings settings = with_id();
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    scoped_table *table = few_rows(), *answers = read_text(cases[k], "labels.csv", "id");
    anorank_review *review;
    assert_ok(anorank_review_new(&review, table, NULL));
    assert_ok(anorank_review_read(review, answers, &settings, NULL));
    assert_int_equal(anorank_review_count(review), 4);
    static const anorank_answer expected[] = {ANORANK_ANSWER_ANOMALY, ANORANK_ANSWER_NORMAL,
                                              ANORANK_ANSWER_SKIPPED, ANORANK_ANSWER_OPEN};
    static const size_t rows[] = {4, 1, 8, 2};
    const signed char *labels = anorank_review_labels(review);
    for (size_t i = 0; i < 4; i++) {
      assert_int_equal(anorank_review_at(review, i)->row, rows[i]);
      assert_int_equal(anorank_review_at(review, i)->answer, expected[i]);
    }
    for (size_t i = 0; i < 13; i++) assert_int_equal(labels[i], i == 4 ? 1 : i == 1 ? 0 : -1);
    anorank_review_free(review);
  }
}

TEST(answers_that_fit_no_row_are_refused) {
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"row,label\n14,1\n", "feedback-row-number row=1"},
      {"row,label\n1,0\n1.5,1\n", "feedback-row-number row=2"},
      {"row,id,label\n3,999,1\n", "feedback-row-unknown row=1"},
      {"row,what\n3,1\n", "feedback-columns"},
      {"number,label\n3,1\n", "feedback-columns"},
      {"row,label\n3,perhaps\n", "label-value row=1 column=label"},
  };
  anorank_settings settings = with_id();
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    scoped_table *table = few_rows(), *answers = read_text(cases[k].text, "labels.csv", "id");
    anorank_review *review;
    anorank_error err = {0};
    assert_ok(anorank_review_new(&review, table, NULL));
    assert_status(anorank_review_read(review, answers, &settings, &err), ANORANK_ERROR_DATA);
    assert_error(&err, cases[k].message);
    anorank_review_free(review);
  }
  scoped_table *table = read_text("id,a\nx,1\nx,2\ny,3\n", "rows.csv", "id"),
               *answers = read_text("id,label\nx,1\n", "labels.csv", "id");
  anorank_review *review;
  anorank_error err = {0};
  assert_ok(anorank_review_new(&review, table, NULL));
  assert_fails(anorank_review_read(review, answers, &settings, &err), ANORANK_ERROR_DATA,
               "feedback-row-unknown row=1");
  assert_fails(anorank_review_answer(review, 3, ANORANK_ANSWER_NORMAL, &err), ANORANK_ERROR_USAGE,
               "row-unknown");
  anorank_review_free(review);
}

TEST(the_table_of_answers_is_taken_back) {
  anorank_settings settings = with_id();
  scoped_table *table = few_rows(), *answers;
  anorank_review *review, *again;
  char cell[64];
  assert_ok(anorank_review_new(&review, table, NULL));
  assert_ok(anorank_review_answer(review, 4, ANORANK_ANSWER_ANOMALY, NULL));
  assert_ok(anorank_review_answer(review, 0, ANORANK_ANSWER_SKIPPED, NULL));
  assert_ok(anorank_review_answer(review, 2, ANORANK_ANSWER_OPEN, NULL));
  assert_ok(anorank_review_answer(review, 3, ANORANK_ANSWER_ANOMALY, NULL));
  assert_ok(anorank_review_answer(review, 3, ANORANK_ANSWER_NORMAL, NULL)); /* changed */
  assert_ok(anorank_review_table(&answers, review, &settings, NULL));
  assert_int_equal(anorank_table_rows(answers), 4);
  anorank_table_text(answers, anorank_table_find(answers, "id"), 0, cell, sizeof cell);
  assert_string_equal(cell, "011");
  anorank_table_text(answers, anorank_table_find(answers, "label"), 1, cell, sizeof cell);
  assert_string_equal(cell, "skip");
  assert_ok(anorank_review_new(&again, table, NULL));
  assert_ok(anorank_review_read(again, answers, &settings, NULL));
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(anorank_review_at(again, i)->row, anorank_review_at(review, i)->row);
    assert_int_equal(anorank_review_at(again, i)->answer, anorank_review_at(review, i)->answer);
  }
  anorank_review_free(review);
  anorank_review_free(again);
}

TEST(what_is_asked_is_most_abnormal_and_new) {
  anorank_settings settings = test_settings();
  scoped_table *table = model_table(300, 10, 51);
  anorank_review *review;
  scoped_model *model;
  scoped_ranking *ranking;
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  settings.lowest = 20;
  settings.review_rows = 4;
  assert_ok(anorank_review_new(&review, table, NULL));
  assert_ok(anorank_detect(&model, &ranking, table,
                           &(anorank_training){.labels = anorank_review_labels(review)}, &settings, NULL));
  assert_ok(anorank_review_answer(review, anorank_ranking_at(ranking, 1)->row, ANORANK_ANSWER_NORMAL, NULL));
  assert_ok(anorank_review_ask(review, ranking, &settings, NULL));
  assert_int_equal(anorank_review_count(review), 5);
  static const size_t place[] = {1, 0, 2, 3, 4};
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(anorank_review_at(review, i)->row, anorank_ranking_at(ranking, place[i])->row);
  assert_true(anorank_review_at(review, 1)->reasons[0] != '\0');
  assert_ok(anorank_review_ask(review, ranking, &settings, NULL)); /* four are open: nothing more */
  assert_int_equal(anorank_review_count(review), 5);
  anorank_review_free(review);
}

TEST(a_verdict_of_another_table_asks_nothing) {
  anorank_settings settings = test_settings();
  scoped_table *table = model_table(60, 3, 53), *other = few_rows();
  anorank_review *review;
  scoped_model *model;
  scoped_ranking *ranking;
  anorank_error err = {0};
  assert_ok(anorank_review_new(&review, other, NULL));
  assert_ok(anorank_detect(&model, &ranking, table, NULL, &settings, NULL));
  assert_fails(anorank_review_ask(review, ranking, &settings, &err), ANORANK_ERROR_USAGE,
               "ranking-other-table");
  assert_int_equal(anorank_review_count(review), 0);
  anorank_review_free(review);
}

TEST(a_dismissed_row_falls_and_a_label_that_is_none_is_refused) {
  anorank_settings settings = test_settings();
  scoped_table *table = model_table(300, 10, 52);
  signed char labels[300];
  anorank_model *model, *told;
  anorank_error err = {0};
  double before[300], after[300];
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  memset(labels, -1, sizeof labels);
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  assert_ok(anorank_model_score(model, table, before, NULL, &settings, NULL));
  size_t worst = 0;
  for (size_t i = 0; i < 300; i++)
    if (before[i] < before[worst]) worst = i;
  anorank_model_free(model);
  labels[worst] = 0;
  assert_ok(anorank_fit(&told, table, &(anorank_training){.labels = labels}, &settings, NULL));
  assert_ok(anorank_model_score(told, table, after, NULL, &settings, NULL));
  assert_true(after[worst] > before[worst] + 1);
  labels[7] = 3;
  assert_status(anorank_fit(&model, table, &(anorank_training){.labels = labels}, &settings, &err),
                ANORANK_ERROR_USAGE);
  assert_string_equal(err.code, "label-value");
  assert_null(model);
  anorank_model_free(told);
}
