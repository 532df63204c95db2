/* context.c - see context.h. */
#include "context/context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "context/context_parts.h"
#include "core/alloc.h"
#include "core/list.h"
#include "core/number.h"

#define USUAL_WINDOW "20"
#define MOST_UNITS 100.0 /* a deviation counts as so many units, at most */

int ank_context_wanted(const anorank_settings *settings) {
  return settings->by[0] != '\0' || settings->time[0] != '\0';
}

static void key_free(ank_key *key) {
  ank_free(key->by);
  ank_levels_free(&key->names);
  ank_free(key->entity);
  ank_free(key->track);
  ank_free(key->usual);
}

void ank_context_free(ank_context *context) {
  if (!context) return;
  for (size_t j = 0; context->column && j < context->columns; j++) ank_free(context->column[j]);
  for (size_t k = 0; k < context->keys; k++) key_free(&context->key[k]);
  ank_free(context->column);
  ank_free(context->time);
  ank_free(context->ids);
  ank_free(context->left_out);
  ank_free(context->names);
  ank_free(context);
}

ank_context_info ank_context_get_info(const ank_context *context) {
  return (ank_context_info){context->keys > 0 ? context->key[0].by : "", context->time, context->moments,
                            context->window, context->window_seconds};
}

double ank_context_last_seen(const ank_context *context, size_t entity) {
  const ank_entity *one = &context->key[0].entity[entity];
  return *context->time && one->rows > 0 ? one->last : NAN;
}

size_t ank_context_entities(const ank_context *context) { return context->key[0].names.count; }
const char *ank_context_ids(const ank_context *context) { return context->ids; }
const char *ank_context_left_out(const ank_context *context) { return context->left_out; }
const char *ank_context_names(const ank_context *context) { return context->names; }

anorank_status ank_list_append(char **list, const char *name, anorank_error *err) {
  size_t length = strlen(name), before = *list ? strlen(*list) : 0;
  ANK_CHECK(ank_resize(list, before + 2 * length + 2, 1, err));
  char *at = *list + before;
  if (before > 0) *at++ = ',';
  at += ank_list_encode(at, name, length);
  *at = '\0';
  return ANORANK_OK;
}

/* ---- settings ---------------------------------------------------------------------------------------- */

/* "20" rows, or "90s", "5min", "12h", "7d", "2w". */
int ank_context_parse_length(double *length, int *seconds, const char *text) {
  static const struct {
    const char *unit;
    double seconds;
  } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}};
  size_t digits = strspn(text, "0123456789.");
  const char *end = text + digits;
  if (ank_number_parse(length, text, digits) != ANK_NUMBER) *length = 0;
  *seconds = 0;
  for (size_t i = 0; i < sizeof units / sizeof units[0] && !*seconds; i++)
    if (strcmp(end, units[i].unit) == 0) {
      *seconds = 1;
      *length *= units[i].seconds;
    }
  return (*seconds || !*end) && *length >= 1 && *length <= 1e12;
}

static anorank_status read_window(ank_context *context, const char *text, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  if (!*text) text = USUAL_WINDOW;
  if (!ank_context_parse_length(&context->window, &context->window_seconds, text) ||
      (context->window_seconds && !context->moments)) {
    (void)ank_fail(
        err, ANORANK_ERROR_USAGE, "window-value",
        "window is '%s'; give a number of rows such as 20, or, where time holds dates, a length such "
        "as 90s, 5min, 12h, 7d or 2w",
        ank_quote(quoted, text, strlen(text)));
    ank_error_set_setting(err, "window");
    return ANORANK_ERROR_USAGE;
  }
  return ANORANK_OK;
}

