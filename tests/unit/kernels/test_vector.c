/* test_vector.c - elementary functions over arrays against the C library in long double, for each set of
 * kernels that this processor has. */
#include "support/check.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/vector.h"

typedef struct {
  const char *name;
  void (*map)(double *out, const double *x, size_t n);
  void (*map_float)(float *out, const float *x, size_t n);
  long double (*exact)(long double x);
} function;

static long double exact_logistic(long double x) {
  long double e = expl(-fabsl(x));
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

static const function functions[] = {{"exp", ank_exp, ank_exp_float, expl},
                                     {"log", ank_log, ank_log_float, logl},
                                     {"logistic", ank_logistic, ank_logistic_float, exact_logistic}};
#define FUNCTIONS (sizeof functions / sizeof *functions)
static const char *const kernels[] = {"generic", "avx2"};

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

/* Distance in units of the last place of the type at the exact result (of the smallest normal number's place
 * below it). Equal infinities and NaN with NaN are 0 apart, anything else not finite is far apart. */
static double ulps(double got, long double exact, int digits, int least_exponent) {
  if (isnan(exact)) return isnan(got) ? 0 : INFINITY;
  long double largest = digits == 53 ? (long double)DBL_MAX : (long double)FLT_MAX;
  long double half = ldexpl(largest, -digits - 1); /* beyond largest + half a place it rounds to inf */
  if (fabsl(exact) >= largest + half && isinf(got)) return (got > 0) == (exact > 0) ? 0 : INFINITY;
  if (isinf(exact) || !isfinite(got)) return INFINITY;
  int exponent;
  (void)frexpl(exact, &exponent);
  if (exact == 0 || exponent < least_exponent) exponent = least_exponent;
  return (double)fabsl(((long double)got - exact) / ldexpl(1, exponent - digits));
}

/* ---- points ------------------------------------------------------------------------------------------ */

#define POINTS 60000

/* Everywhere: every kind of number, the ranges where results matter, the ends of those ranges. */
static double point(size_t i) {
  static const double ends[] = {0.0,
                                -0.0,
                                1,
                                -1,
                                709.78271289338397,
                                709.782712893384,
                                709.79,
                                -708.4,
                                -745.13321910194,
                                -745.1332191019412,
                                -746,
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
                                1.4142135623730951,
                                36.7,
                                -36.7,
                                88.72283,
                                88.7229,
                                -87.4,
                                -103.97,
                                -103.98,
                                1e-45,
                                1e-40,
                                1.1754944e-38,
                                3.4028235e38};
  const size_t some = sizeof ends / sizeof *ends;
  uint64_t bits = word();
  double value;
  if (i < some) return ends[i];
  switch (i % 6) {
  case 0: return uniform(-750, 715);
  case 1: return uniform(-1, 1);
  case 2: return uniform(0.5, 2);
  case 3: return uniform(-110, 95);
  case 4: return exp(uniform(-103, 88));
  default: memcpy(&value, &bits, sizeof value); return value;
  }
}

static double worst_double(const function *f, const double *x, double *out) {
  double worst = 0;
  f->map(out, x, POINTS);
  for (size_t i = 0; i < POINTS; i++) {
    double apart = ulps(out[i], f->exact((long double)x[i]), 53, -1021);
    if (apart > 2) print_error("%s(%a) = %a is %.2f ulp away\n", f->name, x[i], out[i], apart);
    if (!(apart <= worst)) worst = apart;
  }
  return worst;
}

static double worst_float(const function *f, const float *x, float *out) {
  double worst = 0;
  f->map_float(out, x, POINTS);
  for (size_t i = 0; i < POINTS; i++) {
    double apart = ulps((double)out[i], f->exact((long double)x[i]), 24, -125);
    if (apart > 3)
      print_error("%s(%a) = %a is %.2f ulp away (float)\n", f->name, (double)x[i], (double)out[i], apart);
    if (!(apart <= worst)) worst = apart;
  }
  return worst;
}

static void errors_stay_below_the_promised_ulps(void **unused) {
  (void)unused;
  double *x = malloc(POINTS * sizeof *x), *out = malloc(POINTS * sizeof *out);
  float *xs = malloc(POINTS * sizeof *xs), *outs = malloc(POINTS * sizeof *outs);
  assert_true(x && out && xs && outs);
  for (size_t i = 0; i < POINTS; i++) {
    x[i] = point(i);
    uint32_t bits = (uint32_t)word();
    if (i % 6 == 5 && i > 60)
      memcpy(&xs[i], &bits, sizeof bits); /* any float, subnormal ones too */
    else
      xs[i] = fabs(x[i]) > (double)FLT_MAX ? (x[i] < 0 ? -INFINITY : INFINITY) : (float)x[i];
  }
  for (size_t k = 0; k < 2; k++) {
    if (!ank_kernels_use(kernels[k])) continue;
    assert_string_equal(ank_kernels_name(), kernels[k]);
    for (size_t f = 0; f < FUNCTIONS; f++) {
      double worst = worst_double(&functions[f], x, out), worst_s = worst_float(&functions[f], xs, outs);
      print_message("%s %s: %.3f ulp, float %.3f ulp\n", kernels[k], functions[f].name, worst, worst_s);
      assert_true(worst <= 2);
      assert_true(worst_s <= 3);
    }
  }
  free(x);
  free(out);
  free(xs);
  free(outs);
}

static void special_values_are_those_of_the_c_library(void **unused) {
  (void)unused;
  const double x[] = {-INFINITY, INFINITY, 0.0, -0.0, -1, 1, NAN};
  const double expected[FUNCTIONS][7] = {{0, INFINITY, 1, 1, 0.36787944117144233, 2.7182818284590451, NAN},
                                         {NAN, INFINITY, -INFINITY, -INFINITY, NAN, 0, NAN},
                                         {0, 1, 0.5, 0.5, 0.2689414213699951, 0.7310585786300049, NAN}};
  for (size_t k = 0; k < 2; k++) {
    if (!ank_kernels_use(kernels[k])) continue;
    for (size_t f = 0; f < FUNCTIONS; f++)
      for (size_t i = 0; i < 7; i++) {
        float in = (float)x[i], single;
        double out;
        functions[f].map(&out, &x[i], 1);
        functions[f].map_float(&single, &in, 1);
        if (isnan(expected[f][i])) {
          assert_true(isnan(out) && isnan(single));
        } else {
          assert_close_relative(out, expected[f][i], 4.5e-16);
          assert_close_relative((double)single, expected[f][i], 3e-7);
        }
      }
  }
}

static void a_result_does_not_depend_on_where_the_element_stands(void **unused) {
  (void)unused;
  enum { most = 40 };
  double x[most], whole[most], part[most + 1];
  float xs[most], whole_s[most], part_s[most + 1];
  for (size_t i = 0; i < most; i++) xs[i] = (float)(x[i] = uniform(-20, 20));
  for (size_t k = 0; k < 2; k++) {
    if (!ank_kernels_use(kernels[k])) continue;
    for (size_t f = 0; f < FUNCTIONS; f++) {
      functions[f].map(whole, x, most);
      functions[f].map_float(whole_s, xs, most);
      for (size_t begin = 0; begin < most; begin++)
        for (size_t n = 0; begin + n <= most; n++) {
          part[n] = 123;
          part_s[n] = 123;
          functions[f].map(part, x + begin, n);
          functions[f].map_float(part_s, xs + begin, n);
          assert_memory_equal(part, whole + begin, n * sizeof *part);
          assert_memory_equal(part_s, whole_s + begin, n * sizeof *part_s);
          assert_true(part[n] == 123 && part_s[n] == 123); /* nothing written past the end */
        }
    }
  }
}

static void results_may_replace_the_arguments(void **unused) {
  (void)unused;
  double x[11], out[11];
  for (size_t i = 0; i < 11; i++) x[i] = uniform(-3, 3);
  for (size_t f = 0; f < FUNCTIONS; f++) {
    double same[11];
    memcpy(same, x, sizeof x);
    functions[f].map(out, x, 11);
    functions[f].map(same, same, 11);
    assert_memory_equal(same, out, sizeof out);
  }
}

static void logistic_of_opposite_arguments_sums_to_one(void **unused) {
  (void)unused;
  for (int i = 0; i < 2000; i++) {
    double x[2], y[2];
    x[0] = uniform(-40, 40);
    x[1] = -x[0];
    ank_logistic(y, x, 2);
    assert_close(y[0] + y[1], 1, 3e-16);
  }
}

static void unknown_kernels_are_refused_and_null_means_the_best(void **unused) {
  (void)unused;
  assert_true(ank_kernels_use("generic"));
  assert_false(ank_kernels_use("abacus"));
  assert_string_equal(ank_kernels_name(), "generic");
  assert_true(ank_kernels_use(NULL));
  assert_string_equal(ank_kernels_name(), ank_kernels_use("avx2") ? "avx2" : "generic");
}

/* Both sets are within 2 ulp of the truth, so within 4 of each other; in fact they differ much less. */
static void generic_and_avx2_kernels_agree(void **unused) {
  (void)unused;
  enum { count = 5000 };
  static double x[count], a[count], b[count];
  if (!ank_kernels_use("avx2")) skip();
  for (size_t f = 0; f < FUNCTIONS; f++) {
    for (size_t i = 0; i < count; i++) x[i] = f == 1 ? exp(uniform(-700, 700)) : uniform(-700, 700);
    ank_kernels_use("avx2");
    functions[f].map(a, x, count);
    ank_kernels_use("generic");
    functions[f].map(b, x, count);
    for (size_t i = 0; i < count; i++) assert_close_relative(a[i], b[i], 4.5e-16);
  }
  ank_kernels_use(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_stay_below_the_promised_ulps),
      cmocka_unit_test(special_values_are_those_of_the_c_library),
      cmocka_unit_test(a_result_does_not_depend_on_where_the_element_stands),
      cmocka_unit_test(results_may_replace_the_arguments),
      cmocka_unit_test(logistic_of_opposite_arguments_sums_to_one),
      cmocka_unit_test(unknown_kernels_are_refused_and_null_means_the_best),
      cmocka_unit_test(generic_and_avx2_kernels_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
