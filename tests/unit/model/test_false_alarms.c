/* p-values and false alarms of whole models, one small table for each case that once broke them;
 * tests/slow/false_alarms.c measures them at length.
 *
 * labels: long */
#include "model/duplicate_rows.h"
#include "model/model.h"
#include "scorers/blend.h"
#include "support/check.h"
#include "support/models.h"
#include "support/noisy.h"
#include "support/notes.h"

static anorank_settings quick(anorank_train train) {
  anorank_settings settings = test_settings();
  settings.train = train;
  settings.reasons = 0;
  settings.threads = 1;
  return settings;
}

/* The share of new normal rows with p <= level, by models of `tables` tables. */
static double share_at_most(double level, noisy_kind kind, size_t rows, size_t fresh, size_t tables) {
  enum { NEW = 1000 };
  anorank_settings settings = quick(ANORANK_TRAIN_CLEAN);
  double count = 0;
  for (uint64_t seed = 0; seed < tables; seed++) {
    scoped_table *train = noisy_table(kind, rows, fresh, 0, 2 * seed),
                 *test = noisy_table(kind, NEW, NEW, 0, 2 * seed + 1);
    scoped_model *model = NULL;
    double p[NEW];
    assert_ok(anorank_fit(&model, train, NULL, &settings, NULL));
    assert_ok(anorank_model_score(model, test, NULL, p, &settings, NULL));
    for (size_t i = 0; i < NEW; i++) count += p[i] <= level;
  }
  return count / NEW / (double)tables;
}

/* The left-out rows had stretched their own columns: 0.008 of the new rows had p <= 0.002. */
TEST(heavy_tails_do_not_make_p_values_of_new_rows_too_small) {
  double share = share_at_most(0.002, NOISY_T2_WIDE, 1000, 1000, 6);
  assert_true(share > 0.0005 && share < 0.004);
}

/* An export appended to itself: the copy of a row that was left out stayed, and every new row had p <= 0.01. */
TEST(copied_rows_do_not_make_new_rows_abnormal) {
  static const noisy_kind kinds[] = {NOISY_GAUSSIAN, NOISY_MIXED, NOISY_CATEGORIES};
  for (size_t k = 0; k < 3; k++) {
    double twice = share_at_most(0.05, kinds[k], 1200, 600, 2),
           tenth = share_at_most(0.05, kinds[k], 660, 600, 2);
    assert_true(twice > 0.025 && twice < 0.08);
    assert_true(tenth > 0.025 && tenth < 0.08);
  }
}

/* The parts of the cross-fit had different scales: 0.13 of the rows of few words, half of which have one score,
 * had p <= 0.05. */
TEST(rows_of_few_words_have_p_values_that_hold) {
  assert_true(share_at_most(0.05, NOISY_CATEGORIES, 100, 100, 12) < 0.07);
}

static size_t copies_of(const char *text, const char *id) {
  anorank_settings settings = quick(ANORANK_TRAIN_CLEAN);
  scoped_table *table = NULL;
  ank_duplicates copies;
  settings.id = id;
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, strlen(text), "t.csv"), NULL, NULL));
  assert_ok(ank_duplicates_find(&copies, table, &settings, NULL));
  size_t count = copies.copies;
  for (size_t i = 0; count > 0 && i < anorank_table_rows(table); i++)
    assert_true(copies.of[copies.of[i]] == copies.of[i]);
  ank_duplicates_free(&copies);
  return count;
}

