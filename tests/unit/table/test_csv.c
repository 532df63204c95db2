/* test_csv.c - valid CSV and TSV files, and the errors of invalid ones. */
#include "support/check.h"
#include "table/csv.h"
#include "table/table.h"

static anorank_error err;
static anorank_settings settings;

static int reset(void **state) {
  (void)state;
  ank_settings_default(&settings);
  err.message[0] = '\0';
  return 0;
}

static void set(const char *name, const char *value) {
  assert_ok(ank_settings_lend(&settings, name, value, &err));
}

static anorank_table *read_bytes(const char *text, size_t length) {
  anorank_table *table;
  err.message[0] = '\0';
  anorank_status status =
      anorank_table_read(&table, ANORANK_FROM_MEMORY(text, length, "t.csv"), &settings, &err);
  if (status != ANORANK_OK) fail_msg("%s", err.message);
  assert_non_null(table);
  return table;
}

static anorank_table *read_text(const char *text) { return read_bytes(text, strlen(text)); }

/* Reading fails with that status, and with this code and these fields (check.h). */
static void expect_failure(const char *text, size_t length, anorank_status expected, const char *words) {
  anorank_table *table;
  err.message[0] = '\0';
  assert_status(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, length, "t.csv"), &settings, &err),
                expected);
  assert_null(table);
  assert_error(&err, words);
}

static void expect_data_error(const char *text, const char *words) {
  expect_failure(text, strlen(text), ANORANK_ERROR_DATA, words);
}

/* The table written down: names with ':' and the kind, then rows; missing is '_'. */
static void expect_table(anorank_table *table, const char *expected) {
  char text[4096];
  size_t used = 0, columns = anorank_table_columns(table);
#define ADD(...) used += (size_t)snprintf(text + used, sizeof text - used, __VA_ARGS__)
  for (size_t j = 0; j < columns; j++)
    ADD("%s%s:%c", j ? " " : "", anorank_table_name(table, j),
        anorank_table_kind(table, j) == ANORANK_NUMERIC ? 'n' : 'c');
  for (size_t i = 0; i < anorank_table_rows(table); i++) {
    ADD(" |");
    for (size_t j = 0; j < columns; j++) {
      const double *numbers = anorank_table_numbers(table, j);
      const int32_t *codes = anorank_table_codes(table, j);
      if (numbers ? isnan(numbers[i]) : codes[i] < 0)
        ADD(" _");
      else if (numbers)
        ADD(" %.17g", numbers[i]);
      else
        ADD(" <%s>", anorank_table_level(table, j, (size_t)codes[i]));
    }
  }
#undef ADD
  anorank_table_free(table);
  assert_string_equal(text, expected);
}

static void expect(const char *text, const char *expected) { expect_table(read_text(text), expected); }

TEST_AFTER(reset, plain_numbers_with_and_without_header) {
  expect("a,b\n1,2\n3.5,-4e2\n", "a:n b:n | 1 2 | 3.5 -400");
  expect("1,2\n3.5,-4e2\n", "x1:n x2:n | 1 2 | 3.5 -400");
  expect("1,2\n3,4", "x1:n x2:n | 1 2 | 3 4");
  expect("7", "x1:n | 7");
}

TEST_AFTER(reset, every_line_end_is_understood) {
  expect("a,b\r\n1,2\r\n3,4\r\n", "a:n b:n | 1 2 | 3 4");
  expect("a,b\r1,2\r3,4\r", "a:n b:n | 1 2 | 3 4");
  expect("a,b\r1,2\n3,4\r\n5,6", "a:n b:n | 1 2 | 3 4 | 5 6");
  expect("a,b\r\n1,x\r\n3,y", "a:n b:c | 1 <x> | 3 <y>");
}

TEST_AFTER(reset, blank_lines_are_passed_over) {
  expect("\n\na,b\n\n1,2\n  \n\r\n3,4\n\n\n", "a:n b:n | 1 2 | 3 4");
}

