/* wide.h - unsigned integers of 128 bits, modulo 2^128, for compilers with and without such a type. */
#ifndef ANK_CORE_WIDE_H
#define ANK_CORE_WIDE_H

#include <stdint.h>

typedef struct ank_wide {
  uint64_t high, low;
} ank_wide;

/* Multiply in halves of 32 bits, for compilers without a 128-bit type. */
static inline ank_wide ank_mul_by_halves(uint64_t a, uint64_t b) {
  const uint64_t half = 0xFFFFFFFFu;
  uint64_t low = (a & half) * (b & half), left = (a >> 32) * (b & half), right = (a & half) * (b >> 32);
  uint64_t middle = (low >> 32) + (left & half) + (right & half);
  return (ank_wide){(a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (middle >> 32),
                    middle << 32 | (low & half)};
}

static inline ank_wide ank_mul_64_64(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
  __extension__ typedef unsigned __int128 native;
  native product = (native)a * b;
  return (ank_wide){(uint64_t)(product >> 64), (uint64_t)product};
#else
  return ank_mul_by_halves(a, b);
#endif
}

static inline ank_wide ank_wide_add(ank_wide a, ank_wide b) {
  uint64_t low = a.low + b.low;
  return (ank_wide){a.high + b.high + (low < b.low), low};
}

static inline ank_wide ank_wide_subtract(ank_wide a, ank_wide b) {
  return (ank_wide){a.high - b.high - (a.low < b.low), a.low - b.low};
}

static inline ank_wide ank_wide_times(ank_wide a, uint64_t b) {
  ank_wide product = ank_mul_64_64(a.low, b);
  product.high += a.high * b;
  return product;
}

/* Return the lowest 128 bits of a * b + c. */
static inline ank_wide ank_wide_times_add(ank_wide a, uint64_t b, ank_wide c) {
  return ank_wide_add(ank_wide_times(a, b), c);
}

/* Return the quotient; *rest receives the remainder. b > 0. */
static inline ank_wide ank_wide_divide(uint64_t *rest, ank_wide a, uint64_t b) {
  ank_wide quotient = {a.high / b, 0};
  uint64_t left = a.high % b;
  if (left == 0) {
    quotient.low = a.low / b;
    *rest = a.low % b;
    return quotient;
  }
  for (int bit = 64; bit-- > 0;) {
    uint64_t carry = left >> 63;
    left = left << 1 | (a.low >> bit & 1);
    if (!carry && left < b) continue;
    left -= b;
    quotient.low |= (uint64_t)1 << bit;
  }
  *rest = left;
  return quotient;
}

/* Return -1, 0 or 1. */
static inline int ank_wide_compare(ank_wide a, ank_wide b) {
  if (a.high != b.high) return a.high < b.high ? -1 : 1;
  return a.low < b.low ? -1 : a.low > b.low;
}

/* Return the nearest double. */
static inline double ank_wide_double(ank_wide a) {
  double scale = 1;
  for (; a.high;
       scale *= 2) { /* the lowest bit, far below the rounding bit, keeps whether any shifted-out bit was
                      * set */
    a.low = a.low >> 1 | a.high << 63 | (a.low & 1);
    a.high >>= 1;
  }
  return (double)a.low * scale;
}

#endif
