/* ranking_table.c - a ranking as a table: identifiers, kept columns, and the
 * findings. */
#include <string.h>

#include "core/alloc.h"
#include "model/results.h"
#include "model/row_subset.h"
#include "ranking/ranking.h"

enum { RANK = 0, ROW, START, END, ROWS, SCORE, P_VALUE, Q_VALUE, TIER, REASONS, OURS };

static const char *const our_names[OURS] = {"rank",  "row",     "start",   "end",  "rows",
                                            "score", "p_value", "q_value", "tier", "reasons"};

/* Positions of our columns in the result; start, end and rows exist for incidents and entities only. */
typedef struct places {
  size_t of[OURS], count;
} places;

static places find_places(const anorank_ranking *ranking, size_t before, int reasons) {
  places at = {.count = before};
  for (size_t k = 0; k < OURS; k++) {
    int there = k >= START && k <= ROWS ? ranking->groups.unit != ANK_UNIT_ROW : k < TIER || reasons;
    at.of[k] = there ? at.count++ : SIZE_MAX;
  }
  return at;
}

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

static anorank_status fill_tiers(ank_column *column, const anorank_ranking *ranking, anorank_error *err) {
  int32_t code = 0;
  for (size_t i = 0; i < ranking->count; i++) { /* many rows in sequence have one tier */
    anorank_tier tier = ranking->findings[i].tier;
    const char *word = ank_tier_word(tier);
    if (i == 0 || tier != ranking->findings[i - 1].tier)
      ANK_CHECK(ank_levels_code(&code, &column->levels, word, strlen(word), err));
    column->codes[i] = code;
  }
  return ANORANK_OK;
}

/* Start and end of incidents or entities: cells of the time column, or row numbers. */
static anorank_status fill_ends(anorank_table *out, const anorank_ranking *ranking,
                                const anorank_table *table, const places *at, size_t *rows,
                                anorank_error *err) {
  for (size_t end = 0; end < 2; end++) {
    ank_column *column = &out->column[at->of[end ? END : START]];
    for (size_t i = 0; i < ranking->count; i++) {
      rows[i] = end ? ranking->findings[i].last : ranking->findings[i].first;
      if (ranking->groups.time == SIZE_MAX) column->numbers[i] = (double)(rows[i] + 1);
    }
    if (ranking->groups.time != SIZE_MAX)
      ANK_CHECK(ank_copy_cells(column, &table->column[ranking->groups.time], rows, ranking->count, err));
  }
  for (size_t i = 0; i < ranking->count; i++)
    out->column[at->of[ROWS]].numbers[i] = (double)ranking->findings[i].span;
  return ANORANK_OK;
}

static anorank_status fill(anorank_table *out, const anorank_ranking *ranking, const anorank_table *table,
                           const size_t *chosen, size_t count, const places *at, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *rows = NULL;
  ANK_TRY(ank_alloc_raw(&rows, ranking->count, sizeof *rows, err));
  if (at->of[START] != SIZE_MAX) ANK_TRY(fill_ends(out, ranking, table, at, rows, err));
  for (size_t i = 0; i < ranking->count; i++) {
    const anorank_finding *one = &ranking->findings[i];
    rows[i] = ank_finding_place(ranking, i);
    out->column[at->of[RANK]].numbers[i] = (double)one->rank;
    out->column[at->of[ROW]].numbers[i] = (double)(one->row + 1);
    out->column[at->of[SCORE]].numbers[i] = one->score;
    out->column[at->of[P_VALUE]].numbers[i] = one->p_value;
    out->column[at->of[Q_VALUE]].numbers[i] = one->q_value;
  }
  for (size_t k = 0; k < count; k++)
    ANK_TRY(ank_copy_cells(&out->column[k], &table->column[chosen[k]], rows, ranking->count, err));
  if (at->of[TIER] != SIZE_MAX) {
    ANK_TRY(fill_tiers(&out->column[at->of[TIER]], ranking, err));
    ANK_TRY(fill_reasons(&out->column[at->of[REASONS]], ranking, err));
  }
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
  size_t *chosen = NULL, count;
  if (ranking->table_rows != table->rows || ranking->table_columns != table->columns)
    ANK_FAIL(ANORANK_ERROR_USAGE, "ranking-other-table",
             "the ranking belongs to another table (%zu rows, %zu columns; not %zu and %zu); give the ranked "
             "table",
             ranking->table_rows, ranking->table_columns, table->rows, table->columns);
  ANK_TRY(ank_alloc_raw(&chosen, table->columns, sizeof *chosen, err));
  ANK_TRY(ank_results_choose(chosen, &count, ranking->ids, ranking->id_count, table, keep, err));
  const places at = find_places(ranking, count, reasons);
  ANK_TRY(ank_table_new(&made, at.count, err));
  for (size_t k = 0; k < OURS; k++)
    if (at.of[k] != SIZE_MAX)
      ANK_TRY(ank_table_set_name(made, at.of[k], our_names[k], strlen(our_names[k]), err));
  if (reasons) ank_table_set_kind(made, at.of[TIER], ANORANK_CATEGORICAL);
  if (reasons) ank_table_set_kind(made, at.of[REASONS], ANORANK_CATEGORICAL);
  ANK_TRY(ank_results_columns(made, table, chosen, count, err));
  for (size_t k = START; k <= END && at.of[k] != SIZE_MAX && ranking->groups.time != SIZE_MAX; k++)
    ANK_TRY(ank_results_like(made, at.of[k], &table->column[ranking->groups.time], err));
  ANK_TRY(ank_table_reserve(made, ranking->count, err));
  ANK_TRY(fill(made, ranking, table, chosen, count, &at, err));
  ANK_HAND_OVER(out, made);
done:
  ank_table_free(made);
  ank_free(chosen);
  return status;
}
