/* model_fit.c - from a table to a model: choose the rows for the fit and for calibration.
 *
 * The fit sees known anomalies, but they are neither training rows nor calibration rows. For the other rows there are
 * three methods (anorank_calibration_method):
 *   split          a random share of the rows is held out of the fit and of the preparation. So a calibration row is as
 *                  new to the model as a later row, and p-values are exact for normal rows.
 *   leave one out  the model is fitted on all rows, and the scorer computes each row's score without that row. No row is
 *                  lost to the fit. But an outlying row must not have stretched its own column: new rows have stretched
 *                  none, so their p-values would be too small with heavy tails (tests/slow/false_alarms.c). Under
 *                  `clean`, this method therefore needs a class that also leaves rows out of units and ranges. Below
 *                  ANK_FIT_ALONE_ROWS rows, a single row affects everything, so a cross-fit with many parts replaces
 *                  it. Contaminated rows are themselves ranked by such scores (`detect`), so there this method is
 *                  always used. If there are more rows than the scorer can use, a split costs nothing and is used.
 *   cross-fit      each of `folds` parts is scored by a pipeline fitted on the others, and the model itself is fitted
 *                  on all rows. For few or contaminated rows, and for classes that cannot leave one out.
 * If rows resemble those near them in time, parts are stretches with a gap around them (left_out_blocks.h), and the method
 * is a cross-fit, or a split if the user sets its share. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/list.h"
#include "core/method_constants.h"
#include "core/rng.h"
#include "kernels/sort.h"
#include "model/dependence.h"
#include "model/fitting.h"
#include "model/model_context.h"
#include "model/row_subset.h"
#include "sampling/row_draw.h"

enum {
  BACKGROUND = 1024,
  DRAW_PARTS = 1,  /* numbers of draws in ANK_STREAM_MODEL; pipeline.c has those from 16 */
  DRAW_KNOWN = 2,  /* to 4 */
  DRAW_OTHERS = 6, /* 5 is in dependence.c */
  RUN = 256,
  FIRST_ROWS = 20, /* of an entity, at most half: while its state is mostly that of the population */
  NOT_SCORED = 128 /* a row of part k that calibrates nothing has part k + NOT_SCORED */
};

/* ---- progress ---------------------------------------------------------------------------------------- */

static int relay(void *context, double share_done, const char *what) {
  const ank_fitting *fit = context;
  return fit->outer->progress(fit->outer->progress_context, fit->from + (fit->to - fit->from) * share_done,
                              what);
}

static anorank_status step(ank_fitting *fit, double from, double to, const char *what, anorank_error *err) {
  fit->from = from;
  fit->to = to;
  return ank_progress(&fit->recipe.settings, 0, what, err);
}

/* ---- which rows -------------------------------------------------------------------------------------- */

/* Reduce fit->table to rows[0 .. count - 1]. Takes ownership of `rows`. */
static anorank_status narrow(ank_fitting *fit, size_t *rows, size_t count, anorank_error *err) {
  anorank_table *sample = NULL;
  anorank_status status = ank_copy_rows(&sample, fit->table, rows, count, &fit->recipe.settings, err);
  for (size_t i = 0; fit->sample_rows && i < count; i++) rows[i] = fit->sample_rows[rows[i]];
  ank_free(fit->sample_rows);
  fit->sample_rows = rows;
  if (status != ANORANK_OK) return status;
  ank_table_free(fit->sample);
  fit->table = fit->sample = sample;
  return ANORANK_OK;
}

