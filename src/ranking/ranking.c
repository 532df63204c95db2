/* ranking.c - rank a table with a model: scores, p-values, q-values, order, selection, reasons. */
#include "ranking/ranking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/list.h"
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

#define LEAST_OF_STRONGEST 0.05 /* smaller contributions, relative to the strongest, are not reasons */

enum {
  VALUED = 4096,    /* rows of a chunk */
  MOST_SEARCHED = 8 /* cells of a row for which partners are searched */
};

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
  int signs;                  /* also reasons that make the row less abnormal */
  int unasked;                /* rows were not selected: as many have reasons as the budget allows */
  size_t *left;               /* of each finding: columns skipped in the search for reasons */
  ank_pasts pasts;            /* of the findings, where rows have a context */
  const ank_row_pasts *known; /* NULL: the table has all rows, and the pasts follow from it */
} giving;

static void describe(anorank_reason *reason, giving *give, size_t i, const ank_row_context *row_context,
                     const ank_contribution *added, int partners, double *work) {
  size_t row = ank_finding_place(give->ranking, i);
  ank_reason_describe(reason, row_context, give->match, give->table, row, added->column, work);
  reason->contribution = added->contribution;
  if (give->pasts.of && i < give->pasts.count &&
      ank_list_has(ank_context_names(give->background->model->context), reason->column,
                   strlen(reason->column)) &&
      ank_reason_of_past(reason, give->background, &give->pasts.of[i]))
    return;
  if (partners) ank_reason_name_partners(reason, row_context, give->match, give->table, row, work);
}

/* Return whether an earlier reason is equivalent. */
static int is_told(const anorank_reason *first, const anorank_reason *reason) {
  while (first < reason && !ank_reason_mirrors(first, reason) &&
         !(first->kind >= ANORANK_REASON_OWN_PAST && reason->kind >= ANORANK_REASON_OWN_PAST))
    first++;
  return first < reason;
}

/* If no informative column changes the score, use the first informative one, farthest from similar rows first. */
static void write_farthest(giving *give, size_t i, const ank_row_context *row_context,
                           const ank_contribution *added, size_t count, double *work) {
  anorank_finding *finding = &give->ranking->findings[i];
  size_t last = SIZE_MAX;
  for (size_t tried = 0; tried < MOST_SEARCHED && tried < count; tried++) {
    size_t next = SIZE_MAX;
    anorank_reason reason;
    for (size_t k = 0; k < count; k++) {
      int after = last == SIZE_MAX || added[k].distance < added[last].distance ||
                  (added[k].distance == added[last].distance && k > last);
      if (after && (next == SIZE_MAX || added[k].distance > added[next].distance)) next = k;
    }
    if (next == SIZE_MAX) return; /* no distance is a number: a model that was made to do so */
    describe(&reason, give, i, row_context, &added[last = next], 1, work);
    if (!ank_reason_is_worth_showing(&reason)) continue;
    if (!(reason.contribution > 0)) reason.contribution = 0;
    give->ranking->reasons[i * give->ranking->most] = reason;
    finding->reasons = 1;
    return;
  }
}

/* The largest contributions as reasons; their texts are still borrowed. A usual cell is not a reason
 * if there is a more informative one; alone it means a row that is odd as a whole. */
static void write_reasons(giving *give, size_t i, const ank_row_context *row_context,
                          const ank_contribution *added, size_t count, double *work) {
  anorank_ranking *ranking = give->ranking;
  anorank_finding *finding = &ranking->findings[i];
  anorank_reason *first = &ranking->reasons[i * ranking->most];
  for (size_t k = 0; k < count && finding->reasons < ranking->most; k++) {
    if (!give->signs && !(added[k].contribution > 0)) break;
    if (!give->signs && added[k].contribution < LEAST_OF_STRONGEST * added[0].contribution) break;
    anorank_reason *reason = first + finding->reasons++;
    describe(reason, give, i, row_context, &added[k], added[k].contribution > 0 && k < MOST_SEARCHED, work);
    if (give->signs || reason == first) continue;
    if (!ank_reason_is_worth_showing(reason) || is_told(first, reason)) {
      finding->reasons--;
    } else if (!ank_reason_is_worth_showing(first)) {
      *first = *reason;
      finding->reasons--;
    }
  }
  if (!give->signs && (finding->reasons == 0 || !ank_reason_is_worth_showing(first)))
    write_farthest(give, i, row_context, added, count, work);
}

