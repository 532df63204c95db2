/* model_score.c - scores and p-values of the rows of a table. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "model/model.h"
#include "model/model_context.h"
#include "model/results.h"
#include "model/row_subset.h"

anorank_status ank_model_score(double *scores, const anorank_model *model, const ank_match *match,
                               const anorank_table *table, const double *row_scores,
                               const anorank_settings *settings, anorank_error *err) {
  if (row_scores) {
    memcpy(scores, row_scores, table->rows * sizeof *scores);
    return ank_pipeline_score_rest(scores, &model->pipeline, match, table, settings, err);
  }
  return ank_pipeline_score(scores, &model->pipeline, match, table, settings, err);
}

/* ---- p-values ---------------------------------------------------------------------------------------- */

anorank_status ank_model_complete(anorank_model *model, anorank_error *err) {
  size_t columns = ank_prepare_columns(model->pipeline.prepare);
  int contaminated = model->settings.train == ANORANK_TRAIN_CONTAMINATED;
  model->null = contaminated ? ank_calibration_from_bulk(model->calibration, model->calibration_count,
                                                         model->pipeline.type->distance_scores)
                             : ank_calibration_from_ranks(model->calibration, model->calibration_count);
  ANK_CHECK(ank_limits_of_scores(&model->limits, model->calibration, model->calibration_count, err));
  model->about.rows = model->calibration_count;
  model->about.set_aside = model->null.set_aside;
  model->about.smallest_p_value = ank_calibration_smallest(&model->null);
  model->about.of_logarithms = model->null.distances;
  model->about.tails = (size_t)model->null.has_tail;
  model->about.tail = model->null.has_tail ? &model->null.tail : NULL;
  anorank_status status = ank_alloc_raw(&model->columns, columns, sizeof *model->columns, err);
  for (size_t i = 0; status == ANORANK_OK && i < columns; i++)
    model->columns[i] = ank_prepare_column(model->pipeline.prepare, i);
  return status;
}

static size_t bytes_of(const anorank_model *model) {
  const ank_pipeline *pipeline = &model->pipeline;
  size_t each = ank_prepare_dim(pipeline->prepare) + ank_prepare_columns(pipeline->prepare);
  size_t doubles = model->calibration_count + 2 * model->limits.columns + pipeline->background_rows * each;
  return sizeof *model + ank_prepare_bytes(pipeline->prepare) + pipeline->type->bytes(pipeline->scorer) +
         doubles * sizeof(double) + model->stretches.count * sizeof(uint32_t) +
         ank_notes_bytes(&model->notes);
}

void ank_model_describe(anorank_model *model) {
  model->info = (anorank_model_info){.scorer = model->pipeline.type->info.name,
                                     .train_rows = model->train_rows,
                                     .known_rows = model->known_rows,
                                     .columns = ank_prepare_columns(model->pipeline.prepare),
                                     .bytes = bytes_of(model),
                                     .calibration = &model->about,
                                     .p_values = ank_model_p_value_words(model),
                                     .dependence = &model->dependence};
}

double ank_model_p_value(const anorank_model *model, double score) {
  return ank_calibration_p_value(&model->null, score);
}

const char *ank_model_p_value_words(const anorank_model *model) {
  if (model->null.has_tail)
    return "a tail fitted to the bulk of the scores; valid (conservative) if the normal tail decays at least "
           "exponentially";
  if (model->settings.train == ANORANK_TRAIN_CONTAMINATED)
    return "ranks among the scores; conservative, because anomalies may be among these rows";
  return "ranks among the scores of rows outside the fit; valid for normal rows drawn like the training rows";
}

/* The model's id columns in the table, without missing ones. */
static anorank_status id_columns(size_t **out, size_t *count, const ank_prepare *prepare,
                                 const ank_match *match, anorank_error *err) {
  *count = 0;
  ANK_CHECK(ank_alloc_raw(out, ank_prepare_columns(prepare), sizeof **out, err));
  for (size_t i = 0; i < ank_prepare_columns(prepare); i++) {
    size_t j = ank_match_column(match, i);
    if (j != SIZE_MAX && ank_prepare_column(prepare, i).role == ANORANK_ROLE_ID) (*out)[(*count)++] = j;
  }
  return ANORANK_OK;
}

