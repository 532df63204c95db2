/* test_detect.c - identifiers, times and row numbers are distinguished from features. */
#include <math.h>
#include <time.h>

#include "core/rng.h"
#include "prepare/prepare_parts.h"
#include "table/cell_format.h"
#include "unit/prepare/prepare_kit.h"

static int is_moment(const char *text) { return ank_moment_orders(text, strlen(text)) != 0; }

TEST(dates_and_times_are_recognised) {
  static const char *const times[] = {"2024-05-01",
                                      "2024-05-01T10:00",
                                      "2024-05-01 10:00:59.123",
                                      "01/05/2024",
                                      "1/5/24",
                                      "31.12.1999",
                                      "01.05.24",
                                      "2024/5/1",
                                      "10:00",
                                      "9:30:15",
                                      "2024-05-01T10:00:00+02:00",
                                      "2024-05-01T10:00:00Z",
                                      "12/31/2023 11:59 PM",
                                      "2024-05-01 10:00:00 +0200",
                                      "2024-05-01 10:00 UTC"};
  static const char *const others[] = {
      "",        "Ulm",     "2024",       "12",          "1.4.12",    "10.0.0.1", "20-45-77",
      "1-2",     "2024-5",  "2024-13-32", "2024-05-01x", "10:0",      "10:75",    "99:00",
      "A-01-02", "1/2/3/4", "2024-05/01", "10:00:",      "12345-1-1", "10:00+2",  "2024-05-01T"};
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
    if (!is_moment(times[i])) print_error("%s\n", times[i]);
    assert_true(is_moment(times[i]));
  }
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    if (is_moment(others[i])) print_error("%s\n", others[i]);
    assert_false(is_moment(others[i]));
  }
}

/* A table of one plain column `v` and one column `c` made by the format from the row number; its role. */
typedef void (*cell_maker)(char *cell, size_t i);

static ank_prepare *fit_named(const char *name, cell_maker make, size_t rows, const char *columns) {
  char *csv = test_memory(rows * 80 + 100), cell[64];
  size_t used = (size_t)sprintf(csv, "v,%s\n", name);
  for (size_t i = 0; i < rows; i++) {
    make(cell, i);
    used += (size_t)sprintf(csv + used, "%zu.5,%s\n", i * 7919 % 101, cell);
  }
  anorank_settings settings = plain_settings();
  assert_ok(ank_settings_lend(&settings, "columns", columns, NULL));
  scoped_table *table = table_of(csv);
  return must_fit(table, &settings);
}

static void assert_named(const char *name, cell_maker make, size_t rows, anorank_role role,
                         const char *note) {
  ank_prepare *prepare = fit_named(name, make, rows, "");
  char columns[64];
  if (role_of(prepare, name) != role)
    print_error("%s: role %d, not %d\n", name, (int)role_of(prepare, name), (int)role);
  assert_int_equal(role_of(prepare, name), role);
  if (note) assert_true(has_note(prepare, note));
  ank_prepare_free(prepare);
  if (role != ANORANK_ROLE_ID && role != ANORANK_ROLE_DROPPED) return;
  /* The setting `columns` overrules. */
  snprintf(columns, sizeof columns, "v,%s", name);
  prepare = fit_named(name, make, rows, columns);
  assert_true(role_of(prepare, name) == ANORANK_ROLE_NUMERIC ||
              role_of(prepare, name) == ANORANK_ROLE_CATEGORICAL ||
              role_of(prepare, name) == ANORANK_ROLE_TIME);
  ank_prepare_free(prepare);
}

static void assert_made(cell_maker make, size_t rows, anorank_role role, const char *note) {
  assert_named("c", make, rows, role, note);
}

