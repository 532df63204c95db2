/* Words for yes and no have the same meaning in every spelling: within a column, and between the training
 * file and the file to score. */
#include "support/check.h"
#include "support/notes.h"
#include "table/cell_words.h"

enum { ROWS = 120 };

static const char *const spellings[][2] = {
    {"no", "yes"},  {"N", "Y"},    {"false", "true"}, {"FALSE", "TRUE"}, {"0", "1"},
    {"nein", "ja"}, {"off", "on"}, {"f", "t"},        {"non", "oui"},    {"falso", "vero"}};
enum { SPELLINGS = sizeof spellings / sizeof spellings[0] };

/* `kind` SPELLINGS: all of them in turn. */
static anorank_table *make(size_t kind, const char *name, const anorank_settings *settings) {
  char *text;
  size_t length;
  anorank_table *table;
  FILE *stream = open_memstream(&text, &length);
  fprintf(stream, "x,%s\n", name);
  for (int i = 0; i < ROWS; i++)
    fprintf(stream, "%g,%s\n", 0.01 * (i * 37 % 101),
            spellings[kind == SPELLINGS ? (size_t)i / 4 % SPELLINGS : kind][i % 4 == 1]);
  fclose(stream);
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, length, "text"), settings, NULL));
  free(text);
  return table;
}

static void fit(anorank_model **model, const anorank_table *table) {
  anorank_settings settings = test_settings();
  settings.scorer = "knn";
  assert_ok(anorank_fit(model, table, NULL, &settings, NULL));
}

TEST(words_for_yes_and_no_are_known_in_either_case) {
  for (size_t i = 0; i < SPELLINGS; i++)
    for (int flag = 0; flag < 2; flag++)
      assert_int_equal(ank_flag_of(spellings[i][flag], strlen(spellings[i][flag])), flag);
  static const char *const others[] = {"", "2", "nope", "yesterday", "m", "x", "01"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    assert_int_equal(ank_flag_of(others[i], strlen(others[i])), -1);
}

TEST(a_mixed_column_has_two_levels_and_scores_as_a_plain_one) {
  scoped_table *mixed = make(SPELLINGS, "open", NULL), *plain = make(0, "open", NULL);
  scoped_model *of_mixed, *of_plain;
  double a[ROWS], b[ROWS];
  fit(&of_mixed, mixed);
  fit(&of_plain, plain);
  assert_int_equal(anorank_model_column_at(of_mixed, 1)->role, ANORANK_ROLE_CATEGORICAL);
  assert_int_equal(anorank_model_column_at(of_mixed, 1)->levels, 2);
  assert_ok(anorank_model_score(of_mixed, mixed, a, NULL, NULL, NULL));
  assert_ok(anorank_model_score(of_plain, plain, b, NULL, NULL, NULL));
  assert_memory_equal(a, b, sizeof a);
  assert_true(has_note(anorank_model_notes(of_mixed), "column-yes-no", "'open'"));
}

/* Also 1 and 0, which are numbers by themselves. */
TEST(another_file_may_spell_them_otherwise) {
  for (size_t learned = 0; learned < SPELLINGS; learned++) {
    scoped_table *table = make(learned, "open", NULL);
    scoped_model *model;
    double expected[ROWS], scores[ROWS];
    fit(&model, table);
    assert_ok(anorank_model_score(model, table, expected, NULL, NULL, NULL));
    for (size_t scored = 0; scored <= SPELLINGS; scored++) {
      scoped_table *other = make(scored, "open", NULL);
      assert_ok(anorank_model_score(model, other, scores, NULL, NULL, NULL));
      assert_memory_equal(scores, expected, sizeof scores);
    }
  }
}

TEST(a_word_among_numbers_that_are_no_flags_is_still_refused) {
  static const char train[] = "x,n\n1,0\n2,1\n3,2\n4,3\n5,4\n6,0\n7,1\n8,2\n9,3\n10,4\n11,5\n12,6\n",
                    other[] = "x,n\n1,yes\n2,no\n";
  scoped_table *table, *words;
  scoped_model *model;
  double scores[2];
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(train, sizeof train - 1, "text"), NULL, NULL));
  assert_ok(anorank_table_read(&words, ANORANK_FROM_MEMORY(other, sizeof other - 1, "text"), NULL, NULL));
  fit(&model, table);
  assert_int_equal(anorank_model_score(model, words, scores, NULL, NULL, NULL), ANORANK_ERROR_DATA);
}

TEST(two_spellings_of_a_label_are_a_label) {
  scoped_table *table = make(SPELLINGS, "is_fraud", NULL);
  scoped_model *model;
  fit(&model, table);
  assert_int_equal(anorank_model_column_at(model, 1)->role, ANORANK_ROLE_DROPPED);
}

/* Beyond the first MiB, which decides the kinds of columns, a flag of 1 and 0 may still say yes. */
TEST(a_late_word_in_a_column_of_bits_is_a_bit) {
  char *text;
  size_t length, rows = 400000;
  scoped_table *table;
  FILE *stream = open_memstream(&text, &length);
  fputs("x,open\n", stream);
  for (size_t i = 0; i < rows; i++) fprintf(stream, "%zu,%d\n", i % 97, (int)(i % 2));
  fputs("5,yes\n6,no\n", stream);
  fclose(stream);
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, length, "text"), NULL, NULL));
  assert_true(anorank_table_numbers(table, 1)[rows] == 1 && anorank_table_numbers(table, 1)[rows + 1] == 0);
  free(text);
}
