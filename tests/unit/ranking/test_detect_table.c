/* test_detect_table.c - fit and rank of the same table. */
#include "core/alloc.h"
#include "model/model.h"
#include "ranking/ranking.h"
#include "support/models.h"

enum { ROWS = 1200, ODD = 12 };

static anorank_settings settings_of(const char *class_name, anorank_train train) {
  anorank_settings settings = model_settings();
  settings.scorer = class_name;
  settings.train = (int32_t)train;
  settings.reasons = 1;
  settings.lowest = 20;
  return settings;
}

static void same_findings(const anorank_ranking *a, const anorank_ranking *b) {
  assert_int_equal(anorank_ranking_get_info(a)->count, anorank_ranking_get_info(b)->count);
  for (size_t i = 0; i < anorank_ranking_get_info(a)->count; i++) {
    const anorank_finding *one = anorank_ranking_at(a, i), *two = anorank_ranking_at(b, i);
    char text[200], other[200];
    assert_int_equal(one->row, two->row);
    assert_same_bits(&one->score, &two->score, 1);
    assert_same_bits(&one->p_value, &two->p_value, 1);
    assert_same_bits(&one->q_value, &two->q_value, 1);
    anorank_reason_text(anorank_ranking_reason(a, i, 0), text, sizeof text);
    anorank_reason_text(anorank_ranking_reason(b, i, 0), other, sizeof other);
    assert_string_equal(text, other);
  }
}

/* The default skips copies, so that its scores of the rows of the fit are those it had at the fit: by leaving
 * out, by a split, by folds, and with known anomalies among the rows. */
TEST(the_default_finds_what_fit_and_rank_find) {
  static const struct {
    size_t rows;
    double calibration;
    const char *labels;
  } cases[] = {{ROWS, 0, ""}, {ROWS, 0.3, ""}, {300, 0, ""}, {ROWS, 0, "kind"}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    anorank_settings settings = settings_of("auto", ANORANK_TRAIN_CONTAMINATED);
    scoped_table *table = model_table(cases[k].rows, ODD, 3), *known = model_table(40, 40, 4);
    scoped_model *model, *other;
    scoped_ranking *ranking, *expected;
    settings.calibration = cases[k].calibration;
    assert_ok(anorank_detect(&model, &ranking, table,
                             &(anorank_training){.known = cases[k].labels[0] ? known : NULL}, &settings,
                             NULL));
    assert_ok(anorank_fit(&other, table, &(anorank_training){.known = cases[k].labels[0] ? known : NULL},
                          &settings, NULL));
    assert_ok(anorank_ranking_make(&expected, other, table, &settings, NULL));
    same_findings(ranking, expected);
  }
}

TEST(rows_that_the_fit_scored_are_not_scored_again) {
  anorank_settings settings = settings_of("auto", ANORANK_TRAIN_CONTAMINATED);
  scoped_table *table = model_table(ROWS, ODD, 3);
  scoped_model *model;
  double *scores = test_memory(ROWS * sizeof *scores);
  size_t told = 0;
  assert_ok(ank_model_fit(&model, table, NULL, NULL, scores, &settings, NULL));
  for (size_t i = 0; i < ROWS; i++) assert_false(isnan(scores[i]));
  anorank_model_free(model);
  settings.train = ANORANK_TRAIN_CLEAN;
  settings.scorer = "isolation"; /* cannot leave out: those kept from the fit alone are there */
  assert_ok(ank_model_fit(&model, table, NULL, NULL, scores, &settings, NULL));
  for (size_t i = 0; i < ROWS; i++) told += !isnan(scores[i]);
  assert_int_equal(told, anorank_model_get_info(model)->calibration->rows);
  assert_int_equal(anorank_model_get_info(model)->calibration->way, ANORANK_CALIBRATED_SPLIT);
}

/* Share of pairs of an odd row and another in which the odd one has the lower score. */
static double area(const double *scores, size_t rows, size_t odd) {
  double wins = 0;
  for (size_t i = rows - odd; i < rows; i++)
    for (size_t j = 0; j < rows - odd; j++)
      wins += scores[i] < scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
  return wins / (double)(odd * (rows - odd));
}

