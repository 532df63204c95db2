/* bad_rows.c - see bad_rows.h. */
#include "table/bad_rows.h"

#include <math.h>
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

size_t ank_needed_time(const anorank_table *table, const anorank_settings *settings) {
  if (!*settings->time || settings->bad_rows == ANK_BAD_ROWS_RANK) return SIZE_MAX;
  return ank_table_find(table, settings->time, strlen(settings->time));
}

int ank_has_time(const ank_column *column, size_t row) {
  return column->kind == ANORANK_CATEGORICAL ? column->codes[row] >= 0 : !isnan(column->numbers[row]);
}

anorank_status ank_refuse_no_time(const ank_column *column, const char *source, size_t line,
                                  anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  (void)ank_fail(err, ANORANK_ERROR_DATA, "time-missing",
                 "%s:%zu: no value in the time column '%s'; fill it in or drop the line", source, line,
                 ank_quote(quoted, column->name, strlen(column->name)));
  ank_error_set_location(err, source, line, column->name);
  return ANORANK_ERROR_DATA;
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