TEST(equal_rows_are_copies_where_chance_would_not_make_them_equal) {
  /* a number that no other row has, and another one agrees */
  assert_int_equal(copies_of("a,b\n1.5,7.1\n2.5,7.2\n1.5,7.1\n3.5,7.4\n", ""), 1);
  assert_int_equal(copies_of("a,b\n,7.1\n2.5,7.2\n,7.1\n3.5,7.4\n", ""), 1);
  /* the rest agrees by chance, or there is none */
  assert_int_equal(copies_of("a,b\n1.5,x\n2.5,x\n1.5,x\n3.5,y\n", ""), 0);
  assert_int_equal(copies_of("a\n1.5\n2.5\n1.5\n3.5\n", ""), 0);
  /* small numbers and words that other rows have, too */
  assert_int_equal(copies_of("a,b\n1,x\n2,x\n1,x\n1,y\n", ""), 0);
  assert_int_equal(copies_of("a,b\nu,x\nv,x\nu,x\nv,y\n", ""), 0);
  /* all of them, twice */
  assert_int_equal(copies_of("a\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", ""), 10);
  assert_int_equal(copies_of("a\nu\nu\nv\nv\n", ""), 0); /* too few to be sure */
  /* a column that names the rows */
  assert_int_equal(copies_of("n,a,b\n1,1.5,7.1\n2,2.5,7.2\n3,1.5,7.1\n4,3.5,7.3\n", "n"), 1);
  assert_int_equal(copies_of("n,a,b\n1,1.5,7.1\n2,2.5,7.2\n3,1.5,7.3\n4,3.5,7.4\n", "n"), 0);
}

/* A row that is a tenth of the table is a usual one. */
TEST(a_row_that_is_everywhere_is_no_copy) {
  char text[8192] = "a,b\n";
  for (size_t i = 0; i < 200; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%g,%g\n", i % 10 ? 0.37 * (double)i : 77.25,
             i % 10 ? 0.11 * (double)(i * i) : 13.125);
  assert_int_equal(copies_of(text, ""), 0);
}

TEST(a_copy_is_judged_as_the_row_that_it_is_a_copy_of) {
  enum { N = 300 };
  anorank_settings settings = quick(ANORANK_TRAIN_CONTAMINATED);
  scoped_table *table = noisy_table(NOISY_GAUSSIAN, N, N / 2, 0, 3);
  scoped_model *model = NULL;
  scoped_ranking *verdict = NULL;
  double scores[N];
  settings.lowest = N;
  assert_ok(anorank_detect(&model, &verdict, table, NULL, &settings, NULL));
  for (size_t i = 0; i < N; i++)
    scores[anorank_ranking_at(verdict, i)->row] = anorank_ranking_at(verdict, i)->score;
  for (size_t i = 0; i < N / 2; i++) assert_true(scores[i] == scores[i + N / 2]);
  assert_int_equal(anorank_model_get_info(model)->calibration->rows, N / 2);
  assert_true(has_note(anorank_model_notes(model), "rows-duplicate", "150 "));
}

/* Where rows are repeated, a new row that equals one of the fit is one more repetition, not that row come back. */
TEST(a_row_that_was_repeated_vouches_for_the_next_one) {
  enum { N = 300 };
  anorank_settings settings = quick(ANORANK_TRAIN_CLEAN);
  for (size_t copies = 0; copies < 2; copies++) {
    scoped_table *table = noisy_table(NOISY_GAUSSIAN, N, N - copies, 0, 3);
    scoped_model *model = NULL;
    assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
    assert_int_equal(((const ank_blend *)model->pipeline.scorer)->skip_copies, copies == 0);
  }
}

/* Return how many rows `detect` finds at a rate of 0.1, and how many of them are anomalies (the last
 * rows). */
static size_t found_in(const anorank_table *table, size_t anomalies, size_t *right) {
  anorank_settings settings = quick(ANORANK_TRAIN_CONTAMINATED);
  scoped_model *model = NULL;
  scoped_ranking *verdict = NULL;
  settings.fdr = 0.1;
  assert_ok(anorank_detect(&model, &verdict, table, NULL, &settings, NULL));
  size_t count = anorank_ranking_get_info(verdict)->count;
  *right = 0;
  for (size_t i = 0; i < count; i++)
    *right += anorank_ranking_at(verdict, i)->row + anomalies >= anorank_table_rows(table);
  return count;
}

/* An exponential tail was fitted to a handful of values: up to 59 rows, with q down to 1e-7. */
TEST(nothing_is_found_in_random_words) {
  size_t runs = 0, right;
  for (uint64_t seed = 0; seed < 6; seed++) {
    scoped_table *table = noisy_table(NOISY_CATEGORIES, 400, 400, 0, seed);
    runs += found_in(table, 0, &right) > 0;
  }
  assert_true(runs <= 1);
}

/* Anomalies that raised the scale by which they were judged hid each other. One table alone may miss all or none of
 * them: two in three over a few tables here; tests/slow/false_alarms.c measures how many it is. */
