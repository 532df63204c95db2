/* detect_table.c - fit on a table and rank it, without scoring rows twice. */
#include "core/alloc.h"
#include "model/model_context.h"
#include "ranking/ranking.h"

/* The share of the whole work that the present half covers, for its progress. */
typedef struct half {
  const anorank_settings *outer;
  double from, to;
} half;

static int relay(void *context, double share_done, const char *what) {
  const half *now = context;
  return now->outer->progress(now->outer->progress_context, now->from + (now->to - now->from) * share_done,
                              what);
}

anorank_status ank_detect(anorank_model **out, anorank_ranking **ranking, const anorank_table *table,
                          const signed char *labels, const anorank_table *known,
                          const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_settings own = *settings;
  half now = {settings, 0, 0.5};
  anorank_model *model = NULL;
  double *row_scores = NULL;
  ank_context_fit_of fit = {0};
  *out = NULL;
  *ranking = NULL;
  if (settings->progress) {
    own.progress = relay;
    own.progress_context = &now;
  }
  ANK_TRY(ank_alloc_raw(&row_scores, table->rows, sizeof *row_scores, err));
  ANK_TRY(ank_context_fit_make(&fit, table, &own, err));
  ANK_TRY(ank_model_fit_in_context(&model, &fit, labels, known, row_scores, &own, err));
  now = (half){settings, 0.5, 1};
  ANK_TRY(ank_ranking_make(ranking, model, fit.table, row_scores, &own, err));
  (*ranking)->table_columns = table->columns;
  ANK_HAND_OVER(out, model);
done:
  ank_free(row_scores);
  ank_context_fit_free(&fit);
  ank_model_free(model);
  return status;
}
