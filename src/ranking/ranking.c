/* ranking.c - a table judged by a model: scores, p-values, q-values, order, selection, reasons. */
#include "ranking/ranking.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/print.h"
#include "model/model_context.h"

/* Everything about all rows; `order` and `rank` by place, the others by row. */
typedef struct {
  double *scores, *p, *q;
  uint32_t *order;
  size_t *rank;
  unsigned char *tier;
  size_t rows;
} judged;

static void judged_free(judged *all) {
  ank_free(all->scores);
  ank_free(all->p);
  ank_free(all->q);
  ank_free(all->order);
  ank_free(all->rank);
  ank_free(all->tier);
}

typedef struct {
  judged *all;
  const anorank_model *model;
} valuing;

#define LEAST_OF_STRONGEST 0.05 /* what adds less than this part of the strongest contribution is no reason */

enum { VALUED = 4096 }; /* rows of a chunk */

static anorank_status value_chunk(void *context, size_t chunk, anorank_error *err) {
  const valuing *work = context;
  const judged *all = work->all;
  size_t end = (chunk + 1) * VALUED < all->rows ? (chunk + 1) * VALUED : all->rows;
  (void)err;
  for (size_t i = chunk * VALUED; i < end; i++) all->p[i] = ank_model_p_value(work->model, all->scores[i]);
  return ANORANK_OK;
}

static anorank_status judge_rows(judged *all, const anorank_model *model, const ank_match *match,
                                 const anorank_table *table, const double *row_scores,
                                 const anorank_settings *settings, anorank_error *err) {
  size_t n = all->rows = table->rows;
  ANK_CHECK(ank_alloc_raw(&all->scores, n, sizeof *all->scores, err));
  ANK_CHECK(ank_alloc_raw(&all->p, n, sizeof *all->p, err));
  ANK_CHECK(ank_alloc_raw(&all->q, n, sizeof *all->q, err));
  ANK_CHECK(ank_alloc_raw(&all->order, n, sizeof *all->order, err));
  ANK_CHECK(ank_alloc_raw(&all->rank, n, sizeof *all->rank, err));
  ANK_CHECK(ank_model_score(all->scores, model, match, table, row_scores, settings, err));
  ANK_CHECK(ank_parallel(settings, (n + VALUED - 1) / VALUED, value_chunk, &(valuing){all, model}, err));
  ANK_CHECK(ank_q_values(all->q, all->p, n, settings, err));
  ANK_CHECK(ank_order(all->order, all->scores, n, settings, err));
  ank_ranks_in_order(all->rank, all->order, all->scores, n);
  ANK_CHECK(ank_alloc_raw(&all->tier, n, sizeof *all->tier, err));
  ank_tiers_find(all->tier, model, match, table, all->scores);
  return ANORANK_OK;
}

/* ---- reasons of many rows ---------------------------------------------------------------------------- */

typedef struct {
  anorank_ranking *ranking;
  const ank_background *background;
  const ank_match *match;
  const anorank_table *table;
  ank_explain_budget budget;
  size_t first;       /* finding of chunk 0 */
  size_t before, all; /* findings before these, and in all; all = 0: these are all */
  size_t most_left;
  int signs;    /* also reasons that make the row less abnormal */
  int unasked;  /* nobody chose these rows: as many have reasons as the work allows */
  size_t *left; /* of each finding: columns that were not asked about */
} giving;

/* The largest contributions as reasons; their texts are still lent. What is usual by itself is no reason
 * beside one that says more; alone it stands for a row that is odd as a whole. */
static void write_reasons(giving *give, size_t i, const ank_row_context *row_context,
                          const ank_contribution *added, size_t count, double *work) {
  anorank_ranking *ranking = give->ranking;
  anorank_finding *finding = &ranking->findings[i];
  for (size_t k = 0; k < count && finding->reasons < ranking->most; k++) {
    if (!give->signs && !(added[k].contribution > 0)) break;
    if (!give->signs && added[k].contribution < LEAST_OF_STRONGEST * added[0].contribution) break;
    anorank_reason *first = &ranking->reasons[i * ranking->most], *reason = first + finding->reasons++;
    ank_reason_describe(reason, row_context, give->match, give->table, ank_finding_place(ranking, i),
                        added[k].column, work);
    reason->contribution = added[k].contribution;
    if (give->signs || reason == first) continue;
    if (!ank_reason_is_worth_showing(reason)) {
      finding->reasons--;
    } else if (!ank_reason_is_worth_showing(first)) {
      *first = *reason;
      finding->reasons--;
    }
  }
}