/* Values unseen in the background rows, column by column, and as flags (ank_contributions). */
static anorank_status find_new_cells(ank_new_cell *out, unsigned char *flags,
                                     const ank_background *background, const double *features,
                                     anorank_error *err) {
  const ank_pipeline *pipeline = &background->model->pipeline;
  size_t columns = background->columns;
  ank_unseen unseen;
  for (size_t c = 0; c < columns; c++) out[c] = (ank_new_cell){0, SIZE_MAX, 0};
  if (!pipeline->type->unseen) return ANORANK_OK;
  ANK_CHECK(pipeline->type->unseen(&unseen, pipeline->scorer, features, err));
  for (size_t k = 0; k < unseen.count; k++) {
    size_t own = columns, other = columns;
    for (size_t c = 0; c < columns; c++) {
      if (background->column[c].features == 0) continue;
      if (background->column[c].first_feature == unseen.cell[k].first) own = c;
      if (background->column[c].first_feature == unseen.cell[k].with) other = c;
    }
    if (own == columns || (!unseen.cell[k].alone && other == columns)) continue;
    out[own] = (ank_new_cell){unseen.cell[k].alone, other < columns ? other : SIZE_MAX, unseen.rows};
    flags[own] |= 2;
  }
  return ANORANK_OK;
}

/* One row is one chunk: its reasons are independent of all others. */
static anorank_status give_reasons(void *context, size_t chunk, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  giving *give = context;
  const ank_background *background = give->background;
  const ank_prepare *prepare = background->model->pipeline.prepare;
  size_t i = give->first + chunk, row = ank_finding_place(give->ranking, i), count;
  ank_row_context row_context = {0};
  double *features = NULL, *work = NULL, *own = NULL;
  unsigned char *surprising = NULL;
  ank_contribution *added = NULL;
  ank_new_cell *new_cells = NULL;
  ANK_TRY(ank_alloc_raw(&features, background->dim, sizeof *features, err));
  ANK_TRY(ank_alloc_raw(&work, background->rows, sizeof *work, err));
  ANK_TRY(ank_alloc_raw(&own, background->columns, sizeof *own, err));
  ANK_TRY(ank_alloc(&surprising, background->columns, 1, err));
  ANK_TRY(ank_alloc(&added, background->columns, sizeof *added, err));
  ANK_TRY(ank_prepare_rows(features, prepare, give->match, give->table, row, 1, err));
  for (size_t c = 0; c < background->columns; c++)
    surprising[c] = (unsigned char)ank_match_surprising(give->match, give->table, c, row),
    own[c] = ank_prepare_value(give->match, give->table, row, c);
  ANK_TRY(ank_alloc_raw(&new_cells, background->columns, sizeof *new_cells, err));
  ANK_TRY(find_new_cells(new_cells, surprising, background, features, err));
  ANK_TRY(ank_row_context_make(&row_context, background, features, err));
  row_context.own = own;
  row_context.new_cells = new_cells;
  ANK_TRY(ank_contributions(added, &count, &give->left[i], &row_context, surprising, give->budget, err));
  write_reasons(give, i, &row_context, added, count, work);
done:
  ank_row_context_free(&row_context);
  ank_free(features);
  ank_free(work);
  ank_free(own);
  ank_free(surprising);
  ank_free(added);
  ank_free(new_cells);
  return status;
}

static anorank_status own_text(const char **text, ank_levels *texts, anorank_error *err) {
  int32_t code;
  if (!*text) return ANORANK_OK;
  anorank_status status = ank_levels_code(&code, texts, *text, strlen(*text), err);
  if (status == ANORANK_OK) *text = texts->text[code];
  return status;
}

/* Replace borrowed texts by copies, once each. */
static anorank_status own_texts(anorank_ranking *ranking, anorank_error *err) {
  for (size_t i = 0; i < ranking->explained; i++) {
    for (size_t k = 0; k < ranking->findings[i].reasons; k++) {
      anorank_reason *reason = &ranking->reasons[i * ranking->most + k];
      ANK_CHECK(own_text(&reason->column, &ranking->texts, err));
      ANK_CHECK(own_text(&reason->level, &ranking->texts, err));
      ANK_CHECK(own_text(&reason->similar_level, &ranking->texts, err));
      ANK_CHECK(own_text(&reason->twin, &ranking->texts, err));
      ANK_CHECK(own_text(&reason->by, &ranking->texts, err));
      ANK_CHECK(own_text(&reason->entity, &ranking->texts, err));
      for (size_t p = 0; p < reason->partners; p++) {
        ANK_CHECK(own_text(&reason->partner[p].column, &ranking->texts, err));
        ANK_CHECK(own_text(&reason->partner[p].level, &ranking->texts, err));
      }
    }
  }
  return ANORANK_OK;
}