/* Duplicate rows count as one row: fitted once, left out and split together. */
static anorank_status leave_copies(ank_fitting *fit, anorank_error *err) {
  size_t n = fit->table->rows, *rows = NULL, kept = 0, *drawn = fit->sample_rows, left = 0;
  ANK_CHECK(ank_duplicates_find(&fit->copies, fit->table, &fit->recipe.settings, err));
  if (n - fit->copies.copies < ANK_FIT_FEWEST_ROWS) ank_duplicates_free(&fit->copies);
  if (fit->copies.copies == 0) return ANORANK_OK;
  fit->recipe.had_copies = 1;
  ANK_CHECK(ank_notes_add(&fit->model->notes, ANORANK_NOTE_WARNING, err, "rows-duplicate",
                          "%zu of %zu rows are duplicates; the fit uses each distinct row once",
                          fit->copies.copies, n));
  for (size_t k = 0; k < 2; k++)
    ANK_CHECK(ank_alloc_raw(&fit->copied[k], fit->copies.copies, sizeof *fit->copied[k], err));
  ANK_CHECK(ank_alloc_raw(&rows, n, sizeof *rows, err));
  for (size_t i = 0; i < n; i++) {
    size_t of = fit->copies.of[i];
    if (of == i) {
      rows[kept++] = i;
      continue;
    }
    fit->copied[0][left] = drawn ? drawn[i] : i;
    fit->copied[1][left++] = drawn ? drawn[of] : of;
  }
  return narrow(fit, rows, kept, err);
}

static anorank_status tell_draw(ank_fitting *fit, size_t count, size_t rows, anorank_error *err) {
  return ank_notes_add(&fit->model->notes, ANORANK_NOTE_LEFT_OUT, err, "rows-sampled",
                       "the fit uses %zu of %zu rows, drawn at random: %s", count, rows,
                       count == ANK_MOST_DRAWN ? "more would take time and hardly change the order"
                                               : "more would not fit into max-memory");
}

static anorank_status choose_rows(ank_fitting *fit, const anorank_table *table, anorank_error *err) {
  size_t limit = ank_memory_limit(&fit->recipe.settings), count = ank_draw_most(table, limit);
  fit->table = table;
  fit->most_bytes = limit / 3;
  if (table->rows < ANK_FIT_FEWEST_ROWS)
    return ank_fail(err, ANORANK_ERROR_DATA, "fit-too-few-rows",
                    "%s has %zu row%s%s; a model needs at least %d; give more rows",
                    table->source ? table->source : "the table", table->rows, ANK_S(table->rows),
                    fit->confirmed.rest ? " besides the known anomalies" : "", ANK_FIT_FEWEST_ROWS);
  if (fit->drawn_from > table->rows) {
    ANK_CHECK(tell_draw(fit, table->rows, fit->drawn_from, err));
  } else if (count < table->rows) {
    size_t *drawn = NULL;
    ANK_CHECK(ank_draw_smallest(&drawn, count, table->rows, fit->recipe.settings.seed, err));
    ANK_CHECK(narrow(fit, drawn, count, err));
    for (size_t i = 0; i < table->notes.count; i++)
      ANK_CHECK(ank_notes_copy(&fit->sample->notes, &table->notes.list[i], err));
    ANK_CHECK(tell_draw(fit, count, table->rows, err));
  }
  return leave_copies(fit, err);
}

/* Columns that only number the rows are not features, since every new row has a new value. */
static anorank_status leave_clocks(ank_fitting *fit, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_settings *settings = &fit->recipe.settings;
  const anorank_table *table = fit->table;
  unsigned char *asked = NULL;
  size_t others = 0, length = strlen(settings->id);
  ANK_TRY(ank_alloc(&fit->clock, table->columns, 1, err));
  ANK_TRY(ank_alloc(&asked, table->columns, 1, err));
  ANK_TRY(ank_mark_named(asked, 1, settings->id, "id", table, err));
  ANK_TRY(ank_mark_named(asked, 1, settings->drop, "drop", table, err));
  ANK_TRY(ank_mark_named(asked, 1, settings->columns, "columns", table, err));
  for (size_t j = 0; j < table->columns; j++)
    fit->clock[j] = !asked[j] && !*settings->columns && strcmp(table->column[j].name, settings->labels) != 0;
  ANK_TRY(ank_clocks_find(fit->clock, table, settings, err));
  for (size_t j = 0; j < table->columns; j++) {
    others += !asked[j] && !fit->clock[j] && table->column[j].kind != ANORANK_TIME &&
              strcmp(table->column[j].name, settings->time) != 0;
    if (fit->clock[j]) length += 2 * strlen(table->column[j].name) + 1;
  }
  if (others == 0)
    memset(fit->clock, 0, table->columns); /* keep a rising series if there is no other column */
  ANK_TRY(ank_alloc(&fit->ids, length + 1, 1, err));
  memcpy(fit->ids, settings->id, strlen(settings->id));
  for (size_t j = 0; j < table->columns; j++) {
    size_t used = strlen(fit->ids);
    if (!fit->clock[j]) continue;
    if (used > 0) fit->ids[used++] = ',';
    (void)ank_list_encode(fit->ids + used, table->column[j].name, strlen(table->column[j].name));
  }
  fit->recipe.settings.id = fit->ids;
done:
  ank_free(asked);
  return status;
}

