/* match.c - the model's columns in another table, and the model's levels among the table's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/ascii.h"
#include "core/number.h"
#include "core/shortest.h"
#include "prepare/prepare_parts.h"
#include "table/cell_words.h"

#define MOST_NAMED 8     /* columns that a message lists */
#define MOST_COMPARED 64 /* letters of names compared for similarity */

static const char *name_of(const anorank_table *table) { return table->source ? table->source : "the table"; }

static const char *quoted(char buffer[ANK_QUOTE_SIZE], const char *text) {
  return ank_quote(buffer, text, strlen(text));
}

/* ---- finding columns --------------------------------------------------------------------------------- */

/* Whether the table lacks column names. */
static int is_unnamed(const anorank_table *table) {
  for (size_t j = 0; j < table->columns; j++) {
    char made[32];
    snprintf(made, sizeof made, "x%zu", j + 1);
    if (strcmp(table->column[j].name, made) != 0) return 0;
  }
  return 1;
}

/* Letters and digits alone, in lower case: a name regardless of its spelling. */
static size_t bare_name(char out[MOST_COMPARED], const char *name) {
  size_t length = 0;
  for (; *name && length < MOST_COMPARED; name++)
    if (ank_is_letter_or_digit((unsigned char)*name) || (unsigned char)*name >= 0x80)
      out[length++] = (char)ank_lower((unsigned char)*name);
  return length;
}

/* Levenshtein distance. */
static size_t name_distance(const char *a, const char *b) {
  char left[MOST_COMPARED], right[MOST_COMPARED];
  size_t n = bare_name(left, a), m = bare_name(right, b), row[MOST_COMPARED + 1];
  for (size_t j = 0; j <= m; j++) row[j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t change = corner + (left[i - 1] != right[j - 1]), best = change;
      corner = row[j];
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[m];
}

static int is_matched(const ank_match *match, size_t j) {
  for (size_t i = 0; i < match->prepare->columns; i++)
    if (match->column[i].column == j) return 1;
  return 0;
}

/* Find the column with the most similar name among those that the model does not know; SIZE_MAX: none. */
static size_t likely_column(const ank_match *match, const anorank_table *table, const char *name) {
  size_t best = SIZE_MAX, allowed = strlen(name) < 5 ? 1 : 2;
  for (size_t j = 0; j < table->columns && j < 1000; j++) {
    size_t distance = name_distance(name, table->column[j].name);
    if (distance > allowed || is_matched(match, j)) continue;
    best = j;
    if (distance == 0) break;
    allowed = distance - 1;
  }
  return best;
}

/* Append to a text of fixed size; what does not fit is cut. */
static void append(char *text, size_t size, const char *more) {
  size_t used = strlen(text);
  if (used < size) snprintf(text + used, size - used, "%s", more);
}

static anorank_status tell_missing(const ank_match *match, const anorank_table *table, anorank_error *err) {
  const ank_prepare *prepare = match->prepare;
  char names[500] = "", like[200] = "", piece[2 * ANK_QUOTE_SIZE + 32], one[ANK_QUOTE_SIZE],
       two[ANK_QUOTE_SIZE];
  size_t count = 0;
  for (size_t i = 0; i < prepare->columns; i++) {
    const ank_profile *column = &prepare->column[i];
    if (!ank_profile_matters(column) || match->column[i].column != SIZE_MAX) continue;
    count++;
    if (count > MOST_NAMED) continue;
    snprintf(piece, sizeof piece, "%s'%s'", count > 1 ? ", " : "", quoted(one, column->name));
    append(names, sizeof names, piece);
    size_t likely = likely_column(match, table, column->name);
    if (likely == SIZE_MAX || like[0]) continue;
    snprintf(like, sizeof like, "; is '%.60s' the one called '%.60s'?",
             quoted(two, table->column[likely].name), quoted(one, column->name));
  }
  if (count > MOST_NAMED) append(names, sizeof names, ", ...");
  return ank_fail(err, ANORANK_ERROR_DATA, "column-missing",
                  "%s lacks %zu column%s of the model: %s%s (columns match by name; it has %zu); add them, "
                  "or fit a model without them",
                  name_of(table), count, ANK_S(count), names, like, table->columns);
}

static anorank_status find_columns(ank_match *match, const anorank_table *table, anorank_error *err) {
  const ank_prepare *prepare = match->prepare;
  int lacking = 0;
  for (size_t i = 0; i < prepare->columns; i++) {
    const char *name = prepare->column[i].name;
    match->column[i].column = ank_table_find(table, name, strlen(name));
    if (match->column[i].column == SIZE_MAX && ank_profile_matters(&prepare->column[i])) lacking = 1;
  }
  if (lacking && is_unnamed(table) && table->columns == prepare->columns) {
    for (size_t i = 0; i < prepare->columns; i++) match->column[i].column = i;
    lacking = 0;
  }
  return lacking ? tell_missing(match, table, err) : ANORANK_OK;
}

/* ---- levels ------------------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b) {
  const ank_level_value *left = a, *right = b;
  if (left->value != right->value) return left->value < right->value ? -1 : 1;
  return left->level < right->level ? -1 : left->level > right->level;
}

/* The model's levels that are numbers: "007" is then found as 7, too. */
static anorank_status list_values(ank_matched *matched, const ank_levels *levels, anorank_error *err) {
  ANK_CHECK(ank_alloc(&matched->values, levels->count, sizeof *matched->values, err));
  for (size_t k = 0; k < levels->count; k++) {
    double value;
    if (ank_number_parse(&value, levels->text[k], strlen(levels->text[k])) != ANK_NUMBER) continue;
    matched->values[matched->value_count++] = (ank_level_value){value, (int32_t)k};
  }
  qsort(matched->values, matched->value_count, sizeof *matched->values, by_value);
  return ANORANK_OK;
}

static int32_t level_of_number(const ank_matched *matched, const ank_profile *column, double x) {
  char text[ANK_SHORTEST_SIZE];
  if (isnan(x)) return ANK_LEVEL_MISSING;
  int32_t level = ank_profile_level(column, text, ank_shortest(text, x));
  if (level >= 0) return level;
  size_t low = 0, high = matched->value_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (matched->values[middle].value < x)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < matched->value_count && matched->values[low].value == x) return matched->values[low].level;
  return ANK_LEVEL_UNSEEN;
}