static void row_number(char *cell, size_t i) { sprintf(cell, "%zu", i + 1); }
static void backward(char *cell, size_t i) { sprintf(cell, "%zu", 5000 - 10 * i); }
static void shuffled_number(char *cell, size_t i) { sprintf(cell, "%zu", i * 7 % 100); }
static void gaps(char *cell, size_t i) { sprintf(cell, "%zu", i * i + 3); }
static void halves(char *cell, size_t i) { sprintf(cell, "%zu.5", i); }
static void unix_time(char *cell, size_t i) {
  sprintf(cell, "%zu", 1700000000 + 60 * i - (i % 5 == 4) * 100);
}
static void unix_millis(char *cell, size_t i) { sprintf(cell, "%llu", 1700000000000ULL + 60ULL * i * i); }
static void unix_shuffled(char *cell, size_t i) { sprintf(cell, "%zu", 1700000000 + i * 7919 % 1009); }
static void order_number(char *cell, size_t i) { sprintf(cell, "A-%zu-%zu", i * 7919 % 1000, i); }
static void date(char *cell, size_t i) { sprintf(cell, "2024-05-%02zuT10:00", i % 28 + 1); }
static void mostly_dates(char *cell, size_t i) {
  sprintf(cell, i % 40 == 3 ? "unknown" : "%02zu/%02zu/2024", i % 28 + 1, i % 12 + 1);
}
static void city(char *cell, size_t i) { sprintf(cell, "city%zu", i * i % 13); }
static void hour(char *cell, size_t i) { sprintf(cell, "%zu", i % 24); }

static void flag(char *cell, size_t i) { sprintf(cell, "%d", i % 9 == 0); }
static void yes_no(char *cell, size_t i) { sprintf(cell, "%s", i % 9 ? "no" : "yes"); }
static void zero(char *cell, size_t i) { sprintf(cell, "%d", i > SIZE_MAX / 2); }
static void all_normal(char *cell, size_t i) { sprintf(cell, "%s", i > SIZE_MAX / 2 ? "" : "Normal"); }
static void attacks(char *cell, size_t i) {
  static const char *const words[] = {"Normal", "Fuzzers", "Normal", "Exploits", "DoS"};
  sprintf(cell, "%s", words[i % 5]);
}
static void codes(char *cell, size_t i) { sprintf(cell, "%zu", i % 50 == 7 ? 1 + i / 50 : 0); }
static void mostly(char *cell, size_t i) { sprintf(cell, "%d", i % 9 != 0); }
static void cabin(char *cell, size_t i) { sprintf(cell, "%s", i % 9 ? "economy" : "business"); }
static void three(char *cell, size_t i) { sprintf(cell, "%zu", i % 3); }
static void account(char *cell, size_t i) { sprintf(cell, "%zu", 70000 + i * 7919 % 5003); }
static void often(char *cell, size_t i) { sprintf(cell, "%zu", 70000 + i * 7919 % 40); }
static void uuid(char *cell, size_t i) { sprintf(cell, "123e4567-e89b-12d3-a456-4266141740%02zx", i % 3); }
static void prose(char *cell, size_t i) { sprintf(cell, "the %zuth customer was not happy", i); }
static void noon(char *cell, size_t i) { sprintf(cell, "2024-05-%02zu 12:00", i % 28 + 1); }
static void same_day(char *cell, size_t i) { sprintf(cell, "2024-05-%02zu", i % 4 * 7 + 1); }
static void of_day(char *cell, size_t i) { sprintf(cell, "%02zu:%02zu", i * 7 % 24, i % 60); }

TEST(whole_numbers_in_equal_steps_are_row_numbers) {
  assert_made(row_number, 100, ANORANK_ROLE_ID, "column-id 'c'");
  assert_made(backward, 100, ANORANK_ROLE_ID, NULL);
  assert_made(shuffled_number, 100, ANORANK_ROLE_ID, NULL);
  assert_made(row_number, 5, ANORANK_ROLE_NUMERIC, NULL);
  assert_made(halves, 100, ANORANK_ROLE_NUMERIC, "columns-used all numeric");
  assert_made(hour, 100, ANORANK_ROLE_NUMERIC, NULL);
}

