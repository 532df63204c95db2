/* The notes on a file as a whole: training rows again, another unit, rows in the order of time, other
 * formats; and no note without a reason. */
#include "stream/stream.h"
#include "support/models.h"
#include "support/notes.h"
#include "table/cell_format.h"

enum { ROWS = 400 };

/* A time an hour later each row, a number that grows by `slope` a row from `from`, one that does not (times
 * `unit`), a level; rows in the order of time unless `shuffled`. Decimal commas if `comma`. */
static anorank_table *make(double from, double slope, double unit, uint64_t seed, int shuffled, int comma) {
  char *text = test_memory(ROWS * 100 + 100), number[2][40];
  size_t used = (size_t)sprintf(text, "when;load;heat;kind\n");
  anorank_table *table;
  for (size_t k = 0; k < ROWS; k++) {
    size_t i = shuffled ? k * 177 % ROWS : k;
    ank_rng rng;
    ank_rng_open(&rng, seed, 98, i);
    sprintf(number[0], "%.6f", from + slope * (double)i + ank_rng_normal(&rng));
    sprintf(number[1], "%.6f", unit * (20 + ank_rng_normal(&rng)));
    for (int j = 0; comma && j < 2; j++) *strchr(number[j], '.') = ',';
    used += (size_t)sprintf(text + used, "2025-%02d-%02d %02d:00;%s;%s;%c\n", (int)(1 + i / 672),
                            (int)(1 + i / 24 % 28), (int)(i % 24), number[0], number[1], "xy"[i % 2]);
  }
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "made"), NULL, NULL));
  return table;
}

static anorank_model *fit(const anorank_table *table, anorank_train train) {
  anorank_settings settings = test_settings();
  anorank_model *model;
  settings.train = train;
  settings.fast = 1;
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  return model;
}

/* All notes in one text, one a line; the rows in blocks, with their p-values or without. */
static const char *check_in_blocks(const anorank_model *model, const anorank_table *table, int given) {
  static char text[4000];
  scoped_stream *stream;
  size_t used = 0;
  double *p = test_memory(anorank_table_rows(table) * sizeof *p);
  assert_ok(anorank_model_score(model, table, NULL, p, NULL, NULL));
  assert_ok(anorank_stream_new(&stream, model, NULL, NULL));
  assert_ok(anorank_stream_check(stream, table, 0, given ? p : NULL, NULL));
  assert_ok(anorank_stream_conclude(stream, NULL));
  text[0] = '\0';
  for (size_t i = 0; i < anorank_notes_count(anorank_stream_notes(stream)); i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s: %s\n",
                             anorank_notes_at(anorank_stream_notes(stream), i)->code,
                             anorank_notes_at(anorank_stream_notes(stream), i)->text);
  return text;
}

static void expect(const char *text, const char *part) {
  if (!strstr(text, part)) print_error("not in it: %s\n%s\n", part, text);
  assert_non_null(strstr(text, part));
}

TEST(new_rows_of_the_same_kind_are_not_remarked_on) {
  scoped_table *train = make(10, 0, 1, 1, 0, 0), *other = make(10, 0, 1, 2, 0, 0);
  scoped_model *model = fit(train, ANORANK_TRAIN_CLEAN);
  for (int given = 0; given < 2; given++) assert_string_equal(check_in_blocks(model, other, given), "");
}

TEST(rows_of_the_fit_are_known_again) {
  scoped_table *train = make(10, 0, 1, 1, 0, 0), *mixed = make(10, 0, 1, 1, 1, 1);
  scoped_model *model = fit(train, ANORANK_TRAIN_CLEAN), *one_file = fit(train, ANORANK_TRAIN_CONTAMINATED);
  expect(check_in_blocks(model, train, 1), "shift-training-rows: ");
  expect(check_in_blocks(model, mixed, 0), "shift-training-rows: ");
  /* what is found in one file is judged as if left out */
  assert_string_equal(check_in_blocks(one_file, train, 1), "");
}

