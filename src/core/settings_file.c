/* settings_file.c - read settings from a text of `name = value` lines: all of them or none. */
#include <string.h>

#include "core/alloc.h"
#include "core/settings.h"
#include "core/status.h"

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void trim(const char **text, size_t *length) {
  while (*length > 0 && is_blank((*text)[0])) (*text)++, (*length)--;
  while (*length > 0 && is_blank((*text)[*length - 1])) (*length)--;
}

static anorank_status parse_line(anorank_settings *settings, const char *line, size_t length, size_t number,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char *name = NULL, *value = NULL, quoted[ANK_QUOTE_SIZE];
  anorank_error inner = {0};
  trim(&line, &length);
  if (length == 0 || line[0] == '#') return ANORANK_OK;
  const char *equals = memchr(line, '=', length);
  if (!equals)
    return ank_fail(
        err, ANORANK_ERROR_USAGE, "settings-line-form",
        "settings, line %zu: \"%s\" is not of the form name = value; correct it, or start a comment with #",
        number, ank_quote(quoted, line, length));
  if (memchr(line, '\0', length))
    return ank_fail(err, ANORANK_ERROR_USAGE, "settings-line-nul",
                    "settings, line %zu: the line contains a NUL byte; write name = value", number);
  const char *left = line, *right = equals + 1;
  size_t left_length = (size_t)(equals - line), right_length = length - left_length - 1;
  trim(&left, &left_length);
  trim(&right, &right_length);
  ANK_TRY(ank_copy_text(&name, left, left_length, err));
  ANK_TRY(ank_copy_text(&value, right, right_length, err));
  status = anorank_settings_set(settings, name, value, &inner);
  inner.line = number;
  if (status != ANORANK_OK)
    status = ank_fail_around(err, &inner, "settings, line %zu: %s", number, inner.message);
done:
  ank_free(name);
  ank_free(value);
  return status;
}

anorank_status anorank_settings_parse(anorank_settings *settings, const char *text, size_t length,
                                      anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_settings changed;
  size_t number = 0;
  ANK_NEED(settings);
  if (length > 0) ANK_NEED(text);
  ANK_TRY(ank_settings_hold(&changed, settings, err));
  while (length > 0) {
    const char *newline = memchr(text, '\n', length);
    size_t step = newline ? (size_t)(newline - text) : length;
    ANK_TRY(parse_line(&changed, text, step, ++number, err));
    if (newline) step++;
    text += step;
    length -= step;
  }
  anorank_settings_on_progress(&changed, settings->progress, settings->progress_context);
  anorank_settings_on_stop(&changed, settings->stop, settings->stop_context);
  ank_settings_release(settings);
  ank_settings_move(settings, &changed);
done:
  ank_settings_release(&changed);
  return status;
}