TEST_AFTER(reset, in_one_column_an_empty_line_is_missing_but_not_at_the_end) {
  expect("\na\n1\n\n2\n\n\n", "a:n | 1 | _ | 2");
  expect("\n1\n\n\n2\n\"\"\n\n", "x1:n | _ | 1 | _ | _ | 2 | _");
  expect("name\nx\n\ny\n", "name:c | <x> | _ | <y>");
}

TEST_AFTER(reset, quotes_hold_delimiters_newlines_and_quotes) {
  expect("a,\"b,c\"\n1,\"x\ny\"\n2,\"say \"\"hi\"\"\"\n\"3\",\"\"\n",
         "a:n b,c:c | 1 <x\ny> | 2 <say \"hi\"> | 3 _");
  expect("a, \"b\" ,c\n1, \"x, y\" ,2\n", "a:n b:c c:n | 1 <x, y> 2");
  expect("a,b\n1,5\" pipe\n2,o\"k\n", "a:n b:c | 1 <5\" pipe> | 2 <o\"k>");
  expect("\"\"\"\",b\n1,2\n", "\":n b:n | 1 2");
}

TEST_AFTER(reset, marks_of_byte_order_are_known) {
  expect("\357\273\277a,b\n1,2\n", "a:n b:n | 1 2");
  expect_table(read_bytes("\377\376a\0\n\0\061\0\n\0", 10), "a:n | 1");
  expect_table(read_bytes("\376\377\0a\0\n\0\061\0\n", 10), "a:n | 1");
  expect_table(read_bytes("\377\376\0\0a\0\0\0\n\0\0\0\061\0\0\0\n\0\0\0", 20), "a:n | 1");
}

TEST_AFTER(reset, texts_that_end_within_a_character_are_refused) {
  static const struct {
    const char *bytes;
    size_t length; /* of the whole text; `inside` of its last bytes belong to one character */
    size_t inside;
    const char *expected;
  } texts[] = {{"\377\376a\0\n\0\061\0\n\0\062\0", 12, 2, "a:n | 1 | 2"},
               {"\376\377\0a\0\n\0\061\0\n\0\062", 12, 2, "a:n | 1 | 2"},
               {"\377\376a\0\n\0\075\330\000\336", 10, 4, "x1:c | <a> | <\360\237\230\200>"},
               {"\376\377\0a\0\n\330\075\336\000", 10, 4, "x1:c | <a> | <\360\237\230\200>"},
               {"\377\376\0\0a\0\0\0\n\0\0\0\061\0\0\0\n\0\0\0\062\0\0\0", 24, 4, "a:n | 1 | 2"},
               {"a\n1\n2\342\202\254", 8, 3, "a:n | 1 | 2"},
               {"a\nx\n\303\251", 6, 2, "a:c | <x> | <\303\251>"},
               {"a\nx\n\360\237\230\200", 8, 4, "a:c | <x> | <\360\237\230\200>"}};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    set("header", texts[i].expected[0] == 'x' ? "no" : "yes");
    for (size_t cut = 1; cut < texts[i].inside; cut++)
      expect_failure(texts[i].bytes, texts[i].length - cut, ANORANK_ERROR_DATA, "encoding-cut-short");
    if (i != 5) expect_table(read_bytes(texts[i].bytes, texts[i].length), texts[i].expected);
  }
}