/* One row is one chunk: its reasons are independent of all others. */
static anorank_status give_reasons(void *context, size_t chunk, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  giving *give = context;
  const ank_background *background = give->background;
  const ank_prepare *prepare = background->model->pipeline.prepare;
  size_t i = give->first + chunk, row = ank_finding_place(give->ranking, i), count;
  ank_row_context row_context = {0};
  double *features = NULL, *work = NULL;
  unsigned char *surprising = NULL;
  ank_contribution *added = NULL;
  ANK_TRY(ank_alloc_raw(&features, background->dim, sizeof *features, err));
  ANK_TRY(ank_alloc_raw(&work, background->rows, sizeof *work, err));
  ANK_TRY(ank_alloc(&surprising, background->columns, 1, err));
  ANK_TRY(ank_alloc(&added, background->columns, sizeof *added, err));
  ANK_TRY(ank_prepare_rows(features, prepare, give->match, give->table, row, 1, err));
  for (size_t c = 0; c < background->columns; c++)
    surprising[c] = (unsigned char)ank_match_surprising(give->match, give->table, c, row);
  ANK_TRY(ank_row_context_make(&row_context, background, features, err));
  ANK_TRY(ank_contributions(added, &count, &give->left[i], &row_context, surprising, give->budget, err));
  write_reasons(give, i, &row_context, added, count, work);
done:
  ank_row_context_free(&row_context);
  ank_free(features);
  ank_free(work);
  ank_free(surprising);
  ank_free(added);
  return status;
}

static anorank_status own_text(const char **text, ank_levels *texts, anorank_error *err) {
  int32_t code;
  if (!*text) return ANORANK_OK;
  anorank_status status = ank_levels_code(&code, texts, *text, strlen(*text), err);
  if (status == ANORANK_OK) *text = texts->text[code];
  return status;
}

/* Copies in place of what was lent, once each. */
static anorank_status own_texts(anorank_ranking *ranking, anorank_error *err) {
  for (size_t i = 0; i < ranking->explained; i++) {
    for (size_t k = 0; k < ranking->findings[i].reasons; k++) {
      anorank_reason *reason = &ranking->reasons[i * ranking->most + k];
      ANK_CHECK(own_text(&reason->column, &ranking->texts, err));
      ANK_CHECK(own_text(&reason->level, &ranking->texts, err));
      ANK_CHECK(own_text(&reason->similar_level, &ranking->texts, err));
      ANK_CHECK(own_text(&reason->twin, &ranking->texts, err));
    }
  }
  return ANORANK_OK;
}

/* In parts, so that progress can be told and the work be stopped between them. */
static anorank_status give_all_reasons(giving *give, const anorank_settings *settings, anorank_error *err) {
  enum { PART = 32 };
  anorank_status status = ANORANK_OK;
  anorank_ranking *ranking = give->ranking;
  size_t count = ranking->explained, most = give->most_left;
  ANK_TRY(ank_alloc(&ranking->reasons, count * ranking->most, sizeof *ranking->reasons, err));
  ANK_TRY(ank_alloc(&give->left, count, sizeof *give->left, err));
  for (; give->first < count; give->first += PART) {
    size_t some = count - give->first < PART ? count - give->first : PART;
    ANK_TRY(ank_progress(settings, 0.5 + 0.5 * (double)give->first / (double)count, "finding reasons", err));
    ANK_TRY(ank_parallel(settings, some, give_reasons, give, err));
  }
  ANK_TRY(own_texts(ranking, err));
  for (size_t i = 0; i < count; i++) most = give->left[i] > most ? give->left[i] : most;
  give->most_left = most;
  if (most > 0 && give->signs)
    ank_ranking_note_write(&ranking->reach, "reasons-not-listed",
                           "%zu columns are not listed: their cells are nearest to those of similar rows",
                           most);
  else if (most > 0)
    ank_ranking_note_write(
        &ranking->reach, "reasons-of-farthest",
        "reasons come from the %zu columns of a row that are farthest from similar rows; %zu others are "
        "not looked at",
        give->budget.columns, most);
done:
  ank_free(give->left);
  return status;
}

/* ---- the ranking ------------------------------------------------------------------------------------- */

void ank_ranking_free(anorank_ranking *ranking) {
  if (!ranking) return;
  ank_levels_free(&ranking->texts);
  ank_free(ranking->scores);
  ank_free(ranking->p_values);
  ank_free(ranking->ids);
  ank_free(ranking->findings);
  ank_free(ranking->reasons);
  ank_free(ranking);
}

