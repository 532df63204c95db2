/* prepare.c - the fit of the preparation: which columns play which part; see prepare.h. */
#include "prepare/prepare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/list.h"
#include "prepare/prepare_notes.h"
#include "prepare/prepare_parts.h"

#define MOST_NAMED 20 /* columns that a message lists */

/* ---- requested columns ------------------------------------------------------------------------------ */

enum { ASKED_ID = 1, ASKED_DROP = 2, ASKED_USE = 4, ASKED_TIME = 8 };

/* The names of the table's columns as far as they fit, for messages. */
static void list_columns(char *text, size_t size, const anorank_table *table) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t j = 0; j < table->columns; j++) {
    char name[ANK_QUOTE_SIZE];
    ank_quote(name, table->column[j].name, strlen(table->column[j].name));
    size_t need = strlen(name) + 4;
    if (j >= MOST_NAMED || used + need + 8 > size) {
      snprintf(text + used, size - used, ", ...");
      return;
    }
    used += (size_t)snprintf(text + used, size - used, "%s'%s'", j > 0 ? ", " : "", name);
  }
}

anorank_status ank_fail_unknown_column(const anorank_table *table, const char *setting, const char *list,
                                       const char *name, size_t length, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE], columns[600];
  list_columns(columns, sizeof columns, table);
  (void)ank_fail(err, ANORANK_ERROR_USAGE, "column-unknown",
                 "%s names '%s', but %s has no such column; it has %s", setting,
                 ank_quote(quoted, name, length), table->source ? table->source : "the table", columns);
  ank_error_set_location(err, table->source, 0, NULL);
  ank_error_set_setting(err, setting);
  if (ank_table_find(table, list, strlen(list)) != SIZE_MAX) /* a name with a comma in it */
    ank_remedy_add(err, setting, "", list, strlen(list));
  else
    ank_remedy_replace(err, setting, list, name, length, ank_table_nearest(table, name, length));
  return ANORANK_ERROR_USAGE;
}

anorank_status ank_mark_named(unsigned char *marks, unsigned char bit, const char *list, const char *setting,
                              const anorank_table *table, anorank_error *err) {
  const char *item, *rest = list;
  size_t length;
  while (ank_list_next(&rest, &item, &length)) {
    size_t j = ank_table_find_item(table, item, length);
    if (j == SIZE_MAX) return ank_fail_unknown_column(table, setting, list, item, length, err);
    marks[j] |= bit;
  }
  return ANORANK_OK;
}

/* Labels are never learned from, even if `columns` names them. */
static anorank_status read_labels_name(unsigned char *asked, const char *name, const anorank_table *table,
                                       anorank_error *err) {
  size_t j = ank_table_find(table, name, strlen(name));
  if (!*name) return ANORANK_OK;
  if (j == SIZE_MAX) return ank_fail_unknown_column(table, "labels", name, name, strlen(name), err);
  asked[j] = (unsigned char)((asked[j] & ~ASKED_USE) | ASKED_DROP);
  return ANORANK_OK;
}

/* The column of the setting `time` must have times, or numbers that count from 1970. */
static anorank_status read_time_name(unsigned char *asked, const char *name, const anorank_table *table,
                                     anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  size_t j = 0;
  if (!*name || table->has_context) return ANORANK_OK; /* there it is an order, no feature */
  while (j < table->columns && strcmp(table->column[j].name, name) != 0) j++;
  if (j == table->columns) return ank_fail_unknown_column(table, "time", name, name, strlen(name), err);
  if (table->column[j].kind == ANORANK_CATEGORICAL)
    return ank_fail(
        err, ANORANK_ERROR_USAGE, "column-not-time",
        "time is '%s', a column without dates, times or numbers; write its cells like 2025-12-31 23:59",
        ank_quote(quoted, name, strlen(name)));
  asked[j] |= ASKED_TIME;
  return ANORANK_OK;
}

static anorank_status tell_contradiction(const char *name, const anorank_settings *settings,
                                         anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  (void)ank_fail(err, ANORANK_ERROR_USAGE, "setting-columns-and-drop",
                 "column '%s' is in both columns and drop; remove it from one",
                 ank_quote(quoted, name, strlen(name)));
  ank_error_set_location(err, NULL, 0, name);
  ank_error_set_setting(err, "drop");
  ank_remedy_remove(err, "drop", settings->drop, name, strlen(name));
  ank_remedy_remove(err, "columns", settings->columns, name, strlen(name));
  return ANORANK_ERROR_USAGE;
}

