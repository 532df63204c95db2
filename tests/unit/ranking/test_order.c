/* Order, ranks, q-values and selection against slow obvious versions and small cases by hand. */
#include "core/rng.h"
#include "ranking/ranking.h"
#include "support/check.h"

static anorank_settings settings;

static ank_selection select_by(const double *scores, const double *p, size_t n, size_t calibration,
                               anorank_status expected) {
  anorank_model model = {.calibration_count = calibration};
  uint32_t order[64];
  double q[64];
  ank_selection out;
  assert_ok(ank_order(order, scores, n, &settings, NULL));
  assert_ok(ank_q_values(q, p, n, &settings, NULL));
  assert_status(ank_select(&out, order, scores, p, q, n, &model, &settings, NULL), expected);
  return out;
}

static int fresh(void **state) {
  (void)state;
  ank_settings_default(&settings);
  return 0;
}

TEST_AFTER(fresh, order_is_ascending_and_ties_keep_their_rows_order) {
  const double scores[] = {2, -1, 2, 0, -1, -0.0};
  uint32_t order[6];
  size_t ranks[6];
  assert_ok(ank_order(order, scores, 6, &settings, NULL));
  const uint32_t expected[] = {1, 4, 3, 5, 0, 2};
  const size_t expected_ranks[] = {1, 1, 3, 3, 5, 5};
  ank_ranks_in_order(ranks, order, scores, 6);
  assert_memory_equal(order, expected, sizeof expected);
  assert_memory_equal(ranks, expected_ranks, sizeof expected_ranks);
}

/* The smallest level Q at which Benjamini and Hochberg's step-up rule selects row i, by trying all. */
static double slow_q(const double *p, size_t n, size_t i) {
  double best = 1;
  for (size_t j = 0; j < n; j++) {
    size_t below = 0;
    for (size_t k = 0; k < n; k++) below += p[k] <= p[j];
    if (p[j] >= p[i]) best = fmin(best, p[j] * (double)n / (double)below);
  }
  return best;
}

TEST_AFTER(fresh, q_values_are_those_of_the_step_up_rule) {
  ank_rng rng;
  double p[60], q[60];
  ank_rng_open(&rng, 3, 77, 0);
  for (int time = 0; time < 50; time++) {
    size_t n = 1 + (size_t)ank_rng_below(&rng, 60);
    for (size_t i = 0; i < n; i++) p[i] = (double)(1 + ank_rng_below(&rng, 20)) / (time % 2 ? 20 : 200);
    assert_ok(ank_q_values(q, p, n, &settings, NULL));
    for (size_t i = 0; i < n; i++) assert_close(q[i], slow_q(p, n, i), 1e-15);
  }
}

TEST_AFTER(fresh, nothing_set_reports_all_rows) {
  const double scores[] = {3, 1, 2}, p[] = {0.9, 0.1, 0.5};
  assert_int_equal(select_by(scores, p, 3, 9, ANORANK_OK).count, 3);
}

TEST_AFTER(fresh, lowest_includes_all_that_are_tied_at_the_border) {
  const double scores[] = {5, 1, 2, 2, 2, 7}, p[6] = {1, 1, 1, 1, 1, 1};
  settings.lowest = 3;
  ank_selection out = select_by(scores, p, 6, 9, ANORANK_OK);
  assert_int_equal(out.count, 4);
  assert_string_equal(out.note.code, "selection-ties");
  settings.lowest = 4;
  out = select_by(scores, p, 6, 9, ANORANK_OK);
  assert_int_equal(out.count, 4);
  assert_string_equal(out.note.code, "");
  settings.lowest = 9;
  out = select_by(scores, p, 6, 9, ANORANK_OK);
  assert_int_equal(out.count, 6);
  assert_string_equal(out.note.code, "selection-few-rows");
}

TEST_AFTER(fresh, mass_selects_p_values_up_to_the_rest_border_included) {
  const double scores[] = {1, 2, 3}, p[] = {0.01, 0.1, 0.11};
  settings.mass = 0.9; /* 1 - 0.9 is a little less than 0.1 in doubles */
  assert_int_equal(select_by(scores, p, 3, 99, ANORANK_OK).count, 2);
  settings.mass = 0.999;
  ank_selection out = select_by(scores, p, 3, 99, ANORANK_OK);
  assert_int_equal(out.count, 0);
  assert_string_equal(out.note.code, "mass-beyond-calibration");
}

TEST_AFTER(fresh, fdr_selects_by_q_value_and_says_when_nothing_could_be) {
  const double scores[] = {1, 2, 3, 4}, p[] = {0.01, 0.02, 0.5, 0.9};
  settings.fdr = 0.05;
  assert_int_equal(select_by(scores, p, 4, 99, ANORANK_OK).count, 2);
  const double large[] = {0.1, 0.5, 0.6, 0.9};
  ank_selection out = select_by(scores, large, 4, 9, ANORANK_OK);
  assert_int_equal(out.count, 0);
  assert_string_equal(out.note.code, "fdr-beyond-calibration");
  assert_non_null(strstr(out.note.text, " 8 ")); /* 4 / (9 + 1) / 0.05 */
}

TEST_AFTER(fresh, a_contaminated_model_says_why_fdr_selects_nothing) {
  anorank_model model = {.calibration_count = 9, .settings.train = ANORANK_TRAIN_CONTAMINATED};
  const double scores[] = {1, 2}, p[] = {0.5, 0.9};
  const uint32_t order[] = {0, 1};
  ank_selection out;
  settings.fdr = 0.05;
  assert_ok(ank_select(&out, order, scores, p, p, 2, &model, &settings, NULL));
  assert_int_equal(out.count, 0);
  assert_string_equal(out.note.code, "fdr-none-contaminated");
  model.null.has_tail = 1;
  assert_ok(ank_select(&out, order, scores, p, p, 2, &model, &settings, NULL));
  assert_string_equal(out.note.code, "fdr-none-far");
}

