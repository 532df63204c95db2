/* The headline of a ranking is true. */
#include "ranking/headline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/rng.h"
#include "core/settings.h"
#include "ranking/ranking.h"
#include "support/check.h"
#include "support/noisy.h"

static anorank_settings quick(anorank_train train) {
  anorank_settings settings;
  ank_settings_default(&settings);
  settings.train = train;
  settings.reasons = 0;
  return settings;
}

/* A random walk of `rows` rows from `start` on, with noise beside. */
static anorank_table *walk(size_t rows, double start, uint64_t seed) {
  static const char *const names[] = {"a", "b"};
  double *cells = malloc(rows * 2 * sizeof *cells), at = start;
  anorank_table *table;
  ank_rng rng;
  assert_non_null(cells);
  ank_rng_open(&rng, seed, 78, 0);
  for (size_t i = 0; i < rows; i++) {
    at = 0.95 * at + 0.05 * start + 0.3 * ank_rng_normal(&rng);
    cells[2 * i] = at;
    cells[2 * i + 1] = ank_rng_normal(&rng);
  }
  assert_ok(anorank_table_from_matrix(&table, cells, rows, 2, 2, 1, names, NULL));
  free(cells);
  return table;
}

/* Fit on one table and rank another; both are freed. */
static anorank_headline rank_by_history(anorank_table *train, anorank_table *test, anorank_train kind) {
  anorank_settings settings = quick(kind);
  anorank_model *model;
  anorank_ranking *ranking;
  assert_ok(anorank_fit(&model, train, NULL, &settings, NULL));
  assert_ok(anorank_ranking_make(&ranking, model, test, &settings, NULL));
  anorank_headline headline = anorank_ranking_get_info(ranking)->headline;
  anorank_ranking_free(ranking);
  anorank_model_free(model);
  anorank_table_free(train);
  anorank_table_free(test);
  return headline;
}

static anorank_headline detect(anorank_table *table, anorank_tier *last) {
  anorank_settings settings = quick(ANORANK_TRAIN_CONTAMINATED);
  anorank_model *model;
  anorank_ranking *ranking;
  assert_ok(anorank_detect(&model, &ranking, table, NULL, &settings, NULL));
  anorank_headline headline = anorank_ranking_get_info(ranking)->headline;
  for (size_t i = 0; last && i < anorank_ranking_get_info(ranking)->count; i++)
    if (anorank_ranking_at(ranking, i)->row + 1 == anorank_table_rows(table))
      *last = anorank_ranking_at(ranking, i)->tier;
  anorank_ranking_free(ranking);
  anorank_model_free(model);
  anorank_table_free(table);
  return headline;
}

TEST(a_clean_history_of_independent_rows_promises_a_rate) {
  anorank_headline headline =
      rank_by_history(noisy_table(NOISY_GAUSSIAN, 500, 500, 0, 1),
                      noisy_table(NOISY_GAUSSIAN, 500, 500, 20, 2), ANORANK_TRAIN_CLEAN);
  assert_int_equal(headline.kind, ANORANK_HEADLINE_RATE);
  assert_true(headline.rate == ANORANK_USUAL_FDR);
  assert_true(headline.differing < 0.3);
}

TEST(a_contaminated_model_promises_no_rate_for_a_new_file) {
  anorank_headline headline =
      rank_by_history(noisy_table(NOISY_GAUSSIAN, 500, 500, 5, 1),
                      noisy_table(NOISY_GAUSSIAN, 500, 500, 5, 2), ANORANK_TRAIN_CONTAMINATED);
  assert_int_equal(headline.kind, ANORANK_HEADLINE_APART);
  assert_true(headline.rate == 0);
}

TEST(rows_that_depend_on_each_other_promise_no_rate) {
  anorank_headline headline = rank_by_history(walk(600, 0, 1), walk(600, 0, 2), ANORANK_TRAIN_CLEAN);
  assert_int_equal(headline.kind, ANORANK_HEADLINE_DEPENDENT);
  assert_true(headline.rate == 0);
  assert_int_equal(detect(walk(600, 0, 3), NULL).kind, ANORANK_HEADLINE_DEPENDENT);
}

