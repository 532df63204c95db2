/* test_detect.c - identifiers, times and row numbers are told from what can be learned. */
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
              role_of(prepare, name) == ANORANK_ROLE_CATEGORICAL);
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
static void unix_millis(char *cell, size_t i) { sprintf(cell, "%zu", 1700000000000 + 60 * i * i); }
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

TEST(unix_timestamps_give_the_time_of_day) {
  assert_made(unix_time, 200, ANORANK_ROLE_TIME, "column-time time of day and day of the week");
  assert_made(unix_millis, 200, ANORANK_ROLE_TIME, NULL);
  assert_made(unix_shuffled, 200, ANORANK_ROLE_NUMERIC, "column-may-be-id 'c'");
  assert_named("created_ts", unix_shuffled, 200, ANORANK_ROLE_TIME, NULL);
}

TEST(moments_give_what_recurs) {
  assert_made(date, 200, ANORANK_ROLE_TIME, "column-time the day of the week");
  assert_made(noon, 200, ANORANK_ROLE_TIME, "column-time the day of the week");
  assert_made(of_day, 200, ANORANK_ROLE_TIME, "column-time the time of day");
  assert_made(mostly_dates, 200, ANORANK_ROLE_TIME, NULL);
  assert_made(same_day, 200, ANORANK_ROLE_UNUSABLE, "column-time-unused 'c'");
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
