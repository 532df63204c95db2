/* ascii.h - letters by the ASCII table, in every locale. */
#ifndef ANK_CORE_ASCII_H
#define ANK_CORE_ASCII_H

#include <stddef.h>
#include <string.h>

static inline int ank_lower(int byte) { return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte; }

static inline int ank_is_digit(int byte) { return byte >= '0' && byte <= '9'; }

static inline int ank_is_letter_or_digit(int byte) {
  return (byte >= '0' && byte <= '9') || (ank_lower(byte) >= 'a' && ank_lower(byte) <= 'z');
}

/* Are the first `length` bytes of two texts, or the texts if they are shorter, equal but for case? */
static inline int ank_same_start(const char *a, const char *b, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (ank_lower((unsigned char)a[i]) != ank_lower((unsigned char)b[i]))
      return 0;
    else if (a[i] == '\0')
      return 1;
  return 1;
}

static inline int ank_same_word(const char *a, const char *b) { return ank_same_start(a, b, strlen(b) + 1); }

#endif