TEST(rows_that_differ_as_a_whole_are_a_shift_before_anything_else) {
  anorank_headline headline = rank_by_history(walk(600, 0, 1), walk(600, 30, 2), ANORANK_TRAIN_CLEAN);
  assert_int_equal(headline.kind, ANORANK_HEADLINE_SHIFT);
  assert_true(headline.differing > 0.9 && headline.rate == 0);
  assert_non_null(strstr(headline.shifted, "'a'")); /* the column that moved, not the one beside it */
  assert_null(strstr(headline.shifted, "'b'"));
}

TEST(no_column_is_named_where_nothing_shifted) {
  assert_string_equal(rank_by_history(walk(600, 0, 1), walk(600, 0, 2), ANORANK_TRAIN_CLEAN).shifted, "");
}

TEST(a_history_of_too_few_rows_promises_no_rate) {
  anorank_headline headline = rank_by_history(noisy_table(NOISY_GAUSSIAN, 80, 80, 0, 1),
                                              noisy_table(NOISY_GAUSSIAN, 80, 80, 0, 2), ANORANK_TRAIN_CLEAN);
  assert_int_equal(headline.kind, ANORANK_HEADLINE_APART);
  assert_int_equal(headline.dependence.tested, 0);
}

TEST(noise_of_every_kind_has_no_row_apart) {
  for (size_t kind = 0; kind < NOISY_KINDS; kind++) {
    anorank_headline headline = detect(noisy_table((noisy_kind)kind, 1000, 1000, 0, 7), NULL);
    assert_int_equal(headline.kind, ANORANK_HEADLINE_APART);
    assert_int_equal(headline.apart, 0);
  }
}

TEST(a_gross_error_in_one_cell_is_apart) {
  static const struct {
    noisy_kind kind;
    size_t rows;
  } tables[] = {{NOISY_GAUSSIAN, 4000}, {NOISY_BINARY, 1000}, {NOISY_CLUSTERS, 1000}};
  for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++) {
    anorank_tier last = ANORANK_TIER_REST;
    anorank_headline headline =
        detect(noisy_table(tables[k].kind, tables[k].rows, tables[k].rows, 1, 7), &last);
    assert_int_equal(last, ANORANK_TIER_APART);
    assert_int_equal(headline.apart, 1);
  }
}

/* One column of `rows` rows: normal values around 90, every 20th around 30, and `far` at the end. */
static anorank_table *column(size_t rows, int two_kinds, const double *far, size_t far_count) {
  static const char *const names[] = {"value"};
  double *cells = malloc(rows * sizeof *cells);
  anorank_table *table;
  ank_rng rng;
  assert_non_null(cells);
  ank_rng_open(&rng, 5, 79, 0);
  for (size_t i = 0; i < rows; i++)
    cells[i] = two_kinds && i % 20 == 0 ? 30 + 2 * ank_rng_normal(&rng) : 90 + 6 * ank_rng_normal(&rng);
  for (size_t i = 0; i < far_count; i++) cells[rows - far_count + i] = far[i];
  assert_ok(anorank_table_from_matrix(&table, cells, rows, 1, 1, 1, names, NULL));
  free(cells);
  return table;
}

TEST(three_far_values_in_a_small_table_are_apart) {
  static const double far[] = {45, 58, 58.5};
  anorank_tier last = ANORANK_TIER_REST;
  anorank_headline headline = detect(column(215, 0, far, 3), &last);
  assert_int_equal(last, ANORANK_TIER_APART);
  assert_int_equal(headline.apart, 3);
  assert_int_equal(detect(column(215, 0, NULL, 0), NULL).apart, 0);
}

TEST(a_value_beyond_a_second_kind_of_rows_is_apart) {
  static const double far[] = {2};
  anorank_tier last = ANORANK_TIER_REST;
  anorank_headline headline = detect(column(4000, 1, far, 1), &last);
  assert_int_equal(last, ANORANK_TIER_APART);
  assert_int_equal(headline.apart, 1);
}

TEST(a_gross_error_in_a_table_of_100_rows_is_apart) {
  static const double far[] = {900};
  anorank_tier last = ANORANK_TIER_REST;
  detect(column(120, 0, far, 1), &last);
  assert_int_equal(last, ANORANK_TIER_APART);
}