TEST_AFTER(reset, delimiters_are_found) {
  expect("a;b\n1;2\n3;4\n", "a:n b:n | 1 2 | 3 4");
  expect("a\tb\n1\t2\n\t4\n", "a:n b:n | 1 2 | _ 4");
  expect("a|b\n1|2\n3|4\n", "a:n b:n | 1 2 | 3 4");
  expect("  a   b\n 1\t 2  \n3 4\r\n   \n", "a:n b:n | 1 2 | 3 4");
  expect("a;b\n1,5;2,5\n3,5;4,5\n", "a:n b:n | 1.5 2.5 | 3.5 4.5");
  expect("17;2,5\n18;3,7\n", "x1:n x2:n | 17 2.5 | 18 3.7000000000000002");
  expect("a;2,5\nb;3,7\n", "x1:c x2:n | <a> 2.5 | <b> 3.7000000000000002");
  expect("a|-2,5e3|1\nb|3,7|2\n", "x1:c x2:n x3:n | <a> -2500 1 | <b> 3.7000000000000002 2");
  expect("tags,score\n1;2,5\n3;4,7\n", "tags:c score:n | <1;2> 5 | <3;4> 7");
  expect("a;b,5\nc;d,7\n", "x1:c x2:n | <a;b> 5 | <c;d> 7");
  expect("first name,last name\nAnn Lee,Bob Ray\nJo Po,Al Ba\n",
         "first name:c last name:c | <Ann Lee> <Bob Ray> | <Jo Po> <Al Ba>");
  expect("city\nNew York\nSan Diego\n", "city:c | <New York> | <San Diego>");
  expect("\"a,b\";c\n\"1,2\";3\n\"4,5\";6\n", "a,b:n c:n | 1.2 3 | 4.5 6");
}

TEST_AFTER(reset, delimiters_can_be_given) {
  set("delimiter", ";");
  expect("a;b,c\n1;2\n", "a:n b,c:n | 1 2");
  set("delimiter", "tab");
  expect("a b\tc\n1\t2\n", "a b:n c:n | 1 2");
  set("delimiter", " ");
  expect("a  b\n1 2\n", "a:n b:n | 1 2");
  set("delimiter", "auto");
  set("format", "tsv");
  expect("a,b\tc\n1\t2\n", "a,b:n c:n | 1 2");
  set("format", "csv");
  static const char *const bad[] = {"ab", "", "\"", "5", "x", ".", "-", "\n"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    set("delimiter", bad[i]);
    expect_failure("a,b\n1,2\n", 8, ANORANK_ERROR_USAGE, "setting-value");
  }
}

TEST_AFTER(reset, a_first_line_sep_names_the_delimiter) {
  expect("sep=;\na;b,c\n1;2\n", "a:n b,c:n | 1 2");
  expect("\xEF\xBB\xBFSEP=;\r\na;b\r\n1;2\r\n", "a:n b:n | 1 2");
  expect("\"sep=|\"\ra|b,c\r1|2\r", "a:n b,c:n | 1 2");
  expect("sep=\t\na b\tc\n1\t2\n", "a b:n c:n | 1 2");
  expect("sep=,\n1,2\n3,4\n", "x1:n x2:n | 1 2 | 3 4");
  expect_data_error("sep=;\na;b\n1;2\n1;2;3\n",
                    "csv-cell-count line=4 setting=delimiter"); /* it counts as a line */
  expect_data_error("sep=;\n", "table-empty");
  expect("sep=x\n1\n", "sep=x:n | 1"); /* what cannot be a delimiter is a name like others */
  expect("sep=;;\n1;2;3\n", "sep=:n x2:n x3:n | 1 2 3");
  expect("a;b\nsep=;\n", "a:c b:n | <sep=> _");
  set("delimiter", ",");
  expect("sep=;\na,b;c\n1,2\n", "a:n b;c:n | 1 2"); /* the setting wins */
}

TEST_AFTER(reset, a_name_that_ends_in_tsv_means_tabs) {
  anorank_table *table;
  const char *text = "a,b\tc\n1,2\t3\n";
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, strlen(text), "x.tsv.gz"), &settings, &err));
  expect_table(table, "a,b:n c:n | 1.2 3");
}

