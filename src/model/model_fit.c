/* model_fit.c - from a table to a model: which rows teach, which calibrate, and what is said about it.
 *
 * Split (clean, at least 200 rows): a random share of the rows is kept from the fit, from the preparation
 * too, so that a calibration row is as new to the model as a row that comes later: p-values are then exact
 * for normal rows. Cross-fit (contaminated, or few rows): each of `folds` parts is scored by a pipeline
 * fitted on the others, and the model itself is fitted on all rows. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/rng.h"
#include "kernels/sort.h"
#include "model/model.h"
#include "model/pick.h"
#include "model/pipeline.h"

enum {
  FEWEST_ROWS = 5,
  SPLIT_ROWS = 200, /* below, every row is needed for the fit */
  SPLIT_CALIBRATION = 20000,
  CROSS_CALIBRATION = 100000,
  BACKGROUND = 512,
  MOST_ROWS = 1000000, /* more would take time and change no order that these classes can learn */
  DRAW_TABLE = 0,      /* numbers of draws in ANK_STREAM_MODEL; pipeline.c has those from 16 */
  DRAW_PARTS = 1,
  NOT_SCORED = 128 /* a row of part k that calibrates nothing has part k + NOT_SCORED */
};

typedef struct fitting {
  anorank_model *model;
  const anorank_table *table; /* the rows that are used */
  anorank_table *sample;      /* owns them where they are not all */
  ank_recipe recipe;
  size_t most_bytes; /* of one prepared matrix */
  const anorank_settings *outer;
  double from, to; /* the share of the whole work that the present step covers */
  unsigned char *part;
  size_t folds; /* 0: split */
  ank_pipeline pipeline;
} fitting;

/* ---- words and progress ------------------------------------------------------------------------------ */

static anorank_status note(anorank_model *model, anorank_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static anorank_status note(anorank_model *model, anorank_error *err, const char *format, ...) {
  char text[ANORANK_MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  anorank_status status = ank_resize(&model->notes, model->note_count + 1, sizeof *model->notes, err);
  if (status == ANORANK_OK) status = ank_copy_text(&model->notes[model->note_count], text, strlen(text), err);
  if (status == ANORANK_OK) model->note_count++;
  return status;
}

static int relay(void *context, double share_done, const char *what) {
  const fitting *fit = context;
  return fit->outer->progress(fit->outer->progress_context, fit->from + (fit->to - fit->from) * share_done,
                              what);
}

static anorank_status step(fitting *fit, double from, double to, const char *what, anorank_error *err) {
  fit->from = from;
  fit->to = to;
  return ank_progress(&fit->recipe.settings, 0, what, err);
}

/* ---- which rows -------------------------------------------------------------------------------------- */

/* Table, copies of its rows and the matrix are in memory together. */
static size_t rows_to_use(const anorank_table *table, size_t limit) {
  size_t bytes = ank_table_bytes(table) + 1, left = limit > bytes ? limit - bytes : 0;
  if (left < limit / 8) left = limit / 8;
  double fitting_in = (double)table->rows * ((double)left / 3 / (double)bytes);
  size_t rows = table->rows < MOST_ROWS ? table->rows : MOST_ROWS;
  if (fitting_in < (double)rows) rows = (size_t)fitting_in;
  return rows < 1000 && rows < table->rows ? (table->rows < 1000 ? table->rows : 1000) : rows;
}

static anorank_status choose_rows(fitting *fit, const anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t limit = ank_memory_limit(&fit->recipe.settings), count = rows_to_use(table, limit);
  size_t *rows = NULL;
  fit->table = table;
  fit->most_bytes = limit / 3;
  if (table->rows < FEWEST_ROWS)
    ANK_FAIL(ANORANK_ERROR_DATA, "the table has %zu row%s; a model needs at least %d", table->rows,
             ANK_S(table->rows), FEWEST_ROWS);
  if (count < table->rows) {
    ANK_TRY(ank_draw_rows(&rows, count, table->rows, fit->recipe.settings.seed, DRAW_TABLE, err));
    ANK_TRY(ank_pick_rows(&fit->sample, table, rows, count, err));
    fit->table = fit->sample;
    ANK_TRY(note(fit->model, err, "uses %zu of the %zu rows, drawn at random: %s", count, table->rows,
                 count == MOST_ROWS ? "more would take time and hardly change the order"
                                    : "more would not fit into max-memory"));
  }
done:
  ank_free(rows);
  return status;
}

/* part[i] of each row: 0 and 1 for a split (1 calibrates), else the number of its fold. */
static anorank_status assign_parts(fitting *fit, size_t folds, size_t kept, anorank_error *err) {
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
    size_t part = folds ? i % folds + (i < CROSS_CALIBRATION ? 0 : NOT_SCORED) : i < kept;
    fit->part[order[i]] = (unsigned char)part;
  }
done:
  ank_free(order);
  return status;
}

/* The rows of a part that calibrate, or the rows of all other parts. */
static anorank_status rows_of_part(anorank_table **out, const fitting *fit, size_t part, int others,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t count = 0, *rows = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc_raw(&rows, fit->table->rows, sizeof *rows, err));
  for (size_t i = 0; i < fit->table->rows; i++)
    if (others ? fit->part[i] % NOT_SCORED != part : fit->part[i] == part) rows[count++] = i;
  ANK_TRY(ank_pick_rows(out, fit->table, rows, count, err));
done:
  ank_free(rows);
  return status;
}

