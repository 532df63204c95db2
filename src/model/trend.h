/* trend.h - whether columns rise or fall from the first row of a file to the last. */
#ifndef ANK_MODEL_TREND_H
#define ANK_MODEL_TREND_H

#include "core/notes.h"

/* Some rows of a table, in their order: column j, row i is value[j * rows + i], NaN if missing. */
typedef struct ank_sequence {
  size_t rows, columns;
  const char **name;
  const double *value;
  const unsigned char *is_time; /* per column: 1 for times, 0 for numbers */
} ank_sequence;

/* Note that numbers rise or fall with time or, without a time column, with the order of the rows (Spearman's correlation of
 * at least .5 or .7), unless the rows are merely sorted by them. Rows of one period then say little about those of another.
 * No note for fewer than 50 rows. O(columns rows log rows). */
anorank_status ank_trend_write_note(ank_notes *notes, const ank_sequence *sequence, anorank_error *err);

/* The same for a whole table, with up to 1,000 rows evenly spread over it. `used` has 1 for numeric features, 2 for times
 * (always for columns of that kind), 0 for other columns. */
struct anorank_table;
anorank_status ank_trend_of_table(ank_notes *notes, const struct anorank_table *table,
                                  const unsigned char *used, anorank_error *err);

#endif
