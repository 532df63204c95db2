/* cells.c - see cells.h. One loop per type lets the compiler optimise each. */
#include "table/cells.h"

#include <math.h>
#include <string.h>

#define DAY 86400

size_t ank_type_size(anorank_type type) {
  static const unsigned char sizes[] = {
      [ANORANK_FLOAT64] = 8, [ANORANK_FLOAT32] = 4, [ANORANK_FLOAT16] = 2, [ANORANK_INT64] = 8,
      [ANORANK_INT32] = 4,   [ANORANK_INT16] = 2,   [ANORANK_INT8] = 1,    [ANORANK_UINT64] = 8,
      [ANORANK_UINT32] = 4,  [ANORANK_UINT16] = 2,  [ANORANK_UINT8] = 1,   [ANORANK_BOOL] = 1};
  return (size_t)type < sizeof sizes ? sizes[type] : 0;
}

/* IEEE 754 binary16: sign, 5 bits of exponent, 10 of mantissa. */
static double half(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double mantissa = bits & 1023, value;
  if (exponent == 31)
    value = mantissa > 0 ? (double)NAN : (double)INFINITY;
  else
    value = exponent == 0 ? ldexp(mantissa, -24) : ldexp(mantissa + 1024, exponent - 25);
  return bits >> 15 ? -value : value;
}

/* A double at or above 2^53 may have been rounded up to 2^63 or 2^64, which does not convert back to the
 * integer. */
static int exact_signed(int64_t x) {
  double y = (double)x;
  return (x >= -((int64_t)1 << 53) && x <= ((int64_t)1 << 53)) || (y < 0x1p63 && (int64_t)y == x);
}

static int exact_unsigned(uint64_t x) {
  double y = (double)x;
  return x <= (uint64_t)1 << 53 || (y < 0x1p64 && (uint64_t)y == x);
}

/* Values at any address: memcpy of a few bytes compiles to a load. */
#define EACH(ctype, expression)                                                                              \
  for (size_t i = 0; i < count; i++, at += stride) {                                                         \
    ctype x;                                                                                                 \
    memcpy(&x, at, sizeof x);                                                                                \
    out[i] = (expression);                                                                                   \
  }                                                                                                          \
  break

#define EACH_EXACT(ctype, exact)                                                                             \
  for (size_t i = 0; i < count; i++, at += stride) {                                                         \
    ctype x;                                                                                                 \
    memcpy(&x, at, sizeof x);                                                                                \
    out[i] = (double)x;                                                                                      \
    if (check && !exact(x) && ank_bit(cells->validity, cells->first_bit + i)) return i;                      \
  }                                                                                                          \
  break

/* Convert values; with `check`, stop at an integer that is not exact. */
static size_t convert(double *out, const ank_cells *cells, size_t count, int check) {
  const char *at = cells->data;
  ptrdiff_t stride = cells->stride;
  switch (cells->type) {
  case ANORANK_FLOAT64: EACH(double, x);
  case ANORANK_FLOAT32: EACH(float, (double)x);
  case ANORANK_FLOAT16: EACH(uint16_t, half(x));
  case ANORANK_INT64: EACH_EXACT(int64_t, exact_signed);
  case ANORANK_INT32: EACH(int32_t, x);
  case ANORANK_INT16: EACH(int16_t, x);
  case ANORANK_INT8: EACH(int8_t, x);
  case ANORANK_UINT64: EACH_EXACT(uint64_t, exact_unsigned);
  case ANORANK_UINT32: EACH(uint32_t, x);
  case ANORANK_UINT16: EACH(uint16_t, x);
  case ANORANK_UINT8: EACH(uint8_t, x);
  case ANORANK_BOOL: EACH(uint8_t, x != 0);
  }
  return count;
}

static void mask(double *out, const ank_cells *cells, size_t count) {
  for (size_t i = 0; cells->validity && i < count; i++)
    if (!ank_bit(cells->validity, cells->first_bit + i)) out[i] = NAN;
}

size_t ank_cells_numbers(double *out, const ank_cells *cells, size_t count) {
  size_t done = convert(out, cells, count, 1);
  mask(out, cells, count);
  return done;
}

static int64_t steps_per_second(anorank_resolution resolution) {
  static const int64_t steps[] = {[ANORANK_DAYS] = 1,
                                  [ANORANK_SECONDS] = 1,
                                  [ANORANK_MILLISECONDS] = 1000,
                                  [ANORANK_MICROSECONDS] = 1000000,
                                  [ANORANK_NANOSECONDS] = 1000000000};
  return steps[resolution];
}

/* Convert whole seconds and the rest separately: nanoseconds since 1970 have more digits than a double. */
static double seconds_of(int64_t steps, int64_t each) {
  return (double)(steps / each) + (double)(steps % each) / (double)each;
}

void ank_cells_seconds(double *out, const ank_cells *cells, size_t count, anorank_resolution resolution) {
  int64_t each = steps_per_second(resolution);
  double factor = resolution == ANORANK_DAYS ? DAY : 1;
  if (cells->type == ANORANK_INT64) {
    const char *at = cells->data;
    ptrdiff_t stride = cells->stride;
    do {
      EACH(int64_t, seconds_of(x, each) * factor);
    } while (0);
  } else {
    (void)convert(out, cells, count, 0);
    for (size_t i = 0; i < count; i++) out[i] = out[i] / (double)each * factor;
  }
  mask(out, cells, count);
}

int ank_time_steps(int64_t *out, double seconds, anorank_resolution resolution) {
  int64_t each = steps_per_second(resolution), whole;
  *out = 0;
  if (!(fabs(seconds) < 0x1p62)) return 0;
  double floored = floor(seconds);
  whole = (int64_t)floored;
  if (resolution == ANORANK_DAYS) {
    *out = whole / DAY - (whole % DAY < 0);
    return *out >= INT32_MIN && *out <= INT32_MAX;
  }
  return !__builtin_mul_overflow(whole, each, out) &&
         !__builtin_add_overflow(*out, (int64_t)nearbyint((seconds - floored) * (double)each), out);
}
