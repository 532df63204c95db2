/* source_text.h - text in any encoding as UTF-8. */
#ifndef ANK_TABLE_SOURCE_TEXT_H
#define ANK_TABLE_SOURCE_TEXT_H

#include "table/source.h"

#define ANK_ENCODING_SIZE 32

/* Put a converter before the source if its text is not UTF-8. The encoding has a name, or is "auto": then a
 * byte-order mark or the first MiB decide between UTF-16, Windows-1252 (which includes Latin-1) and
 * Shift-JIS. `detected`: the detected encoding for a note, or "". On failure `*source` may be NULL: it is freed
 * then. */
anorank_status ank_source_decode_text(ank_source **source, const char *encoding,
                                      char detected[ANK_ENCODING_SIZE], anorank_error *err);

/* Return the error of a text that ends in the middle of a character. */
anorank_status ank_text_cut_short(const char *name, anorank_error *err);

#endif
