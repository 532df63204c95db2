/* Writers: output reads back to the same bits; output that cannot be written keeps the old file. */
#include "support/formats.h"

#include <signal.h>
#include <sys/resource.h>

#include "table/writer.h"

static const double awkward[] = {
    0.1,  -0.0,   0.0,     5e-324,   -2.2250738585072011e-308, 1.7976931348623157e308,
    NAN,  1e23,   1.0 / 3, 1e15,     123456789012345680.0,     INFINITY,
    -1e9, 1e-300, 42,      -INFINITY};
static const char *const texts[] = {"plain",      "with, comma", "with \"quotes\"",
                                    "two\nlines", "tab\there",   "caf\xC3\xA9",
                                    "two words",  "back\\slash", "\xF0\x9F\x98\x80",
                                    "a\rb",       "\x01\x1F",    "a;b",
                                    "'",          "x=y",         "\"",
                                    "{[]}"};
enum { ROWS = 16 };

/* Two columns of numbers, and one of texts if asked. */
static anorank_table *make_table(size_t rows, int with_text) {
  anorank_table *table;
  assert_ok(ank_table_new(&table, with_text ? 3 : 2, NULL));
  assert_ok(ank_table_set_name(table, 0, "first, \"odd\" name", 17, NULL));
  assert_ok(ank_table_set_name(table, 1, "n\xC3\xBAmero", 7, NULL));
  if (with_text) {
    assert_ok(ank_table_set_name(table, 2, "text", 4, NULL));
    ank_table_set_kind(table, 2, ANORANK_CATEGORICAL);
  }
  assert_ok(ank_table_reserve(table, rows, NULL));
  for (size_t i = 0; i < rows; i++) {
    table->column[0].numbers[i] = awkward[i % ROWS];
    table->column[1].numbers[i] = (double)i;
    if (!with_text) continue;
    const char *text = texts[i % ROWS];
    assert_ok(
        ank_levels_code(&table->column[2].codes[i], &table->column[2].levels, text, strlen(text), NULL));
    if (i % ROWS == 5) table->column[2].codes[i] = -1;
  }
  table->rows = rows;
  return table;
}

static void remove_file(const char *name) { assert_int_equal(unlink(scratch(name)), 0); }

