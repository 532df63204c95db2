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
#define LEAST_SKILL 0.01 /* of the best key: below, all keys count as much */
#define LEAST_SHARE 0.1  /* of the skill of the best: a key with less is left out */

int ank_context_wanted(const anorank_settings *settings) {
  return settings->by[0] != '\0' || settings->time[0] != '\0';
}

void ank_context_free(ank_context *context) {
  if (!context) return;
  for (size_t j = 0; context->column && j < context->columns; j++) ank_free(context->column[j]);
  for (size_t c = 0; context->category && c < context->categories; c++)
    ank_category_free(&context->category[c]);
  for (size_t k = 0; k < context->keys; k++) ank_key_free(&context->key[k]);
  ank_free(context->category);
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

void ank_context_set_scale(ank_context *context, size_t entity, ank_score_scale scale) {
  if (entity < context->key[0].names.count) context->key[0].entity[entity].scale = scale;
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

/* One window, or two of one kind: "1h,7d". */
static anorank_status read_window(ank_context *context, const char *text, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE], one[32];
  const char *list = *text ? text : USUAL_WINDOW, *item;
  double length[ANK_WINDOWS] = {0};
  int seconds[ANK_WINDOWS] = {0}, sound = 1;
  size_t bytes, count = 0;
  while (sound && ank_list_next(&list, &item, &bytes)) {
    snprintf(one, sizeof one, "%.*s", bytes < sizeof one ? (int)bytes : 0, item);
    sound = count < ANK_WINDOWS && ank_context_parse_length(&length[count], &seconds[count], one) &&
            seconds[count] == seconds[0];
    count++;
  }
  if (!sound || count == 0 || length[0] == length[1] || (seconds[0] && !context->moments)) {
    (void)ank_fail(
        err, ANORANK_ERROR_USAGE, "window-value",
        "window is '%s'; give rows such as 20, a duration such as 5min, 12h, 7d or 2w, or two such as 1h,7d",
        ank_quote(quoted, text, strlen(text)));
    ank_error_set_setting(err, "window");
    return ANORANK_ERROR_USAGE;
  }
  context->window = length[0];
  context->second = length[1];
  context->window_seconds = seconds[0];
  return ANORANK_OK;
}

static anorank_status read_keys(ank_context *context, const char *by, anorank_error *err) {
  const char *item;
  size_t length;
  while (ank_list_next(&by, &item, &length)) {
    if (context->keys == ANK_CONTEXT_KEYS)
      return ank_fail(err, ANORANK_ERROR_USAGE, "by-count", "by names more than %d columns; name fewer",
                      ANK_CONTEXT_KEYS);
    ank_key *key = &context->key[context->keys++];
    ANK_CHECK(ank_alloc(&key->by, length + 1, 1, err));
    ank_list_decode(key->by, item, length);
  }
  if (context->keys > 0) return ANORANK_OK;
  context->keys = 1; /* one series */
  return ank_copy_text(&context->key[0].by, "", 0, err);
}

/* Columns that are not features: entities and time. */
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

/* ---- the derived table ------------------------------------------------------------------------------- */

anorank_status ank_context_number_columns(const double ***out, const ank_context *context,
                                          const anorank_table *table, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  ANK_CHECK(ank_alloc(out, context->columns, sizeof **out, err));
  for (size_t j = 0; j < context->columns; j++) {
    const char *name = context->column[j];
    size_t at = ank_table_find(table, name, strlen(name));
    if (at == SIZE_MAX || table->column[at].kind != ANORANK_NUMERIC)
      return ank_fail(err, ANORANK_ERROR_DATA, "context-column",
                      "%s has no numeric column '%s', which the model needs; add it",
                      table->source ? table->source : "the table", ank_quote(quoted, name, strlen(name)));
    (*out)[j] = table->column[at].numbers;
  }
  return ANORANK_OK;
}

int ank_context_has_window(const ank_context *context, size_t j) {
  return context->key[0].usual[j].used && !context->key[0].usual[j].trends;
}

int ank_context_has_deviation(const ank_context *context, size_t k) { return context->key[k].weight > 0; }

static size_t count_deviations(const ank_context *context) {
  size_t count = 0;
  for (size_t k = 0; k < context->keys; k++) count += ank_context_has_deviation(context, k) ? 1 : 0;
  return count;
}

static size_t windows_of(const ank_context *context) { return context->second > 0 ? 2 : 1; }

int ank_context_sound(const ank_context *context) {
  const char *names = context->names, *item;
  size_t length, derived = 0, expected = count_deviations(context);
  while (ank_list_next(&names, &item, &length)) derived++;
  for (size_t j = 0; j < context->columns; j++)
    expected += ank_context_has_window(context, j) ? 2 * windows_of(context) : 0;
  return derived == expected;
}

/* Cells of another table, which frees them. */
static void lend_cells(ank_column *to, const ank_column *from) {
  to->numbers = from->numbers;
  to->codes = from->codes;
  to->levels = from->levels;
  to->raw_cells = from->raw_cells;
}

anorank_status ank_context_start_table(anorank_table **out, const ank_context *context,
                                       const anorank_table *table, anorank_error *err) {
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
    made->column[at].deviation = at + count_deviations(context) >= table->columns + derived;
    ANK_TRY(ank_table_set_name(made, at++, name, strlen(name), err));
  }
  if (table->source) ANK_TRY(ank_copy_text(&made->source, table->source, strlen(table->source), err));
  for (size_t j = 0; j < table->columns; j++) lend_cells(&made->column[j], &table->column[j]);
  made->lent = table->columns;
  for (size_t j = table->columns; j < made->columns; j++)
    ANK_TRY(ank_alloc_raw(&made->column[j].numbers, table->rows, sizeof(double), err));
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

anorank_status ank_context_derive(anorank_table **out, const ank_context *context, const anorank_table *table,
                                  ank_history history, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_context_run *run = NULL;
  anorank_table *made = NULL;
  *out = NULL;
  ANK_TRY(ank_context_run_new(&run, context, history, err));
  ANK_TRY(ank_context_run_add(&made, run, table, 1, err));
  ANK_TRY(ank_context_run_notes(&made->notes, run, err));
  ANK_HAND_OVER(out, made);
done:
  ank_context_run_free(run);
  ank_table_free(made);
  return status;
}

/* ---- the fit ----------------------------------------------------------------------------------------- */

static anorank_status name_derived(ank_context *context, anorank_error *err) {
  const char *of_window[ANK_WINDOWS] = {"recent",
                                        context->second > context->window ? "longer-term" : "shorter-term"};
  char name[1200];
  ANK_CHECK(ank_copy_text(&context->names, "", 0, err));
  ANK_CHECK(ank_copy_text(&context->left_out, "", 0, err));
  for (size_t j = 0; j < context->columns; j++) {
    const ank_usual *usual = &context->key[0].usual[j];
    if (usual->used && usual->trends) ANK_CHECK(ank_list_append(&context->left_out, context->column[j], err));
    if (!ank_context_has_window(context, j)) continue;
    for (size_t w = 0; w < windows_of(context); w++) {
      snprintf(name, sizeof name, "%s mean of %.1000s", of_window[w], context->column[j]);
      ANK_CHECK(ank_list_append(&context->names, name, err));
      snprintf(name, sizeof name, "%s variation of %.1000s (log)", of_window[w], context->column[j]);
      ANK_CHECK(ank_list_append(&context->names, name, err));
    }
  }
  for (size_t k = 0; k < context->keys; k++) {
    const char *by = context->key[k].by;
    if (!ank_context_has_deviation(context, k)) continue;
    snprintf(name, sizeof name, "deviation from %.1000s%sown past", by, *by ? "'s " : "");
    ANK_CHECK(ank_list_append(&context->names, name, err));
  }
  return ANORANK_OK;
}

/* Texts that are features, and the entities of one key among those of another. */
static int is_category(const ank_context *context, const ank_column *column, int used) {
  for (size_t k = 0; context->keys > 1 && k < context->keys && !used; k++)
    used = ank_key_names(&context->key[k], column->name);
  return used && column->kind == ANORANK_CATEGORICAL && strcmp(column->name, context->time) != 0;
}

/* How much the numbers of a key count: as they are predicted by the past of its entities, compared with the best key. */
static void weigh_keys(ank_context *context) {
  double best = 0;
  for (size_t k = 0; k < context->keys; k++) best = fmax(best, context->key[k].skill);
  for (size_t k = 0; k < context->keys; k++) {
    double share = best >= LEAST_SKILL ? fmax(context->key[k].skill, 0) / best : 1;
    context->key[k].weight = context->keys == 1 ? 1 : share >= LEAST_SHARE ? share : 0;
  }
}

static anorank_status start_context(ank_context *context, const anorank_table *table,
                                    const unsigned char *used, const anorank_settings *settings,
                                    anorank_error *err) {
  size_t j = ank_table_find(table, settings->time, strlen(settings->time));
  context->most = (size_t)settings->max_entities;
  ANK_CHECK(ank_copy_text(&context->time, settings->time, strlen(settings->time), err));
  context->moments = *settings->time && j != SIZE_MAX &&
                     (table->column[j].kind == ANORANK_TIME || ank_context_has_months(&table->column[j]));
  context->reference = settings->train == ANORANK_TRAIN_CLEAN;
  ANK_CHECK(read_window(context, settings->window, err));
  ANK_CHECK(read_keys(context, settings->by, err));
  ANK_CHECK(list_ids(context, table, err));
  ANK_CHECK(ank_alloc(&context->column, table->columns, sizeof *context->column, err));
  ANK_CHECK(ank_alloc(&context->category, table->columns, sizeof *context->category, err));
  for (j = 0; j < table->columns; j++) {
    const ank_column *column = &table->column[j];
    if (used[j] && column->kind == ANORANK_NUMERIC)
      ANK_CHECK(ank_copy_text(&context->column[context->columns++], column->name, strlen(column->name), err));
    else if (is_category(context, column, used[j]))
      ANK_CHECK(ank_category_learn(&context->category[context->categories++], table, column->name, err));
  }
  return ANORANK_OK;
}

static anorank_status learn_keys(ank_context *context, const anorank_table *table,
                                 const ank_context_rows *rows, const double *const *cells,
                                 const ank_cells *levels, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_row_entities entities = {0};
  for (size_t k = 0; k < context->keys; k++) {
    ank_key *key = &context->key[k];
    ANK_TRY(ank_row_entities_make(&entities, key->by, table, err));
    ANK_TRY(ank_context_learn(key, context, rows, entities.of, entities.count, cells, levels, err));
    ank_row_entities_free(&entities);
  }
done:
  ank_row_entities_free(&entities);
  return status;
}

/* After a clean history, a mean over the window shows lasting faults. The less its normal rows resemble those before them, the
 * more a longer mean reduces their noise: up to twice the usual window. */
static int lengthen_window(ank_context *context) {
  double usual = context->window, alike = context->key[0].persistence / ANK_MOST_PERSISTENCE;
  if (context->reference) context->window = floor(usual * (2 - fmin(alike, 1)));
  return context->window > usual;
}

anorank_status ank_context_fit(ank_context **out, const anorank_table *table, const unsigned char *used,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_context *context = NULL;
  ank_context_rows rows = {0};
  const double **cells = NULL;
  ank_cells *levels = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&context, 1, sizeof *context, err));
  ANK_TRY(start_context(context, table, used, settings, err));
  ANK_TRY(ank_context_rows_make(&rows, context, table, 0, NAN, err));
  ANK_TRY(ank_context_rows_sort(&rows, err));
  ANK_TRY(ank_context_number_columns(&cells, context, table, err));
  ANK_TRY(ank_cells_make(&levels, context, table, err));
  ANK_TRY(learn_keys(context, table, &rows, cells, levels, err));
  if (!*settings->window && lengthen_window(context)) {
    for (size_t k = 0; k < context->keys; k++) ank_key_unlearn(&context->key[k]);
    ANK_TRY(learn_keys(context, table, &rows, cells, levels, err));
  }
  weigh_keys(context);
  ANK_TRY(name_derived(context, err));
  ANK_HAND_OVER(out, context);
done:
  ank_context_rows_free(&rows);
  ank_free(cells);
  ank_cells_free(levels, context ? context->categories : 0);
  ank_context_free(context);
  return status;
}