static anorank_status read_keys(ank_context *context, const char *by, anorank_error *err) {
  const char *item;
  size_t length;
  while (ank_list_next(&by, &item, &length)) {
    if (context->keys == ANK_CONTEXT_KEYS)
      return ank_fail(err, ANORANK_ERROR_USAGE, "by-count",
                      "by names more than %d entity columns; name fewer", ANK_CONTEXT_KEYS);
    ank_key *key = &context->key[context->keys++];
    ANK_CHECK(ank_alloc(&key->by, length + 1, 1, err));
    ank_list_decode(key->by, item, length);
  }
  if (context->keys > 0) return ANORANK_OK;
  context->keys = 1; /* one series */
  return ank_copy_text(&context->key[0].by, "", 0, err);
}

/* What is no feature: entities and time. */
static anorank_status list_ids(ank_context *context, const anorank_table *table, anorank_error *err) {
  ANK_CHECK(ank_copy_text(&context->ids, "", 0, err));
  for (size_t k = 0; k < context->keys; k++) {
    const char *by = context->key[k].by;
    if (!*by) continue;
    if (ank_table_find(table, by, strlen(by)) != SIZE_MAX) {
      ANK_CHECK(ank_list_append(&context->ids, by, err));
      continue;
    }
    char *copy = NULL, *rest = NULL;
    ANK_CHECK(ank_copy_text(&copy, by, strlen(by), err));
    for (char *part = strtok_r(copy, "+", &rest); part; part = strtok_r(NULL, "+", &rest)) {
      anorank_status status = ank_list_append(&context->ids, part, err);
      if (status != ANORANK_OK) {
        ank_free(copy);
        return status;
      }
    }
    ank_free(copy);
  }
  return *context->time ? ank_list_append(&context->ids, context->time, err) : ANORANK_OK;
}

/* ---- the recursion over rows ------------------------------------------------------------------------- */

anorank_status ank_key_reserve(ank_key *key, size_t columns, anorank_error *err) {
  size_t need = key->names.count, had = key->capacity;
  if (need <= had) return ANORANK_OK;
  if (need < 2 * had) need = 2 * had;
  ANK_CHECK(ank_resize(&key->entity, need, sizeof *key->entity, err));
  ANK_CHECK(ank_resize(&key->track, need * (columns + 1), sizeof *key->track, err));
  memset(key->entity + had, 0, (need - had) * sizeof *key->entity);
  memset(key->track + had * columns, 0, (need - had) * columns * sizeof *key->track);
  key->capacity = need;
  return ANORANK_OK;
}

/* Where the derived columns of a key go; NULL: nowhere. */
typedef struct outputs {
  double **mean, **spread; /* of each column, or NULL */
  double *deviation;
} outputs;

/* One column of all rows, in their order; adds to sum[i]. */
static void run_column(ank_key *key, size_t j, const ank_context *context, const ank_context_rows *rows,
                       const uint32_t *entity, const float *gain, const double *cells, const outputs *to,
                       double *sum, double *steady) {
  const ank_usual *usual = &key->usual[j];
  for (size_t k = 0; k < rows->rows; k++) {
    size_t i = rows->order[k];
    ank_track *track = &key->track[entity[i] * context->columns + j];
    double value = ank_usual_value(usual, cells[i], rows->time ? rows->time[i] : 0), total = 0;
    ank_step step;
    if (track->rows == 0) ank_track_start(track, usual);
    ank_track_step(&step, track, usual, value, cells[i], (double)gain[i]);
    for (size_t d = 0; d < ANK_DEVIATIONS; d++) {
      double units = fmin(fabs(step.deviation[d]) / usual->unit[d], MOST_UNITS);
      if (!usual->trends || d == ANK_CHANGE) total += log1p(units * units);
    }
    sum[i] += total;
    if (!usual->trends) steady[i] += total;
    if (to->mean && to->mean[j]) to->mean[j][i] = step.mean;
    if (to->spread && to->spread[j]) to->spread[j][i] = step.spread;
  }
}

