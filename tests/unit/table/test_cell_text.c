/* Cells as text: times in their resolution, and their features. */
#include "table/cell_text.h"

#include <time.h>

#include "support/formats.h"
#include "support/notes.h"

static const char *text_of(double seconds, anorank_resolution resolution) {
  static char text[ANK_CELL_SIZE + 1];
  text[ank_time_text(text, seconds, resolution)] = '\0';
  return text;
}

TEST(times_are_written_in_their_resolution) {
  assert_string_equal(text_of(0, ANORANK_DAYS), "1970-01-01");
  assert_string_equal(text_of(86399.9, ANORANK_DAYS), "1970-01-01");
  assert_string_equal(text_of(-1, ANORANK_DAYS), "1969-12-31");
  assert_string_equal(text_of(1714557659, ANORANK_SECONDS), "2024-05-01T10:00:59Z");
  assert_string_equal(text_of(1714557659.25, ANORANK_MILLISECONDS), "2024-05-01T10:00:59.250Z");
  assert_string_equal(text_of(1714557659.123457, ANORANK_MICROSECONDS), "2024-05-01T10:00:59.123457Z");
  assert_string_equal(text_of(0.000000001, ANORANK_NANOSECONDS), "1970-01-01T00:00:00.000000001Z");
  assert_string_equal(text_of(59.9999, ANORANK_MILLISECONDS), "1970-01-01T00:01:00.000Z");
  assert_string_equal(text_of(-0.001, ANORANK_MILLISECONDS), "1969-12-31T23:59:59.999Z");
  assert_string_equal(text_of(253402300800, ANORANK_SECONDS), "+010000-01-01T00:00:00Z");
  assert_string_equal(text_of(-62167219201, ANORANK_DAYS), "-000001-12-31");
  assert_string_equal(text_of(1e300, ANORANK_SECONDS), "1e300");
  assert_string_equal(text_of(-INFINITY, ANORANK_DAYS), "-inf");
}

TEST(dates_are_those_of_the_c_library) {
  for (int64_t day = -720000; day < 2930000; day += 97) {
    time_t seconds = (time_t)(day * 86400 + day % 86400);
    struct tm parts;
    char expected[64];
    assert_non_null(gmtime_r(&seconds, &parts));
    if (parts.tm_year + 1900 < 0 || parts.tm_year + 1900 > 9999) continue;
    snprintf(expected, sizeof expected, "%04d-%02d-%02dT%02d:%02d:%02dZ", parts.tm_year + 1900,
             parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
    assert_string_equal(text_of((double)seconds, ANORANK_SECONDS), expected);
  }
}

static anorank_table *make_times(size_t rows) {
  anorank_table *table;
  assert_ok(ank_table_new(&table, 2, NULL));
  assert_ok(ank_table_set_name(table, 0, "when", 4, NULL));
  assert_ok(ank_table_set_name(table, 1, "x", 1, NULL));
  ank_table_set_kind(table, 0, ANORANK_TIME);
  table->column[0].resolution = ANORANK_SECONDS;
  assert_ok(ank_table_reserve(table, rows, NULL));
  for (size_t i = 0; i < rows; i++) {
    table->column[0].numbers[i] = i == 1 ? (double)NAN : (double)i * 3600;
    table->column[1].numbers[i] = (double)(i * i % 17);
  }
  table->rows = rows;
  return table;
}

TEST(files_of_text_hold_iso_8601_and_npy_the_seconds) {
  anorank_table *table = make_times(3);
  size_t length;
  char cell[8];
  assert_ok(anorank_table_write(table, ANORANK_TO_FILE(scratch("t.csv")), NULL, NULL));
  char *text = read_whole_file(scratch("t.csv"), &length);
  assert_string_equal(text, "when,x\n1970-01-01T00:00:00Z,0\n,1\n1970-01-01T02:00:00Z,4\n");
  assert_ok(anorank_table_write(table, ANORANK_TO_FILE(scratch("t.jsonl")), NULL, NULL));
  text = read_whole_file(scratch("t.jsonl"), &length);
  assert_string_equal(text, "{\"when\":\"1970-01-01T00:00:00Z\",\"x\":0}\n{\"when\":null,\"x\":1}\n"
                            "{\"when\":\"1970-01-01T02:00:00Z\",\"x\":4}\n");
  assert_ok(anorank_table_write(table, ANORANK_TO_FILE(scratch("t.npy")), NULL, NULL));
  anorank_table *again = must_read(scratch("t.npy"));
  assert_close(anorank_table_numbers(again, 0)[2], 7200, 0);
  assert_int_equal(anorank_table_text(table, 0, 2, cell, sizeof cell), 20);
  assert_string_equal(cell, "1970-01");
  assert_int_equal(anorank_table_text(table, 0, 1, cell, sizeof cell), 0);
  assert_string_equal(cell, "");
  assert_int_equal(anorank_table_text(table, 1, 2, NULL, 0), 1);
  assert_int_equal(table->column[0].resolution, ANORANK_SECONDS);
  assert_int_equal(table->column[1].resolution, ANORANK_DAYS);
  anorank_table_free(again);
  anorank_table_free(table);
  assert_int_equal(unlink(scratch("t.csv")) | unlink(scratch("t.jsonl")) | unlink(scratch("t.npy")), 0);
}

TEST(a_model_learns_when_rows_happen_and_says_so) {
  scoped_table *table = make_times(200), *drawn;
  scoped_model *model;
  anorank_settings settings = test_settings();
  assert_ok(ank_settings_lend(&settings, "columns", "when,x", NULL));
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  assert_true(has_note(anorank_model_notes(model), "column-time", "'when'"));
  assert_int_equal(anorank_model_column_at(model, 0)->role, ANORANK_ROLE_TIME);
  assert_ok(ank_settings_lend(&settings, "law", "permute", NULL));
  assert_ok(anorank_simulate(&drawn, table, &settings, NULL));
  assert_int_equal(anorank_table_kind(drawn, 0), ANORANK_TIME);
  assert_int_equal(drawn->column[0].resolution, ANORANK_SECONDS);
}

TEST_GROUP(make_scratch, remove_scratch)
