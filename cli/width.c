/* width.c - see width.h. */
#include "width.h"

#include <stdint.h>
#include <string.h>

#include "core/utf8.h"
#include "text.h"
#include "width.inc"

static int among(const uint32_t (*ranges)[2], size_t count, uint32_t code) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (code > ranges[middle][1])
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && code >= ranges[low][0];
}

static size_t character_width(uint32_t code) {
  if (code < 0x300) return 1; /* the tables begin here; control characters are never printed */
  if (among(no_column, sizeof no_column / sizeof no_column[0], code)) return 0;
  return among(two_columns, sizeof two_columns / sizeof two_columns[0], code) ? 2 : 1;
}

/* Get the character at `text`: its bytes, at least 1, and its columns. */
static size_t next_character(const char *text, size_t *width) {
  const unsigned char *c = (const unsigned char *)text;
  size_t length = ank_utf8_length(text, 4); /* a NUL ends it earlier */
  uint32_t code = length < 2 ? c[0] : c[0] & (0x7Fu >> length);
  for (size_t i = 1; i < length; i++) code = code << 6 | (c[i] & 0x3F);
  *width = length < 2 ? 1 : character_width(code);
  return length ? length : 1;
}

size_t cli_width_of(const char *text, size_t length) {
  size_t total = 0, width;
  for (size_t i = 0; i < length; total += width) i += next_character(text + i, &width);
  return total;
}

size_t cli_text_width(const char *text) { return cli_width_of(text, strlen(text)); }

size_t cli_width_cut(const char *text, size_t columns) {
  size_t used = 0, at = 0, width;
  while (text[at]) {
    size_t length = next_character(text + at, &width);
    if (used + width > columns) break;
    used += width;
    at += length;
  }
  return at;
}

void cli_put_cell(FILE *stream, const char *text, size_t columns, int right) {
  char shown[1024];
  size_t needed = cli_text_width(cli_printable(shown, sizeof shown, text));
  int cut = needed > columns;
  size_t bytes = cut ? cli_width_cut(shown, columns > 0 ? columns - 1 : 0) : strlen(shown);
  size_t taken = cli_width_of(shown, bytes) + (size_t)(cut && columns > 0);
  int blanks = (int)(columns - taken);
  if (right) fprintf(stream, "%*s", blanks, "");
  fprintf(stream, "%.*s%s", (int)bytes, shown, cut && columns > 0 ? "…" : "");
  if (!right) fprintf(stream, "%*s", blanks, "");
}