static anorank_status verdict_new(anorank_ranking **out, const anorank_model *model, const ank_match *match,
                                  const anorank_table *table, size_t count, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_ranking *ranking = NULL;
  size_t columns = ank_prepare_columns(model->pipeline.prepare);
  *out = NULL;
  ANK_TRY(ank_alloc(&ranking, 1, sizeof *ranking, err));
  ranking->info.answer = ranking->answer;
  ranking->info.note = ranking->note.text;
  ranking->info.note_code = ranking->note.code;
  ranking->info.reach = ranking->reach.text;
  ranking->info.reach_code = ranking->reach.code;
  ranking->info.resolution = ranking->resolution.text;
  ranking->info.resolution_code = ranking->resolution.code;
  ANK_TRY(
      ank_alloc_raw(&ranking->findings, count, sizeof *ranking->findings, err)); /* the caller fills them */
  ranking->count = count;
  ranking->rows = ranking->table_rows = table->rows;
  ranking->table_columns = table->columns;
  ANK_TRY(ank_alloc_raw(&ranking->ids, columns, sizeof *ranking->ids, err));
  for (size_t c = 0; c < columns; c++) {
    size_t at = ank_match_column(match, c);
    anorank_role role = ank_prepare_column(model->pipeline.prepare, c).role;
    if (at != SIZE_MAX && (role == ANORANK_ROLE_ID || role == ANORANK_ROLE_TIME)) /* who and when */
      ranking->ids[ranking->id_count++] = at;
  }
  ANK_HAND_OVER(out, ranking);
done:
  ank_ranking_free(ranking);
  return status;
}

static void fill_finding(anorank_finding *finding, const judged *all, size_t place) {
  size_t row = all->order[place];
  *finding = (anorank_finding){.rank = all->rank[place],
                               .row = row,
                               .score = all->scores[row],
                               .p_value = all->p[row],
                               .q_value = all->q[row],
                               .tier = (anorank_tier)all->tier[row]};
}

/* Nobody asked for so many: as many as the work allows. */
static size_t unasked(const ank_background *background, ank_explain_budget budget, size_t count) {
  enum { WORK = 1 << 23, FEWEST = 20 };
  size_t rows =
      WORK / (budget.asked * budget.columns * background->dim + background->rows * background->dim / 8 + 1);
  rows = rows < FEWEST ? FEWEST : rows > ANORANK_UNASKED_REASONS ? ANORANK_UNASKED_REASONS : rows;
  return count < rows ? count : rows;
}

/* Reasons for the findings, or for the first of them. */
static anorank_status explain_findings(anorank_ranking *ranking, giving *give, const anorank_model *model,
                                       const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_background background = {0};
  size_t columns = ank_prepare_columns(model->pipeline.prepare);
  ranking->most = give->signs || (uint64_t)settings->reasons > columns ? columns : (size_t)settings->reasons;
  if (ranking->most == 0 || ranking->count == 0) return ANORANK_OK;
  ANK_TRY(ank_background_make(&background, model, err));
  give->ranking = ranking;
  give->background = &background;
  give->budget = ank_explain_budget_of(&background, give->signs);
  size_t all = give->all > 0 ? give->all : ranking->count, explained = all;
  if (give->unasked) explained = unasked(&background, give->budget, all);
  if (explained < all && !*ranking->note.code)
    ank_ranking_note_write(
        &ranking->note, "reasons-of-first",
        "reasons are given for the first %zu rows; choose rows with `lowest`, `mass` or `fdr` for more",
        explained);
  explained = explained > give->before ? explained - give->before : 0;
  ranking->explained = explained < ranking->count ? explained : ranking->count;
  ANK_TRY(give_all_reasons(give, settings, err));
done:
  ank_background_free(&background);
  give->background = NULL;
  return status;
}

static void write_answer(anorank_ranking *ranking, const anorank_settings *settings) {
  ank_headline_text(ranking->answer, sizeof ranking->answer, &ranking->info.headline, ranking->rows,
                    ranking->stand_out, settings);
}

/* Which rows are reported: those that the settings select, all, or the one row to explain in depth. */
enum { SELECTED = -1, EVERY = -2 };

