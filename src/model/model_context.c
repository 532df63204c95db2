/* model_context.c - see model_context.h. */
#include "model/model_context.h"

#include <string.h>

#include "core/alloc.h"
#include "core/list.h"
#include "sampling/row_draw.h"

void ank_context_fit_free(ank_context_fit_of *fit) {
  ank_context_free(fit->context);
  ank_table_free(fit->own);
  ank_free(fit->id);
  ank_free(fit->drop);
  ank_free(fit->columns);
  ank_notes_free(&fit->notes);
  *fit = (ank_context_fit_of){0};
}

/* "a" and "b" as "a,b". */
static anorank_status join(char **out, const char *first, const char *second, anorank_error *err) {
  size_t size = strlen(first) + strlen(second) + 2;
  ank_free(*out);
  *out = NULL;
  ANK_CHECK(ank_alloc(out, size, 1, err));
  strcat(strcat(strcpy(*out, first), *first && *second ? "," : ""), second);
  return ANORANK_OK;
}

/* `list` without the items that `taken` has. */
static anorank_status without(char **out, const char *list, const char *taken, anorank_error *err) {
  const char *item;
  size_t length, used = 0;
  char *name = NULL;
  anorank_status status = ANORANK_OK;
  ANK_TRY(ank_alloc(out, strlen(list) + 2, 1, err));
  ANK_TRY(ank_alloc(&name, strlen(list) + 1, 1, err));
  while (ank_list_next(&list, &item, &length)) {
    size_t plain = ank_list_decode(name, item, length);
    if (ank_list_has(taken, name, plain)) continue;
    if (used > 0) (*out)[used++] = ',';
    memcpy(*out + used, item, length);
    used += length;
  }
done:
  ank_free(name);
  return status;
}

/* `named`: the columns of entities and time. */
static anorank_status check_others(const unsigned char *named, const anorank_table *table,
                                   anorank_error *err) {
  size_t others = 0;
  for (size_t j = 0; j < table->columns; j++) others += !named[j];
  if (others > 0) return ANORANK_OK;
  (void)ank_fail(err, ANORANK_ERROR_DATA, "context-no-column",
                 "%s has no columns besides those of by and time; add a column to learn from",
                 table->source ? table->source : "the table");
  ank_error_set_location(err, table->source, 0, NULL);
  return ANORANK_ERROR_DATA;
}

/* The columns used as features, numbers and texts, without entities and time. */
static anorank_status find_used(unsigned char **used, ank_context_fit_of *out, const anorank_table *table,
                                const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_settings plain = *settings;
  ank_prepare *prepare = NULL;
  char *ids = NULL;
  const char *by = settings->by, *item;
  size_t length;
  ANK_TRY(ank_alloc(used, table->columns, 1, err));
  ANK_TRY(ank_alloc(&ids, 2 * strlen(settings->time) + 1, 1, err));
  ank_list_encode(ids, settings->time, strlen(settings->time));
  ANK_TRY(ank_mark_named(*used, 1, ids, "time", table, err));
  if (!strchr(by, '+')) ANK_TRY(ank_mark_named(*used, 1, by, "by", table, err));
  while (ank_list_next(&by, &item, &length)) {
    const char *at = item;
    size_t left = length;
    while (left > 0) { /* a, or the a and b of a+b */
      size_t part = ank_table_find_item(table, at, left) != SIZE_MAX ? left : strcspn(at, "+");
      if (part > left) part = left;
      if (ank_table_find_item(table, at, part) == SIZE_MAX) break; /* the context says so */
      char *one = NULL;
      ANK_TRY(ank_alloc(&one, part + 1, 1, err));
      memcpy(one, at, part);
      char *joined = NULL;
      status = join(&joined, ids, one, err);
      ank_free(one);
      ank_free(ids);
      ids = joined;
      if (status != ANORANK_OK) goto done;
      at += part + (part < left);
      left -= part + (part < left);
    }
  }
  ANK_TRY(ank_mark_named(*used, 1, ids, "by", table, err));
  ANK_TRY(check_others(*used, table, err));
  ANK_TRY(join(&out->id, settings->id, ids, err));
  plain.id = out->id;
  plain.time = "";
  ANK_TRY(ank_prepare_fit(&prepare, table, &plain, err));
  for (size_t j = 0; j < table->columns; j++)
    (*used)[j] = ank_prepare_column(prepare, j).role == ANORANK_ROLE_NUMERIC ||
                 ank_prepare_column(prepare, j).role == ANORANK_ROLE_CATEGORICAL;
done:
  ank_free(ids);
  ank_prepare_free(prepare);
  return status;
}

