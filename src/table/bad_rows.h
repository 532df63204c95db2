/* bad_rows.h - unreadable rows of a text file. The setting bad-rows stops at them, skips them, or keeps them
 * with their unreadable cells missing (rank). */
#ifndef ANK_TABLE_BAD_ROWS_H
#define ANK_TABLE_BAD_ROWS_H

#include "core/settings.h"
#include "table/table.h"

enum { ANK_BAD_ROWS_STOP, ANK_BAD_ROWS_SKIP, ANK_BAD_ROWS_RANK };
enum { ANK_BAD_LINES = 5 }; /* named in a note */

typedef struct ank_bad_rows {
  size_t count;
  size_t line[ANK_BAD_LINES]; /* of the first ones */
} ank_bad_rows;

/* Handle the `status` of reading one row. A bad row is counted, or it remains an error; if it `follows` good
 * rows, skipping and keeping are offered as remedies. */
anorank_status ank_bad_row(ank_bad_rows *bad, anorank_status status, size_t line, int follows,
                           const anorank_settings *settings, anorank_error *err);

/* The column whose missing cells make a bad row: the one that `time` names, unless such rows are kept. SIZE_MAX: none. */
size_t ank_needed_time(const anorank_table *table, const anorank_settings *settings);
int ank_has_time(const ank_column *column, size_t row);
anorank_status ank_refuse_no_time(const ank_column *column, const char *source, size_t line,
                                  anorank_error *err);

/* Add the note on skipped or kept rows, once, at the end of the file. */
anorank_status ank_bad_rows_note(ank_bad_rows *bad, const char *source, anorank_table *table,
                                 const anorank_settings *settings, anorank_error *err);

#endif
