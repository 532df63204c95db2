/* stream.c - see stream.h. */
#include "stream/stream.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"

anorank_status ank_stream_rank_with(anorank_stream *stream, const anorank_model *model, int checks,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_rank_counts *counts = NULL;
  ANK_TRY(ank_counts_new(&counts, model, &stream->fitted, &stream->settings, err));
  if (checks) ANK_TRY(ank_shift_new(&stream->check, model, err));
  stream->model = model;
  stream->counts = counts;
  counts = NULL;
done:
  ank_counts_free(counts);
  return status;
}

anorank_status anorank_stream_new(anorank_stream **out, const anorank_model *model,
                                  const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_stream *stream = NULL;
  ANK_NEED(out);
  *out = NULL;
  ANK_TRY(ank_alloc(&stream, 1, sizeof *stream, err));
  ANK_TRY(ank_settings_hold(&stream->settings, ank_settings_or_default(settings), err));
  if (model)
    ANK_TRY(ank_stream_rank_with(stream, model, 1, err));
  else
    ANK_TRY(ank_sample_new(&stream->sample, &stream->settings, err));
  ANK_HAND_OVER(out, stream);
done:
  anorank_stream_free(stream);
  return status;
}

static void forget_fitted(ank_fitted_scores *fitted) {
  ank_free(fitted->row);
  ank_free(fitted->score);
  *fitted = (ank_fitted_scores){0};
}

void anorank_stream_free(anorank_stream *stream) {
  if (!stream) return;
  ank_sample_free(stream->sample);
  ank_counts_free(stream->counts);
  ank_shift_free(stream->check);
  forget_fitted(&stream->fitted);
  ank_stream_context_free(stream);
  ank_settings_release(&stream->settings);
  ank_free(stream);
}

size_t anorank_stream_rows(const anorank_stream *stream) {
  if (!stream) return 0;
  return stream->counts ? stream->counts->rows : stream->sample->rows;
}

/* ---- rows in ----------------------------------------------------------------------------------------- */

anorank_status anorank_stream_add(anorank_stream *stream, const anorank_table *block, size_t first_row,
                                  anorank_error *err) {
  ANK_NEED(stream);
  ANK_NEED(block);
  if (block->rows > SIZE_MAX - first_row)
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-row-number",
                    "the row number is above %zu; number the rows from 0", (size_t)SIZE_MAX);
  if (stream->sample && ank_context_wanted(&stream->settings))
    return ank_stream_sample_in_context(stream, block, first_row, err);
  if (stream->sample) return ank_sample_add(stream->sample, block, first_row, err);
  if (stream->settings.incidents || stream->settings.rank_entities || *stream->settings.expect_every)
    return ank_fail(err, ANORANK_ERROR_USAGE, "listing-needs-table",
                    "incidents, rank-entities and expect-every need all rows at once; give the rows as one "
                    "table in memory");
  anorank_table *own = NULL;
  anorank_status status = ANORANK_OK;
  ANK_TRY(ank_stream_view(&block, &own, stream, block, first_row, err));
  if (stream->check) ANK_TRY(ank_shift_add(stream->check, block, first_row, NULL, err));
  ANK_TRY(ank_counts_add(stream->counts, block, first_row, err));
  stream->added |= block->rows > 0;
done:
  ank_table_free(own);
  return status;
}

/* Take over the scores of the fit, which only the other stream has. */
static anorank_status take_fitted(ank_fitted_scores *to, const ank_fitted_scores *from, anorank_error *err) {
  ANK_CHECK(ank_alloc_raw(&to->row, from->count, sizeof *to->row, err));
  ANK_CHECK(ank_alloc_raw(&to->score, from->count, sizeof *to->score, err));
  memcpy(to->row, from->row, from->count * sizeof *to->row);
  memcpy(to->score, from->score, from->count * sizeof *to->score);
  to->count = from->count;
  return ANORANK_OK;
}

anorank_status anorank_stream_merge(anorank_stream *stream, const anorank_stream *other, anorank_error *err) {
  ANK_NEED(stream);
  ANK_NEED(other);
  if (stream->sample && ank_context_wanted(&stream->settings))
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-context-parallel",
                    "with by or time, a fit needs the rows in order; add all blocks to one stream, which may "
                    "be serialised between them");
  if (!stream->sample != !other->sample || !stream->check != !other->check)
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-merge",
                    "a stream for a fit and one for a ranking cannot be merged");
  if (stream->sample) return ank_sample_merge(stream->sample, other->sample, err);
  ANK_CHECK(ank_counts_merge(stream->counts, other->counts, err));
  if (stream->check) ANK_CHECK(ank_shift_merge(stream->check, other->check, err));
  if (stream->fitted.count == 0 && other->fitted.count > 0)
    ANK_CHECK(take_fitted(&stream->fitted, &other->fitted, err));
  return ANORANK_OK;
}

/* ---- the fit ----------------------------------------------------------------------------------------- */

anorank_status anorank_stream_sample(const anorank_table **out, anorank_stream *stream, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(stream);
  if (!stream->sample)
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-has-model",
                    "a stream with a model has no sample; make a stream without a model");
  return ank_sample_settle(out, stream->sample, err);
}