/* In parts, for progress and cancellation between them. */
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
    ank_ranking_note_write(
        &ranking->reach, "reasons-not-listed",
        "%zu columns are not listed, because their cells are close to those of similar rows", most);
  else if (most > 0)
    ank_ranking_note_write(
        &ranking->reach, "reasons-of-farthest",
        "reasons consider the %zu columns of a row farthest from similar rows, and skip %zu others",
        give->budget.columns, most);
done:
  ank_free(give->left);
  return status;
}

/* ---- the ranking ------------------------------------------------------------------------------------- */

void ank_ranking_free(anorank_ranking *ranking) {
  if (!ranking) return;
  ank_levels_free(&ranking->texts);
  ank_groups_free(&ranking->groups);
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
  ranking->info.expected = ranking->expected;
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
                               .tier = (anorank_tier)all->tier[row],
                               .first = row,
                               .last = row,
                               .span = 1};
}

/* Incidents or entities in place of rows. */
static anorank_status fill_stretches(anorank_ranking *ranking, const judged *all, const ank_stretches *from,
                                     const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  int entities = ranking->groups.unit == ANK_UNIT_ENTITY;
  double *p = NULL, *q = NULL;
  ANK_TRY(ank_alloc_raw(&p, from->count, sizeof *p, err));
  ANK_TRY(ank_alloc_raw(&q, from->count, sizeof *q, err));
  for (size_t k = 0; k < from->count; k++) p[k] = from->list[k].p_value;
  ANK_TRY(ank_q_values(q, p, from->count, settings, err));
  for (size_t k = 0; k < ranking->count; k++) {
    const ank_stretch *one = &from->list[k], *before = k > 0 ? one - 1 : NULL;
    int tied = before && all->scores[before->peak] == all->scores[one->peak] &&
               (!entities || before->p_value == one->p_value);
    ranking->findings[k] = (anorank_finding){.rank = tied ? ranking->findings[k - 1].rank : k + 1,
                                             .row = one->peak,
                                             .score = all->scores[one->peak],
                                             .p_value = one->p_value,
                                             .q_value = entities ? q[k] : all->q[one->peak],
                                             .tier = (anorank_tier)one->tier,
                                             .first = one->first,
                                             .last = one->last,
                                             .span = one->rows};
  }
done:
  ank_free(p);
  ank_free(q);
  return status;
}

/* Without a selection: as many as the budget allows. */
static size_t unasked(const ank_background *background, ank_explain_budget budget, size_t count) {
  enum { WORK = 1 << 23, FEWEST = 20 };
  size_t rows =
      WORK / (budget.asked * budget.columns * background->dim + background->rows * background->dim / 8 + 1);
  rows = rows < FEWEST ? FEWEST : rows > ANORANK_UNASKED_REASONS ? ANORANK_UNASKED_REASONS : rows;
  return count < rows ? count : rows;
}

static int by_row(const void *key, const void *past) {
  size_t row = *(const size_t *)key, other = ((const ank_row_past *)past)->row;
  return row < other ? -1 : row > other;
}

static anorank_status take_pasts(giving *give, size_t count, anorank_error *err) {
  const ank_row_pasts *known = give->known;
  give->pasts = (ank_pasts){.count = count};
  ANK_CHECK(ank_alloc(&give->pasts.of, count, sizeof *give->pasts.of, err));
  for (size_t i = 0; i < count && known->count > 0; i++) {
    const ank_row_past *found =
        bsearch(&give->ranking->findings[i].row, known->list, known->count, sizeof *known->list, by_row);
    if (found) give->pasts.of[i] = found->past;
  }
  return ANORANK_OK;
}

