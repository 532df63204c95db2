/* status.c - see status.h. */
#include "core/status.h"
#include "core/list.h"
#include "core/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *anorank_version(void) {
#define TEXT_OF(x) #x
#define JOIN(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)
  return JOIN(ANORANK_VERSION_MAJOR, ANORANK_VERSION_MINOR, ANORANK_VERSION_PATCH) ANORANK_VERSION_SUFFIX;
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

void ank_make_printable(char *text) {
  for (size_t left = strlen(text), step; left > 0; text += step, left -= step) {
    step = ank_utf8_length(text, left);
    int bad = step == 0 || ank_utf8_steers(text, step);
    if (step == 0) step = 1;
    if (bad) memset(text, '?', step);
  }
}

_Static_assert(sizeof(anorank_error) < 1024, "an error is an object for the stack");

/* Copy as much as fits, up to a whole character. */
static void copy(char *to, size_t size, const char *from) {
  size_t length = strlen(from);
  if (length >= size)
    for (length = size - 1; length > 0 && ((unsigned char)from[length] & 0xC0) == 0x80;) length--;
  memcpy(to, from, length);
  to[length] = '\0';
}

static void word(anorank_error *err, const char *format, va_list args) {
  int length = ank_vprint(err->message, sizeof err->message, format, args);
  if (length < 0) err->message[0] = '\0';
  if (length >= (int)sizeof err->message) {
    size_t end = sizeof err->message - 4;
    while (end > 0 && ((unsigned char)err->message[end] & 0xC0) == 0x80) end--;
    memcpy(err->message + end, "...", 4);
  }
  ank_make_printable(err->message);
}

anorank_status ank_fail(anorank_error *err, anorank_status status, const char *code, const char *format,
                        ...) {
  if (!err) return status;
  va_list args;
  va_start(args, format);
  word(err, format, args);
  va_end(args);
  memset((char *)err + sizeof err->message, 0, sizeof *err - sizeof err->message);
  err->status = status;
  copy(err->code, sizeof err->code, code);
  return status;
}

anorank_status ank_fail_around(anorank_error *err, const anorank_error *inner, const char *format, ...) {
  anorank_status status = inner->status;
  if (!err) return status;
  anorank_error made = *inner; /* `err` may be `inner`, and its message may be an argument */
  va_list args;
  va_start(args, format);
  word(&made, format, args);
  va_end(args);
  *err = made;
  return status;
}

void ank_error_set_location(anorank_error *err, const char *file, size_t line, const char *column) {
  if (!err) return;
  if (file) copy(err->file, sizeof err->file, file);
  if (column) copy(err->column, sizeof err->column, column);
  err->line = line;
}

void ank_place_row(anorank_error *err, const char *file, size_t row, const char *column) {
  ank_error_set_location(err, file, 0, column);
  if (err) err->row = row + 1;
}

void ank_error_set_setting(anorank_error *err, const char *setting) {
  if (err) copy(err->setting, sizeof err->setting, setting);
}

/* Return the text after this one: remedies are setting, NUL, value, NUL, one after the other. */
static const char *after(const char *text) { return text + strlen(text) + 1; }

void ank_remedy(anorank_error *err, const char *setting, const char *value) {
  if (!err || err->remedy_count >= ANORANK_REMEDIES) return;
  const char *end = err->remedies;
  for (uint32_t i = 0; i < 2 * err->remedy_count; i++) end = after(end);
  size_t used = (size_t)(end - err->remedies), name = strlen(setting) + 1, rest = strlen(value) + 1;
  if (used + name + rest > sizeof err->remedies) return;
  memcpy(err->remedies + used, setting, name);
  memcpy(err->remedies + used + name, value, rest);
  err->remedy_count++;
}

int anorank_error_remedy(const anorank_error *err, size_t i, const char **setting, const char **value) {
  if (!err || i >= err->remedy_count || i >= ANORANK_REMEDIES) return 0;
  const char *at = err->remedies;
  for (size_t k = 0; k < 2 * i; k++) at = after(at);
  *setting = at;
  *value = after(at);
  return 1;
}

