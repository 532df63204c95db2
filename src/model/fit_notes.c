/* fit_notes.c - the notes that a fit writes into its model. */
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/print.h"
#include "model/fitting.h"
#include "model/level_clock.h"
#include "model/suggest_context.h"
#include "model/trend.h"

static void size_text(char *text, size_t size, size_t bytes) {
  if (bytes < 10240)
    snprintf(text, size, "%zu bytes", bytes);
  else if (bytes < 10240 * (size_t)1024)
    snprintf(text, size, "%zu KiB", bytes >> 10);
  else
    snprintf(text, size, "%zu MiB", bytes >> 20);
}

/* The source of the p-values, and their assumptions. */
static anorank_status tell_calibration(ank_fitting *fit, anorank_error *err) {
  int mixed = fit->recipe.settings.train == ANORANK_TRAIN_CONTAMINATED;
  const char *trust = mixed ? ank_model_p_value_words(fit->model)
                      : fit->model->about.way == ANORANK_CALIBRATED_SPLIT
                          ? "exact for new normal rows drawn like the training rows"
                          : "close to exact for new normal rows drawn like the training rows";
  char source[128];
  size_t rows = fit->model->calibration_count;
  switch (fit->model->about.way) {
  case ANORANK_CALIBRATED_SPLIT: snprintf(source, sizeof source, "%zu rows held out of the fit", rows); break;
  case ANORANK_CALIBRATED_LEAVE_ONE_OUT:
    snprintf(source, sizeof source, "%zu training rows, scored leave-one-out", rows);
    break;
  default:
    snprintf(source, sizeof source, "%zu training rows, scored by %zu-fold cross-fitting", rows,
             fit->model->about.folds);
    break;
  }
  return ank_notes_add(&fit->model->notes, ANORANK_NOTE_ASSUMED, err, "calibration",
                       "p-values come from %s: %s", source, trust);
}

static anorank_status tell_known(ank_fitting *fit, anorank_error *err) {
  const ank_known_anomalies *confirmed = &fit->confirmed;
  const ank_pipeline *pipeline = &fit->model->pipeline;
  ank_notes *notes = &fit->model->notes;
  if (confirmed->used < confirmed->given)
    ANK_CHECK(ank_notes_add(notes, ANORANK_NOTE_LEFT_OUT, err, "known-sampled",
                            "the fit uses %zu of the %zu known anomalies, drawn at random", confirmed->used,
                            confirmed->given));
  if (confirmed->used > 0 && (pipeline->type->uses_known || pipeline->contrast_rows > 0))
    ANK_CHECK(ank_notes_add(notes, ANORANK_NOTE_UNDERSTOOD, err, "known-anomalies",
                            "the fit uses %zu known anomal%s", confirmed->used,
                            confirmed->used == 1 ? "y" : "ies"));
  else if (confirmed->used > 0)
    ANK_CHECK(ank_notes_add(notes, ANORANK_NOTE_WARNING, err, "known-unused",
                            "scorer '%s' cannot learn from the %zu known anomal%s; %s only excluded from the "
                            "training rows; use scorer 'auto' to learn from them",
                            pipeline->type->info.name, confirmed->used, confirmed->used == 1 ? "y" : "ies",
                            confirmed->used == 1 ? "it is" : "they are"));
  if (confirmed->normal > 0)
    ANK_CHECK(ank_notes_add(notes, ANORANK_NOTE_DETAIL, err, "feedback-normal",
                            pipeline->type->uses_known
                                ? "%zu row%s marked as normal; similar rows rank as less abnormal"
                                : "%zu row%s marked as normal and used as ordinary training rows",
                            confirmed->normal, confirmed->normal == 1 ? " is" : "s are"));
  return ANORANK_OK;
}