/* Four levels in two columns: equal rows are no sign of anything. */
TEST(equal_rows_by_chance_are_no_rows_of_the_fit) {
  char text[2][8000];
  anorank_table *table[2];
  for (int t = 0; t < 2; t++) {
    size_t used = (size_t)sprintf(text[t], "a,b\n");
    for (uint64_t i = 0; i < 400; i++) {
      ank_rng rng;
      ank_rng_open(&rng, (uint64_t)t, 97, i);
      used += (size_t)sprintf(text[t] + used, "%c,%d\n", "wxyz"[ank_rng_below(&rng, 4)],
                              (int)ank_rng_below(&rng, 9));
    }
    assert_ok(anorank_table_read(&table[t], ANORANK_FROM_MEMORY(text[t], used, "made"), NULL, NULL));
  }
  anorank_model *model = fit(table[0], ANORANK_TRAIN_CLEAN);
  assert_string_equal(check_in_blocks(model, table[1], 1), "");
  anorank_model_free(model);
  anorank_table_free(table[0]);
  anorank_table_free(table[1]);
}

TEST(another_unit_is_named_with_its_column) {
  scoped_table *train = make(10, 0, 1, 1, 0, 0), *cents = make(10, 0, 100, 2, 0, 0),
               *less = make(10, 0, 0.001, 2, 0, 0), *above = make(18, 0, 1, 2, 0, 0);
  scoped_model *model = fit(train, ANORANK_TRAIN_CLEAN);
  for (int given = 0; given < 2; given++) {
    expect(check_in_blocks(model, cents, given), "shift-found: ");
    expect(check_in_blocks(model, cents, given), "'heat' is about 100 times ");
    expect(check_in_blocks(model, less, given), "'heat' is about 1000 times ");
    expect(check_in_blocks(model, above, given), "'load'");
  }
}

TEST(a_trend_in_time_is_told_by_the_fit_and_of_the_file) {
  scoped_table *train = make(10, 0.02, 1, 1, 0, 0), *shuffled = make(10, 0.02, 1, 1, 1, 0),
               *flat = make(10, 0, 1, 1, 0, 0), *later = make(18, 0.02, 1, 2, 0, 0);
  scoped_model *model = fit(train, ANORANK_TRAIN_CLEAN), *mixed = fit(shuffled, ANORANK_TRAIN_CLEAN),
               *level = fit(flat, ANORANK_TRAIN_CONTAMINATED);
  assert_true(has_note(anorank_model_notes(model), "order-by-time", "'load'"));
  assert_false(has_note(anorank_model_notes(mixed), "order-by-time", ""));
  assert_false(has_note(anorank_model_notes(level), "order-by-time", ""));
  expect(check_in_blocks(model, later, 1), "order-by-time: ");
}

TEST(a_file_that_is_written_otherwise_is_told_once) {
  scoped_table *train = make(10, 0, 1, 1, 0, 0), *commas = make(10, 0, 1, 2, 0, 1);
  scoped_model *model = fit(train, ANORANK_TRAIN_CLEAN), *of_commas = fit(commas, ANORANK_TRAIN_CONTAMINATED);
  expect(check_in_blocks(model, commas, 1), "column-number-format: heat");
  assert_string_equal(check_in_blocks(of_commas, commas, 1), "");
}

TEST(the_way_of_writing_counts_and_not_the_example) {
  static const struct {
    const char *one, *other;
    int same;
  } cases[] = {
      {"a: 1.234,56 read as 1234.56", "a: 7,5 read as 7.5", 1},
      {"a: 1,234 read as 1234", "a: 1,5 read as 1.5", 0},
      {"a: 1,234 read as 1234", "a: 12,345,678 read as 12345678", 1},
      {"a: 1,5 read as 1.5", "b: 1,5 read as 1.5", 0},
      {"a: 31.12.2025 read as day, month, year", "a: 01.02.2025 read as day, month, year", 1},
      {"a: 12/31/2025 read as month, day, year", "a: 01/02/2025 read as day, month, year", 0},
      {"a: b: 12 % read as 0.12", "a: b: 7 % read as 0.07", 1},
      {"2 columns used", "2 columns used", 1},
      {"line 1 is above", "line 2 is above", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_int_equal(ank_same_reading(cases[i].one, cases[i].other), cases[i].same);
    assert_int_equal(ank_same_reading(cases[i].other, cases[i].one), cases[i].same);
  }
}
