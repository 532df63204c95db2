/* source_json.c - see source_json.h.
 *
 * No JSON is judged here: brackets and quotes are followed, records cut out, newlines within them turned
 * into blanks. Whatever is wrong comes out as a line that the reader of JSON lines refuses. */
#include "table/source_json.h"

#include <string.h>

#include "core/alloc.h"
#include "table/source_codecs.h"

#define LOOKED_AT ((size_t)1 << 16)
#define INPUT ((size_t)1 << 15)

typedef struct splitter {
  ank_source *inner;
  int base;  /* depth of brackets around the records: 1 in an array, else 0 */
  int depth; /* of brackets now */
  int in_text, escaped;
  unsigned char input[INPUT];
} splitter;

static int is_blank(unsigned char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Write what becomes of a byte: at most two. */
static size_t pass_byte(splitter *s, unsigned char c, unsigned char *to) {
  if (s->in_text) {
    if (s->escaped)
      s->escaped = 0;
    else if (c == '\\')
      s->escaped = 1;
    else if (c == '"')
      s->in_text = 0;
    *to = c;
    return 1;
  }
  if (s->depth <= s->base && (is_blank(c) || c == ',')) return 0;
  if (c == '[' || c == '{') {
    *to = c;
    return s->depth++ >= s->base;
  }
  if (c == ']' || c == '}') {
    *to = c;
    if (s->depth > 0) s->depth--;
    if (s->depth < s->base) return 0;
    to[1] = '\n';
    return s->depth == s->base ? 2 : 1;
  }
  s->in_text = c == '"';
  *to = c == '\n' || c == '\r' ? ' ' : c;
  return 1;
}

static anorank_status read_lines(void *state, void *buffer, size_t size, size_t *got, anorank_error *err) {
  splitter *s = state;
  unsigned char *to = buffer;
  *got = 0;
  while (*got == 0) {
    size_t step = size / 2 < INPUT ? size / 2 : INPUT, taken;
    if (step == 0)
      return ank_fail(err, ANORANK_ERROR_USAGE, "json-buffer-size",
                      "%s: a text cannot be read in pieces of %zu bytes", ank_source_name(s->inner), size);
    anorank_status status = ank_source_read(s->inner, s->input, step, &taken, err);
    if (status != ANORANK_OK || taken == 0) return status;
    for (size_t i = 0; i < taken; i++) *got += pass_byte(s, s->input[i], to + *got);
  }
  return ANORANK_OK;
}

static void close_lines(void *state) {
  splitter *s = state;
  ank_source_free(s->inner);
  ank_free(s);
}

/* Does the first record end in the line in which it begins? */
static int spans_lines(const unsigned char *bytes, size_t length) {
  splitter s = {0};
  unsigned char made[2];
  for (size_t i = 0; i < length; i++) {
    if (bytes[i] == '\n' && s.depth > 0 && !s.in_text) return 1;
    int before = s.depth;
    (void)pass_byte(&s, bytes[i], made);
    if (before > 0 && s.depth == 0) return 0;
  }
  return 0;
}

anorank_status ank_source_json_lines(ank_source **source, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const unsigned char *bytes;
  splitter *s = NULL;
  size_t length, i = 0;
  ANK_TRY(ank_source_peek(*source, &bytes, LOOKED_AT, &length, err));
  if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) i = 3;
  while (i < length && is_blank(bytes[i])) i++;
  size_t first = i;
  for (i++; i < length && is_blank(bytes[i]);) i++;
  int array = first < length && bytes[first] == '[' && i < length && (bytes[i] == '{' || bytes[i] == '[');
  int long_records = first < length && bytes[first] == '{' && spans_lines(bytes + first, length - first);
  if (!array && !long_records) goto done;
  ANK_TRY(ank_alloc(&s, 1, sizeof *s, err));
  s->base = array;
  s->inner = *source;
  ank_source *wrapped;
  *source = NULL; /* close_lines frees it, also on failure */
  splitter *given = s;
  s = NULL;
  ANK_TRY(
      ank_source_from_callback(&wrapped, ank_source_name(given->inner), read_lines, close_lines, given, err));
  ank_source_measure_by(wrapped, given->inner);
  *source = wrapped;
done:
  ank_free(s);
  return status;
}
