/* evaluate.c - fits, scores and judgements; see evaluate.h.
 *
 * One random split, in thirds: A and B are for training, H for evaluation. The evaluated model is fitted on A
 * and B. For the stability of the order, one model is fitted on A and one on B, and both score H. No row of H
 * is used in a fit, so the evaluation holds for new rows. (Pooled folds would evaluate all rows, but scores
 * of different fits are not on one scale, and their errors are not independent.) */
#include "evaluate/evaluate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contrast/contrast_plan.h"
#include "core/alloc.h"
#include "criterion/compare.h"
#include "evaluate/agreement.h"
#include "model/row_subset.h"
#include "prepare/labels.h"

enum { FEW_JUDGED = 100, LAW_ROWS = 5000 };

/* A given model, or the settings to fit one. */
typedef struct contestant {
  const anorank_model *model;
  ank_recipe recipe;
  ank_pipeline pipeline;
  double *x, *u;            /* scores of the evaluated and extra rows, and of the contrast rows */
  double *by_law[ANK_LAWS]; /* scores of contrast rows of two more laws */
} contestant;

typedef struct working {
  anorank_evaluation *made;
  anorank_settings settings; /* of the first contestant; progress is relayed */
  const anorank_settings *outer;
  double from, to;    /* the share of the whole work in the present step */
  const ank_law *law; /* of the contrast rows */
  size_t count, contrast_rows, cells, law_rows[ANK_LAWS], law_cells[ANK_LAWS];
  contestant one[2];
  anorank_table view; /* the table without its labels; borrows the columns */
  ank_parts parts;
  signed char *labels;       /* of the rows of `held`; NULL: none */
  const anorank_table *held; /* evaluated rows, then extra ones */
  anorank_table *picked, *contrast;
} working;

/* ---- progress ---------------------------------------------------------------------------------------- */

static int relay(void *context, double share_done, const char *what) {
  const working *work = context;
  return work->outer->progress(work->outer->progress_context,
                               work->from + (work->to - work->from) * share_done, what);
}

static anorank_status step(working *work, double from, double to, const char *what, anorank_error *err) {
  work->from = from;
  work->to = to;
  return ank_progress(&work->settings, 0, what, err);
}

static void through_relay(anorank_settings *settings, working *work) {
  settings->progress = work->outer->progress ? relay : NULL;
  settings->progress_context = work;
}

/* ---- rows and labels --------------------------------------------------------------------------------- */

/* A fit that saw the labels, or a model that learned from them, would be measured on what it learned. */
static anorank_status hide_labels(working *work, const anorank_table *table, anorank_error *err) {
  const char *name = work->settings.labels;
  char quoted[ANK_QUOTE_SIZE];
  work->view = *table;
  work->view.columns = 0;
  work->view.column = NULL;
  for (size_t c = 0; *name && c < work->count; c++)
    for (size_t i = 0; work->one[c].model && i < ank_prepare_columns(work->one[c].model->pipeline.prepare);
         i++) {
      anorank_model_column column = ank_prepare_column(work->one[c].model->pipeline.prepare, i);
      if ((column.features > 0 || column.role == ANORANK_ROLE_CONSTANT) && strcmp(column.name, name) == 0)
        return ank_fail(err, ANORANK_ERROR_USAGE, "evaluate-labels-learned",
                        "the model uses column '%s' as a feature, so these labels would measure nothing; fit "
                        "it again with labels = %s",
                        ank_quote(quoted, name, strlen(name)), quoted);
    }
  ANK_CHECK(ank_alloc(&work->view.column, table->columns, sizeof *work->view.column, err));
  for (size_t j = 0; j < table->columns; j++)
    if (!*name || strcmp(table->column[j].name, name) != 0)
      work->view.column[work->view.columns++] = table->column[j];
  for (size_t c = 0; c < work->count; c++) work->one[c].recipe.settings.labels = "";
  return ANORANK_OK;
}

static int is_clean(const working *work) {
  const anorank_model *model = work->one[0].model;
  return (model ? model->settings.train : work->settings.train) == ANORANK_TRAIN_CLEAN;
}

