/* ranking_table.c - a verdict as a table: what names the rows, what was asked to be kept, and the
 * findings. */
#include <string.h>

#include "core/alloc.h"
#include "model/results.h"
#include "model/row_subset.h"
#include "ranking/ranking.h"

enum { RANK = 0, ROW, SCORE, P_VALUE, Q_VALUE, REASONS, OURS };

static const char *const our_names[OURS] = {"rank", "row", "score", "p_value", "q_value", "reasons"};

/* ---- cells ------------------------------------------------------------------------------------------- */

anorank_status ank_ranking_join_reasons(char **text, size_t *capacity, const anorank_ranking *ranking,
                                        size_t i, anorank_error *err) {
  size_t used = 0;
  for (size_t k = 0; i < ranking->explained && k < ranking->findings[i].reasons; k++) {
    const anorank_reason *reason = &ranking->reasons[i * ranking->most + k];
    size_t more = ank_reason_text(reason, NULL, 0);
    ANK_CHECK(ank_reserve(text, capacity, used + more + 3, 1, err));
    if (k > 0) memcpy(*text + used, "; ", 2), used += 2;
    used += ank_reason_text(reason, *text + used, more + 1);
  }
  return ANORANK_OK;
}

static anorank_status fill_reasons(ank_column *column, const anorank_ranking *ranking, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char *text = NULL;
  size_t capacity = 0;
  for (size_t i = 0; i < ranking->count; i++) {
    column->codes[i] = -1;
    if (ranking->findings[i].reasons == 0) continue;
    ANK_TRY(ank_ranking_join_reasons(&text, &capacity, ranking, i, err));
    ANK_TRY(ank_levels_code(&column->codes[i], &column->levels, text, strlen(text), err));
  }
done:
  ank_free(text);
  return status;
}

static anorank_status fill(anorank_table *out, const anorank_ranking *ranking, const anorank_table *table,
                           const size_t *chosen, size_t count, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *rows = NULL;
  ank_column *ours = out->column + count;
  ANK_TRY(ank_alloc_raw(&rows, ranking->count, sizeof *rows, err));
  for (size_t i = 0; i < ranking->count; i++) {
    const anorank_finding *one = &ranking->findings[i];
    rows[i] = ank_finding_place(ranking, i);
    ours[RANK].numbers[i] = (double)one->rank;
    ours[ROW].numbers[i] = (double)(one->row + 1);
    ours[SCORE].numbers[i] = one->score;
    ours[P_VALUE].numbers[i] = one->p_value;
    ours[Q_VALUE].numbers[i] = one->q_value;
  }
  for (size_t k = 0; k < count; k++)
    ANK_TRY(ank_copy_cells(&out->column[k], &table->column[chosen[k]], rows, ranking->count, err));
  if (out->columns == count + OURS) ANK_TRY(fill_reasons(&ours[REASONS], ranking, err));
  out->rows = ranking->count;
done:
  ank_free(rows);
  return status;
}

anorank_status anorank_ranking_table(anorank_table **out, const anorank_ranking *ranking,
                                     const anorank_table *table, const char *keep, int reasons,
                                     anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(ranking);
  ANK_NEED(table);
  if (!keep) keep = "";
  anorank_status status = ANORANK_OK;
  anorank_table *made = NULL;
  size_t *chosen = NULL, count, ours = reasons ? OURS : REASONS;
  if (ranking->table_rows != table->rows || ranking->table_columns != table->columns)
    ANK_FAIL(
        ANORANK_ERROR_USAGE, "ranking-other-table",
        "the ranking is about another table: %zu rows and %zu columns, not %zu and %zu; give the one judged",
        ranking->table_rows, ranking->table_columns, table->rows, table->columns);
  ANK_TRY(ank_alloc_raw(&chosen, table->columns, sizeof *chosen, err));
  ANK_TRY(ank_results_choose(chosen, &count, ranking->ids, ranking->id_count, table, keep, err));
  ANK_TRY(ank_table_new(&made, count + ours, err));
  for (size_t k = 0; k < ours; k++)
    ANK_TRY(ank_table_set_name(made, count + k, our_names[k], strlen(our_names[k]), err));
  if (reasons) ank_table_set_kind(made, count + REASONS, ANORANK_CATEGORICAL);
  ANK_TRY(ank_results_columns(made, table, chosen, count, err));
  ANK_TRY(ank_table_reserve(made, ranking->count, err));
  ANK_TRY(fill(made, ranking, table, chosen, count, err));
  ANK_HAND_OVER(out, made);
done:
  ank_table_free(made);
  ank_free(chosen);
  return status;
}
