/* number.h - decimal numbers to doubles, rounded exactly like strtod, independent of the locale.
 *
 * ank_number_scan is the fast path for plain numbers inside a buffer. It reads eight digits at a time. Then
 * one operation is exact if both operands are (Clinger 1990). Else it multiplies by the first 128 bits of the
 * power of five (the method of Eisel and Lemire; D. Lemire, "Number parsing at a gigabyte per second", 2021).
 * It gives up if that cannot decide the last bit; ank_number_parse then calls strtod. */
#ifndef ANK_CORE_NUMBER_H
#define ANK_CORE_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/wide.h"

typedef enum ank_number_kind {
  ANK_NUMBER = 0,
  ANK_NUMBER_NAN,       /* spells "not a number": a missing value */
  ANK_NUMBER_NONE,      /* not a number */
  ANK_NUMBER_TOO_LARGE, /* finite, but beyond the range of a double */
  ANK_NUMBER_TOO_LONG   /* more than ANK_NUMBER_MOST characters */
} ank_number_kind;

#define ANK_NUMBER_MOST 4096

/* Parse a text that must be one number: blanks, sign, digits with a point, exponent, blanks; or inf, infinity
 * or nan with a sign, in any case. Reads no byte beyond `length`. */
ank_number_kind ank_number_parse(double *out, const char *text, size_t length);

/* Bytes that must be readable after the first byte that is not part of the number. */
#define ANK_NUMBER_PADDING 16

#define ANK_FIVE_FIRST (-342)
#define ANK_FIVE_LAST 324
#define ANK_FIVE_LARGEST 308 /* largest exponent of a finite double */
/* The first 128 bits of 5^q, as two words: rounded down for q >= 0, up for q < 0. */
extern uint64_t ank_powers_of_five[ANK_FIVE_LAST - ANK_FIVE_FIRST + 1][2];
extern const double ank_exact_tens[23];  /* 10^0 .. 10^22 */
extern const uint64_t ank_whole_tens[9]; /* 10^0 .. 10^8 */