/* ---- fitting and calibrating ------------------------------------------------------------------------- */

/* Fit on the rows outside a part and add the scores of its rows to the calibration. */
static anorank_status fit_without(fitting *fit, size_t part, size_t background, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_model *model = fit->model;
  anorank_table *table = NULL;
  ank_match *match = NULL;
  ANK_TRY(rows_of_part(&table, fit, part, 1, err));
  ANK_TRY(ank_pipeline_fit(&fit->pipeline, table, &fit->recipe, fit->most_bytes, background, err));
  ank_table_free(table);
  ANK_TRY(rows_of_part(&table, fit, part, 0, err));
  ANK_TRY(ank_match_make(&match, fit->pipeline.prepare, table, err));
  ANK_TRY(ank_resize(&model->calibration, model->calibration_count + table->rows, sizeof *model->calibration,
                     err));
  ANK_TRY(ank_pipeline_score(model->calibration + model->calibration_count, &fit->pipeline, match, table,
                             &fit->recipe.settings, err));
  model->calibration_count += table->rows;
done:
  ank_match_free(match);
  ank_table_free(table);
  return status;
}

static anorank_status fit_by_split(fitting *fit, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = fit->table->rows, kept = (size_t)(fit->recipe.settings.calibration * (double)n);
  if (kept > SPLIT_CALIBRATION) kept = SPLIT_CALIBRATION;
  ANK_TRY(assign_parts(fit, 0, kept, err));
  ANK_TRY(step(fit, 0, 1, "fitting", err));
  ANK_TRY(fit_without(fit, 1, BACKGROUND, err));
done:
  return status;
}

static anorank_status fit_by_folds(fitting *fit, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = fit->table->rows, folds = (size_t)fit->recipe.settings.folds;
  if (folds > n) folds = n;
  fit->folds = folds;
  ANK_TRY(assign_parts(fit, folds, 0, err));
  for (size_t k = 0; k < folds; k++) {
    ANK_TRY(step(fit, (double)k / (double)(folds + 1), (double)(k + 1) / (double)(folds + 1), "cross-fitting",
                 err));
    anorank_error inner = {{0}};
    status = fit_without(fit, k, 0, &inner);
    ank_pipeline_free(&fit->pipeline);
    /* Without its one odd row a column may be constant and leave nothing to learn from: then the part
     * calibrates nothing. Where the table itself is at fault, the fit on all rows says so. */
    if (status != ANORANK_OK && status != ANORANK_ERROR_DATA) ANK_FAIL(status, "%s", inner.message);
  }
  ANK_TRY(step(fit, (double)folds / (double)(folds + 1), 1, "fitting", err));
  ANK_TRY(ank_pipeline_fit(&fit->pipeline, fit->table, &fit->recipe, fit->most_bytes, BACKGROUND, err));
done:
  return status;
}

/* ---- what is said ------------------------------------------------------------------------------------ */

static void size_text(char *text, size_t size, size_t bytes) {
  if (bytes < 10240)
    snprintf(text, size, "%zu bytes", bytes);
  else if (bytes < 10240 * (size_t)1024)
    snprintf(text, size, "%zu KiB", bytes >> 10);
  else
    snprintf(text, size, "%zu MiB", bytes >> 20);
}