/* The usual values of the entities just before the findings. */
static anorank_status find_pasts(giving *give, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_context *context = give->background->model->context;
  size_t count = give->ranking->explained, *rows = NULL;
  if (!context || count == 0) return ANORANK_OK;
  if (give->known) return take_pasts(give, count, err);
  ANK_TRY(ank_alloc_raw(&rows, count, sizeof *rows, err));
  for (size_t i = 0; i < count; i++) rows[i] = ank_finding_place(give->ranking, i);
  ANK_TRY(ank_context_past(&give->pasts, context, give->table, rows, count, give->ranking->own, err));
done:
  ank_free(rows);
  return status;
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
        "only the first %zu rows have reasons; select rows with `lowest`, `mass` or `fdr` to get more",
        explained);
  explained = explained > give->before ? explained - give->before : 0;
  ranking->explained = explained < ranking->count ? explained : ranking->count;
  ANK_TRY(find_pasts(give, err));
  ANK_TRY(give_all_reasons(give, settings, err));
done:
  ank_pasts_free(&give->pasts);
  ank_background_free(&background);
  give->background = NULL;
  return status;
}

static void write_answer(anorank_ranking *ranking, const anorank_settings *settings) {
  ank_headline_text(ranking->answer, sizeof ranking->answer, &ranking->info.headline, ranking->rows,
                    ranking->stand_out, settings);
}

/* As many incidents or entities as `lowest` chooses. */
static void choose_stretches(ank_selection *out, size_t count, ank_unit unit,
                             const anorank_settings *settings) {
  size_t most = settings->lowest > 0 ? (size_t)settings->lowest : count;
  *out = (ank_selection){.count = count < most ? count : most};
  if (settings->lowest > 0 && count < most)
    ank_ranking_note_write(&out->note, "selection-few-rows", "%zu requested, but there %s only %zu %s", most,
                           count == 1 ? "is" : "are", count,
                           unit == ANK_UNIT_ENTITY ? count == 1 ? "entity" : "entities"
                           : count == 1            ? "incident"
                                                   : "incidents");
}

/* The reported rows: those selected by the settings, all, or the one to explain. */
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
  ank_groups groups = {0};
  ank_levels texts = {0};
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
  const ank_all_rows rows = {all.scores, all.p, all.tier, all.order, all.rows, selection.count, own};
  if (!one) ANK_TRY(ank_groups_make(&groups, &texts, model, table, &rows, settings, err));
  if (one || which == EVERY) groups.unit = ANK_UNIT_ROW;
  const ank_stretches *listed = groups.unit == ANK_UNIT_ENTITY ? &groups.entities : &groups.incidents;
  if (groups.unit != ANK_UNIT_ROW) choose_stretches(&selection, listed->count, groups.unit, settings);
  ANK_TRY(verdict_new(&ranking, model, match, table, which == EVERY ? all.rows : selection.count, err));
  ranking->groups = groups;
  ranking->texts = texts;
  groups = (ank_groups){0};
  texts = (ank_levels){0};
  ranking->info.silences = ranking->groups.silences;
  ranking->info.silence_count = ranking->groups.silence_count;
  for (size_t i = 0; i < all.rows; i++) ranking->discoveries += all.q[i] <= rate;
  ranking->stand_out = settings->mass > 0 && !one ? rows.selected : ranking->discoveries;
  ranking->own = own;
  ank_tiers_count(&tiers, model, all.tier, all.scores, all.rows);
  anorank_headline *headline = &ranking->info.headline;
  ank_headline_decide(headline, model, &tiers, own, settings);
  ank_groups_count(headline, ranking->expected, sizeof ranking->expected, &ranking->groups, model, &rows,
                   settings);
  if (headline->kind == ANORANK_HEADLINE_SHIFT)
    ANK_TRY(ank_shift_list_of_table(headline->shifted, sizeof headline->shifted, model, match, table, err));
  write_answer(ranking, settings);

  ranking->note = selection.note;
  ank_resolution(&ranking->resolution, model, all.rows, rate);
  if (ranking->groups.unit != ANK_UNIT_ROW)
    ANK_TRY(fill_stretches(ranking, &all,
                           ranking->groups.unit == ANK_UNIT_ENTITY ? &ranking->groups.entities
                                                                   : &ranking->groups.incidents,
                           settings, err));
  else
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
  ank_groups_free(&groups);
  ank_levels_free(&texts);
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
                 .most_left = reported->left,
                 .known = reported->pasts};
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
    return ank_fail(err, ANORANK_ERROR_USAGE, "row-unknown",
                    "there is no row %zu; the table has only %zu row%s", row + 1, table->rows,
                    ANK_S(table->rows));
  return make(out, model, table, NULL, 0, (int64_t)row, settings, err);
}
