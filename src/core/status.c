/* status.c - see status.h. */
#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *anorank_version(void) {
#define TEXT_OF(x) #x
#define JOIN(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)
  return JOIN(ANORANK_VERSION_MAJOR, ANORANK_VERSION_MINOR, ANORANK_VERSION_PATCH);
}

const char *anorank_status_name(anorank_status status) {
  switch (status) {
  case ANORANK_OK: return "ok";
  case ANORANK_ERROR_USAGE: return "usage";
  case ANORANK_ERROR_DATA: return "data";
  case ANORANK_ERROR_MODEL: return "model";
  case ANORANK_ERROR_RESOURCES: return "resources";
  case ANORANK_CANCELLED: return "cancelled";
  }
  return "unknown";
}

size_t ank_utf8_length(const char *text, size_t left) {
  const unsigned char *bytes = (const unsigned char *)text;
  size_t want = bytes[0] < 0x80 ? 1 : (bytes[0] & 0xE0) == 0xC0 ? 2 : (bytes[0] & 0xF0) == 0xE0 ? 3 : 0;
  if ((bytes[0] & 0xF8) == 0xF0 && bytes[0] <= 0xF4) want = 4;
  if (want == 0 || want > left || bytes[0] == 0xC0 || bytes[0] == 0xC1) return 0;
  for (size_t i = 1; i < want; i++)
    if ((bytes[i] & 0xC0) != 0x80) return 0;
  /* Too long for their code, beyond the last one, or half of a pair of UTF-16. */
  if ((bytes[0] == 0xE0 && bytes[1] < 0xA0) || (bytes[0] == 0xF0 && bytes[1] < 0x90)) return 0;
  if ((bytes[0] == 0xF4 && bytes[1] > 0x8F) || (bytes[0] == 0xED && bytes[1] > 0x9F)) return 0;
  return want;
}

anorank_status ank_fail(anorank_error *err, anorank_status status, const char *format, ...) {
  if (err) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    if (length < 0) err->message[0] = '\0';
    if (length >= (int)sizeof err->message) {
      size_t end = sizeof err->message - 4;
      while (end > 0 && ((unsigned char)err->message[end] & 0xC0) == 0x80) end--;
      memcpy(err->message + end, "...", 4);
    }
  }
  return status;
}

const char *ank_quote(char buffer[ANK_QUOTE_SIZE], const char *text, size_t length) {
  const unsigned char *bytes = (const unsigned char *)text;
  size_t used = 0, i = 0;
  while (i < length) {
    if (used + 4 + 4 > ANK_QUOTE_SIZE) { /* room for one more \xNN or character, then "..." and NUL */
      memcpy(buffer + used, "...", 3);
      used += 3;
      break;
    }
    size_t step = ank_utf8_length(text + i, length - i);
    int control =
        bytes[i] < 0x20 || bytes[i] == 0x7F || (bytes[i] == 0xC2 && step == 2 && bytes[i + 1] < 0xA0);
    if (step == 0 || control) {
      snprintf(buffer + used, 5, "\\x%02X", bytes[i]);
      used += 4;
      i += 1;
    } else {
      memcpy(buffer + used, text + i, step);
      used += step;
      i += step;
    }
  }
  buffer[used] = '\0';
  return buffer;
}

anorank_status ank_progress(const anorank_settings *settings, double share_done, const char *what,
                            anorank_error *err) {
  if (!settings || !settings->progress) return ANORANK_OK;
  if (settings->progress(settings->progress_context, share_done, what) == 0) return ANORANK_OK;
  return ank_fail(err, ANORANK_CANCELLED, "stopped on request while %s", what);
}
