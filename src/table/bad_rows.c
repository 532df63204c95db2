/* bad_rows.c - see bad_rows.h. */
#include "table/bad_rows.h"

#include <string.h>

anorank_status ank_bad_row(ank_bad_rows *bad, anorank_status status, size_t line, int follows,
                           const anorank_settings *settings, anorank_error *err) {
  if (status != ANORANK_ERROR_DATA) return status;
  if (settings->bad_rows != ANK_BAD_ROWS_SKIP) {
    if (follows) ank_remedy(err, "bad-rows", "skip");
    return status;
  }
  if (bad->count++ == 0) bad->first = line;
  if (err) memset(err, 0, sizeof *err);
  return ANORANK_OK;
}

anorank_status ank_bad_rows_note(ank_bad_rows *bad, const char *source, anorank_table *table,
                                 anorank_error *err) {
  size_t count = bad->count;
  char name[ANK_QUOTE_SIZE];
  bad->count = 0;
  if (count == 0) return ANORANK_OK;
  return ank_notes_add(&table->notes, ANORANK_NOTE_WARNING, err, "bad-rows-skipped",
                       "%s: %zu line%s cannot be read and %s skipped; the first is line %zu",
                       ank_quote(name, source, strlen(source)), count, ANK_S(count),
                       count == 1 ? "is" : "are", bad->first);
}
