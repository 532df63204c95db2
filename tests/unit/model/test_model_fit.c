/* What a fit promises: same bytes, scores of rows that do not depend on each other, honest calibration. */
#include "core/alloc.h"
#include "model/duplicate_rows.h"
#include "model/row_subset.h"
#include "scorers/scorer.h"
#include "support/models.h"
#include "support/notes.h"

/* Settings that keep every class small. */
static anorank_settings quick_settings(const char *scorer) {
  anorank_settings settings = model_settings();
  settings.scorer = scorer;
  settings.lambda = "0,1";
  settings.epochs = 2;
  settings.trees = 5;
  settings.rounds = 5;
  settings.subsamples = 4;
  settings.subsample = 16;
  settings.reference_rows = 50;
  settings.depth = 3;
  return settings;
}

static anorank_model *fit(const anorank_table *table, const anorank_settings *settings) {
  anorank_model *model;
  anorank_error err = {0};
  anorank_status status = anorank_fit(&model, table, NULL, settings, &err);
  if (status != ANORANK_OK) print_error("%s\n", err.message);
  assert_ok(status);
  return model;
}

TEST(same_seed_gives_same_bytes_for_any_number_of_threads) {
  static const char *const scorers[] = {"auto", "linear,trees", "isolation"};
  scoped_table *table = model_table(400, 4, 1);
  for (size_t s = 0; s < 3; s++)
    for (int train = 0; train < 2; train++) {
      scoped_bytes first = {0};
      for (int64_t threads = 1; threads <= 8; threads += threads == 1 ? 1 : 6) {
        scoped_bytes bytes = {0};
        anorank_settings settings = quick_settings(scorers[s]);
        settings.threads = threads;
        settings.train = train;
        anorank_model *model = fit(table, &settings);
        assert_ok(anorank_model_save(model, ANORANK_TO_MEMORY(&bytes.data, &bytes.length, "m"), NULL));
        anorank_model_free(model);
        if (threads == 1)
          first = bytes, bytes = (ank_bytes){0};
        else
          assert_same_bytes(&bytes, &first);
      }
    }
}

/* A table that was appended to itself, large enough for threads: 20,000 rows, then their first half again. */
TEST(rows_are_copied_and_found_again_by_any_number_of_threads) {
  enum { ONCE = 20000, ROWS = 30000 };
  scoped_table *once = model_table(ONCE, 0, 3);
  size_t *rows = test_memory(ROWS * sizeof *rows);
  for (size_t i = 0; i < ROWS; i++) rows[i] = i % ONCE;
  for (int64_t threads = 1; threads <= 4; threads += 3) {
    anorank_settings settings = model_settings();
    scoped_table *table;
    ank_duplicates copies;
    settings.threads = threads;
    assert_ok(ank_copy_rows(&table, once, rows, ROWS, &settings, NULL));
    assert_int_equal(table->rows, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
      assert_memory_equal(&table->column[2].numbers[i], &once->column[2].numbers[rows[i]], sizeof(double));
      const char *kind = table->column[4].levels.text[table->column[4].codes[i]];
      assert_string_equal(kind, once->column[4].levels.text[once->column[4].codes[rows[i]]]);
    }
    assert_ok(ank_duplicates_find(&copies, table, &settings, NULL));
    assert_int_equal(copies.copies, ROWS - ONCE);
    for (size_t i = 0; i < ROWS; i++) assert_int_equal(copies.of[i], rows[i]);
    ank_duplicates_free(&copies);
  }
}

TEST(another_seed_gives_another_model) {
  scoped_table *table = model_table(400, 0, 1);
  anorank_settings settings = model_settings();
  settings.fast = 1; /* with so few rows the careful recipe keeps them all, and draws nothing */
  scoped_model *one = fit(table, &settings);
  settings.seed = 6;
  scoped_model *other = fit(table, &settings);
  double *a = model_scores(one, table), *b = model_scores(other, table);
  assert_true(memcmp(a, b, 400 * sizeof *a) != 0);
}

