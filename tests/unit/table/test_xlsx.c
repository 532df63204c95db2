/* test_xlsx.c - workbooks and the zip archives around them: cells of all kinds, sheets, dates, and
 * refusals. */
#include "core/alloc.h"
#include "support/check.h"
#include "support/notes.h"
#include "table/table.h"
#include "table/workbook.h"

#define BOOK(name) TEST_DATA "/xlsx/" name

static anorank_error err;

static anorank_table *read_book(const char *path, const char *sheet) {
  anorank_table *table;
  anorank_settings settings = test_settings();
  assert_ok(ank_settings_lend(&settings, "sheet", sheet, &err));
  if (anorank_table_read(&table, ANORANK_FROM_FILE(path), &settings, &err) != ANORANK_OK)
    fail_msg("%s", err.message);
  return table;
}

/* The table written down: names with the kind, then rows; _ is missing. */
static void expect(const char *path, const char *sheet, const char *expected) {
  char text[2048];
  size_t used = 0;
  anorank_table *table = read_book(path, sheet);
  for (size_t j = 0; j < anorank_table_columns(table); j++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s:%c", j ? " " : "",
                             anorank_table_name(table, j), "nct"[anorank_table_kind(table, j)]);
  for (size_t i = 0; i < anorank_table_rows(table); i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, " |");
    for (size_t j = 0; j < anorank_table_columns(table); j++) {
      char cell[64];
      size_t length = anorank_table_text(table, j, i, cell, sizeof cell);
      used += (size_t)snprintf(text + used, sizeof text - used, " %s", length ? cell : "_");
    }
  }
  anorank_table_free(table);
  assert_string_equal(text, expected);
}

static void expect_refused(const char *path, const char *sheet, anorank_status status, const char *words) {
  anorank_table *table;
  anorank_settings settings = test_settings();
  assert_ok(ank_settings_lend(&settings, "sheet", sheet, &err));
  assert_status(anorank_table_read(&table, ANORANK_FROM_FILE(path), &settings, &err), status);
  assert_null(table);
  assert_error(&err, words);
}

TEST(cells_of_all_kinds_are_read) {
  /* openpyxl saves no values with its formulas, so `sum` is empty; B7 and G7 are a gap and an error. */
  expect(BOOK("book.xlsx"), "",
         "id:c amount:n when:t day:t at:t ok:c note:c sum:n"
         " | C0 10.25 2025-01-02T08:30:00Z 2025-12-28 1970-01-01T23:59:00Z TRUE plain _"
         " | C1 11.25 2025-01-03T08:31:00Z 2025-12-29 1970-01-01T23:59:01Z FALSE a \"b\" _"
         " | C2 12.25 2025-01-04T08:32:00Z 2025-12-30 1970-01-01T23:59:02Z TRUE c, d _"
         " | C3 _ 2025-01-05T08:33:00Z 2025-12-31 1970-01-01T23:59:03Z FALSE _ _");
  expect(BOOK("inline.xlsx"), "", "a:n x2:n cc:n | 1 _ 0.25 | 3 _ 4");
  expect(BOOK("stored.xlsx"), "", "a:n x2:n cc:n | 1 _ 0.25 | 3 _ 4");
  expect(BOOK("from1904.xlsx"), "", "d:t | 2025-12-31");
}

TEST(sheets_are_chosen_by_name_or_number) {
  expect(BOOK("book.xlsx"), "zwei", "a:n b:n | 1 2 | 3 4");
  expect(BOOK("book.xlsx"), "2", "a:n b:n | 1 2 | 3 4");
  expect_refused(BOOK("book.xlsx"), "drei", ANORANK_ERROR_USAGE, "xlsx-sheet-unknown");
  scoped_table *table = read_book(BOOK("book.xlsx"), "");
  assert_true(has_note(&table->notes, "xlsx-sheet-chosen", "'Zahlungen'"));
}

