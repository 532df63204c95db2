/* csv_rows.c - cells into the table; see csv.h.
 *
 * Two paths have the same result. The fast one reads a row of plain numbers and plain texts straight from the
 * buffer, and stops at anything else. The general one takes a record that ank_csv_split has split, and
 * reports wrong cells. */
#include "table/csv.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/number.h"

#define FIRST_ROWS 16

void ank_csv_trim(const char **text, size_t *length) {
  while (*length > 0 && (**text == ' ' || **text == '\t')) (*text)++, (*length)--;
  while (*length > 0 && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t')) (*length)--;
}

/* Trim blanks of all kinds, ASCII ones fast. */
static void trim(const char **text, size_t *length) {
  ank_csv_trim(text, length);
  if (*length > 0 && ((unsigned char)**text >= 0x80 || (unsigned char)(*text)[*length - 1] >= 0x80))
    ank_trim_cell(text, length);
}

anorank_status ank_csv_make_room(ank_csv *csv, anorank_table *table, size_t rows, anorank_error *err) {
  if (rows > table->capacity) {
    size_t room = ank_table_room(table), ask = table->capacity > 0 ? rows : rows + FIRST_ROWS;
    /* Up to the last row that fits, for any number of requested rows. So the message names the first row that
     * does not fit, with any number of threads. */
    if (ask > room) ask = rows <= room ? room : room + 1;
    ANK_CHECK(ank_table_reserve(table, ask, err));
  }
  for (size_t j = 0; j < csv->columns; j++) {
    ank_column *column = &table->column[j];
    int numbers = column->kind != ANORANK_CATEGORICAL,
        plain = csv->spellings[j].kind == ANK_CELL_FORMAT_PLAIN;
    csv->targets[j] = (ank_csv_target){.numbers = numbers && plain ? column->numbers : NULL,
                                       .odd = numbers && !plain ? column->numbers : NULL,
                                       .spelling = &csv->spellings[j],
                                       .codes = column->codes,
                                       .levels = &column->levels,
                                       .raw_cells = column->raw_cells};
  }
  return ANORANK_OK;
}

/* ---- the fast way ------------------------------------------------------------------------------------ */

/* Return the position after a cell that must be followed by `end_byte`, or NULL. */
static inline const char *pass_end(const char *p, char end_byte) {
  if (*p == end_byte) return p + 1;
  return end_byte == '\n' && *p == '\r' && p[1] == '\n' ? p + 2 : NULL;
}

/* Find the unquoted cell at p. Returns the start of the next one; NULL if it is not simple. */
static inline const char *simple_cell(const ank_csv *csv, const char *p, char end_byte, const char **text,
                                      size_t *length) {
  const unsigned char *stop = csv->dialect.stop;
  if (*p == '"') {
    const char *first = ++p;
    while (*p != '"' && (unsigned char)*p >= ' ') p++; /* control characters: newlines, the buffer's end */
    if (*p != '"') return NULL;
    *text = first;
    *length = (size_t)(p - first);
    return pass_end(p + 1, end_byte);
  }
  *text = p;
  while (!stop[(unsigned char)*p]) p++;
  *length = (size_t)(p - *text);
  if (*length == 0 && csv->columns == 1) return NULL; /* an empty line */
  return pass_end(p, end_byte);
}

/* Read a number that is not plain: quotes or blanks around it, missing, infinite, very long. */
static const char *odd_number(const ank_csv *csv, const char *p, char end_byte, double *value) {
  const char *text;
  size_t length;
  const char *next = simple_cell(csv, p, end_byte, &text, &length);
  if (!next) return NULL;
  ank_csv_trim(&text, &length);
  if (ank_missing_has(&csv->missing, text, length)) {
    *value = NAN;
    return next;
  }
  return ank_number_parse(value, text, length) <= ANK_NUMBER_NAN ? next : NULL;
}

/* Read the number or date in a trimmed, filled cell. Returns 0 if it is not in the column's format. */
static int read_odd(double *value, const ank_cell_format *spelling, const char *text, size_t length) {
  *value = NAN;
  if (spelling->kind == ANK_CELL_FORMAT_TIME)
    return ank_cell_format_moment(value, spelling, text, length) || ank_missing_among_numbers(text, length);
  return ank_cell_format_number(value, spelling, text, length) <= ANK_NUMBER_NAN ||
         ank_missing_among_numbers(text, length);
}

/* Read a cell that is not a plain number: a text, a number in another format, a time. */
static const char *other_cell(const ank_csv *csv, const char *p, char end_byte, ank_csv_target *target,
                              size_t row, anorank_status *status, anorank_error *err) {
  const char *text;
  size_t length;
  if (*p == ' ' || *p == '\t') return NULL; /* a quote may follow */
  const char *next = simple_cell(csv, p, end_byte, &text, &length);
  if (!next) return NULL;
  trim(&text, &length);
  int missing = ank_missing_has(&csv->missing, text, length);
  if (target->odd) {
    target->odd[row] = NAN;
    return missing || read_odd(&target->odd[row], target->spelling, text, length) ? next : NULL;
  }
  if (missing)
    target->codes[row] = -1;
  else
    *status = ank_levels_code(&target->codes[row], target->levels, text, length, err);
  return *status == ANORANK_OK ? next : NULL;
}

/* Whether the row lacks a time that it must have. */
static inline int lacks_time(const ank_csv *csv, size_t row) {
  if (csv->time == SIZE_MAX) return 0;
  const ank_csv_target *target = &csv->targets[csv->time];
  const double *numbers = target->numbers ? target->numbers : target->odd;
  return numbers ? isnan(numbers[row]) : target->codes[row] < 0;
}

/* Keep the raw cell from `start` to the next one, without quotes. */
static anorank_status remember(ank_csv_target *target, const char *start, const char *next, size_t row,
                               anorank_error *err) {
  const char *end = next - 1; /* the delimiter or newline */
  if (end > start && *end == '\n' && end[-1] == '\r') end--;
  if (*start == '"') start++, end--;
  return ank_raw_cells_put(target->raw_cells, row, start, (size_t)(end - start), err);
}

/* `keeps` is a constant at each call, so files without kept columns pay nothing. */
static inline __attribute__((always_inline)) const char *
row_at(ank_csv *csv, const char *p, size_t row, int keeps, anorank_status *status, anorank_error *err) {
  char delimiter = csv->dialect.delimiter;
  size_t columns = csv->columns;
  int numbers_missing = csv->missing.numbers;
  for (size_t j = 0; j < columns; j++) {
    ank_csv_target *target = &csv->targets[j];
    char end_byte = j + 1 < columns ? delimiter : '\n';
    const char *start = p;
    if (target->numbers) {
      double value;
      const char *end = ank_number_scan(&value, p), *next = end ? pass_end(end, end_byte) : NULL;
      if (next && numbers_missing && ank_missing_has(&csv->missing, p, (size_t)(end - p))) value = NAN;
      p = next ? next : odd_number(csv, p, end_byte, &value);
      if (!p) return NULL;
      target->numbers[row] = value;
    } else {
      p = other_cell(csv, p, end_byte, target, row, status, err);
      if (!p) return NULL;
    }
    if (keeps && target->raw_cells) {
      *status = remember(target, start, p, row, err);
      if (*status != ANORANK_OK) return NULL;
    }
  }
  return lacks_time(csv, row) ? NULL : p;
}

static const char *fast_row(ank_csv *csv, const char *p, size_t row, anorank_status *status,
                            anorank_error *err) {
  return row_at(csv, p, row, 0, status, err);
}

static const char *keeping_row(ank_csv *csv, const char *p, size_t row, anorank_status *status,
                               anorank_error *err) {
  return row_at(csv, p, row, 1, status, err);
}

const char *ank_csv_plain_row(ank_csv *csv, const char *p, size_t row) {
  anorank_status status = ANORANK_OK; /* constant for numbers, which need no memory */
  return fast_row(csv, p, row, &status, NULL);
}

static const char *pass_blanks(const char *p) {
  while (*p == ' ' || *p == '\t') p++;
  return p;
}

/* Like fast_row, for runs of blanks between the cells; plain numbers only. */
static const char *fast_row_in_runs(ank_csv *csv, const char *p, size_t row) {
  for (size_t j = 0; j < csv->columns; j++) {
    double value;
    if (!csv->targets[j].numbers || csv->missing.numbers || csv->keeps) return NULL;
    const char *end = ank_number_scan(&value, pass_blanks(p));
    if (!end || !csv->dialect.stop[(unsigned char)*end]) return NULL;
    csv->targets[j].numbers[row] = value;
    p = end;
  }
  return lacks_time(csv, row) ? NULL : pass_end(pass_blanks(p), '\n');
}

/* Return whether the first cell of the line at p is the name of the first column. It may be a repeated
 * header, which the general path recognises. */
static int begins_like_header(const ank_csv *csv, const char *p, const char *end, const char *name,
                              size_t length) {
  while (p < end && (*p == ' ' || *p == '\t' || *p == '"')) p++;
  if (length == 0 || (size_t)(end - p) < length || memcmp(p, name, length) != 0) return 0;
  p += length; /* the buffer ends in zeros */
  return csv->dialect.stop[(unsigned char)*p] || *p == ' ' || *p == '\t' || *p == '"' ||
         (unsigned char)*p >= 0x80; /* perhaps a blank */
}

anorank_status ank_csv_fast_rows(ank_csv *csv, anorank_table *table, size_t enough, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const char *p = csv->buffer + csv->from, *end = csv->buffer + csv->lines_end;
  const char *name = csv->header ? table->column[0].name : "";
  size_t length = strlen(name);
  int ready = 0;
  if (csv->blank_rows > 0) return ANORANK_OK;
  while (p < end && table->rows < enough) {
    if (begins_like_header(csv, p, end, name, length)) break;
    if (!ready || table->rows == table->capacity) {
      status = ank_csv_make_room(csv, table, table->rows + 1, err);
      if (status != ANORANK_OK) return status;
      ready = 1;
    }
    const char *next = csv->dialect.runs ? fast_row_in_runs(csv, p, table->rows)
                       : csv->keeps      ? keeping_row(csv, p, table->rows, &status, err)
                                         : fast_row(csv, p, table->rows, &status, err);
    if (!next) break;
    table->rows++;
    csv->line++;
    p = next;
  }
  csv->from = (size_t)(p - csv->buffer);
  return status;
}

/* ---- the general path -------------------------------------------------------------------------------- */

/* Return the thousands separator that fits this cell and those before it, or NULL. */
static const char *helpful_mark(const ank_cell_format *spelling, const char *text, size_t length) {
  static const char *const marks[] = {NULL, ".", ",", "space", "'"};
  ank_parsed_number written;
  int comma = spelling->kind == ANK_CELL_FORMAT_NUMBER && ank_way_has_comma(spelling->way);
  if (!ank_parsed_number_split(&written, text, length) || written.percent || written.affix[0]) return NULL;
  /* Earlier cells used this position for another mark, so no thousands separator fits. */
  if (spelling->kind == ANK_CELL_FORMAT_TIME || ank_way_thousands(spelling->way) != ANK_THOUSANDS_NONE)
    return NULL;
  for (ank_thousands thousands = ANK_THOUSANDS_POINT; thousands < ANK_THOUSANDS_COUNT; thousands++)
    if (ank_parsed_number_formats(&written) >> ank_way_of(comma, thousands) & 1) return marks[thousands];
  return NULL;
}

anorank_status ank_csv_refuse_word(const char *source, size_t line, const char *name, const char *text,
                                   size_t length, const anorank_settings *settings, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE], named[ANK_QUOTE_SIZE];
  (void)ank_fail(err, ANORANK_ERROR_DATA, "cell-not-number", "%s:%zu: column '%s' holds \"%s\", not a number",
                 source, line, ank_quote(named, name, strlen(name)), ank_quote(quoted, text, length));
  ank_error_set_location(err, source, line, name);
  if (length <= 40) ank_remedy_add(err, "missing", settings->missing, text, length);
  ank_remedy_add(err, "categorical", settings->categorical, name, strlen(name));
  return ANORANK_ERROR_DATA;
}