/* Keep the scores of rows that the fit scored. */
static anorank_status keep_fitted(ank_fitted_scores *fitted, const double *scores, const size_t *row,
                                  size_t count, anorank_error *err) {
  size_t there = 0;
  for (size_t i = 0; i < count; i++) there += !isnan(scores[i]);
  ANK_CHECK(ank_alloc_raw(&fitted->row, there, sizeof *fitted->row, err));
  ANK_CHECK(ank_alloc_raw(&fitted->score, there, sizeof *fitted->score, err));
  for (size_t i = 0; i < count; i++) {
    if (isnan(scores[i])) continue;
    fitted->row[fitted->count] = row[i];
    fitted->score[fitted->count++] = scores[i];
  }
  return ANORANK_OK;
}

anorank_status anorank_stream_fit(anorank_model **out, anorank_stream *stream, const anorank_table *known,
                                  const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_settings *own = ank_settings_or_default(settings);
  const anorank_table *table = NULL;
  anorank_model *model = NULL;
  double *scores = NULL;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(stream);
  ANK_TRY(anorank_stream_sample(&table, stream, err));
  if (!table)
    ANK_FAIL(ANORANK_ERROR_USAGE, "stream-empty", "the stream is empty; add blocks of rows before the fit");
  ank_sample *sample = stream->sample;
  forget_fitted(&stream->fitted);
  if (own->seed != sample->seed)
    ANK_FAIL(ANORANK_ERROR_USAGE, "stream-seed",
             "the rows were sampled with another seed; sample and fit with the same settings");
  if (own->labels[0] && table->rows < sample->rows)
    ANK_FAIL(ANORANK_ERROR_USAGE, "stream-labels",
             "labels need all %zu rows in memory, but %zu fit; allow more memory, or pass known anomalies as "
             "a separate table",
             sample->rows, table->rows);
  ANK_TRY(ank_alloc_raw(&scores, table->rows, sizeof *scores, err));
  if (stream->run)
    ANK_TRY(ank_stream_fit_in_context(&model, stream, table, known, scores, own, err));
  else
    ANK_TRY(ank_model_fit_drawn(&model, table, sample->rows, known, scores, own, err));
  ANK_TRY(keep_fitted(&stream->fitted, scores, sample->store.row, table->rows, err));
  ANK_TRY(ank_stream_rank_with(stream, model, 0, err));
  ank_sample_free(sample);
  stream->sample = NULL;
  ANK_HAND_OVER(out, model);
done:
  ank_model_free(model);
  ank_free(scores);
  return status;
}

/* ---- the ranking ------------------------------------------------------------------------------------- */

static anorank_status check_ranks(const anorank_stream *stream, anorank_error *err) {
  if (stream->counts) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "stream-no-model",
                  "the stream has no model to rank with; fit it first");
}

anorank_status anorank_stream_select(anorank_stream *stream, anorank_error *err) {
  ANK_NEED(stream);
  ANK_CHECK(check_ranks(stream, err));
  ANK_CHECK(ank_stream_end_pass(stream, err));
  return ank_counts_select(stream->counts, err);
}

anorank_status anorank_stream_fetch(anorank_stream *stream, const anorank_table *block, size_t first_row,
                                    anorank_error *err) {
  ANK_NEED(stream);
  ANK_NEED(block);
  ANK_CHECK(check_ranks(stream, err));
  anorank_table *own = NULL;
  ank_context_run *before = NULL;
  anorank_status status = ANORANK_OK;
  ANK_TRY(ank_stream_before(&before, stream, block, err));
  ANK_TRY(ank_stream_view(&block, &own, stream, block, first_row, err));
  ANK_TRY(ank_counts_fetch(stream->counts, block, first_row, before, err));
done:
  ank_context_run_free(before);
  ank_table_free(own);
  return status;
}

anorank_status anorank_stream_next(const anorank_ranking **ranking, const anorank_table **table,
                                   anorank_stream *stream, size_t most, anorank_error *err) {
  ANK_NEED(ranking);
  *ranking = NULL;
  ANK_NEED(table);
  *table = NULL;
  ANK_NEED(stream);
  ANK_CHECK(check_ranks(stream, err));
  const ank_shift_check *check = stream->check;
  ank_shift_sample sample = {0};
  if (check) sample = (ank_shift_sample){check->sample, check->sampled, check->width};
  ANK_CHECK(ank_counts_next(stream->counts, most > 0 ? most : 1, check ? &sample : NULL, err));
  *ranking = stream->counts->ranking;
  *table = ank_stream_hide_derived(stream);
  return ANORANK_OK;
}

/* ---- the shift check --------------------------------------------------------------------------------- */

static anorank_status check_checks(const anorank_stream *stream, anorank_error *err) {
  if (stream->check) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "stream-fitted-rows",
                  "training rows cannot be checked for shift; make a stream with the model");
}

anorank_status anorank_stream_check(anorank_stream *stream, const anorank_table *block, size_t first_row,
                                    const double *p_values, anorank_error *err) {
  ANK_NEED(stream);
  ANK_NEED(block);
  ANK_CHECK(check_checks(stream, err));
  return ank_shift_add(stream->check, block, first_row, p_values, err);
}

anorank_status anorank_stream_conclude(anorank_stream *stream, anorank_error *err) {
  ANK_NEED(stream);
  ANK_CHECK(check_checks(stream, err));
  ANK_CHECK(ank_stream_end_pass(stream, err));
  return ank_shift_conclude(stream->check, err);
}

const anorank_notes *anorank_stream_notes(const anorank_stream *stream) {
  return stream && stream->check && stream->check->concluded ? &stream->check->notes : NULL;
}