TEST_AFTER(reset, headers_are_found_or_said) {
  expect("a,b\nx,1\ny,2\n", "a:c b:n | <x> 1 | <y> 2");
  expect("a,b\nx,y\n", "a:c b:c | <x> <y>");
  expect("a,a\nx,y\n", "x1:c x2:c | <a> <a> | <x> <y>");
  expect("NA,red\n1,blue\n", "x1:n x2:c | _ <red> | 1 <blue>");
  expect(",b\n1,2\n", "x1:n b:n | 1 2");
  expect("0,1\n5,6\n", "x1:n x2:n | 0 1 | 5 6");
  set("header", "yes");
  expect("0,1\n5,6\n", "0:n 1:n | 5 6");
  set("header", "no");
  expect("a,b\nx,y\n", "x1:c x2:c | <a> <b> | <x> <y>");
}

/* The note of that code, or NULL. */
static const anorank_note *find_note(const anorank_table *table, const char *code) {
  const anorank_notes *notes = &table->notes;
  for (size_t i = 0; i < anorank_notes_count(notes); i++)
    if (strcmp(anorank_notes_at(notes, i)->code, code) == 0) return anorank_notes_at(notes, i);
  return NULL;
}

static void expect_header_note(const char *text, const char *code, const char *expected) {
  anorank_table *table = read_text(text);
  assert_int_equal(find_note(table, "csv-header-found") != NULL, strcmp(code, "csv-header-found") == 0);
  assert_int_equal(find_note(table, "csv-header-absent") != NULL, strcmp(code, "csv-header-absent") == 0);
  expect_table(table, expected);
}

TEST_AFTER(reset, a_value_like_its_columns_name_leaves_the_header) {
  expect_header_note("kind,n\nkind,1\nb,2\n", "csv-header-found", "kind:c n:n | <kind> 1 | <b> 2");
  expect_header_note("kind,at\nkind,2025-01-02\nb,2025-01-03\n", "csv-header-found",
                     "kind:c at:c | <kind> 1735776000 | <b> 1735862400");
  expect_header_note("a,b\na,x\ny,z\n", "csv-header-absent", "x1:c x2:c | <a> <b> | <a> <x> | <y> <z>");
}

TEST_AFTER(reset, numbers_that_count_up_may_be_names) {
  expect_header_note("2019,2020,2021\n1.5,2,3\n4,5,7\n", "csv-header-found",
                     "2019:n 2020:n 2021:n | 1.5 2 3 | 4 5 7");
  expect_header_note("land,2019,2020\nde,1.5,2\nfr,4,9\n", "csv-header-found",
                     "land:c 2019:n 2020:n | <de> 1.5 2 | <fr> 4 9");
  expect_header_note("id,2019\n7,1.5\n9,4\n", "csv-header-found", "id:n 2019:n | 7 1.5 | 9 4");
  expect_header_note(",0,1,2,3,4\n0,5,5,5,5,5\n1,6,6,6,6,7\n", "csv-header-found",
                     "x1:n 0:n 1:n 2:n 3:n 4:n | 0 5 5 5 5 5 | 1 6 6 6 6 7");
  expect_header_note("1,2,3\n9,1,3\n", "csv-header-absent", "x1:n x2:n x3:n | 1 2 3 | 9 1 3");
  expect_header_note("1,2,3\n4,5,6\n", "", "x1:n x2:n x3:n | 1 2 3 | 4 5 6");
  expect_header_note("2019,2020\n2003,2015\n", "", "x1:n x2:n | 2019 2020 | 2003 2015");
  expect_header_note("2019,2020\n", "", "x1:n x2:n | 2019 2020");
}

TEST_AFTER(reset, a_first_line_that_is_no_row_offers_the_header) {
  const char *setting, *value;
  expect_data_error("word,x,5\na,1,5\nb,2,5\nc,3,5\nd,4,5\ne,5,5\nf,6,5\ng,7,5\nh,8,5\ni,9,5\nj,10,5\n",
                    "cell-not-number line=1 column=x2 setting=header");
  assert_true(anorank_error_remedy(&err, 0, &setting, &value));
  assert_string_equal(setting, "header");
  assert_string_equal(value, "yes");
}

