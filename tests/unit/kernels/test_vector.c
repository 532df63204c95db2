/* test_vector.c - logarithms of arrays against the C library in long double, for each set of kernels that this
 * processor has. */
#include "support/check.h"

#include <float.h>

#include "kernels/vector.h"

static const char *const kernels[] = {"generic", ANK_FAST_KERNELS};

static uint64_t state = 7;

static uint64_t word(void) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static double uniform(double low, double high) {
  return low + (high - low) * ((double)(word() >> 11) * 0x1p-53);
}

/* Distance in units of the last place at the exact result. */
static double ulps(double got, long double exact) {
  if (isnan(exact)) return isnan(got) ? 0 : INFINITY;
  if (isinf(exact)) return isinf(got) && (got > 0) == (exact > 0) ? 0 : INFINITY;
  if (!isfinite(got)) return INFINITY;
  int exponent;
  (void)frexpl(exact, &exponent);
  if (exact == 0 || exponent < DBL_MIN_EXP) exponent = DBL_MIN_EXP;
  return (double)fabsl(((long double)got - exact) / ldexpl(1, exponent - DBL_MANT_DIG));
}

/* ---- points ------------------------------------------------------------------------------------------ */

#define POINTS 60000

/* Everywhere: every kind of number, the ranges where results matter, the ends of those ranges. */
static double point(size_t i) {
  static const double ends[] = {0.0,
                                -0.0,
                                1,
                                -1,
                                1e300,
                                -1e300,
                                INFINITY,
                                -INFINITY,
                                NAN,
                                DBL_MIN,
                                DBL_MAX,
                                5e-324,
                                1e-310,
                                -5e-324,
                                0.70710678118654746,
                                0.70710678118654757,
                                0.99999999999999989,
                                1.0000000000000002,
                                1.4142135623730949,
                                1.4142135623730951};
  const size_t some = sizeof ends / sizeof *ends;
  uint64_t bits = word();
  double value;
  if (i < some) return ends[i];
  switch (i % 4) {
  case 0: return uniform(-1, 1);
  case 1: return uniform(0.5, 2);
  case 2: return exp(uniform(-700, 700));
  default: memcpy(&value, &bits, sizeof value); return value;
  }
}

TEST(errors_stay_below_the_promised_ulps) {
  double *x = test_memory(POINTS * sizeof *x), *out = test_memory(POINTS * sizeof *out);
  assert_true(x && out);
  for (size_t i = 0; i < POINTS; i++) x[i] = point(i);
  for (size_t k = 0; k < 2; k++) {
    double worst = 0;
    if (!ank_kernels_use(kernels[k])) continue;
    assert_string_equal(ank_kernels_name(), kernels[k]);
    ank_log(out, x, POINTS);
    for (size_t i = 0; i < POINTS; i++) {
      double apart = ulps(out[i], logl((long double)x[i]));
      if (apart > 2) print_error("log(%a) = %a is %.2f ulp away\n", x[i], out[i], apart);
      if (!(apart <= worst)) worst = apart;
    }
    print_message("%s: %.3f ulp\n", kernels[k], worst);
    assert_true(worst <= 2);
  }
}

TEST(special_values_are_those_of_the_c_library) {
  const double x[] = {-INFINITY, INFINITY, 0.0, -0.0, -1, 1, NAN};
  const double expected[] = {NAN, INFINITY, -INFINITY, -INFINITY, NAN, 0, NAN};
  for (size_t k = 0; k < 2; k++) {
    if (!ank_kernels_use(kernels[k])) continue;
    for (size_t i = 0; i < 7; i++) {
      double out;
      ank_log(&out, &x[i], 1);
      assert_true(isnan(expected[i]) ? isnan(out) : out == expected[i]);
    }
  }
}

TEST(a_result_does_not_depend_on_where_the_element_stands) {
  enum { most = 40 };
  double x[most], whole[most], part[most + 1];
  for (size_t i = 0; i < most; i++) x[i] = uniform(0, 20);
  for (size_t k = 0; k < 2; k++) {
    if (!ank_kernels_use(kernels[k])) continue;
    ank_log(whole, x, most);
    for (size_t begin = 0; begin < most; begin++)
      for (size_t n = 0; begin + n <= most; n++) {
        part[n] = 123;
        ank_log(part, x + begin, n);
        assert_memory_equal(part, whole + begin, n * sizeof *part);
        assert_true(part[n] == 123); /* nothing written past the end */
      }
  }
}

TEST(results_may_replace_the_arguments) {
  double x[11], out[11], same[11];
  for (size_t i = 0; i < 11; i++) same[i] = x[i] = uniform(0, 3);
  ank_log(out, x, 11);
  ank_log(same, same, 11);
  assert_memory_equal(same, out, sizeof out);
}

TEST(unknown_kernels_are_refused_and_null_means_the_best) {
  assert_true(ank_kernels_use("generic"));
  assert_false(ank_kernels_use("abacus"));
  assert_string_equal(ank_kernels_name(), "generic");
  assert_true(ank_kernels_use(NULL));
  assert_string_equal(ank_kernels_name(), ank_kernels_use(ANK_FAST_KERNELS) ? ANK_FAST_KERNELS : "generic");
}

/* Both sets are within 2 ulp of the truth, so within 4 of each other; in fact they differ much less. */
TEST(generic_and_fast_kernels_agree) {
  enum { count = 5000 };
  static double x[count], a[count], b[count];
  if (!ank_kernels_use(ANK_FAST_KERNELS)) skip();
  for (size_t i = 0; i < count; i++) x[i] = exp(uniform(-700, 700));
  ank_kernels_use(ANK_FAST_KERNELS);
  ank_log(a, x, count);
  ank_kernels_use("generic");
  ank_log(b, x, count);
  for (size_t i = 0; i < count; i++) assert_close_relative(a[i], b[i], 4.5e-16);
  ank_kernels_use(NULL);
}
