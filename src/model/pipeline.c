/* pipeline.c - see pipeline.h. */
#include "model/pipeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contrast/contrast_plan.h"
#include "core/alloc.h"
#include "core/hash.h"
#include "core/method_constants.h"
#include "core/parallel.h"
#include "kernels/sort.h"
#include "model/deviation.h"
#include "model/fit_scorer.h"
#include "model/row_subset.h"

enum {
  DRAW_MATRIX = 16, /* numbers of draws in ANK_STREAM_MODEL; model_fit.c has those below */
  DRAW_BACKGROUND = 17,
  SURPRISE_ROWS = 2000,        /* rows scored to find the distance from the median to the lowest hundredth */
  BACKGROUND_VALUES = 1 << 20, /* features of kept rows at most, while FEWEST_BACKGROUND rows allow it */
  FEWEST_BACKGROUND = 64,
  BLOCK_VALUES = 1 << 18, /* of prepared rows at a time per thread */
  BLOCKS_AT_A_TIME = 64,  /* between two calls of the progress callback */
  FIRST_ROWS = 64         /* of a block, compared to see whether rows repeat */
};

/* ---- the recipe -------------------------------------------------------------------------------------- */

anorank_status ank_recipe_make(ank_recipe *out, const anorank_settings *settings, anorank_error *err) {
  const ank_law *law;
  *out = (ank_recipe){.settings = *settings, .most_rows = SIZE_MAX};
  if (strcmp(settings->scorer, "auto") == 0) {
    int quick = settings->fast && settings->train == ANORANK_TRAIN_CLEAN;
    const ank_scorer_class *type = quick ? &ank_scorer_neighbours : &ank_scorer_blend;
    out->settings.scorer = type->info.name;
  }
  /* Training rows of a class do not show which class to choose. */
  if (strchr(out->settings.scorer, ',') && settings->held_out == 0) out->settings.held_out = 0.25;
  const ank_scorer_class *plain = ank_plain_class(&out->settings);
  if (plain && plain->score_left_out) {
    uint64_t enough = 4 * (uint64_t)settings->reference_rows;
    out->leaves_out = 1;
    out->out_of_all = plain->left_out_of_all;
    out->most_rows = (size_t)(enough < ANK_FIT_ENOUGH_ROWS ? ANK_FIT_ENOUGH_ROWS : enough);
  }
  out->keeps_known = plain && plain->uses_known && settings->train == ANORANK_TRAIN_CONTAMINATED;
  return ank_contrast_law(&law, 0, settings, err);
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

/* Valid models never give such scores; finite weights of a damaged model can still overflow. */
static anorank_status check_finite(const double *scores, size_t rows, size_t first, anorank_error *err) {
  for (size_t i = 0; i < rows; i++)
    if (!isfinite(scores[i])) {
      (void)ank_fail(err, ANORANK_ERROR_MODEL, "model-score",
                     "the model is damaged: the score of row %zu is not finite; copy the original again, or "
                     "fit it again",
                     first + i + 1);
      ank_place_row(err, NULL, first + i, NULL);
      return ANORANK_ERROR_MODEL;
    }
  return ANORANK_OK;
}

static anorank_status score_each(double *scores, const ank_pipeline *pipeline, const double *features,
                                 size_t rows, anorank_error *err) {
  size_t dim = ank_prepare_dim(pipeline->prepare);
  ank_matrix matrix = {features, rows, dim};
  anorank_status status = pipeline->type->score(scores, pipeline->scorer, &matrix, err);
  for (size_t i = 0; status == ANORANK_OK && i < rows; i++)
    scores[i] -=
        pipeline->surprise * features[i * dim + dim - 1] + ank_deviation_of(pipeline, features + i * dim);
  return status;
}

/* The first of the rows equal to each, and their number. */
static size_t find_equal(uint32_t *first, const double *features, size_t rows, size_t dim, uint32_t *slots,
                         size_t slot_count) {
  size_t distinct = 0, bytes = dim * sizeof *features;
  for (size_t i = 0; i < rows; i++) {
    size_t slot = ank_hash_bytes(features + i * dim, bytes) & (slot_count - 1);
    while (slots[slot] && memcmp(features + (slots[slot] - 1) * dim, features + i * dim, bytes) != 0)
      slot = (slot + 1) & (slot_count - 1);
    if (!slots[slot]) {
      slots[slot] = (uint32_t)i + 1;
      distinct++;
    }
    first[i] = slots[slot] - 1;
  }
  return distinct;
}

/* A score is a function of the row, so equal rows are scored once: neighbour searches are slowest among equal rows. If the
 * first rows are distinct, the others are not compared. */
static anorank_status score_features(double *scores, const ank_pipeline *pipeline, const double *features,
                                     size_t rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t dim = ank_prepare_dim(pipeline->prepare), slot_count = 2 * FIRST_ROWS, distinct = 0, some;
  uint32_t *first = NULL, *slots = NULL;
  double *each = NULL, *found = NULL;
  if (rows < FIRST_ROWS) return score_each(scores, pipeline, features, rows, err);
  while (slot_count < 2 * rows) slot_count *= 2;
  ANK_TRY(ank_alloc_raw(&first, rows, sizeof *first, err));
  ANK_TRY(ank_alloc(&slots, slot_count, sizeof *slots, err));
  some = find_equal(first, features, FIRST_ROWS, dim, slots, slot_count);
  if (some == FIRST_ROWS) {
    status = score_each(scores, pipeline, features, rows, err);
    goto done;
  }
  memset(slots, 0, slot_count * sizeof *slots);
  distinct = find_equal(first, features, rows, dim, slots, slot_count);
  ANK_TRY(ank_alloc_raw(&each, distinct * dim, sizeof *each, err));
  ANK_TRY(ank_alloc_raw(&found, distinct, sizeof *found, err));
  for (size_t i = 0, k = 0; i < rows; i++)
    if (first[i] == i) memcpy(each + k++ * dim, features + i * dim, dim * sizeof *each);
  ANK_TRY(score_each(found, pipeline, each, distinct, err));
  for (size_t i = 0, k = 0; i < rows; i++) scores[i] = first[i] == i ? found[k++] : scores[first[i]];
done:
  ank_free(first);
  ank_free(slots);
  ank_free(each);
  ank_free(found);
  return status;
}

anorank_status ank_pipeline_score_features(double *scores, const ank_pipeline *pipeline,
                                           const double *features, size_t rows, size_t first,
                                           anorank_error *err) {
  ANK_CHECK(score_each(scores, pipeline, features, rows, err));
  return check_finite(scores, rows, first, err);
}

/* Put scores of the rows from `from` on on the scale of their entities. */
static void scale_entities(double *scores, const rows_job *work, size_t from, size_t count) {
  const ank_entity_scale *scale = &work->pipeline->entities;
  const ank_score_scale *own = work->table->scale;
  for (size_t i = 0; own && scale->used && i < count; i++)
    scores[i] = ank_entity_scaled(scale, scores[i], own[from + i]);
}

static anorank_status score_chunk(void *context, size_t chunk, anorank_error *err) {
  const rows_job *work = context;
  const ank_pipeline *pipeline = work->pipeline;
  anorank_status status = ANORANK_OK;
  size_t from, count = rows_of(work, chunk, &from), dim = ank_prepare_dim(pipeline->prepare);
  double *rows = NULL;
  ANK_TRY(ank_alloc_raw(&rows, count * dim, sizeof *rows, err));
  ANK_TRY(ank_prepare_rows(rows, pipeline->prepare, work->match, work->table, from, count, err));
  ANK_TRY(score_features(work->out + from, pipeline, rows, count, err));
  ANK_TRY(check_finite(work->out + from, count, ank_match_rows_before(work->match) + from, err));
  scale_entities(work->out + from, work, from, count);
done:
  ank_free(rows);
  return status;
}

/* Gather the rows of a chunk that have no score yet; runs of them are prepared together. */
static anorank_status score_rest_of_chunk(void *context, size_t chunk, anorank_error *err) {
  const rows_job *work = context;
  const ank_pipeline *pipeline = work->pipeline;
  anorank_status status = ANORANK_OK;
  size_t from, count = rows_of(work, chunk, &from), dim = ank_prepare_dim(pipeline->prepare), rest = 0,
               at = 0;
  double *rows = NULL, *scores = NULL;
  for (size_t i = from; i < from + count; i++) rest += isnan(work->out[i]) != 0;
  if (rest == 0) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&rows, rest * dim, sizeof *rows, err));
  ANK_TRY(ank_alloc_raw(&scores, rest, sizeof *scores, err));
  for (size_t i = from, end; i < from + count; i = end + 1) {
    for (end = i; end < from + count && isnan(work->out[end]);) end++;
    if (end == i) continue;
    ANK_TRY(ank_prepare_rows(rows + at * dim, pipeline->prepare, work->match, work->table, i, end - i, err));
    at += end - i;
  }
  ANK_TRY(score_features(scores, pipeline, rows, rest, err));
  for (size_t i = from, k = 0; i < from + count; i++)
    if (isnan(work->out[i])) {
      work->out[i] = scores[k++];
      scale_entities(work->out + i, work, i, 1);
    }
  ANK_TRY(check_finite(work->out + from, count, ank_match_rows_before(work->match) + from, err));