/* part[i] of each row: 0 and 1 for a split (1 calibrates), else the number of its fold. */
static anorank_status assign_parts(ank_fitting *fit, size_t folds, size_t kept, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = fit->table->rows;
  size_t *order = NULL;
  ank_rng rng;
  ANK_TRY(ank_alloc(&fit->part, n, sizeof *fit->part, err));
  ANK_TRY(ank_alloc_raw(&order, n, sizeof *order, err));
  for (size_t i = 0; i < n; i++) order[i] = i;
  ank_rng_open(&rng, fit->recipe.settings.seed, ANK_STREAM_MODEL, DRAW_PARTS);
  ank_rng_shuffle(&rng, order, n);
  for (size_t i = 0; i < n; i++) {
    size_t part = folds ? i % folds + (i < ANK_FIT_CROSS_CALIBRATION ? 0 : NOT_SCORED) : i < kept;
    fit->part[order[i]] = (unsigned char)part;
  }
done:
  ank_free(order);
  return status;
}

/* Use stretches instead of random parts. If there are more rows than needed for calibration, use runs of RUN rows. Later
 * rows have a history, so the first rows of an entity do not calibrate, unless they are ranked themselves (contaminated). */
static anorank_status assign_blocks(ank_fitting *fit, size_t parts, double share, anorank_error *err) {
  ank_blocks *blocks = &fit->blocks;
  size_t n = fit->table->rows, every = n / ANK_FIT_CROSS_CALIBRATION + 1;
  int clean =
      fit->recipe.settings.train == ANORANK_TRAIN_CLEAN && blocks->sequences.entities >= ANK_ENTITY_FEWEST;
  ANK_CHECK(ank_blocks_cut(blocks, parts, share, err));
  fit->part = blocks->part;
  blocks->part = NULL;
  ANK_CHECK(ank_alloc_raw(&fit->calibrated, n, sizeof *fit->calibrated, err));
  for (size_t k = 0, from = 0, end = 0; share == 0 && k < n; k++) {
    const uint32_t *order = blocks->sequences.order, *entity = blocks->sequences.entity;
    if (k == end)
      for (from = k; end < n && entity[order[end]] == entity[order[from]];) end++;
    size_t first = (end - from) / 2 < FIRST_ROWS ? (end - from) / 2 : FIRST_ROWS;
    if ((clean && k < from + first) || k / RUN % every != 0) fit->part[order[k]] += NOT_SCORED;
  }
  return ANORANK_OK;
}

static int is_of_part(const ank_fitting *fit, size_t row, size_t part, int others) {
  if (!others)
    return (fit->blocks.hidden && fit->row_scores ? fit->part[row] % NOT_SCORED : fit->part[row]) == part;
  return fit->blocks.hidden ? !(fit->blocks.hidden[row] >> part & 1) : fit->part[row] % NOT_SCORED != part;
}

/* Get the calibrating rows of a part, or the rows that a fit without this part sees. `rows` is allocated, or reused from
 * an earlier call. */