static anorank_status make(anorank_ranking **out, const anorank_model *model, const anorank_table *table,
                           const double *row_scores, int own, int64_t which, const anorank_settings *settings,
                           anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_ranking *ranking = NULL;
  ank_match *match = NULL;
  judged all = {0};
  ank_tier_counts tiers = {0};
  ank_selection selection = {.count = 1};
  double rate = settings->fdr > 0 ? settings->fdr : ANORANK_USUAL_FDR;
  anorank_table *derived = NULL;
  size_t columns = table->columns;
  int one = which >= 0;
  int nothing_chosen = settings->lowest == 0 && settings->mass == 0 && settings->fdr == 0;
  *out = NULL;
  ANK_TRY(ank_model_view(&table, &derived, model, table, err));
  ANK_TRY(ank_match_make(&match, model->pipeline.prepare, table, err));
  ANK_TRY(judge_rows(&all, model, match, table, row_scores, settings, err));
  if (!one)
    ANK_TRY(ank_select(&selection, all.order, all.scores, all.p, all.q, all.rows, model, settings, err));
  ANK_TRY(verdict_new(&ranking, model, match, table, which == EVERY ? all.rows : selection.count, err));
  for (size_t i = 0; i < all.rows; i++) ranking->discoveries += all.q[i] <= rate;
  ranking->stand_out = settings->mass > 0 && !one ? selection.count : ranking->discoveries;
  ranking->own = own;
  ank_tiers_count(&tiers, model, all.tier, all.scores, all.rows);
  anorank_headline *headline = &ranking->info.headline;
  ank_headline_decide(headline, model, &tiers, own, settings);
  if (headline->kind == ANORANK_HEADLINE_SHIFT)
    ANK_TRY(ank_shift_list_of_table(headline->shifted, sizeof headline->shifted, model, match, table, err));
  write_answer(ranking, settings);

  ranking->note = selection.note;
  ank_resolution(&ranking->resolution, model, all.rows, rate);
  for (size_t k = 0; !one && k < ranking->count; k++) fill_finding(&ranking->findings[k], &all, k);
  for (size_t k = 0; one && k < all.rows; k++)
    if (all.order[k] == (size_t)which) fill_finding(&ranking->findings[0], &all, k);
  giving give = {
      .match = match, .table = table, .signs = one, .unasked = which == EVERY || (!one && nothing_chosen)};
  ANK_TRY(explain_findings(ranking, &give, model, settings, err));
  ranking->scores = all.scores;
  ranking->table_columns = columns;
  ranking->info.p_values = ranking->p_values = all.p;
  all.scores = all.p = NULL;
  ANK_HAND_OVER(out, ranking);
done:
  judged_free(&all);
  ank_match_free(match);
  ank_table_free(derived);
  ank_ranking_free(ranking);
  return status;
}

anorank_status ank_ranking_report(anorank_ranking **out, const anorank_model *model,
                                  const anorank_table *table, ank_reported *reported, size_t first,
                                  const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_ranking *ranking = NULL;
  ank_match *match = NULL;
  ank_selection selection = {.count = reported->all};
  double rate = settings->fdr > 0 ? settings->fdr : ANORANK_USUAL_FDR;
  int nothing_chosen = settings->lowest == 0 && settings->mass == 0 && settings->fdr == 0;
  *out = NULL;
  ANK_TRY(ank_match_make(&match, model->pipeline.prepare, table, err));
  ANK_TRY(verdict_new(&ranking, model, match, table, reported->count, err));
  memcpy(ranking->findings, reported->findings, reported->count * sizeof *ranking->findings);
  ranking->in_order = 1;
  ranking->rows = reported->rows;
  ranking->discoveries = reported->discoveries;
  ranking->stand_out = settings->mass > 0 ? reported->all : ranking->discoveries;
  ranking->own = reported->own;
  anorank_headline *headline = &ranking->info.headline;
  ank_headline_decide(headline, model, &reported->tiers, reported->own, settings);
  if (headline->kind == ANORANK_HEADLINE_SHIFT && reported->sample)
    ANK_TRY(ank_shift_list(headline->shifted, sizeof headline->shifted, model, reported->sample, err));
  write_answer(ranking, settings);
  ank_select_write_note(&selection, reported->rows, first, model, settings);
  ranking->note = selection.note;
  ank_resolution(&ranking->resolution, model, reported->rows, rate);
  giving give = {.match = match,
                 .table = table,
                 .unasked = nothing_chosen,
                 .before = reported->before,
                 .all = reported->all,
                 .most_left = reported->left};
  ANK_TRY(explain_findings(ranking, &give, model, settings, err));
  reported->left = give.most_left;
  ANK_HAND_OVER(out, ranking);
done:
  ank_match_free(match);
  ank_ranking_free(ranking);
  return status;
}

anorank_status ank_ranking_make(anorank_ranking **out, const anorank_model *model, const anorank_table *table,
                                const double *row_scores, const anorank_settings *settings,
                                anorank_error *err) {
  return make(out, model, table, row_scores, row_scores != NULL, SELECTED, settings, err);
}

anorank_status ank_ranking_of_all(anorank_ranking **out, const anorank_model *model,
                                  const anorank_table *table, const anorank_ranking *given,
                                  const anorank_settings *settings, anorank_error *err) {
  return make(out, model, table, given ? given->scores : NULL, given && given->own, EVERY, settings, err);
}

anorank_status anorank_explain(anorank_ranking **out, const anorank_model *model, const anorank_table *table,
                               size_t row, const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(model);
  ANK_NEED(table);
  settings = ank_settings_or_default(settings);
  if (row >= table->rows)
    return ank_fail(err, ANORANK_ERROR_USAGE, "row-unknown", "there is no row %zu; the table has %zu row%s",
                    row + 1, table->rows, ANK_S(table->rows));
  return make(out, model, table, NULL, 0, (int64_t)row, settings, err);
}
