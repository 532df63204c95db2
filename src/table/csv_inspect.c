/* csv_inspect.c - detect names and kinds of columns from the first MiB of a CSV file; see csv.h.
 *
 * Header: the first line has no number (2,5 and $5 are numbers), no date, no missing token and some text, and
 * either numbers follow below it or its cells are all different. It is a row, however, if one of its texts
 * recurs below in the same column, unless one of them stands above a column of numbers.
 *
 * Numbers are names if they fill the line and count up by one, unlike those below: at least two years (2019,
 * 2020), five that begin at 0 or 1, or any next to a text above a column of numbers.
 *
 * Kinds: cell_format.h. */
#include <string.h>

#include "core/alloc.h"
#include "table/csv.h"

typedef enum { EMPTY, MISSING, NUMBER, TEXT } cell_class;

static cell_class classify(const ank_csv *csv, const ank_csv_cell *cell) {
  const char *text = cell->text;
  size_t length = cell->length;
  double value;
  ank_parsed_number written;
  ank_trim_cell(&text, &length);
  if (length == 0) return EMPTY;
  if (ank_missing_has(&csv->missing, text, length)) return MISSING;
  switch (ank_number_parse(&value, text, length)) {
  case ANK_NUMBER_NAN: return MISSING;
  case ANK_NUMBER_NONE: break;
  default: return NUMBER; /* even if too large or too long: reading the row reports that */
  }
  if (ank_parsed_number_split(&written, text, length) && !written.unit && ank_parsed_number_formats(&written))
    return NUMBER;
  return ank_moment_orders(text, length) || ank_duration_parse(&value, text, length) ? NUMBER : TEXT;
}

int ank_csv_is_number(const ank_csv *csv, const ank_csv_cell *cell) { return classify(csv, cell) == NUMBER; }

int ank_csv_next_sample(ank_csv *csv, const ank_csv_dialect *dialect, size_t *at, anorank_status *status,
                        anorank_error *err) {
  size_t end = csv->to - csv->from;
  ank_csv_place place;
  while (*at < end) {
    ank_csv_splitting result = ank_csv_split(&csv->record, dialect, csv->buffer + csv->from + *at, end - *at,
                                             csv->at_end, &place, err);
    if (result == ANK_CSV_MEMORY) *status = ANORANK_ERROR_RESOURCES;
    if (result != ANK_CSV_WHOLE) return result == ANK_CSV_MORE ? 0 : -1;
    *at += csv->record.length;
    if (!csv->record.blank) return 1;
  }
  return 0;
}

/* ---- the first record -------------------------------------------------------------------------------- */

typedef struct first_record {
  ank_csv_cell *cells; /* trimmed; they point into the buffer */
  size_t count;
  int possible;  /* it could be a header, on its own */
  int different; /* its cells are all different */
  int recurs;    /* one of its texts recurs below */
  size_t run;    /* number of its cells that count up by one, else 0 */
  long run_from; /* the first of them */
  int run_below; /* a record below counts up, too */
} first_record;

enum { FIRST_YEAR = 1900, LAST_YEAR = 2100, FEWEST_YEARS = 2, FEWEST_PLACES = 5, FEWEST_NOTED = 3 };

/* Return a whole number in the format of a year or a position; -1 for another text. */
static long counting_number(const ank_csv_cell *cell) {
  const char *text = cell->text;
  size_t length = cell->length;
  long value = 0;
  ank_trim_cell(&text, &length);
  if (length == 0 || length > 6 || (*text == '0' && length > 1)) return -1;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = 10 * value + (text[i] - '0');
  }
  return value;
}

static int holds_years(const first_record *first) {
  return first->run_from >= FIRST_YEAR && first->run_from + (long)first->run - 1 <= LAST_YEAR;
}

/* Return whether the numbers of the first record name columns; `heads`: one of its texts is above a numeric
 * column. */
static int names_by_numbers(const first_record *first, int heads) {
  if (first->run == 0 || first->run_below) return 0;
  if (heads && (first->run >= FEWEST_YEARS || holds_years(first))) return 1;
  return holds_years(first) ? first->run >= FEWEST_YEARS
                            : first->run_from <= 1 && first->run >= FEWEST_PLACES;
}

/* Test whether all cells are distinct. O(n) by hashing. */
static anorank_status all_different(int *out, const ank_csv_record *record, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_levels levels = {0};
  int32_t code;
  *out = 1;
  for (size_t j = 0; *out && j < record->count && j < ANORANK_MAX_COLUMNS; j++) {
    ANK_TRY(ank_levels_code(&code, &levels, record->cells[j].text, record->cells[j].length, err));
    *out = (size_t)code == j;
  }
done:
  ank_levels_free(&levels);
  return status;
}

static void trim_cell(ank_csv_cell *cell) {
  const char *text = cell->text;
  ank_trim_cell(&text, &cell->length);
  cell->text += text - cell->text;
}

