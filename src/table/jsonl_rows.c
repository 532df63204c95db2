/* jsonl_rows.c - records of JSON into the table; see jsonl.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/number.h"
#include "table/jsonl.h"

/* ---- values ------------------------------------------------------------------------------------------ */

static int is_missing(const ank_jsonl *s, const ank_json_value *value) {
  const char *text = value->text;
  size_t length = value->length;
  if (value->kind == ANK_JSON_NULL) return 1;
  if (value->kind != ANK_JSON_TEXT) return 0;
  ank_csv_trim(&text, &length);
  return ank_missing_has(&s->missing, text, length);
}

static void count_value(ank_jsonl *s, size_t column, const ank_json_value *value) {
  if (is_missing(s, value)) return;
  s->columns[column].filled++;
  s->columns[column].numbers += value->kind == ANK_JSON_NUMBER;
  if (value->kind == ANK_JSON_NUMBER)
    ank_cell_sample_add_whole(&s->columns[column].texts, value->text, value->length);
  if (value->kind != ANK_JSON_TEXT) return;
  const char *text = value->text;
  size_t length = value->length;
  ank_trim_cell(&text, &length);
  ank_cell_sample_add(&s->columns[column].texts, text, length);
}

static anorank_status store_value(ank_jsonl *s, size_t column, const ank_json_value *value,
                                  anorank_error *err) {
  ank_column *to = &s->table->column[column];
  size_t row = s->table->rows;
  int missing = is_missing(s, value);
  if (to->raw_cells) {
    int null = value->kind == ANK_JSON_NULL;
    ANK_CHECK(ank_raw_cells_put(to->raw_cells, row, null ? "" : value->text, null ? 0 : value->length, err));
  }
  if (to->kind == ANORANK_CATEGORICAL) {
    to->codes[row] = -1;
    if (missing) return ANORANK_OK;
    return ank_levels_code(&to->codes[row], &to->levels, value->text, value->length, err);
  }
  to->numbers[row] = missing || value->kind == ANK_JSON_TEXT ? NAN : value->number;
  if (!missing && value->kind == ANK_JSON_NUMBER && value->too_large)
    return ank_csv_refuse_range(s->line.source, s->line.number, to->name, value->text, value->length, err);
  if (missing || value->kind == ANK_JSON_NUMBER) return ANORANK_OK;
  const ank_cell_format *spelling = &s->columns[column].spelling;
  const char *cell = value->text;
  size_t length = value->length;
  ank_trim_cell(&cell, &length);
  ank_number_kind kind = ANK_NUMBER_NONE;
  if (spelling->kind == ANK_CELL_FORMAT_TIME)
    kind = ank_cell_format_moment(&to->numbers[row], spelling, cell, length) ? ANK_NUMBER : ANK_NUMBER_NONE;
  else if (spelling->kind != ANK_CELL_FORMAT_TEXT)
    kind = ank_cell_format_number(&to->numbers[row], spelling, cell, length);
  if (kind <= ANK_NUMBER_NAN) return ANORANK_OK;
  to->numbers[row] = NAN;
  if (kind == ANK_NUMBER_TOO_LARGE)
    return ank_csv_refuse_range(s->line.source, s->line.number, to->name, cell, length, err);
  if (ank_missing_among_numbers(cell, length)) return ANORANK_OK;
  return ank_csv_refuse_word(s->line.source, s->line.number, to->name, value->text, value->length,
                             s->settings, err);
}

static anorank_status take_value(ank_jsonl *s, size_t column, const char *key, anorank_error *err) {
  ank_json_value value;
  char quoted[ANK_QUOTE_SIZE];
  if (s->columns[column].seen == s->line.number) {
    (void)ank_fail(err, ANORANK_ERROR_DATA, "json-key-twice", "%s:%zu: the key '%s' appears twice; keep one",
                   s->line.source, s->line.number, ank_quote(quoted, key, strlen(key)));
    ank_error_set_location(err, s->line.source, s->line.number, key);
    return ANORANK_ERROR_DATA;
  }
  s->columns[column].seen = s->line.number;
  ANK_CHECK(ank_json_take_value(&value, &s->line, key, err));
  if (s->table) return store_value(s, column, &value, err);
  count_value(s, column, &value);
  return ANORANK_OK;
}

/* ---- objects and arrays ------------------------------------------------------------------------------ */

static anorank_status add_column(ank_jsonl *s, anorank_error *err) {
  if (s->count == ANORANK_MAX_COLUMNS)
    return ank_fail(err, ANORANK_ERROR_DATA, "table-column-count",
                    "%s:%zu: more than %d columns; is the table transposed?", s->line.source, s->line.number,
                    ANORANK_MAX_COLUMNS);
  ANK_CHECK(ank_reserve(&s->columns, &s->columns_capacity, s->count + 1, sizeof *s->columns, err));
  memset(&s->columns[s->count++], 0, sizeof *s->columns);
  return ANORANK_OK;
}

