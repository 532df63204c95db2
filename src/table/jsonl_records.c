/* jsonl_records.c - find the next JSON record in the text; see jsonl.h.
 *
 * Only brackets and quotes are tracked here; the tokens of a record are checked when it is read. */
#include <string.h>

#include "core/alloc.h"
#include "core/number.h"
#include "table/jsonl.h"

#define READ_STEP ((size_t)1 << 16)

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

anorank_status ank_jsonl_fill(ank_jsonl *s, anorank_error *err) {
  size_t held = s->to - s->from, got;
  if (s->from > 0) memmove(s->buffer, s->buffer + s->from, held);
  s->from = 0;
  s->to = held;
  if (held > s->limit) {
    (void)ank_fail(
        err, ANORANK_ERROR_RESOURCES, "json-line-size",
        "%s:%zu: the line is longer than the %zu bytes allowed; is it JSON lines? If so, allow more memory",
        ank_source_name(s->source), s->line.number + 1, s->limit);
    ank_error_set_location(err, ank_source_name(s->source), s->line.number + 1, NULL);
    ank_remedy_default_memory(err, s->limit);
    return ANORANK_ERROR_RESOURCES;
  }
  anorank_status status =
      ank_reserve(&s->buffer, &s->capacity, held + READ_STEP + ANK_NUMBER_PADDING, 1, err);
  if (status == ANORANK_OK)
    status = ank_source_read(s->source, s->buffer + held, s->capacity - held - ANK_NUMBER_PADDING, &got, err);
  if (status != ANORANK_OK) return status;
  s->ended = got == 0;
  s->to += got;
  memset(s->buffer + s->to, 0, ANK_NUMBER_PADDING);
  return ANORANK_OK;
}

void ank_jsonl_rewind(ank_jsonl *s, size_t start) {
  s->from = start;
  s->scan = (ank_json_scan){0};
  s->place = ANK_JSON_START;
  s->line.number = 0;
}

/* Scan the text of a record until its brackets close. Returns 1, or 0 if it continues after `length`
 * bytes. */
static int scan_record(ank_json_scan *scan, const char *text, size_t length) {
  while (scan->done < length) {
    char c = text[scan->done++];
    if (scan->in_text) {
      if (!scan->escaped && c == '"') scan->in_text = 0;
      scan->escaped = !scan->escaped && c == '\\';
    } else if (c == '"') {
      scan->in_text = 1;
    } else if (c == '{' || c == '[') {
      scan->depth++;
    } else if ((c == '}' || c == ']') && --scan->depth <= 0) {
      return 1;
    } else if (c == '\n') {
      scan->spans_lines = 1;
    }
  }
  return 0;
}

void ank_jsonl_detect(ank_jsonl *s) {
  const char *p = s->buffer + s->from, *end = s->buffer + s->to;
  ank_json_scan scan = {0};
  while (p < end && is_blank(*p)) p++;
  if (p == end) return;
  if (*p == '{') {
    (void)scan_record(&scan, p, (size_t)(end - p));
    if (scan.spans_lines) s->layout = ANK_JSON_RECORDS;
  } else if (*p == '[') {
    do p++;
    while (p < end && is_blank(*p));
    if (p < end && (*p == '{' || *p == '[')) s->layout = ANK_JSON_ARRAY;
  }
}

/* ---- lines ------------------------------------------------------------------------------------------- */

static int line_in_buffer(ank_jsonl *s) {
  while (s->from < s->to) {
    char *start = s->buffer + s->from;
    size_t held = s->to - s->from;
    char *newline = memchr(start + s->scan.done, '\n', held - s->scan.done);
    s->scan.done = held;
    if (!newline && !s->ended) return 0;
    size_t length = newline ? (size_t)(newline - start) : held;
    s->scan.done = 0;
    s->from += length + (newline != NULL);
    s->line.number++;
    s->line.start = s->line.at = start;
    s->line.end = start + length;
    (void)ank_json_peek(&s->line);
    if (s->line.at < s->line.end) return 1;
  }
  return 0;
}

