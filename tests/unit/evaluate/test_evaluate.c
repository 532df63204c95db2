/* test_evaluate.c - evaluations of models: against closed forms, against slow obvious versions, and
 * independence of irrelevant input. */
#include "core/alloc.h"
#include "evaluate/evaluate.h"
#include "support/models.h"
#include "support/notes.h"

/* Columns u, v ~ N(0, 1) and y = "1" for the last `odd` rows, which lie on a ring of radius 4, else "0" or,
 * in every tenth row, empty. Without labels there is no column y, and without odd rows there are none. */
static anorank_table *gaussian_table(size_t rows, size_t odd, int with_labels, int with_odd, uint64_t seed) {
  anorank_settings settings = test_settings();
  anorank_table *table;
  size_t size = 64 + rows * 80, used;
  char *text = test_memory(size);
  assert_non_null(text);
  used = (size_t)snprintf(text, size, with_labels ? "u,v,y\n" : "u,v\n");
  for (size_t i = 0; i < rows; i++) {
    ank_rng rng;
    ank_rng_open(&rng, seed, 99, i);
    double u = ank_rng_normal(&rng), v = ank_rng_normal(&rng);
    int is_odd = i + odd >= rows;
    if (is_odd && !with_odd) break;
    if (is_odd) u = 4 * cos((double)i), v = 4 * sin((double)i);
    used += (size_t)snprintf(text + used, size - used, "%.17g,%.17g", u, v);
    if (with_labels)
      used += (size_t)snprintf(text + used, size - used, "%s", is_odd ? ",1" : i % 10 == 3 ? "," : ",0");
    used += (size_t)snprintf(text + used, size - used, "\n");
  }
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "made"), &settings, NULL));
  return table;
}

static anorank_settings quick(const char *scorer) {
  anorank_settings settings = test_settings();
  settings.seed = 5;
  settings.bootstrap = 20;
  settings.scorer = scorer;
  return settings;
}

static anorank_evaluation *evaluate(const anorank_model *model, const anorank_table *table,
                                    const anorank_settings *settings) {
  anorank_evaluation *evaluation;
  anorank_error err = {0};
  anorank_status status = anorank_evaluate(&evaluation, model, table, settings, &err);
  if (status != ANORANK_OK) print_error("%s\n", err.message);
  assert_ok(status);
  return evaluation;
}

static anorank_interval area_of(const anorank_evaluation *evaluation) {
  return anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[0]->judgement)->area;
}

static void refused(const anorank_model *model, const anorank_table *table, const anorank_settings *settings,
                    anorank_status status, const char *words) {
  anorank_evaluation *evaluation = (anorank_evaluation *)&status;
  anorank_error err = {0};
  assert_status(anorank_evaluate(&evaluation, model, table, settings, &err), status);
  assert_error(&err, words);
  assert_null(evaluation);
}

/* ---- closed forms ------------------------------------------------------------------------------------ */

/* The true order of N(0, I) in the plane is by the distance r from 0. A point u of the box scores above a
 * random row with probability P(R > |u|) = exp(-|u|^2 / 2), so that the area is the mean of that over the
 * box, a product of two integrals sqrt(2 pi) (Phi(b) - Phi(a)) / (b - a). */
static double box_area(const anorank_table *table, const size_t *rows, size_t count) {
  double area = 1;
  for (size_t j = 0; j < 2; j++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
      low = fmin(low, anorank_table_numbers(table, j)[rows[i]]);
      high = fmax(high, anorank_table_numbers(table, j)[rows[i]]);
    }
    area *= sqrt(acos(-1) / 2) * (erf(high / sqrt(2)) - erf(low / sqrt(2))) / (high - low);
  }
  return area;
}