/* Three columns of noise and a fourth: `value` in every `each`-th row, 0 in the others, and `far` in the last. */
static anorank_table *mostly_zero(size_t rows, size_t each, double value, double far) {
  static const char *const names[] = {"a", "b", "c", "flag"};
  double *cells = malloc(rows * 4 * sizeof *cells);
  anorank_table *table;
  ank_rng rng;
  assert_non_null(cells);
  ank_rng_open(&rng, 6, 80, 0);
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < 3; j++) cells[4 * i + j] = ank_rng_normal(&rng);
    cells[4 * i + 3] = i + 1 == rows ? far : i % each == 0 ? value : 0;
  }
  assert_ok(anorank_table_from_matrix(&table, cells, rows, 4, 4, 1, names, NULL));
  free(cells);
  return table;
}

TEST(a_gross_error_in_a_nearly_constant_column_is_apart) {
  anorank_tier last = ANORANK_TIER_REST;
  anorank_headline headline = detect(mostly_zero(2000, 400, 1, 1000), &last);
  assert_int_equal(last, ANORANK_TIER_APART);
  assert_int_equal(headline.apart, 1); /* not the rare ones */
}

TEST(a_value_below_a_range_that_starts_with_many_equal_ones_is_apart) {
  anorank_tier last = ANORANK_TIER_REST;
  anorank_headline headline = detect(mostly_zero(2000, 3, 5, -1), &last);
  assert_int_equal(last, ANORANK_TIER_APART);
  assert_int_equal(headline.apart, 1);
}

TEST(known_errors_of_real_files_are_apart) {
  static const struct {
    const char *name;
    size_t rows[3], count; /* that must be apart, from 0 on */
  } files[] = {{"taxi_daily", {210, 177, 209}, 3},
               {"machine_temperature_system_failure", {3986}, 1},
               {"diamonds", {24067}, 1}};
  size_t read = 0;
  for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
    char path[500];
    anorank_settings settings = quick(ANORANK_TRAIN_CONTAMINATED);
    anorank_table *table;
    anorank_model *model;
    anorank_ranking *ranking;
    snprintf(path, sizeof path, TEST_DATA "/../../../shared/data/real-files/%s.csv.gz", files[f].name);
    if (access(path, R_OK) != 0) continue;
    read++;
    assert_ok(anorank_table_read(&table, ANORANK_FROM_FILE(path), NULL, NULL));
    assert_ok(anorank_detect(&model, &ranking, table, NULL, &settings, NULL));
    size_t found = 0;
    for (size_t i = 0; i < anorank_ranking_get_info(ranking)->count; i++)
      for (size_t k = 0; k < files[f].count; k++)
        found += anorank_ranking_at(ranking, i)->row == files[f].rows[k] &&
                 anorank_ranking_at(ranking, i)->tier == ANORANK_TIER_APART;
    assert_int_equal(found, files[f].count);
    assert_true(anorank_ranking_get_info(ranking)->headline.apart <= 50);
    anorank_ranking_free(ranking);
    anorank_model_free(model);
    anorank_table_free(table);
  }
  if (read == 0) print_message("shared/data/real-files is not there: skipped\n"), skip();
}

TEST(fares_rank_from_the_highest_inward) {
  static const int32_t trains[2] = {ANORANK_TRAIN_CLEAN, ANORANK_TRAIN_CONTAMINATED};
  static const char path[] = TEST_DATA "/../../../shared/data/real-files/one.csv.gz";
  anorank_table *table;
  if (access(path, R_OK) != 0) print_message("shared/data/real-files is not there: skipped\n"), skip();
  assert_ok(anorank_table_read(&table, ANORANK_FROM_FILE(path), NULL, NULL));
  const double *fare = anorank_table_numbers(table, anorank_table_find(table, "fare"));
  for (size_t t = 0; t < 2; t++) {
    anorank_settings settings = quick(trains[t]);
    anorank_model *model;
    anorank_ranking *ranking;
    double last = INFINITY;
    assert_ok(anorank_detect(&model, &ranking, table, NULL, &settings, NULL));
    size_t found = 0;
    for (size_t i = 0; i < anorank_ranking_get_info(ranking)->count; i++) {
      double own = fare[anorank_ranking_at(ranking, i)->row];
      if (own < 100) continue;
      assert_true(own <= last);
      last = own;
      found++;
    }
    assert_true(found >= 7);
    anorank_ranking_free(ranking);
    anorank_model_free(model);
  }
  anorank_table_free(table);
}
