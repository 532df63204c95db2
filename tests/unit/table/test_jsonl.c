/* The JSON lines reader: columns from the sample, missing values, escapes, and errors that say where. */
#include "support/formats.h"

static anorank_table *read_text(const char *text) {
  anorank_settings settings = settings_for(ANK_FORMAT_jsonl);
  anorank_error err = {0};
  anorank_table *table;
  if (anorank_table_read(&table, ANORANK_FROM_MEMORY(text, strlen(text), "input"), &settings, &err) !=
      ANORANK_OK) {
    print_error("%s\n", err.message);
    fail();
  }
  assert_memory_blocks_agree(text, strlen(text), ANK_FORMAT_jsonl, table);
  return table;
}

static void refuse(const char *text, const char *part) {
  must_refuse(text, strlen(text), ANK_FORMAT_jsonl, ANORANK_ERROR_DATA, part);
}

TEST(objects_give_columns_in_order_of_appearance) {
  scoped_table *table =
      read_text("{\"a\": 1, \"b\": \"u\"}\n\n  {\"b\":\"v\",\"c\":-2.5e3}\r\n{}\n{\"a\":null}");
  assert_int_equal(table->rows, 4);
  assert_int_equal(table->columns, 3);
  assert_string_equal(table->column[0].name, "a");
  assert_string_equal(table->column[1].name, "b");
  assert_string_equal(table->column[2].name, "c");
  assert_int_equal(table->column[1].kind, ANORANK_CATEGORICAL);
  const double a[] = {1, NAN, NAN, NAN}, c[] = {NAN, -2500, NAN, NAN};
  for (size_t i = 0; i < 4; i++) {
    assert_true(same_number(table->column[0].numbers[i], a[i]));
    assert_true(same_number(table->column[2].numbers[i], c[i]));
  }
  assert_string_equal(cell_text(table, 1, 0), "u");
  assert_string_equal(cell_text(table, 1, 1), "v");
  assert_null(cell_text(table, 1, 2));
}

TEST(arrays_give_numbered_columns) {
  scoped_table *table = read_text("\xEF\xBB\xBF[1, true, \"x\"]\n[ 2 ,false, null ]\n[3,1,\"y\"]\n");
  assert_int_equal(table->rows, 3);
  assert_int_equal(table->columns, 3);
  assert_string_equal(table->column[2].name, "x3");
  assert_true(table->column[1].numbers[0] == 1 && table->column[1].numbers[1] == 0);
  assert_string_equal(cell_text(table, 2, 2), "y");
}

TEST(numbers_read_exactly_and_python_words_are_known) {
  const double expected[] = {0.1, -0.0,     5e-324,    1.7976931348623157e308,           INFINITY, -INFINITY,
                             NAN, INFINITY, -INFINITY, 123456789012345678901234567890.0, 0};
  scoped_table *table = read_text(
      "[0.1]\n[-0]\n[5e-324]\n[1.7976931348623157E+308]\n[Infinity]\n[-Infinity]\n[NaN]\n[1e999]\n[-1e999]\n"
      "[123456789012345678901234567890]\n[0e5]");
  for (size_t i = 0; i < 11; i++) {
    if (!same_number(table->column[0].numbers[i], expected[i]))
      print_error("%zu: %a, not %a\n", i, table->column[0].numbers[i], expected[i]);
    assert_true(same_number(table->column[0].numbers[i], expected[i]));
  }
}

TEST(numbers_beyond_the_range_of_a_double_are_refused_as_in_csv) {
  static const char *const texts[] = {"{\"a\":1}\n{\"a\":1e400}\n", "{\"a\":1}\n{\"a\":-2.5e308}\n",
                                      "{\"a\":\"1,5\"}\n{\"a\":\"1,5e999\"}\n"};
  for (size_t i = 0; i < 3; i++)
    must_refuse(texts[i], strlen(texts[i]), ANK_FORMAT_jsonl, ANORANK_ERROR_DATA,
                "cell-number-range line=2 column=a");
  scoped_table *table = read_text("{\"a\":\"x\"}\n{\"a\":\"y\"}\n{\"a\":1e400}\n");
  assert_string_equal(cell_text(table, 0, 2), "1e400");
}

TEST(whole_numbers_that_a_double_would_merge_are_texts) {
  anorank_table *table =
      read_text("{\"a\":1234567890123456700,\"b\":-9007199254740993,\"c\":1712345678901234000}\n"
                "{\"a\":1234567890123456701,\"b\":-9007199254740994,\"c\":1712345678901235000}\n");
  assert_string_equal(cell_text(table, 0, 0), "1234567890123456700");
  assert_string_equal(cell_text(table, 0, 1), "1234567890123456701");
  assert_string_equal(cell_text(table, 1, 0), "-9007199254740993");
  assert_int_equal(table->column[2].kind, ANORANK_NUMERIC);
  anorank_table_free(table);
}