static int32_t level_of_text(const ank_profile *column, const char *text) {
  int32_t level = ank_profile_level(column, text, strlen(text));
  return level >= 0 ? level : ANK_LEVEL_UNSEEN;
}

int32_t ank_match_level(const ank_match *match, size_t i, const ank_column *from, size_t row) {
  const ank_matched *matched = &match->column[i];
  const ank_profile *column = &match->prepare->column[i];
  if (from->kind != ANORANK_CATEGORICAL) return level_of_number(matched, column, from->numbers[row]);
  int32_t code = from->codes[row];
  if (code < 0) return ANK_LEVEL_MISSING;
  if ((size_t)code < matched->seen) return matched->level[code];
  return level_of_text(column, from->levels.text[code]);
}

double ank_match_number(const ank_column *from, size_t row) {
  if (from->kind != ANORANK_CATEGORICAL) return from->numbers[row];
  const char *text = from->codes[row] >= 0 ? from->levels.text[from->codes[row]] : "";
  int flag = ank_flag_of(text, strlen(text));
  return flag >= 0 ? flag : (double)NAN;
}

/* A column of 0 and 1 may be one of yes and no elsewhere. */
static int flags_instead(const ank_profile *column, const ank_column *from) {
  if (!ank_profile_is_flag(column)) return 0;
  for (size_t k = 0; k < from->levels.count; k++)
    if (ank_flag_of(from->levels.text[k], strlen(from->levels.text[k])) < 0) return 0;
  return 1;
}

static anorank_status tell_texts(const ank_profile *column, const ank_column *from,
                                 const anorank_table *table, anorank_error *err) {
  char name[ANK_QUOTE_SIZE], text[ANK_QUOTE_SIZE];
  for (size_t k = 0; k < from->levels.count; k++) {
    double value;
    const char *level = from->levels.text[k];
    if (ank_number_parse(&value, level, strlen(level)) == ANK_NUMBER) continue;
    (void)ank_fail(err, ANORANK_ERROR_DATA, "column-text",
                   "%s: column '%s' is numeric in the model but holds \"%s\" here; mark it as missing, or "
                   "fit a model with this column as categorical",
                   name_of(table), quoted(name, column->name), quoted(text, level));
    ank_error_set_location(err, table->source, 0, column->name);
    if (table->missing) ank_error_set_setting(err, "missing");
    if (table->missing) ank_remedy_add(err, "missing", table->missing, level, strlen(level));
    return ANORANK_ERROR_DATA;
  }
  (void)ank_fail(err, ANORANK_ERROR_DATA, "column-categories",
                 "%s: column '%s' is numeric in the model but categorical here; remove it from categorical",
                 name_of(table), quoted(name, column->name));
  ank_error_set_location(err, table->source, 0, column->name);
  ank_error_set_setting(err, "categorical");
  return ANORANK_ERROR_DATA;
}

