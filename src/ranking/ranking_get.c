/* ranking_get.c - rankings: construction and getters. */
#include "ranking/ranking.h"

anorank_status anorank_ranking_make(anorank_ranking **out, const anorank_model *model,
                                    const anorank_table *table, const anorank_settings *settings,
                                    anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(model);
  ANK_NEED(table);
  return ank_ranking_make(out, model, table, NULL, ank_settings_or_default(settings), err);
}

anorank_status anorank_detect(anorank_model **out, anorank_ranking **ranking, const anorank_table *table,
                              const anorank_training *training, const anorank_settings *settings,
                              anorank_error *err) {
  static const anorank_training none;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(ranking);
  *ranking = NULL;
  ANK_NEED(table);
  if (!training) training = &none;
  ANK_CHECK(ank_check_labels(training->labels, table->rows, err));
  return ank_detect(out, ranking, table, training->labels, training->known, ank_settings_or_default(settings),
                    err);
}

void anorank_ranking_free(anorank_ranking *ranking) { ank_ranking_free(ranking); }

const anorank_ranking_info *anorank_ranking_get_info(const anorank_ranking *ranking) {
  return ranking ? &ranking->info : NULL;
}

const anorank_finding *anorank_ranking_at(const anorank_ranking *ranking, size_t i) {
  return ranking && i < ranking->count ? &ranking->findings[i] : NULL;
}

const anorank_reason *anorank_ranking_reason(const anorank_ranking *ranking, size_t i, size_t k) {
  return ranking && i < ranking->explained && k < ranking->findings[i].reasons
             ? &ranking->reasons[i * ranking->most + k]
             : NULL;
}

size_t anorank_reason_text(const anorank_reason *reason, char *text, size_t size) {
  if (text && size > 0) text[0] = '\0';
  return reason ? ank_reason_text(reason, text, text ? size : 0) : 0;
}
