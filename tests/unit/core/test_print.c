/* Our printf against glibc's in the locale C, over many random doubles, formats and whole numbers. */
#include <float.h>

#include "core/print.h"
#include "core/rng.h"
#include "support/check.h"

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-extra-args"

enum { SIZE = 3000 };

static void same_double(const char *format, double value) {
  static char ours[SIZE], theirs[SIZE];
  int length = snprintf(theirs, SIZE, format, value);
  int our_length = ank_print(ours, SIZE, format, value);
  if (strcmp(ours, theirs) != 0) print_error("%s of %a\n", format, value);
  assert_string_equal(ours, theirs);
  assert_int_equal(our_length, length);
}

static double random_double(ank_rng *rng) {
  uint64_t bits = ank_rng_word(rng);
  double value;
  switch (bits & 3) {
  case 0: /* any bits, subnormals, infinities and NaNs among them */
    bits = ank_rng_word(rng);
    memcpy(&value, &bits, sizeof value);
    return value;
  case 1:
    return (double)(int64_t)(ank_rng_word(rng) % 2000001 - 1000000) / 1000; /* few digits: ties and nines */
  case 2:
    return ldexp((double)(ank_rng_word(rng) % 4096), (int)(ank_rng_word(rng) % 60) - 30); /* exact halves */
  default: return (ank_rng_uniform(rng) - 0.5) * pow(10, (double)(ank_rng_word(rng) % 40) - 20);
  }
}

TEST(doubles_are_written_as_printf_writes_them_in_the_locale_c) {
  static const char *const flags[] = {"", "-", "+", " ", "0", "- ", "-+", "+0"};
  ank_rng rng;
  ank_rng_open(&rng, 1, 77, 0);
  for (int k = 0; k < 300000; k++) {
    char format[32];
    uint64_t bits = ank_rng_word(&rng);
    const char *flag = bits % 3 ? "" : flags[bits / 3 % 8];
    int width = bits % 5 ? 0 : (int)(bits >> 8) & 31, precision = (int)(bits >> 16) & (bits & 64 ? 7 : 31);
    size_t used = (size_t)snprintf(format, sizeof format, "%%%s", flag);
    if (width) used += (size_t)snprintf(format + used, sizeof format - used, "%d", width);
    if (bits & 128) used += (size_t)snprintf(format + used, sizeof format - used, ".%d", precision);
    snprintf(format + used, sizeof format - used, "%c", "efg"[bits / 24 % 3]);
    double value = random_double(&rng);
    same_double(format, value);
  }
}

TEST(the_ends_of_the_range_are_exact) {
  static const double values[] = {0.0,  -0.0, DBL_MAX,      DBL_MIN,  DBL_TRUE_MIN, 0.5,
                                  1.5,  2.5,  0.05,         9.5,      99.95,        1e15,
                                  1e16, 1e22, 1e23,         0.1,      1.0 / 3,      5e-324,
                                  1e-5, 1e-4, 9.9999995e-5, 999999.5, INFINITY,     -INFINITY};
  static const char *const formats[] = {"%g",      "%f",     "%e",    "%.0f",    "%.0e",
                                        "%.0g",    "%.1f",   "%.17g", "%+.0f",   "%.800f",
                                        "%.1074f", "%.767g", "%5.1f", "%-9.2e|", "%09.3f"};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++) same_double(formats[k], values[i]);
}

TEST(everything_else_is_written_as_printf_writes_it) {
  char ours[256], theirs[256];
#define SAME(...)                                                                                            \
  do {                                                                                                       \
    assert_int_equal(ank_print(ours, sizeof ours, __VA_ARGS__),                                              \
                     snprintf(theirs, sizeof theirs, __VA_ARGS__));                                          \
    assert_string_equal(ours, theirs);                                                                       \
  } while (0)
  SAME("plain");
  SAME("%d %d %5d|%-5d|%05d|%+d|% d", 1, -2, 3, -4, 5, 6, 7);
  SAME("%lld %ld %zu %zd", -9223372036854775807LL, 5L, (size_t)-1, (ptrdiff_t)-8);
  SAME("%u %x %lx %08llx %.3d %07.3d %llu", 4000000000u, 255u, 255ul, 0xabcdefULL, 7, -7,
       18446744073709551615ULL);
  SAME("%s|%10s|%-10s|%.2s|%.*s|%*s|%*s", "ab", "cd", "ef", "ghi", 1, "jkl", 4, "m", -4, "n");
  SAME("%c%c %3c|%-3c| 100 %%", 'x', 'y', 'z', 'w');
  SAME("%.*f %*.*f %-*g|", 2, 3.14159, 9, 1, 2.71828, 7, 1.5);
  SAME("%.*g", -1, 0.1);
#undef SAME
}

TEST(a_text_that_is_too_long_is_cut_and_its_length_returned) {
  char text[6] = "zzzzz";
  assert_int_equal(ank_print(text, sizeof text, "%s %.2f", "abc", 1.5), 8);
  assert_string_equal(text, "abc 1");
  assert_int_equal(ank_print(NULL, 0, "%d", 12345), 5);
  assert_int_equal(ank_print(text, 1, "%d", 12345), 5);
  assert_string_equal(text, "");
}
