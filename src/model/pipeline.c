/* pipeline.c - see pipeline.h. */
#include "model/pipeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contrast/contrast_matrix.h"
#include "contrast/law.h"
#include "core/alloc.h"
#include "core/parallel.h"
#include "kernels/sort.h"
#include "learn/learn.h"
#include "model/pick.h"

enum {
  MOST_CONTRAST = 100000,
  FEW_FEATURES = 8, /* up to here a uniform box still meets the data (docs/contrast.md) */
  DRAW_MATRIX = 16, /* numbers of draws in ANK_STREAM_MODEL; model_fit.c has those below */
  DRAW_BACKGROUND = 17,
  DRAW_FAR_CELLS = 18,
  BLOCK_VALUES = 1 << 18, /* of prepared rows at a time per thread */
  BLOCKS_AT_A_TIME = 64   /* between two words of progress */
};

/* ---- the recipe -------------------------------------------------------------------------------------- */

static int is_auto(const char *text) { return strcmp(text, "auto") == 0; }

/* Give a setting the value that "auto" wants, unless the user chose one. */
static void prefer(int64_t *field, const char *name, int64_t value) {
  anorank_settings defaults;
  int64_t usual;
  anorank_settings_default(&defaults);
  memcpy(&usual, (const char *)&defaults + anorank_setting_find(name)->offset, sizeof usual);
  if (*field == usual) *field = value;
}

anorank_status ank_recipe_make(ank_recipe *out, const anorank_settings *settings, anorank_error *err) {
  const ank_law *law;
  out->settings = *settings;
  out->trim = 0;
  if (is_auto(settings->scorer)) {
    snprintf(out->settings.scorer, sizeof out->settings.scorer, "%s", ank_scorer_neighbours.info.name);
    if (settings->train == ANORANK_TRAIN_CONTAMINATED) {
      /* Small subsamples seldom hold two anomalies of a kind, so that those cannot vouch for each other. */
      prefer(&out->settings.subsample, "subsample", 16);
      prefer(&out->settings.subsamples, "subsamples", 64);
      out->trim = 1;
    }
  }
  /* Rows that a class was fitted on say nothing about which class to choose. */
  if (strchr(out->settings.scorer, ',') && settings->held_out == 0) out->settings.held_out = 0.25;
  return is_auto(settings->contrast) ? ANORANK_OK : ank_law_named(&law, settings->contrast, err);
}

/* ---- rows as a matrix -------------------------------------------------------------------------------- */

typedef struct rows_job {
  double *out; /* the matrix, or the scores */
  const ank_pipeline *pipeline;
  const ank_match *match;
  const anorank_table *table;
  size_t block, first; /* rows of a chunk; chunk 0 begins at row `first` */
} rows_job;

static size_t rows_of(const rows_job *work, size_t chunk, size_t *from) {
  *from = work->first + chunk * work->block;
  return work->table->rows - *from < work->block ? work->table->rows - *from : work->block;
}

static size_t block_rows(size_t dim) {
  size_t rows = BLOCK_VALUES / dim;
  return rows < 16 ? 16 : rows > 2048 ? 2048 : rows;
}

static anorank_status prepare_chunk(void *context, size_t chunk, anorank_error *err) {
  const rows_job *work = context;
  size_t from, count = rows_of(work, chunk, &from);
  return ank_prepare_rows(work->out + from * ank_prepare_dim(work->pipeline->prepare),
                          work->pipeline->prepare, work->match, work->table, from, count, err);
}

anorank_status ank_pipeline_score_features(double *scores, const ank_pipeline *pipeline,
                                           const double *features, size_t rows, anorank_error *err) {
  size_t dim = ank_prepare_dim(pipeline->prepare);
  ank_matrix matrix = {features, rows, dim};
  anorank_status status = pipeline->type->score(scores, pipeline->scorer, &matrix, err);
  for (size_t i = 0; status == ANORANK_OK && i < rows; i++)
    scores[i] -= pipeline->surprise * features[i * dim + dim - 1];
  return status;
}

static anorank_status score_chunk(void *context, size_t chunk, anorank_error *err) {
  const rows_job *work = context;
  const ank_pipeline *pipeline = work->pipeline;
  anorank_status status = ANORANK_OK;
  size_t from, count = rows_of(work, chunk, &from), dim = ank_prepare_dim(pipeline->prepare);
  double *rows = NULL;
  ANK_TRY(ank_alloc_raw(&rows, count * dim, sizeof *rows, err));
  ANK_TRY(ank_prepare_rows(rows, pipeline->prepare, work->match, work->table, from, count, err));
  ANK_TRY(ank_pipeline_score_features(work->out + from, pipeline, rows, count, err));
done:
  ank_free(rows);
  return status;
}