static anorank_status rows_of_part(anorank_table **out, size_t **rows, const ank_fitting *fit, size_t part,
                                   int others, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t count = 0, most = fit->recipe.most_rows, *drawn = NULL;
  *out = NULL;
  if (!*rows) ANK_TRY(ank_alloc_raw(rows, fit->table->rows, sizeof **rows, err));
  for (size_t i = 0; i < fit->table->rows; i++)
    if (is_of_part(fit, i, part, others)) (*rows)[count++] = i;
  if (others && fit->blocks.hidden && count > most) { /* the scorer would draw that many anyway */
    ANK_TRY(ank_draw_rows(&drawn, most, count, fit->recipe.settings.seed, DRAW_OTHERS, err));
    for (size_t k = 0; k < most; k++) (*rows)[k] = (*rows)[drawn[k]];
    count = most;
  }
  ANK_TRY(ank_copy_rows(out, fit->table, *rows, count, &fit->recipe.settings, err));
done:
  ank_free(drawn);
  return status;
}

/* Remove the known anomalies among the calibration scores from number `from` on, and surplus rows: they do not
 * calibrate. `some` and `rows` as below. */
static void leave_known(ank_fitting *fit, size_t from, const size_t *some, const size_t *rows) {
  anorank_model *model = fit->model;
  size_t left = from;
  if (!fit->is_known && !fit->calibrated) return;
  for (size_t k = from; k < model->calibration_count; k++) {
    size_t row = some ? some[k - from] : k - from, used;
    if (rows) row = rows[row];
    used = fit->sample_rows ? fit->sample_rows[row] : row;
    if ((fit->is_known && fit->is_known[used]) || (fit->calibrated && fit->part[row] >= NOT_SCORED)) continue;
    if (fit->calibrated) fit->calibrated[left] = row;
    model->calibration[left++] = model->calibration[k];
  }
  model->calibration_count = left;
}

/* Return the scores of rows of fit->table (rows[0 .. count - 1] of it, or all where rows is NULL; of those,
 * where `some` is not NULL, some[0 .. count - 1]). */
static void keep_row_scores(ank_fitting *fit, const double *scores, size_t count, const size_t *some,
                            const size_t *rows) {
  const size_t *rest = fit->confirmed.rest_rows;
  for (size_t k = 0; fit->row_scores && scores && k < count; k++) {
    size_t row = some ? some[k] : k;
    if (rows) row = rows[row];
    if (fit->sample_rows) row = fit->sample_rows[row];
    fit->row_scores[rest ? rest[row] : row] = scores[k];
  }
}

/* A copy has the score of its original. */
static void score_copies(ank_fitting *fit) {
  const size_t *rest = fit->confirmed.rest_rows;
  for (size_t k = 0; fit->row_scores && k < fit->copies.copies; k++) {
    size_t copy = fit->copied[0][k], of = fit->copied[1][k];
    fit->row_scores[rest ? rest[copy] : copy] = fit->row_scores[rest ? rest[of] : of];
  }
}

/* ---- fitting and calibrating ------------------------------------------------------------------------- */

/* Fit `pipeline` on the rows outside a part, and add the scores of the part's rows to the calibration. The pipeline is the
 * model's own, or a temporary one with the scale of the model's own. */