TEST(a_gaussian_in_a_box_has_the_area_of_its_closed_form) {
  scoped_table *table = gaussian_table(6000, 0, 0, 1, 3);
  anorank_settings settings = quick("mahalanobis");
  scoped_evaluation *evaluation = evaluate(NULL, table, &settings);
  anorank_interval area = area_of(evaluation);
  ank_parts parts;
  assert_ok(ank_parts_make(&parts, table, NULL, 1, 1, &settings, NULL));
  assert_int_equal(parts.judged, 2000);
  assert_int_equal(parts.taught, 4000);
  double expected = box_area(table, parts.rows, parts.judged);
  assert_true(expected > 0.05 && expected < 0.3);
  assert_close(area.estimate, expected, 4 * area.sd + 0.002); /* the fitted centre is not quite 0 */
  assert_true(area.sd < 0.01);
  assert_string_equal(anorank_evaluation_get_info(evaluation)->law, "box");
  assert_true(anorank_evaluation_get_info(evaluation)->is_volume);
  assert_false(anorank_evaluation_get_info(evaluation)->blind);
  assert_int_equal(anorank_evaluation_get_info(evaluation)->fit_rows, 4000);
  assert_true(area.high < 0.5);
  const anorank_agreement *stability = anorank_evaluation_get_info(evaluation)->stability;
  assert_int_equal(stability->rows, 2000);
  assert_true(stability->spearman > 0.99);
  ank_parts_free(&parts);
}

TEST(each_row_has_one_part) {
  scoped_table *table = gaussian_table(101, 11, 1, 1, 3);
  anorank_settings settings = quick("auto");
  signed char labels[101], seen[101] = {0};
  for (size_t i = 0; i < 101; i++) labels[i] = i >= 90 ? 1 : i % 10 == 3 ? -1 : 0;
  ank_parts parts;
  assert_ok(ank_parts_make(&parts, table, labels, 1, 1, &settings, NULL));
  assert_int_equal(parts.judged, 30);
  assert_int_equal(parts.extra, 11);
  assert_int_equal(parts.taught, 60);
  for (size_t i = 0; i < 101; i++) {
    assert_int_equal(seen[parts.rows[i]]++, 0);
    assert_int_equal(labels[parts.rows[i]] == 1, i >= 30 && i < 41);
  }
  ank_parts_free(&parts);
}

/* ---- labels ------------------------------------------------------------------------------------------ */

TEST(measures_with_labels_are_those_of_the_slow_way) {
  scoped_table *train = gaussian_table(400, 0, 0, 1, 1), *table = gaussian_table(300, 25, 1, 1, 2);
  anorank_settings settings = quick("mahalanobis");
  anorank_model *model;
  assert_ok(anorank_fit(&model, train, NULL, &settings, NULL));
  settings.labels = "y";
  scoped_evaluation *evaluation = evaluate(model, table, &settings);
  double *scores = model_scores(model, table), above = 0, pairs = 0;
  for (size_t i = 0; i < 275; i++)
    for (size_t j = 275; j < 300; j++) {
      if (i % 10 == 3) continue;
      above += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
      pairs++;
    }
  const anorank_labelled *labelled = anorank_evaluation_get_info(evaluation)->of[0]->labelled;
  assert_int_equal(labelled->anomalies, 25);
  assert_int_equal(labelled->normal, 275 - 28);
  assert_close(labelled->roc_auc.estimate, above / pairs, 1e-14);
  size_t count, found[101] = {0};
  for (size_t i = 0; i < 300; i++) { /* labelled rows below each row, no ties here */
    size_t rank = 0;
    for (size_t j = 0; j < 300; j++) rank += (j >= 275 || j % 10 != 3) && scores[j] <= scores[i];
    for (size_t k = rank; i >= 275 && k <= 100; k++) found[k]++;
  }
  const anorank_precision *precision = anorank_evaluation_get_info(evaluation)->of[0]->precision;
  count = anorank_evaluation_get_info(evaluation)->of[0]->precision_count;
  static const size_t ks[] = {10, 25, 50, 100};
  assert_int_equal(count, 4);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(precision[i].k, ks[i]);
    assert_close(precision[i].precision, (double)found[ks[i]] / (double)ks[i], 1e-14);
  }
  assert_true(has_note(anorank_evaluation_notes(evaluation), "evaluate-labels-unused", " 25 "));
  assert_int_equal(anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[0]->judgement)->n,
                   275);
  assert_null(anorank_evaluation_get_info(evaluation)->stability);
  anorank_model_free(model);
}