anorank_status ank_pipeline_score(double *scores, const ank_pipeline *pipeline, const ank_match *match,
                                  const anorank_table *table, const anorank_settings *settings,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t block = block_rows(ank_prepare_dim(pipeline->prepare)), step = block * BLOCKS_AT_A_TIME;
  for (size_t first = 0; first < table->rows; first += step) {
    rows_job work = {scores, pipeline, match, table, block, first};
    size_t some = table->rows - first < step ? table->rows - first : step;
    ANK_TRY(ank_progress(settings, (double)first / (double)table->rows, "scoring rows", err));
    ANK_TRY(ank_parallel(settings, (some + block - 1) / block, score_chunk, &work, err));
  }
done:
  return status;
}

static anorank_status prepared_matrix(double **out, const ank_pipeline *pipeline, const anorank_table *table,
                                      const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_match *match = NULL;
  size_t dim = ank_prepare_dim(pipeline->prepare), block = block_rows(dim), values;
  if (__builtin_mul_overflow(table->rows, dim, &values)) values = SIZE_MAX;
  ANK_TRY(ank_match_make(&match, pipeline->prepare, table, err));
  ANK_TRY(ank_alloc_raw(out, values, sizeof **out, err));
  rows_job work = {*out, pipeline, match, table, block, 0};
  ANK_TRY(ank_parallel(settings, (table->rows + block - 1) / block, prepare_chunk, &work, err));
done:
  ank_match_free(match);
  return status;
}

/* ---- the scorer -------------------------------------------------------------------------------------- */