anorank_status ank_csv_refuse_range(const char *source, size_t line, const char *name, const char *text,
                                    size_t length, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE], named[ANK_QUOTE_SIZE];
  (void)ank_fail(err, ANORANK_ERROR_DATA, "cell-number-range",
                 "%s:%zu: column '%s' holds \"%s\", which is too large; the largest number is about 1.8e308",
                 source, line, ank_quote(named, name, strlen(name)), ank_quote(quoted, text, length));
  ank_error_set_location(err, source, line, name);
  return ANORANK_ERROR_DATA;
}

/* Write the error of text among numbers in a first line read as data. */
static anorank_status refuse_first_line(const ank_csv *csv, const char *name, const char *text, size_t length,
                                        anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE], named[ANK_QUOTE_SIZE];
  const char *source = ank_source_name(csv->source);
  (void)ank_fail(err, ANORANK_ERROR_DATA, "cell-not-number",
                 "%s:%zu: column '%s' holds \"%s\", not a number; this line may be a header", source,
                 csv->line, ank_quote(named, name, strlen(name)), ank_quote(quoted, text, length));
  ank_error_set_location(err, source, csv->line, name);
  ank_error_set_setting(err, "header");
  ank_remedy(err, "header", "yes");
  ank_remedy_add(err, "categorical", csv->settings->categorical, name, strlen(name));
  return ANORANK_ERROR_DATA;
}

