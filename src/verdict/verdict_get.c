/* verdict_get.c - rankings: making them, what is in them. */
#include "verdict/verdict.h"

anorank_status anorank_verdict_make(anorank_verdict **out, const anorank_model *model,
                                    const anorank_table *table, const anorank_settings *settings,
                                    anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(model);
  ANK_NEED(table);
  return ank_verdict_make(out, model, table, NULL, ank_settings_or_default(settings), err);
}

anorank_status anorank_detect(anorank_model **out, anorank_verdict **verdict, const anorank_table *table,
                              const anorank_training *training, const anorank_settings *settings,
                              anorank_error *err) {
  static const anorank_training none;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(verdict);
  *verdict = NULL;
  ANK_NEED(table);
  if (!training) training = &none;
  anorank_status status = ank_check_labels(training->labels, table->rows, err);
  if (status != ANORANK_OK) return status;
  return ank_detect(out, verdict, table, training->labels, training->known, ank_settings_or_default(settings),
                    err);
}

void anorank_verdict_free(anorank_verdict *verdict) { ank_verdict_free(verdict); }

const anorank_ranking_info *anorank_verdict_get_info(const anorank_verdict *verdict) {
  return verdict ? &verdict->info : NULL;
}

const anorank_finding *anorank_verdict_at(const anorank_verdict *verdict, size_t i) {
  return verdict && i < verdict->count ? &verdict->findings[i] : NULL;
}

const anorank_reason *anorank_verdict_reason(const anorank_verdict *verdict, size_t i, size_t k) {
  return verdict && i < verdict->explained && k < verdict->findings[i].reasons
             ? &verdict->reasons[i * verdict->most + k]
             : NULL;
}

size_t anorank_reason_text(const anorank_reason *reason, char *text, size_t size) {
  if (text && size > 0) text[0] = '\0';
  return reason ? ank_reason_text(reason, text, text ? size : 0) : 0;
}