static anorank_status read_wishes(unsigned char *asked, const anorank_table *table,
                                  const anorank_settings *settings, anorank_error *err) {
  ANK_CHECK(ank_mark_named(asked, ASKED_ID, settings->id, "id", table, err));
  ANK_CHECK(ank_mark_named(asked, ASKED_DROP, settings->drop, "drop", table, err));
  ANK_CHECK(ank_mark_named(asked, ASKED_USE, settings->columns, "columns", table, err));
  int chosen = 0;
  for (size_t j = 0; j < table->columns; j++) chosen |= asked[j] & ASKED_USE;
  ANK_CHECK(read_labels_name(asked, settings->labels, table, err));
  ANK_CHECK(read_time_name(asked, settings->time, table, err));
  for (size_t j = 0; j < table->columns; j++) {
    if ((asked[j] & ASKED_USE) && (asked[j] & ASKED_DROP))
      ANK_CHECK(tell_contradiction(table->column[j].name, settings, err));
    if (chosen && !(asked[j] & ASKED_USE)) asked[j] |= ASKED_DROP;
  }
  return ANORANK_OK;
}

/* ---- learning ---------------------------------------------------------------------------------------- */

/* Under on-missing = error: the first missing cell by rows, then by columns. */
static anorank_status refuse_missing(const anorank_table *table, const unsigned char *asked,
                                     const anorank_settings *settings, anorank_error *err) {
  size_t row = table->rows, column = 0;
  for (size_t j = 0; j < table->columns; j++) {
    if (asked[j] & (ASKED_ID | ASKED_DROP) || table->column[j].kind != ANORANK_NUMERIC) continue;
    for (size_t i = 0; i < row; i++)
      if (isnan(table->column[j].numbers[i])) row = i, column = j;
  }
  if (row == table->rows) return ANORANK_OK;
  char quoted[ANK_QUOTE_SIZE];
  const char *name = table->column[column].name;
  (void)ank_fail(err, ANORANK_ERROR_DATA, "cell-missing",
                 "%s: row %zu has no value in column '%s', but on-missing is error; fill it in",
                 table->source ? table->source : "the table", row + 1, ank_quote(quoted, name, strlen(name)));
  ank_place_row(err, table->source, row, name);
  if (!settings->columns[0]) ank_remedy_add(err, "drop", settings->drop, name, strlen(name));
  ank_remedy(err, "on-missing", "indicator");
  return ANORANK_ERROR_DATA;
}

static size_t count_missing(const ank_column *column, size_t rows) {
  size_t missing = 0;
  for (size_t i = 0; i < rows; i++)
    missing +=
        column->kind != ANORANK_CATEGORICAL ? (size_t)isnan(column->numbers[i]) != 0 : column->codes[i] < 0;
  return missing;
}

static anorank_status learn_column(ank_profile *out, ank_understood *understood, const ank_column *column,
                                   size_t rows, unsigned char asked, const anorank_settings *settings,
                                   anorank_error *err) {
  out->kind = column->kind == ANORANK_CATEGORICAL ? ANORANK_CATEGORICAL : ANORANK_NUMERIC;
  understood->wanted = (asked & ASKED_USE) != 0;
  ANK_CHECK(ank_copy_text(&out->name, column->name, strlen(column->name), err));
  if (asked & (ASKED_ID | ASKED_DROP)) {
    out->role = asked & ASKED_ID ? ANORANK_ROLE_ID : ANORANK_ROLE_DROPPED;
    out->missing = count_missing(column, rows);
  } else if (column->kind != ANORANK_CATEGORICAL) {
    int moments = column->kind == ANORANK_TIME || (asked & ASKED_TIME);
    ANK_CHECK(ank_profile_numbers(out, &understood->look, column->numbers, rows, understood->wanted, settings,
                                  err));
    if (moments && understood->look != ANK_LOOKS_EMPTY) understood->look = ANK_LOOKS_TIME;
    if (understood->look == ANK_LOOKS_TIME || out->role == ANORANK_ROLE_TIME)
      ank_profile_times(out, column, rows, ank_step_of((anorank_scale)settings->scale));
  } else {
    ANK_CHECK(ank_profile_texts(out, &understood->look, &understood->merged, column, rows, understood->wanted,
                                err));
  }
  /* Identifiers are not features, but people find their rows by them. */
  if (out->role == ANORANK_ROLE_UNUSABLE &&
      (understood->look == ANK_LOOKS_NAME || understood->look == ANK_LOOKS_ROW_NUMBER))
    out->role = ANORANK_ROLE_ID;
  return ANORANK_OK;
}