static anorank_status fit_without(ank_fitting *fit, ank_pipeline *pipeline, size_t part, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_model *model = fit->model;
  int last = pipeline == &model->pipeline;
  anorank_table *table = NULL;
  ank_match *match = NULL;
  size_t *rows = NULL;
  ANK_TRY(rows_of_part(&table, &rows, fit, part, 1, err));
  ANK_TRY(ank_pipeline_fit(pipeline, table, &fit->recipe, fit->most_bytes, last ? BACKGROUND : 0, err));
  if (last) keep_row_scores(fit, pipeline->own, pipeline->fit_rows, pipeline->fit_row, rows);
  if (!last && pipeline->type->take_scale)
    pipeline->type->take_scale(pipeline->scorer, model->pipeline.scorer);
  for (size_t k = 0; !last && k < pipeline->deviations; k++) {
    size_t feature = pipeline->deviation[k].feature;
    pipeline->deviation[k] = model->pipeline.deviation[k];
    pipeline->deviation[k].feature = feature;
  }
  ank_table_free(table);
  ANK_TRY(rows_of_part(&table, &rows, fit, part, 0, err));
  ANK_TRY(ank_match_make(&match, pipeline->prepare, table, err));
  ANK_TRY(ank_resize(&model->calibration, model->calibration_count + table->rows, sizeof *model->calibration,
                     err));
  ANK_TRY(ank_pipeline_score(model->calibration + model->calibration_count, pipeline, match, table,
                             &fit->recipe.settings, err));
  if (last || fit->blocks.hidden)
    keep_row_scores(fit, model->calibration + model->calibration_count, table->rows, NULL, rows);
  model->calibration_count += table->rows;
  leave_known(fit, model->calibration_count - table->rows, NULL, rows);
done:
  ank_free(rows);
  ank_match_free(match);
  ank_table_free(table);
  return status;
}

static anorank_status fit_by_split(ank_fitting *fit, anorank_error *err) {
  double share =
      fit->recipe.settings.calibration > 0 ? fit->recipe.settings.calibration : ANK_FIT_SPLIT_SHARE;
  size_t kept = (size_t)(share * (double)fit->table->rows);
  if (kept > ANK_FIT_SPLIT_CALIBRATION) kept = ANK_FIT_SPLIT_CALIBRATION;
  ANK_CHECK(fit->blocks.gap > 0 ? assign_blocks(fit, 2, share, err) : assign_parts(fit, 0, kept, err));
  ANK_CHECK(step(fit, 0, 1, "fitting", err));
  return fit_without(fit, &fit->model->pipeline, 1, err);
}

static anorank_status fit_on_all(ank_fitting *fit, anorank_error *err) {
  ank_pipeline *pipeline = &fit->model->pipeline;
  ANK_CHECK(ank_pipeline_fit(pipeline, fit->table, &fit->recipe, fit->most_bytes, BACKGROUND, err));
  keep_row_scores(fit, pipeline->own, pipeline->fit_rows, pipeline->fit_row, NULL);
  return ANORANK_OK;
}

static anorank_status fit_leaving_one_out(ank_fitting *fit, anorank_error *err) {
  anorank_model *model = fit->model;
  ANK_CHECK(step(fit, 0, 1, "fitting", err));
  ANK_CHECK(fit_on_all(fit, err));
  model->calibration = model->pipeline.left_out;
  model->calibration_count = model->pipeline.fit_rows;
  model->pipeline.left_out = NULL;
  leave_known(fit, 0, model->pipeline.fit_row, NULL);
  return ANORANK_OK;
}

static anorank_status fit_by_folds(ank_fitting *fit, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = fit->table->rows, folds = (size_t)fit->recipe.settings.folds;
  int mixed = fit->recipe.settings.train == ANORANK_TRAIN_CONTAMINATED;
  if (folds == 0 && fit->blocks.gap > 0)
    folds = mixed ? ANK_FIT_BLOCK_FOLDS : ANK_FIT_USUAL_FOLDS;
  else if (folds == 0)
    folds = fit->recipe.leaves_out && n < ANK_FIT_ALONE_ROWS ? ANK_FIT_ALONE_FOLDS : ANK_FIT_USUAL_FOLDS;
  if (folds < 2) folds = 2;
  if (folds > n) folds = n;
  if (fit->blocks.gap > 0 && folds > ANK_BLOCKS_MOST) folds = ANK_BLOCKS_MOST;
  fit->model->about.folds = folds;
  ANK_TRY(fit->blocks.gap > 0 ? assign_blocks(fit, folds, 0, err) : assign_parts(fit, folds, 0, err));
  ANK_TRY(step(fit, 0, 1 / (double)(folds + 1), "fitting", err));
  ANK_TRY(fit_on_all(fit, err));
  for (size_t k = 0; k < folds; k++) {
    ank_pipeline without = {0};
    ANK_TRY(step(fit, (double)(k + 1) / (double)(folds + 1), (double)(k + 2) / (double)(folds + 1),
                 "cross-fitting", err));
    anorank_error inner = {0};
    status = fit_without(fit, &without, k, &inner);
    ank_pipeline_free(&without);
    /* Without its only odd row, a column may be constant and leave nothing to learn from. Then the part
     * calibrates nothing. If the table itself is wrong, the fit on all rows reports it. */
    if (status != ANORANK_OK && status != ANORANK_ERROR_DATA)
      ANK_TRY(ank_fail_around(err, &inner, "%s", inner.message));
    status = ANORANK_OK;
  }
done:
  return status;
}

