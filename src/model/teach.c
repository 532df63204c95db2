/* teach.c - see teach.h.
 *
 * Known anomalies join the contrast rows U of classes that learn to rank X above U. All of them together
 * weigh a share of U that grows with their number k,
 *   k / (2 (k + KNOWN_DOUBT)):
 * one row says little about where the next anomaly will be, and however many there are, half of U stands for
 * anomalies of kinds not yet seen. */
#include "model/teach.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contrast/contrast_matrix.h"
#include "contrast/law.h"
#include "core/alloc.h"
#include "learn/learn.h"

enum {
  MOST_CONTRAST = 100000,
  FEW_FEATURES = 8, /* up to here a uniform box still meets the data (docs/contrast.md) */
  KNOWN_DOUBT = 5,
  DRAW_FAR_CELLS = 18 /* number of a draw in ANK_STREAM_MODEL; pipeline.c has those below */
};

const ank_scorer_class *ank_plain_class(const anorank_settings *settings) {
  const ank_scorer_class *type = ank_scorer_find(settings->scorer);
  return type && type->fit && !type->info.uses_contrast ? type : NULL;
}

static size_t contrast_count(const ank_matrix *x, const anorank_settings *settings) {
  double wanted = ceil(settings->contrast_ratio * (double)x->rows);
  double most = (double)ank_memory_limit(settings) / 8 / (double)(x->dim * sizeof *x->values);
  if (wanted > MOST_CONTRAST) wanted = MOST_CONTRAST;
  if (wanted > most) wanted = most;
  return wanted < 2 ? 2 : (size_t)wanted;
}

/* The columns that are learned from, as a table that borrows them. */
static anorank_status used_columns(anorank_table *view, const ank_prepare *prepare,
                                   const anorank_table *table, anorank_error *err) {
  *view = *table;
  view->columns = 0;
  anorank_status status = ank_alloc(&view->column, table->columns, sizeof *view->column, err);
  for (size_t j = 0; status == ANORANK_OK && j < table->columns && j < ank_prepare_columns(prepare); j++) {
    anorank_role role = ank_prepare_column(prepare, j).role;
    if (role == ANORANK_ROLE_NUMERIC || role == ANORANK_ROLE_CATEGORICAL || role == ANORANK_ROLE_CONSTANT)
      view->column[view->columns++] = table->column[j];
  }
  view->column_capacity = view->columns;
  return status;
}

/* One contrast row in 16 gets a level that no training row has, so that classes learn what such a cell is
 * worth instead of extrapolating to it. */
static anorank_status add_unseen_levels(anorank_table *drawn, anorank_error *err) {
  enum { ONE_IN = 16 };
  static const char unseen[] = "\x01never seen";
  anorank_status status = ANORANK_OK;
  for (size_t j = 0; j < drawn->columns; j++) {
    int32_t code;
    if (drawn->column[j].kind != ANORANK_CATEGORICAL) continue;
    ANK_TRY(ank_levels_code(&code, &drawn->column[j].levels, unseen, sizeof unseen - 1, err));
    for (size_t i = j % ONE_IN; i < drawn->rows; i += ONE_IN) drawn->column[j].codes[i] = code;
  }
done:
  return status;
}

/* One contrast row in 8 gets one number from anywhere in its column's range and half of that beyond. Laws
 * that stay near the rows never come to the ones of a column that is nearly all zeros, 20 deviations out, and
 * there a class would extrapolate either way. */
static void add_far_cells(anorank_table *drawn, const anorank_table *around, uint64_t seed) {
  enum { ONE_IN = 8 };
  ank_rng rng;
  ank_rng_open(&rng, seed, ANK_STREAM_MODEL, DRAW_FAR_CELLS);
  for (size_t j = 0; j < drawn->columns; j++) {
    const ank_column *column = &around->column[j];
    double low = INFINITY, high = -INFINITY;
    if (column->kind == ANORANK_CATEGORICAL) continue;
    for (size_t i = 0; i < around->rows; i++) {
      if (!isfinite(column->numbers[i])) continue;
      low = fmin(low, column->numbers[i]);
      high = fmax(high, column->numbers[i]);
    }
    double width = high - low;
    if (!(width > 0) || !isfinite(2 * width)) continue;
    for (size_t i = j * ONE_IN; i < drawn->rows; i += ONE_IN * drawn->columns)
      drawn->column[j].numbers[i] = low - width / 2 + 2 * width * ank_rng_uniform(&rng);
  }
}

