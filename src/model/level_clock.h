/* level_clock.h - the clock of a fleet, with machines one after another or in turns: a numeric column that rises by equal
 * steps within each level of a text column. Every later row has a new value. */
#ifndef ANK_MODEL_LEVEL_CLOCK_H
#define ANK_MODEL_LEVEL_CLOCK_H

#include "table/table.h"

/* Find the text column within whose levels the numbers of `column` rise, mostly by the same step. SIZE_MAX: there is none,
 * or its levels have too few rows. O(rows) for each text column, mostly far less. */
anorank_status ank_level_clock(size_t *level, const anorank_table *table, size_t column, anorank_error *err);

#endif