TEST_AFTER(reset, doubled_quotes_in_the_first_row_stay) {
  set("header", "no");
  expect("\"a \"\"b\"\"\",1\nc,2\n", "x1:c x2:n | <a \"b\"> 1 | <c> 2");
  set("header", "auto");
  expect("\"19\"\"\",1\n\"20.5\"\"\",2\n", "x1:n x2:n | 19 1 | 20.5 2");
  expect("size,n\n\"19\"\"\",1\n\"20.5\"\"\",2\n", "size:n n:n | 19 1 | 20.5 2");
  /* names with quotes, pasted in again */
  expect("\"a\"\"b\",n\nx,1\n\"a\"\"b\",n\ny,2\n", "a\"b:c n:n | <x> 1 | <y> 2");
}

TEST_AFTER(reset, cells_that_begin_like_the_first_name_are_rows) {
  expect("id,n\nid1,1\nidle,2\nid,3\n\"id\",4\nid ,5\nid,n\nid2,6\n",
         "id:c n:n | <id1> 1 | <idle> 2 | <id> 3 | <id> 4 | <id> 5 | <id2> 6");
}

TEST_AFTER(reset, equal_and_empty_names_are_told_apart) {
  expect("a,a,,\n1,2,3,4\n", "a:n a_2:n x3:n x4:n | 1 2 3 4");
}

TEST_AFTER(reset, missing_values_are_the_empty_cell_and_the_tokens) {
  expect("a,b\n1,x\nNA,NA\n?, \n,\nnan,null\n N/A ,None\n", "a:n b:c | 1 <x> | _ _ | _ _ | _ _ | _ _ | _ _");
  set("missing", " -999 , none");
  expect("a,b\n1,x\n-999,none\n,NA\n-999 ,none \n2,\" none\"\n", "a:n b:c | 1 <x> | _ _ | _ _ | _ _ | 2 _");
  set("missing", "= -999 , none");
  expect("a,b\n1,x\n-999,none\n,NA\n-999 ,none \n2,\" none\"\n",
         "a:n b:c | 1 <x> | _ _ | _ <NA> | _ _ | 2 _");
  set("missing", "12\\,50,a\\\\b");
  expect("a,b\n1,x\n\"12,50\",a\\b\n2,50\n", "a:n b:c | 1 <x> | _ _ | 2 <50>");
  set("missing", "=");
  expect("a,b\n1,x\n,?\nNaN,\n", "a:n b:c | 1 <x> | _ <?> | _ _");
}

TEST_AFTER(reset, unusual_numbers_are_read_in_either_way) {
  expect("a,b\n+1, 2 \n\" 3 \",4\n-inf,Infinity\n.5,5.\n1E5,1e-2\n",
         "a:n b:n | 1 2 | 3 4 | -inf inf | 0.5 5 | 100000 0.01");
  expect("a\n0.1000000000000000055511151231257827021181583404541015625\n", "a:n | 0.10000000000000001");
}

TEST_AFTER(reset, whole_numbers_that_a_double_would_merge_are_texts) {
  static const char *const pairs[][2] = {{"1234567890123456700", "1234567890123456701"},
                                         {"9007199254740993", "9007199254740994"},
                                         {"-9007199254740993", "-9007199254740994"},
                                         {"-1234567890123456701", "-1234567890123456702"},
                                         {"+1234567890123456701", "1234567890123456702"},
                                         {"0012345678901234567", "0012345678901234568"},
                                         {"1 234 567 890 123 456 701", "1 234 567 890 123 456 702"},
                                         {"1.234.567.890.123.456.701", "1.234.567.890.123.456.702"},
                                         {"-1'234'567'890'123'456'701", "-1'234'567'890'123'456'702"},
                                         {"1712345678901234567", "1712345678901234999"}};
  char text[256], expected[256];
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    snprintf(text, sizeof text, "n;b\n%s;1\n%s;2\n", pairs[i][0], pairs[i][1]);
    snprintf(expected, sizeof expected, "n:c b:n | <%s> 1 | <%s> 2", pairs[i][0], pairs[i][1]);
    expect(text, expected);
  }
  /* a tenth of different ones is enough; one value in a few cells is not */
  expect("n,b\n1,1\n2,1\n1234567890123456701,1\n1234567890123456702,1\n",
         "n:c b:n | <1> 1 | <2> 1 | <1234567890123456701> 1 | <1234567890123456702> 1");
  expect("n,b\n1,1\n2,1\n3,1\n18446744073709551615,1\n",
         "n:n b:n | 1 1 | 2 1 | 3 1 | 1.8446744073709552e+19 1");
}

