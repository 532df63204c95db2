/* verdict_table.c - a verdict as a table: what names the rows, what was asked to be kept, and the
 * findings. */
#include <string.h>

#include "core/alloc.h"
#include "model/results.h"
#include "model/row_subset.h"
#include "verdict/verdict.h"

enum { RANK = 0, ROW, SCORE, P_VALUE, Q_VALUE, REASONS, OURS };

static const char *const our_names[OURS] = {"rank", "row", "score", "p_value", "q_value", "reasons"};

/* ---- cells ------------------------------------------------------------------------------------------- */

anorank_status ank_verdict_join_reasons(char **text, size_t *capacity, const anorank_verdict *verdict,
                                        size_t i, anorank_error *err) {
  size_t used = 0;
  for (size_t k = 0; i < verdict->explained && k < verdict->findings[i].reasons; k++) {
    const anorank_reason *reason = &verdict->reasons[i * verdict->most + k];
    size_t more = ank_reason_text(reason, NULL, 0);
    ANK_CHECK(ank_reserve(text, capacity, used + more + 3, 1, err));
    if (k > 0) memcpy(*text + used, "; ", 2), used += 2;
    used += ank_reason_text(reason, *text + used, more + 1);
  }
  return ANORANK_OK;
}

static anorank_status fill_reasons(ank_column *column, const anorank_verdict *verdict, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char *text = NULL;
  size_t capacity = 0;
  for (size_t i = 0; i < verdict->count; i++) {
    column->codes[i] = -1;
    if (verdict->findings[i].reasons == 0) continue;
    ANK_TRY(ank_verdict_join_reasons(&text, &capacity, verdict, i, err));
    ANK_TRY(ank_levels_code(&column->codes[i], &column->levels, text, strlen(text), err));
  }
done:
  ank_free(text);
  return status;
}

static anorank_status fill(anorank_table *out, const anorank_verdict *verdict, const anorank_table *table,
                           const size_t *chosen, size_t count, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *rows = NULL;
  ank_column *ours = out->column + count;
  ANK_TRY(ank_alloc_raw(&rows, verdict->count, sizeof *rows, err));
  for (size_t i = 0; i < verdict->count; i++) {
    const anorank_finding *one = &verdict->findings[i];
    rows[i] = ank_finding_place(verdict, i);
    ours[RANK].numbers[i] = (double)one->rank;
    ours[ROW].numbers[i] = (double)(one->row + 1);
    ours[SCORE].numbers[i] = one->score;
    ours[P_VALUE].numbers[i] = one->p_value;
    ours[Q_VALUE].numbers[i] = one->q_value;
  }
  for (size_t k = 0; k < count; k++)
    ANK_TRY(ank_copy_cells(&out->column[k], &table->column[chosen[k]], rows, verdict->count, err));
  if (out->columns == count + OURS) ANK_TRY(fill_reasons(&ours[REASONS], verdict, err));
  out->rows = verdict->count;
done:
  ank_free(rows);
  return status;
}

anorank_status anorank_verdict_table(anorank_table **out, const anorank_verdict *verdict,
                                     const anorank_table *table, const char *keep, int reasons,
                                     anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(verdict);
  ANK_NEED(table);
  if (!keep) keep = "";
  anorank_status status = ANORANK_OK;
  anorank_table *made = NULL;
  size_t *chosen = NULL, count, ours = reasons ? OURS : REASONS;
  if (verdict->table_rows != table->rows || verdict->table_columns != table->columns)
    ANK_FAIL(
        ANORANK_ERROR_USAGE, "ranking-other-table",
        "the verdict is about another table: %zu rows and %zu columns, not %zu and %zu; give the one judged",
        verdict->table_rows, verdict->table_columns, table->rows, table->columns);
  ANK_TRY(ank_alloc_raw(&chosen, table->columns, sizeof *chosen, err));
  ANK_TRY(ank_results_choose(chosen, &count, verdict->ids, verdict->id_count, table, keep, err));
  ANK_TRY(ank_table_new(&made, count + ours, err));
  for (size_t k = 0; k < ours; k++)
    ANK_TRY(ank_table_set_name(made, count + k, our_names[k], strlen(our_names[k]), err));
  if (reasons) ank_table_set_kind(made, count + REASONS, ANORANK_CATEGORICAL);
  ANK_TRY(ank_results_columns(made, table, chosen, count, err));
  ANK_TRY(ank_table_reserve(made, verdict->count, err));
  ANK_TRY(fill(made, verdict, table, chosen, count, err));
  *out = made;
  made = NULL;
done:
  ank_table_free(made);
  ank_free(chosen);
  return status;
}
