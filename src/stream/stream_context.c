/* stream_context.c - streams of rows that are compared with earlier rows (context/context.h).
 *
 * For a fit, the first rows are stored unchanged. When they exceed the sample size, the context is fitted on them. From
 * then on, all rows update the context, and derived rows are sampled. So memory is bounded by the sample and the entities,
 * and the model equals that of the same table in memory. For a ranking, each pass processes all rows again. */
#include "core/alloc.h"
#include "stream/stream.h"

void ank_stream_context_free(anorank_stream *stream) {
  ank_context_run_free(stream->run);
  ank_context_fit_free(&stream->learned);
  stream->run = NULL;
}

static anorank_status check_order(size_t rows, size_t first_row, anorank_error *err) {
  if (first_row == rows) return ANORANK_OK;
  return ank_fail(
      err, ANORANK_ERROR_USAGE, "stream-context-order",
      "blocks are out of order (with by or time, rows depend on earlier rows): got row %zu, expected row %zu",
      first_row + 1, rows + 1);
}

/* ---- rankings ---------------------------------------------------------------------------------------- */

/* The training rows themselves start from nothing, as they did in the fit. */
static ank_history history_of(const anorank_stream *stream) {
  return stream->check ? ANK_HISTORY_GOES_ON : ANK_HISTORY_NONE;
}

static anorank_status begin_pass(anorank_stream *stream, anorank_error *err) {
  if (stream->run) return ANORANK_OK;
  return ank_context_run_new(&stream->run, stream->model->context, history_of(stream), err);
}

anorank_status ank_stream_view(const anorank_table **out, anorank_table **own, anorank_stream *stream,
                               const anorank_table *block, size_t first_row, anorank_error *err) {
  *own = NULL;
  *out = block;
  if (!stream->model || !stream->model->context) return ANORANK_OK;
  ANK_CHECK(begin_pass(stream, err));
  ANK_CHECK(check_order(ank_context_run_rows(stream->run), first_row, err));
  ANK_CHECK(ank_context_run_add(own, stream->run, block, 0, err));
  *out = *own;
  stream->columns = block->columns;
  return ANORANK_OK;
}

anorank_status ank_stream_before(ank_context_run **out, anorank_stream *stream, const anorank_table *block,
                                 anorank_error *err) {
  *out = NULL;
  if (!stream->model->context || stream->settings.reasons == 0) return ANORANK_OK;
  ANK_CHECK(begin_pass(stream, err));
  return ank_context_run_before(out, stream->run, block, err);
}

const anorank_table *ank_stream_hide_derived(anorank_stream *stream) {
  ank_rank_counts *counts = stream->counts;
  if (!counts->table || !stream->model->context) return counts->table;
  stream->shown = *counts->table;
  stream->shown.columns = stream->columns;
  counts->ranking->table_columns = stream->columns;
  return &stream->shown;
}

static anorank_status needs_context(const anorank_stream *stream, anorank_error *err) {
  if (stream->model && stream->model->context) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "model-no-context",
                  "the model was fitted without by and time, so its rows need no state; score them directly");
}

anorank_status anorank_stream_skip(anorank_stream *stream, const anorank_table *block, size_t first_row,
                                   anorank_error *err) {
  ANK_NEED(stream);
  ANK_NEED(block);
  ANK_CHECK(needs_context(stream, err));
  ANK_CHECK(begin_pass(stream, err));
  ANK_CHECK(check_order(ank_context_run_rows(stream->run), first_row, err));
  return ank_context_run_add(NULL, stream->run, block, 0, err);
}

anorank_status anorank_stream_state(unsigned char **out, size_t *length, anorank_stream *stream,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_bytes bytes = {0};
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(length);
  *length = 0;
  ANK_NEED(stream);
  ANK_TRY(needs_context(stream, err));
  ANK_TRY(begin_pass(stream, err));
  ANK_TRY(ank_context_run_save(stream->run, &bytes, err));
  *out = bytes.data;
  *length = bytes.length;
  bytes = (ank_bytes){0};
done:
  ank_bytes_free(&bytes);
  return status;
}

