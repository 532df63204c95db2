/* drift.c - see drift.h. */
#include "drift/drift.h"

#include <math.h>

#include "core/alloc.h"

anorank_status anorank_drift_make(anorank_drift **out, const anorank_table *old_rows,
                                  const anorank_table *new_rows, const anorank_settings *settings,
                                  anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(old_rows);
  ANK_NEED(new_rows);
  settings = ank_settings_or_default(settings);
  anorank_status status = ANORANK_OK;
  anorank_drift *drift = NULL;
  ank_prepare *prepare = NULL;
  char *unknown = NULL;
  anorank_settings own = *settings;
  own.labels = ""; /* single rows do not teach anything here */
  ANK_TRY(ank_alloc(&drift, 1, sizeof *drift, err));
  drift->level = settings->level;
  ANK_TRY(ank_drift_unknown(&unknown, settings->drop, old_rows, new_rows, err));
  ANK_TRY(ank_drift_join(drift, old_rows, new_rows, &own, err));
  own.drop = unknown; /* the other columns are no longer in it */
  /* Fit on the rows of both together, so that it favours neither. */
  ANK_TRY(ank_prepare_fit(&prepare, drift->rows_of_both, &own, err));
  const ank_notes *notes = ank_prepare_notes(prepare);
  for (size_t i = 0; i < notes->count; i++)
    if (notes->list[i].kind == ANORANK_NOTE_LEFT_OUT)
      ANK_TRY(ank_notes_copy(&drift->notes, &notes->list[i], err));
  ANK_TRY(ank_progress(settings, 0.1, "comparing the columns", err));
  ANK_TRY(ank_drift_columns(drift, prepare, &own, err));
  ANK_TRY(ank_drift_test(drift, prepare, &own, err));
  /* Two tests of the same rows: the joint test misses small changes in one column, since half of the rows are
   * used for learning. */
  drift->p_value = drift->joint_p_value;
  if (drift->columns > 0 && drift->column[0].p_value < drift->p_value)
    drift->p_value = drift->column[0].p_value;
  drift->p_value = fmin(1, 2 * drift->p_value);
  ank_drift_write_verdict(drift);
  drift->info = (anorank_drift_info){.p_value = drift->p_value,
                                     .joint_p_value = drift->joint_p_value,
                                     .separation = drift->separation,
                                     .phi = drift->phi,
                                     .rows = {drift->drawn[0], drift->drawn[1]},
                                     .columns = drift->columns,
                                     .conclusion = drift->verdict};
  ANK_HAND_OVER(out, drift);
done:
  ank_free(unknown);
  ank_prepare_free(prepare);
  anorank_drift_free(drift);
  return status;
}

void anorank_drift_free(anorank_drift *drift) {
  if (!drift) return;
  ank_table_free(drift->rows_of_both);
  ank_notes_free(&drift->notes);
  ank_free(drift->column);
  ank_free(drift);
}

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
