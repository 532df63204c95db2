/* fit_scorer.c - see fit_scorer.h.
 *
 * Known anomalies join the contrast rows U of classes that learn to rank X above U. All of them together
 * weigh a share of U that grows with their number k,
 *   k / (2 (k + ANK_FEEDBACK_CONTRAST_DOUBT)):
 * one row says little about where the next anomaly will be, and however many there are, half of U represents
 * anomalies of kinds not yet seen. */
#include "model/fit_scorer.h"

#include <string.h>

#include "contrast/contrast_matrix.h"
#include "contrast/contrast_plan.h"
#include "core/alloc.h"
#include "core/method_constants.h"
#include "learn/learn.h"

const ank_scorer_class *ank_plain_class(const anorank_settings *settings) {
  const ank_scorer_class *type = ank_scorer_find(settings->scorer);
  return type && type->fit && !type->info.uses_contrast ? type : NULL;
}

/* The columns that are learned from. */
static anorank_status used_columns(ank_used_column **out, const ank_prepare *prepare,
                                   const anorank_table *table, anorank_error *err) {
  anorank_status status = ank_alloc(out, table->columns, sizeof **out, err);
  for (size_t j = 0; status == ANORANK_OK && j < table->columns && j < ank_prepare_columns(prepare); j++) {
    anorank_role role = ank_prepare_column(prepare, j).role;
    (*out)[j].used = role == ANORANK_ROLE_NUMERIC || role == ANORANK_ROLE_CATEGORICAL ||
                     role == ANORANK_ROLE_CONSTANT || role == ANORANK_ROLE_TIME;
  }
  return status;
}

/* Contrast rows are drawn around the table and prepared like it: a law then keeps levels levels and missing
 * cells missing. Around the matrix it would shake indicators to values that no row can have, by which alone
 * every class could tell X from U, and learn nothing else. */
static anorank_status draw_contrast(double *u, const ank_contrast_plan *plan, const ank_pipeline *pipeline,
                                    const anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_used_column *used = NULL;
  anorank_table *drawn = NULL;
  ank_match *match = NULL;
  ANK_TRY(used_columns(&used, pipeline->prepare, table, err));
  ANK_TRY(ank_contrast_to_learn(&drawn, plan, table, used, err));
  ANK_TRY(ank_match_make(&match, pipeline->prepare, drawn, err));
  ANK_TRY(ank_prepare_rows(u, pipeline->prepare, match, drawn, 0, drawn->rows, err));
done:
  ank_match_free(match);
  ank_table_free(drawn);
  ank_free(used);
  return status;
}

/* Contrast rows around the training rows, into `u`. */
static anorank_status fill_contrast(double *u, const ank_contrast_plan *plan, const ank_pipeline *pipeline,
                                    const anorank_table *table, const ank_matrix *x, anorank_error *err) {
  anorank_error why = {0};
  anorank_status status = draw_contrast(u, plan, pipeline, table, &why);
  /* Not every law takes every table: infinite cells, columns of words. The matrix has neither. */
  if (status == ANORANK_ERROR_DATA || status == ANORANK_ERROR_USAGE)
    return ank_contrast_rows(u, (size_t)plan->settings.rows, x->values, x->rows, x->dim, &plan->settings,
                             err);
  return status == ANORANK_OK ? status : ank_fail_around(err, &why, "%s", why.message);
}

/* The known anomalies, behind the `count` contrast rows, and the weights of all. */
static anorank_status add_known(ank_samples *samples, double *u, double **weight, size_t count,
                                anorank_error *err) {
  size_t known = samples->known.rows, dim = samples->x.dim;
  double share = ANK_FEEDBACK_CONTRAST_SHARE * (double)known / (double)(known + ANK_FEEDBACK_CONTRAST_DOUBT);
  if (known == 0) return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(weight, count + known, sizeof **weight, err));
  for (size_t j = 0; j < count + known; j++)
    (*weight)[j] = j < count ? 1 : share / (1 - share) * (double)count / (double)known;
  memcpy(u + count * dim, samples->known.values, known * dim * sizeof *u);
  samples->u.rows = count + known;
  samples->u_weight = *weight;
  return ANORANK_OK;
}

static anorank_status learn_scorer(ank_pipeline *pipeline, const anorank_table *table, ank_samples *samples,
                                   const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_learned learned = {0};
  double *u = NULL, *weight = NULL;
  size_t dim = samples->x.dim, count;
  ank_contrast_plan plan;
  ANK_TRY(ank_contrast_plan_make(&plan, ANK_CONTRAST_TO_LEARN, samples->x.rows, dim, dim, settings, err));
  count = (size_t)plan.settings.rows;
  ANK_TRY(ank_alloc_raw(&u, (count + samples->known.rows) * dim, sizeof *u, err));
  ANK_TRY(fill_contrast(u, &plan, pipeline, table, &samples->x, err));
  samples->u = (ank_matrix){u, count, dim};
  ANK_TRY(add_known(samples, u, &weight, count, err));
  ANK_TRY(ank_learn(&learned, samples, NULL, 0, settings, err));
  pipeline->type = learned.candidates[learned.best].type;
  pipeline->scorer = learned.candidates[learned.best].scorer;
  learned.candidates[learned.best].scorer = NULL;
  pipeline->contrast_rows = count;
done:
  ank_learned_free(&learned);
  ank_free(u);
  ank_free(weight);
  return status;
}

anorank_status ank_fit_scorer(ank_pipeline *pipeline, const anorank_table *table, const ank_samples *samples,
                              const anorank_settings *settings, anorank_error *err) {
  const ank_scorer_class *plain = ank_plain_class(settings);
  ank_samples with_contrast = *samples;
  if (!plain) return learn_scorer(pipeline, table, &with_contrast, settings, err);
  pipeline->type = plain;
  return ank_scorer_fit(&pipeline->scorer, plain, samples, settings, err);
}
