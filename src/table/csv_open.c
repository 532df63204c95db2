/* csv_open.c - everything before the first row of a CSV or TSV file: lines above the table, delimiter, names,
 * units, and their notes; see csv.h. */
#include <string.h>

#include "core/alloc.h"
#include "core/ascii.h"
#include "core/list.h"
#include "table/csv.h"

static void skip_mark(ank_csv *csv) {
  if (csv->to >= 3 && memcmp(csv->buffer, "\xEF\xBB\xBF", 3) == 0) csv->from = 3;
}

static int may_delimit(char c) {
  return (c >= 0x20 || c == '\t') && !strchr("\"+-.0123456789", c) && ((c | 0x20) < 'a' || (c | 0x20) > 'z');
}

/* Read Excel's first line "sep=;", which names the delimiter and is not a row. Returns the delimiter, 0 if
 * the file has none. */
static char take_separator_line(ank_csv *csv) {
  const char *text = csv->buffer + csv->from; /* zeros follow the end */
  size_t quote = text[0] == '"';
  text += quote;
  if (!ank_same_start(text, "sep=", 4) || !may_delimit(text[4])) return 0;
  const char *end = text + 5 + quote;
  if (quote && text[5] != '"') return 0;
  if (*end != '\r' && *end != '\n') return 0;
  end += end[0] == '\r' && end[1] == '\n' ? 2 : 1;
  csv->from = (size_t)(end - csv->buffer);
  csv->line++;
  return text[4];
}

static anorank_status set_delimiter(ank_csv *csv, char usual, anorank_error *err) {
  const char *given = csv->settings->delimiter;
  char quoted[ANK_QUOTE_SIZE], named = take_separator_line(csv);
  int automatic = strcmp(given, "auto") == 0;
  if (automatic && !named && usual != '\t') return ank_csv_choose_delimiter(csv, 0, usual, err);
  char delimiter = automatic && named ? named : automatic || strcmp(given, "tab") == 0 ? '\t' : given[0];
  int one = automatic || delimiter == '\t' || (given[0] && !given[1]);
  if (!one || !may_delimit(delimiter))
    return ank_fail(err, ANORANK_ERROR_USAGE, "setting-value",
                    "delimiter is \"%s\"; use auto, tab, or one character that is not a letter, digit, "
                    "quote, sign or point",
                    ank_quote(quoted, given, strlen(given)));
  return ank_csv_choose_delimiter(csv, delimiter, usual, err);
}

/* Skip the lines above the table that the setting `skip-lines` counts. */
static anorank_status skip_lines(ank_csv *csv, anorank_error *err) {
  for (int64_t left = csv->settings->skip_lines; left > 0; left--) {
    const char *end = NULL;
    while (!(end = memchr(csv->buffer + csv->from, '\n', csv->to - csv->from)) && !csv->at_end)
      ANK_CHECK(ank_csv_refill(csv, err));
    if (!end)
      return ank_fail(err, ANORANK_ERROR_USAGE, "csv-skip-lines",
                      "%s: has %zu lines, and skip-lines is %lld; lower it", ank_source_name(csv->source),
                      csv->line, (long long)csv->settings->skip_lines);
    csv->from = (size_t)(end + 1 - csv->buffer);
    csv->line++;
  }
  return ANORANK_OK;
}

/* Skip titles above the table; the note quotes the first. */
static anorank_status pass_titles(ank_csv *csv, anorank_table *table, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE] = "";
  size_t first = csv->line;
  int got = 1;
  for (size_t passed = 0; passed < csv->titles && got;) {
    ANK_CHECK(ank_csv_find_record(csv, &got, err));
    if (got && !csv->record.blank && passed++ == 0) {
      const char *text = csv->record.cells[0].text;
      size_t length = csv->record.cells[0].length;
      ank_trim_cell(&text, &length);
      ank_quote(quoted, text, length);
    }
    if (got) ank_csv_take_record(csv);
  }
  if (csv->titles > 0)
    ANK_CHECK(ank_notes_add(&table->notes, ANORANK_NOTE_UNDERSTOOD, err, "csv-skipped-lines",
                            csv->line - first == 1 ? "skipped line %zu above the table (\"%s\")"
                                                   : "skipped lines above the table, from line %zu (\"%s\")",
                            first, quoted));
  return ANORANK_OK;
}

/* Find the first record that is not blank, and count the lines before it. */
static anorank_status find_first(ank_csv *csv, size_t *blank, anorank_error *err) {
  int got;
  for (*blank = 0;; ++*blank) {
    ANK_CHECK(ank_csv_find_record(csv, &got, err));
    if (!got)
      return ank_fail(err, ANORANK_ERROR_DATA, "table-empty",
                      "%s: is empty or blank; a table needs at least one row", ank_source_name(csv->source));
    if (!csv->record.blank) return ANORANK_OK;
    ank_csv_take_record(csv);
  }
}

