/* level_clock.h - the clock of a fleet whose machines stand one after another or in turns: a column of numbers that rises
 * by equal steps within each level of a text column, and so is new in every later row. */
#ifndef ANK_MODEL_LEVEL_CLOCK_H
#define ANK_MODEL_LEVEL_CLOCK_H

#include "table/table.h"

/* *level: the text column within whose levels the numbers of `column` rise, by the same step in most rows. SIZE_MAX: there
 * is none, or its levels have too few rows. O(rows) for each text column, and mostly far less. */
anorank_status ank_level_clock(size_t *level, const anorank_table *table, size_t column, anorank_error *err);

#endif