static anorank_status choose_rows(working *work, const anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  signed char *labels = NULL;
  int fit = work->one[0].model == NULL;
  if (work->settings.labels[0]) {
    ANK_TRY(ank_alloc_raw(&labels, table->rows, sizeof *labels, err));
    ANK_TRY(ank_labels_read(labels, table, work->settings.labels, err));
  }
  ANK_TRY(ank_parts_make(&work->parts, table, labels, fit, is_clean(work), &work->settings, err));
  size_t held = work->parts.judged + work->parts.extra;
  work->held = &work->view;
  if (fit || work->parts.extra > 0) {
    ANK_TRY(ank_copy_rows(&work->picked, &work->view, work->parts.rows, held, &work->settings, err));
    work->held = work->picked;
  }
  if (labels) {
    ANK_TRY(ank_alloc_raw(&work->labels, held, sizeof *work->labels, err));
    for (size_t i = 0; i < held; i++) work->labels[i] = labels[work->parts.rows[i]];
  }
done:
  ank_free(labels);
  return status;
}

/* ---- fits and scores --------------------------------------------------------------------------------- */

static anorank_status fit_on(ank_pipeline *out, const working *work, const ank_recipe *recipe,
                             const size_t *rows, size_t count, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = NULL;
  ANK_TRY(ank_copy_rows(&table, &work->view, rows, count, &work->settings, err));
  ANK_TRY(ank_pipeline_fit(out, table, recipe, ank_memory_limit(&work->settings) / 3, 0, err));
done:
  ank_table_free(table);
  return status;
}

static anorank_status score_by(double *out, const ank_pipeline *pipeline, const anorank_table *table,
                               const anorank_settings *settings, anorank_error *err) {
  ank_match *match = NULL;
  anorank_status status = ank_match_make(&match, pipeline->prepare, table, err);
  if (status == ANORANK_OK) status = ank_pipeline_score(out, pipeline, match, table, settings, err);
  ank_match_free(match);
  return status;
}

static const ank_pipeline *pipeline_of(const contestant *one) {
  return one->model ? &one->model->pipeline : &one->pipeline;
}

/* Fit one model on each half of the training rows, with separate random numbers, and score the evaluated
 * rows. */
static anorank_status measure_stability(working *work, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_parts *parts = &work->parts;
  const size_t *taught = parts->rows + parts->judged + parts->extra;
  size_t half = parts->taught / 2;
  anorank_table judged = *work->held;
  ank_pipeline pipeline = {0};
  double *scores[2] = {NULL, NULL};
  judged.rows = parts->judged;
  for (size_t k = 0; k < 2; k++) {
    ank_recipe recipe = work->one[0].recipe;
    anorank_error inner = {0};
    recipe.settings.seed += k;
    ANK_TRY(step(work, 0.4 + 0.2 * (double)k, 0.6 + 0.2 * (double)k, "fitting on a third", err));
    ANK_TRY(ank_alloc_raw(&scores[k], judged.rows, sizeof **scores, err));
    status = fit_on(&pipeline, work, &recipe, taught + k * half, half, &inner);
    if (status == ANORANK_OK) status = score_by(scores[k], &pipeline, &judged, &recipe.settings, &inner);
    ank_pipeline_free(&pipeline);
    if (status == ANORANK_ERROR_DATA) { /* a third may be too little to learn from where two thirds suffice */
      status = ank_notes_add(&work->made->notes, ANORANK_NOTE_DETAIL, err, "evaluate-no-stability",
                             "stability could not be measured: %s", inner.message);
      goto done;
    }
    if (status != ANORANK_OK) ANK_TRY(ank_fail_around(err, &inner, "%s", inner.message));
  }
  ANK_TRY(
      ank_rank_agreement(&work->made->stability, scores[0], scores[1], judged.rows, &work->settings, err));
  work->made->has_stability = 1;
done:
  ank_free(scores[0]);
  ank_free(scores[1]);
  return status;
}

static anorank_status fit_all(working *work, anorank_error *err) {
  const ank_parts *parts = &work->parts;
  double share = work->count == 1 ? 0.4 : 0.4 * 2;
  for (size_t c = 0; c < work->count; c++) {
    contestant *one = &work->one[c];
    double width = share / (double)work->count;
    if (one->model) continue;
    ANK_CHECK(step(work, (double)c * width, (double)(c + 1) * width, "fitting", err));
    ANK_CHECK(fit_on(&one->pipeline, work, &one->recipe, parts->rows + parts->judged + parts->extra,
                     parts->taught, err));
    work->made->fit_rows = one->pipeline.fit_rows;
  }
  if (work->count == 1 && !work->one[0].model) ANK_CHECK(measure_stability(work, err));
  return ANORANK_OK;
}

/* ---- contrast rows ----------------------------------------------------------------------------------- */