anorank_status anorank_stream_resume(anorank_stream *stream, const void *state, size_t length,
                                     anorank_error *err) {
  anorank_error inner = {0};
  ank_cursor in = {state, length, 0};
  ank_context_run *run = NULL;
  ANK_NEED(stream);
  if (length > 0) ANK_NEED(state);
  ANK_CHECK(needs_context(stream, err));
  anorank_status status = ank_context_run_load(&run, stream->model->context, history_of(stream), &in, &inner);
  if (status == ANORANK_OK) status = ank_cursor_end(&in, &inner);
  if (status != ANORANK_OK) {
    ank_context_run_free(run);
    return ank_stream_damaged(status, &inner, err);
  }
  ank_context_run_free(stream->run);
  stream->run = run;
  return ANORANK_OK;
}

/* The rows of a shard; *rows stays NULL if all rows belong to it. */
static anorank_status rows_of_shard(size_t **rows, size_t *count, const ank_context *context,
                                    const anorank_table *block, size_t first_row, size_t shard, size_t shards,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  uint32_t *part = NULL;
  *count = block->rows;
  if (shards <= 1) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&part, block->rows, sizeof *part, err));
  ANK_TRY(ank_alloc_raw(rows, block->rows, sizeof **rows, err));
  ANK_TRY(ank_context_shards(part, context, block, first_row, shards, err));
  *count = 0;
  for (size_t i = 0; i < block->rows; i++)
    if (part[i] == shard) (*rows)[(*count)++] = i;
done:
  ank_free(part);
  return status;
}

anorank_status anorank_stream_score(anorank_table **out, anorank_stream *stream, const anorank_table *block,
                                    size_t first_row, size_t shard, size_t shards, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_table *view = NULL;
  anorank_table *own = NULL;
  size_t *rows = NULL, count;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(stream);
  ANK_NEED(block);
  ANK_TRY(needs_context(stream, err));
  ANK_TRY(ank_stream_view(&view, &own, stream, block, first_row, err));
  ANK_TRY(rows_of_shard(&rows, &count, stream->model->context, block, first_row, shard, shards, err));
  ANK_TRY(ank_model_score_view(out, stream->model, block, view, first_row + 1, rows, count, &stream->settings,
                               err));
  if (stream->check && !rows)
    ANK_TRY(ank_shift_add(stream->check, view, first_row, (*out)->column[(*out)->columns - 1].numbers, err));
done:
  if (status != ANORANK_OK) {
    ank_table_free(*out);
    *out = NULL;
  }
  ank_free(rows);
  ank_table_free(own);
  return status;
}

anorank_status ank_stream_end_pass(anorank_stream *stream, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_notes notes = {0};
  if (!stream->run) return ANORANK_OK;
  ANK_TRY(ank_context_run_notes(&notes, stream->run, err));
  ank_shift_place place = {ank_context_run_rows(stream->run), 0};
  for (size_t i = 0; stream->check && i < notes.count; i++)
    ANK_TRY(ank_shift_add_note(stream->check, &notes.list[i], place, err));
  ank_context_run_free(stream->run);
  stream->run = NULL;
done:
  ank_notes_free(&notes);
  return status;
}

/* ---- fits -------------------------------------------------------------------------------------------- */

/* The rows from `from` on, borrowed. */
static anorank_status view_rows(anorank_table *view, ank_column **columns, const anorank_table *block,
                                size_t from, size_t count, anorank_error *err) {
  ANK_CHECK(ank_alloc_raw(columns, block->columns, sizeof **columns, err));
  ank_view_rows(view, *columns, block, from, count);
  return ANORANK_OK;
}

/* Derive the rows and sample them. */
static anorank_status sample_derived(anorank_stream *stream, const anorank_table *block, size_t first_row,
                                     anorank_error *err) {
  anorank_table *derived = NULL;
  ANK_CHECK(ank_context_run_add(&derived, stream->run, block, 0, err));
  anorank_status status = ank_sample_add(stream->sample, derived, first_row, err);
  ank_table_free(derived);
  return status;
}

