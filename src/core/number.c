/* number.c - numbers that the fast path cannot decide, and the tables of that path; see number.h. */
#include "core/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- powers of five ---------------------------------------------------------------------------------- */

uint64_t ank_powers_of_five[ANK_FIVE_LAST - ANK_FIVE_FIRST + 1][2];

/* The first 256 bits of a power, most significant word first; the highest bit is set. */
enum { WORDS = 8 };

/* Multiply by 5/8 or 5/4, whichever leaves the highest bit set. */
static void multiply_by_five(uint32_t words[WORDS]) {
  uint64_t carry = 0;
  for (int i = WORDS; i-- > 0; carry >>= 32) {
    carry += (uint64_t)words[i] * 5;
    words[i] = (uint32_t)carry;
  }
  int bits = carry >= 4 ? 3 : 2; /* bits of the carry, which moves to the top of the number */
  for (int i = WORDS; i-- > 0;)
    words[i] = words[i] >> bits | (i > 0 ? words[i - 1] : (uint32_t)carry) << (32 - bits);
}

/* Multiply by 8/5 or 4/5. */
static void divide_by_five(uint32_t words[WORDS]) {
  uint64_t rest = 0;
  int bits = words[0] >= 0xA0000000u ? 2 : 3;
  uint32_t quotient[WORDS + 1];
  for (int i = 0; i <= WORDS; i++) {
    rest = rest << 32 | (i < WORDS ? words[i] : 0);
    quotient[i] = (uint32_t)(rest / 5);
    rest %= 5;
  }
  for (int i = 0; i < WORDS; i++) words[i] = quotient[i] << bits | quotient[i + 1] >> (32 - bits);
}

/* Runs once, when the library is loaded, in 10 microseconds. Each step drops the bits beyond 256. The error
 * is too small to reach the first 128 bits; a test compares them with exact powers. */
__attribute__((constructor)) static void make_powers_of_five(void) {
  uint32_t up[WORDS] = {0x80000000u}, down[WORDS] = {0x80000000u};
  for (int q = 0; q <= ANK_FIVE_LAST; q++, multiply_by_five(up)) {
    uint64_t *row = ank_powers_of_five[q - ANK_FIVE_FIRST];
    row[0] = (uint64_t)up[0] << 32 | up[1];
    row[1] = (uint64_t)up[2] << 32 | up[3];
  }
  for (int q = -1; q >= ANK_FIVE_FIRST; q--) {
    uint64_t *row = ank_powers_of_five[q - ANK_FIVE_FIRST];
    divide_by_five(down);
    row[0] = (uint64_t)down[0] << 32 | down[1];
    row[1] = ((uint64_t)down[2] << 32 | down[3]) + 1; /* rounded up; no second word is all ones */
  }
}

/* ---- text to numbers --------------------------------------------------------------------------------- */

const double ank_exact_tens[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

const uint64_t ank_whole_tens[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

static int is_blank(char c) { return c == ' ' || c == '\t'; }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Return whether the text is `word`, which is in lower case, in any case. */
static int spells(const char *text, size_t length, const char *word) {
  if (strlen(word) != length) return 0;
  for (size_t i = 0; i < length; i++)
    if ((text[i] | 0x20) != word[i]) return 0;
  return 1;
}

/* Check the grammar of a number without sign and copy it to `plain` as digits, 'e' and an exponent. Without a
 * decimal point, strtod does not depend on the locale. Returns 0 if it is not a number. */
static int rewrite(char *plain, const char *p, const char *end) {
  size_t used = 0, count = 0;
  long power = 0, written = 0;
  for (; p < end && is_digit(*p); p++, count++)
    if (used > 0 || *p != '0') plain[used++] = *p;
  if (p < end && *p == '.')
    for (p++; p < end && is_digit(*p); p++, count++, power--)
      if (used > 0 || *p != '0') plain[used++] = *p;
  if (count == 0) return 0;
  if (p < end && (*p | 0x20) == 'e') {
    int negative = p + 1 < end && p[1] == '-';
    p += 1 + (p + 1 < end && (p[1] == '-' || p[1] == '+'));
    if (p == end) return 0;
    for (; p < end && is_digit(*p); p++)
      if (written < 1000000) written = written * 10 + (*p - '0');
    power += negative ? -written : written;
  }
  if (p != end) return 0;
  if (used == 0) plain[used++] = '0';
  snprintf(plain + used, 24, "e%ld", power);
  return 1;
}

ank_number_kind ank_number_parse(double *out, const char *text, size_t length) {
  char plain[ANK_NUMBER_MOST + 32];
  const char *end;
  while (length > 0 && is_blank(*text)) text++, length--;
  while (length > 0 && is_blank(text[length - 1])) length--;
  if (length == 0) return ANK_NUMBER_NONE;
  if (length < 64) {
    char padded[64 + ANK_NUMBER_PADDING] = {0};
    memcpy(padded, text, length);
    end = ank_number_scan(out, padded);
    if (end == padded + length) return ANK_NUMBER;
  }
  int negative = *text == '-';
  if (*text == '-' || *text == '+') text++, length--;
  if (length == 0) return ANK_NUMBER_NONE;
  if (spells(text, length, "nan")) {
    *out = NAN;
    return ANK_NUMBER_NAN;
  }
  if (spells(text, length, "inf") || spells(text, length, "infinity")) {
    *out = negative ? -INFINITY : INFINITY;
    return ANK_NUMBER;
  }
  if (!is_digit(*text) && *text != '.') return ANK_NUMBER_NONE;
  if (length > ANK_NUMBER_MOST) return ANK_NUMBER_TOO_LONG;
  if (!rewrite(plain, text, text + length)) return ANK_NUMBER_NONE;
  int saved = errno;
  double value = strtod(plain, NULL);
  errno = saved;
  if (isinf(value)) return ANK_NUMBER_TOO_LARGE;
  *out = negative ? -value : value;
  return ANK_NUMBER;
}
