/* suggest_context.h - the note that suggests `by` and `time` for a table with entities and times. */
#ifndef ANK_MODEL_SUGGEST_CONTEXT_H
#define ANK_MODEL_SUGGEST_CONTEXT_H

#include "model/dependence.h"

/* An entity column is an identifier with several rows per value. If there is a time column, it may also be a text column
 * with many values and several rows each; or one with each value at most once per time, if most times have several rows. A
 * time column has dates, or is a clock (`clock`: a flag per column). `time` alone is suggested if rows depend on rows near
 * them. */
anorank_status ank_suggest_context(ank_notes *notes, const anorank_table *table, const ank_prepare *prepare,
                                   const anorank_dependence *dependence, const unsigned char *clock,
                                   anorank_error *err);

#endif