/* Write the error of a cell that is not a number in a numeric column, or not a date in a time column. */
static anorank_status refuse_cell(const ank_csv *csv, const anorank_table *table, size_t column,
                                  const char *text, size_t length, ank_number_kind kind, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE], named[ANK_QUOTE_SIZE], example[ANK_QUOTE_SIZE];
  const char *source = ank_source_name(csv->source), *name = table->column[column].name;
  const ank_cell_format *spelling = &csv->spellings[column];
  const char *mark = helpful_mark(spelling, text, length);
  ank_quote(quoted, text, length);
  ank_quote(named, name, strlen(name));
  ank_quote(example, spelling->example, strlen(spelling->example));
  if (kind == ANK_NUMBER_TOO_LARGE) return ank_csv_refuse_range(source, csv->line, name, text, length, err);
  if (kind == ANK_NUMBER_TOO_LONG) {
    (void)ank_fail(err, ANORANK_ERROR_DATA, "cell-number-length",
                   "%s:%zu: column '%s' holds \"%s\", a number of more than %d characters; round it", source,
                   csv->line, named, quoted, ANK_NUMBER_MOST);
    ank_error_set_location(err, source, csv->line, name);
    return ANORANK_ERROR_DATA;
  }
  if (mark) {
    (void)ank_fail(err, ANORANK_ERROR_DATA, "cell-number-format",
                   "%s:%zu: column '%s' holds \"%s\", in another format than the numbers before it", source,
                   csv->line, named, quoted);
    ank_error_set_location(err, source, csv->line, name);
    ank_remedy(err, "thousands", mark);
    return ANORANK_ERROR_DATA;
  }
  if (csv->line == csv->first_line) return refuse_first_line(csv, name, text, length, err);
  if (spelling->kind == ANK_CELL_FORMAT_PLAIN)
    return ank_csv_refuse_word(source, csv->line, name, text, length, csv->settings, err);
  (void)ank_fail(err, ANORANK_ERROR_DATA, "cell-number-format",
                 "%s:%zu: column '%s' holds \"%s\", in another format than \"%s\" before it", source,
                 csv->line, named, quoted, example);
  ank_error_set_location(err, source, csv->line, name);
  if (length <= 40) ank_remedy_add(err, "missing", csv->settings->missing, text, length);
  ank_remedy_add(err, "categorical", csv->settings->categorical, name, strlen(name));
  return ANORANK_ERROR_DATA;
}

