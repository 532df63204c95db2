/* source_codecs.h - sources that decompress another source. To add a codec: one function here, one row in
 * `codecs` in source.c. */
#ifndef ANK_TABLE_SOURCE_CODECS_H
#define ANK_TABLE_SOURCE_CODECS_H

#include "table/source.h"

/* Decompress. Both take ownership of the inner source, also on failure. */
anorank_status ank_source_gunzip(ank_source **out, ank_source *inner, anorank_error *err);
anorank_status ank_source_unzstd(ank_source **out, ank_source *inner, anorank_error *err);

/* Create a source over another one, with its name; ank_source_share asks the inner one. `close` frees the
 * state and the inner source, also on failure. */
anorank_status ank_source_wrap(ank_source **out, ank_source *inner, ank_source_reading read,
                               void (*close)(void *state), void *state, anorank_error *err);

#define ANK_CODEC_INPUT ((size_t)1 << 17)

#endif