/* Times that are not features order and label the rows. If there is no other feature, they become one. */
static anorank_status choose_times(ank_prepare *prepare, ank_understood *understood,
                                   const anorank_table *table, const unsigned char *asked,
                                   const anorank_settings *settings, anorank_error *err) {
  size_t others = 0;
  for (size_t j = 0; j < prepare->columns; j++)
    others += prepare->column[j].role == ANORANK_ROLE_NUMERIC ||
              prepare->column[j].role == ANORANK_ROLE_CATEGORICAL;
  for (size_t j = 0; j < prepare->columns; j++) {
    ank_profile *column = &prepare->column[j];
    int as_it_is = others == 0 || asked[j] & (ASKED_USE | ASKED_TIME);
    if (as_it_is) column->circles[ANK_CIRCLE_YEAR] = (ank_circle){0}; /* a feature only where it helps */
    if (as_it_is || (column->role != ANORANK_ROLE_TIME && !column->circles[ANK_CIRCLE_YEAR].used)) continue;
    ANK_CHECK(ank_time_pattern_test(&understood[j].time, prepare, j, table, settings, err));
    if (understood[j].time == ANK_TIME_LEARNED)
      column->role = ANORANK_ROLE_TIME;
    else if (column->role == ANORANK_ROLE_TIME)
      column->role = ANORANK_ROLE_ID;
  }
  return ANORANK_OK;
}

static anorank_status tell_unusable(const ank_prepare *prepare, const anorank_table *table,
                                    const unsigned char *asked, anorank_error *err) {
  size_t roles[ANORANK_ROLE_TIME + 1] = {0}, asked_out = 0;
  for (size_t j = 0; j < prepare->columns; j++) roles[prepare->column[j].role]++;
  for (size_t j = 0; j < prepare->columns; j++) asked_out += (asked[j] & (ASKED_ID | ASKED_DROP)) != 0;
  if (table->columns == 1 && table->column[0].kind == ANORANK_CATEGORICAL && asked[0] == 0) {
    (void)ank_fail(err, ANORANK_ERROR_DATA, "table-one-text-column",
                   "%s has a single column of mostly distinct texts; set the delimiter, or parse the lines "
                   "into columns first",
                   table->source ? table->source : "the table");
    ank_error_set_location(err, table->source, 0, NULL);
    ank_error_set_setting(err, "delimiter");
    return ANORANK_ERROR_DATA;
  }
  size_t others =
      roles[ANORANK_ROLE_UNUSABLE] + roles[ANORANK_ROLE_ID] + roles[ANORANK_ROLE_DROPPED] - asked_out;
  (void)ank_fail(err, ANORANK_ERROR_DATA, "table-no-usable-column",
                 "%s has no usable column: of %zu, %zu are identifiers, labels, times or empty, and %zu were "
                 "dropped; name the columns to use",
                 table->source ? table->source : "the table", prepare->columns, others, asked_out);
  ank_error_set_location(err, table->source, 0, NULL);
  ank_error_set_setting(err, "columns");
  return ANORANK_ERROR_DATA;
}