/* The gain of the window for each row; counts rows and remembers times. */
static void run_entities(float *gain, ank_key *key, const ank_context *context, const ank_context_rows *rows,
                         const uint32_t *entity) {
  for (size_t k = 0; k < rows->rows; k++) {
    size_t i = rows->order[k];
    ank_entity *own = &key->entity[entity[i]];
    double weight = (double)own->weight;
    if (context->window_seconds && own->rows > 0)
      weight *= exp(-(rows->time[i] - own->last) / context->window);
    weight += 1;
    if (!context->window_seconds) weight = fmin(weight, context->window);
    own->weight = (float)weight;
    own->rows += 1;
    own->last = rows->time ? rows->time[i] : 0;
    gain[i] = (float)(1 / weight);
  }
}

static anorank_status run_key(ank_key *key, const ank_context *context, const ank_context_rows *rows,
                              const uint32_t *entity, const double *const *cells, const outputs *to,
                              anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *sum = NULL, *steady = NULL, terms = 0;
  float *gain = NULL;
  ANK_TRY(ank_alloc(&sum, rows->rows, sizeof *sum, err));
  ANK_TRY(ank_alloc(&steady, rows->rows, sizeof *steady, err));
  ANK_TRY(ank_alloc_raw(&gain, rows->rows, sizeof *gain, err));
  run_entities(gain, key, context, rows, entity);
  for (size_t j = 0; j < context->columns; j++) {
    if (!key->usual[j].used) continue;
    terms += key->usual[j].trends ? 1 : ANK_DEVIATIONS;
    run_column(key, j, context, rows, entity, gain, cells[j], to, sum, steady);
  }
  for (size_t k = 0; k < rows->rows && terms > 0; k++) {
    size_t i = rows->order[k];
    ank_entity *own = &key->entity[entity[i]];
    own->deviation += (float)((double)gain[i] * (steady[i] / terms - (double)own->deviation));
    if (to->deviation) to->deviation[i] = sum[i] / terms + (double)own->deviation;
  }
done:
  ank_free(sum);
  ank_free(steady);
  ank_free(gain);
  return status;
}

/* ---- the derived table ------------------------------------------------------------------------------- */

static anorank_status number_columns(const double ***out, const ank_context *context,
                                     const anorank_table *table, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  ANK_CHECK(ank_alloc(out, context->columns, sizeof **out, err));
  for (size_t j = 0; j < context->columns; j++) {
    const char *name = context->column[j];
    size_t at = ank_table_find(table, name, strlen(name));
    if (at == SIZE_MAX || table->column[at].kind != ANORANK_NUMERIC)
      return ank_fail(err, ANORANK_ERROR_DATA, "context-column",
                      "%s has no column '%s' of numbers, which the model was fitted with",
                      table->source ? table->source : "the table", ank_quote(quoted, name, strlen(name)));
    (*out)[j] = table->column[at].numbers;
  }
  return ANORANK_OK;
}

/* A key whose state can go on without changing that of `from`. */
static anorank_status copy_key(ank_key *out, const ank_key *from, size_t columns, anorank_error *err) {
  int32_t code;
  out->usual = from->usual;
  out->by = from->by;
  for (size_t e = 0; e < from->names.count; e++)
    ANK_CHECK(ank_levels_code(&code, &out->names, from->names.text[e], strlen(from->names.text[e]), err));
  ANK_CHECK(ank_key_reserve(out, columns, err));
  if (from->names.count == 0) return ANORANK_OK;
  memcpy(out->entity, from->entity, from->names.count * sizeof *out->entity);
  memcpy(out->track, from->track, from->names.count * columns * sizeof *out->track);
  return ANORANK_OK;
}

static void forget_entity(ank_key *key, size_t e, size_t columns) {
  key->entity[e] = (ank_entity){0};
  memset(key->track + e * columns, 0, columns * sizeof *key->track);
}

