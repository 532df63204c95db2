/* json_line.c - see jsonl.h. Strict RFC 8259, except for the three words that Python's json module writes for
 * NaN and infinities, which JSON lacks. */
#include "table/jsonl.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/ascii.h"
#include "core/number.h"

anorank_status ank_json_broken(const ank_json_line *line, const char *expected, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  size_t left = (size_t)(line->end - line->at);
  size_t place = (size_t)(line->at - line->start) + 1;
  if (left == 0) {
    (void)ank_fail(err, ANORANK_ERROR_DATA, "json-line-incomplete",
                   "%s:%zu: character %zu: expected %s, found the end of the line; write one object or array "
                   "per line, for example with jq -c",
                   line->source, line->number, place, expected);
  } else {
    (void)ank_fail(
        err, ANORANK_ERROR_DATA, "json-syntax",
        "%s:%zu: character %zu: expected %s, found \"%s\"; correct the line, or set another format",
        line->source, line->number, place, expected, ank_quote(quoted, line->at, left < 16 ? left : 16));
    ank_error_set_setting(err, "input-format");
  }
  ank_error_set_location(err, line->source, line->number, NULL);
  return ANORANK_ERROR_DATA;
}

char ank_json_peek(ank_json_line *line) {
  while (line->at < line->end &&
         (*line->at == ' ' || *line->at == '\t' || *line->at == '\r' || *line->at == '\n'))
    line->at++;
  return line->at < line->end ? *line->at : '\0';
}

int ank_json_take(ank_json_line *line, char c) {
  if (ank_json_peek(line) != c || line->at == line->end) return 0;
  line->at++;
  return 1;
}

/* ---- texts ------------------------------------------------------------------------------------------- */

