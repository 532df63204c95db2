/* stream_run.c - all passes over a table in parts that can be opened again: a ranking reads it twice, detection three
 * times. */
#include "core/parallel.h"
#include "stream/stream.h"
#include "table/reader.h"

/* Shares of the work: sampling and the fit (for detection), then counting; fetching is the rest. */
#define SAMPLED 0.15
#define FITTED 0.25
#define COUNTED 0.8

typedef anorank_status (*visit)(anorank_stream *stream, const anorank_table *block, size_t first_row,
                                anorank_error *err);

/* Map the progress of a step to the whole. */
typedef struct window {
  const anorank_settings *settings;
  double from, to;
} window;

static int relay(void *context, double share_done, const char *what) {
  const window *part = context;
  const anorank_settings *settings = part->settings;
  return settings->progress(settings->progress_context, part->from + (part->to - part->from) * share_done,
                            what);
}

static anorank_status visit_part(anorank_stream *stream, visit visit_block, anorank_reader *reader,
                                 size_t *first_row, const anorank_settings *settings, anorank_error *err) {
  const anorank_table *block = NULL;
  do {
    ANK_CHECK(anorank_reader_next(reader, &block, err));
    ANK_CHECK(visit_block(stream, block ? block : anorank_reader_schema(reader), *first_row, err));
    if (block) *first_row += block->rows;
    anorank_reader_reset_levels(reader); /* else the texts of identifiers fill the memory */
    ANK_CHECK(ank_check_cancelled(settings, err));
  } while (block);
  return ANORANK_OK;
}

/* No part has rows: the error names the first one. */
static anorank_status refuse_empty(const anorank_parts *parts, anorank_error *err) {
  anorank_reader *reader = NULL;
  anorank_status status = parts->open(parts->context, 0, &reader, err);
  if (status == ANORANK_OK) status = ank_reader_refuse_empty(reader, err);
  anorank_reader_free(reader);
  return status;
}

static anorank_status visit_parts(anorank_stream *stream, visit visit_block, const anorank_parts *parts,
                                  const window *pass, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t first_row = 0;
  for (size_t i = 0; i < parts->count; i++) {
    anorank_reader *reader = NULL;
    size_t before = first_row;
    double step = (pass->to - pass->from) / (double)parts->count;
    window part = {pass->settings, pass->from + step * (double)i, pass->from + step * (double)(i + 1)};
    status = parts->open(parts->context, i, &reader, err);
    if (status == ANORANK_OK) {
      ank_reader_on_progress(reader, part.settings->progress ? relay : NULL, &part);
      ank_reader_on_stop(reader, part.settings->stop, part.settings->stop_context);
      anorank_reader_prefetch(reader);
      status = visit_part(stream, visit_block, reader, &first_row, pass->settings, err);
    }
    anorank_reader_free(reader);
    if (parts->rows) parts->rows[i] = first_row - before;
    if (status != ANORANK_OK) return status;
  }
  return first_row > 0 ? ANORANK_OK : refuse_empty(parts, err);
}

/* Add all rows of all parts; after each part its columns come once again, with all notes. Meanwhile, scoring uses the
 * callbacks of reading. */
static anorank_status visit_all(anorank_stream *stream, visit visit_block, const anorank_parts *parts,
                                const window *pass, anorank_error *err) {
  anorank_settings *scoring = stream->counts ? &stream->counts->settings : NULL;
  anorank_settings_on_stop(scoring, pass->settings->stop, pass->settings->stop_context);
  anorank_status status = visit_parts(stream, visit_block, parts, pass, err);
  anorank_settings_on_stop(scoring, NULL, NULL);
  return status;
}

static anorank_status check_parts(const anorank_parts *parts, anorank_error *err) {
  if (parts->open && parts->count > 0) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "parts-none",
                  "there are no parts to read; give at least one, and a callback that opens it");
}

anorank_status anorank_stream_read(anorank_stream *stream, const anorank_parts *parts,
                                   const anorank_settings *settings, anorank_error *err) {
  window all = {ank_settings_or_default(settings), 0, 1};
  ANK_NEED(stream);
  ANK_NEED(parts);
  ANK_CHECK(check_parts(parts, err));
  return visit_all(stream, anorank_stream_add, parts, &all, err);
}

/* Count, select, fetch. */
static anorank_status rank_all(anorank_stream *stream, const anorank_parts *parts, double from,
                               const anorank_settings *settings, anorank_error *err) {
  double middle = from + COUNTED * (1 - from);
  ANK_CHECK(visit_all(stream, anorank_stream_add, parts, &(window){settings, from, middle}, err));
  ANK_CHECK(anorank_stream_select(stream, err));
  ANK_CHECK(visit_all(stream, anorank_stream_fetch, parts, &(window){settings, middle, 1}, err));
  return ANORANK_OK;
}

anorank_status anorank_rank_stream(anorank_stream **out, const anorank_model *model,
                                   const anorank_parts *parts, const anorank_settings *settings,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_stream *stream = NULL;
  const anorank_settings *own = ank_settings_or_default(settings);
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(model);
  ANK_NEED(parts);
  ANK_TRY(check_parts(parts, err));
  ANK_TRY(anorank_stream_new(&stream, model, own, err));
  ANK_TRY(rank_all(stream, parts, 0, own, err));
  ANK_TRY(ank_shift_conclude(stream->check, err));
  ANK_HAND_OVER(out, stream);
done:
  anorank_stream_free(stream);
  return status;
}

anorank_status anorank_detect_stream(anorank_model **out, anorank_stream **ranked, const anorank_parts *parts,
                                     const anorank_table *known, const anorank_settings *settings,
                                     anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_stream *stream = NULL;
  anorank_model *model = NULL;
  const anorank_settings *own = ank_settings_or_default(settings);
  window fit = {own, SAMPLED, FITTED};
  anorank_settings fitting = *own; /* borrows its texts */
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(ranked);
  *ranked = NULL;
  ANK_NEED(parts);
  if (own->progress) anorank_settings_on_progress(&fitting, relay, &fit);
  ANK_TRY(check_parts(parts, err));
  ANK_TRY(anorank_stream_new(&stream, NULL, own, err));
  ANK_TRY(visit_all(stream, anorank_stream_add, parts, &(window){own, 0, SAMPLED}, err));
  ANK_TRY(anorank_stream_fit(&model, stream, known, &fitting, err));
  ANK_TRY(rank_all(stream, parts, FITTED, own, err));
  *out = model;
  *ranked = stream;
  model = NULL;
  stream = NULL;
done:
  anorank_stream_free(stream);
  ank_model_free(model);
  return status;
}