/* Rows below the first determine the kinds: read on if a long line leaves none of them in the sample. */
static anorank_status widen_sample(ank_csv *csv, anorank_error *err) {
  for (;;) {
    ank_csv_splitting result;
    ank_csv_place place = {0};
    size_t at = csv->from, size = csv->to;
    do {
      result =
          ank_csv_split(&csv->record, &csv->dialect, csv->buffer + at, size - at, csv->at_end, &place, err);
      if (result == ANK_CSV_MEMORY) return ANORANK_ERROR_RESOURCES;
      if (result == ANK_CSV_WHOLE && at > csv->from && !csv->record.blank) return ANORANK_OK;
      if (result == ANK_CSV_WHOLE) at += csv->record.length;
    } while (result == ANK_CSV_WHOLE && at < size);
    if (csv->at_end || size - csv->from >= ANK_CSV_MOST_LINE) return ANORANK_OK;
    if (result != ANK_CSV_WHOLE && result != ANK_CSV_MORE)
      return ANORANK_OK; /* reading will report the error */
    ANK_CHECK(ank_csv_refill(csv, err));
  }
}

/* Mark the columns that the setting `categorical` names. */
static anorank_status mark_categorical(const ank_csv *csv, anorank_table *table, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  const char *list = csv->settings->categorical, *name;
  size_t length;
  while (ank_list_next(&list, &name, &length)) {
    size_t column = ank_table_find_item(table, name, length);
    if (column == SIZE_MAX) {
      (void)ank_fail(err, ANORANK_ERROR_USAGE, "column-unknown",
                     "%s: categorical names column '%s', which the file does not have; check its first line",
                     ank_source_name(csv->source), ank_quote(quoted, name, length));
      ank_remedy_replace(err, "categorical", csv->settings->categorical, name, length,
                         ank_table_nearest(table, name, length));
      return ANORANK_ERROR_USAGE;
    }
    ank_table_set_kind(table, column, ANORANK_CATEGORICAL);
  }
  return ANORANK_OK;
}

/* Mark the columns of a comma-separated list; names that the file lacks are ignored. */
static void mark_named(unsigned char *marks, const anorank_table *table, const char *list) {
  const char *name;
  size_t length;
  while (ank_list_next(&list, &name, &length)) {
    size_t j = ank_table_find_item(table, name, length);
    if (j != SIZE_MAX) marks[j] = 1;
  }
}

static anorank_status name_column(const ank_csv *csv, anorank_table *table, size_t j, int header,
                                  anorank_error *err) {
  ank_csv_cell *cell = &csv->record.cells[j];
  char quoted[ANK_QUOTE_SIZE], made[ANK_QUOTE_SIZE];
  if (header) ank_csv_undouble(cell); /* in place, so not if this record is read again as a row */
  const char *name = header ? cell->text : "";
  size_t length = header ? cell->length : 0;
  ank_trim_cell(&name, &length);
  ANK_CHECK(ank_table_set_name(table, j, name, length, err));
  const char *got = table->column[j].name;
  if (length > 0 && strlen(got) != length)
    ANK_CHECK(ank_notes_add(&table->notes, ANORANK_NOTE_UNDERSTOOD, err, "csv-duplicate-names",
                            "several columns are named '%s'; column %zu is called '%s' here",
                            ank_quote(quoted, name, length), j + 1, ank_quote(made, got, strlen(got))));
  return ANORANK_OK;
}

/* Add notes on formats and guesses of the reader. */
static anorank_status note_columns(const ank_csv *csv, anorank_table *table, const ank_csv_view *view,
                                   anorank_error *err) {
  char text[400], name[ANK_QUOTE_SIZE];
  if (view->doubtful && view->header)
    ANK_CHECK(ank_notes_add(&table->notes, ANORANK_NOTE_WARNING, err, "csv-header-found",
                            "line %zu is read as the header; if it is data, set `header` to no", csv->line));
  if (view->doubtful && !view->header)
    ANK_CHECK(ank_notes_add(&table->notes, ANORANK_NOTE_WARNING, err, "csv-header-absent",
                            "line %zu is read as data because its %s; if it is a header, set `header` to yes",
                            csv->line, view->counts ? "numbers count up" : "texts occur again below"));
  for (size_t j = 0; j < table->columns; j++) {
    const ank_cell_format *spelling = &csv->spellings[j];
    if (table->column[j].kind == ANORANK_CATEGORICAL && !spelling->looks_numeric && !spelling->long_numbers)
      continue;
    ank_cell_format_describe(text, sizeof text, spelling,
                             ank_quote(name, table->column[j].name, strlen(table->column[j].name)));
    int warn = spelling->assumed || spelling->looks_numeric || spelling->padded;
    if (text[0])
      ANK_CHECK(ank_notes_add(&table->notes, warn ? ANORANK_NOTE_WARNING : ANORANK_NOTE_UNDERSTOOD, err,
                              "column-number-format", "%s", text));
  }
  return ANORANK_OK;
}