static anorank_status runs_back(const ank_key *key, size_t e, size_t i, const ank_context *context,
                                const anorank_table *table, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  const char *name = key->names.text[e];
  (void)ank_fail(
      err, ANORANK_ERROR_DATA, "time-runs-back",
      "%s: row %zu%s%s is earlier than rows that the model has seen; give later rows, or fit again",
      table->source ? table->source : "the table", i + 1, *key->by ? " of " : "",
      *key->by ? ank_quote(quoted, name, strlen(name)) : "");
  ank_place_row(err, table->source, i, context->time);
  return ANORANK_ERROR_DATA;
}

/* What becomes of the history. */
typedef enum history { GO_ON, START_AGAIN, MUST_GO_ON } history;

/* Entities whose first row here is earlier than their last one in the history start from the population, or are
 * refused. `*count`: how many. */
static anorank_status look_back(size_t *count, ank_key *key, const ank_context *context,
                                const ank_context_rows *rows, const uint32_t *entity,
                                const anorank_table *table, history past, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  unsigned char *seen = NULL;
  *count = 0;
  if (!rows->time) return ANORANK_OK;
  ANK_TRY(ank_alloc(&seen, key->names.count, 1, err));
  for (size_t k = 0; k < rows->rows; k++) {
    size_t i = rows->order[k], e = entity[i];
    int back = !seen[e] && key->entity[e].rows > 0 && rows->time[i] < key->entity[e].last;
    if (back && past == MUST_GO_ON) ANK_TRY(runs_back(key, e, i, context, table, err));
    if (back) forget_entity(key, e, context->columns);
    *count += (size_t)back;
    seen[e] = 1;
  }
done:
  ank_free(seen);
  return status;
}

static anorank_status note_restarted(anorank_table *out, const ank_key *key, size_t count,
                                     const ank_context *context, anorank_error *err) {
  char time[ANK_QUOTE_SIZE], by[ANK_QUOTE_SIZE], who[ANK_QUOTE_SIZE + 64] = "";
  if (count == 0) return ANORANK_OK;
  if (*key->by) snprintf(who, sizeof who, " for %zu of '%s'", count, ank_quote(by, key->by, strlen(key->by)));
  return ank_notes_add(&out->notes, ANORANK_NOTE_WARNING, err, "history-not-used",
                       "rows begin before the end of the model's history (by '%s')%s: they are compared with "
                       "the training rows as a whole and with each other, not with that history; give later "
                       "rows to go on with it",
                       ank_quote(time, context->time, strlen(context->time)), who);
}

/* Which derived columns a table has, in their order. */
static int has_window_columns(const ank_context *context, size_t j) {
  return context->key[0].usual[j].used && !context->key[0].usual[j].trends;
}

int ank_context_sound(const ank_context *context) {
  const char *names = context->names, *item;
  size_t length, derived = 0, expected = context->keys;
  while (ank_list_next(&names, &item, &length)) derived++;
  for (size_t j = 0; j < context->columns; j++) expected += has_window_columns(context, j) ? 2 : 0;
  return derived == expected;
}

static anorank_status copy_column(anorank_table *out, const anorank_table *table, size_t j,
                                  anorank_error *err) {
  const ank_column *from = &table->column[j];
  ank_column *to = &out->column[j];
  int32_t code;
  if (from->kind != ANORANK_CATEGORICAL) {
    memcpy(to->numbers, from->numbers, table->rows * sizeof *to->numbers);
    return ANORANK_OK;
  }
  for (size_t k = 0; k < from->levels.count; k++)
    ANK_CHECK(ank_levels_code(&code, &to->levels, from->levels.text[k], strlen(from->levels.text[k]), err));
  memcpy(to->codes, from->codes, table->rows * sizeof *to->codes);
  return ANORANK_OK;
}

