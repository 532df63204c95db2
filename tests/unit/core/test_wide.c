/* Unit tests of core/wide.h against sums bit by bit. */
#include "core/wide.h"

#include <math.h>

#include "core/rng.h"
#include "support/check.h"

static void assert_wide(ank_wide value, uint64_t high, uint64_t low) {
  assert_true(value.high == high && value.low == low);
}

/* One addition for each bit of b. */
static ank_wide slow_product(ank_wide a, uint64_t b) {
  ank_wide sum = {0};
  for (; b; b >>= 1, a = ank_wide_add(a, a))
    if (b & 1) sum = ank_wide_add(sum, a);
  return sum;
}

TEST(products_equal_sums_of_shifted_numbers) {
  ank_rng rng;
  ank_rng_open(&rng, 1, 0, 0);
  for (int i = 0; i < 2000; i++) {
    uint64_t a = ank_rng_word(&rng) >> ank_rng_below(&rng, 64),
             b = ank_rng_word(&rng) >> ank_rng_below(&rng, 64);
    ank_wide slow = slow_product((ank_wide){0, a}, b), wide = {a, b};
    assert_int_equal(ank_wide_compare(ank_mul_64_64(a, b), slow), 0);
    assert_int_equal(ank_wide_compare(ank_mul_by_halves(a, b), slow), 0);
    assert_int_equal(ank_wide_compare(ank_wide_times(wide, b), slow_product(wide, b)), 0);
  }
  assert_wide(ank_mul_by_halves(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1, 1);
}

TEST(quotient_times_divisor_plus_rest_is_the_dividend) {
  ank_rng rng;
  ank_rng_open(&rng, 2, 0, 0);
  for (int i = 0; i < 2000; i++) {
    ank_wide a = {ank_rng_word(&rng) >> ank_rng_below(&rng, 64), ank_rng_word(&rng)};
    uint64_t b = (ank_rng_word(&rng) >> ank_rng_below(&rng, 64)) | 1, rest;
    ank_wide quotient = ank_wide_divide(&rest, a, b);
    assert_true(rest < b);
    assert_int_equal(ank_wide_compare(ank_wide_times_add(quotient, b, (ank_wide){0, rest}), a), 0);
  }
}

TEST(differences_borrow_and_wrap) {
  assert_wide(ank_wide_subtract((ank_wide){1, 0}, (ank_wide){0, 1}), 0, UINT64_MAX);
  assert_wide(ank_wide_subtract((ank_wide){0}, (ank_wide){0, 1}), UINT64_MAX, UINT64_MAX);
  assert_int_equal(ank_wide_compare((ank_wide){1, 0}, (ank_wide){0, UINT64_MAX}), 1);
}

TEST(doubles_are_the_nearest_and_ties_go_to_even) {
  assert_true(ank_wide_double((ank_wide){0, 12345}) == 12345);
  assert_true(ank_wide_double((ank_wide){1, 0}) == 0x1p64);
  assert_true(ank_wide_double((ank_wide){(uint64_t)1 << 53, (uint64_t)1 << 63}) == 0x1p117);
  assert_true(ank_wide_double((ank_wide){((uint64_t)1 << 53) + 1, 0}) == 0x1p117);
  assert_true(ank_wide_double((ank_wide){((uint64_t)1 << 53) + 1, 1}) == 0x1p117 + 0x1p65);
  assert_true(ank_wide_double((ank_wide){((uint64_t)1 << 53) + 3, 0}) == 0x1p117 + 0x1p66);
  assert_true(ank_wide_double((ank_wide){UINT64_MAX, UINT64_MAX}) == 0x1p128);
}
