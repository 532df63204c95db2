/* Unit tests of kernels/fused.h against the C library's fmaf. */
#include "kernels/fused.h"

#include "core/rng.h"
#include "support/check.h"

static float from_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void check(float a, float b, float c) {
  float got = ank_fused_by_doubles(a, b, c), expected = fmaf(a, b, c);
  if (isnan(expected))
    assert_true(isnan(got));
  else
    assert_memory_equal(&got, &expected, sizeof got);
}

TEST(any_floats_equal_fmaf) {
  ank_rng rng;
  ank_rng_open(&rng, 1, 0, 0);
  for (int i = 0; i < 200000; i++) {
    uint64_t word = ank_rng_word(&rng);
    check(from_bits((uint32_t)word), from_bits((uint32_t)(word >> 32)),
          from_bits((uint32_t)ank_rng_word(&rng)));
  }
}

/* c is half a unit in the last place of the product, give or take a little: where rounding twice goes wrong. */
TEST(sums_near_the_middle_between_two_floats_are_rounded_once) {
  ank_rng rng;
  int twice_differs = 0;
  ank_rng_open(&rng, 2, 0, 0);
  for (int i = 0; i < 200000; i++) {
    uint64_t word = ank_rng_word(&rng);
    float a = 1 + (float)(word & 0xfff) * 0x1p-12F, b = 1 + (float)(word >> 12 & 0xfff) * 0x1p-12F;
    float c = ldexpf(1 + (float)(word >> 24 & 3) * 0x1p-23F, -30 - (int)(word >> 26 & 31)) *
              (word >> 32 & 1 ? 1 : -1);
    check(a, b, c);
    twice_differs += (float)((double)a * (double)b + (double)c) != fmaf(a, b, c);
  }
  assert_true(twice_differs > 0); /* otherwise this would show nothing */
}
