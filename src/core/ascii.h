/* ascii.h - ASCII letters, independent of the locale. */
#ifndef ANK_CORE_ASCII_H
#define ANK_CORE_ASCII_H

#include <stddef.h>
#include <string.h>

static inline int ank_lower(int byte) { return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte; }

static inline int ank_is_digit(int byte) { return byte >= '0' && byte <= '9'; }

static inline int ank_is_letter_or_digit(int byte) {
  return (byte >= '0' && byte <= '9') || (ank_lower(byte) >= 'a' && ank_lower(byte) <= 'z');
}

/* Return whether the first `length` bytes of two texts, or the shorter texts, are equal except for case. */
static inline int ank_same_start(const char *a, const char *b, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (ank_lower((unsigned char)a[i]) != ank_lower((unsigned char)b[i]))
      return 0;
    else if (a[i] == '\0')
      return 1;
  return 1;
}

/* Write a character as UTF-8, at most 4 bytes. Returns their number. */
static inline size_t ank_put_utf8(char *to, unsigned code) {
  static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
  size_t more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  to[0] = (char)(leads[more] | code >> (6 * more));
  for (size_t i = 1; i <= more; i++) to[i] = (char)(0x80 | (code >> (6 * (more - i)) & 0x3F));
  return more + 1;
}

static inline int ank_same_word(const char *a, const char *b) { return ank_same_start(a, b, strlen(b) + 1); }

#endif