TEST(rising_whole_numbers_are_pointed_out_but_used) {
  assert_made(gaps, 100, ANORANK_ROLE_NUMERIC, "column-may-be-id 'c'");
}

/* A time that `columns` names gives what recurs, whether or not other columns depend on it. */
static void assert_time(const char *name, cell_maker make, const char *note) {
  char columns[64];
  snprintf(columns, sizeof columns, "v,%s", name);
  ank_prepare *prepare = fit_named(name, make, 200, columns);
  assert_int_equal(role_of(prepare, name), ANORANK_ROLE_TIME);
  assert_true(has_note(prepare, note));
  ank_prepare_free(prepare);
}

TEST(unix_timestamps_give_the_time_of_day) {
  assert_made(unix_time, 200, ANORANK_ROLE_ID, "column-time-order 'c'");
  assert_made(unix_millis, 200, ANORANK_ROLE_ID, NULL);
  assert_made(unix_shuffled, 200, ANORANK_ROLE_NUMERIC, "column-may-be-id 'c'");
  assert_named("created_ts", unix_shuffled, 200, ANORANK_ROLE_ID, NULL);
}

TEST(moments_give_what_recurs) {
  assert_time("c", date, "column-time the day of the week");
  assert_time("c", noon, "column-time the day of the week");
  assert_time("c", of_day, "column-time the time of day");
  assert_time("c", mostly_dates, "column-time 'c'");
  assert_made(of_day, 200, ANORANK_ROLE_TIME, "column-time the time of day");
  assert_made(date, 200, ANORANK_ROLE_ID, "column-time-order 'c'");
  assert_made(same_day, 200, ANORANK_ROLE_UNUSABLE, "column-time-unused 'c'");
}

/* `rows` rows, one each `step` seconds from a Monday on: a noise that remembers (AR(1)), with a daily or weekly
 * pattern of `share` of its standard deviation. */
static ank_prepare *fit_series(size_t rows, double step, double memory, double daily, double weekly,
                               const char *columns) {
  char *csv = test_memory(rows * 80 + 100);
  size_t used = (size_t)sprintf(csv, "when,v\n");
  uint64_t state = 12345;
  double noise = 0;
  for (size_t i = 0; i < rows; i++) {
    double seconds = 1704067200 + step * (double)i, fresh = 0; /* 2024-01-01 */
    for (int k = 0; k < 12; k++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      fresh += (double)(state >> 40) / 16777216 - 0.5;
    }
    noise = memory * noise + sqrt(1 - memory * memory) * fresh;
    double day = fmod(seconds / 86400, 1), weekend = fmod(seconds / 86400 - 4 + 7, 7);
    double value = noise + daily * sin(6.283185 * day) + weekly * (weekend >= 2 && weekend < 4);
    char when[32];
    time_t moment = (time_t)seconds;
    strftime(when, sizeof when, "%Y-%m-%d %H:%M", gmtime(&moment));
    used += (size_t)sprintf(csv + used, "%s,%.4f\n", when, value);
  }
  anorank_settings settings = plain_settings();
  assert_ok(ank_settings_lend(&settings, "columns", columns, NULL));
  scoped_table *table = table_of(csv);
  return must_fit(table, &settings);
}

static void assert_series(size_t rows, double step, double memory, double daily, double weekly,
                          const char *columns, anorank_role role, const char *note) {
  ank_prepare *prepare = fit_series(rows, step, memory, daily, weekly, columns);
  assert_int_equal(role_of(prepare, "when"), role);
  assert_true(has_note(prepare, note));
  ank_prepare_free(prepare);
}

