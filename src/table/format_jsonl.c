/* format_jsonl.c - JSON lines: one flat object per line, or one flat array.
 *
 * An object within the object has columns a.b. Arrays of records and records that go over several lines
 * are made into lines before (source_json.h). The columns are the keys of the lines in the first MiB, in
 * order of appearance; a key that a line lacks is a missing value. That MiB is read twice, once to find
 * the columns and their kinds and once for the values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/number.h"
#include "table/csv.h"
#include "table/format.h"
#include "table/json_line.h"

#define SAMPLE ((size_t)1 << 20)
#define READ_STEP ((size_t)1 << 16)

typedef struct jsonl_column {
  size_t seen;            /* the last line that had it */
  size_t numbers, filled; /* in the sample */
  ank_tally texts;        /* of the sample */
  ank_spelling spelling;  /* of texts, where numbers or moments are written so */
} jsonl_column;

typedef struct jsonl_state {
  ank_source *source;
  const anorank_settings *settings;
  ank_missing missing; /* the same words as in CSV */
  size_t limit;
  char *buffer; /* [from, to), and ANK_NUMBER_PADDING zero bytes */
  size_t from, to, capacity;
  int ended;
  char bracket; /* '{' or '[': what the lines hold; 0 before the first */
  ank_levels keys;
  jsonl_column *columns;
  size_t count, columns_capacity;
  char *joined; /* "outer.key" */
  size_t joined_capacity;
  anorank_table *table; /* NULL while sampling */
  ank_json_line line;
} jsonl_state;

static void jsonl_free(void *state) {
  jsonl_state *s = state;
  if (!s) return;
  ank_missing_free(&s->missing);
  ank_levels_free(&s->keys);
  ank_free(s->columns);
  ank_free(s->buffer);
  ank_free(s->joined);
  ank_free(s->line.scratch);
  ank_free(s);
}

/* ---- lines ------------------------------------------------------------------------------------------- */

static anorank_status fill(jsonl_state *s, anorank_error *err) {
  size_t held = s->to - s->from, got;
  if (s->from > 0) memmove(s->buffer, s->buffer + s->from, held);
  s->from = 0;
  s->to = held;
  if (held > s->limit) {
    (void)ank_fail(
        err, ANORANK_ERROR_RESOURCES,
        "%s:%zu: the line is longer than the %zu bytes allowed; is it JSON lines? If so, allow more memory",
        ank_source_name(s->source), s->line.number + 1, s->limit);
    ank_place(err, ank_source_name(s->source), s->line.number + 1, NULL);
    ank_remedy_memory(err, s->limit);
    return ANORANK_ERROR_RESOURCES;
  }
  anorank_status status =
      ank_reserve(&s->buffer, &s->capacity, held + READ_STEP + ANK_NUMBER_PADDING, 1, err);
  if (status == ANORANK_OK)
    status = ank_source_read(s->source, s->buffer + held, s->capacity - held - ANK_NUMBER_PADDING, &got, err);
  if (status != ANORANK_OK) return status;
  s->ended = got == 0;
  s->to += got;
  memset(s->buffer + s->to, 0, ANK_NUMBER_PADDING);
  return ANORANK_OK;
}

/* Put s->line on the next line that is in the buffer and move past it; 0: there is no whole one. */
static int line_in_buffer(jsonl_state *s, size_t *searched) {
  char *start = s->buffer + s->from;
  size_t held = s->to - s->from;
  if (held == 0) return 0;
  char *newline = memchr(start + *searched, '\n', held - *searched);
  if (!newline && !s->ended) {
    *searched = held;
    return 0;
  }
  size_t length = newline ? (size_t)(newline - start) : held;
  s->from += length + (newline != NULL);
  s->line.number++;
  s->line.start = s->line.at = start;
  s->line.end = start + length;
  return 1;
}

