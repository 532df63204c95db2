/* zlib_memory.h - route zlib's memory through core/alloc, so that tests can make it fail. */
#ifndef ANK_TABLE_ZLIB_MEMORY_H
#define ANK_TABLE_ZLIB_MEMORY_H

#include <zlib.h>

#include "core/alloc.h"

static inline voidpf ank_zlib_get(voidpf opaque, uInt items, uInt size) {
  void *pointer;
  (void)opaque;
  return ank_alloc_raw(&pointer, items, size, NULL) == ANORANK_OK ? pointer : NULL;
}

static inline void ank_zlib_give(voidpf opaque, voidpf pointer) {
  (void)opaque;
  ank_free(pointer);
}

/* Call inflateInit2 with that memory, and return its code. */
static inline int ank_inflate_begin(z_stream *stream, int window_bits) {
  stream->zalloc = ank_zlib_get;
  stream->zfree = ank_zlib_give;
  return inflateInit2(stream, window_bits);
}

#endif
