/* vector_body.h - the functions of vector.h for vectors of BODY_WIDTH bytes.
 *
 * Included by one source file per instruction set, which defines BODY_WIDTH and BODY_TABLE (the name of the
 * table made here), and may define BODY_FMA_DOUBLE and BODY_FMA_FLOAT. Vectors are those of the GNU C
 * extension: the compiler turns them into whatever the processor has. The last elements of an array go
 * through a padded vector, so every element meets the same operations wherever it stands.
 *
 * Coefficients: scripts/fit_vector.py. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernels/vector_table.h"

typedef double real __attribute__((vector_size(BODY_WIDTH)));
typedef int64_t whole __attribute__((vector_size(BODY_WIDTH)));
typedef uint64_t natural __attribute__((vector_size(BODY_WIDTH)));
typedef float real_s __attribute__((vector_size(BODY_WIDTH)));
typedef int32_t whole_s __attribute__((vector_size(BODY_WIDTH)));
typedef uint32_t natural_s __attribute__((vector_size(BODY_WIDTH)));

#define LANES ((size_t)BODY_WIDTH / sizeof(double))
#define LANES_S ((size_t)BODY_WIDTH / sizeof(float))

/* a * b + c: the accuracy promised holds with one rounding and with two. */
#ifndef BODY_FMA_DOUBLE
#define BODY_FMA_DOUBLE(a, b, c) ((a) * (b) + (c))
#define BODY_FMA_FLOAT(a, b, c) ((a) * (b) + (c))
#endif

static inline real all(double x) { return x - (real){0}; }
static inline real_s all_s(float x) { return x - (real_s){0}; }

/* mask ? a : b, where a comparison made the mask. */
static inline real choose(whole mask, real a, real b) {
  return (real)(((whole)a & mask) | ((whole)b & ~mask));
}
static inline real_s choose_s(whole_s mask, real_s a, real_s b) {
  return (real_s)(((whole_s)a & mask) | ((whole_s)b & ~mask));
}

/* ---- double ------------------------------------------------------------------------------------------ */

/* exp(x), and what is missing from it to about twice the digits. */
static inline real exp_parts(real x, real *missing) {
  static const double c[] = {0x1.0000000000001p-1,  0x1.5555555555556p-3,  0x1.5555555553d63p-5,
                             0x1.11111111109b3p-7,  0x1.6c16c1788bd90p-10, 0x1.a01a01a7c41d5p-13,
                             0x1.a019b90d2ae7ap-16, 0x1.71de0dae63bb3p-19, 0x1.289185613a3d6p-22,
                             0x1.af38a9b0ec855p-26};
  const double shifter = 0x1.8p52;
  /* Beyond these the result is 0 or inf already. NaN fails both comparisons and stays. */
  x = choose((whole)(x > 710.0), all(710.0), x);
  x = choose((whole)(x < -746.0), all(-746.0), x);
  /* x = k log 2 + r; adding the shifter leaves the integer k in the last bits. */
  real shifted = BODY_FMA_DOUBLE(x, all(0x1.71547652b82fep+0), all(shifter));
  real k = shifted - shifter;
  real head = BODY_FMA_DOUBLE(k, all(-0x1.62e42fefa2000p-1), x); /* exact: that log 2 has 40 bits */
  real tail = k * -0x1.9ef35793c7673p-41;
  real r = head + tail, lost = (head - r) + tail;
  real q = all(c[9]);
  for (int i = 8; i >= 0; i--) q = BODY_FMA_DOUBLE(q, r, all(c[i]));
  /* 1 + r + r^2 q, with what rounding took from r and from 1 + r. */
  real sum = r + 1.0;
  real small = (r - (sum - 1.0)) + BODY_FMA_DOUBLE(r * r, q, lost);
  real power = sum + small;
  /* 2^k in two steps, since k alone may be out of range; the first is exact, so there is one rounding. */
  natural biased = (natural)shifted - (natural)all(shifter) + 2046;
  natural half = biased >> 1;
  real first = (real)(half << 52), second = (real)((biased - half) << 52);
  *missing = (small - (power - sum)) * first * second;
  return power * first * second;
}

static inline real exp_of(real x) {
  real missing;
  return exp_parts(x, &missing);
}

static inline real log_of(real x) {
  static const double c[] = {0x1.5555555555558p-1, 0x1.99999999952d7p-2, 0x1.2492492df281ap-2,
                             0x1.c71c62e3f11e6p-3, 0x1.7462b51cb66b1p-3, 0x1.39fe51a7c18f9p-3,
                             0x1.2b5900de53b32p-3};
  const uint64_t root_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000, fraction = 0x000fffffffffffff;
  whole small = (whole)(x < 0x1p-1022); /* 0 and negative values too: replaced at the end */
  real scaled = choose(small, x * 0x1p54, x);
  /* x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). */
  natural moved = (natural)scaled + (one - root_half);
  real f = (real)((moved & fraction) + root_half) - 1.0;
  real k = (real)((moved >> 52) | (uint64_t)0x4330000000000000) -
           choose(small, all(0x1p52 + 1077), all(0x1p52 + 1023));
  real s = f / (f + 2.0), z = s * s, half_square = f * f * 0.5;
  real p = all(c[6]);
  for (int i = 5; i >= 0; i--) p = BODY_FMA_DOUBLE(p, z, all(c[i]));
  /* log(1 + f) = f - (f^2/2 - s (f^2/2 + z p)): the large part f is exact. */
  real rest =
      half_square - BODY_FMA_DOUBLE(k, all(0x1.9ef35793c7673p-41), s * BODY_FMA_DOUBLE(z, p, half_square));
  real result = BODY_FMA_DOUBLE(k, all(0x1.62e42fefa2000p-1), f - rest);
  result = choose((whole)(x == 0.0), all(-INFINITY), result);
  result = choose((whole)(x < 0.0), all(NAN), result);
  return choose((whole)(x < INFINITY), result, x + x); /* inf and NaN */
}

