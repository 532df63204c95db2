/* bad_rows.h - rows of a text file that cannot be read, where the setting bad-rows says that they are skipped. */
#ifndef ANK_TABLE_BAD_ROWS_H
#define ANK_TABLE_BAD_ROWS_H

#include "core/settings.h"
#include "table/table.h"

enum { ANK_BAD_ROWS_STOP, ANK_BAD_ROWS_SKIP };

typedef struct ank_bad_rows {
  size_t count;
  size_t first; /* line of the first one */
} ank_bad_rows;

/* What becomes of reading one row, which gave `status`: a bad row is counted, or remains an error, with skipping as a remedy
 * where it `follows` others. */
anorank_status ank_bad_row(ank_bad_rows *bad, anorank_status status, size_t line, int follows,
                           const anorank_settings *settings, anorank_error *err);

/* At the end of the file: how many were skipped. Once. */
anorank_status ank_bad_rows_note(ank_bad_rows *bad, const char *source, anorank_table *table,
                                 anorank_error *err);

#endif