/* ---- arrays, and records over several lines ---------------------------------------------------------- */

static anorank_status misplaced(const ank_jsonl *s, const char *expected, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  size_t left = s->to - s->from;
  (void)ank_fail(err, ANORANK_ERROR_DATA, "json-array-syntax",
                 "%s:%zu: expected %s, found \"%s\"; an array of records is written [{...}, {...}]",
                 s->line.source, s->line.number, expected,
                 ank_quote(quoted, s->buffer + s->from, left < 16 ? left : 16));
  ank_error_set_location(err, s->line.source, s->line.number, NULL);
  return ANORANK_ERROR_DATA;
}

/* Handle a character between the records of an array. Returns 1, or 0 if a record begins with it. `*wrong` is
 * NULL if the character is allowed. */
static int pass_between(ank_jsonl *s, char c, const char **wrong) {
  int comma = c == ',', bracket = c == ']';
  *wrong = NULL;
  switch (s->place) {
  case ANK_JSON_START: s->place = ANK_JSON_OPENED; return 1;
  case ANK_JSON_OPENED:
    if (comma) *wrong = "a record after '['";
    break;
  case ANK_JSON_AFTER_COMMA:
    if (comma || bracket) *wrong = "a record after ','";
    break;
  case ANK_JSON_AFTER_RECORD:
    if (!comma && !bracket) *wrong = "',' or ']' after the record";
    break;
  case ANK_JSON_CLOSED: *wrong = "nothing after the array"; break;
  }
  if (comma) s->place = ANK_JSON_AFTER_COMMA;
  if (bracket) s->place = ANK_JSON_CLOSED;
  return comma || bracket;
}

/* Skip to the first byte of the next record, or to the end of the buffer. */
static anorank_status skip_between(ank_jsonl *s, anorank_error *err) {
  const char *wrong = NULL;
  for (; s->from < s->to; s->from++) {
    char c = s->buffer[s->from];
    if (is_blank(c) || (s->layout == ANK_JSON_RECORDS && c == ',')) continue;
    if (s->layout == ANK_JSON_RECORDS) return ANORANK_OK;
    int passed = pass_between(s, c, &wrong);
    if (wrong) return misplaced(s, wrong, err);
    if (!passed) return ANORANK_OK;
  }
  if (!s->ended || s->layout != ANK_JSON_ARRAY || s->place == ANK_JSON_CLOSED) return ANORANK_OK;
  (void)ank_fail(err, ANORANK_ERROR_DATA, "json-array-cut",
                 "%s:%zu: the array of records does not end in ']'; is the file complete?", s->line.source,
                 s->line.number);
  ank_error_set_location(err, s->line.source, s->line.number, NULL);
  return ANORANK_ERROR_DATA;
}

anorank_status ank_jsonl_record_in_buffer(ank_jsonl *s, int *found, anorank_error *err) {
  *found = 0;
  if (s->layout == ANK_JSON_LINES) {
    *found = line_in_buffer(s);
    return ANORANK_OK;
  }
  anorank_status status = s->scan.done == 0 ? skip_between(s, err) : ANORANK_OK;
  if (status != ANORANK_OK || s->from == s->to) return status;
  char *start = s->buffer + s->from;
  if (!scan_record(&s->scan, start, s->to - s->from) && !s->ended) return ANORANK_OK;
  s->line.number++;
  s->line.start = s->line.at = start;
  s->line.end = start + s->scan.done;
  s->from += s->scan.done;
  s->scan = (ank_json_scan){0};
  s->place = ANK_JSON_AFTER_RECORD;
  *found = 1;
  return ANORANK_OK;
}

anorank_status ank_jsonl_next_record(ank_jsonl *s, int *found, anorank_error *err) {
  for (;;) {
    anorank_status status = ank_jsonl_record_in_buffer(s, found, err);
    if (status != ANORANK_OK || *found || s->ended) return status;
    status = ank_jsonl_fill(s, err);
    if (status != ANORANK_OK) return status;
  }
}
