/* Reading one file from many places: cuts do not depend on how the file was divided, and the pieces between them hold the rows
 * of the whole. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

static const char *const texts[] = {
    "a,b\n1,x\n2,\"y\nz\"\n3,\"q\"\"u\"\"\n\"\n4,w\n",
    "a,b\r\n1,x\r\n2,\"y\r\nz\"\r\n3,5\" wide\r\n4,\"\"\r\n5,w",
    "name;note\nann;\"a;b\n\n;\"\nbob; \"padded\" \ncid;plain \"quoted\" end\ndan;\n",
    "score\n1\n\n\n2\n\"\"\n3\n \n4\n\n",
    "a\tb\n1\tone\n2\t\"two\n2\"\n\n3\tthree\n4\tfour\n",
    "a,b\r1,x\r2,y\r3,z\r",
    "a b\n1 2\n3  4\n 5 6\n7\t8\n",
    "a,b\n1,\"\"\"\"\n2,\"\"\"\n\"\"\"\n3,\"\n\"\n4,\"\n\n\"\n",
    "x,y\n1,2\nx,y\n3,4\nx,y\n5,6\n",
};

enum { TEXTS = sizeof texts / sizeof texts[0] };

typedef struct piece {
  const char *text;
  size_t left, step;
} piece;

static int fetch(void *context, void *buffer, size_t size, size_t *got) {
  piece *from = context;
  *got = from->left < size ? from->left : size;
  if (*got > from->step) *got = from->step;
  if (*got > 0) memcpy(buffer, from->text, *got);
  from->text += *got;
  from->left -= *got;
  return 0;
}

/* Only plain files can be cut, so the text becomes one. */
static anorank_reader *open_text(const char *bytes, size_t length) {
  char path[] = "/tmp/test_cut-XXXXXX";
  anorank_reader *reader = NULL;
  int file = mkstemp(path);
  assert_true(file >= 0 && write(file, bytes, length) == (ssize_t)length);
  close(file);
  assert_ok(anorank_reader_open(&reader, path, NULL, NULL));
  unlink(path);
  return reader;
}

/* The rows of the reader as text, appended. */
static void print_rows(char *out, size_t size, anorank_reader *reader) {
  const anorank_table *block;
  char cell[64];
  for (;;) {
    assert_ok(anorank_reader_next(reader, &block, NULL));
    if (!block) return;
    for (size_t i = 0; i < anorank_table_rows(block); i++)
      for (size_t j = 0; j < anorank_table_columns(block); j++) {
        anorank_table_text(block, j, i, cell, sizeof cell);
        strncat(out, cell, size - strlen(out) - 1);
        strncat(out, j + 1 < anorank_table_columns(block) ? "|" : "$", size - strlen(out) - 1);
      }
  }
}

static uint64_t line_of(const char *text, uint64_t at) {
  uint64_t line = 1;
  for (uint64_t i = 0; i < at; i++) line += text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n');
  return line;
}

static anorank_scan scan(const anorank_reader *reader, const char *text, size_t begin, size_t from,
                         size_t to) {
  anorank_scan out;
  size_t before = from - begin < 2 ? from - begin : 2;
  assert_ok(anorank_reader_scan(&out, reader, text + from, to - from, before, NULL));
  return out;
}