static anorank_status tell_calibration(fitting *fit, anorank_error *err) {
  size_t rows = fit->model->calibration_count;
  if (fit->folds == 0)
    return note(fit->model, err,
                "p-values come from %zu rows kept from the fit: exact for later rows that are drawn like the "
                "training rows, if those are normal",
                rows);
  if (fit->recipe.settings.train == ANORANK_TRAIN_CLEAN)
    return note(
        fit->model, err,
        "p-values come from the scores of %zu rows, each by a fit on the other parts of %zu: close to "
        "exact, if the training rows are normal",
        rows, fit->folds);
  return note(fit->model, err,
              "p-values come from the scores of %zu rows, each by a fit on the other parts of %zu; %s", rows,
              fit->folds, ank_model_p_value_words(fit->model));
}

static anorank_status tell_fit(fitting *fit, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_pipeline *pipeline = &fit->pipeline;
  const anorank_settings *settings = &fit->recipe.settings;
  char scorer[32], contrast[128] = "", trimmed[64] = "";
  for (size_t i = 0; i < ank_prepare_notes(pipeline->prepare); i++)
    ANK_TRY(note(fit->model, err, "%s", ank_prepare_note(pipeline->prepare, i)));
  if (pipeline->contrast_rows > 0)
    snprintf(contrast, sizeof contrast, " against %zu contrast rows", pipeline->contrast_rows);
  if (fit->recipe.trim) snprintf(trimmed, sizeof trimmed, ", the lowest quarter left out of a second fit");
  ANK_TRY(note(fit->model, err, "scorer '%s' (train = %s) fitted on %zu rows of %zu features%s%s",
               pipeline->type->info.name,
               settings->train == ANORANK_TRAIN_CONTAMINATED ? "contaminated" : "clean", pipeline->fit_rows,
               ank_prepare_dim(pipeline->prepare), contrast, trimmed));
  ANK_TRY(tell_calibration(fit, err));
  size_text(scorer, sizeof scorer, pipeline->type->bytes(pipeline->scorer));
  ANK_TRY(note(fit->model, err,
               "size: %s for the scorer (by its settings: %s), 8 bytes for each of %zu calibration rows and "
               "for each of %zu features of %zu background rows",
               scorer, pipeline->type->info.settings, fit->model->calibration_count,
               ank_prepare_dim(pipeline->prepare), pipeline->background_rows));
done:
  return status;
}

/* The pipeline's parts become the model's. */
static void hand_over(anorank_model *model, ank_pipeline *pipeline) {
  model->prepare = pipeline->prepare;
  model->type = pipeline->type;
  model->scorer = pipeline->scorer;
  model->surprise = pipeline->surprise;
  model->background = pipeline->background;
  model->background_rows = pipeline->background_rows;
  *pipeline = (ank_pipeline){0};
}

void ank_model_free(anorank_model *model) {
  if (!model) return;
  ank_prepare_free(model->prepare);
  if (model->scorer) model->type->free(model->scorer);
  ank_free(model->calibration);
  ank_free(model->background);
  for (size_t i = 0; i < model->note_count; i++) ank_free(model->notes[i]);
  ank_free(model->notes);
  ank_free(model);
}

anorank_status ank_model_fit(anorank_model **out, const anorank_table *table,
                             const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  fitting fit = {.outer = settings};
  *out = NULL;
  ANK_TRY(ank_recipe_make(&fit.recipe, settings, err));
  if (settings->progress) {
    fit.recipe.settings.progress = relay;
    fit.recipe.settings.progress_context = &fit;
  }
  ANK_TRY(ank_alloc(&fit.model, 1, sizeof *fit.model, err));
  fit.model->settings = *settings;
  fit.model->settings.progress = NULL;
  fit.model->settings.progress_context = NULL;
  fit.model->train_rows = table->rows;
  ANK_TRY(choose_rows(&fit, table, err));
  int split = settings->train == ANORANK_TRAIN_CLEAN && fit.table->rows >= SPLIT_ROWS;
  ANK_TRY(split ? fit_by_split(&fit, err) : fit_by_folds(&fit, err));
  ANK_TRY(ank_sort(fit.model->calibration, fit.model->calibration_count, settings, err));
  fit.model->type = fit.pipeline.type;
  ank_model_make_null(fit.model);
  ANK_TRY(tell_fit(&fit, err));
  hand_over(fit.model, &fit.pipeline);
  ANK_TRY(ank_progress(settings, 1, "fitting", err));
  *out = fit.model;
  fit.model = NULL;
done:
  ank_model_free(fit.model);
  ank_pipeline_free(&fit.pipeline);
  ank_table_free(fit.sample);
  ank_free(fit.part);
  return status;
}
