/* Messages: always ended, cut at a character, and outside text made harmless. */
#include "support/check.h"

#include <string.h>

#include "core/status.h"

static void fail_writes_the_message_and_returns_the_status(void **state) {
  (void)state;
  anorank_error err = {{0}};
  assert_status(ank_fail(&err, ANORANK_ERROR_DATA, "%s:%d: bad", "a.csv", 12), ANORANK_ERROR_DATA);
  assert_string_equal(err.message, "a.csv:12: bad");
  assert_status(ank_fail(NULL, ANORANK_ERROR_MODEL, "nobody listens"), ANORANK_ERROR_MODEL);
}

static void a_long_message_is_cut_between_characters(void **state) {
  (void)state;
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
    (void)ank_fail(&err, ANORANK_ERROR_DATA, "%s", text);
    size_t length = strlen(err.message);
    assert_true(length < ANORANK_MESSAGE_SIZE && length > ANORANK_MESSAGE_SIZE - 8);
    assert_string_equal(err.message + length - 3, "...");
    assert_int_equal((unsigned char)err.message[length - 4], 0xA9);
  }
}

static void quoting_makes_control_bytes_and_broken_utf8_visible(void **state) {
  (void)state;
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

static void quoting_never_overruns_its_buffer(void **state) {
  (void)state;
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

static void progress_can_cancel(void **state) {
  (void)state;
  int calls = 0;
  anorank_error err = {{0}};
  anorank_settings settings;
  ank_settings_default(&settings);
  assert_ok(ank_progress(&settings, 0.9, "anything", &err));
  settings.progress = stop_at_half;
  settings.progress_context = &calls;
  assert_ok(ank_progress(&settings, 0.4, "reading", &err));
  assert_status(ank_progress(&settings, 0.6, "reading x.csv", &err), ANORANK_CANCELLED);
  assert_string_equal(err.message, "stopped on request while reading x.csv");
  assert_int_equal(calls, 2);
}

static void statuses_have_names_and_the_version_is_the_headers(void **state) {
  (void)state;
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", ANORANK_VERSION_MAJOR, ANORANK_VERSION_MINOR,
           ANORANK_VERSION_PATCH);
  assert_string_equal(anorank_version(), version);
  assert_string_equal(anorank_status_name(ANORANK_ERROR_RESOURCES), "resources");
  assert_string_equal(anorank_status_name((anorank_status)99), "unknown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fail_writes_the_message_and_returns_the_status),
      cmocka_unit_test(a_long_message_is_cut_between_characters),
      cmocka_unit_test(quoting_makes_control_bytes_and_broken_utf8_visible),
      cmocka_unit_test(quoting_never_overruns_its_buffer),
      cmocka_unit_test(progress_can_cancel),
      cmocka_unit_test(statuses_have_names_and_the_version_is_the_headers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