TEST(hours_and_weekdays_count_where_other_columns_depend_on_them) {
  assert_series(1440, 3600, 0, 1, 0, "", ANORANK_ROLE_TIME, "column-time the time of day");
  assert_series(1440, 3600, 0.9, 2, 0, "", ANORANK_ROLE_TIME, "column-time the time of day");
  assert_series(1440, 3600, 0, 0, 2, "", ANORANK_ROLE_TIME, "column-time the day of the week");
  assert_series(1440, 3600, 0, 2, 2, "", ANORANK_ROLE_TIME,
                "column-time the time of day and the day of the week");
}

/* The payments of the example depend on the hour by 3 to 5 % of a column's variance. */
TEST(a_pattern_of_a_twentieth_of_the_variance_counts_and_one_of_a_fiftieth_does_not) {
  assert_series(5760, 900, 0, 0.3, 0, "", ANORANK_ROLE_TIME, "column-time the time of day");
  assert_series(5760, 900, 0, 0.18, 0, "", ANORANK_ROLE_ID, "column-time-order 'when'");
}

TEST(hours_and_weekdays_do_not_count_where_nothing_depends_on_them) {
  assert_series(1440, 3600, 0, 0, 0, "", ANORANK_ROLE_ID, "column-time-order 'when'");
  assert_series(1440, 3600, 0.9, 0, 0, "", ANORANK_ROLE_ID, "column-time-order 'when'");
  assert_series(1440, 600, 0.99, 0, 0, "", ANORANK_ROLE_ID, "column-time-order 'when'");
  assert_series(1440, 3600, 0, 0, 0, "when,v", ANORANK_ROLE_TIME, "column-time 'when'");
}

/* `rows` days from 2015-01-01 on: noise that remembers, and over a year a wave, over all of them a slope, in standard
 * deviations. */
static ank_prepare *fit_years(size_t rows, double step, double memory, double yearly, double slope,
                              uint64_t seed) {
  char *csv = test_memory(rows * 80 + 100);
  size_t used = (size_t)sprintf(csv, "when,v\n");
  ank_rng rng;
  double noise = 0;
  ank_rng_open(&rng, seed, 99, 0);
  for (size_t i = 0; i < rows; i++) {
    double seconds = 1420070400 + 86400 * step * (double)i, part = fmod(seconds / 86400 / 365.2425, 1);
    noise = memory * noise + sqrt(1 - memory * memory) * ank_rng_normal(&rng);
    char when[32];
    time_t moment = (time_t)seconds;
    strftime(when, sizeof when, "%Y-%m-%d", gmtime(&moment));
    used += (size_t)sprintf(csv + used, "%s,%.4f\n", when,
                            noise + yearly * cos(6.283185 * part) + slope * (double)i / (double)rows);
  }
  anorank_settings settings = plain_settings();
  scoped_table *table = table_of(csv);
  return must_fit(table, &settings);
}

static int years_count(size_t rows, double step, double memory, double yearly, double slope, uint64_t seed) {
  ank_prepare *prepare = fit_years(rows, step, memory, yearly, slope, seed);
  int found = has_note(prepare, "column-time the day of the year is used");
  ank_prepare_free(prepare);
  return found;
}

TEST(days_of_the_year_count_where_other_columns_depend_on_them) {
  assert_true(years_count(2200, 1, 0, 1, 0, 1));
  assert_true(years_count(2200, 1, 0.9, 2, 0, 1));
  assert_true(years_count(300, 7, 0, 1.5, 0, 1)); /* each Thursday: neither hours nor weekdays vary */
  assert_true(years_count(2200, 1, 0, 1, 4, 1));
}

TEST(days_of_the_year_do_not_count_where_nothing_depends_on_them) {
  size_t found = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    found += (size_t)years_count(1600, 1, 0, 0, 0, seed);
    found += (size_t)years_count(1461, 1, 0, 0, 20, seed); /* what rises over the years rises within each */
    found += (size_t)years_count(1600, 1, 0.99, 0, 0, seed);
    found += (size_t)years_count(2600, 1, 0.999, 0, 0, seed);
  }
  assert_int_equal(found, 0);
}