/* e / (1 + e) or 1 / (1 + e) with e = exp(-|x|). Rounding e, rounding the sum and dividing would together
 * cost more than 2 ulp, so the first two are put right afterwards, to first order: 1 / (1 + e)^2 is the
 * derivative. */
static inline real logistic_of(real x) {
  real missing, e = exp_parts((real)((whole)x | (whole)all(-0.0)), &missing);
  whole negative = (whole)(x < 0.0);
  real sum = e + 1.0, lost = e - (sum - 1.0);
  real share = choose(negative, e, all(1.0)) / sum;
  real inverse = choose(negative, 1.0 - share, share);
  real change = choose(negative, missing - e * lost, -(missing + lost));
  return BODY_FMA_DOUBLE(inverse * inverse, change, share);
}

/* ---- float ------------------------------------------------------------------------------------------- */

static inline real_s exp_of_s(real_s x) {
  const float shifter = 0x1.8p23f;
  x = choose_s((whole_s)(x > 89.0f), all_s(89.0f), x);
  x = choose_s((whole_s)(x < -104.0f), all_s(-104.0f), x);
  real_s shifted = BODY_FMA_FLOAT(x, all_s(0x1.715476p+0f), all_s(shifter));
  real_s k = shifted - shifter;
  real_s r = BODY_FMA_FLOAT(k, all_s(-0x1.62e0p-1f), x);
  r = BODY_FMA_FLOAT(k, all_s(-0x1.0bfbe8p-15f), r);
  real_s q = BODY_FMA_FLOAT(all_s(0x1.6d110ap-10f), r, all_s(0x1.120b6ep-7f));
  q = BODY_FMA_FLOAT(q, r, all_s(0x1.55551ap-5f));
  q = BODY_FMA_FLOAT(q, r, all_s(0x1.5554dcp-3f));
  q = BODY_FMA_FLOAT(q, r, all_s(0.5f));
  real_s power = BODY_FMA_FLOAT(r * r, q, r) + 1.0f;
  natural_s biased = (natural_s)shifted - (natural_s)all_s(shifter) + 254;
  natural_s half = biased >> 1;
  return power * (real_s)(half << 23) * (real_s)((biased - half) << 23);
}

static inline real_s log_of_s(real_s x) {
  const uint32_t root_half = 0x3f3504f3, one = 0x3f800000, fraction = 0x007fffff;
  whole_s small = (whole_s)(x < 0x1p-126f);
  real_s scaled = choose_s(small, x * 0x1p24f, x);
  natural_s moved = (natural_s)scaled + (one - root_half);
  real_s f = (real_s)((moved & fraction) + root_half) - 1.0f;
  real_s k = (real_s)((moved >> 23) | (uint32_t)0x4b000000) -
             choose_s(small, all_s(0x1p23f + 151), all_s(0x1p23f + 127));
  real_s s = f / (f + 2.0f), z = s * s, half_square = f * f * 0.5f;
  real_s p = BODY_FMA_FLOAT(all_s(0x1.2ee656p-2f), z, all_s(0x1.997c2ep-2f));
  p = BODY_FMA_FLOAT(p, z, all_s(0x1.55555cp-1f));
  real_s rest =
      half_square - BODY_FMA_FLOAT(k, all_s(0x1.0bfbe8p-15f), s * BODY_FMA_FLOAT(z, p, half_square));
  real_s result = BODY_FMA_FLOAT(k, all_s(0x1.62e0p-1f), f - rest);
  result = choose_s((whole_s)(x == 0.0f), all_s(-INFINITY), result);
  result = choose_s((whole_s)(x < 0.0f), all_s(NAN), result);
  return choose_s((whole_s)(x < INFINITY), result, x + x);
}

static inline real_s logistic_of_s(real_s x) {
  whole_s sign = (whole_s)all_s(-0.0f);
  real_s e = exp_of_s((real_s)((whole_s)x | sign));
  return choose_s((whole_s)(x < 0.0f), e, all_s(1.0f)) / (e + 1.0f);
}

/* ---- over arrays ------------------------------------------------------------------------------------- */

#define BODY_MAP(name, element, vector, lanes, function)                                                     \
  static void name(element *out, const element *x, size_t n) {                                               \
    vector v;                                                                                                \
    size_t i = 0;                                                                                            \
    for (; i + (lanes) <= n; i += (lanes)) {                                                                 \
      memcpy(&v, x + i, sizeof v);                                                                           \
      v = function(v);                                                                                       \
      memcpy(out + i, &v, sizeof v);                                                                         \
    }                                                                                                        \
    if (i == n) return;                                                                                      \
    v = (vector){0};                                                                                         \
    memcpy(&v, x + i, (n - i) * sizeof *x);                                                                  \
    v = function(v);                                                                                         \
    memcpy(out + i, &v, (n - i) * sizeof *x);                                                                \
  }

BODY_MAP(map_exp, double, real, LANES, exp_of)
BODY_MAP(map_log, double, real, LANES, log_of)
BODY_MAP(map_logistic, double, real, LANES, logistic_of)
BODY_MAP(map_exp_s, float, real_s, LANES_S, exp_of_s)
BODY_MAP(map_log_s, float, real_s, LANES_S, log_of_s)
BODY_MAP(map_logistic_s, float, real_s, LANES_S, logistic_of_s)

const ank_vector_table BODY_TABLE = {map_exp, map_log, map_logistic, map_exp_s, map_log_s, map_logistic_s};