/* The sample is full and more rows follow: fit the context on it. */
static anorank_status learn_context(anorank_stream *stream, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_table *first = NULL;
  ank_sample *raw = stream->sample;
  stream->sample = NULL;
  ANK_TRY(ank_sample_settle(&first, raw, err));
  ANK_TRY(ank_context_fit_learn(&stream->learned, first, &stream->settings, err));
  ANK_TRY(ank_context_run_new(&stream->run, stream->learned.context, ANK_HISTORY_NONE, err));
  ANK_TRY(ank_sample_new(&stream->sample, &stream->settings, err));
  ANK_TRY(sample_derived(stream, first, 0, err));
done:
  if (!stream->sample) { /* so that the stream can be freed */
    stream->sample = raw;
    return status;
  }
  ank_sample_free(raw);
  return status;
}

anorank_status ank_stream_sample_in_context(anorank_stream *stream, const anorank_table *block,
                                            size_t first_row, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_column *columns = NULL;
  anorank_table view;
  size_t some = 0;
  ANK_TRY(check_order(stream->sample->rows, first_row, err));
  if (!stream->run) {
    size_t room = ank_sample_room(stream->sample, block);
    some = block->rows < room ? block->rows : room;
    ANK_TRY(view_rows(&view, &columns, block, 0, some, err));
    ANK_TRY(ank_sample_add(stream->sample, &view, first_row, err));
    if (some == block->rows) goto done;
    ANK_TRY(learn_context(stream, err));
    ank_free(columns);
    columns = NULL;
  }
  ANK_TRY(view_rows(&view, &columns, block, some, block->rows - some, err));
  ANK_TRY(sample_derived(stream, &view, first_row + some, err));
done:
  ank_free(columns);
  return status;
}

anorank_status ank_stream_save_learned(ank_bytes *out, const anorank_stream *stream, anorank_error *err) {
  const ank_context_fit_of *fit = &stream->learned;
  const char *const lists[] = {fit->id, fit->drop, fit->columns};
  for (size_t k = 0; k < 3; k++) {
    ANK_CHECK(ank_bytes_put_u64(out, lists[k] != NULL, err));
    if (lists[k]) ANK_CHECK(ank_bytes_put_text(out, lists[k], err));
  }
  ANK_CHECK(ank_bytes_put_u64(out, fit->learned_rows, err));
  ANK_CHECK(ank_context_save(fit->context, out, err));
  return ank_context_run_save(stream->run, out, err);
}

anorank_status ank_stream_load_learned(ank_cursor *in, anorank_stream *stream, anorank_error *err) {
  ank_context_fit_of *fit = &stream->learned;
  char **lists[] = {&fit->id, &fit->drop, &fit->columns};
  size_t there;
  fit->settings = stream->settings;
  for (size_t k = 0; k < 3; k++) {
    ANK_CHECK(ank_cursor_size(in, &there, 0, 1, "a flag", err));
    if (there) ANK_CHECK(ank_cursor_text(in, lists[k], err));
  }
  if (!fit->id || !fit->drop) ANK_CHECK(ANORANK_ERROR_MODEL);
  fit->settings.id = fit->id;
  fit->settings.drop = fit->drop;
  if (fit->columns) fit->settings.columns = fit->columns;
  ANK_CHECK(ank_cursor_size(in, &fit->learned_rows, 0, stream->sample->rows, "a number of rows", err));
  ANK_CHECK(ank_context_load(&fit->context, in, err));
  ANK_CHECK(ank_context_run_load(&stream->run, fit->context, ANK_HISTORY_NONE, in, err));
  const anorank_table *table = stream->sample->store.table;
  int sound = table && table->has_context && ank_context_run_rows(stream->run) == stream->sample->rows;
  return sound ? ANORANK_OK : ANORANK_ERROR_MODEL;
}

anorank_status ank_stream_fit_in_context(anorank_model **out, anorank_stream *stream,
                                         const anorank_table *sample, const anorank_table *known,
                                         double *scores, const anorank_settings *settings,
                                         anorank_error *err) {
  ank_context_fit_of *fit = &stream->learned;
  ANK_CHECK(ank_context_fit_finish(fit, stream->run, err));
  stream->run = NULL;
  fit->table = sample;
  fit->rows = stream->sample->rows;
  fit->settings.progress = settings->progress;
  fit->settings.progress_context = settings->progress_context;
  fit->settings.stop = settings->stop;
  fit->settings.stop_context = settings->stop_context;
  return ank_model_fit_in_context(out, fit, NULL, known, scores, settings, err);
}
