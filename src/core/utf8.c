/* utf8.c - see utf8.h. */
#include "core/utf8.h"

size_t ank_utf8_length(const char *text, size_t left) {
  const unsigned char *bytes = (const unsigned char *)text;
  size_t want = bytes[0] < 0x80 ? 1 : (bytes[0] & 0xE0) == 0xC0 ? 2 : (bytes[0] & 0xF0) == 0xE0 ? 3 : 0;
  if ((bytes[0] & 0xF8) == 0xF0 && bytes[0] <= 0xF4) want = 4;
  if (want == 0 || want > left || bytes[0] == 0xC0 || bytes[0] == 0xC1) return 0;
  for (size_t i = 1; i < want; i++)
    if ((bytes[i] & 0xC0) != 0x80) return 0;
  /* Overlong forms, code points beyond the last, and surrogates. */
  if ((bytes[0] == 0xE0 && bytes[1] < 0xA0) || (bytes[0] == 0xF0 && bytes[1] < 0x90)) return 0;
  if ((bytes[0] == 0xF4 && bytes[1] > 0x8F) || (bytes[0] == 0xED && bytes[1] > 0x9F)) return 0;
  return want;
}

int ank_utf8_is_cut(const char *text, size_t length) {
  size_t back = 1;
  while (back < 4 && back < length && ((unsigned char)text[length - back] & 0xC0) == 0x80) back++;
  if (back > length) return 0;
  unsigned char lead = (unsigned char)text[length - back];
  size_t want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  return lead >= 0xC2 && lead <= 0xF4 && back < want;
}

int ank_utf8_steers(const char *text, size_t length) {
  const unsigned char *b = (const unsigned char *)text;
  if (length == 1) return b[0] < 0x20 || b[0] == 0x7F;
  if (length == 2) return (b[0] == 0xC2 && b[1] < 0xA0) || (b[0] == 0xD8 && b[1] == 0x9C); /* C1, U+061C */
  if (length != 3 || b[0] != 0xE2) return 0;
  if (b[1] == 0x80)
    return b[2] == 0x8E || b[2] == 0x8F || (b[2] >= 0xA8 && b[2] <= 0xAE); /* U+200E to 202E */
  return b[1] == 0x81 && b[2] >= 0xA6 && b[2] <= 0xA9;                     /* U+2066 to 2069 */
}
