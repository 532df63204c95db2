/* test_number.c - numbers must equal those of strtod. */
#include "core/number.h"

#include <locale.h>

#include "core/sha256.h"
#include "support/check.h"

static uint64_t seed = 20240607;

static uint64_t draw(void) {
  uint64_t z = seed += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return bits;
}

static double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

static size_t decided; /* how often the fast path decided */

/* Both paths against strtod. */
static void expect_as_strtod(const char *text) {
  char padded[2048 + ANK_NUMBER_PADDING] = {0};
  double expected = strtod(text, NULL), parsed = -1, scanned = -1;
  size_t length = strlen(text);
  assert_true(length < 2048);
  memcpy(padded, text, length);
  ank_number_kind kind = ank_number_parse(&parsed, text, length);
  const char *end = ank_number_scan(&scanned, padded);
  decided += end != NULL;
  int wrong = isinf(expected)
                  ? kind != ANK_NUMBER_TOO_LARGE || end != NULL
                  : kind != ANK_NUMBER || bits_of(parsed) != bits_of(expected) ||
                        (end && (end != padded + length || bits_of(scanned) != bits_of(expected)));
  if (wrong)
    fail_msg("%s: kind %d, parsed %.17g, scanned %.17g, strtod %.17g", text, (int)kind, parsed,
             end ? scanned : NAN, expected);
}

TEST(random_doubles_with_17_digits_come_back) {
  char text[64];
  decided = 0;
  const size_t n = 400000;
  for (size_t i = 0; i < n; i++) {
    double value = double_of(draw());
    if (!isfinite(value)) continue;
    snprintf(text, sizeof text, i % 2 ? "%.17g" : "%.16e", value);
    expect_as_strtod(text);
    if (i % 2) assert_int_equal(bits_of(strtod(text, NULL)), bits_of(value));
  }
  assert_true(decided > n - n / 100);
  for (size_t i = 0; i < n / 2; i++) { /* what data files hold: moderate numbers */
    double value = ((double)(draw() >> 11) * 0x1p-53 - 0.5) * 1000;
    if (i % 2)
      snprintf(text, sizeof text, "%.17g", value);
    else
      snprintf(text, sizeof text, "%.*f", (int)(draw() % 19), value);
    expect_as_strtod(text);
  }
}

TEST(random_decimal_strings_round_as_strtod) {
  char text[256];
  for (size_t i = 0; i < 300000; i++) {
    char *p = text;
    if (draw() % 2) *p++ = '-';
    size_t whole = (size_t)(draw() % 12), fraction = (size_t)(draw() % 25);
    for (size_t k = 0; k < whole; k++) *p++ = (char)('0' + draw() % 10);
    if (fraction > 0) *p++ = '.';
    for (size_t k = 0; k < fraction; k++) *p++ = (char)('0' + (draw() % 3 ? draw() % 10 : 0));
    if (whole + fraction == 0) *p++ = '0';
    if (draw() % 2)
      p += sprintf(p, "%c%s%d", draw() % 2 ? 'e' : 'E',
                   draw() % 3   ? "-"
                   : draw() % 2 ? "+"
                                : "",
                   (int)(draw() % (draw() % 2 ? 345 : 20)));
    *p = '\0';
    expect_as_strtod(text);
  }
}

/* The exact decimal expansion of the middle of two neighbouring doubles, and just beside it. */
TEST(halfway_cases_round_to_even) {
  char text[2048];
  for (size_t i = 0; i < 20000; i++) {
    uint64_t bits = draw() & 0x7FFFFFFFFFFFFFFFu;
    if (i % 2) bits = (bits & 0x000FFFFFFFFFFFFFu) | (1023 - 60 + draw() % 120) << 52;
    if (i % 10 == 0) bits &= 0x000FFFFFFFFFFFFFu; /* subnormal */
    double low = double_of(bits), high = double_of(bits + 1);
    if (!isfinite(high)) continue;
    long double middle = ((long double)low + (long double)high) / 2; /* exact: 64 bits of mantissa */
    snprintf(text, sizeof text, "%.1100Lg", middle);
    expect_as_strtod(text);
    size_t length = strlen(text);
    if (strchr(text, '.') && !strchr(text, 'e')) {
      text[length] = '1';
      text[length + 1] = '\0';
      expect_as_strtod(text);
      text[length - 1]--;
      expect_as_strtod(text);
    }
    snprintf(text, sizeof text, "%.18Le", middle);
    expect_as_strtod(text);
  }
}

TEST(whole_numbers_near_powers_of_two_round_to_even) {
  char text[64];
  for (int e = 50; e < 64; e++)
    for (int64_t d = -1025; d <= 1025; d++) {
      snprintf(text, sizeof text, "%llu", (unsigned long long)(((uint64_t)1 << e) + (uint64_t)d));
      expect_as_strtod(text);
      snprintf(text, sizeof text, "%llu.5", (unsigned long long)(((uint64_t)1 << e) + (uint64_t)d));
      expect_as_strtod(text);
    }
}

