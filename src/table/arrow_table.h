/* arrow_table.h - tables from and to the Arrow C data and stream interfaces; contracts as in
 * anorank/arrow.h. */
#ifndef ANK_TABLE_ARROW_TABLE_H
#define ANK_TABLE_ARROW_TABLE_H

#include "anorank/arrow.h"
#include "table/reader.h"

/* Both take over what they are given, also on failure. */
anorank_status ank_arrow_open_stream(anorank_reader **out, struct ArrowArrayStream *stream,
                                     const anorank_settings *settings, anorank_error *err);
anorank_status ank_arrow_open_array(anorank_reader **out, struct ArrowArray *array,
                                    struct ArrowSchema *schema, const anorank_settings *settings,
                                    anorank_error *err);

anorank_status ank_arrow_export(struct ArrowArrayStream *out, const anorank_table *table, anorank_error *err);

#endif