/* Find the column of a key; `expected` is its index if all lines are alike. */
static anorank_status find_key(size_t *column, ank_jsonl *s, size_t expected, const char *key, size_t length,
                               anorank_error *err) {
  int32_t code;
  char quoted[ANK_QUOTE_SIZE];
  *column = expected;
  if (expected < s->count && strlen(s->keys.text[expected]) == length &&
      memcmp(s->keys.text[expected], key, length) == 0)
    return ANORANK_OK;
  if (memchr(key, '\0', length)) return ank_json_broken(&s->line, "a key without NUL bytes", err);
  ANK_CHECK(ank_levels_code(&code, &s->keys, key, length, err));
  *column = (size_t)code;
  if (*column < s->count) return ANORANK_OK;
  if (s->table) {
    (void)ank_fail(err, ANORANK_ERROR_DATA, "json-key-late",
                   "%s:%zu: the key '%s' first appears after the first MiB; add it to the first line, with "
                   "null if it has no value",
                   s->line.source, s->line.number, ank_quote(quoted, key, length));
    ank_error_set_location(err, s->line.source, s->line.number, NULL);
    return ANORANK_ERROR_DATA;
  }
  return add_column(s, err);
}

/* Compose "outer.key" in s->joined. */
static anorank_status join_key(ank_jsonl *s, size_t outer, const char *key, size_t length,
                               anorank_error *err) {
  ANK_CHECK(ank_reserve(&s->joined, &s->joined_capacity, outer + length + 2, 1, err));
  memcpy(s->joined + outer, key, length);
  s->joined[outer + length] = '.';
  return ANORANK_OK;
}

/* Read the members of an object after its bracket. `outer` bytes of s->joined precede the names of its keys.
 * An object within the line's object has columns a.b; one within that is an error. */
static anorank_status take_members(ank_jsonl *s, size_t outer, size_t *column, size_t *taken,
                                   anorank_error *err) {
  size_t length;
  const char *key;
  if (ank_json_take(&s->line, '}')) return ANORANK_OK;
  do {
    ANK_CHECK(ank_json_take_text(&key, &length, &s->line, "a key in double quotes", err));
    if (!ank_json_take(&s->line, ':')) return ank_json_broken(&s->line, "':' after the key", err);
    int nested = outer == 0 && ank_json_peek(&s->line) == '{';
    if (outer > 0 || nested) ANK_CHECK(join_key(s, outer, key, length, err));
    if (nested) {
      (void)ank_json_take(&s->line, '{');
      ANK_CHECK(take_members(s, length + 1, column, taken, err));
      continue;
    }
    ANK_CHECK(find_key(column, s, *column + 1, outer ? s->joined : key, outer + length, err));
    ANK_CHECK(take_value(s, *column, s->keys.text[*column], err));
    ++*taken;
  } while (ank_json_take(&s->line, ','));
  return ank_json_take(&s->line, '}') ? ANORANK_OK : ank_json_broken(&s->line, "',' or '}'", err);
  return ANORANK_OK;
}

static anorank_status take_object(ank_jsonl *s, size_t *taken, anorank_error *err) {
  size_t column = SIZE_MAX;
  *taken = 0;
  return take_members(s, 0, &column, taken, err);
}

static anorank_status wrong_length(const ank_jsonl *s, size_t taken, anorank_error *err) {
  (void)ank_fail(err, ANORANK_ERROR_DATA, "json-value-count",
                 "%s:%zu: %s values, but the first line has %zu; give all lines the same number",
                 s->line.source, s->line.number, taken > s->count ? "more" : "fewer", s->count);
  ank_error_set_location(err, s->line.source, s->line.number, NULL);
  return ANORANK_ERROR_DATA;
}

static anorank_status take_array(ank_jsonl *s, size_t *taken, anorank_error *err) {
  int first = s->count == 0 && !s->table;
  *taken = 0;
  if (!ank_json_take(&s->line, ']')) {
    do {
      char key[32];
      anorank_status status = ANORANK_OK;
      if (*taken >= s->count) status = first ? add_column(s, err) : wrong_length(s, *taken + 1, err);
      if (status != ANORANK_OK) return status;
      snprintf(key, sizeof key, "x%zu", *taken + 1);
      status = take_value(s, *taken, key, err);
      if (status != ANORANK_OK) return status;
      ++*taken;
    } while (ank_json_take(&s->line, ','));
    if (!ank_json_take(&s->line, ']')) return ank_json_broken(&s->line, "',' or ']'", err);
  }
  return *taken == s->count ? ANORANK_OK : wrong_length(s, *taken, err);
}

anorank_status ank_jsonl_take_line(ank_jsonl *s, size_t *taken, anorank_error *err) {
  char bracket = ank_json_peek(&s->line);
  if (bracket != '{' && bracket != '[')
    return ank_json_broken(&s->line, "'{' or '[' at the start of the line", err);
  if (s->bracket && bracket != s->bracket)
    return ank_json_broken(
        &s->line, s->bracket == '{' ? "an object as in the first line" : "an array as in the first line",
        err);
  s->bracket = bracket;
  (void)ank_json_take(&s->line, bracket);
  ANK_CHECK(bracket == '{' ? take_object(s, taken, err) : take_array(s, taken, err));
  (void)ank_json_peek(&s->line);
  if (s->line.at < s->line.end)
    return ank_json_broken(&s->line, "nothing after the line's object or array", err);
  return ANORANK_OK;
}