/* Contrast rows are drawn around the table and prepared like it: a law then keeps levels levels and missing
 * cells missing. Around the matrix it would shake indicators to values that no row can have, by which alone
 * every class could tell X from U, and learn nothing else. */
static anorank_status draw_contrast(double *u, size_t count, const ank_pipeline *pipeline,
                                    const anorank_table *table, const anorank_settings *settings,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_settings own = *settings;
  anorank_table view = {0}, *drawn = NULL;
  ank_match *match = NULL;
  const ank_law *law;
  own.rows = (int64_t)count;
  ANK_TRY(ank_law_named(&law, own.law, err));
  ANK_TRY(used_columns(&view, pipeline->prepare, table, err));
  ANK_TRY(ank_simulate(&drawn, law, &view, &own, err));
  ANK_TRY(add_unseen_levels(drawn, err));
  add_far_cells(drawn, &view, own.seed);
  ANK_TRY(ank_match_make(&match, pipeline->prepare, drawn, err));
  ANK_TRY(ank_prepare_rows(u, pipeline->prepare, match, drawn, 0, count, err));
done:
  ank_match_free(match);
  ank_table_free(drawn);
  ank_free(view.column);
  return status;
}

/* Contrast rows around the training rows, into `u`. */
static anorank_status fill_contrast(double *u, size_t count, const ank_pipeline *pipeline,
                                    const anorank_table *table, const ank_matrix *x,
                                    const anorank_settings *settings, anorank_error *err) {
  anorank_settings own = *settings;
  anorank_error why = {0};
  const char *law = x->dim <= FEW_FEATURES ? "box" : "jitter";
  snprintf(own.law, sizeof own.law, "%s", strcmp(own.contrast, "auto") == 0 ? law : settings->contrast);
  own.first_row = 0;
  own.limits = ""; /* they speak of all the table's columns */
  anorank_status status = draw_contrast(u, count, pipeline, table, &own, &why);
  /* Not every law takes every table: infinite cells, columns of words. The matrix has neither. */
  if (status == ANORANK_ERROR_DATA || status == ANORANK_ERROR_USAGE)
    return ank_contrast_rows(u, count, x->values, x->rows, x->dim, &own, err);
  return status == ANORANK_OK ? status : ank_fail_around(err, &why, "%s", why.message);
}

/* The known anomalies, behind the `count` contrast rows, and the weights of all. */
static anorank_status add_known(ank_samples *samples, double *u, double **weight, size_t count,
                                anorank_error *err) {
  size_t known = samples->known.rows, dim = samples->x.dim;
  double share = 0.5 * (double)known / (double)(known + KNOWN_DOUBT);
  if (known == 0) return ANORANK_OK;
  anorank_status status = ank_alloc_raw(weight, count + known, sizeof **weight, err);
  if (status != ANORANK_OK) return status;
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
  size_t dim = samples->x.dim, count = contrast_count(&samples->x, settings);
  ANK_TRY(ank_alloc_raw(&u, (count + samples->known.rows) * dim, sizeof *u, err));
  ANK_TRY(fill_contrast(u, count, pipeline, table, &samples->x, settings, err));
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

anorank_status ank_teach(ank_pipeline *pipeline, const anorank_table *table, const ank_samples *samples,
                         const anorank_settings *settings, anorank_error *err) {
  const ank_scorer_class *plain = ank_plain_class(settings);
  ank_samples with_contrast = *samples;
  if (!plain) return learn_scorer(pipeline, table, &with_contrast, settings, err);
  pipeline->type = plain;
  return plain->fit(&pipeline->scorer, samples, settings, err);
}
