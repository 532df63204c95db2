/* ranking_groups.c - groups of ranked rows: incidents, entities, silences. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/print.h"
#include "ranking/ranking.h"
#include "table/cell_text.h"

void ank_groups_free(ank_groups *groups) {
  ank_sequences_free(&groups->sequences);
  ank_stretches_free(&groups->incidents);
  ank_stretches_free(&groups->entities);
  ank_free(groups->silences);
  *groups = (ank_groups){0};
}

/* ---- which rows stand out ---------------------------------------------------------------------------- */

static int has_level(const anorank_settings *settings) { return settings->mass > 0 || settings->fdr > 0; }

/* The p-value up to which rows are marked. */
static double level_of(const ank_all_rows *all, const anorank_settings *settings) {
  double level = 0;
  if (!has_level(settings)) return ANK_INCIDENT_LEVEL;
  if (settings->mass > 0) return 1 - settings->mass;
  for (size_t k = 0; k < all->selected; k++) level = fmax(level, all->p[all->order[k]]);
  return level;
}

/* The most abnormal row is always listed, unless a level excludes it. */
static void mark(unsigned char *marked, const ank_all_rows *all, const anorank_settings *settings) {
  if (has_level(settings)) {
    for (size_t k = 0; k < all->selected; k++) marked[all->order[k]] = 1;
    return;
  }
  for (size_t i = 0; i < all->rows; i++)
    marked[i] = ank_level_selects(all->p[i], ANK_INCIDENT_LEVEL) || all->tier[i] > ANORANK_TIER_REST;
  if (all->rows > 0) marked[all->order[0]] = 1;
}

/* The window of the context, or how far dependence reaches. */
static ank_gap gap_of(const anorank_model *model) {
  size_t reach = model->dependence.reach;
  if (model->context) {
    ank_context_info info = ank_context_get_info(model->context);
    return (ank_gap){info.window, info.window_seconds};
  }
  return (ank_gap){reach < 1 ? 1 : reach < ANK_INCIDENT_GAP ? (double)reach : ANK_INCIDENT_GAP, 0};
}

/* ---- silences ---------------------------------------------------------------------------------------- */

static anorank_status read_expected(double *out, const anorank_model *model, const anorank_settings *settings,
                                    anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  int seconds = 0;
  ank_context_info info = {.time = ""};
  if (model->context) info = ank_context_get_info(model->context);
  anorank_status status = ANORANK_OK;
  if (!*info.time)
    status = ank_fail(err, ANORANK_ERROR_USAGE, "expect-every-time",
                      "expect-every needs a model with time; fit it with time");
  else if (!ank_context_parse_length(out, &seconds, settings->expect_every) || (seconds && !info.moments) ||
           (!seconds && info.moments))
    status = ank_fail(err, ANORANK_ERROR_USAGE, "expect-every-value", "expect-every is '%s'; give %s",
                      ank_quote(quoted, settings->expect_every, strlen(settings->expect_every)),
                      info.moments ? "a length such as 90s, 5min, 12h, 7d or 2w"
                                   : "a number, since the time column holds numbers");
  if (status != ANORANK_OK) ank_error_set_setting(err, "expect-every");
  return status;
}

static anorank_status keep_text(const char **out, ank_levels *texts, const char *text, anorank_error *err) {
  int32_t code = 0;
  ANK_CHECK(ank_levels_code(&code, texts, text, strlen(text), err));
  *out = texts->text[code];
  return ANORANK_OK;
}

static anorank_status keep_time(const char **out, ank_levels *texts, double at, int moments,
                                anorank_error *err) {
  char text[ANK_CELL_SIZE];
  if (moments)
    (void)ank_time_text(text, at, ANORANK_SECONDS);
  else
    ank_print(text, sizeof text, "%.15g", at);
  return keep_text(out, texts, text, err);
}

static anorank_status name_silences(ank_groups *out, ank_levels *texts, const ank_silences *found,
                                    const ank_context *context, const anorank_table *table,
                                    anorank_error *err) {
  char text[1024];
  int moments = ank_context_get_info(context).moments;
  ANK_CHECK(ank_alloc(&out->silences, found->count, sizeof *out->silences, err));
  for (size_t i = 0; i < found->count; i++) {
    const ank_silence *from = &found->list[i];
    anorank_silence *one = &out->silences[i];
    *one =
        (anorank_silence){.from = from->from, .to = from->to, .before = from->before, .after = from->after};
    ANK_CHECK(ank_context_entity_text(text, sizeof text, context, from->entity, table, from->before, err));
    ANK_CHECK(keep_text(&one->entity, texts, text, err));
    ANK_CHECK(keep_time(&one->from_text, texts, one->from, moments, err));
    ANK_CHECK(keep_time(&one->to_text, texts, one->to, moments, err));
  }
  out->silence_count = found->count;
  return ANORANK_OK;
}

