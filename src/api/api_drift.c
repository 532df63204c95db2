/* api_drift.c - the comparison of two tables for the outside: arguments are checked here, then inward. */
#include <math.h>

#include "drift/drift.h"

anorank_status anorank_drift_make(anorank_drift **out, const anorank_table *old_rows,
                                  const anorank_table *new_rows, const anorank_settings *settings,
                                  anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(old_rows);
  ANK_NEED(new_rows);
  return ank_drift_make(out, old_rows, new_rows, ank_settings_or_default(settings), err);
}

void anorank_drift_free(anorank_drift *drift) { ank_drift_free(drift); }

const anorank_drift_info *anorank_drift_get_info(const anorank_drift *drift) {
  return drift ? &drift->info : NULL;
}

const anorank_drift_column *anorank_drift_column_at(const anorank_drift *drift, size_t i) {
  return drift && i < drift->columns ? &drift->column[i] : NULL;
}

size_t anorank_drift_column_text(const anorank_drift_column *column, char *text, size_t size) {
  if (column) return ank_drift_column_text(column, text, size);
  if (size > 0) text[0] = '\0';
  return 0;
}

const anorank_notes *anorank_drift_notes(const anorank_drift *drift) { return drift ? &drift->notes : NULL; }