void ank_remedy_add(anorank_error *err, const char *setting, const char *list, const char *item,
                    size_t length) {
  char value[sizeof err->remedies];
  size_t used = strlen(list);
  if (length == 0 || memchr(item, '\0', length) || strchr(" \t\r\n", item[0]) ||
      strchr(" \t\r\n", item[length - 1]) || used + 1 + 2 * length >= sizeof value)
    return;
  memcpy(value, list, used);
  if (used > 0) value[used++] = ',';
  used += ank_list_encode(value + used, item, length);
  value[used] = '\0';
  ank_remedy(err, setting, value);
}

void ank_remedy_remove(anorank_error *err, const char *setting, const char *list, const char *name,
                       size_t length) {
  char value[sizeof err->remedies] = "";
  const char *item;
  size_t used = 0, step;
  while (ank_list_next(&list, &item, &step)) {
    if (ank_list_item_is(item, step, name, length)) continue;
    if (used + step + 2 > sizeof value) return;
    used += (size_t)snprintf(value + used, sizeof value - used, "%s%.*s", used ? "," : "", (int)step, item);
  }
  ank_remedy(err, setting, value);
}

void ank_remedy_replace(anorank_error *err, const char *setting, const char *list, const char *item,
                        size_t length, const char *name) {
  char value[sizeof err->remedies] = "";
  const char *one;
  size_t used = 0, step, extra = name ? 2 * strlen(name) : 0;
  if (!name) return;
  while (ank_list_next(&list, &one, &step)) {
    int meant = step == length && memcmp(one, item, length) == 0;
    if (used + (meant ? extra : step) + 2 > sizeof value) return;
    if (used > 0) value[used++] = ',';
    if (meant)
      used += ank_list_encode(value + used, name, strlen(name));
    else
      memcpy(value + used, one, step), used += step;
  }
  value[used] = '\0';
  ank_remedy(err, setting, value);
}

const char *ank_bytes_text(char text[ANK_BYTES_TEXT], double bytes) {
  static const char *const units[] = {"kB", "MB", "GB", "TB", "PB"};
  int unit = -1;
  for (; bytes >= 999.5 && unit < 4; unit++) bytes /= 1000;
  if (unit < 0)
    ank_print(text, ANK_BYTES_TEXT, "%.0f byte%s", bytes, bytes == 1 ? "" : "s");
  else
    ank_print(text, ANK_BYTES_TEXT, "%.*f %s", bytes < 9.95 ? 1 : 0, bytes, units[unit]);
  return text;
}

const char *ank_quote(char buffer[ANK_QUOTE_SIZE], const char *text, size_t length) {
  size_t used = 0;
  for (size_t i = 0; i < length;) {
    size_t step = ank_utf8_length(text + i, length - i);
    int bad = step == 0 || ank_utf8_steers(text + i, step);
    if (step == 0) step = 1;
    if (used + 4 * step + 4 > ANK_QUOTE_SIZE) { /* room for one more character as \xNN, then "..." and NUL */
      memcpy(buffer + used, "...", 3);
      used += 3;
      break;
    }
    for (size_t k = 0; k < step; k++) {
      if (bad)
        used += (size_t)snprintf(buffer + used, 5, "\\x%02X", (unsigned char)text[i + k]);
      else
        buffer[used++] = text[i + k];
    }
    i += step;
  }
  buffer[used] = '\0';
  return buffer;
}

anorank_status ank_progress(const anorank_settings *settings, double share_done, const char *what,
                            anorank_error *err) {
  if (!settings || !settings->progress) return ANORANK_OK;
  if (settings->progress(settings->progress_context, share_done, what) == 0) return ANORANK_OK;
  return ank_fail(err, ANORANK_CANCELLED, "cancelled", "cancelled while %s", what);
}
