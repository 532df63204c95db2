/* fused.h - a * b + c of floats, rounded once: fmaf without a call. The C library's is a hundred times slower
 * on processors without this instruction. */
#ifndef ANK_KERNELS_FUSED_H
#define ANK_KERNELS_FUSED_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* In doubles the product is exact, and Knuth's two-sum gives the rounding error of the sum. If that is not 0,
 * the last bit of the sum is set (rounding to odd). Then rounding it to a float equals a single rounding
 * (Boldo and Melquiond 2008). */
static inline float ank_fused_by_doubles(float a, float b, float c) {
  double product = (double)a * (double)b, other = (double)c, sum = product + other, part = sum - product;
  double lost = (product - (sum - part)) + (other - part);
  uint64_t bits;
  if (lost == 0 || !isfinite(sum)) return (float)sum;
  memcpy(&bits, &sum, sizeof bits);
  if (!(bits & 1)) bits += (lost > 0) == (sum > 0) ? 1 : (uint64_t)-1;
  memcpy(&sum, &bits, sizeof bits);
  return (float)sum;
}

static inline float ank_fused(float a, float b, float c) {
#ifdef FP_FAST_FMAF
  return fmaf(a, b, c);
#else
  return ank_fused_by_doubles(a, b, c);
#endif
}

#endif
