/* suggest_context.h - a table whose rows belong to entities and have times, fitted without `by` and `time`: one note
 * names what to set. */
#ifndef ANK_MODEL_SUGGEST_CONTEXT_H
#define ANK_MODEL_SUGGEST_CONTEXT_H

#include "model/dependence.h"

/* An entity column is an identifier that repeats, several rows each. Beside a time column it may also be one of texts with many
 * values, several rows each, or with each value at most once at each time, where most times have several rows. A time column is one of dates, or a clock (`clock`: a flag for each
 * column). Times alone are suggested where rows depend on those near them. */
anorank_status ank_suggest_context(ank_notes *notes, const anorank_table *table, const ank_prepare *prepare,
                                   const anorank_dependence *dependence, const unsigned char *clock,
                                   anorank_error *err);

#endif