TEST(known_hard_cases_round_as_strtod) {
  static const char *const cases[] = {
      "0",
      "-0",
      "0.0",
      "-0.0e5",
      "0e99999",
      "1",
      "-1",
      "1.",
      ".5",
      "-.5",
      "00001.5",
      "1e22",
      "1e23",
      "1e-22",
      "8.98846567431158e307",
      "1.7976931348623157e308",
      "1.7976931348623158e308",
      "1.7976931348623159e308",
      "1e309",
      "1e400",
      "-1e400",
      "4.9406564584124654e-324",
      "2.4703282292062327e-324",
      "2.4703282292062328e-324",
      "1e-400",
      "2.2250738585072014e-308",
      "2.2250738585072011e-308",
      "2.2250738585072012e-308",
      "9007199254740993",
      "9007199254740992",
      "9007199254740991",
      "9007199254740993.0000000000000000000000000001",
      "0.500000000000000166533453693773481063544750213623046875",
      "3.518437208883201171875e13",
      "62.5364939768271845828",
      "8.10109172351e-10",
      "1.50000000000000011102230246251565404236316680908203125",
      "123456789012345678901234567890",
      "0.000000000000000000000000000000000000000012345678901234567",
      "18446744073709551615",
      "18446744073709551616",
      "9999999999999999999",
      "99999999999999999999",
      "6.631236846766476e-316",
      "3.2378839133029012895883524125015321748630094610e-319",
      "1e-323",
      "7e-324",
      "1e99999999999999999999",
      "1e-99999999999999999999",
      "0.1e1",
      "100000000",
      "12345678.12345678",
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) expect_as_strtod(cases[i]);
}

TEST(texts_that_are_not_numbers_are_refused) {
  static const char *const cases[] = {
      "",      " ",   "-",     "+",    ".",   "-.",  "e5", "1e",      "1e+", "1e-",  "1x",    "x1",
      "0x10",  "1,5", "1.5.2", "--1",  "+-1", "1 2", "in", "infinit", "na",  "nano", "1e5.5", "\xEF\xBC\x91",
      "1_000", "-e1", "1d5",   "inf1", "1-"};
  double value;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    if (ank_number_parse(&value, cases[i], strlen(cases[i])) != ANK_NUMBER_NONE) fail_msg("%s", cases[i]);
}

TEST(signs_blanks_and_words_are_understood) {
  double value = 0;
  assert_int_equal(ank_number_parse(&value, " \t+1.5 ", 7), ANK_NUMBER);
  assert_close(value, 1.5, 0);
  static const char *const words[] = {"inf", "INF", "+Infinity", "iNf"};
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(ank_number_parse(&value, words[i], strlen(words[i])), ANK_NUMBER);
    assert_true(value == INFINITY);
  }
  assert_int_equal(ank_number_parse(&value, "-infinity", 9), ANK_NUMBER);
  assert_true(value == -INFINITY);
  assert_int_equal(ank_number_parse(&value, "NaN", 3), ANK_NUMBER_NAN);
  assert_int_equal(ank_number_parse(&value, "-nan", 4), ANK_NUMBER_NAN);
  assert_true(isnan(value));
}

TEST(long_numbers_are_read_and_absurd_ones_refused) {
  static char text[8192];
  memset(text, '1', sizeof text);
  text[1] = '.';
  double value;
  assert_int_equal(ank_number_parse(&value, text, ANK_NUMBER_MOST), ANK_NUMBER);
  assert_close(value, 1.0 + 1.0 / 9, 0);
  assert_int_equal(ank_number_parse(&value, text, ANK_NUMBER_MOST + 1), ANK_NUMBER_TOO_LONG);
  memset(text, '0', sizeof text);
  text[1] = '.';
  text[4000] = '7';
  memcpy(text + 4001, "e3999", 5);
  assert_int_equal(ank_number_parse(&value, text, 4006), ANK_NUMBER);
  assert_close(value, 7, 0);
  memset(text, 'x', sizeof text);
  assert_int_equal(ank_number_parse(&value, text, sizeof text), ANK_NUMBER_NONE);
}

TEST(a_locale_with_a_decimal_comma_changes_nothing) {
  double value;
  const char *text = "0.500000000000000166533453693773481063544750213623046875";
  static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
  double expected = strtod(text, NULL);
  for (size_t i = 0; i < 4; i++) (void)setlocale(LC_NUMERIC, names[i]);
  assert_int_equal(ank_number_parse(&value, text, strlen(text)), ANK_NUMBER);
  setlocale(LC_NUMERIC, "C");
  assert_close(value, expected, 0);
}

/* The digest is of 5^q in Python's integers, 16 bytes each, most significant first: 5**q >> s for q >= 0 and
 * 2**s // 5**-q + 1 for q < 0, with s such that 128 bits are left. */
TEST(powers_of_five_have_the_bits_of_exact_arithmetic) {
  unsigned char bytes[ANK_FIVE_LAST - ANK_FIVE_FIRST + 1][16];
  char digest[ANK_SHA256_TEXT];
  for (size_t i = 0; i < sizeof bytes / 16; i++)
    for (size_t k = 0; k < 16; k++)
      bytes[i][k] = (unsigned char)(ank_powers_of_five[i][k / 8] >> (56 - 8 * (k % 8)));
  ank_sha256_of(digest, bytes, sizeof bytes);
  assert_string_equal(digest, "68a13a1d85b2dc4834f755dc5fff1a40d2547cf85ba6d42a0dd2258e1c5b6369");
}