static anorank_status find_used(ank_used_column *used, const working *work, anorank_error *err) {
  for (size_t c = 0; c < work->count; c++) {
    const ank_prepare *prepare = pipeline_of(&work->one[c])->prepare;
    ank_match *match = NULL;
    ANK_CHECK(ank_match_make(&match, prepare, work->held, err));
    for (size_t i = 0; i < ank_prepare_columns(prepare); i++) {
      anorank_model_column column = ank_prepare_column(prepare, i);
      size_t j = ank_match_column(match, i);
      int matters = column.role == ANORANK_ROLE_TIME || column.role == ANORANK_ROLE_NUMERIC ||
                    column.role == ANORANK_ROLE_CATEGORICAL || column.role == ANORANK_ROLE_CONSTANT;
      if (matters && j != SIZE_MAX && !used[j].used) used[j] = (ank_used_column){1, column.name};
    }
    ank_match_free(match);
  }
  return ANORANK_OK;
}

/* Draw by settings->contrast; at most this many rows. */
static anorank_status draw_contrast(working *work, ank_contrast_plan *plan, const anorank_settings *settings,
                                    int64_t most, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_used_column *used = NULL;
  size_t features = 0;
  ank_table_free(work->contrast);
  work->contrast = NULL;
  for (size_t c = 0; c < work->count; c++) {
    size_t own = ank_prepare_dim(pipeline_of(&work->one[c])->prepare);
    if (own > features) features = own;
  }
  ANK_TRY(ank_contrast_plan_make(plan, ANK_CONTRAST_TO_JUDGE, work->parts.judged, features,
                                 work->held->columns, settings, err));
  if (plan->settings.rows > most) plan->settings.rows = most;
  ANK_TRY(ank_alloc(&used, work->held->columns, sizeof *used, err));
  ANK_TRY(find_used(used, work, err));
  ANK_TRY(ank_contrast_to_judge(&work->contrast, plan, work->held, work->parts.judged, used, err));
done:
  ank_free(used);
  return status;
}

static anorank_status score_by_law(working *work, size_t k, anorank_error *err) {
  anorank_settings settings = ank_settings_of_law(k, &work->settings);
  ank_contrast_plan plan;
  ANK_CHECK(draw_contrast(work, &plan, &settings, LAW_ROWS, err));
  work->law_rows[k] = work->contrast->rows;
  work->law_cells[k] = plan.cells;
  for (size_t c = 0; c < work->count; c++) {
    contestant *one = &work->one[c];
    ANK_CHECK(ank_alloc_raw(&one->by_law[k], work->law_rows[k], sizeof **one->by_law, err));
    ANK_CHECK(score_by(one->by_law[k], pipeline_of(one), work->contrast, &work->settings, err));
  }
  return ANORANK_OK;
}

static anorank_status score_all(working *work, anorank_error *err) {
  ank_contrast_plan plan;
  ANK_CHECK(step(work, 0.8, 0.85, "drawing contrast rows", err));
  ANK_CHECK(draw_contrast(work, &plan, &work->settings, INT64_MAX, err));
  work->law = plan.law;
  work->cells = plan.cells;
  snprintf(work->made->law, sizeof work->made->law, "%s", plan.law->info.name);
  work->made->is_volume = ank_contrast_is_uniform(plan.law);
  for (size_t c = 0; c < work->count; c++) {
    contestant *one = &work->one[c];
    ANK_CHECK(step(work, 0.85 + 0.05 * (double)c, 0.9 + 0.05 * (double)c, "scoring rows", err));
    ANK_CHECK(ank_alloc_raw(&one->x, work->held->rows, sizeof *one->x, err));
    ANK_CHECK(ank_alloc_raw(&one->u, work->contrast->rows, sizeof *one->u, err));
    ANK_CHECK(score_by(one->x, pipeline_of(one), work->held, &work->settings, err));
    ANK_CHECK(score_by(one->u, pipeline_of(one), work->contrast, &work->settings, err));
    snprintf(work->made->found[c].scorer, sizeof work->made->found[c].scorer, "%s",
             pipeline_of(one)->type->info.name);
  }
  work->contrast_rows = work->contrast->rows;
  for (size_t k = 0; k < ANK_LAWS; k++) ANK_CHECK(score_by_law(work, k, err));
  for (size_t c = 0; c < work->count; c++) ank_pipeline_free(&work->one[c].pipeline);
  ank_table_free(work->contrast);
  work->contrast = NULL;
  return ANORANK_OK;
}

