/* format_jsonl.c - JSON: records that are flat objects or flat arrays, one per line, over several lines, or
 * in an array.
 *
 * An object within the object has columns a.b. The columns are the keys of the records in the first MiB, in
 * order of appearance; a key that a record lacks is a missing value. That MiB is read twice: once to find the
 * columns and their kinds, once for the values. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/list.h"
#include "table/format.h"
#include "table/jsonl.h"

#define SAMPLE ((size_t)1 << 20)

static void jsonl_free(void *state) {
  ank_jsonl *s = state;
  if (!s) return;
  ank_missing_free(&s->missing);
  ank_levels_free(&s->keys);
  ank_free(s->columns);
  ank_free(s->buffer);
  ank_free(s->joined);
  ank_free(s->line.scratch);
  ank_free(s);
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

/* Read the records of the sample, then return to its start. */
static anorank_status sample(ank_jsonl *s, anorank_error *err) {
  size_t start = 0, taken;
  int found;
  while (!s->ended && s->to < SAMPLE) ANK_CHECK(ank_jsonl_fill(s, err));
  if (s->to >= 3 && memcmp(s->buffer, "\xEF\xBB\xBF", 3) == 0) start = s->from = 3;
  ank_jsonl_detect(s);
  for (;;) {
    ANK_CHECK(ank_jsonl_record_in_buffer(s, &found, err));
    if (found || s->ended) break;
    ank_jsonl_rewind(s, start); /* no complete record so far: keep all bytes */
    ANK_CHECK(ank_jsonl_fill(s, err));
    start = 0;
  }
  while (found) {
    anorank_status status = ank_jsonl_take_line(s, &taken, err);
    if (s->layout == ANK_JSON_LINES) /* counted when the rows are read */
      status = ank_bad_row(&(ank_bad_rows){0}, status, s->line.number, s->line.number > 1, s->settings, err);
    ANK_CHECK(status);
    ANK_CHECK(ank_jsonl_record_in_buffer(s, &found, err));
  }
  if (s->count == 0)
    return ank_fail(err, ANORANK_ERROR_DATA, "table-empty",
                    "%s: has no values; JSON lines need one object or array per line", s->line.source);
  ank_jsonl_rewind(s, start);
  for (size_t j = 0; j < s->count; j++) s->columns[j].seen = 0;
  return ANORANK_OK;
}

/* Mark the columns that the setting `categorical` names. */
static anorank_status mark_categorical(const ank_jsonl *s, anorank_table *table, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  const char *list = s->settings->categorical, *name;
  size_t length;
  while (ank_list_next(&list, &name, &length)) {
    size_t j = ank_table_find_item(table, name, length);
    if (j == SIZE_MAX) {
      (void)ank_fail(
          err, ANORANK_ERROR_USAGE, "column-unknown",
          "%s: categorical names column '%s', which the first MiB of the file does not have; check the keys",
          s->line.source, ank_quote(quoted, name, length));
      ank_remedy_replace(err, "categorical", s->settings->categorical, name, length,
                         ank_table_nearest(table, name, length));
      return ANORANK_ERROR_USAGE;
    }
    ank_table_set_kind(table, j, ANORANK_CATEGORICAL);
  }
  return ANORANK_OK;
}

/* Keep raw cells of the columns that the setting `keep` names. */
static anorank_status keep_texts(const ank_jsonl *s, anorank_table *table, anorank_error *err) {
  unsigned char *plain = NULL;
  if (!s->settings->keep[0]) return ANORANK_OK;
  anorank_status status = ank_alloc(&plain, s->count, 1, err);
  if (status != ANORANK_OK) return status;
  for (size_t j = 0; j < s->count; j++)
    plain[j] =
        table->column[j].kind == ANORANK_NUMERIC && s->columns[j].spelling.kind == ANK_CELL_FORMAT_TEXT;
  status = ank_raw_cells_keep(table, s->settings->keep, plain, err);
  ank_free(plain);
  return status;
}

