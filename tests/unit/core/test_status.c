/* Messages: always terminated, truncated at a character, and untrusted text made harmless. */
#include "core/status.h"
#include "support/check.h"

TEST(fail_writes_the_message_and_returns_the_status) {
  anorank_error err = {0};
  assert_status(ank_fail(&err, ANORANK_ERROR_DATA, "a-code", "%s:%d: bad", "a.csv", 12), ANORANK_ERROR_DATA);
  assert_string_equal(err.message, "a.csv:12: bad");
  assert_status(ank_fail(NULL, ANORANK_ERROR_MODEL, "a-code", "discarded"), ANORANK_ERROR_MODEL);
}

TEST(a_long_message_is_cut_between_characters) {
  anorank_error err;
  char text[2 * ANORANK_MESSAGE_SIZE];
  for (int shift = 0; shift < 2; shift++) { /* é is two bytes: both ways of meeting the end */
    size_t used = 0;
    if (shift) text[used++] = 'x';
    while (used + 2 < sizeof text) {
      memcpy(text + used, "\xC3\xA9", 2);
      used += 2;
    }
    text[used] = '\0';
    (void)ank_fail(&err, ANORANK_ERROR_DATA, "a-code", "%s", text);
    size_t length = strlen(err.message);
    assert_true(length < ANORANK_MESSAGE_SIZE && length > ANORANK_MESSAGE_SIZE - 8);
    assert_string_equal(err.message + length - 3, "...");
    assert_int_equal((unsigned char)err.message[length - 4], 0xA9);
  }
}

TEST(a_failure_forgets_the_fields_of_the_one_before) {
  anorank_error err, none = {0};
  memset(&err, 0xA5, sizeof err);
  (void)ank_fail(&err, ANORANK_ERROR_DATA, "a-code", "x");
  assert_int_equal(err.status, ANORANK_ERROR_DATA);
  assert_int_equal(err.remedy_count, 0);
  assert_string_equal(err.code, "a-code");
  memset(err.code, 0, sizeof err.code);
  assert_memory_equal(err.file, none.file, sizeof none - offsetof(anorank_error, file));
}

TEST(control_characters_are_not_part_of_a_message) {
  static const char *const bad[] = {"\x1B", "\n",           "\x7F",         "\xC2\x9B",     "\xE2\x80\xAE",
                                    "\xFF", "\xE2\x81\xA6", "\xE2\x80\xA8", "\xD8\x9C",     "\xE2\x80\x8F",
                                    "\xC3", "\xED\xA0\x80", "\xE2\x80\xAA", "\xE2\x81\xA9", "\xC2\x80"};
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    anorank_error err;
    char wanted[16] = "a?????";
    (void)ank_fail(&err, ANORANK_ERROR_DATA, "a-code", "a%sb", bad[k]);
    strcpy(wanted + 1 + strlen(bad[k]), "b");
    assert_string_equal(err.message, wanted);
  }
  anorank_error err;
  const char *fine = "caf\xC3\xA9 \xC2\xA0 \xE2\x82\xAC \xE2\x80\x94 \xF0\x9F\x98\x80 \xD8\xA7";
  (void)ank_fail(&err, ANORANK_ERROR_DATA, "a-code", "%s", fine);
  assert_string_equal(err.message, fine);
}

static void assert_remedy(const anorank_error *err, size_t i, const char *setting, const char *value) {
  const char *name = "", *text = "";
  assert_true(anorank_error_remedy(err, i, &name, &text));
  assert_string_equal(name, setting);
  assert_string_equal(text, value);
}

TEST(a_message_around_another_keeps_its_fields) {
  anorank_error err = {0};
  (void)ank_fail(&err, ANORANK_ERROR_DATA, "a-code", "bad cell");
  ank_error_set_location(&err, "a.csv", 7, "amount");
  ank_error_set_setting(&err, "missing");
  ank_remedy(&err, "missing", "n.a.");
  assert_status(ank_fail_around(&err, &err, "while reading: %s", err.message), ANORANK_ERROR_DATA);
  assert_string_equal(err.message, "while reading: bad cell");
  assert_string_equal(err.file, "a.csv");
  assert_int_equal(err.line, 7);
  assert_string_equal(err.column, "amount");
  assert_string_equal(err.setting, "missing");
  assert_int_equal(err.remedy_count, 1);
  assert_remedy(&err, 0, "missing", "n.a.");
}

