/* verdict.c - a table judged by a model: scores, p-values, q-values, order, selection, reasons. */
#include "verdict/verdict.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/parallel.h"

/* Everything about all rows; `order` and `rank` by place, the others by row. */
typedef struct {
  double *scores, *p, *q;
  uint32_t *order;
  size_t *rank;
  size_t rows;
} judged;

static void judged_free(judged *all) {
  ank_free(all->scores);
  ank_free(all->p);
  ank_free(all->q);
  ank_free(all->order);
  ank_free(all->rank);
}

static anorank_status judge_rows(judged *all, const anorank_model *model, const ank_match *match,
                                 const anorank_table *table, const double *row_scores,
                                 const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = all->rows = table->rows;
  ANK_TRY(ank_alloc_raw(&all->scores, n, sizeof *all->scores, err));
  ANK_TRY(ank_alloc_raw(&all->p, n, sizeof *all->p, err));
  ANK_TRY(ank_alloc_raw(&all->q, n, sizeof *all->q, err));
  ANK_TRY(ank_alloc_raw(&all->order, n, sizeof *all->order, err));
  ANK_TRY(ank_alloc_raw(&all->rank, n, sizeof *all->rank, err));
  ANK_TRY(ank_model_score(all->scores, model, match, table, row_scores, settings, err));
  for (size_t i = 0; i < n; i++) all->p[i] = ank_model_p_value(model, all->scores[i]);
  ANK_TRY(ank_q_values(all->q, all->p, n, settings, err));
  ANK_TRY(ank_order(all->order, all->scores, n, settings, err));
  ank_ranks_in_order(all->rank, all->order, all->scores, n);
done:
  return status;
}

/* ---- reasons of many rows ---------------------------------------------------------------------------- */

typedef struct {
  anorank_verdict *verdict;
  const anorank_model *model;
  const ank_match *match;
  const anorank_table *table;
  size_t most; /* reasons for each row */
  int signs;   /* also those that make the row less abnormal */
} giving;

/* One row is one chunk: its reasons are independent of all others. */
static anorank_status give_reasons(void *context, size_t chunk, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  giving *give = context;
  anorank_finding *finding = &give->verdict->findings[chunk];
  const ank_prepare *prepare = give->model->pipeline.prepare;
  size_t columns = ank_prepare_columns(prepare), count = 0, given = 0;
  anorank_reason *out = give->verdict->reasons + chunk * give->most;
  double *features = NULL;
  unsigned char *surprising = NULL;
  ank_reason *reasons = NULL;
  ANK_TRY(ank_alloc_raw(&features, ank_prepare_dim(prepare), sizeof *features, err));
  ANK_TRY(ank_alloc(&surprising, columns, 1, err));
  ANK_TRY(ank_alloc(&reasons, columns, sizeof *reasons, err));
  ANK_TRY(ank_prepare_rows(features, prepare, give->match, give->table, finding->row, 1, err));
  for (size_t c = 0; c < columns; c++)
    surprising[c] =
        (unsigned char)ank_prepare_cell(prepare, give->match, give->table, finding->row, c).surprising;
  ANK_TRY(ank_reasons(reasons, &count, give->model, features, surprising, err));
  for (size_t i = 0; i < count && given < give->most; i++) {
    if (!give->signs && !(reasons[i].contribution > 0) && !surprising[reasons[i].column]) continue;
    char *text = give->verdict->texts + (chunk * give->most + given) * ANK_REASON_SIZE;
    ank_reason_text(text, ANK_REASON_SIZE, give->model, give->match, give->table, finding->row, &reasons[i]);
    out[given++] = (anorank_reason){give->verdict->names[reasons[i].column], reasons[i].column,
                                    reasons[i].contribution, text};
  }
  finding->reasons = out;
  finding->reason_count = given;
done:
  ank_free(features);
  ank_free(surprising);
  ank_free(reasons);
  return status;
}

/* In parts, so that progress can be told and the work be stopped between them. */
static anorank_status give_all_reasons(giving *give, size_t count, const anorank_settings *settings,
                                       anorank_error *err) {
  enum { PART = 32 };
  anorank_status status = ANORANK_OK;
  anorank_verdict *verdict = give->verdict;
  ANK_TRY(ank_alloc(&verdict->reasons, count * give->most, sizeof *verdict->reasons, err));
  ANK_TRY(ank_alloc(&verdict->texts, count * give->most, ANK_REASON_SIZE, err));
  for (size_t from = 0; from < count; from += PART) {
    anorank_verdict part = *verdict;
    part.findings += from;
    part.reasons += from * give->most;
    part.texts += from * give->most * ANK_REASON_SIZE;
    give->verdict = &part;
    ANK_TRY(ank_progress(settings, 0.5 + 0.5 * (double)from / (double)count, "finding reasons", err));
    ANK_TRY(ank_parallel(settings, count - from < PART ? count - from : PART, give_reasons, give, err));
  }
done:
  give->verdict = verdict;
  return status;
}