/* Contaminated: the labels do not change the label-free measures. Clean: rows labelled as anomalies
 * might as well not be there. */
TEST(labels_do_not_reach_the_part_without_them) {
  for (int train = 0; train < 2; train++) {
    scoped_table *with = gaussian_table(330, 30, 1, 1, 7);
    scoped_table *without = gaussian_table(330, 30, 0, train == ANORANK_TRAIN_CONTAMINATED, 7);
    anorank_settings settings = quick("auto");
    settings.train = train;
    scoped_evaluation *plain = evaluate(NULL, without, &settings);
    settings.labels = "y";
    scoped_evaluation *labelled = evaluate(NULL, with, &settings);
    anorank_interval a = area_of(plain), b = area_of(labelled);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_equal(anorank_evaluation_get_info(plain)->stability,
                        anorank_evaluation_get_info(labelled)->stability, sizeof(anorank_agreement));
    assert_null(anorank_evaluation_get_info(plain)->of[0]->labelled);
    assert_true(anorank_evaluation_get_info(labelled)->of[0]->labelled->roc_auc.estimate > 0.9);
    assert_true(strcmp(anorank_evaluation_get_info(plain)->caveat,
                       anorank_evaluation_get_info(labelled)->caveat) != 0);
  }
}

TEST(one_kind_of_label_measures_nothing_and_says_so) {
  scoped_table *table = gaussian_table(90, 0, 1, 1, 7);
  anorank_settings settings = quick("auto");
  settings.labels = "y";
  scoped_evaluation *evaluation = evaluate(NULL, table, &settings);
  assert_null(anorank_evaluation_get_info(evaluation)->of[0]->labelled);
  assert_true(has_note(anorank_evaluation_notes(evaluation), "evaluate-no-labels", ""));
}

/* ---- two --------------------------------------------------------------------------------------------- */

TEST(two_are_compared_on_the_same_rows_in_pairs) {
  scoped_table *table = gaussian_table(1500, 60, 1, 1, 11);
  anorank_settings first = quick("mahalanobis"), second = quick("histogram");
  scoped_evaluation *both, *swapped, *alone;
  first.labels = "y";
  first.train = second.train = ANORANK_TRAIN_CONTAMINATED;
  assert_ok(anorank_evaluate_two(&both, NULL, NULL, table, &first, &second, NULL));
  const anorank_comparison *a = anorank_evaluation_get_info(both)->comparison;
  assert_memory_equal(&anorank_judgement_get_info(anorank_evaluation_get_info(both)->of[0]->judgement)->area,
                      &a->first,
                      sizeof a->first); /* what is reported allows for rows that share contrast rows */
  const anorank_auc_difference *auc = anorank_evaluation_get_info(both)->auc_difference;
  alone = evaluate(NULL, table, &first);
  assert_close(a->first.estimate, area_of(alone).estimate, 0); /* the same split, the same contrast rows */
  assert_close(a->difference.estimate, a->first.estimate - a->second.estimate, 1e-15);
  assert_close(auc->difference.estimate,
               anorank_evaluation_get_info(both)->of[0]->labelled->roc_auc.estimate -
                   anorank_evaluation_get_info(both)->of[1]->labelled->roc_auc.estimate,
               1e-14);
  assert_true(auc->difference.low <= auc->difference.estimate &&
              auc->difference.estimate <= auc->difference.high);
  double apart = anorank_evaluation_get_info(both)->of[0]->labelled->roc_auc.sd +
                 anorank_evaluation_get_info(both)->of[1]->labelled->roc_auc.sd;
  assert_true(auc->difference.sd > 0 && auc->difference.sd <= apart + 1e-12);
  second.labels = "y";
  assert_ok(anorank_evaluate_two(&swapped, NULL, NULL, table, &second, &first, NULL));
  assert_close(anorank_evaluation_get_info(swapped)->comparison->difference.estimate, -a->difference.estimate,
               1e-15);
  assert_close(anorank_evaluation_get_info(swapped)->comparison->p_value, a->p_value, 1e-12);
  assert_close(anorank_evaluation_get_info(swapped)->auc_difference->z, -auc->z, 1e-9);
  assert_close(anorank_evaluation_get_info(swapped)->agreement->spearman,
               anorank_evaluation_get_info(both)->agreement->spearman, 1e-14);
  assert_null(anorank_evaluation_get_info(both)->stability);
  assert_string_equal(anorank_evaluation_get_info(both)->of[1]->scorer, "histogram");
  assert_null(anorank_evaluation_get_info(alone)->of[1]);
}