TEST_AFTER(reset, large_quantities_and_times_stay_numbers) {
  expect("n\n9007199254740992\n-9007199254740992\n", "n:n | 9007199254740992 | -9007199254740992");
  expect("n\n1.8e19\n9007199254740993.5\n", "n:n | 1.8e+19 | 9007199254740994");
  expect("t\n1712345678901234000\n1712345678901235000\n",
         "t:n | 1.7123456789012339e+18 | 1.7123456789012349e+18");
}

TEST_AFTER(reset, levels_are_the_bytes_between_the_blanks) {
  expect("a,b\n1,x\n2, x\n3,x \n4,\"x\"\n5,\xC3\xA9\n",
         "a:n b:c | 1 <x> | 2 <x> | 3 <x> | 4 <x> | 5 <\xC3\xA9>");
}

TEST_AFTER(reset, columns_can_be_made_categorical) {
  set("categorical", "b, c");
  expect("a,b,c\n1,01,3\n2,1,\n", "a:n b:c c:c | 1 <01> <3> | 2 <1> _");
  set("categorical", "zip");
  expect_failure("a,b\n1,2\n", 8, ANORANK_ERROR_USAGE, "column-unknown");
}

TEST_AFTER(reset, a_column_is_numeric_from_nine_tenths_on) {
  expect("a\n1\n2\n3\n4\n5\n6\n7\n8\nx\n", "a:c | <1> | <2> | <3> | <4> | <5> | <6> | <7> | <8> | <x>");
  expect_data_error("a,b\n1,1\n2,1\n3,1\n4,1\n5,1\n6,1\n7,1\n8,1\n9,1\nx,1\n",
                    "cell-not-number line=11 column=a");
  expect("a,b\n1,\n2,\n", "a:n b:n | 1 _ | 2 _");
}

TEST_AFTER(reset, a_later_word_among_numbers_names_line_column_and_remedy) {
  char *text = test_memory(4 << 20);
  size_t used = (size_t)sprintf(text, "amount,b\n\"1\",\"two\nlines\"\n");
  while (used < (3 << 20)) used += (size_t)sprintf(text + used, "%zu,x\n", used % 1000);
  size_t line = 1;
  for (size_t i = 0; i < used; i++) line += text[i] == '\n';
  used += (size_t)sprintf(text + used, "oops,x\n1,x\n");
  char words[128];
  snprintf(words, sizeof words, "cell-not-number line=%zu column=amount", line);
  expect_failure(text, used, ANORANK_ERROR_DATA, words);
}

TEST_AFTER(reset, ragged_lines_are_refused) {
  expect_data_error("a,b\n1,2\n3\n", "csv-cell-count line=3 setting=delimiter");
  expect_data_error("a,b\n1,2\n\"x\ny\",2\n3,4,5\n", "csv-cell-count line=5 setting=delimiter");
  expect_data_error("a,b\r1,2\r3,4,5\r", "csv-cell-count line=3 setting=delimiter");
}

TEST_AFTER(reset, quotes_that_go_wrong_are_refused_where_they_open) {
  expect_data_error("a,b\n1,\"x\ny\"\n2,\"open\n3,4\n", "csv-quote-open line=4");
  expect_data_error("a,b\n1,\"x\"y\n", "csv-quote-closed line=2");
}