/* ---- the verdict ------------------------------------------------------------------------------------- */

void ank_verdict_free(anorank_verdict *verdict) {
  if (!verdict) return;
  for (size_t c = 0; verdict->names && c < verdict->name_count; c++) ank_free(verdict->names[c]);
  ank_free(verdict->names);
  ank_free(verdict->findings);
  ank_free(verdict->reasons);
  ank_free(verdict->texts);
  ank_free(verdict);
}

static anorank_status verdict_new(anorank_verdict **out, const anorank_model *model, size_t count,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_verdict *verdict = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&verdict, 1, sizeof *verdict, err));
  ANK_TRY(ank_alloc(&verdict->findings, count, sizeof *verdict->findings, err));
  verdict->count = count;
  verdict->name_count = ank_prepare_columns(model->pipeline.prepare);
  ANK_TRY(ank_alloc(&verdict->names, verdict->name_count, sizeof *verdict->names, err));
  for (size_t c = 0; c < verdict->name_count; c++) {
    const char *name = ank_prepare_column(model->pipeline.prepare, c).name;
    ANK_TRY(ank_copy_text(&verdict->names[c], name, strlen(name), err));
  }
  *out = verdict;
  verdict = NULL;
done:
  ank_verdict_free(verdict);
  return status;
}

static void fill_finding(anorank_finding *finding, const judged *all, size_t place) {
  size_t row = all->order[place];
  *finding = (anorank_finding){.rank = all->rank[place],
                               .row = row,
                               .score = all->scores[row],
                               .p_value = all->p[row],
                               .q_value = all->q[row]};
}

/* `only`: the one row to report with all its columns, SIZE_MAX for those that the settings select. */
static anorank_status make(anorank_verdict **out, const anorank_model *model, const anorank_table *table,
                           const double *row_scores, size_t only, const anorank_settings *settings,
                           anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_verdict *verdict = NULL;
  ank_match *match = NULL;
  judged all = {0};
  ank_selection selection = {.count = 1};
  double rate = settings->fdr > 0 ? settings->fdr : ANORANK_USUAL_FDR;
  size_t columns = ank_prepare_columns(model->pipeline.prepare), explained;
  giving give = {.model = model, .table = table, .most = columns, .signs = 1};
  *out = NULL;
  ANK_TRY(ank_match_make(&match, model->pipeline.prepare, table, err));
  ANK_TRY(judge_rows(&all, model, match, table, row_scores, settings, err));
  if (only == SIZE_MAX) {
    ANK_TRY(ank_select(&selection, all.order, all.scores, all.p, all.q, all.rows, model, settings, err));
    give.signs = 0;
    if ((uint64_t)settings->reasons < columns) give.most = (size_t)settings->reasons;
  }
  ANK_TRY(verdict_new(&verdict, model, selection.count, err));
  verdict->rows = all.rows;
  for (size_t i = 0; i < all.rows; i++) verdict->discoveries += all.q[i] <= rate;
  memcpy(verdict->note, selection.note, sizeof selection.note);
  ank_resolution(verdict->resolution, sizeof verdict->resolution, model, all.rows, rate);
  for (size_t k = 0; only == SIZE_MAX && k < selection.count; k++)
    fill_finding(&verdict->findings[k], &all, k);
  for (size_t k = 0; only != SIZE_MAX && k < all.rows; k++)
    if (all.order[k] == only) fill_finding(&verdict->findings[0], &all, k);
  explained = selection.count;
  if (only == SIZE_MAX && settings->lowest == 0 && settings->mass == 0 && settings->fdr == 0 &&
      explained > ANORANK_UNASKED_REASONS) {
    explained = ANORANK_UNASKED_REASONS;
    if (give.most > 0)
      snprintf(verdict->note, sizeof verdict->note,
               "reasons are given for the first %d rows; choose rows with lowest, mass or fdr for more",
               ANORANK_UNASKED_REASONS);
  }
  give.verdict = verdict;
  give.match = match;
  if (give.most > 0) ANK_TRY(give_all_reasons(&give, explained, settings, err));
  *out = verdict;
  verdict = NULL;
done:
  judged_free(&all);
  ank_match_free(match);
  ank_verdict_free(verdict);
  return status;
}

anorank_status ank_verdict_make(anorank_verdict **out, const anorank_model *model, const anorank_table *table,
                                const double *row_scores, const anorank_settings *settings,
                                anorank_error *err) {
  return make(out, model, table, row_scores, SIZE_MAX, settings, err);
}

anorank_status ank_explain(anorank_verdict **out, const anorank_model *model, const anorank_table *table,
                           size_t row, const anorank_settings *settings, anorank_error *err) {
  *out = NULL;
  if (row >= table->rows)
    return ank_fail(err, ANORANK_ERROR_USAGE, "there is no row %zu; the table has %zu row%s", row + 1,
                    table->rows, ANK_S(table->rows));
  return make(out, model, table, NULL, row, settings, err);
}