/* ---- judgements -------------------------------------------------------------------------------------- */

static anorank_status judge_all(working *work, anorank_error *err) {
  anorank_evaluation *made = work->made;
  const contestant *a = &work->one[0], *b = &work->one[1];
  size_t n = work->parts.judged, m = work->contrast_rows;
  made->blind = 1;
  for (size_t c = 0; c < work->count; c++) {
    ANK_CHECK(step(work, 0.95 + 0.01 * (double)c, 0.96 + 0.01 * (double)c, "judging", err));
    ANK_CHECK(
        ank_judge(&made->found[c].judgement, work->one[c].x, n, work->one[c].u, m, &work->settings, err));
    made->blind = made->blind && made->found[c].judgement->saturation.blind;
  }
  ANK_CHECK(ank_evaluation_spread(made, a->x, n, a->u, m, &work->settings, err));
  if (work->count == 2) {
    ANK_CHECK(step(work, 0.97, 0.98, "comparing", err));
    ANK_CHECK(anorank_compare(&made->comparison, a->x, b->x, n, a->u, b->u, m, &work->settings, err));
    ANK_CHECK(ank_rank_agreement(&made->agreement, a->x, b->x, n, &work->settings, err));
  }
  anorank_judgement *judgements[] = {made->found[0].judgement, made->found[1].judgement};
  ANK_CHECK(ank_pair_rows(&(ank_judged){.law = work->law,
                                        .settings = &work->settings,
                                        .count = work->count,
                                        .n = n,
                                        .m = m,
                                        .cells = work->cells,
                                        .x = {a->x, b->x},
                                        .u = {a->u, b->u},
                                        .judgement = judgements,
                                        .comparison = &made->comparison},
                          err));
  return ank_evaluation_judge_by_laws(
      made, (const double *const[2]){a->x, b->x}, n,
      (double *const[ANK_LAWS][2]){{a->by_law[0], b->by_law[0]}, {a->by_law[1], b->by_law[1]}},
      work->law_rows, work->law_cells, &work->settings, err);
}

/* ---- the record of the evaluation -------------------------------------------------------------------- */

/* Training rows make a model look better. A few of them are in the model, which allows this check. */
static anorank_status find_training_rows(working *work, size_t c, anorank_error *err) {
  const anorank_model *model = work->one[c].model;
  size_t met;
  if (!model || model->pipeline.background_rows == 0) return ANORANK_OK;
  anorank_status status = ank_count_seen_rows(&met, model, work->held, work->held->rows, err);
  if (status != ANORANK_OK || met * 5 <= model->pipeline.background_rows)
    return status; /* some rows do occur twice */
  return ank_notes_add(&work->made->notes, ANORANK_NOTE_DETAIL, err, "evaluate-training-rows",
                       "%zu of the %zu training rows kept in the %smodel are in this file, which flatters "
                       "it; evaluate on unseen rows",
                       met, model->pipeline.background_rows,
                       work->count == 1 ? ""
                       : c == 0         ? "first "
                                        : "second ");
}

static anorank_status note_rows(working *work, anorank_error *err) {
  anorank_evaluation *made = work->made;
  const ank_parts *parts = &work->parts;
  if (!work->one[0].model)
    ANK_CHECK(ank_notes_add(&made->notes, ANORANK_NOTE_DETAIL, err, "evaluate-split",
                            "fitted on %zu rows (train = %s), evaluated on %zu others: one random split%s",
                            made->fit_rows, is_clean(work) ? "clean" : "contaminated", parts->judged,
                            work->count == 2
                                ? ", so two fits are compared, not two methods; repeated splits compare those"
                                : ""));
  size_t drawn_of = work->view.drawn_of > 0 ? work->view.drawn_of : parts->drawn;
  if (drawn_of > 0)
    ANK_CHECK(ank_notes_add(&made->notes, ANORANK_NOTE_DETAIL, err, "evaluate-rows-sampled",
                            "these %zu rows were drawn at random from %zu; the intervals account for that",
                            parts->judged + parts->taught, drawn_of));
  if (parts->extra > 0)
    ANK_CHECK(
        ank_notes_add(&made->notes, ANORANK_NOTE_DETAIL, err, "evaluate-labels-unused",
                      "train = clean: %zu row%s labelled as anomalies only count in the measures with labels",
                      parts->extra, ANK_S(parts->extra)));
  ANK_CHECK(ank_notes_add(
      &made->notes, ANORANK_NOTE_DETAIL, err, "evaluate-contrast",
      "%zu contrast rows of the law '%s' around the evaluated rows: %s", work->contrast_rows, made->law,
      made->is_volume ? "uniform, so that their share is volume within that range"
                      : "their share of a set is its mass under that law, not its volume"));
  if (parts->judged < FEW_JUDGED)
    ANK_CHECK(ank_notes_add(
        &made->notes, ANORANK_NOTE_DETAIL, err, "evaluate-few-rows",
        "with so few rows, a single extreme row decides the volume of the contrast box; evaluate more rows"));
  for (size_t c = 0; c < work->count; c++) ANK_CHECK(find_training_rows(work, c, err));
  return ANORANK_OK;
}

