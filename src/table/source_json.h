/* source_json.h - an array of JSON records, or records that span lines, as JSON lines. */
#ifndef ANK_TABLE_SOURCE_JSON_H
#define ANK_TABLE_SOURCE_JSON_H

#include "table/source.h"

/* Put a converter before the source where its text is `[{...}, {...}]`, or objects that go over several
 * lines: then there is one record a line, and line n is the n-th record. On failure `*source` may be NULL:
 * it is freed then. */
anorank_status ank_source_json_lines(ank_source **source, anorank_error *err);

#endif