TEST_AFTER(reset, nul_bytes_are_refused_with_their_place) {
  expect_failure("a,b\n1,2\n3,4\0\n", 13, ANORANK_ERROR_DATA, "csv-nul-byte line=3");
  expect_failure("a,b\n1,2\n\"x\n\0\",4\n", 17, ANORANK_ERROR_DATA, "csv-nul-byte line=4");
  expect_failure("\0", 1, ANORANK_ERROR_DATA, "csv-nul-byte line=1");
}

TEST_AFTER(reset, numbers_out_of_range_are_refused) {
  expect_data_error("a\n1\n1e400\n", "cell-number-range line=3 column=a");
  expect("a\n1e-400\n", "a:n | 0");
  char *text = test_memory(10000);
  memset(text, '1', 10000);
  memcpy(text, "a\n2\n", 4);
  expect_failure(text, 10000, ANORANK_ERROR_DATA, "cell-number-length line=3 column=a");
}

TEST_AFTER(reset, empty_files_and_lone_headers_are_refused) {
  expect_failure("", 0, ANORANK_ERROR_DATA, "table-empty");
  expect_data_error("\n \n\r\n", "table-empty");
  expect_data_error("a,b\n", "table-no-rows setting=header");
}

TEST_AFTER(reset, too_many_columns_are_refused) {
  size_t length = 2 * (ANORANK_MAX_COLUMNS + 1);
  char *text = test_memory(length);
  for (size_t i = 0; i < length; i++) text[i] = i % 2 ? ',' : '1';
  text[length - 1] = '\n';
  expect_failure(text, length, ANORANK_ERROR_DATA, "table-column-count");
  scoped_table *table = read_bytes(text + 2, length - 2);
  assert_int_equal(anorank_table_columns(table), ANORANK_MAX_COLUMNS);
  assert_close(anorank_table_numbers(table, ANORANK_MAX_COLUMNS - 1)[0], 1, 0);
}

TEST_AFTER(reset, a_line_beyond_the_limit_is_refused) {
  size_t length = ANK_CSV_MOST_LINE + 100;
  char *text = test_memory(length);
  memset(text, 'x', length);
  memcpy(text, "a,b\n1,\"", 7);
  expect_failure(text, length, ANORANK_ERROR_DATA, "csv-line-size line=2");
}

TEST_AFTER(reset, a_line_longer_than_the_sample_is_read) {
  size_t length = 3 * ANK_CSV_SAMPLE;
  char *text = test_memory(length);
  memset(text, 'x', length);
  memcpy(text, "a,b\n1,", 6);
  text[length - 5] = '\n';
  memcpy(text + length - 4, "2,yy", 4);
  scoped_table *table = read_bytes(text, length);
  assert_int_equal(anorank_table_rows(table), 2);
  assert_int_equal(strlen(anorank_table_level(table, 1, 0)), length - 11);
  assert_string_equal(anorank_table_level(table, 1, 1), "yy");
}

TEST_AFTER(reset, a_bomb_ends_at_the_memory_limit) {
  size_t length = 4 << 20;
  char *text = test_memory(length);
  for (size_t i = 0; i < length; i += 4) memcpy(text + i, "1,2\n", 4);
  set("max-memory", "1M");
  expect_failure(text, length, ANORANK_ERROR_RESOURCES, "memory-limit setting=max-memory");
}

static int stop_at_once(void *context, double share, const char *what) {
  *(int *)context += share >= 0 && share <= 1 && strcmp(what, "reading t.csv") == 0;
  return *(int *)context >= 2;
}

TEST_AFTER(reset, progress_is_told_and_can_stop_the_reading) {
  size_t length = 8 << 20;
  char *text = test_memory(length);
  for (size_t i = 0; i < length; i += 4) memcpy(text + i, "1,2\n", 4);
  int calls = 0;
  settings.progress = stop_at_once;
  settings.progress_context = &calls;
  expect_failure(text, length, ANORANK_CANCELLED, "cancelled");
  assert_int_equal(calls, 2);
}

#undef TEST