done:
  ank_free(rows);
  ank_free(scores);
  return status;
}

static anorank_status score_chunks(double *scores, const ank_pipeline *pipeline, const ank_match *match,
                                   const anorank_table *table, ank_chunk body,
                                   const anorank_settings *settings, anorank_error *err) {
  size_t block = block_rows(ank_prepare_dim(pipeline->prepare)), step = block * BLOCKS_AT_A_TIME;
  for (size_t first = 0; first < table->rows; first += step) {
    rows_job work = {scores, pipeline, match, table, block, first};
    size_t some = table->rows - first < step ? table->rows - first : step;
    ANK_CHECK(ank_progress(settings, (double)first / (double)table->rows, "scoring rows", err));
    ANK_CHECK(ank_parallel(settings, (some + block - 1) / block, body, &work, err));
  }
  return ANORANK_OK;
}

anorank_status ank_pipeline_score(double *scores, const ank_pipeline *pipeline, const ank_match *match,
                                  const anorank_table *table, const anorank_settings *settings,
                                  anorank_error *err) {
  return score_chunks(scores, pipeline, match, table, score_chunk, settings, err);
}

anorank_status ank_pipeline_score_rest(double *scores, const ank_pipeline *pipeline, const ank_match *match,
                                       const anorank_table *table, const anorank_settings *settings,
                                       anorank_error *err) {
  return score_chunks(scores, pipeline, match, table, score_rest_of_chunk, settings, err);
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

/* ---- what else is learned from the rows -------------------------------------------------------------- */

/* Put the three quarters of the drawn rows with the highest scores first, each part in the order of the
 * table, and return their number in `*usual`. */
static anorank_status usual_first(size_t *drawn, size_t *usual, size_t count, const ank_pipeline *pipeline,
                                  const double *x, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t dim = ank_prepare_dim(pipeline->prepare), first = 0, last = count - count / 4;
  double *scores = NULL, *rows = NULL;
  uint32_t *order = NULL;
  size_t *sorted = NULL;
  unsigned char *low = NULL;
  ANK_TRY(ank_alloc_raw(&scores, count, sizeof *scores, err));
  ANK_TRY(ank_alloc_raw(&order, count, sizeof *order, err));
  ANK_TRY(ank_alloc_raw(&sorted, count, sizeof *sorted, err));
  ANK_TRY(ank_alloc(&low, count, sizeof *low, err));
  if (pipeline->left_out) {
    for (size_t i = 0; i < count; i++) scores[i] = pipeline->left_out[drawn[i]];
  } else {
    ANK_TRY(ank_alloc_raw(&rows, count * dim, sizeof *rows, err));
    for (size_t i = 0; i < count; i++) memcpy(rows + i * dim, x + drawn[i] * dim, dim * sizeof *x);
    ank_matrix all = {rows, count, dim};
    ANK_TRY(ank_score(scores, pipeline->type, pipeline->scorer, &all, settings, err));
  }
  ANK_TRY(ank_argsort(order, scores, count, settings, err));
  *usual = last;
  for (size_t k = 0; k < count / 4; k++) low[order[k]] = 1;
  for (size_t i = 0; i < count; i++) sorted[low[i] ? last++ : first++] = drawn[i];
  memcpy(drawn, sorted, count * sizeof *drawn);
done:
  ank_free(scores);
  ank_free(rows);
  ank_free(order);
  ank_free(sorted);
  ank_free(low);
  return status;
}

/* Draw rows to compare with in explanations, as features and as cells. If training rows may include anomalies, those with
 * the highest scores come first. */
static anorank_status keep_background(ank_pipeline *pipeline, const anorank_table *table, const double *x,
                                      size_t wanted, const ank_recipe *recipe, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t dim = ank_prepare_dim(pipeline->prepare), columns = ank_prepare_columns(pipeline->prepare);
  size_t count = BACKGROUND_VALUES / dim < wanted ? BACKGROUND_VALUES / dim : wanted, *drawn = NULL;
  ank_match *match = NULL;
  if (count < FEWEST_BACKGROUND) count = FEWEST_BACKGROUND;
  if (count > pipeline->fit_rows) count = pipeline->fit_rows;
  ANK_TRY(ank_draw_rows(&drawn, count, pipeline->fit_rows, recipe->settings.seed, DRAW_BACKGROUND, err));
  pipeline->usual_rows = count;
  if (recipe->settings.train == ANORANK_TRAIN_CONTAMINATED)
    ANK_TRY(usual_first(drawn, &pipeline->usual_rows, count, pipeline, x, &recipe->settings, err));
  ANK_TRY(ank_alloc_raw(&pipeline->background, count * dim, sizeof *pipeline->background, err));
  ANK_TRY(ank_alloc_raw(&pipeline->cells, count * columns, sizeof *pipeline->cells, err));
  ANK_TRY(ank_match_make(&match, pipeline->prepare, table, err));
  for (size_t i = 0; i < count; i++) {
    memcpy(pipeline->background + i * dim, x + drawn[i] * dim, dim * sizeof *x);
    for (size_t c = 0; c < columns; c++)
      pipeline->cells[i * columns + c] = ank_prepare_value(match, table, drawn[i], c);
  }
  pipeline->background_rows = count;
done:
  ank_match_free(match);
  ank_free(drawn);
  return status;
}

/* No training row has a surprise, so a surprise should move a usual row to where hardly any training row is: by the
 * distance from the median of their scores to the lowest hundredth. Reorders `scores`. */
static anorank_status weigh_surprise(ank_pipeline *pipeline, double *scores, size_t count,
                                     const anorank_settings *settings, anorank_error *err) {
  ANK_CHECK(ank_sort(scores, count, settings, err));
  pipeline->surprise = scores[count / 2] - scores[count / 100];
  if (!(pipeline->surprise > 0) || !isfinite(pipeline->surprise)) pipeline->surprise = 1;
  return ANORANK_OK;
}

/* The same from the scores of the training rows, if the scorer has no leave-one-out scores. */
static anorank_status weigh_surprise_seen(ank_pipeline *pipeline, const double *x, size_t rows,
                                          const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t count = rows < SURPRISE_ROWS ? rows : SURPRISE_ROWS, dim = ank_prepare_dim(pipeline->prepare);
  double *scores = NULL, *some = NULL;
  ANK_TRY(ank_alloc_raw(&scores, count, sizeof *scores, err));
  ANK_TRY(ank_alloc_raw(&some, count * dim, sizeof *some, err));
  for (size_t i = 0; i < count; i++) /* spread evenly: files are often sorted */
    memcpy(some + i * dim, x + i * rows / count * dim, dim * sizeof *some);
  ank_matrix matrix = {some, count, dim};
  ANK_TRY(ank_score(scores, pipeline->type, pipeline->scorer, &matrix, settings, err));
  ANK_TRY(weigh_surprise(pipeline, scores, count, settings, err));
done:
  ank_free(scores);
  ank_free(some);
  return status;
}

/* Leave-one-out scores of the training rows; a cell that no other row has then counts as a surprise. */
static anorank_status score_left_out(ank_pipeline *pipeline, const anorank_table *table,
                                     const ank_samples *samples, const anorank_settings *settings,
                                     anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_match *match = NULL;
  double *work = NULL;
  size_t rows = samples->x.rows;
  ANK_TRY(ank_alloc_raw(&pipeline->own, rows, sizeof *pipeline->own, err));
  ANK_TRY(ank_alloc_raw(&pipeline->left_out, rows, sizeof *pipeline->left_out, err));
  ANK_TRY(ank_alloc_raw(&work, rows, sizeof *work, err));
  ANK_TRY(pipeline->type->score_left_out(pipeline->own, pipeline->scorer, samples, settings, err));
  memcpy(work, pipeline->own, rows * sizeof *work);
  ANK_TRY(weigh_surprise(pipeline, work, rows, settings, err));
  ANK_TRY(ank_match_make(&match, pipeline->prepare, table, err));
  ank_match_left_out(work, match, table);
  for (size_t i = 0; i < rows; i++) pipeline->left_out[i] = pipeline->own[i] - pipeline->surprise * work[i];
done:
  ank_match_free(match);
  ank_free(work);
  return status;
}

/* The deviation columns, and their effect on the scores of the training rows. */
static anorank_status add_deviations(ank_pipeline *pipeline, const anorank_table *table, const double *x,
                                     const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t rows = pipeline->fit_rows, dim = ank_prepare_dim(pipeline->prepare);
  double *scores = NULL;
  if (!pipeline->own) {
    ank_matrix all = {x, rows, dim};
    ANK_TRY(ank_alloc_raw(&scores, rows, sizeof *scores, err));
    ANK_TRY(ank_score(scores, pipeline->type, pipeline->scorer, &all, settings, err));
  }
  ANK_TRY(ank_deviation_fit(pipeline, table, x, scores ? scores : pipeline->own, rows, settings, err));
  for (size_t i = 0; pipeline->own && i < rows; i++) {
    double taken = ank_deviation_of(pipeline, x + i * dim);
    pipeline->own[i] -= taken;
    pipeline->left_out[i] -= taken;
  }
done:
  ank_free(scores);
  return status;
}

/* ---- together ---------------------------------------------------------------------------------------- */

void ank_pipeline_settle(ank_pipeline *pipeline) {
  ank_free(pipeline->fit_row);
  ank_free(pipeline->left_out);
  ank_free(pipeline->own);
  pipeline->fit_row = NULL;
  pipeline->left_out = pipeline->own = NULL;
}

void ank_pipeline_free(ank_pipeline *pipeline) {
  ank_prepare_free(pipeline->prepare);
  if (pipeline->scorer) pipeline->type->free(pipeline->scorer);
  ank_pipeline_settle(pipeline);
  ank_free(pipeline->background);
  ank_free(pipeline->cells);
  *pipeline = (ank_pipeline){0};
}

/* Known rows as a matrix: anomalies, then dismissed rows. */
static anorank_status prepared_known(double **out, ank_known *known, const ank_pipeline *pipeline,
                                     const ank_recipe *recipe, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_table *tables[] = {recipe->known[0], recipe->known[1], recipe->dismissed};
  size_t dim = ank_prepare_dim(pipeline->prepare), filled = 0;
  ank_match *match = NULL;
  *known = (ank_known){.dim = dim, .dismissed = recipe->dismissed ? recipe->dismissed->rows : 0};
  for (size_t k = 0; k < 2; k++) known->rows += tables[k] ? tables[k]->rows : 0;
  ANK_TRY(ank_alloc_raw(out, (known->rows + known->dismissed) * dim, sizeof **out, err));
  known->values = *out;
  for (size_t k = 0; k < 3; k++) {
    const anorank_table *table = tables[k];
    if (!table) continue;
    ank_match_free(match);
    match = NULL;
    ANK_TRY(ank_match_make(&match, pipeline->prepare, table, err));
    ANK_TRY(ank_prepare_rows(*out + filled * dim, pipeline->prepare, match, table, 0, table->rows, err));
    filled += table->rows;
  }
done:
  ank_match_free(match);
  return status;
}

/* The cells of a row among its features. */
static anorank_status lay_out(ank_cell_features **out, ank_row_layout *layout, const ank_prepare *prepare,
                              anorank_error *err) {
  size_t columns = ank_prepare_columns(prepare), cells = 0;
  ANK_CHECK(ank_alloc_raw(out, columns, sizeof **out, err));
  for (size_t c = 0; c < columns; c++) {
    anorank_model_column column = ank_prepare_column(prepare, c);
    if (column.features == 0) continue;
    (*out)[cells++] = (ank_cell_features){column.first_feature, column.features,
                                          column.role == ANORANK_ROLE_NUMERIC       ? ANK_CELL_NUMBER
                                          : column.role == ANORANK_ROLE_CATEGORICAL ? ANK_CELL_LEVEL
                                                                                    : ANK_CELL_OTHER};
  }
  *layout = (ank_row_layout){*out, cells};
  return ANORANK_OK;
}

static anorank_status fit_on_matrix(ank_pipeline *pipeline, const anorank_table *table, double *x,
                                    const ank_recipe *recipe, size_t background_rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_settings *settings = &recipe->settings;
  size_t rows = pipeline->fit_rows, dim = ank_prepare_dim(pipeline->prepare);
  unsigned char *marks = NULL;
  double *values = NULL;
  ank_known known;
  ank_cell_features *cells = NULL;
  ank_row_layout layout;
  ANK_TRY(ank_alloc(&marks, dim, sizeof *marks, err));
  ank_prepare_marks(marks, pipeline->prepare);
  ANK_TRY(prepared_known(&values, &known, pipeline, recipe, err));
  ANK_TRY(lay_out(&cells, &layout, pipeline->prepare, err));
  ank_samples samples = {{x, rows, dim}, {NULL, 0, dim}, NULL, known, marks, recipe->had_copies, &layout};
  ANK_TRY(ank_progress(settings, 0.3, "fitting the scorer", err));
  ANK_TRY(ank_fit_scorer(pipeline, table, &samples, settings, err));
  ANK_TRY(ank_progress(settings, 0.7, "calibrating", err));
  if (pipeline->type->score_left_out)
    ANK_TRY(score_left_out(pipeline, table, &samples, settings, err));
  else
    ANK_TRY(weigh_surprise_seen(pipeline, x, rows, settings, err));
  if (table->has_context) ANK_TRY(add_deviations(pipeline, table, x, settings, err));
  if (background_rows > 0) ANK_TRY(keep_background(pipeline, table, x, background_rows, recipe, err));
done:
  ank_free(cells);
  ank_free(values);
  ank_free(marks);
  return status;
}

anorank_status ank_pipeline_fit(ank_pipeline *out, const anorank_table *table, const ank_recipe *recipe,
                                size_t most_bytes, size_t background_rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_settings *settings = &recipe->settings;
  anorank_table *part = NULL;
  double *x = NULL;
  *out = (ank_pipeline){0};
  ANK_TRY(ank_prepare_fit(&out->prepare, table, settings, err));
  ANK_TRY(ank_progress(settings, 0.1, "preparing rows", err));
  out->fit_rows = most_bytes / (ank_prepare_dim(out->prepare) * sizeof *x);
  if (out->fit_rows < 64) out->fit_rows = 64;
  if (out->fit_rows > recipe->most_rows) out->fit_rows = recipe->most_rows;
  if (out->fit_rows < table->rows) {
    ANK_TRY(ank_draw_rows(&out->fit_row, out->fit_rows, table->rows, settings->seed, DRAW_MATRIX, err));
    ANK_TRY(ank_copy_rows(&part, table, out->fit_row, out->fit_rows, settings, err));
  }
  out->fit_rows = part ? part->rows : table->rows;
  ANK_TRY(prepared_matrix(&x, out, part ? part : table, settings, err));
  ANK_TRY(fit_on_matrix(out, part ? part : table, x, recipe, background_rows, err));
done:
  ank_table_free(part);
  ank_free(x);
  if (status != ANORANK_OK) ank_pipeline_free(out);
  return status;
}