TEST(escapes_become_utf8) {
  scoped_table *table = read_text(
      "{\"k\\u00e9y\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}\n{\"k\xC3\xA9y\":\"\\u20AC\\uD83D\\uDE00z\"}\n");
  assert_int_equal(table->columns, 1);
  assert_string_equal(table->column[0].name, "k\xC3\xA9y");
  assert_string_equal(cell_text(table, 0, 0), "\"\\/\b\f\n\r\t");
  assert_string_equal(cell_text(table, 0, 1), "\xE2\x82\xAC\xF0\x9F\x98\x80z");
}

TEST(missing_words_count_as_missing_and_not_against_numbers) {
  scoped_table *table =
      read_text("{\"a\":\"NA\",\"b\":\"\"}\n{\"a\":\"?\",\"b\":\"x\"}\n{\"a\":3,\"b\":\"NA\"}\n");
  assert_int_equal(table->column[0].kind, ANORANK_NUMERIC);
  assert_true(isnan(table->column[0].numbers[0]) && isnan(table->column[0].numbers[1]));
  assert_true(table->column[0].numbers[2] == 3);
  assert_null(cell_text(table, 1, 0));
  assert_null(cell_text(table, 1, 2));
}

TEST(columns_named_categorical_keep_numbers_as_text) {
  const char *text = "{\"zip\":1010,\"ok\":true}\n{\"zip\":1e1,\"ok\":false}\n";
  anorank_settings settings = settings_for(ANK_FORMAT_jsonl);
  scoped_table *table;
  assert_ok(ank_settings_lend(&settings, "categorical", "ok,zip", NULL));
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, strlen(text), "input"), &settings, NULL));
  assert_string_equal(cell_text(table, 0, 0), "1010");
  assert_string_equal(cell_text(table, 0, 1), "1e1");
  assert_string_equal(cell_text(table, 1, 0), "true");
}

TEST(a_text_among_numbers_is_an_error_with_line_and_column) {
  char text[1024] = "";
  for (int i = 0; i < 20; i++) strcat(text, "{\"amount\":1}\n");
  strcat(text, "{\"amount\":\"lots\"}\n");
  refuse(text, "cell-not-number line=21 column=amount");
}

TEST(invalid_json_names_line_character_and_token) {
  const struct {
    const char *text, *part;
  } cases[] = {
      {"{\"a\":1}\n{\"a\" 2}\n", "json-syntax line=2 setting=input-format"},
      {"{\"a\":}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":01}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":1.}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":+1}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":1e}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":nul}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":1,}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":1 \"b\":2}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":1}}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":1} {\"a\":2}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":\"x", "json-line-incomplete line=1"},
      {"{\"a\":\"\\x\"}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":\"\\ud800\"}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":\"\\udc00\\ud800\"}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":\"\\u0000\"}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":\"\\u12\"}", "json-syntax line=1 setting=input-format"},
      {"{\"a\":\"tab\there\"}", "json-syntax line=1 setting=input-format"},
      {"{a:1}", "json-syntax line=1 setting=input-format"},
      {"{", "json-line-incomplete line=1"},
      {"17\n", "json-syntax line=1 setting=input-format"},
      {"[1,2]\n[1]\n", "json-value-count line=2"},
      {"[1,2]\n[1,2,3]\n", "json-value-count line=2"},
      {"[1,2]\n{\"x1\":1}\n", "json-syntax line=2 setting=input-format"},
      {"{\"x1\":1}\n[1]\n", "json-syntax line=2 setting=input-format"},
      {"{\"a\":1,\"a\":2}", "json-key-twice line=1 column=a"},
      {"{\"a\":{\"b\":{\"c\":1}}}", "json-nested line=1 column=a.b"},
      {"{\"a\":[1]}", "json-nested line=1 column=a"},
      {"[1,{\"a\":1}]", "json-nested line=1 column=x2"},
      {"", "table-empty"},
      {"{}\n\n{}", "table-empty"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) refuse(cases[k].text, cases[k].part);
}

TEST(a_nul_byte_is_never_taken_for_the_end_of_a_text) {
  must_refuse("{\"a\":\"x\0y\"}", 11, ANK_FORMAT_jsonl, ANORANK_ERROR_DATA,
              "json-syntax line=1 setting=input-format");
  must_refuse("{\"a\0b\":1}", 9, ANK_FORMAT_jsonl, ANORANK_ERROR_DATA,
              "json-syntax line=1 setting=input-format");
  must_refuse("{\"a\":1}\0", 8, ANK_FORMAT_jsonl, ANORANK_ERROR_DATA,
              "json-syntax line=1 setting=input-format");
}

