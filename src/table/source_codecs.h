/* source_codecs.h - sources that decompress another source. To add a codec: one function here, one row in
 * `codecs` in source.c. */
#ifndef ANK_TABLE_SOURCE_CODECS_H
#define ANK_TABLE_SOURCE_CODECS_H

#include "table/source.h"

/* Both take over the inner source, also on failure. */
anorank_status ank_source_gunzip(ank_source **out, ank_source *inner, anorank_error *err);
anorank_status ank_source_unzstd(ank_source **out, ank_source *inner, anorank_error *err);

/* For ank_source_share of a source that wraps another. */
void ank_source_measure_by(ank_source *source, ank_source *inner);

#define ANK_CODEC_INPUT ((size_t)1 << 17)

#endif