/* A share set by the user applies to any class; ANK_FIT_SPLIT_ROWS limits the default share. */
static anorank_calibration_method way_of(const ank_fitting *fit) {
  const anorank_settings *settings = &fit->recipe.settings;
  size_t n = fit->table->rows, kept = (size_t)(settings->calibration * (double)n);
  if (kept > 0 && n - kept >= ANK_FIT_FEWEST_ROWS) return ANORANK_CALIBRATED_SPLIT;
  if (fit->blocks.gap > 0) return ANORANK_CALIBRATED_CROSS_FIT;
  int alone = fit->recipe.out_of_all || settings->train == ANORANK_TRAIN_CONTAMINATED;
  if (fit->recipe.leaves_out && n < ANK_FIT_ALONE_ROWS && settings->train == ANORANK_TRAIN_CLEAN)
    return ANORANK_CALIBRATED_CROSS_FIT;
  if (fit->recipe.leaves_out && n > fit->recipe.most_rows) return ANORANK_CALIBRATED_SPLIT;
  if (fit->recipe.leaves_out) return alone ? ANORANK_CALIBRATED_LEAVE_ONE_OUT : ANORANK_CALIBRATED_CROSS_FIT;
  return settings->train == ANORANK_TRAIN_CLEAN && n >= ANK_FIT_SPLIT_ROWS ? ANORANK_CALIBRATED_SPLIT
                                                                           : ANORANK_CALIBRATED_CROSS_FIT;
}

static anorank_status fit_and_calibrate(ank_fitting *fit, anorank_error *err) {
  fit->model->about.way = way_of(fit);
  switch (fit->model->about.way) {
  case ANORANK_CALIBRATED_SPLIT: return fit_by_split(fit, err);
  case ANORANK_CALIBRATED_LEAVE_ONE_OUT: return fit_leaving_one_out(fit, err);
  default: return fit_by_folds(fit, err);
  }
}

/* Put scores on the scale of their entities. Not with contaminated rows: an entity that is abnormal for long would define
 * its own scale. */
static anorank_status scale_entities(ank_fitting *fit, ank_context *context, anorank_error *err) {
  anorank_model *model = fit->model;
  if (!fit->calibrated || fit->recipe.settings.train == ANORANK_TRAIN_CONTAMINATED) return ANORANK_OK;
  const ank_sequences *sequences = &fit->blocks.sequences;
  ank_score_scale *own = NULL;
  ANK_CHECK(ank_alloc(&own, sequences->entities, sizeof *own, err));
  anorank_status status = ank_entity_scale_fit(&model->pipeline.entities, model->calibration, fit->calibrated,
                                               model->calibration_count, sequences, fit->part, own, err);
  for (size_t e = 0; context && status == ANORANK_OK && e < sequences->entities; e++)
    ank_context_set_scale(context, e, own[e]);
  ank_free(own);
  keep_row_scores(fit, model->calibration, model->calibration_count, fit->calibrated, NULL);
  return status;
}

