/* The example "cards": rows are addressed by number, honest rows do not depend on the share of frauds, and
 * the frauds are neither obvious in one column nor hidden. */
#include "anorank/extras.h"
#include "support/check.h"

static anorank_table *make(int64_t first, int64_t rows, double anomalies, uint64_t seed) {
  anorank_table *table;
  anorank_settings settings = test_settings();
  settings.seed = seed;
  settings.first_row = first;
  settings.rows = rows;
  settings.anomalies = anomalies;
  assert_ok(anorank_example_make(&table, "cards", &settings, NULL));
  assert_int_equal(anorank_table_rows(table), rows);
  return table;
}

static const char *text_at(const anorank_table *table, size_t column, size_t row) {
  int32_t code = anorank_table_codes(table, column)[row];
  return code < 0 ? "" : anorank_table_level(table, column, (size_t)code);
}

static int same_cell(const anorank_table *a, size_t i, const anorank_table *b, size_t k, size_t column) {
  if (anorank_table_kind(a, column) == ANORANK_CATEGORICAL)
    return strcmp(text_at(a, column, i), text_at(b, column, k)) == 0;
  double x = anorank_table_numbers(a, column)[i], y = anorank_table_numbers(b, column)[k];
  return x == y || (isnan(x) && isnan(y));
}

static const double *numbers(const anorank_table *table, const char *name) {
  size_t column = anorank_table_find(table, name);
  assert_true(column != SIZE_MAX);
  return anorank_table_numbers(table, column);
}

TEST(a_table_made_in_parts_is_the_table) {
  scoped_table *whole = make(5, 300, 0.05, 3), *first = make(5, 123, 0.05, 3),
               *rest = make(128, 177, 0.05, 3);
  for (size_t j = 0; j < anorank_table_columns(whole); j++)
    for (size_t i = 0; i < 300; i++)
      assert_true(i < 123 ? same_cell(whole, i, first, i, j) : same_cell(whole, i, rest, i - 123, j));
}

TEST(honest_rows_do_not_depend_on_the_share_of_frauds) {
  scoped_table *clean = make(0, 5000, 0, 1), *some = make(0, 5000, 0.05, 1);
  const double *fraud = numbers(some, "fraud"), *none = numbers(clean, "fraud");
  size_t honest = 0;
  for (size_t i = 0; i < 5000; i++) {
    assert_true(none[i] == 0);
    if (fraud[i] != 0) continue;
    honest++;
    for (size_t j = 0; j < anorank_table_columns(clean); j++) assert_true(same_cell(clean, i, some, i, j));
  }
  assert_in_range(honest, 4600, 4900);
}

TEST(another_seed_gives_other_rows) {
  scoped_table *a = make(0, 100, 0.005, 1), *b = make(0, 100, 0.005, 2);
  const double *x = numbers(a, "amount"), *y = numbers(b, "amount");
  size_t same = 0;
  for (size_t i = 0; i < 100; i++) same += x[i] == y[i];
  assert_in_range(same, 0, 10);
}

/* The expected share is met (bursts make the count vary: about 1.6 times as much as a binomial), cells are
 * missing where they should be, and no device took part where a card was put into a machine. */
TEST(shares_are_as_requested) {
  enum { ROWS = 200000 };
  scoped_table *table = make(0, ROWS, 0.005, 7);
  const double *fraud = numbers(table, "fraud"), *device = numbers(table, "device_age_days");
  const double *distance = numbers(table, "distance_km");
  size_t channel = anorank_table_find(table, "channel"), chips = 0;
  double frauds = 0, gaps = 0;
  for (size_t i = 0; i < ROWS; i++) {
    frauds += fraud[i];
    gaps += isnan(distance[i]);
    if (strcmp(text_at(table, channel, i), "chip") != 0) continue;
    chips++;
    assert_true(isnan(device[i]));
  }
  assert_close(frauds / ROWS, 0.005, 5 * 1.6 * sqrt(0.005 / ROWS));
  assert_close(gaps / ROWS, 0.08, 0.003);
  assert_in_range(chips, ROWS / 10, ROWS);
}

/* Most frauds lie within the range that honest rows have in every numeric column: one look at a column does
 * not find them. */
TEST(few_frauds_are_beyond_the_honest_range_of_a_column) {
  enum { ROWS = 40000 };
  static const char *const names[] = {"amount", "hour", "distance_km", "count_24h", "device_age_days"};
  static unsigned char beyond[ROWS];
  scoped_table *table = make(0, ROWS, 0.005, 11);
  const double *fraud = numbers(table, "fraud");
  for (size_t c = 0; c < sizeof names / sizeof names[0]; c++) {
    const double *values = numbers(table, names[c]);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < ROWS; i++)
      if (fraud[i] == 0) low = fmin(low, values[i]), high = fmax(high, values[i]);
    for (size_t i = 0; i < ROWS; i++) beyond[i] |= fraud[i] != 0 && (values[i] < low || values[i] > high);
  }
  double frauds = 0, found = 0;
  for (size_t i = 0; i < ROWS; i++) frauds += fraud[i], found += beyond[i];
  assert_true(frauds > 100);
  assert_true(found < 0.35 * frauds);
}

TEST(an_unknown_name_is_refused) {
  anorank_table *table;
  anorank_error err = {0};
  assert_fails(anorank_example_make(&table, "card", NULL, &err), ANORANK_ERROR_USAGE, "example-unknown");
  assert_null(table);
  assert_status(anorank_example_make(&table, NULL, NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_example_make(NULL, "cards", NULL, &err), ANORANK_ERROR_USAGE);
  assert_null(anorank_example_at(anorank_example_count()));
}
