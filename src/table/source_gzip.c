/* source_gzip.c - gzip files, also several members one after another. */
#include "table/source_codecs.h"

#include <limits.h>
#include <string.h>

#include "table/zlib_memory.h"

typedef struct gunzip {
  ank_source *inner;
  z_stream stream;
  int started; /* inflateEnd is necessary */
  int between; /* after a member: another member or the end follows */
  int ended;
  unsigned char input[ANK_CODEC_INPUT];
} gunzip;

static anorank_status refill(gunzip *state, anorank_error *err) {
  size_t got;
  anorank_status status = ank_source_read(state->inner, state->input, sizeof state->input, &got, err);
  state->stream.next_in = state->input;
  state->stream.avail_in = status == ANORANK_OK ? (uInt)got : 0;
  return status;
}

static anorank_status corrupt(const gunzip *state, int code, anorank_error *err) {
  const char *name = ank_source_name(state->inner);
  if (code == Z_MEM_ERROR)
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "memory-exhausted", "%s: out of memory while decompressing",
                    name);
  return ank_fail(err, ANORANK_ERROR_DATA, "gzip-corrupt",
                  "%s: the gzip data are corrupt (%s); check the file with 'gzip -t'", name,
                  state->stream.msg ? state->stream.msg : "bad stream");
}

/* Skip zeros up to the end, which pad the file to whole blocks, as on tapes and in object stores; gzip
 * ignores them, too. */
static anorank_status pass_padding(gunzip *state, anorank_error *err) {
  int zeros = 1;
  while (zeros && state->stream.avail_in > 0) {
    while (state->stream.avail_in > 0 && *state->stream.next_in == 0)
      state->stream.next_in++, state->stream.avail_in--;
    zeros = state->stream.avail_in == 0;
    if (zeros) ANK_CHECK(refill(state, err));
  }
  return ANORANK_OK;
}

/* Begin the next member, or find the end. */
static anorank_status begin_member(gunzip *state, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  if (state->stream.avail_in == 0) ANK_TRY(refill(state, err));
  int padded = state->stream.avail_in > 0 && *state->stream.next_in == 0;
  if (padded) ANK_TRY(pass_padding(state, err));
  if (state->stream.avail_in == 0) {
    state->ended = 1;
    goto done;
  }
  if (padded || state->stream.next_in[0] != 0x1F)
    ANK_FAIL(ANORANK_ERROR_DATA, "gzip-extra-bytes",
             "%s: other bytes follow the gzip data; copy the file again", ank_source_name(state->inner));
  int code = inflateReset(&state->stream);
  if (code != Z_OK) status = corrupt(state, code, err);
  state->between = 0;
done:
  return status;
}

static anorank_status read_gzip(void *context, void *buffer, size_t size, size_t *got, anorank_error *err) {
  gunzip *state = context;
  *got = 0;
  if (size > UINT_MAX) size = UINT_MAX;
  while (*got == 0 && !state->ended) {
    if (state->between) {
      ANK_CHECK(begin_member(state, err));
      continue;
    }
    if (state->stream.avail_in == 0) {
      ANK_CHECK(refill(state, err));
      if (state->stream.avail_in == 0)
        return ank_fail(err, ANORANK_ERROR_DATA, "gzip-cut-short",
                        "%s: the gzip data are truncated; copy the file again",
                        ank_source_name(state->inner));
    }
    state->stream.next_out = buffer;
    state->stream.avail_out = (uInt)size;
    int code = inflate(&state->stream, Z_NO_FLUSH);
    *got = size - state->stream.avail_out;
    if (code == Z_STREAM_END)
      state->between = 1;
    else if (code != Z_OK && code != Z_BUF_ERROR)
      return corrupt(state, code, err);
  }
  return ANORANK_OK;
}

static void close_gzip(void *context) {
  gunzip *state = context;
  if (state->started) inflateEnd(&state->stream);
  ank_source_free(state->inner);
  ank_free(state);
}

anorank_status ank_source_gunzip(ank_source **out, ank_source *inner, anorank_error *err) {
  gunzip *state = NULL;
  *out = NULL;
  anorank_status status = ank_alloc(&state, 1, sizeof *state, err);
  if (status != ANORANK_OK) {
    ank_source_free(inner);
    return status;
  }
  state->inner = inner;
  int code = ank_inflate_begin(&state->stream, 15 + 16); /* largest window; gzip header only */
  state->started = code == Z_OK;
  if (code != Z_OK) {
    status = corrupt(state, code, err);
    close_gzip(state);
    return status;
  }
  return ank_source_wrap(out, inner, read_gzip, close_gzip, state, err);
}