static anorank_status store_cell(ank_csv *csv, anorank_table *table, size_t column, ank_csv_cell *cell,
                                 anorank_error *err) {
  ank_csv_target *target = &csv->targets[column];
  size_t row = table->rows;
  ank_csv_undouble(cell);
  const char *text = cell->text;
  size_t length = cell->length;
  if (target->raw_cells) ANK_CHECK(ank_raw_cells_put(target->raw_cells, row, text, length, err));
  trim(&text, &length);
  int missing = ank_missing_has(&csv->missing, text, length);
  if (!target->numbers && !target->odd) {
    target->codes[row] = -1;
    return missing ? ANORANK_OK : ank_levels_code(&target->codes[row], target->levels, text, length, err);
  }
  double *to = target->numbers ? &target->numbers[row] : &target->odd[row];
  *to = NAN;
  if (missing || (target->odd && read_odd(to, target->spelling, text, length))) return ANORANK_OK;
  ank_number_kind kind = ANK_NUMBER_NONE;
  if (target->spelling->kind != ANK_CELL_FORMAT_TIME)
    kind = ank_cell_format_number(to, target->spelling, text, length);
  if (kind <= ANK_NUMBER_NAN || ank_missing_among_numbers(text, length)) return ANORANK_OK;
  *to = NAN;
  return csv->lenient[column] ? ANORANK_OK : refuse_cell(csv, table, column, text, length, kind, err);
}

