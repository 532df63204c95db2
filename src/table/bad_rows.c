/* bad_rows.c - see bad_rows.h. */
#include "table/bad_rows.h"

#include <stdio.h>
#include <string.h>

anorank_status ank_bad_row(ank_bad_rows *bad, anorank_status status, size_t line, int follows,
                           const anorank_settings *settings, anorank_error *err) {
  if (status != ANORANK_ERROR_DATA) return status;
  if (settings->bad_rows == ANK_BAD_ROWS_STOP) {
    if (follows) ank_remedy(err, "bad-rows", "rank");
    if (follows) ank_remedy(err, "bad-rows", "skip");
    return status;
  }
  if (bad->count < ANK_BAD_LINES) bad->line[bad->count] = line;
  bad->count++;
  if (err) memset(err, 0, sizeof *err);
  return ANORANK_OK;
}

anorank_status ank_bad_rows_note(ank_bad_rows *bad, const char *source, anorank_table *table,
                                 const anorank_settings *settings, anorank_error *err) {
  size_t count = bad->count, used = 0;
  char name[ANK_QUOTE_SIZE], lines[ANK_BAD_LINES * 24 + 8] = "";
  bad->count = 0;
  if (count == 0) return ANORANK_OK;
  for (size_t i = 0; i < count && i < ANK_BAD_LINES; i++)
    used += (size_t)snprintf(lines + used, sizeof lines - used, i > 0 ? ", %zu" : "%zu", bad->line[i]);
  if (count > ANK_BAD_LINES) snprintf(lines + used, sizeof lines - used, ", ...");
  ank_quote(name, source, strlen(source));
  if (settings->bad_rows == ANK_BAD_ROWS_RANK)
    return ank_notes_add(&table->notes, ANORANK_NOTE_WARNING, err, "bad-rows-kept",
                         "%s: %zu line%s had unreadable cells, which count as missing: line%s %s", name,
                         count, ANK_S(count), ANK_S(count), lines);
  return ank_notes_add(&table->notes, ANORANK_NOTE_WARNING, err, "bad-rows-skipped",
                       "%s: %zu unreadable line%s %s skipped: line%s %s", name, count, ANK_S(count),
                       count == 1 ? "is" : "are", ANK_S(count), lines);
}
