/* fit_notes.c - what a fit says about itself: the notes of a model. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "model/fitting.h"

anorank_status ank_fit_note(anorank_model *model, anorank_error *err, const char *format, ...) {
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

static void size_text(char *text, size_t size, size_t bytes) {
  if (bytes < 10240)
    snprintf(text, size, "%zu bytes", bytes);
  else if (bytes < 10240 * (size_t)1024)
    snprintf(text, size, "%zu KiB", bytes >> 10);
  else
    snprintf(text, size, "%zu MiB", bytes >> 20);
}

/* Anomalies are among the calibration rows, however these were scored. */
static anorank_status tell_mixed_calibration(ank_fitting *fit, anorank_error *err) {
  size_t rows = fit->model->calibration_count;
  const char *words = ank_model_p_value_words(fit->model);
  switch (fit->model->about.way) {
  case ANORANK_CALIBRATED_SPLIT:
    return ank_fit_note(fit->model, err, "p-values come from %zu rows kept from the fit; %s", rows, words);
  case ANORANK_CALIBRATED_LEAVE_ONE_OUT:
    return ank_fit_note(fit->model, err,
                        "p-values come from the scores of %zu training rows, each as if it had been left "
                        "out; %s",
                        rows, words);
  default: break;
  }
  return ank_fit_note(fit->model, err,
                      "p-values come from the scores of %zu rows, each by a fit on the other parts of %zu; "
                      "%s",
                      rows, fit->model->about.folds, words);
}

static anorank_status tell_calibration(ank_fitting *fit, anorank_error *err) {
  size_t rows = fit->model->calibration_count;
  if (fit->recipe.settings.train == ANORANK_TRAIN_CONTAMINATED) return tell_mixed_calibration(fit, err);
  switch (fit->model->about.way) {
  case ANORANK_CALIBRATED_SPLIT:
    return ank_fit_note(fit->model, err,
                        "p-values come from %zu rows kept from the fit: exact for later rows that are drawn "
                        "like the training rows, if the training rows are normal",
                        rows);
  case ANORANK_CALIBRATED_LEAVE_ONE_OUT:
    return ank_fit_note(fit->model, err,
                        "p-values come from the scores of %zu training rows, each as if it had been left "
                        "out: close to exact, if the training rows are normal",
                        rows);
  default: break;
  }
  return ank_fit_note(fit->model, err,
                      "p-values come from the scores of %zu rows, each by a fit on the other parts of %zu: "
                      "close to exact, if the training rows are normal",
                      rows, fit->model->about.folds);
}

static anorank_status tell_known(ank_fitting *fit, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_confirmed *confirmed = &fit->confirmed;
  const ank_pipeline *pipeline = &fit->model->pipeline;
  if (confirmed->used < confirmed->given)
    ANK_TRY(ank_fit_note(fit->model, err, "uses %zu of the %zu known anomalies, drawn at random",
                         confirmed->used, confirmed->given));
  if (confirmed->used > 0 && (pipeline->type->uses_known || pipeline->contrast_rows > 0))
    ANK_TRY(ank_fit_note(fit->model, err, "knows %zu anomal%s", confirmed->used,
                         confirmed->used == 1 ? "y" : "ies"));
  else if (confirmed->used > 0)
    ANK_TRY(ank_fit_note(fit->model, err,
                         "scorer '%s' learns nothing from the %zu known anomal%s: %s only left out of the "
                         "training rows; the scorer auto learns from them",
                         pipeline->type->info.name, confirmed->used, confirmed->used == 1 ? "y" : "ies",
                         confirmed->used == 1 ? "it is" : "they are"));
  if (confirmed->normal > 0)
    ANK_TRY(ank_fit_note(fit->model, err, "%zu row%s confirmed to be normal: training rows like the others",
                         confirmed->normal, confirmed->normal == 1 ? " is" : "s are"));
done:
  return status;
}

anorank_status ank_fit_tell(ank_fitting *fit, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_pipeline *pipeline = &fit->model->pipeline;
  const anorank_settings *settings = &fit->recipe.settings;
  char scorer[32], contrast[128] = "", part[64] = "";
  for (size_t i = 0; i < ank_prepare_notes(pipeline->prepare); i++)
    ANK_TRY(ank_fit_note(fit->model, err, "%s", ank_prepare_note(pipeline->prepare, i)));
  if (pipeline->contrast_rows > 0)
    snprintf(contrast, sizeof contrast, " against %zu contrast rows", pipeline->contrast_rows);
  if (pipeline->fit_rows < ank_prepare_train_rows(pipeline->prepare))
    snprintf(part, sizeof part, ", drawn from %zu", ank_prepare_train_rows(pipeline->prepare));
  ANK_TRY(ank_fit_note(fit->model, err, "scorer '%s' (train = %s) fitted on %zu rows of %zu features%s%s",
                       pipeline->type->info.name,
                       settings->train == ANORANK_TRAIN_CONTAMINATED ? "contaminated" : "clean",
                       pipeline->fit_rows, ank_prepare_dim(pipeline->prepare), part, contrast));
  ANK_TRY(tell_known(fit, err));
  ANK_TRY(tell_calibration(fit, err));
  size_text(scorer, sizeof scorer, pipeline->type->bytes(pipeline->scorer));
  ANK_TRY(ank_fit_note(fit->model, err,
                       "size: %s for the scorer (by its settings: %s), 8 bytes for each of %zu calibration "
                       "rows and for each of %zu features of %zu background rows",
                       scorer, pipeline->type->info.settings, fit->model->calibration_count,
                       ank_prepare_dim(pipeline->prepare), pipeline->background_rows));
done:
  return status;
}