static uint64_t earliest(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void cuts_do_not_depend_on_the_pieces(void **state) {
  (void)state;
  for (size_t k = 0; k < TEXTS; k++) {
    size_t length = strlen(texts[k]);
    anorank_reader *reader = open_text(texts[k], length);
    anorank_body body = anorank_reader_body(reader);
    assert_int_equal(body.cuts, ANORANK_CUTS_TEXT);
    assert_int_equal(body.end, length);
    size_t begin = (size_t)body.begin;
    for (size_t a = begin; a <= length; a++)
      for (size_t b = a; b <= length; b++) {
        anorank_scan all = scan(reader, texts[k], begin, a, length),
                     one = scan(reader, texts[k], begin, a, b),
                     two = scan(reader, texts[k], begin, b, length);
        assert_int_equal(all.lines, one.lines + two.lines);
        for (size_t s = 0; s < ANORANK_SCAN_STATES; s++) {
          size_t t = one.left[s];
          uint64_t second = two.first[t] == UINT64_MAX ? UINT64_MAX : two.first[t] + (b - a);
          uint64_t last = two.last[t] == UINT64_MAX ? one.last[s] : two.last[t] + (b - a);
          assert_int_equal(all.left[s], two.left[t]);
          assert_int_equal(all.first[s], earliest(one.first[s], second));
          assert_int_equal(all.last[s], last);
        }
      }
    anorank_reader_free(reader);
  }
}

static void pieces_hold_the_rows_of_the_whole(void **state) {
  (void)state;
  for (size_t k = 0; k < TEXTS; k++) {
    const char *text = texts[k];
    size_t length = strlen(text), cuts = 0;
    char whole[2048] = "", pieces[2048];
    anorank_reader *reader = open_text(text, length);
    anorank_body body = anorank_reader_body(reader);
    print_rows(whole, sizeof whole, reader);
    for (size_t border = (size_t)body.begin; border <= length; border++) {
      anorank_scan head = scan(reader, text, (size_t)body.begin, (size_t)body.begin, border);
      if (head.last[0] == UINT64_MAX) continue;
      uint64_t cut = body.begin + head.last[0];
      cuts += cut == border;
      piece first = {text + body.begin, head.last[0], 3}, second = {text + cut, length - cut, 100};
      pieces[0] = '\0';
      assert_ok(anorank_reader_go_on(reader, fetch, &first, body.line, 0, NULL));
      print_rows(pieces, sizeof pieces, reader);
      assert_ok(anorank_reader_go_on(reader, fetch, &second, line_of(text, cut), 0, NULL));
      print_rows(pieces, sizeof pieces, reader);
      assert_string_equal(pieces, whole);
    }
    assert_true(k == 5 ? cuts == 0 : cuts >= 2); /* lone returns are no cuts */
    anorank_reader_free(reader);
  }
}

static void a_wrong_cell_is_told_with_its_line_in_the_file(void **state) {
  (void)state;
  char text[4096] = "a,b\n";
  for (int i = 0; i < 100; i++) strcat(text, i % 10 == 3 ? "1,\"x\ny\"\n" : "1,x\n");
  size_t good = strlen(text);
  strcat(text, "1,x\nwrong,x\n");
  anorank_reader *reader = open_text(text, strlen(text));
  const anorank_table *block;
  anorank_error whole = {0}, err = {0};
  assert_status(anorank_reader_next(reader, &block, &whole), ANORANK_ERROR_DATA);
  piece last = {text + good, strlen(text) - good, 1};
  assert_ok(anorank_reader_go_on(reader, fetch, &last, line_of(text, good), 0, NULL));
  assert_status(anorank_reader_next(reader, &block, &err), ANORANK_ERROR_DATA);
  assert_int_equal(whole.line, 113);
  assert_int_equal(err.line, whole.line);
  assert_string_equal(err.message, whole.message);
  anorank_reader_free(reader);
}

/* Long enough for stretches without quotes, and with them. */
static void long_texts_are_cut_as_short_ones(void **state) {
  enum { SIZE = 400000 };
  (void)state;
  char *text = malloc(SIZE + 64);
  size_t used = 0;
  assert_non_null(text);
  used += (size_t)sprintf(text, "a,b\n");
  for (int i = 0; used < SIZE; i++)
    used += (size_t)sprintf(text + used,
                            i % 9000 == 8999 ? "%d,\"line\nbreak, \"\"%d\"\" \"\n" : "%d,word%d \n", i, i);
  anorank_reader *reader = open_text(text, used);
  size_t begin = (size_t)anorank_reader_body(reader).begin;
  anorank_scan all = scan(reader, text, begin, begin, used);
  for (size_t border = begin; border < used; border += 7919) {
    anorank_scan one = scan(reader, text, begin, begin, border),
                 two = scan(reader, text, begin, border, used);
    assert_int_equal(all.lines, one.lines + two.lines);
    for (size_t s = 0; s < ANORANK_SCAN_STATES; s++) {
      size_t t = one.left[s];
      assert_int_equal(all.left[s], two.left[t]);
      uint64_t second = two.first[t] == UINT64_MAX ? UINT64_MAX : two.first[t] + (border - begin);
      assert_int_equal(all.first[s], earliest(one.first[s], second));
    }
  }
  anorank_reader_free(reader);
  free(text);
}

static void rows_of_an_array_are_read_from_any_row_on(void **state) {
  (void)state;
  double cells[20];
  const anorank_table *block;
  anorank_table *table = NULL;
  unsigned char *bytes = NULL;
  size_t length = 0;
  for (size_t i = 0; i < 20; i++) cells[i] = (double)i;
  assert_ok(anorank_table_from_matrix(&table, cells, 10, 2, 2, 1, NULL, NULL));
  assert_ok(anorank_table_to_bytes(&bytes, &length, table, "npy", NULL));
  anorank_reader *reader = open_text((const char *)bytes, length);
  anorank_body body = anorank_reader_body(reader);
  assert_int_equal(body.cuts, ANORANK_CUTS_ROWS);
  assert_int_equal(body.rows, 10);
  assert_int_equal(body.row_bytes, 16);
  assert_int_equal(body.end, length);
  piece part = {(const char *)bytes + body.begin + 3 * body.row_bytes, (size_t)(4 * body.row_bytes), 5};
  assert_ok(anorank_reader_go_on(reader, fetch, &part, 0, 4, NULL));
  assert_ok(anorank_reader_next(reader, &block, NULL));
  assert_int_equal(anorank_table_rows(block), 4);
  assert_close(anorank_table_numbers(block, 1)[3], 13, 0);
  assert_ok(anorank_reader_next(reader, &block, NULL));
  assert_null(block);
  anorank_scan out;
  assert_status(anorank_reader_scan(&out, reader, "", 0, 0, NULL), ANORANK_ERROR_USAGE);
  anorank_reader_free(reader);
  anorank_bytes_free(bytes);
  anorank_table_free(table);
}

static void what_is_no_plain_text_cannot_be_cut(void **state) {
  (void)state;
  anorank_reader *reader = NULL;
  piece none = {"", 0, 1};
  assert_ok(anorank_reader_open_memory(&reader, "a\n1\n", 4, "x.csv", NULL, NULL));
  assert_int_equal(anorank_reader_body(reader).cuts, ANORANK_CUTS_NONE);
  anorank_reader_free(reader);
  static const char jsonl[] = "{\"a\": 1}\n{\"a\": 2}\n";
  reader = open_text(jsonl, sizeof jsonl - 1);
  assert_int_equal(anorank_reader_body(reader).cuts, ANORANK_CUTS_NONE);
  anorank_error err = {0};
  assert_status(anorank_reader_go_on(reader, fetch, &none, 1, 0, &err), ANORANK_ERROR_USAGE);
  assert_string_equal(err.code, "reader-range");
  anorank_reader_free(reader);
  static const char utf16[] = "a\0,\0b\0\n\0001\0,\0002\0\n";
  char marked[sizeof utf16 + 2] = "\xFF\xFE";
  memcpy(marked + 2, utf16, sizeof utf16);
  reader = open_text(marked, sizeof utf16 + 2);
  assert_int_equal(anorank_reader_body(reader).cuts, ANORANK_CUTS_NONE);
  anorank_reader_free(reader);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cuts_do_not_depend_on_the_pieces),
      cmocka_unit_test(pieces_hold_the_rows_of_the_whole),
      cmocka_unit_test(a_wrong_cell_is_told_with_its_line_in_the_file),
      cmocka_unit_test(long_texts_are_cut_as_short_ones),
      cmocka_unit_test(rows_of_an_array_are_read_from_any_row_on),
      cmocka_unit_test(what_is_no_plain_text_cannot_be_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