/* Sort calibration scores by time for the stretches, then by value. */
static anorank_status sort_calibration(ank_fitting *fit, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_model *model = fit->model;
  const anorank_settings *settings = fit->outer;
  const ank_sequences *rows = &fit->blocks.sequences;
  size_t count = model->calibration_count, n = fit->table->rows;
  uint32_t *order = NULL, *place = NULL;
  if (fit->calibrated) {
    ank_calibration_order *stretches = &model->stretches;
    ANK_TRY(ank_alloc_raw(&order, count, sizeof *order, err));
    ANK_TRY(ank_alloc_raw(&place, n, sizeof *place, err));
    ANK_TRY(ank_alloc_raw(&stretches->place, count, sizeof *stretches->place, err));
    ANK_TRY(ank_argsort(order, model->calibration, count, settings, err));
    memset(place, 0xff, n * sizeof *place);
    for (size_t k = 0; k < count; k++) place[fit->calibrated[order[k]]] = (uint32_t)k;
    for (size_t k = 0, last = SIZE_MAX; k < n; k++) {
      size_t row = rows->order[k];
      if (place[row] == UINT32_MAX) continue;
      int follows = last != SIZE_MAX && last + 1 == k && rows->entity[row] == rows->entity[rows->order[last]];
      stretches->place[stretches->count++] = 2 * place[row] + !follows;
      last = k;
    }
  }
  ANK_TRY(ank_sort(model->calibration, count, settings, err));
done:
  ank_free(order);
  ank_free(place);
  return status;
}

/* ---- the model --------------------------------------------------------------------------------------- */

void ank_model_free(anorank_model *model) {
  if (!model) return;
  ank_settings_release(&model->settings);
  ank_pipeline_free(&model->pipeline);
  ank_context_free(model->context);
  ank_free(model->calibration);
  ank_free(model->stretches.place);
  ank_free(model->columns);
  ank_limits_free(&model->limits);
  ank_notes_free(&model->notes);
  ank_free(model);
}

/* Known anomalies stay among the rows of the table if the class can handle this: random draws are then the same as
 * without them. */
static anorank_status keep_known(ank_fitting *fit, size_t rows, anorank_error *err) {
  ank_known_anomalies *confirmed = &fit->confirmed;
  if (!fit->recipe.keeps_known || !confirmed->rest || confirmed->rest->rows < ANK_FIT_FEWEST_ROWS)
    return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(&fit->is_known, rows, sizeof *fit->is_known, err));
  memset(fit->is_known, 1, rows);
  for (size_t i = 0; i < confirmed->rest->rows; i++) fit->is_known[confirmed->rest_rows[i]] = 0;
  ank_table_free(confirmed->rest);
  ank_free(confirmed->rest_rows);
  confirmed->rest = NULL;
  confirmed->rest_rows = NULL;
  return ANORANK_OK;
}

static anorank_status fit_model(anorank_model **out, const anorank_table *table, size_t drawn_from,
                                ank_context *context, const signed char *labels, const anorank_table *known,
                                double *row_scores, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_fitting fit = {.outer = settings, .row_scores = row_scores, .drawn_from = drawn_from};
  *out = NULL;
  for (size_t i = 0; row_scores && i < table->rows; i++) row_scores[i] = NAN;
  ANK_TRY(ank_recipe_make(&fit.recipe, settings, err));
  if (settings->progress) {
    fit.recipe.settings.progress = relay;
    fit.recipe.settings.progress_context = &fit;
  }
  ANK_TRY(ank_alloc(&fit.model, 1, sizeof *fit.model, err));
  ANK_TRY(ank_settings_hold(&fit.model->settings, settings, err));
  fit.model->train_rows = drawn_from;
  ANK_TRY(ank_known_anomalies_make(&fit.confirmed, table, labels, known, settings, DRAW_KNOWN, err));
  fit.model->known_rows = fit.confirmed.used;
  for (size_t k = 0; k < 2; k++) fit.recipe.known[k] = fit.confirmed.anomalies[k];
  fit.recipe.dismissed = fit.confirmed.dismissed;
  ANK_TRY(keep_known(&fit, table->rows, err));
  ANK_TRY(choose_rows(&fit, fit.confirmed.rest ? fit.confirmed.rest : table, err));
  ANK_TRY(leave_clocks(&fit, err));
  ANK_TRY(ank_blocks_plan(&fit.blocks, fit.table, context, &fit.recipe.settings, err));
  ANK_TRY(fit_and_calibrate(&fit, err));
  const ank_prepare *prepare = fit.model->pipeline.prepare;
  ANK_TRY(ank_dependence_of_table(&fit.model->dependence, fit.table, prepare, NULL, NULL, settings, err));
  ANK_TRY(ank_limits_of_table(&fit.model->limits, fit.table, prepare, settings, err));
  score_copies(&fit);
  ANK_TRY(scale_entities(&fit, context, err));
  ANK_TRY(sort_calibration(&fit, err));
  ANK_TRY(ank_model_complete(fit.model, err));
  ANK_TRY(ank_fit_write_notes(&fit, err));
  ank_pipeline_settle(&fit.model->pipeline);
  ANK_TRY(ank_progress(settings, 1, "fitting", err));
  ank_model_describe(fit.model);
  ANK_HAND_OVER(out, fit.model);
done:
  ank_model_free(fit.model);
  ank_table_free(fit.sample);
  ank_free(fit.sample_rows);
  ank_duplicates_free(&fit.copies);
  for (size_t k = 0; k < 2; k++) ank_free(fit.copied[k]);
  ank_known_anomalies_free(&fit.confirmed);
  ank_free(fit.is_known);
  ank_free(fit.part);
  ank_blocks_free(&fit.blocks);
  ank_free(fit.calibrated);
  ank_free(fit.clock);
  ank_free(fit.ids);
  return status;
}

