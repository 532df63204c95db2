/* vector_body.h - the logarithm of vector.h for vectors of BODY_WIDTH bytes.
 *
 * Included by one source file per instruction set, which defines BODY_WIDTH and BODY_TABLE (the name of the
 * table defined here), and may define BODY_FMA. Vectors use the GNU C extension, which the compiler
 * translates to the processor's instructions. The last elements of an array are computed in a padded vector,
 * so every element goes through the same operations at any position.
 *
 * Coefficients: scripts/fit_vector.py. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernels/vector_table.h"

typedef double real __attribute__((vector_size(BODY_WIDTH)));
typedef int64_t whole __attribute__((vector_size(BODY_WIDTH)));
typedef uint64_t natural __attribute__((vector_size(BODY_WIDTH)));

#define LANES ((size_t)BODY_WIDTH / sizeof(double))

/* a * b + c: the stated accuracy holds with one rounding and with two. */
#ifndef BODY_FMA
#define BODY_FMA(a, b, c) ((a) * (b) + (c))
#endif

static inline real all(double x) { return x - (real){0}; }

/* Return mask ? a : b, where a comparison produced the mask. */
static inline real choose(whole mask, real a, real b) {
  return (real)(((whole)a & mask) | ((whole)b & ~mask));
}

static inline real log_of(real x) {
  static const double c[] = {0x1.5555555555558p-1, 0x1.99999999952d7p-2, 0x1.2492492df281ap-2,
                             0x1.c71c62e3f11e6p-3, 0x1.7462b51cb66b1p-3, 0x1.39fe51a7c18f9p-3,
                             0x1.2b5900de53b32p-3};
  const uint64_t root_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000, fraction = 0x000fffffffffffff;
  whole small = (whole)(x < 0x1p-1022); /* includes 0 and negative values, which are replaced at the end */
  real scaled = choose(small, x * 0x1p54, x);
  /* x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). */
  natural moved = (natural)scaled + (one - root_half);
  real f = (real)((moved & fraction) + root_half) - 1.0;
  real k = (real)((moved >> 52) | (uint64_t)0x4330000000000000) -
           choose(small, all(0x1p52 + 1077), all(0x1p52 + 1023));
  real s = f / (f + 2.0), z = s * s, half_square = f * f * 0.5;
  real p = all(c[6]);
  for (int i = 5; i >= 0; i--) p = BODY_FMA(p, z, all(c[i]));
  /* log(1 + f) = f - (f^2/2 - s (f^2/2 + z p)): the large part f is exact. */
  real rest = half_square - BODY_FMA(k, all(0x1.9ef35793c7673p-41), s * BODY_FMA(z, p, half_square));
  real result = BODY_FMA(k, all(0x1.62e42fefa2000p-1), f - rest);
  result = choose((whole)(x == 0.0), all(-INFINITY), result);
  result = choose((whole)(x < 0.0), all(NAN), result);
  return choose((whole)(x < INFINITY), result, x + x); /* inf and NaN */
}

/* ---- over arrays ------------------------------------------------------------------------------------- */

static void map_log(double *out, const double *x, size_t n) {
  real v;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    memcpy(&v, x + i, sizeof v);
    v = log_of(v);
    memcpy(out + i, &v, sizeof v);
  }
  if (i == n) return;
  v = (real){0};
  memcpy(&v, x + i, (n - i) * sizeof *x);
  v = log_of(v);
  memcpy(out + i, &v, (n - i) * sizeof *x);
}

const ank_vector_table BODY_TABLE = {map_log};