TEST(a_row_scores_the_same_alone_among_many_and_in_any_order) {
  enum { ROWS = 3000 };
  scoped_table *table = model_table(ROWS, 3, 2), *reversed;
  anorank_table *one;
  size_t backwards[ROWS];
  double alone;
  for (size_t i = 0; i < ROWS; i++) backwards[i] = ROWS - 1 - i;
  assert_ok(ank_copy_rows(&reversed, table, backwards, ROWS, NULL, NULL));
  static const char *const scorers[] = {"auto", "mlp", "mahalanobis", "treerank"};
  for (size_t s = 0; s < 4; s++) {
    anorank_settings settings = quick_settings(scorers[s]);
    scoped_model *model = fit(table, &settings);
    double *scores = model_scores(model, table), *turned = model_scores(model, reversed);
    for (size_t i = 0; i < ROWS; i++) assert_same_bits(&scores[i], &turned[ROWS - 1 - i], 1);
    for (size_t i = 0; i < ROWS; i += 371) {
      assert_ok(ank_copy_rows(&one, table, &i, 1, NULL, NULL));
      assert_ok(anorank_model_score(model, one, &alone, NULL, NULL, NULL));
      assert_same_bits(&alone, &scores[i], 1);
      anorank_table_free(one);
    }
  }
}

TEST(every_class_can_be_fitted_saved_and_loaded_with_the_same_scores) {
  scoped_table *table = model_table(300, 3, 3);
  for (size_t k = 0; ank_scorer_at(k); k++)
    for (int train = 0; train < 2; train++) {
      scoped_bytes bytes = {0}, again = {0};
      scoped_model *loaded;
      anorank_settings settings = quick_settings(ank_scorer_at(k)->info.name);
      settings.train = train;
      scoped_model *model = fit(table, &settings);
      assert_string_equal(anorank_model_get_info(model)->scorer, ank_scorer_at(k)->info.name);
      assert_ok(anorank_model_save(model, ANORANK_TO_MEMORY(&bytes.data, &bytes.length, "m"), NULL));
      assert_ok(anorank_model_load(&loaded, ANORANK_FROM_MEMORY(bytes.data, bytes.length, "memory"), NULL));
      double *a = model_scores(model, table), *b = model_scores(loaded, table);
      for (size_t i = 0; i < 300; i++) assert_true(isfinite(a[i]));
      assert_same_bits(a, b, 300);
      assert_ok(anorank_model_save(loaded, ANORANK_TO_MEMORY(&again.data, &again.length, "m"), NULL));
      assert_same_bytes(&again, &bytes);
      assert_int_equal(anorank_model_get_info(loaded)->bytes, anorank_model_get_info(model)->bytes);
    }
}

TEST(p_values_count_calibration_scores_with_ties_against_the_row) {
  double calibration[] = {-3, -1, -1, 0, 2};
  anorank_model model = {.calibration = calibration, .calibration_count = 5};
  model.null = ank_calibration_from_ranks(calibration, 5);
  assert_close(ank_model_p_value(&model, -4), 1.0 / 6, 0);
  assert_close(ank_model_p_value(&model, -3), 2.0 / 6, 0);
  assert_close(ank_model_p_value(&model, -2), 2.0 / 6, 0);
  assert_close(ank_model_p_value(&model, -1), 4.0 / 6, 0);
  assert_close(ank_model_p_value(&model, 2), 1, 0);
  assert_close(ank_model_p_value(&model, INFINITY), 1, 0);
  assert_close(ank_model_p_value(&model, -INFINITY), 1.0 / 6, 0);
}