/* Return whether the line repeats the header, as in concatenated files. If all names are numbers, it may be a
 * row. */
static int repeats_header(const ank_csv *csv, const anorank_table *table) {
  int words = 0;
  if (!csv->header || csv->record.count != csv->columns) return 0;
  for (size_t j = 0; j < csv->columns; j++) {
    ank_csv_undouble(&csv->record.cells[j]);
    const char *text = csv->record.cells[j].text, *name = table->column[j].name;
    size_t length = csv->record.cells[j].length;
    ank_trim_cell(&text, &length);
    if (length == 0 || strncmp(name, text, length) != 0 || name[length] != '\0') return 0;
    double value;
    words |= ank_number_parse(&value, text, length) == ANK_NUMBER_NONE;
  }
  return words;
}

static anorank_status store_empty(ank_csv *csv, anorank_table *table, size_t column, anorank_error *err) {
  ank_csv_target *target = &csv->targets[column];
  if (target->raw_cells) ANK_CHECK(ank_raw_cells_put(target->raw_cells, table->rows, "", 0, err));
  if (target->numbers || target->odd)
    *(target->numbers ? &target->numbers[table->rows] : &target->odd[table->rows]) = NAN;
  else
    target->codes[table->rows] = -1;
  return ANORANK_OK;
}

static anorank_status check_cell_count(const ank_csv *csv, anorank_error *err) {
  if (csv->record.count != csv->columns) {
    (void)ank_fail(err, ANORANK_ERROR_DATA, "csv-cell-count",
                   "%s:%zu: %zu cell%s instead of %zu; correct the line or the delimiter",
                   ank_source_name(csv->source), csv->line, csv->record.count, ANK_S(csv->record.count),
                   csv->columns);
    ank_error_set_location(err, ank_source_name(csv->source), csv->line, NULL);
    ank_error_set_setting(err, "delimiter");
    return ANORANK_ERROR_DATA;
  }
  return ANORANK_OK;
}

/* Returns ANORANK_ERROR_DATA for a bad row, which is stored only under bad-rows=rank. */
static anorank_status store_cells(ank_csv *csv, anorank_table *table, anorank_error *err) {
  int keeps = csv->settings->bad_rows == ANK_BAD_ROWS_RANK;
  anorank_status bad = check_cell_count(csv, err);
  if (bad != ANORANK_OK && !keeps) return bad;
  ANK_CHECK(ank_csv_make_room(csv, table, table->rows + 1, err));
  for (size_t j = 0; j < csv->columns; j++) {
    anorank_status status = j < csv->record.count ? store_cell(csv, table, j, &csv->record.cells[j], err)
                                                  : store_empty(csv, table, j, err);
    if (status == ANORANK_ERROR_DATA && keeps)
      bad = status;
    else if (status != ANORANK_OK)
      return status;
  }
  if (lacks_time(csv, table->rows))
    return ank_refuse_no_time(&table->column[csv->time], ank_source_name(csv->source), csv->line, err);
  table->rows++;
  return bad;
}

anorank_status ank_csv_store_record(ank_csv *csv, anorank_table *table, anorank_error *err) {
  if (repeats_header(csv, table)) {
    if (csv->repeats_told++) return ANORANK_OK;
    return ank_notes_add(&table->notes, ANORANK_NOTE_UNDERSTOOD, err, "csv-header-again",
                         "skipped the repeated header at line %zu and any later ones", csv->line);
  }
  /* a delimiter at the end of the rows, but not of the names */
  if (csv->record.count == csv->columns + 1 && csv->columns > 1 &&
      csv->record.cells[csv->columns].length == 0 && !csv->record.cells[csv->columns].quoted)
    csv->record.count--;
  return ank_bad_row(&csv->bad, store_cells(csv, table, err), csv->line, table->rows > 0, csv->settings, err);
}

anorank_status ank_csv_store_nothing(ank_csv *csv, anorank_table *table, anorank_error *err) {
  ANK_CHECK(ank_csv_make_room(csv, table, table->rows + 1, err));
  for (size_t j = 0; j < csv->columns; j++) ANK_CHECK(store_empty(csv, table, j, err));
  table->rows++;
  return ANORANK_OK;
}