static void find_run(first_record *out, const ank_csv *csv) {
  long before = -1;
  out->run = 0;
  for (size_t j = 0; j < out->count; j++) {
    cell_class class = classify(csv, &out->cells[j]);
    if (class == EMPTY || class == TEXT) continue;
    long number = class == NUMBER ? counting_number(&out->cells[j]) : -1;
    if (number < 0 || (out->run > 0 && number != before + 1)) {
      out->run = 0;
      return;
    }
    if (out->run++ == 0) out->run_from = number;
    before = number;
  }
}

static anorank_status judge_first(first_record *out, const ank_csv *csv, anorank_error *err) {
  const ank_csv_record *record = &csv->record;
  size_t texts = 0;
  out->possible = 1;
  out->count = record->count < csv->columns ? record->count : csv->columns;
  ANK_CHECK(ank_alloc(&out->cells, out->count, sizeof *out->cells, err));
  for (size_t j = 0; j < out->count; j++) {
    cell_class class = classify(csv, &record->cells[j]);
    texts += class == TEXT;
    if (class == NUMBER || class == MISSING) out->possible = 0;
    out->cells[j] = record->cells[j];
    trim_cell(&out->cells[j]);
  }
  if (texts == 0) out->possible = 0;
  find_run(out, csv);
  return all_different(&out->different, record, err);
}

/* Test whether a record below also counts up, or has years, in the numeric columns of the first record. */
static void look_for_run(first_record *first, const ank_csv *csv) {
  const ank_csv_record *record = &csv->record;
  long before = -1;
  int counts = 1, years = holds_years(first);
  if (first->run < FEWEST_YEARS || first->run_below) return;
  for (size_t j = 0; j < first->count && j < record->count; j++) {
    if (classify(csv, &first->cells[j]) != NUMBER) continue;
    long number = counting_number(&record->cells[j]);
    if (number < 0) return;
    counts &= before < 0 || number == before + 1;
    years &= number >= FIRST_YEAR && number <= LAST_YEAR;
    before = number;
  }
  first->run_below = counts || years;
}

/* Test whether a text of the first record recurs in its column. Returns 1 if the whole line recurs, which is
 * a repeated header. */
static int look_for_first(first_record *first, const ank_csv_record *record) {
  size_t same = 0, filled = 0;
  for (size_t j = 0; j < first->count && j < record->count; j++) {
    ank_csv_cell cell = record->cells[j];
    trim_cell(&cell);
    if (first->cells[j].length == 0) continue;
    filled++;
    same +=
        cell.length == first->cells[j].length && memcmp(cell.text, first->cells[j].text, cell.length) == 0;
  }
  if (same > 0 && same < filled) first->recurs = 1;
  return filled > 0 && same == filled && record->count == first->count;
}

/* ---- the second record: units? ----------------------------------------------------------------------- */

typedef struct second_record {
  ank_csv_cell *cells;
  size_t count;
  int possible; /* only short texts */
} second_record;

static anorank_status keep_second(second_record *out, const ank_csv *csv, anorank_error *err) {
  enum { LONGEST_UNIT = 16 };
  const ank_csv_record *record = &csv->record;
  out->possible = record->count == csv->columns;
  for (size_t j = 0; out->possible && j < record->count; j++) {
    cell_class class = classify(csv, &record->cells[j]);
    out->possible = class == EMPTY || (class == TEXT && record->cells[j].length <= LONGEST_UNIT);
  }
  if (!out->possible) return ANORANK_OK;
  out->count = record->count;
  anorank_status status = ank_alloc(&out->cells, out->count, sizeof *out->cells, err);
  if (status == ANORANK_OK) memcpy(out->cells, record->cells, out->count * sizeof *out->cells);
  return status;
}

/* Return whether the second record holds units: below one of its cells, a column has only numbers or times,
 * in a format that the cell does not have. That holds for "kg" above 12 and 7, but not for "12 kg" above "7
 * kg". */
static int holds_units(const second_record *second, const ank_cell_sample *tallies) {
  for (size_t j = 0; second->possible && j < second->count; j++) {
    const ank_cell_sample *tally = &tallies[j];
    const char *text = second->cells[j].text;
    size_t length = second->cells[j].length;
    ank_parsed_number written;
    ank_trim_cell(&text, &length);
    if (length == 0 || tally->cells < 2 || ank_parsed_number_split(&written, text, length)) continue;
    if (ank_missing_among_numbers(text, length)) continue;
    if (tally->numbers == tally->cells || tally->moments == tally->cells) return 1;
  }
  return 0;
}

/* ---- the columns ------------------------------------------------------------------------------------- */

/* Memory for a cell without its doubled quotes, since the buffer must not change. */
typedef struct scratch {
  char *text;
  size_t capacity;
} scratch;