TEST(the_score_at_a_p_value_is_the_highest_that_has_it) {
  double calibration[] = {-3, -1, -1, 0, 2};
  anorank_model model = {.calibration = calibration, .calibration_count = 5};
  model.null = ank_calibration_from_ranks(calibration, 5);
  assert_true(anorank_model_score_at(&model, 1.0 / 6) == nextafter(-3, -INFINITY));
  assert_true(anorank_model_score_at(&model, 0.5) == nextafter(-1, -INFINITY));
  assert_true(anorank_model_score_at(&model, 4.0 / 6) == nextafter(0, -INFINITY));
  assert_true(anorank_model_score_at(&model, 5.0 / 6) == nextafter(2, -INFINITY));
  assert_true(anorank_model_score_at(&model, 1) == INFINITY);
  assert_true(anorank_model_score_at(&model, 0.1) == -INFINITY);
  assert_true(anorank_model_score_at(&model, NAN) == -INFINITY);
  assert_true(anorank_model_score_at(NULL, 0.5) == -INFINITY);
}

TEST(each_class_and_number_of_rows_has_its_way_to_calibrate) {
  static const struct {
    const char *scorer;
    size_t rows;
    anorank_train train;
    double share;
    size_t calibration;
    anorank_calibration_method way;
    size_t folds;
  } cases[] = {{"auto", 1000, ANORANK_TRAIN_CLEAN, 0, 1000, ANORANK_CALIBRATED_LEAVE_ONE_OUT, 0},
               {"auto", 1000, ANORANK_TRAIN_CONTAMINATED, 0, 1000, ANORANK_CALIBRATED_LEAVE_ONE_OUT, 0},
               {"hull", 1000, ANORANK_TRAIN_CLEAN, 0, 1000, ANORANK_CALIBRATED_CROSS_FIT, 5},
               {"hull", 1000, ANORANK_TRAIN_CONTAMINATED, 0, 1000, ANORANK_CALIBRATED_LEAVE_ONE_OUT, 0},
               {"auto", 999, ANORANK_TRAIN_CLEAN, 0, 999, ANORANK_CALIBRATED_CROSS_FIT, 20},
               {"auto", 6, ANORANK_TRAIN_CLEAN, 0, 6, ANORANK_CALIBRATED_CROSS_FIT, 6},
               {"auto", 400, ANORANK_TRAIN_CLEAN, 0.2, 80, ANORANK_CALIBRATED_SPLIT, 0},
               {"auto", 400, ANORANK_TRAIN_CONTAMINATED, 0.2, 80, ANORANK_CALIBRATED_SPLIT, 0},
               {"isolation", 400, ANORANK_TRAIN_CLEAN, 0, 100, ANORANK_CALIBRATED_SPLIT, 0},
               {"isolation", 200, ANORANK_TRAIN_CLEAN, 0, 50, ANORANK_CALIBRATED_SPLIT, 0},
               {"isolation", 199, ANORANK_TRAIN_CLEAN, 0, 199, ANORANK_CALIBRATED_CROSS_FIT, 5},
               {"isolation", 400, ANORANK_TRAIN_CONTAMINATED, 0, 400, ANORANK_CALIBRATED_CROSS_FIT, 5},
               {"isolation", 6, ANORANK_TRAIN_CLEAN, 0, 6, ANORANK_CALIBRATED_CROSS_FIT, 5}};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    scoped_table *table = model_table(cases[c].rows, 0, 4);
    anorank_settings settings = model_settings();
    settings.scorer = cases[c].scorer;
    settings.train = cases[c].train;
    settings.calibration = cases[c].share;
    scoped_model *model = fit(table, &settings);
    assert_int_equal(anorank_model_get_info(model)->calibration->rows, cases[c].calibration);
    assert_int_equal(anorank_model_get_info(model)->calibration->way, cases[c].way);
    assert_int_equal(anorank_model_get_info(model)->calibration->folds, cases[c].folds);
    assert_true(has_note(anorank_model_notes(model), "calibration", ""));
    assert_int_equal(anorank_model_get_info(model)->train_rows, cases[c].rows);
    assert_true(model->pipeline.background_rows <= 1024 && model->pipeline.background_rows > 0);
    for (size_t i = 1; i < model->calibration_count; i++)
      assert_true(model->calibration[i - 1] <= model->calibration[i]);
  }
}