TEST(a_remedy_is_whole_or_left_out) {
  anorank_error err = {0};
  char longer[400];
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  ank_remedy(NULL, "missing", "x");
  (void)ank_fail(&err, ANORANK_ERROR_DATA, "a-code", "x");
  ank_remedy(&err, "missing", longer);
  ank_remedy(&err, longer, "x");
  ank_remedy_add(&err, "missing", "", "", 0);
  ank_remedy_add(&err, "missing", "", " x", 2);
  ank_remedy_add(&err, "missing", "", "x ", 2);
  ank_remedy_add(&err, "missing", "", "a\0b", 3);
  ank_remedy_add(&err, "missing", longer, "x", 1);
  assert_int_equal(err.remedy_count, 0);
  ank_remedy_add(&err, "missing", "", "12,50", 5);
  ank_remedy_add(&err, "drop", "a,b", "cd", 1);
  ank_remedy_remove(&err, "drop", "a, b\\,c,d", "b,c", 3);
  assert_remedy(&err, 0, "missing", "12\\,50");
  assert_remedy(&err, 1, "drop", "a,b,c");
  assert_remedy(&err, 2, "drop", "a,d");
  for (int k = 0; k < 9; k++) ank_remedy(&err, "drop", "x");
  assert_int_equal(err.remedy_count, ANORANK_REMEDIES);
  assert_remedy(&err, ANORANK_REMEDIES - 1, "drop", "x");
  const char *setting = "none", *value = "none";
  assert_false(anorank_error_remedy(&err, ANORANK_REMEDIES, &setting, &value));
  assert_false(anorank_error_remedy(NULL, 0, &setting, &value));
  assert_string_equal(setting, "none");
}

TEST(remedies_share_their_room) {
  anorank_error err = {0};
  char half[sizeof err.remedies / 2];
  memset(half, 'x', sizeof half - 1);
  half[sizeof half - 1] = '\0';
  (void)ank_fail(&err, ANORANK_ERROR_DATA, "a-code", "x");
  ank_remedy(&err, "drop", half);
  ank_remedy(&err, "drop", half);
  ank_remedy(&err, "missing", "short");
  assert_int_equal(err.remedy_count, 2);
  assert_remedy(&err, 1, "missing", "short");
}

TEST(quoting_makes_control_bytes_and_broken_utf8_visible) {
  char buffer[ANK_QUOTE_SIZE];
  assert_string_equal(ank_quote(buffer, "abc", 3), "abc");
  assert_string_equal(ank_quote(buffer, "a\0b", 3), "a\\x00b");
  assert_string_equal(ank_quote(buffer, "\x1B[31m", 5), "\\x1B[31m");
  assert_string_equal(ank_quote(buffer, "\xC3\xA9", 2), "\xC3\xA9");
  assert_string_equal(ank_quote(buffer, "\xC3", 1), "\\xC3");
  assert_string_equal(ank_quote(buffer, "\xFFz", 2), "\\xFFz");
  assert_string_equal(ank_quote(buffer, "\xC2\x9B[1m", 5), "\\xC2\\x9B[1m"); /* the control character CSI */
  assert_string_equal(ank_quote(buffer, "\xC2\xA0", 2), "\xC2\xA0");
  assert_string_equal(ank_quote(buffer, "", 0), "");
}

TEST(quoting_never_overruns_its_buffer) {
  char buffer[ANK_QUOTE_SIZE], text[500];
  for (int byte = 0; byte < 256; byte++) {
    memset(text, byte, sizeof text);
    for (size_t length = 0; length < sizeof text; length++) {
      ank_quote(buffer, text, length);
      assert_true(strlen(buffer) < ANK_QUOTE_SIZE);
    }
    assert_string_equal(buffer + strlen(buffer) - 3, "...");
  }
}

static int stop_at_half(void *context, double share, const char *what) {
  (void)what;
  *(int *)context += 1;
  return share >= 0.5;
}

TEST(progress_can_cancel) {
  int calls = 0;
  anorank_error err = {0};
  anorank_settings settings = test_settings();
  assert_ok(ank_progress(&settings, 0.9, "anything", &err));
  settings.progress = stop_at_half;
  settings.progress_context = &calls;
  assert_ok(ank_progress(&settings, 0.4, "reading", &err));
  assert_status(ank_progress(&settings, 0.6, "reading x.csv", &err), ANORANK_CANCELLED);
  assert_error(&err, "cancelled");
  assert_non_null(strstr(err.message, "reading x.csv"));
  assert_int_equal(calls, 2);
}

TEST(statuses_have_names_and_the_version_is_the_headers) {
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d%s", ANORANK_VERSION_MAJOR, ANORANK_VERSION_MINOR,
           ANORANK_VERSION_PATCH, ANORANK_VERSION_SUFFIX);
  assert_string_equal(anorank_version(), version);
  assert_string_equal(anorank_status_name(ANORANK_ERROR_RESOURCES), "resources");
  assert_string_equal(anorank_status_name((anorank_status)99), "unknown");
}
