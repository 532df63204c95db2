/* test_json_writer.c - the output, byte by byte. */
#include "core/json_writer.h"
#include "support/check.h"

typedef struct kept {
  char text[512];
  size_t used, fails_after;
} kept;

static anorank_status keep(void *context, const void *bytes, size_t length, anorank_error *err) {
  kept *to = context;
  (void)err;
  if (to->used + length > to->fails_after) return ANORANK_ERROR_RESOURCES;
  memcpy(to->text + to->used, bytes, length);
  to->used += length;
  to->text[to->used] = '\0';
  return ANORANK_OK;
}

static ank_json start(kept *to) {
  ank_json json;
  *to = (kept){.fails_after = sizeof to->text - 1};
  ank_json_start(&json, keep, to, NULL);
  return json;
}

TEST(objects_are_indented_and_compact_ones_are_not) {
  kept to;
  ank_json json = start(&to);
  ank_json_open(&json, '{', 0);
  ank_json_count(&json, "a", 3);
  ank_json_key(&json, "b");
  ank_json_open(&json, '[', 1);
  ank_json_number(&json, 0.1);
  ank_json_number(&json, NAN);
  ank_json_integer(&json, INT64_MIN);
  ank_json_unsigned(&json, UINT64_MAX);
  ank_json_close(&json, ']');
  ank_json_flag(&json, "c", 1);
  ank_json_words(&json, "d", NULL);
  ank_json_close(&json, '}');
  ank_json_end(&json);
  assert_string_equal(to.text,
                      "{\n  \"a\": 3,\n  \"b\": [0.1, null, -9223372036854775808, 18446744073709551615],"
                      "\n  \"c\": true,\n  \"d\": null\n}\n");
}

TEST(arrays_of_numbers_stand_on_a_line) {
  kept to;
  ank_json json = start(&to);
  ank_json_open(&json, '{', 0);
  ank_json_counts(&json, "a", (const size_t[]){1, 2}, 2);
  ank_json_open_key(&json, "b", '[', 0);
  ank_json_numbers(&json, NULL, (const double[]){0.5, NAN}, 2);
  ank_json_numbers(&json, NULL, NULL, 0);
  ank_json_close(&json, ']');
  ank_json_close(&json, '}');
  assert_string_equal(to.text, "{\n  \"a\": [1, 2],\n  \"b\": [\n    [0.5, null],\n    []\n  ]\n}");
}

TEST(tight_lines_have_no_blanks) {
  kept to;
  ank_json json = start(&to);
  json.tight = 1;
  ank_json_open(&json, '{', 1);
  ank_json_field(&json, "a", 1);
  ank_json_words(&json, "b", "x");
  ank_json_close(&json, '}');
  assert_string_equal(to.text, "{\"a\":1,\"b\":\"x\"}");
}

/* Text of `length` bytes as a string, with and without markup escaped. */
static const char *written(kept *to, const char *text, size_t length, int in_html) {
  ank_json json = start(to);
  json.in_html = in_html;
  ank_json_text(&json, text, length);
  return to->text;
}

TEST(texts_are_escaped_where_they_must_be) {
  static const struct {
    const char *text;
    size_t length;
    const char *plain, *in_html;
  } cases[] = {
      {"", 0, "\"\"", "\"\""},
      {"a\"\\b", 4, "\"a\\\"\\\\b\"", "\"a\\\"\\\\b\""},
      {"\n\t\x01\x7f", 4, "\"\\n\\t\\u0001\\u007f\"", "\"\\n\\t\\u0001\\u007f\""},
      {"a\0b", 3, "\"a\\u0000b\"", "\"a\\u0000b\""},
      {"</script>", 9, "\"</script>\"", "\"\\u003c/script\\u003e\""},
      {"<!--&", 5, "\"<!--&\"", "\"\\u003c!--\\u0026\""},
      {"\xE2\x80\xA8\xE2\x80\xA9", 6, "\"\\u2028\\u2029\"", "\"\\u2028\\u2029\""},
      {"\xE2\x80\xAE", 3, "\"\\u202e\"", "\"\\u202e\""},
      {"\xC2\x9B", 2, "\"\\u009b\"", "\"\\u009b\""},
      {"\xC3\xA9\xF0\x9F\xA7\xA8", 6, "\"\xC3\xA9\xF0\x9F\xA7\xA8\"", "\"\xC3\xA9\xF0\x9F\xA7\xA8\""},
      {"a\xFF\xC3", 3, "\"a\\ufffd\\ufffd\"", "\"a\\ufffd\\ufffd\""},
      {"\xED\xA0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\"", "\"\\ufffd\\ufffd\\ufffd\""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    kept to;
    assert_string_equal(written(&to, cases[i].text, cases[i].length, 0), cases[i].plain);
    assert_string_equal(written(&to, cases[i].text, cases[i].length, 1), cases[i].in_html);
  }
}

TEST(no_byte_of_any_text_ends_an_element) {
  for (int byte = 0; byte < 256; byte++) {
    kept to;
    char text[2] = {(char)byte, '<'};
    assert_null(strpbrk(written(&to, text, 2, 1), "<>&"));
  }
}

TEST(a_failure_is_remembered_and_nothing_follows) {
  kept to;
  ank_json json = start(&to);
  to.fails_after = 6;
  ank_json_open(&json, '[', 1);
  ank_json_string(&json, "ab");
  ank_json_string(&json, "cdefgh");
  ank_json_string(&json, "");
  assert_int_equal(json.status, ANORANK_ERROR_RESOURCES);
  assert_true(to.used <= 6);
  to.fails_after = 100;
  ank_json_close(&json, ']');
  assert_null(strchr(to.text, ']'));
}
