/* shortest.c - the shortest decimal of a double, by R. Giulietti's Schubfach ("The Schubfach way to render
 * doubles", 2020).
 *
 * A double c * 2^q represents every real in its rounding interval. With k = floor(log10 2^q), multiples of
 * 10^k are at most one interval apart, and multiples of 10^(k+1) at least one. So at most one multiple of
 * 10^(k+1) lies inside; if there is one, it is the shortest, without its zeros. Else one of the two multiples
 * of 10^k next to the double lies inside, and the nearer is used. The ends of the interval and the double,
 * times 4 to make them integers, are scaled by 10^-k in 128-bit arithmetic. The lowest bit keeps the
 * information "not exact" (round to odd), which makes comparisons exact. */
#include "core/shortest.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/number.h"

/* The 128 bits of a power of ten are those of the power of five. */
typedef struct power {
  uint64_t high, low;
} power;

/* Return a value just above 10^k: the table has it rounded down for k >= 0. No low word is all ones. */
static power power_of_ten(int k) {
  const uint64_t *five = ank_powers_of_five[k - ANK_FIVE_FIRST];
  return (power){five[0], five[1] + (k >= 0)};
}

typedef struct decimal {
  uint64_t digits;
  int exponent;
} decimal;

/* Compute logarithms of powers as fixed-point products, exact over the exponents of doubles. Supported
 * compilers shift negative numbers arithmetically. */
static int floor_log10_pow2(int e) { return (e * 1262611) >> 22; }
static int floor_log10_three_quarters_pow2(int e) { return (e * 1262611 - 524031) >> 22; }
static int floor_log2_pow10(int e) { return (e * 1741647) >> 19; }

static uint64_t scale_to_odd(power g, uint64_t c) {
  ank_wide low = {0, ank_mul_64_64(g.low, c).high}, all = ank_wide_add(ank_mul_64_64(g.high, c), low);
  return all.high | (all.low > 1);
}

/* Convert the `bits` of a finite double above zero. */
static decimal shortest_decimal(uint64_t bits) {
  uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
  int biased = (int)(bits >> 52);
  uint64_t c = biased ? mantissa | (uint64_t)1 << 52 : mantissa;
  int q = biased ? biased - 1075 : -1074;
  uint64_t odd = c & 1; /* ties go to even: the interval of an odd double excludes its ends */
  int closer = mantissa == 0 && biased > 1; /* at a power of two, the lower neighbour is half as far away */

  int k = closer ? floor_log10_three_quarters_pow2(q) : floor_log10_pow2(q);
  int h = q + floor_log2_pow10(-k) + 1;
  power g = power_of_ten(-k);
  uint64_t lower = scale_to_odd(g, (4 * c - 2 + (uint64_t)closer) << h) + odd;
  uint64_t value = scale_to_odd(g, (4 * c) << h);
  uint64_t upper = scale_to_odd(g, (4 * c + 2) << h) - odd;

  uint64_t s = value / 4;
  if (s >= 10) {
    uint64_t tens = s / 10;
    int below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
    if (below != above) return (decimal){tens + (uint64_t)above, k + 1};
  }
  int below = lower <= 4 * s, above = 4 * s + 4 <= upper;
  if (below != above) return (decimal){s + (uint64_t)above, k};
  uint64_t middle = 4 * s + 2;
  int up = value > middle || (value == middle && (s & 1));
  return (decimal){s + (uint64_t)up, k};
}

enum { DIGITS = 20 }; /* digits of the largest integer; copies have this constant size */

/* Write DIGITS bytes, two digits per division: a division costs more than a table look-up. */
static size_t print_unsigned(char *text, uint64_t value) {
  static const char pairs[] =
      "0001020304050607080910111213141516171819202122232425262728293031323334353637383940"
      "4142434445464748495051525354555657585960616263646566676869707172737475767778798081"
      "828384858687888990919293949596979899";
  char digits[2 * DIGITS] = {0};
  size_t at = DIGITS;
  while (value >= 100) {
    memcpy(digits + (at -= 2), pairs + 2 * (value % 100), 2);
    value /= 100;
  }
  memcpy(digits + (at -= 2), pairs + 2 * value, 2);
  at += value < 10;
  memcpy(text, digits + at, DIGITS);
  return DIGITS - at;
}

/* Write short runs of zeros instead of an exponent. */
static size_t print_decimal(char *text, decimal d) {
  if (d.digits % 100000000 == 0) d.digits /= 100000000, d.exponent += 8;
  while (d.digits % 10 == 0) d.digits /= 10, d.exponent++;
  char digits[2 * DIGITS] = {0};
  size_t count = print_unsigned(digits, d.digits), at = 0;
  int point = (int)count + d.exponent; /* the value is 0.DIGITS * 10^point */
  if (point > 0 && point <= 17) {
    memcpy(text, digits, DIGITS);
    for (at = count; at < (size_t)point; at++) text[at] = '0';
    if (count <= (size_t)point) return at;
    text[point] = '.';
    memcpy(text + point + 1, digits + point, DIGITS);
    return count + 1;
  }
  if (point <= 0 && point > -4) {
    memcpy(text, "0.", 2);
    at = 2;
    for (int i = point; i < 0; i++) text[at++] = '0';
    memcpy(text + at, digits, DIGITS);
    return at + count;
  }
  text[at++] = digits[0];
  if (count > 1) {
    text[at++] = '.';
    memcpy(text + at, digits + 1, DIGITS);
    at += count - 1;
  }
  text[at++] = 'e';
  int exponent = point - 1;
  if (exponent < 0) text[at++] = '-';
  return at + print_unsigned(text + at, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

size_t ank_shortest(char text[ANK_SHORTEST_SIZE], double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  size_t at = 0;
  if (isnan(x)) {
    memcpy(text, "nan", 3);
    return 3;
  }
  if (bits >> 63) text[at++] = '-';
  bits &= ~((uint64_t)1 << 63);
  double size = fabs(x);
  if (isinf(size)) {
    memcpy(text + at, "inf", 3);
    return at + 3;
  }
  if (size < 1e15 && size == (double)(uint64_t)size) return at + print_unsigned(text + at, (uint64_t)size);
  return at + print_decimal(text + at, shortest_decimal(bits));
}