/* Return the value of four hexadecimal digits at `from`, or -1. */
static int hex4(const char *from, const char *end) {
  int value = 0;
  if (end - from < 4) return -1;
  for (int i = 0; i < 4; i++) {
    char c = from[i];
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/* Decode one escape: line->at moves from after the backslash to after the escape. Never writes more bytes
 * than it reads. Returns 0 if it is not an escape. */
static size_t resolve_escape(ank_json_line *line, char *to) {
  static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  if (line->at >= line->end) return 0;
  const char *known = *line->at ? strchr(letters, *line->at) : NULL;
  if (known) {
    line->at++;
    *to = meant[known - letters];
    return 1;
  }
  int code = *line->at == 'u' ? hex4(line->at + 1, line->end) : -1;
  if (code <= 0 || (code >= 0xDC00 && code <= 0xDFFF)) return 0; /* a name or a level cannot contain NUL */
  if (code >= 0xD800 && code <= 0xDBFF) {
    int low = line->end - line->at >= 11 && line->at[5] == '\\' && line->at[6] == 'u'
                  ? hex4(line->at + 7, line->end)
                  : -1;
    if (low < 0xDC00 || low > 0xDFFF) return 0;
    line->at += 6;
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  line->at += 5;
  return ank_put_utf8(to, (unsigned)code);
}

anorank_status ank_json_take_text(const char **text, size_t *length, ank_json_line *line,
                                  const char *expected, anorank_error *err) {
  if (!ank_json_take(line, '"')) return ank_json_broken(line, expected, err);
  const char *start = line->at;
  while (line->at < line->end && *line->at != '"' && *line->at != '\\' && (unsigned char)*line->at >= 0x20)
    line->at++;
  if (line->at < line->end && *line->at == '"') {
    *text = start;
    *length = (size_t)(line->at++ - start);
    return ANORANK_OK;
  }
  ANK_CHECK(ank_reserve(&line->scratch, &line->scratch_size, (size_t)(line->end - start) + 4, 1, err));
  size_t used = (size_t)(line->at - start);
  memcpy(line->scratch, start, used);
  while (line->at < line->end && *line->at != '"') {
    if ((unsigned char)*line->at < 0x20)
      return ank_json_broken(line, "control characters in a text to be escaped", err);
    if (*line->at != '\\') {
      line->scratch[used++] = *line->at++;
      continue;
    }
    line->at++;
    size_t step = resolve_escape(line, line->scratch + used);
    if (step == 0) {
      line->at--;
      return ank_json_broken(
          line, "an escape such as \\n or \\u00E9 (a surrogate only in a pair, no \\u0000)", err);
    }
    used += step;
  }
  if (!ank_json_take(line, '"')) return ank_json_broken(line, "'\"' at the end of a text", err);
  *text = line->scratch;
  *length = used;
  return ANORANK_OK;
}

/* ---- values ------------------------------------------------------------------------------------------ */

static const char *skip_digits(const char *at, const char *end) {
  while (at < end && *at >= '0' && *at <= '9') at++;
  return at;
}

/* Return the end of the number at `at` by JSON's grammar, NULL if there is none. */
static const char *number_end(const char *at, const char *end) {
  if (at < end && *at == '-') at++;
  const char *digits = at;
  at = skip_digits(at, end);
  if (at == digits || (*digits == '0' && at > digits + 1)) return NULL;
  if (at < end && *at == '.') {
    digits = ++at;
    at = skip_digits(at, end);
    if (at == digits) return NULL;
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    at++;
    if (at < end && (*at == '+' || *at == '-')) at++;
    digits = at;
    at = skip_digits(at, end);
    if (at == digits) return NULL;
  }
  return at;
}

/* Convert a valid number; 1e999 represents infinity (write_jsonl.c). Returns 0 if it is too long. */
static int convert(ank_json_value *value, const char *text, size_t length) {
  value->too_large = 0;
  if (ank_number_scan(&value->number, text) == text + length) return 1;
  ank_number_kind kind = ank_number_parse(&value->number, text, length);
  if (kind != ANK_NUMBER_TOO_LARGE) return kind == ANK_NUMBER;
  int negative = *text == '-';
  value->too_large = length - (size_t)negative != 5 || memcmp(text + negative, "1e999", 5) != 0;
  value->number = negative ? -INFINITY : INFINITY;
  return 1;
}

static const struct word {
  const char *text;
  ank_json_kind kind;
  double number;
} words[] = {
    {"null", ANK_JSON_NULL, NAN},
    {"true", ANK_JSON_NUMBER, 1},
    {"false", ANK_JSON_NUMBER, 0},
    {"NaN", ANK_JSON_NULL, NAN},
    {"Infinity", ANK_JSON_NUMBER, INFINITY},
    {"-Infinity", ANK_JSON_NUMBER, -INFINITY},
};

anorank_status ank_json_take_value(ank_json_value *value, ank_json_line *line, const char *key,
                                   anorank_error *err) {
  char first = ank_json_peek(line), quoted[ANK_QUOTE_SIZE];
  if (first == '"') {
    value->kind = ANK_JSON_TEXT;
    return ank_json_take_text(&value->text, &value->length, line, "a text", err);
  }
  if (first == '{' || first == '[') {
    (void)ank_fail(err, ANORANK_ERROR_DATA, "json-nested",
                   "%s:%zu: '%s' holds %s; each line must be one flat object or array; flatten it first, for "
                   "example with jq -c",
                   line->source, line->number, ank_quote(quoted, key, strlen(key)),
                   first == '{' ? "an object" : "an array");
    ank_error_set_location(err, line->source, line->number, key);
    return ANORANK_ERROR_DATA;
  }
  value->text = line->at;
  const char *end = number_end(line->at, line->end);
  if (end) {
    value->kind = ANK_JSON_NUMBER;
    value->length = (size_t)(end - line->at);
    if (!convert(value, line->at, value->length))
      return ank_json_broken(line, "a number of fewer characters", err);
    line->at = end;
    return ANORANK_OK;
  }
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    size_t length = strlen(words[i].text);
    if ((size_t)(line->end - line->at) < length || memcmp(line->at, words[i].text, length) != 0) continue;
    value->kind = words[i].kind;
    value->too_large = 0;
    value->number = words[i].number;
    value->length = length;
    line->at += length;
    return ANORANK_OK;
  }
  return ank_json_broken(line, "a number, a text, true, false or null", err);
}
