/* stream_bytes.c - a serialised stream, for another process of the same version.
 *
 *   mark; flags of the sections present
 *   sample: sample_bytes.c
 *   learned: settings, context and state of a fit on more rows than it draws (stream_context.c)
 *   scores of the fit: count, numbers of the rows (ascending), scores
 *   counts: rank_counts_bytes.c
 *   shift check: shift_merge.c
 *
 * The same rows give the same bytes. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "stream/stream.h"

static const char mark[] = "anorank stream 2";

enum { SAMPLE = 1, COUNTS = 2, CHECK = 4, LEARNED = 8 };

/* A restored stream that got more rows saves no scores of the fit: the stream that it came from has them. */
static anorank_status save_fitted(ank_bytes *out, const anorank_stream *stream, anorank_error *err) {
  size_t count = stream->restored && stream->added ? 0 : stream->fitted.count;
  ANK_CHECK(ank_bytes_put_u64(out, count, err));
  for (size_t i = 0; i < count; i++) ANK_CHECK(ank_bytes_put_u64(out, stream->fitted.row[i], err));
  return ank_bytes_put_f64s(out, stream->fitted.score, count, err);
}

static anorank_status load_fitted(ank_cursor *in, ank_fitted_scores *fitted, anorank_error *err) {
  size_t count, scores;
  ANK_CHECK(ank_cursor_size(in, &count, 0, (in->length - in->at) / 16, "the number of scores", err));
  ANK_CHECK(ank_alloc_raw(&fitted->row, count, sizeof *fitted->row, err));
  for (size_t i = 0; i < count; i++)
    ANK_CHECK(
        ank_cursor_size(in, &fitted->row[i], i > 0 ? fitted->row[i - 1] + 1 : 0, SIZE_MAX - 1, "a row", err));
  ANK_CHECK(ank_cursor_f64s(in, &fitted->score, &scores, err));
  if (scores != count) ANK_CHECK(ANORANK_ERROR_MODEL);
  for (size_t i = 0; i < count; i++)
    if (!isfinite(fitted->score[i])) ANK_CHECK(ANORANK_ERROR_MODEL);
  fitted->count = count;
  return ANORANK_OK;
}

anorank_status anorank_stream_to_bytes(unsigned char **out, size_t *length, anorank_stream *stream,
                                       anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_bytes bytes = {0};
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(length);
  *length = 0;
  ANK_NEED(stream);
  int learned = stream->sample && stream->run;
  ANK_TRY(ank_bytes_put(&bytes, mark, sizeof mark, err));
  ANK_TRY(ank_bytes_put_u64(&bytes,
                            (stream->sample ? SAMPLE : 0) | (stream->counts ? COUNTS : 0) |
                                (stream->check ? CHECK : 0) | (learned ? LEARNED : 0),
                            err));
  if (stream->sample) ANK_TRY(ank_sample_save(&bytes, stream->sample, err));
  if (learned) ANK_TRY(ank_stream_save_learned(&bytes, stream, err));
  ANK_TRY(save_fitted(&bytes, stream, err));
  if (stream->counts) ANK_TRY(ank_counts_save(&bytes, stream->counts, err));
  if (stream->check) ANK_TRY(ank_shift_save(&bytes, stream->check, err));
  *out = bytes.data;
  *length = bytes.length;
  bytes = (ank_bytes){0};
done:
  ank_bytes_free(&bytes);
  return status;
}

static anorank_status load_all(ank_cursor *in, anorank_stream *stream, const anorank_model *model,
                               anorank_error *err) {
  size_t sections;
  if (in->length < sizeof mark || memcmp(in->data, mark, sizeof mark) != 0) ANK_CHECK(ANORANK_ERROR_MODEL);
  in->at = sizeof mark;
  ANK_CHECK(ank_cursor_size(in, &sections, SAMPLE, SAMPLE | LEARNED, "the sections", err));
  size_t optional = model ? CHECK : ank_context_wanted(&stream->settings) ? LEARNED : 0;
  if ((sections & ~optional) != (model ? COUNTS : SAMPLE)) ANK_CHECK(ANORANK_ERROR_MODEL);
  if (sections & SAMPLE) {
    ANK_CHECK(ank_sample_new(&stream->sample, &stream->settings, err));
    ANK_CHECK(ank_sample_load(in, stream->sample, err));
  }
  if (sections & LEARNED) ANK_CHECK(ank_stream_load_learned(in, stream, err));
  ANK_CHECK(load_fitted(in, &stream->fitted, err));
  if (sections & COUNTS) {
    ANK_CHECK(ank_stream_rank_with(stream, model, (sections & CHECK) != 0, err));
    ANK_CHECK(ank_counts_load(in, stream->counts, err));
  }
  if (sections & CHECK) ANK_CHECK(ank_shift_load(in, stream->check, err));
  return ank_cursor_end(in, err);
}

anorank_status ank_stream_damaged(anorank_status status, const anorank_error *inner, anorank_error *err) {
  if (status == ANORANK_ERROR_RESOURCES || status == ANORANK_ERROR_USAGE) {
    (void)ank_fail_around(err, inner, "%s", inner->message);
    return status;
  }
  return ank_fail(
      err, ANORANK_ERROR_DATA, "stream-bytes",
      "the bytes are damaged, or belong to another version, model or settings; add the rows again");
}

anorank_status anorank_stream_from_bytes(anorank_stream **out, const anorank_model *model, const void *bytes,
                                         size_t length, const anorank_settings *settings,
                                         anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_stream *stream = NULL;
  anorank_error inner = {0};
  ank_cursor in = {bytes, length, 0};
  ANK_NEED(out);
  *out = NULL;
  if (length > 0) ANK_NEED(bytes);
  ANK_TRY(ank_alloc(&stream, 1, sizeof *stream, err));
  ANK_TRY(ank_settings_hold(&stream->settings, ank_settings_or_default(settings), err));
  stream->restored = 1;
  status = load_all(&in, stream, model, &inner);
  if (status != ANORANK_OK) ANK_TRY(ank_stream_damaged(status, &inner, err));
  ANK_HAND_OVER(out, stream);
done:
  anorank_stream_free(stream);
  return status;
}
