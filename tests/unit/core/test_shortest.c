/* Shortest decimals against Python's repr (tests/golden/make_shortest.py), and that they read back. */
#include "core/shortest.h"
#include "support/check.h"

static const struct {
  uint64_t bits;
  const char *digits;
  int exponent;
} golden[] = {
#include "golden/shortest.inc"
};

/* The digits alone: no sign, no point, no zeros in front and behind, no exponent; their number. */
static int digits_of(char *digits, const char *text) {
  int count = 0;
  for (const char *p = text; *p && *p != 'e'; p++)
    if (*p >= '0' && *p <= '9' && (count > 0 || *p != '0')) digits[count++] = *p;
  while (count > 0 && digits[count - 1] == '0') count--;
  digits[count] = '\0';
  return count;
}

TEST(digits_are_those_of_python) {
  for (size_t k = 0; k < sizeof golden / sizeof golden[0]; k++) {
    double value;
    char text[ANK_SHORTEST_SIZE + 1], digits[ANK_SHORTEST_SIZE];
    memcpy(&value, &golden[k].bits, sizeof value);
    size_t length = ank_shortest(text, value);
    text[length] = '\0';
    assert_true(length <= 24);
    (void)digits_of(digits, text);
    if (strcmp(digits, golden[k].digits) != 0)
      print_error("%a gave %s, not %s\n", value, text, golden[k].digits);
    assert_string_equal(digits, golden[k].digits);
    assert_true(strtod(text, NULL) == value);
  }
}

TEST(plain_values_look_plain) {
  const struct {
    double value;
    const char *text;
  } cases[] = {{0, "0"},
               {-0.0, "-0"},
               {12, "12"},
               {-3.5, "-3.5"},
               {0.001, "0.001"},
               {1e-4, "0.0001"},
               {1e-5, "1e-5"},
               {1.5e-7, "1.5e-7"},
               {1e16, "10000000000000000"},
               {1e17, "1e17"},
               {1e300, "1e300"},
               {INFINITY, "inf"},
               {-INFINITY, "-inf"},
               {NAN, "nan"},
               {123456.75, "123456.75"}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    char text[ANK_SHORTEST_SIZE + 1];
    text[ank_shortest(text, cases[k].value)] = '\0';
    assert_string_equal(text, cases[k].text);
  }
}

TEST(random_bits_have_the_shortest_digits_that_read_back) {
  uint64_t word = 88172645463325252u;
  for (int k = 0; k < 200000; k++) {
    double value, again;
    char text[ANK_SHORTEST_SIZE + 1], digits[ANK_SHORTEST_SIZE], rounded[40], wanted[40];
    word ^= word << 13;
    word ^= word >> 7;
    word ^= word << 17;
    memcpy(&value, &word, sizeof value);
    if (!isfinite(value)) continue;
    text[ank_shortest(text, value)] = '\0';
    again = strtod(text, NULL);
    assert_memory_equal(&value, &again, sizeof value);
    int count = digits_of(digits, text);
    snprintf(rounded, sizeof rounded, "%.*e", count - 1, value); /* the nearest of so many digits */
    (void)digits_of(wanted, rounded);
    assert_string_equal(digits, wanted);
    if (count == 1) continue;
    snprintf(rounded, sizeof rounded, "%.*e", count - 2, value); /* one digit less would be another number */
    assert_true(strtod(rounded, NULL) != value);
  }
}