/* A copy of the table with room for the derived columns. */
static anorank_status start_table(anorank_table **out, const ank_context *context, const anorank_table *table,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const char *names = context->names, *item;
  size_t length, at = table->columns, derived = 0;
  anorank_table *made = NULL;
  char *name = NULL;
  while (ank_list_next(&names, &item, &length)) derived++;
  ANK_TRY(ank_table_new(&made, table->columns + derived, err));
  for (size_t j = 0; j < table->columns; j++) ANK_TRY(ank_table_set_like(made, j, &table->column[j], err));
  names = context->names;
  while (ank_list_next(&names, &item, &length)) {
    ank_free(name);
    ANK_TRY(ank_alloc(&name, length + 1, 1, err));
    ank_list_decode(name, item, length);
    made->column[at].deviation = at + context->keys >= table->columns + derived;
    ANK_TRY(ank_table_set_name(made, at++, name, strlen(name), err));
  }
  if (table->source) ANK_TRY(ank_copy_text(&made->source, table->source, strlen(table->source), err));
  made->limit = SIZE_MAX;
  ANK_TRY(ank_table_reserve(made, table->rows, err));
  for (size_t j = 0; j < table->columns; j++) ANK_TRY(copy_column(made, table, j, err));
  for (size_t i = 0; i < table->notes.count; i++)
    ANK_TRY(ank_notes_copy(&made->notes, &table->notes.list[i], err));
  made->rows = table->rows;
  made->drawn_of = table->drawn_of;
  made->has_context = 1;
  *out = made;
  made = NULL;
done:
  ank_free(name);
  ank_table_free(made);
  return status;
}

/* Run all keys over the table; `out` unless NULL gets the derived columns. */
static anorank_status run_all(ank_key *keys, const ank_context *context, const anorank_table *table,
                              anorank_table *out, history past, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_context_rows rows = {0};
  const double **cells = NULL;
  double **to[2] = {NULL, NULL};
  uint32_t *entity = NULL;
  size_t at = table->columns, restarted;
  ANK_TRY(ank_context_rows_make(&rows, context, table, err));
  ANK_TRY(number_columns(&cells, context, table, err));
  ANK_TRY(ank_alloc_raw(&entity, table->rows, sizeof *entity, err));
  for (size_t d = 0; d < 2; d++) ANK_TRY(ank_alloc(&to[d], context->columns, sizeof **to, err));
  for (size_t j = 0; out && j < context->columns; j++)
    for (size_t d = 0; d < 2 && has_window_columns(context, j); d++) to[d][j] = out->column[at++].numbers;
  for (size_t k = 0; k < context->keys; k++) {
    outputs into = {out && k == 0 ? to[0] : NULL, out && k == 0 ? to[1] : NULL,
                    out ? out->column[at + k].numbers : NULL};
    for (size_t i = 0; into.deviation && i < table->rows; i++) into.deviation[i] = 0;
    ANK_TRY(ank_context_entities_of(entity, &keys[k], context->columns, table, err));
    for (size_t e = 0; past == START_AGAIN && e < keys[k].names.count; e++)
      forget_entity(&keys[k], e, context->columns);
    ANK_TRY(look_back(&restarted, &keys[k], context, &rows, entity, table, past, err));
    if (out) ANK_TRY(note_restarted(out, &keys[k], restarted, context, err));
    ANK_TRY(run_key(&keys[k], context, &rows, entity, cells, &into, err));
    if (out && k == 0) {
      ANK_TRY(ank_alloc_raw(&out->entity, table->rows, sizeof *out->entity, err));
      memcpy(out->entity, entity, table->rows * sizeof *entity);
    }
  }
done:
  ank_context_rows_free(&rows);
  ank_free(cells);
  ank_free(entity);
  for (size_t d = 0; d < 2; d++) ank_free(to[d]);
  return status;
}

anorank_status ank_context_derive(anorank_table **out, const ank_context *context, const anorank_table *table,
                                  int fresh, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_key keys[ANK_CONTEXT_KEYS] = {{0}};
  anorank_table *made = NULL;
  *out = NULL;
  for (size_t k = 0; k < context->keys; k++)
    ANK_TRY(copy_key(&keys[k], &context->key[k], context->columns, err));
  ANK_TRY(start_table(&made, context, table, err));
  ANK_TRY(run_all(keys, context, table, made, fresh ? START_AGAIN : GO_ON, err));
  *out = made;
  made = NULL;
done:
  for (size_t k = 0; k < context->keys; k++) {
    keys[k].usual = NULL;
    keys[k].by = NULL;
    key_free(&keys[k]);
  }
  ank_table_free(made);
  return status;
}