static anorank_status set_columns(const ank_jsonl *s, anorank_table *table, anorank_error *err) {
  char text[400], quoted[ANK_QUOTE_SIZE];
  ank_cell_format_hints hints = {.decimal = s->settings->decimal,
                                 .thousands = s->settings->thousands,
                                 .date_order = s->settings->date_order};
  for (size_t j = 0; j < s->count; j++) ank_cell_format_hint(&hints, &s->columns[j].texts);
  while (table->columns < s->count) ANK_CHECK(ank_table_add_column(table, err));
  for (size_t j = 0; j < s->count; j++) {
    const char *key = s->bracket == '{' ? s->keys.text[j] : "";
    ANK_CHECK(ank_table_set_name(table, j, key, strlen(key), err));
    ank_jsonl_column *column = &s->columns[j];
    if (ank_cell_sample_counts_digits(&column->texts, column->filled)) {
      column->spelling = (ank_cell_format){.kind = ANK_CELL_FORMAT_TEXT, .long_numbers = 1};
      memcpy(column->spelling.example, column->texts.long_number, sizeof column->spelling.example);
    } else if (10 * column->numbers >= 9 * column->filled) {
      continue;
    } else {
      ank_cell_format_decide(&column->spelling, &column->texts, &hints);
    }
    ank_cell_format_kind kind = column->spelling.kind;
    if (column->texts.cells < column->filled - column->texts.gaps || column->texts.cells == 0)
      kind = ANK_CELL_FORMAT_TEXT;
    column->spelling.kind = kind;
    if (kind == ANK_CELL_FORMAT_TEXT) ank_table_set_kind(table, j, ANORANK_CATEGORICAL);
    if (kind == ANK_CELL_FORMAT_TIME) {
      ank_table_set_kind(table, j, ANORANK_TIME);
      table->column[j].resolution = ank_cell_format_resolution(&column->spelling);
    }
    ank_cell_format_describe(text, sizeof text, &column->spelling, ank_quote(quoted, key, strlen(key)));
    if (text[0])
      ANK_CHECK(
          ank_notes_add(&table->notes, ANORANK_NOTE_UNDERSTOOD, err, "column-number-format", "%s", text));
  }
  ANK_CHECK(mark_categorical(s, table, err));
  return keep_texts(s, table, err);
}

static anorank_status jsonl_open(void **state, ank_source *source, anorank_table *table,
                                 const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_jsonl *s = NULL;
  *state = NULL;
  ANK_TRY(ank_alloc(&s, 1, sizeof *s, err));
  s->source = source;
  s->settings = settings;
  s->limit = ank_memory_limit(settings);
  ANK_TRY(ank_missing_set(&s->missing, settings->missing, err));
  s->line.source = ank_source_name(source);
  ANK_TRY(sample(s, err));
  ANK_TRY(set_columns(s, table, err));
  s->time = ank_needed_time(table, settings);
  *state = s;
  s = NULL;
done:
  jsonl_free(s);
  return status;
}

static anorank_status store_missing(ank_jsonl *s, anorank_error *err) {
  for (size_t j = 0; j < s->count; j++) {
    ank_column *to = &s->table->column[j];
    if (s->columns[j].seen == s->line.number) continue;
    if (to->raw_cells) ANK_CHECK(ank_raw_cells_put(to->raw_cells, s->table->rows, "", 0, err));
    if (to->kind != ANORANK_CATEGORICAL)
      to->numbers[s->table->rows] = NAN;
    else
      to->codes[s->table->rows] = -1;
  }
  return ANORANK_OK;
}

static anorank_status jsonl_next(void *state, anorank_table *table, size_t most, anorank_error *err) {
  ank_jsonl *s = state;
  s->table = table;
  for (size_t enough = most > SIZE_MAX - table->rows ? SIZE_MAX : table->rows + most; table->rows < enough;) {
    int found = 0;
    size_t taken = 0;
    anorank_status status = ank_jsonl_next_record(s, &found, err);
    if (status != ANORANK_OK) return status;
    if (!found) return ank_bad_rows_note(&s->bad, s->line.source, table, s->settings, err);
    /* Check the limit from time to time even if there is room: levels count against it, too. */
    if (table->rows == table->capacity || table->rows % 4096 == 0)
      status = ank_table_reserve(table, table->rows + 1, err);
    if (status == ANORANK_OK) status = ank_jsonl_take_line(s, &taken, err);
    if (status == ANORANK_OK && taken < s->count) status = store_missing(s, err);
    if (status == ANORANK_OK && s->time != SIZE_MAX && !ank_has_time(&table->column[s->time], table->rows))
      status = ank_refuse_no_time(&table->column[s->time], s->line.source, s->line.number, err);
    table->rows += status == ANORANK_OK;
    if (status != ANORANK_OK && s->layout == ANK_JSON_LINES) {
      int keeps = status == ANORANK_ERROR_DATA && s->settings->bad_rows == ANK_BAD_ROWS_RANK;
      status = ank_bad_row(&s->bad, status, s->line.number, table->rows > 0, s->settings, err);
      for (size_t j = 0; keeps && j < s->count; j++) s->columns[j].seen = 0;
      if (keeps) status = store_missing(s, err);
      table->rows += keeps && status == ANORANK_OK;
    }
    if (status != ANORANK_OK) return status;
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
