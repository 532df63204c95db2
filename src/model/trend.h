/* trend.h - whether columns rise or fall from the first row of a file to the last. */
#ifndef ANK_MODEL_TREND_H
#define ANK_MODEL_TREND_H

#include "core/notes.h"

/* Rows of a table in their order, some of them: column j, row i is value[j * rows + i], NaN for none. */
typedef struct ank_sequence {
  size_t rows, columns;
  const char **name;
  const double *value;
  const unsigned char *is_time; /* of each column: moments; the others are numbers */
} ank_sequence;

/* A line where numbers rise or fall with time, or with the order of the rows where no column has the time
 * (Spearman's correlation of at least .5 or .7), unless the rows are merely sorted by them. Rows of one time
 * then say little about rows of another. Nothing for fewer than 50 rows. O(columns rows log rows). */
anorank_status ank_trend_write_note(ank_notes *notes, const ank_sequence *sequence, anorank_error *err);

/* The same of a whole table, of up to 1,000 rows evenly from its first to its last. `used`, for each column:
 * 1 for numbers that are learned from, 2 for moments (columns of that kind always are), 0 for others. */
struct anorank_table;
anorank_status ank_trend_of_table(ank_notes *notes, const struct anorank_table *table,
                                  const unsigned char *used, anorank_error *err);

#endif