TEST(contradictory_workbooks_are_refused) {
  expect_refused(BOOK("entity.xlsx"), "", ANORANK_ERROR_DATA, "xlsx-document-type");
  expect_refused(BOOK("broken.xlsx"), "", ANORANK_ERROR_DATA, "xlsx-xml");
  expect_refused(BOOK("empty.xlsx"), "", ANORANK_ERROR_DATA, "xlsx-sheet-empty");
  expect_refused(BOOK("no-text.xlsx"), "", ANORANK_ERROR_DATA, "xlsx-cell");
  expect_refused(BOOK("backward.xlsx"), "", ANORANK_ERROR_DATA, "xlsx-cell");
  expect_refused(BOOK("no-sheet.xlsx"), "", ANORANK_ERROR_DATA, "xlsx-not-a-workbook");
  expect_refused(BOOK("open.ods"), "", ANORANK_ERROR_DATA, "xlsx-opendocument");
}

/* Every byte of an archive changed once, and the archive cut at every length: an error in words, or the
 * same table. */
TEST(damage_is_never_read_in_silence) {
  static unsigned char bytes[8192], changed[8192];
  FILE *file = fopen(BOOK("inline.xlsx"), "rb");
  assert_non_null(file);
  size_t length = fread(bytes, 1, sizeof bytes, file);
  assert_int_equal(fclose(file), 0);
  anorank_table *table;
  for (size_t i = 0; i < 2 * length; i++) {
    memcpy(changed, bytes, length);
    if (i < length) changed[i] ^= 0x55;
    anorank_status status = anorank_table_read(
        &table, ANORANK_FROM_MEMORY(changed, i < length ? length : i - length, "t.xlsx"), NULL, &err);
    if (status == ANORANK_OK) { /* a date, an attribute of the archive: nothing that counts */
      assert_int_equal(anorank_table_rows(table), i < length ? 2 : 0);
      assert_true(anorank_table_numbers(table, 0)[1] == 3);
    } else {
      assert_true(err.message[0] != '\0');
    }
    anorank_table_free(table);
  }
}

TEST(every_failing_allocation_is_survived) {
  for (size_t k = 1;; k++) {
    anorank_table *table = NULL;
    ank_alloc_fail_at(k);
    anorank_status status = anorank_table_read(&table, ANORANK_FROM_FILE(BOOK("book.xlsx")), NULL, &err);
    size_t requests = ank_alloc_fail_at(0);
    anorank_table_free(table);
    if (requests < k) {
      assert_status(status, ANORANK_OK);
      break;
    }
    assert_status(status, ANORANK_ERROR_RESOURCES);
  }
}

TEST(number_formats_are_distinguished) {
  assert_true(ank_is_date_format(14, NULL));
  assert_true(ank_is_date_format(22, NULL));
  assert_false(ank_is_date_format(0, NULL));
  assert_false(ank_is_date_format(4, NULL));
  static const char *const dates[] = {"yyyy-mm-dd", "dd/mm/yy", "[$-407]d. mmmm yyyy",
                                      "h:mm AM/PM", "[h]:mm",   "\"am\" d"};
  static const char *const others[] = {"General", "0.00", "#,##0.00 \"dm\"", "0.00\\d", "[Red]0.00",
                                       "_d0",     "0.0%"};
  for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++) assert_true(ank_is_date_format(164, dates[i]));
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    assert_false(ank_is_date_format(164, others[i]));
}

TEST(serial_days_are_dates) {
  static const struct {
    double serial;
    int from_1904;
    const char *text;
  } cases[] = {{1, 0, "1900-01-01"},
               {59, 0, "1900-02-28"},
               {61, 0, "1900-03-01"},
               {46022, 0, "2025-12-31"},
               {46022.5, 0, "2025-12-31 12:00:00"},
               {0.75, 0, "18:00:00"},
               {0, 1, "1904-01-01"},
               {44560, 1, "2025-12-31"},
               {46022.9999999999, 0, "2026-01-01"}};
  char text[64];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_true(ank_serial_text(text, sizeof text, cases[i].serial, cases[i].from_1904) > 0);
    assert_string_equal(text, cases[i].text);
  }
  assert_int_equal(ank_serial_text(text, sizeof text, -1, 0), 0);
  assert_int_equal(ank_serial_text(text, sizeof text, 1e9, 0), 0);
}