/* The next line that is not blank; `*found` is 0 at the end. */
static anorank_status next_line(jsonl_state *s, int *found, anorank_error *err) {
  size_t searched = 0;
  for (;;) {
    *found = line_in_buffer(s, &searched);
    if (*found) {
      searched = 0;
      if (ank_json_peek(&s->line) != '\0' || s->line.at < s->line.end) return ANORANK_OK;
      continue;
    }
    if (s->ended) return ANORANK_OK;
    anorank_status status = fill(s, err);
    if (status != ANORANK_OK) return status;
  }
}

/* ---- values ------------------------------------------------------------------------------------------ */

static int is_missing(const jsonl_state *s, const ank_json_value *value) {
  const char *text = value->text;
  size_t length = value->length;
  if (value->kind == ANK_JSON_NULL) return 1;
  if (value->kind != ANK_JSON_TEXT) return 0;
  ank_csv_trim(&text, &length);
  return ank_missing_has(&s->missing, text, length);
}

static void count_value(jsonl_state *s, size_t column, const ank_json_value *value) {
  if (is_missing(s, value)) return;
  s->columns[column].filled++;
  s->columns[column].numbers += value->kind == ANK_JSON_NUMBER;
  if (value->kind != ANK_JSON_TEXT) return;
  const char *text = value->text;
  size_t length = value->length;
  ank_trim_cell(&text, &length);
  ank_tally_add(&s->columns[column].texts, text, length);
}

static anorank_status store_value(jsonl_state *s, size_t column, const ank_json_value *value,
                                  anorank_error *err) {
  ank_column *to = &s->table->column[column];
  size_t row = s->table->rows;
  int missing = is_missing(s, value);
  if (to->verbatim) {
    int null = value->kind == ANK_JSON_NULL;
    anorank_status status =
        ank_verbatim_put(to->verbatim, row, null ? "" : value->text, null ? 0 : value->length, err);
    if (status != ANORANK_OK) return status;
  }
  if (to->kind == ANORANK_CATEGORICAL) {
    to->codes[row] = -1;
    if (missing) return ANORANK_OK;
    return ank_levels_code(&to->codes[row], &to->levels, value->text, value->length, err);
  }
  to->numbers[row] = missing || value->kind == ANK_JSON_TEXT ? NAN : value->number;
  if (missing || value->kind == ANK_JSON_NUMBER) return ANORANK_OK;
  const ank_spelling *spelling = &s->columns[column].spelling;
  const char *cell = value->text;
  size_t length = value->length;
  ank_trim_cell(&cell, &length);
  if (spelling->kind == ANK_SPELLED_TIME
          ? ank_spelling_moment(&to->numbers[row], spelling, cell, length)
          : spelling->kind != ANK_SPELLED_TEXT &&
                ank_spelling_number(&to->numbers[row], spelling, cell, length) <= ANK_NUMBER_NAN)
    return ANORANK_OK;
  to->numbers[row] = NAN;
  if (ank_missing_among_numbers(cell, length)) return ANORANK_OK;
  return ank_csv_refuse_word(s->line.source, s->line.number, to->name, value->text, value->length,
                             s->settings, err);
}

static anorank_status take_value(jsonl_state *s, size_t column, const char *key, anorank_error *err) {
  ank_json_value value;
  char quoted[ANK_QUOTE_SIZE];
  if (s->columns[column].seen == s->line.number)
    return ank_fail(err, ANORANK_ERROR_DATA, "%s:%zu: the key '%s' appears twice; keep one", s->line.source,
                    s->line.number, ank_quote(quoted, key, strlen(key)));
  s->columns[column].seen = s->line.number;
  anorank_status status = ank_json_take_value(&value, &s->line, key, err);
  if (status != ANORANK_OK) return status;
  if (s->table) return store_value(s, column, &value, err);
  count_value(s, column, &value);
  return ANORANK_OK;
}

/* ---- objects and arrays ------------------------------------------------------------------------------ */

static anorank_status add_column(jsonl_state *s, anorank_error *err) {
  if (s->count == ANORANK_MAX_COLUMNS)
    return ank_fail(err, ANORANK_ERROR_DATA, "%s:%zu: more than %d columns; is the table transposed?",
                    s->line.source, s->line.number, ANORANK_MAX_COLUMNS);
  anorank_status status =
      ank_reserve(&s->columns, &s->columns_capacity, s->count + 1, sizeof *s->columns, err);
  if (status != ANORANK_OK) return status;
  memset(&s->columns[s->count++], 0, sizeof *s->columns);
  return ANORANK_OK;
}

