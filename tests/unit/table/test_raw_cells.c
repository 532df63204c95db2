/* Columns of the setting `keep`: their cells are those of the file, on every path of the reader. */
#include "core/alloc.h"
#include "support/check.h"

static const char german[] = "id;when;amount;city;flag\n"
                             "007;31.12.2025;1.234,50; Bonn ;ja\n"
                             "008;01.01.2026 ;-5,00;NA;nein\n"
                             "\"0\"\"9\";02.01.2026;\"7,25\";=1+1;\r\n"
                             "010;03.01.2026;+8,00;\"a;b\";ja";

static anorank_table *read_with(const char *text, const char *name, const char *keep, int64_t block_rows) {
  anorank_settings settings = test_settings();
  anorank_table *table;
  settings.keep = keep;
  settings.block_rows = block_rows;
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, strlen(text), name), &settings, NULL));
  return table;
}

static void expect_bytes(const anorank_table *table, const char *format, const char *expected) {
  scoped_result *bytes;
  size_t length;
  assert_ok(anorank_table_write(table, ANORANK_TO_MEMORY(&bytes, &length, NULL), format, NULL));
  char *text = test_memory(length + 1);
  memcpy(text, bytes, length);
  assert_string_equal(text, expected);
}

TEST(kept_cells_are_written_as_they_were_read) {
  scoped_table *table = read_with(german, "x.csv", "all", 0);
  char cell[32];
  expect_bytes(table, "csv",
               "id,when,amount,city,flag\n"
               "007,31.12.2025,\"1.234,50\",\" Bonn \",ja\n"
               "008,\"01.01.2026 \",\"-5,00\",NA,nein\n"
               "\"0\"\"9\",02.01.2026,\"7,25\",=1+1,\n"
               "010,03.01.2026,\"+8,00\",a;b,ja\n");
  assert_int_equal(anorank_table_text(table, 2, 0, cell, sizeof cell), 8);
  assert_string_equal(cell, "1.234,50");
  /* and they are read as before */
  assert_true(anorank_table_numbers(table, 2)[0] == 1234.5);
  assert_int_equal(anorank_table_kind(table, 1), ANORANK_TIME);
}

TEST(columns_outside_keep_have_no_raw_cells) {
  scoped_table *table = read_with(german, "x.csv", " amount , nowhere", 0);
  for (size_t j = 0; j < 5; j++) assert_int_equal(anorank_table_raw_cells(table, j), j == 2 ? 2 : 0);
}

TEST(json_has_plain_numbers_as_numbers_and_the_rest_as_texts) {
  scoped_table *table = read_with("n,d\n1.50,31.12.2025\n,01.01.2026\n-2,\n", "x.csv", "all", 0);
  assert_int_equal(anorank_table_raw_cells(table, 0), 1);
  expect_bytes(table, "csv", "n,d\n1.50,31.12.2025\n,01.01.2026\n-2,\n");
  expect_bytes(
      table, "jsonl",
      "{\"n\":1.5,\"d\":\"31.12.2025\"}\n{\"n\":null,\"d\":\"01.01.2026\"}\n{\"n\":-2,\"d\":null}\n");
  anorank_table_free(table);
  table = read_with("{\"a\":\"1.234,5\",\"b\":1e0}\n{\"b\":2.50}\n{\"a\":\"2,5\",\"b\":null}\n", "x.jsonl",
                    "all", 0);
  expect_bytes(table, "csv", "a,b\n\"1.234,5\",1e0\n,2.50\n\"2,5\",\n");
  expect_bytes(table, "jsonl",
               "{\"a\":\"1.234,5\",\"b\":1}\n{\"a\":null,\"b\":2.5}\n{\"a\":\"2,5\",\"b\":null}\n");
}

/* The plain rows go the fast way, every seventh the thorough one; blocks restart. */
TEST(blocks_and_ways_of_reading_do_not_show) {
  char *text, *expected;
  size_t length, expected_length;
  FILE *in = open_memstream(&text, &length), *out = open_memstream(&expected, &expected_length);
  anorank_settings settings;
  anorank_reader *reader;
  anorank_writer *writer;
  const anorank_table *block;
  unsigned char *bytes;
  fputs("a,b\n", in);
  fputs("a,b\n", out);
  for (int i = 0; i < 500; i++) {
    fprintf(in, i % 7 ? "%d.50,%s\n" : "%d.50,\"%s\"\"\"\n", i, i % 3 ? "x" : " y");
    fprintf(out, i % 7 ? i % 3 ? "%d.50,%s\n" : "%d.50,\"%s\"\n" : "%d.50,\"%s\"\"\"\n", i,
            i % 3 ? "x" : " y");
  }
  fclose(in);
  fclose(out);
  ank_settings_default(&settings);
  settings.keep = "all";
  settings.block_rows = 64;
  assert_ok(anorank_reader_open(&reader, ANORANK_FROM_MEMORY(text, length, "x.csv"), &settings, NULL));
  assert_ok(anorank_writer_open(&writer, ANORANK_TO_MEMORY(&bytes, &length, NULL), "csv", NULL));
  for (;;) {
    assert_ok(anorank_reader_next(reader, &block, NULL));
    if (!block) break;
    assert_ok(anorank_writer_append(writer, block, NULL));
  }
  assert_ok(anorank_writer_commit(writer, NULL));
  assert_int_equal(length, expected_length);
  assert_memory_equal(bytes, expected, length);
  anorank_bytes_free(bytes);
  anorank_writer_free(writer);
  anorank_reader_free(reader);
  free(text);
  free(expected);
}

TEST(only_texts_are_guarded_not_numbers) {
  scoped_table *table = read_with(german, "x.csv", "all", 0);
  assert_ok(anorank_table_escape_formulas(table, NULL));
  expect_bytes(table, "csv",
               "id,when,amount,city,flag\n"
               "007,31.12.2025,\"1.234,50\",\" Bonn \",ja\n"
               "008,\"01.01.2026 \",\"-5,00\",NA,nein\n"
               "\"0\"\"9\",02.01.2026,\"7,25\",'=1+1,\n"
               "010,03.01.2026,\"+8,00\",a;b,ja\n");
}

TEST(every_failing_allocation_is_an_error) {
  anorank_settings settings = test_settings();
  anorank_table *table;
  settings.keep = "all";
  for (size_t at = 1;; at++) {
    (void)ank_alloc_fail_at(at);
    anorank_status status =
        anorank_table_read(&table, ANORANK_FROM_MEMORY(german, strlen(german), "x.csv"), &settings, NULL);
    if (status == ANORANK_OK) status = anorank_table_escape_formulas(table, NULL);
    (void)ank_alloc_fail_at(0);
    anorank_table_free(table);
    if (status == ANORANK_OK) break;
    assert_int_equal(status, ANORANK_ERROR_RESOURCES);
    assert_true(at < 1000);
  }
}