static inline uint64_t ank_load8(const char *p) {
  uint64_t word;
  memcpy(&word, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

/* Mark the bytes of eight that are not digits: some of their bits are set. A byte is a digit if its high half
 * is 3 and stays 3 when 6 is added. That sum may carry into the next byte from a byte above 0xF9, so only the
 * marks up to the first one are valid. */
static inline uint64_t ank_other_bytes(uint64_t word) {
  const uint64_t high = 0xF0F0F0F0F0F0F0F0u, threes = 0x3030303030303030u;
  return ((word & high) ^ threes) | (((word + 0x0606060606060606u) & high) ^ threes);
}

/* Return the value of eight digits 0..9, one per byte, first digit in the lowest byte: pairs, fours, then
 * all. */
static inline uint64_t ank_eight_digits(uint64_t word) {
  word = word * 10 + (word >> 8);
  return (((word & 0x000000FF000000FFu) * 0x000F424000000064u) +
          (((word >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u)) >>
         32;
}

/* Append the digits at p to the mantissa. Returns their end. */
static inline const char *ank_take_digits(const char *p, uint64_t *mantissa) {
  for (;;) {
    uint64_t word = ank_load8(p);
    uint64_t others = ank_other_bytes(word);
    unsigned count = others == 0 ? 8 : (unsigned)__builtin_ctzll(others) / 8;
    word ^= 0x3030303030303030u; /* digits become 0..9 */
    if (count == 8) {
      *mantissa = *mantissa * 100000000u + ank_eight_digits(word);
      p += 8;
      continue;
    }
    if (count > 0) *mantissa = *mantissa * ank_whole_tens[count] + ank_eight_digits(word << (64 - 8 * count));
    return p + count;
  }
}

/* Compute mantissa * 10^power for mantissa > 0. Returns 0 if it cannot decide, or the result is not a normal
 * number. */
static inline int ank_number_round(double *out, uint64_t mantissa, int power) {
  if (power < ANK_FIVE_FIRST || power > ANK_FIVE_LARGEST) return 0;
  const uint64_t *five = ank_powers_of_five[power - ANK_FIVE_FIRST];
  int shift = __builtin_clzll(mantissa);
  uint64_t scaled = mantissa << shift;
  ank_wide product = ank_mul_64_64(scaled, five[0]);
  uint64_t high = product.high, low = product.low;
  if ((high & 0x1FF) == 0x1FF) { /* lower bits could carry into the bits that count */
    uint64_t more = ank_mul_64_64(scaled, five[1]).high;
    low += more;
    high += low < more;
    if (low == UINT64_MAX) return 0;
  }
  int top = (int)(high >> 63);
  uint64_t bits = high >> (top + 9); /* 54 bits: 53, and the rounding bit */
  /* Half-way, or too near to decide: `high` has only zeros below a rounding bit of 1. */
  if (low <= 1 && (bits & 1) && (bits << (top + 9)) == high) return 0;
  /* floor(log2(10^power)) = floor(power * 217706 / 2^16) in this range */
  int exponent = (int)(((int64_t)217706 * power) >> 16) + 63 + top - shift + 1023;
  bits = (bits + (bits & 1)) >> 1;
  if (bits >> 53) {
    bits >>= 1;
    exponent++;
  }
  if (exponent <= 0 || exponent >= 2047) return 0;
  bits = (bits & 0x000FFFFFFFFFFFFFu) | (uint64_t)exponent << 52;
  memcpy(out, &bits, 8);
  return 1;
}

/* Count the significant digits, without leading zeros. */
static inline size_t ank_significant(const char *digits, size_t count) {
  for (; *digits == '0' || *digits == '.'; digits++) count -= *digits == '0';
  return count;
}

/* Read the exponent after an 'e'. NULL if there is none, or an absurd one. */
static inline const char *ank_take_exponent(const char *p, int *power) {
  int sign = *p == '-' ? -1 : 1, value = 0;
  p += *p == '-' || *p == '+';
  const char *first = p;
  for (; *p >= '0' && *p <= '9'; p++) {
    value = value * 10 + (*p - '0');
    if (value > 99999) return NULL;
  }
  *power += sign * value;
  return p == first ? NULL : p;
}

static inline double ank_with_sign(double value, int negative) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  bits |= (uint64_t)negative << 63;
  memcpy(&value, &bits, 8);
  return value;
}

/* Read a number of up to seven bytes, point included, that ends within the eight bytes at p: most numbers
 * in most files. One step for all digits keeps the path to the next number short. NULL if the number is
 * longer. */
static inline const char *ank_number_scan_short(double *out, const char *p, int negative) {
  uint64_t word = ank_load8(p), others = ank_other_bytes(word);
  if (others == 0) return NULL;
  unsigned whole = (unsigned)__builtin_ctzll(others) & ~7u, end = whole, fraction = 0; /* in bits */
  word ^= 0x3030303030303030u; /* digits become 0..9 */
  if ((unsigned char)(word >> whole) == ('.' ^ '0')) {
    uint64_t rest = others >> whole >> 8;
    if (rest == 0) return NULL;
    fraction = (unsigned)__builtin_ctzll(rest) & ~7u;
    end = whole + 8 + fraction;
    uint64_t below = ((uint64_t)1 << whole) - 1; /* squeeze the point out */
    word = (word & below) | (word >> 8 & ~below);
  }
  unsigned digits = whole + fraction;
  if (digits == 0 || (p[end / 8] | 0x20) == 'e') return NULL;
  double value = (double)ank_eight_digits(word << (64 - digits)) / ank_exact_tens[fraction / 8];
  *out = ank_with_sign(value, negative);
  return p + end / 8;
}

/* Read a plain number at p. Returns its end, or NULL if there is none or ank_number_parse must decide. */
static inline const char *ank_number_scan(double *out, const char *p) {
  int negative = *p == '-', power = 0;
  const char *digits = p += negative, *end = ank_number_scan_short(out, p, negative);
  if (end) return end;
  uint64_t mantissa = 0;
  p = ank_take_digits(p, &mantissa);
  size_t count = (size_t)(p - digits);
  if (*p == '.') {
    const char *fraction = ++p;
    p = ank_take_digits(p, &mantissa);
    if (p - fraction > ANK_NUMBER_MOST) return NULL;
    power = -(int)(p - fraction);
    count += (size_t)(p - fraction);
  }
  if (count == 0) return NULL;
  if (count > 19 && ank_significant(digits, count) > 19) return NULL; /* may not fit into 64 bits */
  if ((*p | 0x20) == 'e') {
    p = ank_take_exponent(p + 1, &power);
    if (!p) return NULL;
  }
  double value;
  if (mantissa <= (uint64_t)1 << 53 && power >= -22 && power <= 22)
    value = power < 0 ? (double)mantissa / ank_exact_tens[-power] : (double)mantissa * ank_exact_tens[power];
  else if (mantissa == 0)
    value = 0;
  else if (!ank_number_round(&value, mantissa, power))
    return NULL;
  *out = ank_with_sign(value, negative);
  return p;
}

#endif
