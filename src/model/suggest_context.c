/* suggest_context.c - see suggest_context.h. */
#include "model/suggest_context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "kernels/sort.h"
#include "model/level_clock.h"
#include "prepare/prepare_parts.h"

enum {
  ENTITY_ROWS = 3, /* fewest rows of an entity, on average */
  MANY_LEVELS = 50 /* more than kinds of things have, mostly */
};

static size_t find_time(const anorank_table *table, const unsigned char *clock) {
  for (size_t j = 0; j < table->columns; j++)
    if (table->column[j].kind == ANORANK_TIME) return j;
  for (size_t j = 0; j < table->columns; j++)
    if (table->column[j].kind == ANORANK_NUMERIC && (clock[j] || ank_name_says_time(table->column[j].name)))
      return j;
  return SIZE_MAX;
}

/* Whether there is more than one level, with at least ENTITY_ROWS rows each on average. */
static int repeats(const ank_column *column, size_t rows) {
  return column->kind == ANORANK_CATEGORICAL && column->levels.count > 1 &&
         column->levels.count * ENTITY_ROWS <= rows;
}

/* Whether most rows share their time with another one, but never with one of the same level. */
static anorank_status is_panel(int *out, const anorank_table *table, size_t column, size_t time,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_column *by = &table->column[column];
  const double *at = table->column[time].numbers;
  uint32_t *order = NULL;
  size_t *seen = NULL, shared = 0, n = table->rows;
  *out = 1;
  ANK_TRY(ank_alloc_raw(&order, n, sizeof *order, err));
  ANK_TRY(ank_alloc(&seen, by->levels.count, sizeof *seen, err));
  ANK_TRY(ank_argsort(order, at, n, NULL, err));
  for (size_t from = 0, end; from < n && *out; from = end) {
    if (isnan(at[order[from]])) break; /* missing times come last */
    for (end = from; end < n && *out && at[order[end]] == at[order[from]]; end++) {
      int32_t code = by->codes[order[end]];
      if (code < 0 || seen[code] == from + 1) *out = 0;
      if (code >= 0) seen[code] = from + 1;
    }
    if (end - from > 1) shared += end - from;
  }
  if (2 * shared < n) *out = 0;
done:
  ank_free(order);
  ank_free(seen);
  return status;
}

static anorank_status find_entity(size_t *out, const anorank_table *table, const ank_prepare *prepare,
                                  size_t time, anorank_error *err) {
  *out = SIZE_MAX;
  if (time != SIZE_MAX) ANK_CHECK(ank_level_clock(out, table, time, err));
  if (*out != SIZE_MAX && ank_prepare_column(prepare, *out).role != ANORANK_ROLE_DROPPED) return ANORANK_OK;
  *out = SIZE_MAX;
  for (size_t j = 0; j < table->columns; j++)
    if (j != time && ank_prepare_column(prepare, j).role == ANORANK_ROLE_ID &&
        repeats(&table->column[j], table->rows) && !ank_name_says_time(table->column[j].name)) {
      *out = j;
      return ANORANK_OK;
    }
  for (size_t j = 0; j < table->columns && time != SIZE_MAX; j++) {
    int panel = 0;
    if (ank_prepare_column(prepare, j).role != ANORANK_ROLE_CATEGORICAL ||
        !repeats(&table->column[j], table->rows))
      continue;
    panel = table->column[j].levels.count > MANY_LEVELS;
    if (!panel) ANK_CHECK(is_panel(&panel, table, j, time, err));
    if (!panel) continue;
    *out = j;
    return ANORANK_OK;
  }
  return ANORANK_OK;
}

/* A column as a value of an option: in quotes where a shell would cut it. */
static void value_text(char *text, size_t size, const char *name) {
  char quoted[ANK_QUOTE_SIZE];
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  int bare = strspn(name, plain) == strlen(name);
  snprintf(text, size, bare ? "%s" : "'%s'", ank_quote(quoted, name, strlen(name)));
}

anorank_status ank_suggest_context(ank_notes *notes, const anorank_table *table, const ank_prepare *prepare,
                                   const anorank_dependence *dependence, const unsigned char *clock,
                                   anorank_error *err) {
  char by[ANK_QUOTE_SIZE + 4] = "", time_name[ANK_QUOTE_SIZE + 4] = "";
  size_t entity, time;
  if (table->rows < ANK_DEPENDENCE_FEWEST || ank_prepare_columns(prepare) != table->columns)
    return ANORANK_OK;
  time = find_time(table, clock);
  ANK_CHECK(find_entity(&entity, table, prepare, time, err));
  if (entity == SIZE_MAX && (time == SIZE_MAX || !dependence->dependent || dependence->reach == 0))
    return ANORANK_OK;
  if (entity != SIZE_MAX) value_text(by, sizeof by, table->column[entity].name);
  if (time != SIZE_MAX) value_text(time_name, sizeof time_name, table->column[time].name);
  return ank_notes_add(notes, ANORANK_NOTE_WARNING, err, "context-suggested",
                       "rows seem to %s%s; try %s%s%s%s%s to compare each row with earlier rows%s",
                       entity != SIZE_MAX ? "have entities" : "depend on earlier rows",
                       entity != SIZE_MAX && time != SIZE_MAX ? " and times" : "", *by ? "`by` " : "", by,
                       *by && *time_name ? " " : "", *time_name ? "`time` " : "", time_name,
                       *by ? " of the same entity" : "");
}