anorank_status ank_check_labels(const signed char *labels, size_t rows, anorank_error *err) {
  for (size_t i = 0; labels && i < rows; i++)
    if (labels[i] < -1 || labels[i] > 1)
      return ank_fail(err, ANORANK_ERROR_USAGE, "label-value",
                      "the label of row %zu is %d; use 1 for an anomaly, 0 for a normal row, -1 for unknown",
                      i + 1, labels[i]);
  return ANORANK_OK;
}

anorank_status ank_model_fit(anorank_model **out, const anorank_table *table, const signed char *labels,
                             const anorank_table *known, double *row_scores, const anorank_settings *settings,
                             anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_context_fit_of fit;
  *out = NULL;
  ANK_TRY(ank_context_fit_make(&fit, table, settings, err));
  ANK_TRY(ank_model_fit_in_context(out, &fit, labels, known, row_scores, settings, err));
done:
  ank_context_fit_free(&fit);
  return status;
}

anorank_status ank_model_fit_in_context(anorank_model **out, ank_context_fit_of *fit,
                                        const signed char *labels, const anorank_table *known,
                                        double *row_scores, const anorank_settings *settings,
                                        anorank_error *err) {
  *out = NULL;
  if (fit->context && known)
    return ank_fail(
        err, ANORANK_ERROR_USAGE, "context-known",
        "known anomalies from another table have no earlier rows; mark them in a label column instead");
  ANK_CHECK(
      fit_model(out, fit->table, fit->rows, fit->context, labels, known, row_scores, &fit->settings, err));
  (*out)->context = fit->context;
  fit->context = NULL;
  if (!(*out)->context) return ANORANK_OK;
  ank_settings_release(&(*out)->settings); /* the model keeps the settings of the user */
  anorank_status status = ank_settings_hold(&(*out)->settings, settings, err);
  for (size_t i = 0; status == ANORANK_OK && i < fit->notes.count; i++)
    status = ank_notes_copy(&(*out)->notes, &fit->notes.list[i], err);
  if (status == ANORANK_OK) return ANORANK_OK;
  ank_model_free(*out);
  *out = NULL;
  return status;
}

anorank_status ank_model_fit_drawn(anorank_model **out, const anorank_table *table, size_t rows,
                                   const anorank_table *known, double *row_scores,
                                   const anorank_settings *settings, anorank_error *err) {
  if (rows == table->rows) return ank_model_fit(out, table, NULL, known, row_scores, settings, err);
  return fit_model(out, table, rows, NULL, NULL, known, row_scores, settings, err);
}
