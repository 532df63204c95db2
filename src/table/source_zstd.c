/* source_zstd.c - zstd files, also several frames one after another. */
#include "table/source_codecs.h"

#include <zstd.h>
#include <zstd_errors.h>

#include "core/alloc.h"

typedef struct unzstd {
  ank_source *inner;
  ZSTD_DCtx *context;
  ZSTD_inBuffer input;
  int inside; /* inside a frame */
  int ended;
  unsigned char bytes[ANK_CODEC_INPUT];
} unzstd;

static anorank_status corrupt(const unzstd *state, size_t code, anorank_error *err) {
  const char *name = ank_source_name(state->inner);
  switch (ZSTD_getErrorCode(code)) {
  case ZSTD_error_memory_allocation:
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "memory-exhausted", "%s: out of memory while decompressing",
                    name);
  case ZSTD_error_frameParameter_windowTooLarge:
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "zstd-window",
                    "%s: the zstd window is over 128 MiB; decompress it first with 'zstd -d --long=31'",
                    name);
  default:
    return ank_fail(err, ANORANK_ERROR_DATA, "zstd-corrupt",
                    "%s: the zstd data are corrupt (%s); check the file with 'zstd -t'", name,
                    ZSTD_getErrorName(code));
  }
}

static anorank_status read_zstd(void *context, void *buffer, size_t size, size_t *got, anorank_error *err) {
  unzstd *state = context;
  *got = 0;
  while (*got == 0 && !state->ended) {
    ZSTD_outBuffer output = {buffer, size, 0};
    if (state->input.pos == state->input.size) {
      state->input.pos = state->input.size = 0;
      ANK_CHECK(ank_source_read(state->inner, state->bytes, sizeof state->bytes, &state->input.size, err));
      state->ended = state->input.size == 0;
    }
    /* Even at the end of the input, the decoder may hold output that did not fit before. */
    if (state->ended && !state->inside) break;
    size_t code = ZSTD_decompressStream(state->context, &output, &state->input);
    if (ZSTD_isError(code)) return corrupt(state, code, err);
    state->inside = code != 0;
    *got = output.pos;
    if (state->ended && output.pos == 0)
      return ank_fail(err, ANORANK_ERROR_DATA, "zstd-cut-short",
                      "%s: the zstd data are truncated; copy the file again", ank_source_name(state->inner));
    if (output.pos > 0) state->ended = 0;
  }
  return ANORANK_OK;
}

static void close_zstd(void *context) {
  unzstd *state = context;
  ZSTD_freeDCtx(state->context);
  ank_source_free(state->inner);
  ank_free(state);
}

anorank_status ank_source_unzstd(ank_source **out, ank_source *inner, anorank_error *err) {
  unzstd *state = NULL;
  *out = NULL;
  anorank_status status = ank_alloc(&state, 1, sizeof *state, err);
  if (status != ANORANK_OK) {
    ank_source_free(inner);
    return status;
  }
  state->inner = inner;
  state->input.src = state->bytes;
  state->context = ZSTD_createDCtx();
  if (!state->context) {
    close_zstd(state);
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "memory-exhausted", "out of memory for the zstd decoder");
  }
  return ank_source_wrap(out, inner, read_zstd, close_zstd, state, err);
}