static anorank_status add_cell(ank_cell_sample *tally, const ank_csv *csv, ank_csv_cell cell, scratch *room,
                               anorank_error *err) {
  if (cell.doubled) {
    ANK_CHECK(ank_reserve(&room->text, &room->capacity, cell.length, 1, err));
    memcpy(room->text, cell.text, cell.length);
    cell.text = room->text;
    ank_csv_undouble(&cell);
  }
  const char *text = cell.text;
  size_t length = cell.length;
  ank_trim_cell(&text, &length);
  if (length > 0 && !ank_missing_has(&csv->missing, text, length)) ank_cell_sample_add(tally, text, length);
  return ANORANK_OK;
}

/* Return whether a text of the first record is above a column of numbers or times. */
static int heads_numbers(const first_record *first, const ank_csv *csv, const ank_cell_sample *tallies) {
  for (size_t j = 0; j < first->count; j++) {
    const ank_cell_sample *tally = &tallies[j];
    const ank_csv_cell *cell = &first->cells[j];
    size_t most = tally->numbers > tally->moments ? tally->numbers : tally->moments;
    if (tally->durations > most) most = tally->durations;
    if (most > 0 && 10 * most >= 9 * tally->cells && classify(csv, cell) == TEXT &&
        !ank_missing_among_numbers(cell->text, cell->length))
      return 1;
  }
  return 0;
}

/* Estimate the rows from those of the sample and its bytes; the buffer holds all bytes read so far. */
static size_t guess_rows(const ank_csv *csv, size_t rows, size_t bytes) {
  double share = csv->at_end ? 1 : ank_source_share(csv->source);
  if (share <= 0 || bytes == 0) return SIZE_MAX;
  double guess = 1.02 * (double)csv->to / share * ((double)rows / (double)bytes) + 16;
  return guess < 1e15 ? (size_t)guess : SIZE_MAX;
}

static void decide(ank_csv *csv, const ank_cell_sample *tallies) {
  const anorank_settings *settings = csv->settings;
  ank_cell_format_hints hints = {.delimiter = csv->dialect.delimiter,
                                 .decimal = settings->decimal,
                                 .thousands = settings->thousands,
                                 .date_order = settings->date_order};
  for (size_t j = 0; j < csv->columns; j++) ank_cell_format_hint(&hints, &tallies[j]);
  for (size_t j = 0; j < csv->columns; j++) ank_cell_format_decide(&csv->spellings[j], &tallies[j], &hints);
}

/* Decide whether the first record is a header. */
static void judge_header(ank_csv_view *view, const first_record *first, const ank_csv *csv,
                         const ank_cell_sample *tallies, size_t rows) {
  size_t numbers_below = 0;
  for (size_t j = 0; j < csv->columns; j++) numbers_below += tallies[j].numbers + tallies[j].moments;
  int heads = heads_numbers(first, csv, tallies);
  int texts = first->possible && (heads || (!first->recurs && (numbers_below > 0 || first->different)));
  int numbers = rows > 1 && names_by_numbers(first, heads);
  int automatic = csv->settings->header == ANORANK_HEADER_AUTO;
  view->header = automatic ? texts || numbers : csv->settings->header == ANORANK_HEADER_YES;
  view->counts = rows > 1 && !first->run_below && first->run >= FEWEST_NOTED;
  view->doubtful =
      automatic && (numbers || view->counts || (first->possible && (first->recurs || numbers_below == 0)));
}

anorank_status ank_csv_inspect(ank_csv *csv, ank_csv_view *view, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t at = 0, rows = 0;
  first_record first = {0};
  second_record second = {0};
  ank_cell_sample *tallies = NULL;
  scratch room = {0};
  ANK_TRY(ank_alloc(&tallies, csv->columns, sizeof *tallies, err));
  while (ank_csv_next_sample(csv, &csv->dialect, &at, &status, err) > 0) {
    const ank_csv_record *record = &csv->record;
    if (rows++ == 0) {
      ANK_TRY(judge_first(&first, csv, err));
      continue;
    }
    if (first.possible && look_for_first(&first, record)) continue;
    look_for_run(&first, csv);
    if (rows == 2 && first.possible) ANK_TRY(keep_second(&second, csv, err));
    if (rows == 2 && second.possible) continue; /* its cells are added below, if it is a row */
    for (size_t j = 0; j < csv->columns && j < record->count; j++)
      ANK_TRY(add_cell(&tallies[j], csv, record->cells[j], &room, err));
  }
  if (status != ANORANK_OK) goto done;
  csv->expected_rows = guess_rows(csv, rows, at);
  view->units = holds_units(&second, tallies);
  for (size_t j = 0; j < second.count && !view->units; j++)
    ANK_TRY(add_cell(&tallies[j], csv, second.cells[j], &room, err));
  judge_header(view, &first, csv, tallies, rows);
  for (size_t j = 0; j < first.count && !view->header; j++)
    ANK_TRY(add_cell(&tallies[j], csv, first.cells[j], &room, err));
  decide(csv, tallies);
done:
  ank_free(room.text);
  ank_free(first.cells);
  ank_free(second.cells);
  ank_free(tallies);
  return status;
}
