/* test_chart_ticks.c - nice numbers, as properties over many ranges. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "report/chart_ticks.h"
#include "support/check.h"

/* 1, 2 or 5 times a power of ten? */
static int is_nice(double step) {
  double mantissa = step / pow(10, floor(log10(step) + 1e-9));
  return fabs(mantissa - 1) < 1e-6 || fabs(mantissa - 2) < 1e-6 || fabs(mantissa - 5) < 1e-6;
}

static double uniform(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)*state / 4294967296.0;
}

static void steps_are_nice_and_cut_into_at_most_the_parts_asked_for(void **state) {
  (void)state;
  unsigned random = 1;
  for (int i = 0; i < 5000; i++) {
    double span = pow(10, 40 * uniform(&random) - 20) * (1 + uniform(&random));
    size_t most = 1 + (size_t)(20 * uniform(&random));
    double step = ank_tick_step(span, most);
    assert_true(is_nice(step));
    assert_true(span / step <= (double)most * (1 + 1e-8));
    assert_true(span / step > (double)most / 2.6); /* and no coarser than need be: 2 to 5 is 2.5 */
  }
}

static void linear_ticks_are_equally_spaced_inside_the_range_and_their_texts_are_true(void **state) {
  (void)state;
  unsigned random = 2;
  for (int i = 0; i < 5000; i++) {
    double span = pow(10, 7 * uniform(&random) - 4), low = (uniform(&random) - 0.5) * 20 * span;
    double high = low + span;
    ank_ticks ticks;
    ank_ticks_linear(&ticks, low, high, 3 + (size_t)i % 10);
    assert_in_range(ticks.count, 2, i % 10 < 2 ? 6 : 4 + i % 10);
    double step = ticks.at[1] - ticks.at[0];
    assert_true(is_nice(step));
    for (size_t k = 0; k < ticks.count; k++) {
      assert_true(ticks.at[k] >= low - 1e-8 * step && ticks.at[k] <= high + 1e-8 * step);
      if (k > 0) assert_close(ticks.at[k] - ticks.at[k - 1], step, 1e-8 * step);
      if (k > 0) assert_string_not_equal(ticks.text[k], ticks.text[k - 1]);
      if (strstr(ticks.text[k], "\xc3\x97")) continue; /* a power of ten: not for strtod */
      const char *text = ticks.text[k];
      int negative = strncmp(text, "\xe2\x88\x92", 3) == 0;
      double value = strtod(negative ? text + 3 : text, NULL);
      assert_close(negative ? -value : value, ticks.at[k], 1e-8 * step);
    }
  }
}

static void known_ranges_give_the_expected_labels(void **state) {
  (void)state;
  static const struct {
    double low, high;
    size_t most;
    const char *expected;
  } rows[] = {
      {0, 1, 5, "0.0 0.2 0.4 0.6 0.8 1.0"},
      {0, 1, 10, "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0"},
      {-3, 3, 3,
       "\xe2\x88\x92"
       "2 0 2"},
      {0, 100, 4, "0 50 100"},
      {17, 17.04, 4, "17.00 17.01 17.02 17.03 17.04"},
      {0, 3e6, 3,
       "0 1\xc3\x97"
       "10\xe2\x81\xb6 2\xc3\x97"
       "10\xe2\x81\xb6 3\xc3\x97"
       "10\xe2\x81\xb6"},
      {0, 1e-5, 2,
       "0 0.5\xc3\x97"
       "10\xe2\x81\xbb\xe2\x81\xb5 1.0\xc3\x97"
       "10\xe2\x81\xbb\xe2\x81\xb5"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ank_ticks ticks;
    char joined[1024] = "";
    ank_ticks_linear(&ticks, rows[i].low, rows[i].high, rows[i].most);
    for (size_t k = 0; k < ticks.count; k++) {
      if (k > 0) strcat(joined, " ");
      strcat(joined, ticks.text[k]);
    }
    assert_string_equal(joined, rows[i].expected);
  }
}

static void log_ticks_are_nice_growing_and_inside(void **state) {
  (void)state;
  unsigned random = 3;
  for (int i = 0; i < 5000; i++) {
    double low = pow(10, 60 * uniform(&random) - 30),
           high = low * pow(10, 0.1 + 30 * pow(uniform(&random), 3));
    ank_ticks ticks;
    size_t most = 3 + (size_t)i % 10;
    ank_ticks_log(&ticks, low, high, most);
    assert_in_range(ticks.count, 1, ANK_TICKS_MAX);
    for (size_t k = 0; k < ticks.count; k++) {
      assert_true(ticks.at[k] >= low * (1 - 1e-8) && ticks.at[k] <= high * (1 + 1e-8));
      if (k > 0) assert_true(ticks.at[k] > ticks.at[k - 1]);
      if (high / low >= 4) assert_true(is_nice(ticks.at[k]));
    }
  }
}

static void log_labels_change_form_with_size(void **state) {
  (void)state;
  ank_ticks ticks;
  ank_ticks_log(&ticks, 1e-5, 1e6, 12);
  assert_int_equal(ticks.count, 12);
  assert_string_equal(ticks.text[0], "10\xe2\x81\xbb\xe2\x81\xb5");
  assert_string_equal(ticks.text[3], "0.01");
  assert_string_equal(ticks.text[5], "1");
  assert_string_equal(ticks.text[11], "10\xe2\x81\xb6");
}

static void ranges_that_cannot_be_drawn_are_repaired(void **state) {
  (void)state;
  static const double tries[][2] = {{1, 1},         {0, 0},         {INFINITY, -INFINITY},
                                    {NAN, 1},       {1e308, 1e308}, {-1e308, 1e308},
                                    {1, 1 + 1e-15}, {-5, -5},       {1e-320, 1e-320}};
  for (int is_log = 0; is_log < 2; is_log++)
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
      double low = tries[i][0], high = tries[i][1];
      ank_ticks ticks;
      ank_range_repair(&low, &high, is_log);
      assert_true(low < high && isfinite(high - low));
      assert_true(!is_log || low > 0);
      if (is_log)
        ank_ticks_log(&ticks, low, high, 6);
      else
        ank_ticks_linear(&ticks, low, high, 6);
      assert_in_range(ticks.count, 2, ANK_TICKS_MAX);
    }
  double low = 0.25, high = 4;
  ank_range_repair(&low, &high, 1);
  assert_true(low == 0.25 && high == 4); /* what can be drawn is left alone */
}

