/* json_writer.c - see json_writer.h. */
#include "core/json_writer.h"

#include <math.h>
#include <string.h>

#include "core/print.h"
#include "core/shortest.h"
#include "core/status.h"

void ank_json_start(ank_json *json, ank_json_put put, void *context, anorank_error *err) {
  memset(json, 0, sizeof *json);
  json->put = put;
  json->context = context;
  json->err = err;
}

static void put_bytes(ank_json *json, const void *bytes, size_t length) {
  if (json->status == ANORANK_OK && length > 0)
    json->status = json->put(json->context, bytes, length, json->err);
}

static void put_text(ank_json *json, const char *text) { put_bytes(json, text, strlen(text)); }

static void break_line(ank_json *json) {
  static const char blanks[2 * ANK_JSON_DEPTH + 1] = "                                ";
  put_text(json, "\n");
  put_bytes(json, blanks, 2 * (size_t)json->depth);
}

/* Write the separator before the next key or value. */
static void separate(ank_json *json) {
  if (json->after_key) {
    json->after_key = 0;
    return;
  }
  int *filled = &json->filled[json->depth], compact = json->compact[json->depth];
  if (*filled) put_text(json, compact && !json->tight ? ", " : ",");
  if (!compact && json->depth > 0) break_line(json);
  *filled = 1;
}

void ank_json_open(ank_json *json, char bracket, int compact) {
  separate(json);
  put_bytes(json, &bracket, 1);
  int inherited = json->compact[json->depth];
  if (json->depth + 1 < ANK_JSON_DEPTH) json->depth++;
  json->filled[json->depth] = 0;
  json->compact[json->depth] = compact || inherited;
}

void ank_json_close(ank_json *json, char bracket) {
  int broken = json->filled[json->depth] && !json->compact[json->depth];
  json->depth--;
  if (broken) break_line(json);
  put_bytes(json, &bracket, 1);
}

/* ---- texts ------------------------------------------------------------------------------------------- */

static unsigned code_of(const unsigned char *text, size_t length) {
  if (length == 1) return text[0];
  if (length == 2) return (text[0] & 0x1Fu) << 6 | (text[1] & 0x3Fu);
  return (text[0] & 0x0Fu) << 12 | (text[1] & 0x3Fu) << 6 | (text[2] & 0x3Fu); /* the longest character */
}

static int is_markup(char c) { return c == '<' || c == '>' || c == '&'; }

/* Write the escape of the character of `length` bytes (0: invalid), or "" if it needs none. */
static void escape(char out[8], const ank_json *json, const char *text, size_t length) {
  out[0] = '\0';
  if (length == 0)
    memcpy(out, "\\ufffd", 7);
  else if (*text == '"' || *text == '\\')
    ank_print(out, 8, "\\%c", *text);
  else if (*text == '\n')
    memcpy(out, "\\n", 3);
  else if (*text == '\t')
    memcpy(out, "\\t", 3);
  else if (ank_utf8_steers(text, length) || (json->in_html && is_markup(*text)))
    ank_print(out, 8, "\\u%04x", code_of((const unsigned char *)text, length));
}

static void put_string(ank_json *json, const char *text, size_t length) {
  size_t from = 0, at = 0;
  put_text(json, "\"");
  while (at < length) {
    char escaped[8];
    size_t step = ank_utf8_length(text + at, length - at);
    escape(escaped, json, text + at, step);
    if (*escaped) {
      put_bytes(json, text + from, at - from);
      put_text(json, escaped);
    }
    at += step ? step : 1;
    if (*escaped) from = at;
  }
  put_bytes(json, text + from, length - from);
  put_text(json, "\"");
}

void ank_json_key(ank_json *json, const char *key) {
  separate(json);
  put_string(json, key, strlen(key));
  put_text(json, json->tight ? ":" : ": ");
  json->after_key = 1;
}

void ank_json_text(ank_json *json, const char *value, size_t length) {
  separate(json);
  put_string(json, value, length);
}

void ank_json_string(ank_json *json, const char *value) {
  separate(json);
  if (value)
    put_string(json, value, strlen(value));
  else
    put_text(json, "null");
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

void ank_json_number(ank_json *json, double value) {
  char text[ANK_SHORTEST_SIZE];
  separate(json);
  if (isfinite(value))
    put_bytes(json, text, ank_shortest(text, value));
  else
    put_text(json, "null");
}

void ank_json_integer(ank_json *json, int64_t value) {
  char text[32];
  separate(json);
  ank_print(text, sizeof text, "%lld", (long long)value);
  put_text(json, text);
}

void ank_json_unsigned(ank_json *json, uint64_t value) {
  char text[32];
  separate(json);
  ank_print(text, sizeof text, "%llu", (unsigned long long)value);
  put_text(json, text);
}

void ank_json_boolean(ank_json *json, int value) {
  separate(json);
  put_text(json, value ? "true" : "false");
}

void ank_json_end(ank_json *json) { put_text(json, "\n"); }

/* ---- fields ------------------------------------------------------------------------------------------ */

void ank_json_field(ank_json *json, const char *key, double value) {
  ank_json_key(json, key);
  ank_json_number(json, value);
}

void ank_json_count(ank_json *json, const char *key, size_t value) {
  ank_json_key(json, key);
  ank_json_unsigned(json, value);
}

void ank_json_flag(ank_json *json, const char *key, int value) {
  ank_json_key(json, key);
  ank_json_boolean(json, value);
}

void ank_json_words(ank_json *json, const char *key, const char *value) {
  ank_json_key(json, key);
  ank_json_string(json, value);
}

void ank_json_open_key(ank_json *json, const char *key, char bracket, int compact) {
  if (key) ank_json_key(json, key);
  ank_json_open(json, bracket, compact);
}

void ank_json_numbers(ank_json *json, const char *key, const double *values, size_t count) {
  ank_json_open_key(json, key, '[', 1);
  for (size_t i = 0; i < count; i++) ank_json_number(json, values[i]);
  ank_json_close(json, ']');
}

void ank_json_counts(ank_json *json, const char *key, const size_t *values, size_t count) {
  ank_json_open_key(json, key, '[', 1);
  for (size_t i = 0; i < count; i++) ank_json_unsigned(json, values[i]);
  ank_json_close(json, ']');
}