TEST(a_class_does_not_differ_from_itself) {
  scoped_table *table = gaussian_table(300, 0, 0, 1, 11);
  anorank_settings settings = quick("isolation");
  scoped_evaluation *both;
  assert_ok(anorank_evaluate_two(&both, NULL, NULL, table, &settings, NULL, NULL));
  assert_close(anorank_evaluation_get_info(both)->comparison->p_value, 1, 0);
  assert_close(anorank_evaluation_get_info(both)->agreement->spearman, 1, 1e-15);
}

/* ---- other splits ------------------------------------------------------------------------------------ */

/* The first split is the one that a single comparison takes; mean and interval follow from all of them. */
TEST(repeats_are_the_splits_of_the_seeds_that_follow) {
  enum { SPLITS = 6 };
  scoped_table *table = gaussian_table(240, 0, 0, 1, 12);
  anorank_settings first = quick("knn"), second = quick("histogram");
  anorank_repeats repeats;
  double mean = 0, squares = 0, found[SPLITS];
  size_t better = 0;
  assert_ok(anorank_evaluate_repeated(&repeats, table, &first, &second, SPLITS, NULL));
  for (uint64_t r = 0; r < SPLITS; r++) {
    scoped_evaluation *both;
    anorank_settings own[2] = {first, second};
    own[0].seed += r;
    own[1].seed += r;
    assert_ok(anorank_evaluate_two(&both, NULL, NULL, table, &own[0], &own[1], NULL));
    found[r] = anorank_evaluation_get_info(both)->comparison->difference.estimate;
    better += found[r] < 0;
    mean += found[r] / SPLITS;
    assert_true(has_note(anorank_evaluation_notes(both), "evaluate-split", ""));
  }
  for (size_t r = 0; r < SPLITS; r++) squares += (found[r] - mean) * (found[r] - mean);
  double half = 2.570582 * sqrt(squares / (SPLITS - 1) * (1.0 / SPLITS + 0.5));
  assert_int_equal(repeats.splits, SPLITS);
  assert_int_equal(repeats.first_better, better);
  assert_close(repeats.difference.estimate, mean, 1e-12);
  assert_close(repeats.difference.high - mean, half, 1e-4 * half);
  anorank_error err = {0};
  assert_fails(anorank_evaluate_repeated(&repeats, table, &first, &second, 4, &err), ANORANK_ERROR_USAGE,
               "compare-splits");
}

/* ---- promises ---------------------------------------------------------------------------------------- */

TEST(the_number_of_threads_changes_no_bit) {
  scoped_table *table = model_table(700, 20, 3);
  anorank_interval areas[3];
  anorank_agreement agreements[3];
  double sums[3];
  for (size_t t = 0; t < 3; t++) {
    anorank_settings settings = model_settings();
    settings.train = ANORANK_TRAIN_CONTAMINATED;
    settings.threads = t == 0 ? 1 : t == 1 ? 3 : 8;
    anorank_evaluation *evaluation = evaluate(NULL, table, &settings);
    size_t points;
    const anorank_curve_point *curve =
        anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[0]->judgement)->curve;
    points = anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[0]->judgement)->points;
    sums[t] = 0;
    for (size_t i = 0; i < points; i++) sums[t] += curve[i].volume + curve[i].low;
    areas[t] = area_of(evaluation);
    agreements[t] = *anorank_evaluation_get_info(evaluation)->stability;
    assert_string_equal(anorank_evaluation_get_info(evaluation)->law, "jitter"); /* 12 features */
    assert_false(anorank_evaluation_get_info(evaluation)->is_volume);
    anorank_evaluation_free(evaluation);
    assert_memory_equal(&areas[t], &areas[0], sizeof areas[0]);
    assert_memory_equal(&agreements[t], &agreements[0], sizeof agreements[0]);
    assert_memory_equal(&sums[t], &sums[0], sizeof sums[0]);
  }
}