/* Scores of the rows 0 .. rows - 1 of `view`, or of rows[0 .. count - 1] alone. */
static anorank_status score_some(double *scores, const anorank_model *model, const ank_match *match,
                                 const anorank_table *view, const size_t *rows, size_t count,
                                 const anorank_settings *settings, anorank_error *err) {
  double *all = NULL;
  if (!rows) return ank_pipeline_score(scores, &model->pipeline, match, view, settings, err);
  ANK_CHECK(ank_alloc(&all, view->rows, sizeof *all, err)); /* 0: not to be scored */
  for (size_t i = 0; i < count; i++) all[rows[i]] = NAN;
  anorank_status status = ank_pipeline_score_rest(all, &model->pipeline, match, view, settings, err);
  for (size_t i = 0; status == ANORANK_OK && i < count; i++) scores[i] = all[rows[i]];
  ank_free(all);
  return status;
}

anorank_status ank_model_score_view(anorank_table **out, const anorank_model *model,
                                    const anorank_table *table, const anorank_table *view, size_t first_row,
                                    const size_t *rows, size_t count, const anorank_settings *settings,
                                    anorank_error *err) {
  static const char *const names[] = {"row", "score", "p_value"};
  anorank_status status = ANORANK_OK;
  anorank_table *result = NULL;
  ank_match *match = NULL;
  size_t *ids = NULL, *chosen = NULL, id_count, kept;
  *out = NULL;
  ANK_TRY(ank_match_make(&match, model->pipeline.prepare, view, err));
  ANK_TRY(ank_match_update(match, view, first_row > 0 ? first_row - 1 : 0, err));
  ANK_TRY(id_columns(&ids, &id_count, model->pipeline.prepare, match, err));
  ANK_TRY(ank_alloc_raw(&chosen, table->columns, sizeof *chosen, err));
  ANK_TRY(ank_results_choose(chosen, &kept, ids, id_count, table, settings->keep, err));
  ANK_TRY(ank_table_new(&result, kept + 3, err));
  for (size_t k = 0; k < 3; k++)
    ANK_TRY(ank_table_set_name(result, kept + k, names[k], strlen(names[k]), err));
  ANK_TRY(ank_results_columns(result, table, chosen, kept, err));
  ANK_TRY(ank_table_reserve(result, count, err));
  for (size_t k = 0; k < kept; k++)
    ANK_TRY(ank_copy_cells(&result->column[k], &table->column[chosen[k]], rows, count, err));
  const ank_column *column = result->column + kept;
  ANK_TRY(score_some(column[1].numbers, model, match, view, rows, count, settings, err));
  for (size_t i = 0; i < count; i++) {
    column[0].numbers[i] = (double)(first_row + (rows ? rows[i] : i));
    column[2].numbers[i] = ank_model_p_value(model, column[1].numbers[i]);
  }
  result->rows = count;
  ANK_HAND_OVER(out, result);
done:
  ank_table_free(result);
  ank_match_free(match);
  ank_free(ids);
  ank_free(chosen);
  return status;
}

anorank_status anorank_model_score_table(anorank_table **out, const anorank_model *model,
                                         const anorank_table *table, size_t first_row,
                                         const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(model);
  ANK_NEED(table);
  anorank_status status = ANORANK_OK;
  anorank_table *derived = NULL;
  const anorank_table *view;
  if (first_row > 1) ANK_TRY(ank_context_refuse(model, NULL, err)); /* what was before is not known */
  ANK_TRY(ank_model_view(&view, &derived, model, table, err));
  ANK_TRY(ank_model_score_view(out, model, table, view, first_row, NULL, table->rows,
                               ank_settings_or_default(settings), err));
done:
  ank_table_free(derived);
  return status;
}