TEST(tables_read_back_to_the_same_bits) {
  static const char *const names[] = {"t.csv",     "t.tsv",       "t.jsonl",     "t.npy",
                                      "t.csv.gz",  "t.tsv.zst",   "t.jsonl.zst", "t.npy.gz",
                                      "t.npy.zst", "t.ndjson.gz", "T.CSV.GZ",    "t.txt"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
    for (size_t rows = 1; rows <= 20000; rows *= 141) {
      anorank_error err = {0};
      anorank_table *table = make_table(rows, !strstr(names[k], "npy"));
      if (anorank_table_write(table, ANORANK_TO_FILE(scratch(names[k])), NULL, &err) != ANORANK_OK) {
        print_error("%s\n", err.message);
        fail();
      }
      anorank_table *again = must_read(scratch(names[k]));
      /* NPY has no names */
      for (size_t j = 0; strstr(names[k], "npy") && j < 2; j++) {
        ank_free(again->column[j].name);
        assert_ok(ank_copy_text(&again->column[j].name, table->column[j].name, strlen(table->column[j].name),
                                NULL));
      }
      assert_same_table(table, again);
      anorank_table_free(again);
      anorank_table_free(table);
      remove_file(names[k]);
    }
}

TEST(the_text_equals_one_written_by_hand) {
  scoped_table *table = make_table(8, 1);
  size_t length;
  assert_ok(anorank_table_write(table, ANORANK_TO_FILE(scratch("a")), "csv", NULL));
  char *text = read_whole_file(scratch("a"), &length);
  const char *csv =
      "\"first, \"\"odd\"\" name\",n\xC3\xBAmero,text\n"
      "0.1,0,plain\n-0,1,\"with, comma\"\n0,2,\"with \"\"quotes\"\"\"\n5e-324,3,\"two\nlines\"\n"
      "-2.225073858507201e-308,4,\"tab\there\"\n1.7976931348623157e308,5,\n,6,two words\n"
      "1e23,7,back\\slash\n";
  assert_string_equal(text, csv);
  assert_ok(anorank_table_write(table, ANORANK_TO_FILE(scratch("a")), "jsonl", NULL));
  text = read_whole_file(scratch("a"), &length);
  *strchr(text, '\n') = '\0';
  assert_string_equal(text, "{\"first, \\\"odd\\\" name\":0.1,\"n\xC3\xBAmero\":0,\"text\":\"plain\"}");
  remove_file("a");
}

/* An empty line would not be a row. */
TEST(one_column_of_missing_values_keeps_its_rows) {
  static const char *const names[] = {"m.csv", "m.tsv", "m.jsonl", "m.npy"};
  const double values[] = {1, NAN, 3, NAN, NAN};
  scoped_table *table;
  assert_ok(anorank_table_from_matrix(&table, values, 5, 1, 1, 1, NULL, NULL));
  for (size_t k = 0; k < 4; k++) {
    assert_ok(anorank_table_write(table, ANORANK_TO_FILE(scratch(names[k])), NULL, NULL));
    anorank_table *again = must_read(scratch(names[k]));
    assert_same_table(table, again);
    anorank_table_free(again);
    remove_file(names[k]);
  }
}

TEST(blocks_make_one_file) {
  static const char *const names[] = {"b.csv", "b.jsonl", "b.npy", "b.csv.gz", "b.jsonl.zst"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    int text = !strstr(names[k], "npy");
    anorank_writer *writer;
    anorank_table *part = make_table(ROWS, text), *none = make_table(0, text);
    assert_ok(anorank_writer_open(&writer, ANORANK_TO_FILE(scratch(names[k])), NULL, NULL));
    assert_ok(anorank_writer_append(writer, none, NULL));
    assert_ok(anorank_writer_append(writer, part, NULL));
    assert_ok(anorank_writer_append(writer, none, NULL));
    assert_ok(anorank_writer_append(writer, part, NULL));
    assert_ok(anorank_writer_commit(writer, NULL));
    assert_status(anorank_writer_append(writer, part, NULL), ANORANK_ERROR_USAGE);
    assert_status(anorank_writer_commit(writer, NULL), ANORANK_ERROR_USAGE);
    anorank_writer_free(writer);
    anorank_table *again = must_read(scratch(names[k]));
    assert_int_equal(again->rows, 2 * ROWS);
    for (size_t i = 0; i < 2 * ROWS; i++)
      assert_true(same_number(again->column[0].numbers[i], awkward[i % ROWS]));
    anorank_table_free(again);
    anorank_table_free(part);
    anorank_table_free(none);
    remove_file(names[k]);
  }
}

/* The text of a number that repeats is made once: not across signs of zero, columns, gaps and resolutions. */
TEST(repeated_numbers_are_written_as_before) {
  static const double values[] = {0.25, 0.25, 0.0, -0.0, -0.0, NAN, -0.0, 0.25};
  anorank_writer *writer;
  scoped_table *table;
  size_t length;
  assert_ok(ank_table_new(&table, 2, NULL));
  assert_ok(ank_table_set_name(table, 0, "x", 1, NULL));
  assert_ok(ank_table_set_name(table, 1, "at", 2, NULL));
  ank_table_set_kind(table, 1, ANORANK_TIME);
  assert_ok(ank_table_reserve(table, 8, NULL));
  for (size_t i = 0; i < 8; i++) {
    table->column[0].numbers[i] = values[i];
    table->column[1].numbers[i] = 0;
  }
  assert_ok(anorank_writer_open(&writer, ANORANK_TO_FILE(scratch("r.csv")), NULL, NULL));
  table->rows = 8;
  table->column[1].resolution = ANORANK_DAYS;
  assert_ok(anorank_writer_append(writer, table, NULL));
  table->rows = 1;
  table->column[1].resolution = ANORANK_SECONDS;
  assert_ok(anorank_writer_append(writer, table, NULL));
  assert_ok(anorank_writer_commit(writer, NULL));
  anorank_writer_free(writer);
  char *text = read_whole_file(scratch("r.csv"), &length);
  assert_string_equal(text, "x,at\n0.25,1970-01-01\n0.25,1970-01-01\n0,1970-01-01\n-0,1970-01-01\n"
                            "-0,1970-01-01\n,1970-01-01\n-0,1970-01-01\n0.25,1970-01-01\n"
                            "0.25,1970-01-01T00:00:00Z\n");
  remove_file("r.csv");
}

TEST(npy_that_cannot_go_back_takes_one_block) {
  scoped_table *table = make_table(ROWS, 0), *none = make_table(0, 0);
  const char *const paths[] = {scratch("c.npy.gz"), "/dev/null"};
  for (int k = 0; k < 4; k++) {
    anorank_writer *writer;
    anorank_error err = {0};
    assert_ok(anorank_writer_open(&writer, ANORANK_TO_FILE(paths[k / 2]), "npy", NULL));
    assert_ok(anorank_writer_append(writer, k % 2 ? none : table, NULL));
    assert_fails(anorank_writer_append(writer, table, &err), ANORANK_ERROR_USAGE, "output-npy-rewind");
    assert_status(anorank_writer_commit(writer, NULL), ANORANK_ERROR_USAGE);
    anorank_writer_free(writer);
    assert_int_equal(files_in_scratch(), 0);
  }
}

TEST(no_rows_still_write_the_columns) {
  static const char *const names[] = {"e.csv", "e.npy", "e.csv.gz"};
  for (size_t k = 0; k < 3; k++) {
    anorank_settings settings = settings_for(ANK_FORMAT_auto);
    anorank_table *none = make_table(0, 0);
    anorank_reader *reader;
    const anorank_table *block;
    assert_ok(anorank_table_write(none, ANORANK_TO_FILE(scratch(names[k])), NULL, NULL));
    assert_ok(anorank_reader_open(&reader, ANORANK_FROM_FILE(scratch(names[k])), &settings, NULL));
    assert_int_equal(anorank_table_columns(anorank_reader_schema(reader)), 2);
    assert_ok(anorank_reader_next(reader, &block, NULL));
    assert_null(block);
    anorank_reader_free(reader);
    anorank_table_free(none);
    remove_file(names[k]);
  }
}

TEST(blocks_with_other_columns_are_refused_and_do_no_harm) {
  anorank_table *table = make_table(ROWS, 1), *other = make_table(ROWS, 0), *renamed = make_table(ROWS, 1);
  anorank_table *other_kind = make_table(ROWS, 1);
  anorank_writer *writer;
  anorank_error err = {0};
  assert_ok(ank_table_set_name(renamed, 1, "other", 5, NULL));
  other_kind->column[0].kind = ANORANK_CATEGORICAL;
  assert_ok(anorank_writer_open(&writer, ANORANK_TO_FILE(scratch("d.csv")), NULL, NULL));
  assert_ok(anorank_writer_append(writer, table, NULL));
  assert_fails(anorank_writer_append(writer, other, &err), ANORANK_ERROR_USAGE, "writer-block-columns");
  assert_fails(anorank_writer_append(writer, renamed, &err), ANORANK_ERROR_USAGE, "writer-block-columns");
  assert_status(anorank_writer_append(writer, other_kind, &err), ANORANK_ERROR_USAGE);
  assert_ok(anorank_writer_commit(writer, NULL));
  anorank_writer_free(writer);
  anorank_table *again = must_read(scratch("d.csv"));
  assert_same_table(table, again);
  anorank_table_free(again);
  other_kind->column[0].kind = ANORANK_NUMERIC;
  anorank_table_free(table);
  anorank_table_free(other);
  anorank_table_free(renamed);
  anorank_table_free(other_kind);
  remove_file("d.csv");
}

TEST(invalid_calls_name_the_mistake) {
  scoped_table *table = make_table(1, 1);
  anorank_writer *writer = (anorank_writer *)table;
  anorank_error err = {0};
  assert_status(anorank_writer_open(&writer, NULL, "csv", &err), ANORANK_ERROR_USAGE);
  assert_null(writer);
  assert_status(anorank_writer_open(NULL, ANORANK_TO_FILE("x"), "csv", &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_writer_open(&writer, ANORANK_TO_FILE(""), "csv", &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_writer_open(&writer, ANORANK_TO_FILE(scratch("x")), "xyz", &err),
                ANORANK_ERROR_USAGE);
  assert_status(anorank_writer_open(&writer, ANORANK_TO_FILE(scratch("x.npz")), NULL, &err),
                ANORANK_ERROR_USAGE);
  assert_error(&err, "output-format");
  assert_status(anorank_writer_append(NULL, table, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_writer_commit(NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_table_write(NULL, ANORANK_TO_FILE("x"), "csv", &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_table_write(table, ANORANK_TO_FILE(scratch("x.npy")), NULL, &err),
                ANORANK_ERROR_USAGE);
  assert_string_equal(err.code, "npy-categories");
  assert_ok(anorank_writer_open(&writer, ANORANK_TO_FILE(scratch("x.csv")), NULL, NULL));
  assert_fails(anorank_writer_commit(writer, &err), ANORANK_ERROR_USAGE, "writer-no-block");
  anorank_writer_free(writer);
  anorank_writer_free(NULL);
  assert_int_equal(files_in_scratch(), 0);
}

static const char *const all_names[] = {"f.csv", "f.jsonl", "f.npy", "f.csv.gz", "f.csv.zst"};

/* Every byte of the old file is still there, and nothing else is. */
static void assert_untouched(const char *name) {
  size_t length;
  char *bytes = read_whole_file(scratch(name), &length);
  assert_string_equal(bytes, "old");
  assert_int_equal(files_in_scratch(), 1);
}

TEST(a_full_disk_is_an_error_and_leaves_the_old_file) {
  struct rlimit before, small;
  scoped_table *table = make_table(30000, 0);
  assert_status(anorank_table_write(table, ANORANK_TO_FILE("/dev/full"), "csv", NULL),
                ANORANK_ERROR_RESOURCES);
  assert_status(anorank_table_write(table, ANORANK_TO_FILE("/dev/full"), "npy", NULL),
                ANORANK_ERROR_RESOURCES);
  for (size_t k = 0; k < sizeof all_names / sizeof all_names[0]; k++)
    for (rlim_t limit = 64; limit <= 1 << 14; limit *= 256) {
      anorank_error err = {0};
      write_file(scratch(all_names[k]), "old", 3);
      assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
      small = before;
      small.rlim_cur = limit;
      void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
      assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
      anorank_status status = anorank_table_write(table, ANORANK_TO_FILE(scratch(all_names[k])), NULL, &err);
      assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
      signal(SIGXFSZ, handler);
      assert_status(status, ANORANK_ERROR_RESOURCES);
      assert_error(&err, "output-write");
      assert_untouched(all_names[k]);
      remove_file(all_names[k]);
    }
}

TEST(a_writer_freed_without_commit_leaves_the_old_file) {
  scoped_table *table = make_table(20000, 0);
  for (size_t k = 0; k < sizeof all_names / sizeof all_names[0]; k++) {
    anorank_writer *writer;
    write_file(scratch(all_names[k]), "old", 3);
    assert_ok(anorank_writer_open(&writer, ANORANK_TO_FILE(scratch(all_names[k])), NULL, NULL));
    assert_ok(anorank_writer_append(writer, table, NULL));
    anorank_writer_free(writer);
    assert_untouched(all_names[k]);
    remove_file(all_names[k]);
  }
}

TEST(every_failing_allocation_is_survived) {
  scoped_table *table = make_table(ROWS, 0);
  for (size_t k = 0; k < sizeof all_names / sizeof all_names[0]; k++) {
    anorank_status status = ANORANK_ERROR_RESOURCES;
    for (size_t fail_at = 1; status != ANORANK_OK && fail_at < 200; fail_at++) {
      anorank_error err = {0};
      write_file(scratch(all_names[k]), "old", 3);
      (void)ank_alloc_fail_at(fail_at);
      status = anorank_table_write(table, ANORANK_TO_FILE(scratch(all_names[k])), NULL, &err);
      (void)ank_alloc_fail_at(0);
      if (status == ANORANK_OK) break;
      assert_status(status, ANORANK_ERROR_RESOURCES);
      assert_error(&err, "memory-exhausted");
      assert_untouched(all_names[k]);
    }
    assert_ok(status);
    remove_file(all_names[k]);
  }
}

TEST_GROUP(make_scratch, remove_scratch)