TEST(rows_of_the_fit_are_noticed) {
  scoped_table *train = gaussian_table(400, 0, 0, 1, 1), *later = gaussian_table(400, 0, 0, 1, 2);
  anorank_settings settings = quick("auto");
  scoped_model *model;
  assert_ok(anorank_fit(&model, train, NULL, &settings, NULL));
  scoped_evaluation *flattered = evaluate(model, train, &settings),
                    *honest = evaluate(model, later, &settings);
  assert_true(has_note(anorank_evaluation_notes(flattered), "evaluate-training-rows", ""));
  assert_false(has_note(anorank_evaluation_notes(honest), "evaluate-training-rows", ""));
}

TEST(blind_contrast_rows_get_no_verdict) {
  scoped_table *table = gaussian_table(4000, 0, 0, 1, 1);
  anorank_settings settings = quick("mahalanobis");
  table->column[0].numbers[7] = 1e7; /* the box around it holds nothing but emptiness */
  table->column[1].numbers[7] = 1e7;
  scoped_model *model;
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  scoped_evaluation *evaluation = evaluate(model, table, &settings);
  assert_true(anorank_evaluation_get_info(evaluation)->blind);
}

TEST(invalid_evaluations_are_refused) {
  scoped_table *few = gaussian_table(29, 0, 0, 1, 1), *labelled = gaussian_table(100, 5, 1, 1, 1);
  anorank_settings settings = quick("auto");
  scoped_model *model;
  refused(NULL, few, &settings, ANORANK_ERROR_DATA, "evaluate-too-few-rows");
  settings.columns = "u,v,y"; /* by itself a fit leaves alone what is called so */
  assert_ok(anorank_fit(&model, labelled, NULL, &settings, NULL));
  settings.columns = "";
  settings.labels = "y";
  refused(model, labelled, &settings, ANORANK_ERROR_USAGE, "evaluate-labels-learned");
  settings.labels = "z";
  refused(NULL, labelled, &settings, ANORANK_ERROR_USAGE, "column-unknown setting=labels");
  settings.labels = "";
  strcpy(settings.contrast, "gaussian");
  refused(NULL, labelled, &settings, ANORANK_ERROR_USAGE, "contrast-law setting=contrast");
  strcpy(settings.contrast, "auto");
  settings.band_from = settings.band_to = 0.5;
  refused(NULL, labelled, &settings, ANORANK_ERROR_USAGE, "setting-band-order");
}

static int stop(void *context, double share_done, const char *what) {
  int *left = context;
  assert_true(share_done >= 0 && share_done <= 1);
  assert_true(*what);
  return (*left)-- == 0;
}

TEST(a_cancelled_evaluation_stops_at_any_step) {
  scoped_table *table = gaussian_table(90, 5, 1, 1, 1);
  int ended = 0;
  for (int calls = 0; !ended; calls++) {
    int left = calls;
    scoped_evaluation *evaluation;
    anorank_settings settings = quick("auto");
    settings.labels = "y";
    settings.progress = stop;
    settings.progress_context = &left;
    anorank_status status = anorank_evaluate(&evaluation, NULL, table, &settings, NULL);
    ended = status == ANORANK_OK;
    assert_true(ended || status == ANORANK_CANCELLED);
    assert_true(ended == (evaluation != NULL));
    assert_true(calls < 1000);
  }
}