/* The column of a key; `expected` is where it is if the lines are all alike. */
static anorank_status find_key(size_t *column, jsonl_state *s, size_t expected, const char *key,
                               size_t length, anorank_error *err) {
  int32_t code;
  char quoted[ANK_QUOTE_SIZE];
  *column = expected;
  if (expected < s->count && strlen(s->keys.text[expected]) == length &&
      memcmp(s->keys.text[expected], key, length) == 0)
    return ANORANK_OK;
  if (memchr(key, '\0', length)) return ank_json_broken(&s->line, "a key without NUL bytes", err);
  anorank_status status = ank_levels_code(&code, &s->keys, key, length, err);
  if (status != ANORANK_OK) return status;
  *column = (size_t)code;
  if (*column < s->count) return ANORANK_OK;
  if (s->table)
    return ank_fail(
        err, ANORANK_ERROR_DATA,
        "%s:%zu: the key '%s' is not in the first MiB of the file, which decides the columns; add it to "
        "the first line, null if it has no value there",
        s->line.source, s->line.number, ank_quote(quoted, key, length));
  return add_column(s, err);
}

/* Put "outer.key" together in s->joined. */
static anorank_status join_key(jsonl_state *s, size_t outer, const char *key, size_t length,
                               anorank_error *err) {
  anorank_status status = ank_reserve(&s->joined, &s->joined_capacity, outer + length + 2, 1, err);
  if (status != ANORANK_OK) return status;
  memcpy(s->joined + outer, key, length);
  s->joined[outer + length] = '.';
  return ANORANK_OK;
}

/* The members of an object after its bracket; `outer` bytes of s->joined stand before the names of its
 * keys. An object within the line's object has columns a.b; one within that is an error. */
static anorank_status take_members(jsonl_state *s, size_t outer, size_t *column, size_t *taken,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t length;
  const char *key;
  if (ank_json_take(&s->line, '}')) return ANORANK_OK;
  do {
    ANK_TRY(ank_json_take_text(&key, &length, &s->line, "a key in double quotes", err));
    if (!ank_json_take(&s->line, ':')) return ank_json_broken(&s->line, "':' after the key", err);
    int nested = outer == 0 && ank_json_peek(&s->line) == '{';
    if (outer > 0 || nested) ANK_TRY(join_key(s, outer, key, length, err));
    if (nested) {
      (void)ank_json_take(&s->line, '{');
      ANK_TRY(take_members(s, length + 1, column, taken, err));
      continue;
    }
    ANK_TRY(find_key(column, s, *column + 1, outer ? s->joined : key, outer + length, err));
    ANK_TRY(take_value(s, *column, s->keys.text[*column], err));
    ++*taken;
  } while (ank_json_take(&s->line, ','));
  return ank_json_take(&s->line, '}') ? ANORANK_OK : ank_json_broken(&s->line, "',' or '}'", err);
done:
  return status;
}

static anorank_status take_object(jsonl_state *s, size_t *taken, anorank_error *err) {
  size_t column = SIZE_MAX;
  *taken = 0;
  return take_members(s, 0, &column, taken, err);
}

static anorank_status wrong_length(const jsonl_state *s, size_t taken, anorank_error *err) {
  return ank_fail(err, ANORANK_ERROR_DATA,
                  "%s:%zu: %s values where the first line has %zu; give all lines the same values",
                  s->line.source, s->line.number, taken > s->count ? "more" : "fewer", s->count);
}