/* A row of a small file is in many of the subsamples that it is compared with: counted as its own neighbour,
 * an anomaly would look like all others. */
TEST(no_row_is_its_own_neighbour) {
  enum { FEW = 242, FEW_ODD = 12 };
  static const char *const classes[] = {"neighbours", "knn", "hull", "blend"};
  scoped_table *table = model_table(FEW, FEW_ODD, 8);
  for (size_t k = 0; k < 4; k++) {
    anorank_settings settings = settings_of(classes[k], ANORANK_TRAIN_CONTAMINATED);
    scoped_model *model;
    scoped_ranking *ranking;
    double by_row[FEW], again[FEW];
    settings.lowest = 0;
    settings.neighbours = 1;
    assert_ok(anorank_detect(&model, &ranking, table, NULL, &settings, NULL));
    for (size_t i = 0; i < FEW; i++)
      by_row[anorank_ranking_at(ranking, i)->row] = anorank_ranking_at(ranking, i)->score;
    assert_ok(anorank_model_score(model, table, again, NULL, NULL, NULL));
    double *apart = model_scores(model, table);
    assert_same_bits(again, apart, FEW);
    double detected = area(by_row, FEW, FEW_ODD), scored = area(again, FEW, FEW_ODD);
    if (k != 1)
      assert_true(detected > 0.85); /* 12 rows of one odd kind do have a near neighbour: k = 1 is fooled */
    if (k == 1) assert_same_bits(by_row, again, FEW); /* one kept copy: leaving it out is skipping it */
    assert_true(fabs(detected - scored) < 0.05);
  }
}

/* An answer about one far row: all others are drawn, trimmed and compared as without it, the row itself is compared
 * with and calibrates nothing. */
TEST(an_answer_moves_no_rows_but_those_around_it) {
  anorank_settings settings = settings_of("auto", ANORANK_TRAIN_CONTAMINATED);
  scoped_table *table = model_table(ROWS, ODD, 3);
  scoped_model *plain, *told;
  signed char labels[ROWS];
  double before[ROWS], after[ROWS], mean = 0, spread = 0, moved = 0, normal = ROWS - ODD;
  settings.reference_rows = 100; /* so that the draw counts */
  for (size_t i = 0; i < ROWS; i++) labels[i] = i + 1 < ROWS ? -1 : 1;
  assert_ok(ank_model_fit(&plain, table, NULL, NULL, before, &settings, NULL));
  assert_ok(ank_model_fit(&told, table, labels, NULL, after, &settings, NULL));
  for (size_t i = 0; i + ODD < ROWS; i++) mean += before[i] / normal;
  for (size_t i = 0; i + ODD < ROWS; i++) {
    spread += fabs(before[i] - mean) / normal;
    moved += fabs(after[i] - before[i]) / normal;
  }
  assert_true(moved < 0.02 * spread);
  assert_int_equal(plain->calibration_count, ROWS);
  assert_int_equal(told->calibration_count, ROWS - 1);
  assert_int_equal(told->known_rows, 1);
}

typedef struct watcher {
  double last, stop_at;
} watcher;

static int watch(void *context, double share, const char *what) {
  watcher *self = context;
  assert_non_null(what);
  assert_true(share >= 0 && share <= 1);
  if (share > self->last) self->last = share;
  return share >= self->stop_at;
}

TEST(progress_rises_through_both_halves_and_can_stop_each) {
  scoped_table *table = model_table(ROWS, ODD, 3);
  static const double stops[] = {0.2, 0.6, 2};
  for (size_t k = 0; k < 3; k++) {
    anorank_settings settings = settings_of("auto", ANORANK_TRAIN_CONTAMINATED);
    watcher self = {0, stops[k]};
    scoped_model *model;
    scoped_ranking *ranking;
    settings.progress = watch;
    settings.progress_context = &self;
    anorank_status status = anorank_detect(&model, &ranking, table, NULL, &settings, NULL);
    assert_status(status, k < 2 ? ANORANK_CANCELLED : ANORANK_OK);
    assert_true((model != NULL) == (k == 2) && (ranking != NULL) == (k == 2));
    assert_true(self.last >= (k < 2 ? stops[k] : 0.7));
  }
}