TEST(gross_anomalies_are_found_among_numbers_and_words) {
  static const noisy_kind kinds[] = {NOISY_GAUSSIAN, NOISY_MIXED, NOISY_COUNTS};
  for (size_t k = 0; k < 3; k++)
    for (size_t share = 0; share < 2; share++) {
      size_t bad = share ? 50 : 10, tables = k == 0 && share == 0 ? 6 : 2, right = 0, wrong = 0;
      for (uint64_t seed = 0; seed < tables; seed++) {
        scoped_table *table = noisy_table(kinds[k], 1000, 1000, bad, 40 + seed);
        size_t found, mine;
        found = found_in(table, bad, &mine);
        right += mine;
        wrong += found - mine;
      }
      if (3 * right < 2 * bad * tables) print_error("kind %zu: %zu of %zu\n", k, right, bad * tables);
      assert_true(3 * right >= 2 * bad * tables);
      assert_true(wrong <= right / 5);
    }
}

/* One column of normal numbers, the last of them `odd` unless that is 0. */
static anorank_table *one_column(size_t rows, double odd, uint64_t seed) {
  double *values = test_memory(rows * sizeof *values);
  anorank_table *table = NULL;
  ank_rng rng;
  assert_non_null(values);
  ank_rng_open(&rng, seed, 7100, rows);
  for (size_t i = 0; i < rows; i++) values[i] = 10 + ank_rng_normal(&rng);
  if (odd > 0) values[rows - 1] = odd;
  assert_ok(anorank_table_from_matrix(&table, values, rows, 1, 1, 1, NULL, NULL));
  return table;
}

/* The trimming cuts off both ends of the column, and these were excluded as anomalies: 250 of 1,000 rows and more. */
TEST(nothing_is_found_in_one_column_of_noise) {
  size_t runs = 0, right;
  for (uint64_t seed = 0; seed < 8; seed++) {
    scoped_table *table = one_column(1000, 0, seed);
    runs += found_in(table, 0, &right) > 0;
  }
  assert_true(runs <= 1);
}

/* 89 standard deviations: q was 0.6 in some draws, and in most a few normal rows were reported with it, those of the
 * histogram's second bin. */
TEST(a_value_far_from_all_others_is_certain_and_alone) {
  for (uint64_t seed = 0; seed < 12; seed++) {
    anorank_settings settings = quick(ANORANK_TRAIN_CONTAMINATED);
    scoped_table *table = one_column(300, 99, seed);
    scoped_model *model = NULL;
    scoped_ranking *verdict = NULL;
    settings.lowest = 2;
    assert_ok(anorank_detect(&model, &verdict, table, NULL, &settings, NULL));
    assert_int_equal(anorank_ranking_at(verdict, 0)->row, 299);
    assert_true(anorank_ranking_at(verdict, 0)->q_value <= 0.01);
    assert_true(anorank_ranking_at(verdict, 1)->q_value > 0.1);
  }
}

/* Later normal rows and calibration rows come from one law: the two-sample Kolmogorov-Smirnov distance of
 * their scores, which the p-values carry, stays below its 1 % point in nearly all tables. */
TEST(p_values_of_new_normal_rows_are_uniform) {
  enum { TABLES = 20, TEST = 400 };
  size_t beyond = 0;
  for (uint64_t t = 0; t < TABLES; t++) {
    scoped_table *train = model_table(600, 0, 100 + t), *test = model_table(TEST, 0, 200 + t);
    anorank_settings settings = model_settings();
    scoped_model *model;
    assert_ok(anorank_fit(&model, train, NULL, &settings, NULL));
    double p[TEST], distance = 0, n = (double)anorank_model_get_info(model)->calibration->rows;
    assert_ok(anorank_model_score(model, test, NULL, p, NULL, NULL));
    for (double u = 1 / (n + 1); u < 1; u += 1 / (n + 1)) {
      double below = 0;
      for (size_t i = 0; i < TEST; i++) below += p[i] <= u + 1e-9;
      distance = fmax(distance, fabs(below / TEST - u));
    }
    beyond += distance * sqrt(n * TEST / (n + TEST)) > 1.63;
  }
  assert_true(beyond <= 2);
}