static anorank_status take_array(jsonl_state *s, size_t *taken, anorank_error *err) {
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

static anorank_status take_line(jsonl_state *s, size_t *taken, anorank_error *err) {
  char bracket = ank_json_peek(&s->line);
  if (bracket != '{' && bracket != '[')
    return ank_json_broken(&s->line, "'{' or '[' at the start of the line", err);
  if (s->bracket && bracket != s->bracket)
    return ank_json_broken(
        &s->line, s->bracket == '{' ? "an object as in the first line" : "an array as in the first line",
        err);
  s->bracket = bracket;
  (void)ank_json_take(&s->line, bracket);
  anorank_status status = bracket == '{' ? take_object(s, taken, err) : take_array(s, taken, err);
  if (status != ANORANK_OK) return status;
  if (ank_json_peek(&s->line) != '\0' || s->line.at < s->line.end)
    return ank_json_broken(&s->line, "nothing after the line's object or array", err);
  return ANORANK_OK;
}

/* ---- the class --------------------------------------------------------------------------------------- */

static int jsonl_recognise(const unsigned char *bytes, size_t length) {
  size_t i = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  char starts[2] = {0, 0};
  for (size_t found = 0; i < length && found < 2; i++)
    if (!strchr(" \t\r\n", bytes[i]) || bytes[i] == 0) starts[found++] = (char)bytes[i];
  if (starts[0] == '{') return starts[1] == '"' || starts[1] == '}';
  return starts[0] == '[' && starts[1] && strchr("0123456789-\"{[ntfNI]", starts[1]);
}

/* Walk over the lines of the sample, then go back to its start. */
static anorank_status sample(jsonl_state *s, anorank_error *err) {
  size_t searched = 0, taken;
  anorank_status status = ANORANK_OK;
  while (!s->ended && (s->to < SAMPLE || !memchr(s->buffer, '\n', s->to))) ANK_TRY(fill(s, err));
  if (s->to >= 3 && memcmp(s->buffer, "\xEF\xBB\xBF", 3) == 0) s->from = 3;
  size_t start = s->from;
  while (line_in_buffer(s, &searched)) {
    searched = 0;
    if (ank_json_peek(&s->line) == '\0' && s->line.at == s->line.end) continue;
    ANK_TRY(take_line(s, &taken, err));
  }
  if (s->count == 0)
    ANK_FAIL(ANORANK_ERROR_DATA, "%s: holds no values: JSON lines need one object or array per line",
             s->line.source);
  s->from = start;
  s->line.number = 0;
  for (size_t j = 0; j < s->count; j++) s->columns[j].seen = 0;
done:
  return status;
}

/* The columns that the setting `categorical` names. */
static anorank_status mark_categorical(const jsonl_state *s, anorank_table *table, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  for (const char *p = s->settings->categorical; *p;) {
    size_t length = strcspn(p, ","), j = 0;
    const char *name = p;
    p += length + (p[length] == ',');
    ank_csv_trim(&name, &length);
    if (length == 0) continue;
    while (j < table->columns &&
           (strlen(table->column[j].name) != length || memcmp(table->column[j].name, name, length) != 0))
      j++;
    if (j == table->columns)
      return ank_fail(err, ANORANK_ERROR_USAGE,
                      "%s: categorical names the column '%s', which the first MiB of the file does not "
                      "have; check the keys",
                      s->line.source, ank_quote(quoted, name, length));
    ank_table_set_kind(table, j, ANORANK_CATEGORICAL);
  }
  return ANORANK_OK;
}

/* The columns of the setting `keep` remember how their cells are written. */
static anorank_status keep_texts(const jsonl_state *s, anorank_table *table, anorank_error *err) {
  unsigned char *plain = NULL;
  if (!s->settings->keep[0]) return ANORANK_OK;
  anorank_status status = ank_alloc(&plain, s->count, 1, err);
  if (status != ANORANK_OK) return status;
  for (size_t j = 0; j < s->count; j++)
    plain[j] = table->column[j].kind == ANORANK_NUMERIC && s->columns[j].spelling.kind == ANK_SPELLED_TEXT;
  status = ank_verbatim_keep(table, s->settings->keep, plain, err);
  ank_free(plain);
  return status;
}

static anorank_status set_columns(const jsonl_state *s, anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char text[400], quoted[ANK_QUOTE_SIZE];
  ank_spelling_hints hints = {.decimal = s->settings->decimal,
                              .thousands = s->settings->thousands,
                              .date_order = s->settings->date_order};
  for (size_t j = 0; j < s->count; j++) ank_spelling_hint(&hints, &s->columns[j].texts);
  while (table->columns < s->count) ANK_TRY(ank_table_add_column(table, err));
  for (size_t j = 0; j < s->count; j++) {
    const char *key = s->bracket == '{' ? s->keys.text[j] : "";
    ANK_TRY(ank_table_set_name(table, j, key, strlen(key), err));
    jsonl_column *column = &s->columns[j];
    if (10 * column->numbers >= 9 * column->filled) continue;
    ank_spelling_decide(&column->spelling, &column->texts, &hints);
    ank_spelled kind = column->spelling.kind;
    if (column->texts.cells < column->filled - column->texts.gaps || column->texts.cells == 0)
      kind = ANK_SPELLED_TEXT;
    column->spelling.kind = kind;
    if (kind == ANK_SPELLED_TEXT) ank_table_set_kind(table, j, ANORANK_CATEGORICAL);
    if (kind == ANK_SPELLED_TIME) {
      ank_table_set_kind(table, j, ANORANK_TIME);
      table->column[j].resolution = ank_spelling_resolution(&column->spelling);
    }
    ank_spelling_tell(text, sizeof text, &column->spelling, ank_quote(quoted, key, strlen(key)));
    if (text[0]) ANK_TRY(ank_notes_add(&table->notes, ANORANK_NOTE_UNDERSTOOD, err, "%s", text));
  }
  ANK_TRY(mark_categorical(s, table, err));
  ANK_TRY(keep_texts(s, table, err));
done:
  return status;
}

static anorank_status jsonl_open(void **state, ank_source *source, anorank_table *table,
                                 const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  jsonl_state *s = NULL;
  *state = NULL;
  ANK_TRY(ank_alloc(&s, 1, sizeof *s, err));
  s->source = source;
  s->settings = settings;
  s->limit = ank_memory_limit(settings);
  ANK_TRY(ank_missing_set(&s->missing, settings->missing, err));
  s->line.source = ank_source_name(source);
  ANK_TRY(sample(s, err));
  ANK_TRY(set_columns(s, table, err));
  *state = s;
  s = NULL;
done:
  jsonl_free(s);
  return status;
}

static anorank_status store_missing(jsonl_state *s, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  for (size_t j = 0; j < s->count; j++) {
    ank_column *to = &s->table->column[j];
    if (s->columns[j].seen == s->line.number) continue;
    if (to->verbatim) ANK_TRY(ank_verbatim_put(to->verbatim, s->table->rows, "", 0, err));
    if (to->kind != ANORANK_CATEGORICAL)
      to->numbers[s->table->rows] = NAN;
    else
      to->codes[s->table->rows] = -1;
  }
done:
  return status;
}

static anorank_status jsonl_next(void *state, anorank_table *table, size_t most, anorank_error *err) {
  jsonl_state *s = state;
  s->table = table;
  for (size_t rows = 0; rows < most; rows++) {
    int found = 0;
    size_t taken = 0;
    anorank_status status = next_line(s, &found, err);
    if (status != ANORANK_OK || !found) return status;
    /* Also now and then with room to spare: the levels count against the limit too. */
    if (table->rows == table->capacity || table->rows % 4096 == 0)
      status = ank_table_reserve(table, table->rows + 1, err);
    if (status == ANORANK_OK) status = take_line(s, &taken, err);
    if (status == ANORANK_OK && taken < s->count) status = store_missing(s, err);
    if (status != ANORANK_OK) return status;
    table->rows++;
  }
  return ANORANK_OK;
}

static const ank_reader_class read_jsonl = {jsonl_open, jsonl_next, NULL, jsonl_free, 1};

const ank_format ank_format_jsonl = {
    {"jsonl", "JSON: an object or array a row, in lines or in an array", ".jsonl .ndjson .json", 1, 1},
    0,
    jsonl_recognise,
    &read_jsonl,
    &ank_write_jsonl};