anorank_status ank_context_advance(ank_context *context, const anorank_table *table, anorank_error *err) {
  return run_all(context->key, context, table, NULL, MUST_GO_ON, err);
}

/* ---- the fit ----------------------------------------------------------------------------------------- */

static anorank_status name_derived(ank_context *context, anorank_error *err) {
  char name[1200];
  ANK_CHECK(ank_copy_text(&context->names, "", 0, err));
  ANK_CHECK(ank_copy_text(&context->left_out, "", 0, err));
  for (size_t j = 0; j < context->columns; j++) {
    const ank_usual *usual = &context->key[0].usual[j];
    if (usual->used && usual->trends) ANK_CHECK(ank_list_append(&context->left_out, context->column[j], err));
    if (!has_window_columns(context, j)) continue;
    snprintf(name, sizeof name, "recent mean of %.1000s", context->column[j]);
    ANK_CHECK(ank_list_append(&context->names, name, err));
    snprintf(name, sizeof name, "recent variation of %.1000s (log)", context->column[j]);
    ANK_CHECK(ank_list_append(&context->names, name, err));
  }
  for (size_t k = 0; k < context->keys; k++) {
    const char *by = context->key[k].by;
    snprintf(name, sizeof name, "deviation from %.1000s%sown past", by, *by ? "'s " : "");
    ANK_CHECK(ank_list_append(&context->names, name, err));
  }
  return ANORANK_OK;
}

static anorank_status start_context(ank_context *context, const anorank_table *table,
                                    const unsigned char *used, const anorank_settings *settings,
                                    anorank_error *err) {
  size_t j = ank_table_find(table, settings->time, strlen(settings->time));
  ANK_CHECK(ank_copy_text(&context->time, settings->time, strlen(settings->time), err));
  context->moments = *settings->time && j != SIZE_MAX &&
                     (table->column[j].kind == ANORANK_TIME || ank_context_has_months(&table->column[j]));
  ANK_CHECK(read_window(context, settings->window, err));
  ANK_CHECK(read_keys(context, settings->by, err));
  ANK_CHECK(list_ids(context, table, err));
  ANK_CHECK(ank_alloc(&context->column, table->columns, sizeof *context->column, err));
  for (j = 0; j < table->columns; j++)
    if (used[j] && table->column[j].kind == ANORANK_NUMERIC) {
      const char *name = table->column[j].name;
      ANK_CHECK(ank_copy_text(&context->column[context->columns++], name, strlen(name), err));
    }
  return ANORANK_OK;
}

anorank_status ank_context_fit(ank_context **out, const anorank_table *table, const unsigned char *used,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_context *context = NULL;
  ank_context_rows rows = {0};
  const double **cells = NULL;
  uint32_t *entity = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&context, 1, sizeof *context, err));
  ANK_TRY(start_context(context, table, used, settings, err));
  ANK_TRY(ank_context_rows_make(&rows, context, table, err));
  ANK_TRY(number_columns(&cells, context, table, err));
  ANK_TRY(ank_alloc_raw(&entity, table->rows, sizeof *entity, err));
  for (size_t k = 0; k < context->keys; k++) {
    ANK_TRY(ank_context_entities_of(entity, &context->key[k], context->columns, table, err));
    ANK_TRY(ank_context_learn(&context->key[k], context, &rows, entity, cells, err));
  }
  ANK_TRY(name_derived(context, err));
  ANK_TRY(ank_context_advance(context, table, err));
  *out = context;
  context = NULL;
done:
  ank_context_rows_free(&rows);
  ank_free(cells);
  ank_free(entity);
  ank_context_free(context);
  return status;
}