static void numbers_are_written_with_a_point_and_without_minus_zero(void **state) {
  (void)state;
  static const struct {
    double value;
    int decimals;
    const char *expected;
  } rows[] = {{0.5, 2, "0.50"},
              {12.345, 1, "12.3"},
              {0.004, 2, "0.00"},
              {-0.004, 2, "0.00"},
              {-1.5, 1,
               "\xe2\x88\x92"
               "1.5"},
              {1e9, 0, "1000000000"},
              {0.07, 2, "0.07"},
              {0, 3, "0.000"}};
  char text[64];
  /* Where the machine has such a locale, its comma must not show. */
  const char *comma = setlocale(LC_NUMERIC, "de_DE.UTF-8");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(ank_format_fixed(text, sizeof text, rows[i].value, rows[i].decimals),
                     strlen(rows[i].expected));
    assert_string_equal(text, rows[i].expected);
  }
  if (comma) setlocale(LC_NUMERIC, "C");
}

/* ---- times and names ---- */

static void marks_of_time_are_growing_inside_and_told_apart(void **state) {
  (void)state;
  unsigned random = 3;
  for (int i = 0; i < 5000; i++) {
    double span = pow(10, 0.4 + 9.6 * uniform(&random)), low = -1e9 + 3e9 * uniform(&random);
    ank_ticks ticks;
    ank_ticks_time(&ticks, low, low + span, 3 + (size_t)i % 10);
    assert_in_range(ticks.count, 2, ANK_TICKS_MAX);
    for (size_t k = 0; k < ticks.count; k++) {
      assert_true(ticks.at[k] >= low - 1e-8 * span && ticks.at[k] <= low + span * (1 + 1e-8));
      if (k > 0) assert_true(ticks.at[k] > ticks.at[k - 1]);
      if (k > 0) assert_string_not_equal(ticks.text[k], ticks.text[k - 1]);
    }
  }
}

static void marks_of_time_are_round_dates(void **state) {
  (void)state;
  static const struct {
    double low, high;
    const char *first, *second;
  } rows[] = {{1743465600, 1743465600 + 7 * 86400, "2025-04-02", "2025-04-04"}, /* 2025-04-01 */
              {1743465600, 1743465600 + 86399, "00:00", "06:00"},
              {1743465600 + 3600, 1743465600 + 2 * 86400, "04-01 12:00", "04-02 00:00"},
              {1743465600, 1743465600 + 20, "00:00:00", "00:00:05"},
              {1743465600, 1743465600 + 300 * 86400.0, "2025-05", "2025-07"},
              {-1e9, 1.7e9, "1940", "1960"},
              {1743552000, 1743552000 + 25 * 86400, "2025-04-07", "2025-04-14"}}; /* Mondays */
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ank_ticks ticks;
    ank_ticks_time(&ticks, rows[i].low, rows[i].high, 5);
    assert_string_equal(ticks.text[0], rows[i].first);
    assert_string_equal(ticks.text[1], rows[i].second);
  }
  ank_ticks plain;
  ank_ticks_time(&plain, 0, 1e13, 5); /* beyond the calendar: numbers */
  assert_non_null(strstr(plain.text[1], "10"));
}

static void long_names_are_cut_between_characters(void **state) {
  (void)state;
  char plain[] = "short",
       wide[] =
           "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f"
           "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4",
       exact[] = "sixteen letters!";
  char *const names[] = {plain, wide, exact};
  ank_ticks ticks;
  ank_ticks_named(&ticks, names, 3);
  assert_int_equal(ticks.count, 3);
  assert_string_equal(ticks.text[0], "short");
  assert_true(strlen(ticks.text[1]) < strlen(wide) &&
              strlen(ticks.text[1]) % 2 == 1); /* pairs, and a mark of three */
  assert_string_equal(ticks.text[2], exact);
  assert_close(ticks.at[2], 2, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_nice_and_cut_into_at_most_the_parts_asked_for),
      cmocka_unit_test(linear_ticks_are_equally_spaced_inside_the_range_and_their_texts_are_true),
      cmocka_unit_test(known_ranges_give_the_expected_labels),
      cmocka_unit_test(log_ticks_are_nice_growing_and_inside),
      cmocka_unit_test(log_labels_change_form_with_size),
      cmocka_unit_test(ranges_that_cannot_be_drawn_are_repaired),
      cmocka_unit_test(numbers_are_written_with_a_point_and_without_minus_zero),
      cmocka_unit_test(marks_of_time_are_growing_inside_and_told_apart),
      cmocka_unit_test(marks_of_time_are_round_dates),
      cmocka_unit_test(long_names_are_cut_between_characters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