/* The first rows of a table, lent. */
static void view_first(anorank_table *view, const anorank_table *table, size_t rows) {
  *view = *table;
  view->rows = rows < table->rows ? rows : table->rows;
}

anorank_status ank_context_fit_learn(ank_context_fit_of *out, const anorank_table *table,
                                     const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  unsigned char *used = NULL;
  char *columns = NULL;
  anorank_table first;
  *out = (ank_context_fit_of){.table = table, .settings = *settings, .rows = table->rows};
  if (!ank_context_wanted(settings) || table->rows == 0) return ANORANK_OK;
  view_first(&first, table, ank_draw_most(table, ank_memory_limit(settings)));
  out->learned_rows = first.rows;
  ANK_TRY(find_used(&used, out, &first, settings, err));
  ANK_TRY(ank_context_fit(&out->context, &first, used, settings, err));
  ANK_TRY(join(&out->drop, settings->drop, ank_context_left_out(out->context), err));
  out->settings.id = out->id;
  out->settings.drop = out->drop;
  if (*settings->columns) {
    ANK_TRY(without(&columns, settings->columns, ank_context_left_out(out->context), err));
    ANK_TRY(join(&out->columns, columns, ank_context_names(out->context), err));
    out->settings.columns = out->columns;
  }
done:
  ank_free(used);
  ank_free(columns);
  if (status != ANORANK_OK) ank_context_fit_free(out);
  return status;
}

anorank_status ank_context_fit_finish(ank_context_fit_of *fit, ank_context_run *run, anorank_error *err) {
  size_t rows = ank_context_run_rows(run);
  if (fit->learned_rows < rows)
    ANK_CHECK(ank_notes_add(&fit->notes, ANORANK_NOTE_LEFT_OUT, err, "context-first-rows",
                            "levels, spreads and seasons come from the first %zu of %zu rows; the history of "
                            "each entity uses all",
                            fit->learned_rows, rows));
  ANK_CHECK(ank_context_run_notes(&fit->notes, run, err));
  ank_context_keep(fit->context, run);
  return ANORANK_OK;
}

anorank_status ank_context_fit_make(ank_context_fit_of *out, const anorank_table *table,
                                    const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_context_run *run = NULL;
  ANK_CHECK(ank_context_fit_learn(out, table, settings, err));
  if (!out->context) return ANORANK_OK;
  ANK_TRY(ank_context_run_new(&run, out->context, ANK_HISTORY_NONE, err));
  ANK_TRY(ank_context_run_add(&out->own, run, table, 1, err));
  ANK_TRY(ank_context_fit_finish(out, run, err));
  run = NULL;
  out->table = out->own;
done:
  ank_context_run_free(run);
  if (status != ANORANK_OK) ank_context_fit_free(out);
  return status;
}

anorank_status ank_model_view(const anorank_table **out, anorank_table **own, const anorank_model *model,
                              const anorank_table *table, anorank_error *err) {
  *own = NULL;
  *out = table;
  if (!model->context || table->has_context) return ANORANK_OK;
  ANK_CHECK(ank_context_derive(own, model->context, table, ANK_HISTORY_GOES_ON, err));
  *out = *own;
  return ANORANK_OK;
}

anorank_status ank_context_refuse(const anorank_model *model, const anorank_settings *settings,
                                  anorank_error *err) {
  if (model ? !model->context : !ank_context_wanted(settings)) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "context-needs-table",
                  "with by or time, rows are compared with earlier rows; give all rows as one table");
}