/* A numeric column does not take seconds since 1970. */
static anorank_status tell_times(const ank_profile *column, const anorank_table *table, anorank_error *err) {
  char name[ANK_QUOTE_SIZE];
  (void)ank_fail(err, ANORANK_ERROR_DATA, "column-times",
                 "%s: column '%s' is numeric in the model but holds dates or times here; fit a model on rows "
                 "with this format",
                 name_of(table), quoted(name, column->name));
  ank_error_set_location(err, table->source, 0, column->name);
  return ANORANK_ERROR_DATA;
}

size_t ank_match_rows_before(const ank_match *match) { return match->rows_before; }

anorank_status ank_match_update(ank_match *match, const anorank_table *table, size_t rows_before,
                                anorank_error *err) {
  const ank_prepare *prepare = match->prepare;
  match->rows_before = rows_before;
  if (match->table_columns != table->columns)
    return ank_fail(err, ANORANK_ERROR_USAGE, "match-other-table",
                    "the column match belongs to another table; match the columns again");
  for (size_t i = 0; i < prepare->columns; i++) {
    const ank_profile *column = &prepare->column[i];
    ank_matched *matched = &match->column[i];
    if (!ank_profile_matters(column)) continue;
    const ank_column *from = &table->column[matched->column];
    if (from->kind == ANORANK_TIME && column->role == ANORANK_ROLE_NUMERIC)
      ANK_CHECK(tell_times(column, table, err));
    if (from->kind != ANORANK_CATEGORICAL) continue;
    /* A column without any text so far may still turn out to be empty. */
    if (column->kind == ANORANK_NUMERIC && from->levels.count > 0 && !flags_instead(column, from))
      ANK_CHECK(tell_texts(column, from, table, err));
    ANK_CHECK(
        ank_reserve(&matched->level, &matched->capacity, from->levels.count, sizeof *matched->level, err));
    for (; matched->seen < from->levels.count; matched->seen++)
      matched->level[matched->seen] = level_of_text(column, from->levels.text[matched->seen]);
  }
  return ANORANK_OK;
}

/* ---- making ------------------------------------------------------------------------------------------ */

anorank_status ank_match_make(ank_match **out, const ank_prepare *prepare, const anorank_table *table,
                              anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_match *match = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&match, 1, sizeof *match, err));
  match->prepare = prepare;
  match->table_columns = table->columns;
  ANK_TRY(ank_alloc(&match->column, prepare->columns, sizeof *match->column, err));
  ANK_TRY(find_columns(match, table, err));
  for (size_t i = 0; i < prepare->columns; i++) {
    const ank_profile *column = &prepare->column[i];
    if (!ank_profile_matters(column) || column->kind != ANORANK_CATEGORICAL) continue;
    if (table->column[match->column[i].column].kind != ANORANK_CATEGORICAL)
      ANK_TRY(list_values(&match->column[i], &column->levels, err));
  }
  ANK_TRY(ank_match_update(match, table, 0, err));
  ANK_HAND_OVER(out, match);
done:
  ank_match_free(match);
  return status;
}

void ank_match_free(ank_match *match) {
  if (!match) return;
  for (size_t i = 0; match->column && i < match->prepare->columns; i++) {
    ank_free(match->column[i].level);
    ank_free(match->column[i].values);
  }
  ank_free(match->column);
  ank_free(match);
}

size_t ank_match_column(const ank_match *match, size_t i) { return match->column[i].column; }

int ank_match_surprising(const ank_match *match, const anorank_table *table, size_t i, size_t row) {
  const ank_profile *column = &match->prepare->column[i];
  if (!ank_profile_matters(column)) return 0;
  const ank_column *from = &table->column[match->column[i].column];
  if (column->kind == ANORANK_CATEGORICAL) {
    int32_t level = ank_match_level(match, i, from, row);
    if (level == ANK_LEVEL_UNSEEN) return !column->expects_new;
    return level == ANK_LEVEL_MISSING && column->missing == 0;
  }
  double x = ank_match_number(from, row);
  if (isnan(x)) return column->missing == 0;
  return column->role == ANORANK_ROLE_CONSTANT && x != column->constant;
}