/* `rows` with a column y: 1 for the last `odd`, 0 for the first, empty for the others. */
static anorank_table *labelled_table(size_t rows, size_t odd) {
  anorank_table *table = model_table(rows, odd, 31), *labelled;
  assert_ok(ank_table_new(&labelled, table->columns + 1, NULL));
  for (size_t j = 0; j < table->columns; j++) {
    const char *name = table->column[j].name;
    assert_ok(ank_table_set_name(labelled, j, name, strlen(name), NULL));
    ank_table_set_kind(labelled, j, table->column[j].kind);
  }
  assert_ok(ank_table_set_name(labelled, table->columns, "y", 1, NULL));
  assert_ok(ank_table_reserve(labelled, rows, NULL));
  for (size_t j = 0; j < table->columns; j++)
    assert_ok(ank_copy_cells(&labelled->column[j], &table->column[j], NULL, rows, NULL));
  for (size_t i = 0; i < rows; i++)
    labelled->column[table->columns].numbers[i] = i == 0 ? 0 : i + odd >= rows ? 1 : (double)NAN;
  labelled->rows = rows;
  anorank_table_free(table);
  return labelled;
}

TEST(labelled_and_given_anomalies_teach_the_same) {
  enum { ROWS = 300, ODD = 6 };
  static const char *const scorers[] = {"auto", "linear", "trees", "knn"};
  scoped_table *all = labelled_table(ROWS, ODD), *normal, *odd;
  size_t rows[ROWS];
  for (size_t i = 0; i < ROWS; i++) rows[i] = i;
  assert_ok(ank_copy_rows(&normal, all, rows, ROWS - ODD, NULL, NULL));
  assert_ok(ank_copy_rows(&odd, all, rows + ROWS - ODD, ODD, NULL, NULL));
  for (size_t s = 0; s < 4; s++) {
    anorank_settings settings = quick_settings(scorers[s]);
    settings.labels = "y";
    scoped_model *labelled = fit(all, &settings), *given, *plain = fit(normal, &settings);
    assert_ok(anorank_fit(&given, normal, &(anorank_training){.known = odd}, &settings, NULL));
    double *a = model_scores(labelled, all), *b = model_scores(given, all), *c = model_scores(plain, all);
    assert_same_bits(a, b, ROWS);
    assert_int_equal(anorank_model_get_info(labelled)->known_rows, ODD);
    assert_int_equal(anorank_model_get_info(plain)->known_rows, 0);
    assert_true(has_note(anorank_model_notes(labelled), "feedback-normal", "1 row"));
    int learns = strcmp(scorers[s], "knn") != 0;
    assert_true(has_note(anorank_model_notes(given), learns ? "known-anomalies" : "known-unused", " 6 "));
    assert_true((memcmp(a, c, sizeof *a * ROWS) != 0) == learns);
  }
}

TEST(at_most_a_thousand_known_anomalies_are_used) {
  scoped_table *table = model_table(200, 0, 32), *known = model_table(1500, 1500, 33);
  anorank_settings settings = quick_settings("linear");
  scoped_model *model;
  assert_ok(anorank_fit(&model, table, &(anorank_training){.known = known}, &settings, NULL));
  assert_int_equal(anorank_model_get_info(model)->known_rows, 1000);
  assert_true(has_note(anorank_model_notes(model), "known-sampled", "1000 of the 1500"));
}

TEST(known_anomalies_without_the_columns_are_refused) {
  static const char text[] = "a,b,kind\n1,2,x\n";
  scoped_table *table = model_table(100, 0, 34), *known, *odd = labelled_table(8, 6);
  anorank_settings settings = model_settings();
  anorank_error err = {0};
  anorank_model *model;
  assert_ok(anorank_table_read(&known, ANORANK_FROM_MEMORY(text, sizeof text - 1, "known.csv"), NULL, NULL));
  assert_status(anorank_fit(&model, table, &(anorank_training){.known = known}, &settings, &err),
                ANORANK_ERROR_DATA);
  assert_error(&err, "column-missing");
  settings.labels = "y";
  assert_fails(anorank_fit(&model, odd, NULL, &settings, &err), ANORANK_ERROR_DATA, "fit-too-few-rows");
}