TEST(days_of_the_year_do_not_count_in_less_than_four_years) {
  assert_false(years_count(1000, 1, 0, 2, 0, 1));
}

TEST(a_circle_of_the_year_is_saved_and_loaded) {
  scoped_prepare *prepare = fit_years(2200, 1, 0, 1, 0, 1), *loaded;
  scoped_bytes bytes = {0}, again = {0};
  assert_ok(ank_prepare_save(prepare, &bytes, NULL));
  ank_cursor cursor = {bytes.data, bytes.length, 0};
  assert_ok(ank_prepare_load(&loaded, &cursor, NULL));
  assert_ok(ank_prepare_save(loaded, &again, NULL));
  assert_int_equal(again.length, bytes.length);
  assert_memory_equal(again.data, bytes.data, bytes.length);
  size_t last = 0; /* 2200 days end in 2021 */
  for (int month = 0; month < 12; month++) last += loaded->column[0].months[month];
  assert_int_equal(last, 2200);
  assert_int_equal(loaded->column[0].months[1], 6 * 28 + 2);
}

TEST(years_and_months_of_days_are_those_of_the_calendar) {
  long year;
  int month;
  for (long days = -800000; days < 800000; days += 7) {
    ank_civil_from_days(&year, &month, (double)days);
    assert_true(month >= 1 && month <= 12);
    long first = ank_days_from_civil(year, month, 1),
         next = ank_days_from_civil(year + month / 12, month % 12 + 1, 1);
    assert_true(first <= days && days < next);
  }
}

TEST(hours_do_not_count_in_less_than_four_days) {
  assert_series(1440, 120, 0, 2, 0, "", ANORANK_ROLE_ID, "column-time-order 'when'");
}

TEST(identifiers_are_passed_through) {
  assert_made(order_number, 100, ANORANK_ROLE_ID, "column-id 'c'");
  assert_made(order_number, 50, ANORANK_ROLE_ID, NULL);
  assert_made(order_number, 9, ANORANK_ROLE_CATEGORICAL, NULL);
  assert_made(city, 200, ANORANK_ROLE_CATEGORICAL, "columns-used 1 numeric, 1 categorical");
  assert_made(uuid, 200, ANORANK_ROLE_ID, NULL);
  assert_made(prose, 200, ANORANK_ROLE_UNUSABLE, "column-free-text 'c'");
  static const char *const sure[] = {"customer_id", "customerId", "ID",    "id_customer",
                                     "CustomerID",  "Order-Key",  "userid"};
  for (size_t i = 0; i < sizeof sure / sizeof sure[0]; i++) {
    assert_named(sure[i], account, 200, ANORANK_ROLE_ID, NULL);
    assert_named(sure[i], often, 200, ANORANK_ROLE_ID, NULL);
    assert_named(sure[i], hour, 30, ANORANK_ROLE_ID, NULL);
    assert_named(sure[i], three, 200, ANORANK_ROLE_NUMERIC, NULL);
  }
  assert_named("account_no", account, 200, ANORANK_ROLE_ID, NULL);
  assert_named("account_no", often, 200, ANORANK_ROLE_NUMERIC, NULL);
  assert_named("paid", account, 200, ANORANK_ROLE_NUMERIC, NULL);
  assert_named("humid", often, 200, ANORANK_ROLE_NUMERIC, NULL);
}

TEST(a_two_valued_column_called_a_label_is_not_learned_from) {
  static const char *const labels[] = {"fraud", "is_fraud", "isFraud", "Label", "TARGET",
                                       "class", "anomaly",  "outlier", "y"};
  for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
    assert_named(labels[i], flag, 100, ANORANK_ROLE_DROPPED, NULL);
    assert_named(labels[i], yes_no, 100, ANORANK_ROLE_DROPPED, NULL);
    assert_named(labels[i], three, 100, ANORANK_ROLE_NUMERIC, NULL);
  }
  assert_named("fraud", flag, 100, ANORANK_ROLE_DROPPED, "column-label 'fraud'");
  assert_named("smoker", yes_no, 100, ANORANK_ROLE_CATEGORICAL, NULL);
}

