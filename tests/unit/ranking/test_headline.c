/* What is said first of a ranking is what holds. */
#include "ranking/headline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
  assert_non_null(
      strstr(headline.shifted, "'a' increased")); /* the column that moved, not the one beside it */
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