TEST(planted_rows_have_the_lowest_scores) {
  for (int train = 0; train < 2; train++) {
    scoped_table *table = model_table(500, train ? 5 : 0, 7), *test = model_table(500, 5, 7);
    anorank_settings settings = model_settings();
    settings.train = train;
    scoped_model *model = fit(table, &settings);
    double *scores = model_scores(model, test), highest_odd = -INFINITY, lowest_usual = INFINITY;
    for (size_t i = 0; i < 495; i++) lowest_usual = fmin(lowest_usual, scores[i]);
    for (size_t i = 495; i < 500; i++) highest_odd = fmax(highest_odd, scores[i]);
    assert_true(highest_odd < lowest_usual);
  }
}

TEST(a_level_never_seen_makes_a_row_abnormal_for_every_class) {
  static const char text[] = "name,a,b,c,kind\nn,0.1,0.2,0.1,x\nn,0.1,0.2,0.1,never\n";
  scoped_table *table = model_table(400, 0, 8), *test;
  assert_ok(anorank_table_read(&test, ANORANK_FROM_MEMORY(text, sizeof text - 1, "test"), NULL, NULL));
  for (size_t k = 0; ank_scorer_at(k); k++) {
    anorank_settings settings = quick_settings(ank_scorer_at(k)->info.name);
    scoped_model *model = fit(table, &settings);
    double *scores = model_scores(model, test);
    if (!(scores[1] < scores[0])) print_error("%s: %g, %g\n", settings.scorer, scores[0], scores[1]);
    assert_true(scores[1] < scores[0]);
  }
}

TEST(rows_beyond_the_memory_limit_are_sampled_and_that_is_said) {
  scoped_table *table = model_table(5000, 0, 9);
  anorank_settings settings = model_settings();
  settings.max_memory = 300000;
  scoped_model *model = fit(table, &settings);
  assert_true(has_note(anorank_model_notes(model), "rows-sampled", " 5000 "));
  assert_int_equal(anorank_model_get_info(model)->train_rows, 5000);
}

TEST(what_cannot_be_fitted_is_refused_in_words) {
  static const struct {
    const char *name, *value, *words;
    anorank_status status;
  } cases[] = {{"scorer", "nosuch", "scorer-unknown", ANORANK_ERROR_USAGE},
               {"contrast", "nosuch", "law-unknown", ANORANK_ERROR_USAGE},
               {"id", "nosuch", "column-unknown setting=id", ANORANK_ERROR_USAGE}};
  scoped_table *table = model_table(50, 0, 10), *few = model_table(4, 0, 10);
  anorank_error err = {0};
  anorank_model *model;
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    anorank_settings settings = model_settings();
    assert_ok(ank_settings_lend(&settings, cases[c].name, cases[c].value, NULL));
    assert_status(anorank_fit(&model, table, NULL, &settings, &err), cases[c].status);
    assert_null(model);
    assert_error(&err, cases[c].words);
  }
  assert_fails(anorank_fit(&model, few, NULL, NULL, &err), ANORANK_ERROR_DATA, "fit-too-few-rows");
  assert_status(anorank_fit(&model, NULL, NULL, NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_fit(NULL, table, NULL, NULL, &err), ANORANK_ERROR_USAGE);
}

TEST(a_column_that_is_constant_but_for_one_row_can_be_fitted) {
  double cells[] = {1, 1, 1, 1, 2};
  anorank_settings settings = test_settings();
  scoped_table *table;
  assert_ok(anorank_table_from_matrix(&table, cells, 5, 1, 1, 1, NULL, NULL));
  scoped_model *model = fit(table, &settings);
  /* without the odd row the column is constant, and the row departs from it */
  assert_int_equal(anorank_model_get_info(model)->calibration->rows, 5);
}

static int stop_after(void *context, double share_done, const char *what) {
  int *left = context;
  assert_true(share_done >= 0 && share_done <= 1);
  assert_non_null(what);
  return --*left <= 0;
}