/* Keep raw cells of the columns that the setting `keep` names. */
static anorank_status keep_texts(ank_csv *csv, anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  unsigned char *plain = NULL;
  if (!csv->settings->keep[0]) return ANORANK_OK;
  ANK_TRY(ank_alloc(&plain, csv->columns, 1, err));
  for (size_t j = 0; j < csv->columns; j++)
    plain[j] = table->column[j].kind == ANORANK_NUMERIC && csv->spellings[j].kind == ANK_CELL_FORMAT_PLAIN;
  ANK_TRY(ank_raw_cells_keep(table, csv->settings->keep, plain, err));
  for (size_t j = 0; j < csv->columns; j++) csv->keeps |= table->column[j].raw_cells != NULL;
done:
  ank_free(plain);
  return status;
}

/* Skip a line of units below the names. */
static anorank_status pass_units(ank_csv *csv, anorank_table *table, anorank_error *err) {
  int got;
  ANK_CHECK(ank_csv_find_record(csv, &got, err));
  if (!got) return ANORANK_OK;
  ANK_CHECK(ank_notes_add(
      &table->notes, ANORANK_NOTE_UNDERSTOOD, err, "csv-units-line",
      "skipped line %zu below the header: it holds units or other texts instead of numbers", csv->line));
  ank_csv_take_record(csv);
  return ANORANK_OK;
}

static anorank_status set_columns(ank_csv *csv, anorank_table *table, const ank_csv_view *view,
                                  anorank_error *err) {
  int got;
  ANK_CHECK(ank_csv_find_record(csv, &got, err)); /* the inspection reused the record's memory */
  for (size_t j = 0; j < csv->columns; j++) {
    ANK_CHECK(ank_table_add_column(table, err));
    ANK_CHECK(name_column(csv, table, j, view->header, err));
    const ank_cell_format *spelling = &csv->spellings[j];
    if (spelling->kind == ANK_CELL_FORMAT_TEXT) ank_table_set_kind(table, j, ANORANK_CATEGORICAL);
    if (spelling->kind == ANK_CELL_FORMAT_TIME) {
      ank_table_set_kind(table, j, ANORANK_TIME);
      table->column[j].resolution = ank_cell_format_resolution(spelling);
    }
  }
  ANK_CHECK(mark_categorical(csv, table, err));
  ANK_CHECK(keep_texts(csv, table, err));
  mark_named(csv->lenient, table, csv->settings->drop);
  csv->time = ank_needed_time(table, csv->settings);
  ANK_CHECK(note_columns(csv, table, view, err));
  if (view->header) {
    ank_csv_take_record(csv);
    csv->header = 1;
    if (view->units) ANK_CHECK(pass_units(csv, table, err));
  } else if (csv->settings->header == ANORANK_HEADER_AUTO) {
    csv->first_line = csv->line;
  }
  return ANORANK_OK;
}

anorank_status ank_csv_open(ank_csv *csv, anorank_table *table, char usual, anorank_error *err) {
  ank_csv_view view = {0};
  size_t blank;
  ANK_CHECK(ank_missing_set(&csv->missing, csv->settings->missing, err));
  ANK_CHECK(ank_csv_refill(csv, err));
  skip_mark(csv);
  ANK_CHECK(skip_lines(csv, err));
  ANK_CHECK(set_delimiter(csv, usual, err));
  ANK_CHECK(pass_titles(csv, table, err));
  ANK_CHECK(find_first(csv, &blank, err));
  csv->columns = csv->record.count;
  if (csv->columns > ANORANK_MAX_COLUMNS)
    return ank_fail(err, ANORANK_ERROR_DATA, "table-column-count",
                    "%s:%zu: %zu columns, more than %d; check the delimiter, or transpose the table",
                    ank_source_name(csv->source), csv->line, csv->columns, ANORANK_MAX_COLUMNS);
  ANK_CHECK(widen_sample(csv, err));
  ANK_CHECK(ank_alloc(&csv->targets, csv->columns, sizeof *csv->targets, err));
  ANK_CHECK(ank_alloc(&csv->spellings, csv->columns, sizeof *csv->spellings, err));
  ANK_CHECK(ank_alloc(&csv->lenient, csv->columns, 1, err));
  ANK_CHECK(ank_csv_inspect(csv, &view, err));
  ANK_CHECK(set_columns(csv, table, &view, err));
  if (csv->columns == 1 && !view.header) csv->blank_rows = blank;
  if (csv->expected_rows > table->limit / 16 / csv->columns)
    csv->expected_rows = SIZE_MAX; /* only an estimate */
  csv->parallel = !csv->at_end && ank_csv_suits_parallel(csv, table);
  return ANORANK_OK;
}