/* One class that looks at X alone needs no choice and no second sample. */
static const ank_scorer_class *plain_class(const anorank_settings *settings) {
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
    if (column->kind != ANORANK_NUMERIC) continue;
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

static anorank_status learn_scorer(ank_pipeline *pipeline, const anorank_table *table, const ank_matrix *x,
                                   const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_settings own = *settings;
  anorank_error why = {{0}};
  ank_learned learned = {0};
  double *u = NULL;
  size_t count = contrast_count(x, settings);
  const char *law = x->dim <= FEW_FEATURES ? "box" : "jitter";
  snprintf(own.law, sizeof own.law, "%s", is_auto(own.contrast) ? law : settings->contrast);
  own.first_row = 0;
  own.limits[0] = '\0'; /* they speak of all the table's columns */
  ANK_TRY(ank_alloc_raw(&u, count * x->dim, sizeof *u, err));
  status = draw_contrast(u, count, pipeline, table, &own, &why);
  /* Not every law takes every table: infinite cells, columns of words. The matrix has neither. */
  if (status == ANORANK_ERROR_DATA || status == ANORANK_ERROR_USAGE)
    status = ank_contrast_rows(u, count, x->values, x->rows, x->dim, &own, err);
  else if (status != ANORANK_OK)
    ank_fail(err, status, "%s", why.message);
  if (status != ANORANK_OK) goto done;
  ank_samples samples = {*x, {u, count, x->dim}, NULL, {0}};
  ANK_TRY(ank_learn(&learned, &samples, NULL, 0, &own, err));
  pipeline->type = learned.candidates[learned.best].type;
  pipeline->scorer = learned.candidates[learned.best].scorer;
  learned.candidates[learned.best].scorer = NULL;
  pipeline->contrast_rows = count;
done:
  ank_learned_free(&learned);
  ank_free(u);
  return status;
}

static anorank_status fit_scorer(ank_pipeline *pipeline, const anorank_table *table, const ank_matrix *x,
                                 const anorank_settings *settings, anorank_error *err) {
  const ank_scorer_class *plain = plain_class(settings);
  ank_samples samples = {*x, {NULL, 0, x->dim}, NULL, {0}};
  if (!plain) return learn_scorer(pipeline, table, x, settings, err);
  pipeline->type = plain;
  return plain->fit(&pipeline->scorer, &samples, settings, err);
}

/* Keep, in place, the three quarters of the rows with the highest scores. */
static anorank_status keep_highest(double *rows, size_t *count, const ank_pipeline *pipeline,
                                   const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t dim = ank_prepare_dim(pipeline->prepare), dropped = *count / 4, kept = 0;
  ank_matrix all = {rows, *count, dim};
  double *scores = NULL;
  uint32_t *order = NULL;
  unsigned char *low = NULL;
  ANK_TRY(ank_alloc_raw(&scores, *count, sizeof *scores, err));
  ANK_TRY(ank_alloc_raw(&order, *count, sizeof *order, err));
  ANK_TRY(ank_alloc(&low, *count, sizeof *low, err));
  ANK_TRY(ank_score(scores, pipeline->type, pipeline->scorer, &all, settings, err));
  ANK_TRY(ank_argsort(order, scores, *count, settings, err));
  for (size_t k = 0; k < dropped; k++) low[order[k]] = 1;
  for (size_t i = 0; i < *count; i++) {
    if (low[i]) continue;
    if (kept < i) memcpy(rows + kept * dim, rows + i * dim, dim * sizeof *rows);
    kept++;
  }
  *count = kept;
done:
  ank_free(scores);
  ank_free(order);
  ank_free(low);
  return status;
}

/* ---- together ---------------------------------------------------------------------------------------- */

void ank_pipeline_free(ank_pipeline *pipeline) {
  ank_prepare_free(pipeline->prepare);
  if (pipeline->scorer) pipeline->type->free(pipeline->scorer);
  ank_free(pipeline->background);
  *pipeline = (ank_pipeline){0};
}

/* Rows to compare with when explaining. Where anomalies may be among the training rows, and the fit did not
 * leave them out itself, from the three quarters with the highest scores. */
static anorank_status keep_background(ank_pipeline *pipeline, const double *x, size_t rows, size_t wanted,
                                      const ank_recipe *recipe, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  int filter = recipe->settings.train == ANORANK_TRAIN_CONTAMINATED && !recipe->trim;
  size_t dim = ank_prepare_dim(pipeline->prepare), count = filter ? wanted + wanted / 3 + 1 : wanted;
  size_t *drawn = NULL;
  if (count > rows) count = rows;
  ANK_TRY(ank_draw_rows(&drawn, count, rows, recipe->settings.seed, DRAW_BACKGROUND, err));
  ANK_TRY(ank_alloc_raw(&pipeline->background, count * dim, sizeof *pipeline->background, err));
  for (size_t i = 0; i < count; i++)
    memcpy(pipeline->background + i * dim, x + drawn[i] * dim, dim * sizeof *x);
  if (filter) ANK_TRY(keep_highest(pipeline->background, &count, pipeline, &recipe->settings, err));
  pipeline->background_rows = count < wanted ? count : wanted;
done:
  ank_free(drawn);
  return status;
}

/* A surprise has not been seen in any training row, so it should take a usual row to where hardly any
 * training row is: the distance from the median of their scores to the lowest hundredth. */
static anorank_status weigh_surprise(ank_pipeline *pipeline, const double *x, size_t rows,
                                     const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t count = rows < 2000 ? rows : 2000, dim = ank_prepare_dim(pipeline->prepare);
  double *scores = NULL;
  ANK_TRY(ank_alloc_raw(&scores, count, sizeof *scores, err));
  for (size_t i = 0; i < count; i++) { /* spread evenly: files are often sorted */
    ank_matrix row = {x + i * rows / count * dim, 1, dim};
    ANK_TRY(pipeline->type->score(&scores[i], pipeline->scorer, &row, err));
  }
  ANK_TRY(ank_sort(scores, count, settings, err));
  pipeline->surprise = scores[count / 2] - scores[count / 100];
  if (!(pipeline->surprise > 0) || !isfinite(pipeline->surprise)) pipeline->surprise = 1;
done:
  ank_free(scores);
  return status;
}

static anorank_status fit_on_matrix(ank_pipeline *pipeline, const anorank_table *table, double *x,
                                    size_t rows, const ank_recipe *recipe, size_t background_rows,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_matrix matrix = {x, rows, ank_prepare_dim(pipeline->prepare)};
  ANK_TRY(fit_scorer(pipeline, table, &matrix, &recipe->settings, err));
  if (recipe->trim) {
    ANK_TRY(keep_highest(x, &matrix.rows, pipeline, &recipe->settings, err));
    pipeline->type->free(pipeline->scorer);
    pipeline->scorer = NULL;
    ANK_TRY(fit_scorer(pipeline, table, &matrix, &recipe->settings, err));
  }
  ANK_TRY(weigh_surprise(pipeline, x, matrix.rows, &recipe->settings, err));
  if (background_rows > 0) ANK_TRY(keep_background(pipeline, x, matrix.rows, background_rows, recipe, err));
done:
  return status;
}

anorank_status ank_pipeline_fit(ank_pipeline *out, const anorank_table *table, const ank_recipe *recipe,
                                size_t most_bytes, size_t background_rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_settings *settings = &recipe->settings;
  anorank_table *part = NULL;
  size_t *rows = NULL;
  double *x = NULL;
  *out = (ank_pipeline){0};
  ANK_TRY(ank_prepare_fit(&out->prepare, table, settings, err));
  out->fit_rows = most_bytes / (ank_prepare_dim(out->prepare) * sizeof *x);
  if (out->fit_rows < 64) out->fit_rows = 64;
  if (out->fit_rows < table->rows) {
    ANK_TRY(ank_draw_rows(&rows, out->fit_rows, table->rows, settings->seed, DRAW_MATRIX, err));
    ANK_TRY(ank_pick_rows(&part, table, rows, out->fit_rows, err));
  }
  out->fit_rows = part ? part->rows : table->rows;
  ANK_TRY(prepared_matrix(&x, out, part ? part : table, settings, err));
  ANK_TRY(fit_on_matrix(out, part ? part : table, x, out->fit_rows, recipe, background_rows, err));
done:
  ank_table_free(part);
  ank_free(rows);
  ank_free(x);
  if (status != ANORANK_OK) ank_pipeline_free(out);
  return status;
}