TEST(records_in_an_array_or_over_lines_are_rows) {
  static const char *const texts[] = {
      "[{\"a\":1,\"b\":\"x]}\"},{\"a\":2,\"b\":\"\\\"}\"}]",
      "\xEF\xBB\xBF [\n  {\"a\": 1,\n \"b\": \"x]}\"},\r\n  {\"a\": 2,\n \"b\": \"\\\"}\"}\n]\n\n",
      "{\n \"a\": 1,\n \"b\": \"x]}\"\n}\n{\n \"a\": 2,\n \"b\": \"\\\"}\"}",
      "[[1,\"x]}\"],\n[2,\"\\\"}\"]]",
  };
  for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
    scoped_table *table = read_text(texts[k]);
    assert_int_equal(table->rows, 2);
    assert_true(table->column[0].numbers[1] == 2);
    assert_string_equal(cell_text(table, 1, 0), "x]}");
    assert_string_equal(cell_text(table, 1, 1), "\"}");
  }
}

TEST(arrays_that_are_cut_short_or_badly_joined_are_refused) {
  static const struct {
    const char *text, *part;
  } cases[] = {
      {"[{\"a\":1},{\"a\":2}", "json-array-cut line=2"},
      {"[{\"a\":1},{\"a\":2},\n", "json-array-cut line=2"},
      {"[{\"a\":1},{\"a\":", "json-line-incomplete line=2"},
      {"[{\"a\":1},,{\"a\":2}]", "json-array-syntax line=1"},
      {"[{\"a\":1},]", "json-array-syntax line=1"},
      {"[{\"a\":1} {\"a\":2}]", "json-array-syntax line=1"},
      {"[{\"a\":1}]]", "json-array-syntax line=1"},
      {"[{\"a\":1}][{\"a\":2}]", "json-array-syntax line=1"},
      {"[{\"a\":1}, 5]", "json-syntax line=2 setting=input-format"},
      {"[{\"a\":1}, [2]]", "json-syntax line=2 setting=input-format"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) refuse(cases[k].text, cases[k].part);
}

/* More than the sample, records across all buffer boundaries. */
TEST(a_long_array_streams_and_its_end_is_looked_at) {
  size_t records = 50000, used = 1;
  char *text = test_memory(records * 40);
  text[0] = '[';
  for (size_t i = 0; i < records; i++)
    used += (size_t)sprintf(text + used, "%s{\n\"a\": %zu, \"b\": \"k%zu\"}", i > 0 ? ", " : "", i, i % 7);
  anorank_error err = {0};
  anorank_settings settings = test_settings();
  scoped_table *table;
  assert_int_equal(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "input"), &settings, &err),
                   ANORANK_ERROR_DATA);
  assert_string_equal(err.code, "json-array-cut");
  text[used++] = ']';
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "input"), &settings, NULL));
  assert_int_equal(table->rows, records);
  for (size_t i = 0; i < records; i++) assert_true(table->column[0].numbers[i] == (double)i);
}

/* More than the sample, lines across all buffer boundaries. */
TEST(a_key_that_comes_after_the_sample_is_an_error_naming_it) {
  size_t lines = 100000, used = 0;
  char *text = test_memory(lines * 40);
  for (size_t i = 0; i < lines; i++)
    used += (size_t)sprintf(text + used, "{\"n\":%zu,\"t\":\"r%zu\"}\n", i, i % 7);
  anorank_settings settings = settings_for(ANK_FORMAT_auto);
  anorank_table *table;
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "input"), &settings, NULL));
  assert_int_equal(table->rows, lines);
  size_t wrong = 0;
  for (size_t i = 0; i < lines; i++)
    wrong += table->column[0].numbers[i] != (double)i || table->column[1].codes[i] != (int32_t)(i % 7);
  assert_int_equal(wrong, 0);
  anorank_table_free(table);
  used += (size_t)sprintf(text + used, "{\"late\":1}\n");
  must_refuse(text, used, ANK_FORMAT_jsonl, ANORANK_ERROR_DATA, "json-key-late line=100001");
}

TEST(a_first_line_longer_than_the_sample_is_read) {
  size_t columns = 60000, used = 0;
  char *text = test_memory(columns * 60);
  for (int row = 0; row < 2; row++) {
    for (size_t j = 0; j < columns; j++)
      used += (size_t)sprintf(text + used, "%s\"a_long_name_%zu\":%zu", j ? "," : "{", j, j);
    used += (size_t)sprintf(text + used, "}\n");
  }
  anorank_settings settings = settings_for(ANK_FORMAT_auto);
  anorank_table *table;
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "input"), &settings, NULL));
  assert_int_equal(table->columns, columns);
  assert_int_equal(table->rows, 2);
  assert_true(table->column[columns - 1].numbers[1] == (double)(columns - 1));
  anorank_table_free(table);
  settings.max_memory = 100000;
  anorank_error err = {0};
  assert_status(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "input"), &settings, &err),
                ANORANK_ERROR_RESOURCES);
  assert_error(&err, "json-line-size line=1 setting=max-memory");
}

TEST(every_failing_allocation_is_survived) {
  const char *text = "{\"a\":1,\"b\":\"\\u00e9\"}\n{\"a\":2,\"b\":\"y\"}\n";
  write_file(scratch("x.jsonl"), text, strlen(text));
  assert_read_survives_failures(scratch("x.jsonl"));
  unlink(scratch("x.jsonl"));
}

TEST_GROUP(make_scratch, remove_scratch)
