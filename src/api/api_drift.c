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

double anorank_drift_p_value(const anorank_drift *drift) { return drift ? drift->p_value : (double)NAN; }

double anorank_drift_joint_p_value(const anorank_drift *drift) {
  return drift ? drift->joint_p_value : (double)NAN;
}

anorank_interval anorank_drift_separation(const anorank_drift *drift) {
  return drift ? drift->separation : (anorank_interval){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
}

const char *anorank_drift_phi(const anorank_drift *drift) { return drift ? drift->phi : NULL; }

size_t anorank_drift_rows(const anorank_drift *drift, int which) {
  return drift && (which == 0 || which == 1) ? drift->drawn[which] : 0;
}

const char *anorank_drift_verdict(const anorank_drift *drift) { return drift ? drift->verdict : NULL; }

size_t anorank_drift_columns(const anorank_drift *drift) { return drift ? drift->columns : 0; }

const anorank_drift_column *anorank_drift_column_at(const anorank_drift *drift, size_t i) {
  return drift && i < drift->columns ? &drift->column[i] : NULL;
}

size_t anorank_drift_column_text(const anorank_drift_column *column, char *text, size_t size) {
  if (column) return ank_drift_column_text(column, text, size);
  if (size > 0) text[0] = '\0';
  return 0;
}

size_t anorank_drift_notes(const anorank_drift *drift) { return drift ? drift->notes.count : 0; }

const char *anorank_drift_note(const anorank_drift *drift, size_t i) {
  return drift && i < drift->notes.count ? drift->notes.list[i].text : NULL;
}

const char *anorank_drift_note_code(const anorank_drift *drift, size_t i) {
  return i < anorank_drift_notes(drift) ? drift->notes.list[i].code : "";
}