TEST(a_fit_can_be_stopped_and_tells_progress) {
  scoped_table *table = model_table(300, 0, 11);
  anorank_settings settings = model_settings();
  anorank_model *model;
  int left = 1000;
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  settings.progress = stop_after;
  settings.progress_context = &left;
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  assert_true(left < 996);
  assert_null(anorank_model_settings(model)->progress);
  anorank_model_free(model);
  left = 3;
  assert_status(anorank_fit(&model, table, NULL, &settings, NULL), ANORANK_CANCELLED);
  assert_null(model);
}

static int stop_soon(void *context) { return ++*(int *)context > 20; }

TEST(long_training_stops_when_asked) {
  scoped_table *table = model_table(300, 0, 11);
  static const char *const classes[] = {"mlp", "blend", "trees", "rankboost"};
  for (size_t k = 0; k < 4; k++)
    for (int64_t threads = 1; threads <= 2; threads++) {
      anorank_settings settings = model_settings();
      anorank_model *model;
      anorank_error err = {0};
      int asked = 0;
      settings.scorer = classes[k];
      settings.epochs = settings.rounds = 1000000; /* hours */
      settings.threads = threads;
      settings.calibration = 0.5;
      anorank_settings_on_stop(&settings, stop_soon, &asked);
      assert_fails(anorank_fit(&model, table, NULL, &settings, &err), ANORANK_CANCELLED, "cancelled");
      assert_null(model);
    }
}

TEST(the_score_table_has_ids_then_row_score_and_p_value) {
  scoped_table *table = model_table(300, 0, 12), *result;
  anorank_settings settings = model_settings();
  scoped_model *model = fit(table, &settings);
  double *scores = model_scores(model, table);
  assert_ok(anorank_model_score_table(&result, model, table, 11, NULL, NULL));
  assert_int_equal(anorank_table_columns(result), 4);
  assert_string_equal(anorank_table_name(result, 0), "name");
  assert_string_equal(anorank_table_name(result, 1), "row");
  assert_string_equal(anorank_table_name(result, 2), "score");
  assert_string_equal(anorank_table_name(result, 3), "p_value");
  assert_string_equal(anorank_table_level(result, 0, (size_t)anorank_table_codes(result, 0)[7]), "row-7");
  assert_close(anorank_table_numbers(result, 1)[7], 18, 0);
  assert_same_bits(anorank_table_numbers(result, 2), scores, 300);
  assert_close(anorank_table_numbers(result, 3)[7], ank_model_p_value(model, scores[7]), 0);
}

/* ---- constant tables ------------------------------------------------------------------------------------- */

static anorank_table *read_rows(const char *text) {
  anorank_table *table;
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, strlen(text), "text"), NULL, NULL));
  return table;
}

TEST(a_table_of_constants_fits_and_departures_score_lower) {
  char *text;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  fputs("a,b,k\n", stream);
  for (int i = 0; i < 60; i++) fputs("1,2,u\n", stream);
  fclose(stream);
  scoped_table *table = read_rows(text);
  scoped_table *later = read_rows("a,b,k\n1,2,u\n1,3,u\n9,3,u\n1,2,z\n");
  free(text);
  for (int32_t train = 0; train < 2; train++) {
    scoped_bytes bytes = {0};
    anorank_settings settings = test_settings();
    double scores[4], p[4];
    settings.train = train;
    anorank_model *fresh = fit(table, &settings);
    assert_true(has_note(anorank_model_notes(fresh), "columns-constant", ""));
    assert_ok(anorank_model_save(fresh, ANORANK_TO_MEMORY(&bytes.data, &bytes.length, "m"), NULL));
    anorank_model_free(fresh);
    scoped_model *model;
    assert_ok(ank_model_load(&model, bytes.data, bytes.length, "bytes", NULL));
    assert_ok(anorank_model_score(model, later, scores, p, NULL, NULL));
    assert_true(scores[1] < scores[0] && scores[2] < scores[1] && scores[3] == scores[1]);
    assert_true(p[0] == 1 && p[1] < 0.05);
  }
}