static anorank_status find_silences(ank_groups *out, ank_levels *texts, const anorank_model *model,
                                    const anorank_table *table, int own, const anorank_settings *settings,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_silences found = {0};
  double most = 0, *seen = NULL;
  size_t known = 0;
  ANK_TRY(read_expected(&most, model, settings, err));
  if (!own) known = ank_context_entities(model->context); /* else the history is this table */
  ANK_TRY(ank_alloc_raw(&seen, known, sizeof *seen, err));
  for (size_t e = 0; e < known; e++) seen[e] = ank_context_last_seen(model->context, e);
  ANK_TRY(ank_silences_find(&found, &out->sequences, most, seen, known, err));
  ANK_TRY(name_silences(out, texts, &found, model->context, table, err));
done:
  ank_free(found.list);
  ank_free(seen);
  return status;
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static anorank_status choose_unit(ank_unit *out, const anorank_model *model, const anorank_settings *settings,
                                  anorank_error *err) {
  *out = settings->rank_entities ? ANK_UNIT_ENTITY : settings->incidents ? ANK_UNIT_INCIDENT : ANK_UNIT_ROW;
  if (settings->rank_entities && settings->incidents)
    return ank_fail(err, ANORANK_ERROR_USAGE, "listing-ambiguous",
                    "incidents and rank-entities each choose what is listed; give one of them");
  if (settings->rank_entities && !(model->context && *ank_context_get_info(model->context).by)) {
    (void)ank_fail(err, ANORANK_ERROR_USAGE, "entities-unknown",
                   "rank-entities needs a model with entities; fit it with by");
    ank_error_set_setting(err, "rank-entities");
    return ANORANK_ERROR_USAGE;
  }
  return ANORANK_OK;
}

/* Incidents that the headline counts, and entities that have them. */
static anorank_status count_incidents(ank_groups *out, int all, anorank_error *err) {
  unsigned char *seen = NULL;
  ANK_CHECK(ank_alloc(&seen, out->sequences.entities, 1, err));
  for (size_t i = 0; i < out->incidents.count; i++) {
    const ank_stretch *one = &out->incidents.list[i];
    if (!all && one->tier == ANORANK_TIER_REST) continue;
    out->counted++;
    out->affected += !seen[one->entity];
    seen[one->entity] = 1;
  }
  ank_free(seen);
  return ANORANK_OK;
}

anorank_status ank_groups_make(ank_groups *out, ank_levels *texts, const anorank_model *model,
                               const anorank_table *table, const ank_all_rows *all,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  unsigned char *marked = NULL;
  ank_stretch_law law;
  *out = (ank_groups){.time = SIZE_MAX};
  ANK_TRY(choose_unit(&out->unit, model, settings, err));
  if (!model->context && !settings->incidents && !*settings->expect_every) return ANORANK_OK;
  if (model->context) {
    const char *time = ank_context_get_info(model->context).time;
    if (*time) out->time = ank_table_find(table, time, strlen(time));
  }
  ANK_TRY(ank_context_sequences(&out->sequences, model->context, table, err));
  if (*settings->expect_every) ANK_TRY(find_silences(out, texts, model, table, all->own, settings, err));
  ANK_TRY(ank_alloc(&marked, all->rows, 1, err));
  mark(marked, all, settings);
  ank_stretch_law_make(&law, &out->sequences, all->p);
  ank_judged_rows rows = {&out->sequences, all->scores, all->p, all->tier, marked, gap_of(model), &law};
  ANK_TRY(ank_incidents_find(&out->incidents, &rows, err));
  ANK_TRY(ank_entities_find(&out->entities, &rows, err));
  ANK_TRY(count_incidents(out, has_level(settings), err));
done:
  ank_free(marked);
  if (status != ANORANK_OK) ank_groups_free(out);
  return status;
}

/* ---- counts and words -------------------------------------------------------------------------------- */

/* Days from the first to the last row; NaN where times are not moments, or all the same. */
static double days_of(const ank_groups *groups, const anorank_model *model) {
  const ank_sequences *in = &groups->sequences;
  double from = INFINITY, to = -INFINITY;
  if (!in->time || !ank_context_get_info(model->context).moments) return NAN;
  for (size_t i = 0; i < in->rows; i++) {
    from = fmin(from, in->time[i]);
    to = fmax(to, in->time[i]);
  }
  return to > from ? (to - from) / 86400 : NAN;
}

/* Two digits for people: 0.39, 8.2, 230. */
static void two_digits(char *text, size_t size, double value) {
  if (value < 99.5)
    ank_print(text, size, "%.2g", value);
  else
    ank_count_text(text, size, (size_t)value);
}

static void cut_name(char *out, size_t size, const char *name) {
  size_t length = strlen(name) < size ? strlen(name) : size - 1;
  while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) length--; /* not within a character */
  memcpy(out, name, length);
  out[length] = '\0';
}

void ank_groups_count(anorank_headline *headline, char *expected, size_t size, const ank_groups *groups,
                      const anorank_model *model, const ank_all_rows *all, const anorank_settings *settings) {
  static const unsigned char none = 0;
  char found[32], normal[32], each[32], a_day[32] = "";
  ank_stretch_law law;
  ank_judged_rows rows = {&groups->sequences, all->scores, all->p, &none, &none, gap_of(model), &law};
  double level = level_of(all, settings), days = days_of(groups, model);
  headline->false_incidents = headline->false_incidents_per_day = NAN;
  if (groups->entities.count == 0) return;
  ank_stretch_law_make(&law, &groups->sequences, all->p);
  double per_row = ank_false_incidents(&rows, &groups->incidents, level);
  headline->entities = groups->entities.count;
  headline->incidents = groups->counted;
  headline->incident_entities = groups->affected;
  headline->listed_incidents = groups->incidents.count;
  headline->false_incidents = 1000 * per_row;
  headline->false_incidents_per_day = per_row * (double)all->rows / days;
  if (model->context) cut_name(headline->by, sizeof headline->by, ank_context_get_info(model->context).by);
  ank_count_text(found, sizeof found, groups->incidents.count);
  two_digits(normal, sizeof normal, per_row * (double)all->rows);
  two_digits(each, sizeof each, headline->false_incidents);
  if (!isnan(days)) two_digits(a_day, sizeof a_day, headline->false_incidents_per_day);
  ank_print(expected, size,
            "rows with a p-value of at most %.3g make %s incident%s; normal rows alone make about %s "
            "(%s per 1,000 rows%s%s%s)",
            level, found, ANK_S(groups->incidents.count), normal, each, *a_day ? ", " : "", a_day,
            *a_day ? " per day" : "");
}