TEST_AFTER(fresh, two_ways_to_select_are_refused) {
  const double scores[] = {1}, p[] = {0.5};
  settings.fdr = 0.1;
  settings.lowest = 1;
  select_by(scores, p, 1, 9, ANORANK_ERROR_USAGE);
}

TEST_AFTER(fresh, resolution_says_what_so_few_rows_can_show) {
  static const char *const numbers[] = {"99 ", " 0.01", " 100 of 1000 ", " 10000 "};
  ank_ranking_note note = {0};
  anorank_model model = {.calibration_count = 99};
  ank_resolution(&note, &model, 1000, 0.1);
  assert_string_equal(note.code, "p-values-coarse");
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    assert_non_null(strstr(note.text, numbers[i]));
  model.calibration_count = 999;
  ank_resolution(&note, &model, 50, 0.1);
  assert_string_equal(note.code, "p-values-fine");
  model.null.has_tail = 1;
  ank_resolution(&note, &model, 50, 0.1);
  assert_string_equal(note.code, "p-values-assume-tail");
}

TEST_AFTER(fresh, numbers_are_short) {
  static const struct {
    double value;
    const char *text;
  } cases[] = {{41.234, "41.2"},         {0.3, "0.3"},    {1234567, "1,234,567"},
               {12345.678, "12,346"},    {-0.0, "0"},     {1.5e-7, "1.5e-07"},
               {25000050, "25,000,050"}, {3e15, "3e+15"}, {0.000123456, "0.000123"}};
  char text[100], expected[100];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    anorank_reason reason = {.column = "x",
                             .kind = ANORANK_REASON_NEW_VALUE,
                             .number = cases[i].value,
                             .usual_low = 7,
                             .usual_high = 7};
    snprintf(expected, sizeof expected, "x %s was never seen; it was always 7", cases[i].text);
    anorank_reason_text(&reason, text, sizeof text);
    assert_string_equal(text, expected);
  }
}

/* 9.5004 and 9.4998 are both 9.5 in three digits, and 1000.4 and 999.7 both a thousand. */
TEST_AFTER(fresh, a_number_and_the_range_it_leaves_are_told_apart) {
  static const struct {
    double value, low, high;
    const char *text;
  } cases[] = {{9.5004, 0.3, 9.4998, "x 9.5004 is above its usual 0.3 to 9.4998"},
               {1000.4, 0, 999.7, "x 1,000 is above its usual 0 to 999.7"},
               {41.2, 0.3, 9.8, "x 41.2 is far above its usual 0.3 to 9.8"},
               {-1, 0, 2, "x -1 is below its usual 0 to 2"}};
  char text[100];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    anorank_reason reason = {.column = "x",
                             .kind =
                                 cases[i].value > cases[i].high ? ANORANK_REASON_HIGH : ANORANK_REASON_LOW,
                             .number = cases[i].value,
                             .usual_low = cases[i].low,
                             .usual_high = cases[i].high};
    anorank_reason_text(&reason, text, sizeof text);
    assert_string_equal(text, cases[i].text);
  }
}

/* Separators between thousands but not in years, the decimals of the column, one notation in a sentence. */
TEST_AFTER(fresh, numbers_are_written_as_in_their_column) {
  static const struct {
    double value, low, high, resolution;
    const char *text;
  } cases[] = {{1374.1, 7.5, 190, 0.1, "x 1,374.1 is far above its usual 7.5 to 190"},
               {1234567, 20, 1400, 1, "x 1,234,567 is far above its usual 20 to 1,400"},
               {-98765.25, 1, 3, 0.01, "x -98,765.25 is far below its usual 1 to 3"},
               {1907, 1995, 2019, 1, "x 1907 is far below its usual 1995 to 2019"},
               {12345.6789, 1.23456789, 12345.5, 0, "x 12,345.7 is above its usual 1.23457 to 12,345.5"},
               {2.5e14, 9.1e12, 9.6e12, 0, "x 2.5e+14 is far above its usual 9.1e+12 to 9.6e+12"},
               {50, -0.001, 0.6, 0.01, "x 50 is far above its usual 0 to 0.6"}};
  char text[100];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    anorank_reason reason = {.column = "x",
                             .kind =
                                 cases[i].value > cases[i].high ? ANORANK_REASON_HIGH : ANORANK_REASON_LOW,
                             .number = cases[i].value,
                             .usual_low = cases[i].low,
                             .usual_high = cases[i].high,
                             .resolution = cases[i].resolution};
    anorank_reason_text(&reason, text, sizeof text);
    assert_string_equal(text, cases[i].text);
  }
}

TEST_AFTER(fresh, rare_times_are_named_with_their_hour_day_or_month) {
  static const struct {
    anorank_reason_kind kind;
    double share;
    const char *text;
  } cases[] = {{ANORANK_REASON_HOUR, 0.004, "booked is at 03:12, an hour with 0.4 % of rows"},
               {ANORANK_REASON_WEEKDAY, 0.01, "booked is on a Saturday, a day with 1 % of rows"},
               {ANORANK_REASON_MONTH, 0.02, "booked is in July, a month with 2 % of rows"},
               {ANORANK_REASON_WEEKDAY, 0.15,
                "booked on a Saturday is usual by itself (15 % of rows); only the row as a whole is not"}};
  char text[120];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    anorank_reason reason = {.column = "booked",
                             .kind = cases[i].kind,
                             .number = 1752289920, /* Saturday 2025-07-12 03:12 */
                             .share = cases[i].share};
    anorank_reason_text(&reason, text, sizeof text);
    assert_string_equal(text, cases[i].text);
  }
}