anorank_status ank_prepare_fit(ank_prepare **out, const anorank_table *table,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_prepare *prepare = NULL;
  unsigned char *asked = NULL;
  ank_understood *understood = NULL;
  size_t used = 0;
  *out = NULL;
  if (table->rows == 0)
    ANK_FAIL(ANORANK_ERROR_DATA, "table-no-rows", "%s has no rows; a fit needs some",
             table->source ? table->source : "the table");
  ANK_TRY(ank_alloc(&asked, table->columns, 1, err));
  ANK_TRY(ank_alloc(&understood, table->columns, sizeof *understood, err));
  ANK_TRY(read_wishes(asked, table, settings, err));
  if (settings->on_missing == ANORANK_ON_MISSING_ERROR) ANK_TRY(refuse_missing(table, asked, settings, err));
  ANK_TRY(ank_alloc(&prepare, 1, sizeof *prepare, err));
  prepare->rows = table->rows;
  prepare->on_missing = (anorank_on_missing)settings->on_missing;
  prepare->scale = (anorank_scale)settings->scale;
  ANK_TRY(ank_alloc(&prepare->column, table->columns, sizeof *prepare->column, err));
  prepare->columns = table->columns;
  for (size_t j = 0; j < table->columns; j++) {
    ank_profile *column = &prepare->column[j];
    ANK_TRY(learn_column(column, &understood[j], &table->column[j], table->rows, asked[j], settings, err));
    used += ank_profile_matters(column);
  }
  if (used == 0) ANK_TRY(tell_unusable(prepare, table, asked, err));
  ANK_TRY(choose_times(prepare, understood, table, asked, settings, err));
  ANK_TRY(ank_prepare_lay_out(prepare, err));
  ANK_TRY(ank_prepare_write_notes(prepare, understood, table, err));
  ANK_HAND_OVER(out, prepare);
done:
  ank_prepare_free(prepare);
  ank_free(asked);
  ank_free(understood);
  return status;
}

void ank_prepare_free(ank_prepare *prepare) {
  if (!prepare) return;
  for (size_t j = 0; prepare->column && j < prepare->columns; j++) ank_profile_free(&prepare->column[j]);
  ank_notes_free(&prepare->notes);
  ank_free(prepare->column);
  ank_free(prepare);
}

/* ---- getters ----------------------------------------------------------------------------------------- */

size_t ank_prepare_dim(const ank_prepare *prepare) { return prepare->dim; }

void ank_prepare_marks(unsigned char *marks, const ank_prepare *prepare) {
  memset(marks, 1, prepare->dim);
  for (size_t j = 0; j < prepare->columns; j++)
    if (prepare->column[j].role == ANORANK_ROLE_NUMERIC)
      marks[prepare->column[j].first_feature] = 0;
    else if (prepare->column[j].role == ANORANK_ROLE_CATEGORICAL)
      marks[prepare->column[j].first_feature + prepare->column[j].features - 1] = 2;
}
size_t ank_prepare_columns(const ank_prepare *prepare) { return prepare->columns; }
const ank_notes *ank_prepare_notes(const ank_prepare *prepare) { return &prepare->notes; }
size_t ank_prepare_train_rows(const ank_prepare *prepare) { return prepare->rows; }

anorank_model_column ank_prepare_column(const ank_prepare *prepare, size_t i) {
  const ank_profile *column = &prepare->column[i];
  return (anorank_model_column){
      .name = column->name,
      .role = column->role,
      .missing_share = (double)column->missing / (double)prepare->rows,
      .low = column->low,
      .median = column->median,
      .high = column->high,
      .levels = column->levels.count,
      .first_feature = column->first_feature,
      .features = column->features,
      .kind = column->kind,
  };
}

const char *ank_prepare_level(const ank_prepare *prepare, size_t i, size_t k) {
  const ank_levels *levels = &prepare->column[i].levels;
  return k < levels->count ? levels->text[k] : NULL;
}

int32_t ank_prepare_find_level(const ank_prepare *prepare, size_t i, const char *text) {
  return ank_profile_level(&prepare->column[i], text, strlen(text));
}

size_t ank_prepare_level_rows(const ank_prepare *prepare, size_t i, const char *level) {
  const ank_profile *column = &prepare->column[i];
  if (!level) return column->missing;
  int32_t code = ank_profile_level(column, level, strlen(level));
  return code < 0 ? 0 : column->counts[code];
}

size_t ank_prepare_bytes(const ank_prepare *prepare) {
  size_t bytes = sizeof *prepare + prepare->columns * sizeof *prepare->column;
  for (size_t j = 0; j < prepare->columns; j++) {
    const ank_profile *column = &prepare->column[j];
    const ank_levels *levels = &column->levels;
    bytes += strlen(column->name) + 1 + levels->bytes + levels->capacity * sizeof *levels->text +
             levels->slot_count * sizeof *levels->slots +
             levels->count * (16 + sizeof *column->counts + sizeof *column->rarity);
  }
  return bytes + ank_notes_bytes(&prepare->notes);
}
