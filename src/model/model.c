/* model.c - models: fit, save, load, score, and describe. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/output.h"
#include "model/model.h"
#include "model/model_context.h"
#include "table/source.h"

anorank_status anorank_fit(anorank_model **out, const anorank_table *table, const anorank_training *training,
                           const anorank_settings *settings, anorank_error *err) {
  static const anorank_training none;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(table);
  if (!training) training = &none;
  ANK_CHECK(ank_check_labels(training->labels, table->rows, err));
  return ank_model_fit(out, table, training->labels, training->known, NULL, ank_settings_or_default(settings),
                       err);
}

void anorank_model_free(anorank_model *model) { ank_model_free(model); }

/* ---- files ------------------------------------------------------------------------------------------- */

anorank_status anorank_model_save(const anorank_model *model, const anorank_sink *sink, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_output *output = NULL;
  ANK_NEED(sink);
  ank_sink_start(sink);
  ANK_NEED(model);
  ANK_TRY(ank_output_of(&output, sink, err));
  ANK_TRY(ank_model_save(model, output, err));
  ANK_TRY(ank_output_commit(output, err));
done:
  ank_output_free(output);
  return status;
}

/* Read the whole file: as much as its head states, once that is the head of a model; if compressed, at most the largest
 * size of a model. */
static anorank_status read_whole(ank_bytes *bytes, ank_source *source, anorank_error *err) {
  anorank_error inner = {0};
  size_t limit = ank_memory_limit(NULL), got = 0;
  uint64_t whole;
  ANK_CHECK(ank_reserve(&bytes->data, &bytes->capacity, ANK_MODEL_HEAD, 1, err));
  ANK_CHECK(ank_source_read_full(source, bytes->data, ANK_MODEL_HEAD, &bytes->length, err));
  if (ank_model_head(bytes->data, bytes->length, &whole, &inner) != ANORANK_OK)
    ANK_CHECK(ank_fail_around(err, &inner, "%s: %s", ank_source_name(source), inner.message));
  do {
    size_t step = bytes->length < 65536 ? 65536 : bytes->length;
    uint64_t packed = ank_source_packed(source);
    if (step > whole - bytes->length)
      step = (size_t)(whole - bytes->length) + 1; /* one more: nothing may follow */
    if (bytes->length > limit)
      return ank_fail(err, ANORANK_ERROR_RESOURCES, "model-size",
                      "%s: is larger than the machine's memory; is this a model?", ank_source_name(source));
    if (packed > 0 && bytes->length > ank_model_budget((size_t)packed))
      return ank_fail(err, ANORANK_ERROR_MODEL, "model-size",
                      "%s: unpacks to more than a model may hold; unpack it yourself if you trust it",
                      ank_source_name(source));
    ANK_CHECK(ank_reserve(&bytes->data, &bytes->capacity, bytes->length + step, 1, err));
    ANK_CHECK(ank_source_read(source, bytes->data + bytes->length, step, &got, err));
    bytes->length += got;
  } while (got > 0 && bytes->length <= whole);
  return ANORANK_OK;
}

static anorank_status load_source(anorank_model **out, const anorank_source *from, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_source *source = NULL;
  ank_bytes bytes = {0};
  ANK_TRY(ank_source_of(&source, from, NULL, err));
  ANK_TRY(read_whole(&bytes, source, err));
  ANK_TRY(ank_model_load(out, bytes.data, bytes.length, ank_source_name(source), err));
done:
  ank_bytes_free(&bytes);
  ank_source_free(source);
  return status == ANORANK_ERROR_DATA ? ANORANK_ERROR_MODEL : status; /* a source knows files of data only */
}

anorank_status anorank_model_load(anorank_model **out, const anorank_source *source, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(source);
  if (!source->bytes) return load_source(out, source, err);
  return ank_model_load(out, source->bytes, source->length, source->name ? source->name : "memory", err);
}

/* ---- more history --------------------------------------------------------------------------------------- */

anorank_status anorank_model_advance(anorank_model *model, const anorank_table *table, anorank_error *err) {
  ANK_NEED(model);
  ANK_NEED(table);
  if (!model->context)
    return ank_fail(
        err, ANORANK_ERROR_USAGE, "model-no-context",
        "the model was fitted without by and time, so it has no history to continue; fit it again");
  return ank_context_advance(model->context, table, err);
}

/* ---- scores ------------------------------------------------------------------------------------------ */

anorank_status anorank_model_score(const anorank_model *model, const anorank_table *table, double *scores,
                                   double *p_values, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_match *match = NULL;
  anorank_table *derived = NULL;
  double *own = NULL;
  ANK_NEED(model);
  ANK_NEED(table);
  ANK_TRY(ank_model_view(&table, &derived, model, table, err));
  ANK_TRY(ank_match_make(&match, model->pipeline.prepare, table, err));
  if (!scores) ANK_TRY(ank_alloc_raw(&own, table->rows, sizeof *own, err));
  ANK_TRY(ank_model_score(scores ? scores : own, model, match, table, NULL, ank_settings_or_default(settings),
                          err));
  for (size_t i = 0; p_values && i < table->rows; i++)
    p_values[i] = ank_model_p_value(model, scores ? scores[i] : own[i]);
done:
  ank_match_free(match);
  ank_table_free(derived);
  ank_free(own);
  return status;
}

/* ---- what is in a model ------------------------------------------------------------------------------ */

const anorank_notes *anorank_model_notes(const anorank_model *model) { return model ? &model->notes : NULL; }

const anorank_settings *anorank_model_settings(const anorank_model *model) {
  return model ? &model->settings : NULL;
}

const anorank_model_info *anorank_model_get_info(const anorank_model *model) {
  return model ? &model->info : NULL;
}

/* Doubles in their order as whole numbers, and back. */
static int64_t key_of(double x) {
  int64_t key;
  memcpy(&key, &x, sizeof key);
  return key < 0 ? INT64_MIN - key : key;
}

static double number_of(int64_t key) {
  double x;
  if (key < 0) key = INT64_MIN - key;
  memcpy(&x, &key, sizeof x);
  return x;
}

double anorank_model_score_at(const anorank_model *model, double p_value) {
  int64_t low = key_of(-INFINITY), high = key_of(INFINITY);
  if (!model || !(ank_model_p_value(model, -INFINITY) <= p_value)) return -INFINITY;
  while (low < high) { /* p-values do not fall as scores rise */
    int64_t middle = (low >> 1) + (high >> 1) + 1;
    middle = middle > high ? high : middle;
    if (ank_model_p_value(model, number_of(middle)) <= p_value)
      low = middle;
    else
      high = middle - 1;
  }
  return number_of(low);
}

const anorank_model_column *anorank_model_column_at(const anorank_model *model, size_t i) {
  return model && i < model->info.columns ? &model->columns[i] : NULL;
}