/* Rows in the order of time, with a trend. */
static anorank_status tell_trend(ank_fitting *fit, anorank_error *err) {
  unsigned char *used = NULL;
  const ank_prepare *prepare = fit->model->pipeline.prepare;
  size_t columns = fit->table->columns;
  if (columns != ank_prepare_columns(prepare)) return ANORANK_OK;
  anorank_status status = ank_alloc(&used, columns, 1, err);
  if (status != ANORANK_OK) return status;
  for (size_t j = 0; j < columns; j++) {
    anorank_role role = ank_prepare_column(prepare, j).role;
    used[j] = role == ANORANK_ROLE_NUMERIC ? 1 : role == ANORANK_ROLE_TIME ? 2 : 0;
  }
  status = ank_trend_of_table(&fit->model->notes, fit->table, used, err);
  ank_free(used);
  return status;
}

static anorank_status tell_clocks(ank_fitting *fit, anorank_error *err) {
  char name[ANK_QUOTE_SIZE], by[ANK_QUOTE_SIZE], within[ANK_QUOTE_SIZE + 32];
  for (size_t j = 0; j < fit->table->columns; j++) {
    const char *column = fit->table->column[j].name, *entity;
    size_t level;
    if (!fit->clock[j]) continue;
    ANK_CHECK(ank_level_clock(&level, fit->table, j, err));
    entity = level != SIZE_MAX ? fit->table->column[level].name : "";
    snprintf(within, sizeof within, " within each '%s'", ank_quote(by, entity, strlen(entity)));
    ANK_CHECK(ank_notes_add(&fit->model->notes, ANORANK_NOTE_LEFT_OUT, err, "column-clock",
                            "'%s' rises or falls with the row order%s and is not used as a feature; add it "
                            "to `columns` to use it",
                            ank_quote(name, column, strlen(column)), *entity ? within : ""));
  }
  return ANORANK_OK;
}

anorank_status ank_fit_write_notes(ank_fitting *fit, anorank_error *err) {
  const ank_pipeline *pipeline = &fit->model->pipeline;
  const anorank_settings *settings = &fit->recipe.settings;
  char scorer[32], contrast[128] = "", part[64] = "";
  const ank_notes *understood = ank_prepare_notes(pipeline->prepare);
  for (size_t i = 0; i < understood->count; i++)
    ANK_CHECK(ank_notes_copy(&fit->model->notes, &understood->list[i], err));
  ANK_CHECK(tell_clocks(fit, err));
  ANK_CHECK(tell_trend(fit, err));
  if (!*settings->by && !*settings->time)
    ANK_CHECK(ank_suggest_context(&fit->model->notes, fit->table, pipeline->prepare, &fit->model->dependence,
                                  fit->clock, err));
  if (pipeline->contrast_rows > 0)
    snprintf(contrast, sizeof contrast, " against %zu contrast rows", pipeline->contrast_rows);
  if (pipeline->fit_rows < ank_prepare_train_rows(pipeline->prepare))
    snprintf(part, sizeof part, ", drawn from %zu", ank_prepare_train_rows(pipeline->prepare));
  ANK_CHECK(ank_notes_add(&fit->model->notes, ANORANK_NOTE_DETAIL, err, "model-fitted",
                          "fitted scorer '%s' (train = %s) on %zu rows of %zu features%s%s",
                          pipeline->type->info.name,
                          settings->train == ANORANK_TRAIN_CONTAMINATED ? "contaminated" : "clean",
                          pipeline->fit_rows, ank_prepare_dim(pipeline->prepare), part, contrast));
  ANK_CHECK(tell_known(fit, err));
  ANK_CHECK(tell_calibration(fit, err));
  size_text(scorer, sizeof scorer, pipeline->type->bytes(pipeline->scorer));
  return ank_notes_add(
      &fit->model->notes, ANORANK_NOTE_DETAIL, err, "model-memory-used",
      "the model holds %s for the scorer, %zu calibration scores and %zu background rows for reasons", scorer,
      fit->model->calibration_count, pipeline->background_rows);
}