/* ---- together ---------------------------------------------------------------------------------------- */

void anorank_evaluation_free(anorank_evaluation *evaluation) {
  if (!evaluation) return;
  for (size_t c = 0; c < 2; c++) {
    anorank_judgement_free(evaluation->found[c].judgement);
    for (size_t k = 0; k < ANK_LAWS; k++) anorank_judgement_free(evaluation->by_law[k][c]);
  }
  ank_notes_free(&evaluation->notes);
  ank_free(evaluation);
}

static void free_working(working *work) {
  anorank_evaluation_free(work->made);
  for (size_t c = 0; c < 2; c++) {
    ank_pipeline_free(&work->one[c].pipeline);
    ank_free(work->one[c].x);
    ank_free(work->one[c].u);
    for (size_t k = 0; k < ANK_LAWS; k++) ank_free(work->one[c].by_law[k]);
  }
  ank_parts_free(&work->parts);
  ank_table_free(work->picked);
  ank_table_free(work->contrast);
  ank_free(work->view.column);
  ank_free(work->labels);
}

/* Set the public results. */
static void describe(anorank_evaluation *made) {
  int two = made->count == 2;
  made->info = (anorank_evaluation_info){
      .stability = made->has_stability ? &made->stability : NULL,
      .comparison = two ? &made->comparison : NULL,
      .agreement = two ? &made->agreement : NULL,
      .auc_difference = made->has_auc_difference ? &made->auc_difference : NULL,
      .law = made->law,
      .is_volume = made->is_volume,
      .blind = made->blind,
      .fit_rows = made->fit_rows,
      .conclusion = made->verdict,
      .caveat = ank_evaluation_caveat(made),
      .laws = &made->laws,
  };
  for (size_t c = 0; c < made->count; c++) {
    ank_found *found = &made->found[c];
    found->info = (anorank_evaluated){.scorer = found->scorer,
                                      .judgement = found->judgement,
                                      .labelled = made->has_labels ? &found->labelled : NULL,
                                      .precision = found->precisions > 0 ? found->precision : NULL,
                                      .precision_count = found->precisions};
    made->info.of[c] = &found->info;
  }
}

anorank_status ank_evaluate(anorank_evaluation **out, const anorank_model *const models[2], size_t count,
                            const anorank_table *table, const anorank_settings *const settings[2],
                            anorank_error *err) {
  anorank_status status = ANORANK_OK;
  working work = {.settings = *settings[0], .outer = settings[0], .count = count};
  *out = NULL;
  through_relay(&work.settings, &work);
  for (size_t c = 0; c < count; c++) {
    work.one[c].model = models[c];
    ANK_TRY(ank_recipe_make(&work.one[c].recipe, settings[c], err));
    through_relay(&work.one[c].recipe.settings, &work);
  }
  ANK_TRY(ank_alloc(&work.made, 1, sizeof *work.made, err));
  work.made->count = count;
  ANK_TRY(hide_labels(&work, table, err));
  ANK_TRY(choose_rows(&work, table, err));
  ANK_TRY(fit_all(&work, err));
  ANK_TRY(score_all(&work, err));
  ANK_TRY(judge_all(&work, err));
  ANK_TRY(note_rows(&work, err));
  if (work.labels) {
    ANK_TRY(step(&work, 0.98, 1, "measuring by the labels", err));
    ANK_TRY(ank_evaluation_measure_labelled(work.made, (const double *const[2]){work.one[0].x, work.one[1].x},
                                            work.labels, work.held->rows, &work.settings, err));
  }
  ank_evaluation_write_verdict(work.made, work.settings.level);
  describe(work.made);
  ANK_TRY(step(&work, 1, 1, "evaluating", err));
  ANK_HAND_OVER(out, work.made);
done:
  free_working(&work);
  return status;
}
