/* cell_text.h - cells as text, for all text formats. */
#ifndef ANK_TABLE_CELL_TEXT_H
#define ANK_TABLE_CELL_TEXT_H

#include "table/table.h"

#define ANK_CELL_SIZE 48

typedef struct ank_date {
  int64_t year;
  int month, day;
} ank_date;

/* Return the date of a day since 1970-01-01, in the proleptic Gregorian calendar. */
ank_date ank_date_of(int64_t days);

/* Write seconds since 1970-01-01 UTC as ISO 8601 without a closing NUL: "2024-05-01" if the resolution is
 * days, else "2024-05-01T10:00:59Z" with the digits of the resolution. Years beyond 9999 and before 0 have a
 * sign and six digits; more extreme or non-finite values are written as the number of seconds. Returns the
 * length. */
size_t ank_time_text(char text[ANK_CELL_SIZE], double seconds, anorank_resolution resolution);

int ank_cell_is_missing(const ank_column *column, size_t row);

/* Write a cell of a numeric column (the shortest text that reads back to the same double) or of a time
 * column, without a closing NUL. Returns the length. */
size_t ank_cell_number(char text[ANK_CELL_SIZE], const ank_column *column, size_t row);

#endif