TEST(a_column_with_few_positives_whose_name_contains_a_word_for_anomalies_is_a_label) {
  static const char *const labels[] = {
      "TX_FRAUD",      "anomaly_flag", "Machine failure", "FraudFound_P",       "default",
      "fault",         "attack_flag",  "isfraudtx",       "FRAUDLABEL",         "hasAttack",
      "binary_target", "outcome",      "patientOutcome",  "true_class",         "defaulted",
      "anomalous_row", "IsFaulty",     "label_2",         "Default_On_Payment", "default.payment.next.month"};
  for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
    assert_named(labels[i], flag, 100, ANORANK_ROLE_DROPPED, "column-label '");
    assert_named(labels[i], yes_no, 100, ANORANK_ROLE_DROPPED, NULL);
    assert_named(labels[i], mostly, 100, ANORANK_ROLE_NUMERIC, NULL);
    assert_named(labels[i], three, 100, ANORANK_ROLE_NUMERIC, NULL);
    assert_named(labels[i], halves, 100, ANORANK_ROLE_NUMERIC, NULL);
  }
}

TEST(kinds_of_attacks_beside_normal_are_a_label) {
  assert_named("attack_cat", attacks, 100, ANORANK_ROLE_DROPPED, "column-label '");
  assert_named("TX_FRAUD_SCENARIO", codes, 200, ANORANK_ROLE_DROPPED, NULL);
  assert_named("failure_count", codes, 200, ANORANK_ROLE_NUMERIC, NULL);
  assert_named("label", attacks, 100, ANORANK_ROLE_DROPPED, NULL);
  assert_named("weather", attacks, 100, ANORANK_ROLE_CATEGORICAL, NULL);
  assert_named("attack_cat", city, 100, ANORANK_ROLE_CATEGORICAL, NULL);
}

TEST(names_that_only_resemble_a_label_are_learned_from) {
  static const char *const others[] = {"first_class", "class_First",   "has_default_address", "failure_count",
                                       "num_attacks", "fraud_score",   "days_since_fault",    "default_rate",
                                       "classic",     "target_amount", "previous_default",    "smoker"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    assert_named(others[i], flag, 100, ANORANK_ROLE_NUMERIC, NULL);
    assert_named(others[i], zero, 100, ANORANK_ROLE_CONSTANT, "column-constant '");
  }
  assert_named("passenger_class", cabin, 100, ANORANK_ROLE_CATEGORICAL, NULL);
  assert_named("default_channel", cabin, 100, ANORANK_ROLE_CATEGORICAL, NULL);
  assert_named("target_cabin", cabin, 100, ANORANK_ROLE_CATEGORICAL, NULL);
}

/* Otherwise a label of 1 in new rows is a departure from the constant, and the reason of the alarm. */
TEST(a_label_of_a_clean_history_is_not_a_constant) {
  static const char *const labels[] = {"fraud", "TX_FRAUD", "Machine failure", "class", "anomaly_flag"};
  for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
    ank_prepare *prepare = fit_named(labels[i], zero, 100, "");
    assert_int_equal(role_of(prepare, labels[i]), ANORANK_ROLE_DROPPED);
    assert_true(has_note(prepare, "column-label '"));
    ank_prepare_free(prepare);
    prepare = fit_named(labels[i], all_normal, 100, "");
    assert_int_equal(role_of(prepare, labels[i]), ANORANK_ROLE_DROPPED);
    ank_prepare_free(prepare);
    char columns[64];
    snprintf(columns, sizeof columns, "v,%s", labels[i]);
    prepare = fit_named(labels[i], zero, 100, columns);
    assert_int_equal(role_of(prepare, labels[i]), ANORANK_ROLE_CONSTANT);
    ank_prepare_free(prepare);
  }
}
