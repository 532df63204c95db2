/* format_csv.c - the reader class of CSV and TSV files; csv.h describes the syntax.
 *
 * Blank lines are skipped. In a file of one column an empty line is a missing value, except at the end of the
 * file; writers should write "" there. A line has at most 64 MiB. Excel's first line "sep=;" names the
 * delimiter. */
#include <string.h>

#include "core/alloc.h"
#include "core/utf8.h"
#include "table/csv.h"
#include "table/format.h"
#include "table/source_text.h"

/* ---- the buffer -------------------------------------------------------------------------------------- */

/* Move the rest to the front, grow if nothing was consumed, and continue reading. */
anorank_status ank_csv_refill(ank_csv *csv, anorank_error *err) {
  size_t held = csv->to - csv->from, got;
  int small = csv->parallel && csv->capacity < ANK_CSV_PARALLEL_BUFFER;
  if ((csv->from == 0 && held == csv->capacity) || small) {
    size_t grown = csv->capacity == 0 ? ANK_CSV_SAMPLE : small ? ANK_CSV_PARALLEL_BUFFER : 2 * csv->capacity;
    ANK_CHECK(ank_resize(&csv->buffer, grown + ANK_CSV_PADDING, 1, err));
    csv->capacity = grown;
  }
  memmove(csv->buffer, csv->buffer + csv->from, held);
  csv->from = 0;
  csv->to = held;
  ANK_CHECK(ank_source_read_full(csv->source, csv->buffer + held, csv->capacity - held, &got, err));
  csv->at_end = got < csv->capacity - held;
  csv->to += got;
  memset(csv->buffer + csv->to, 0, ANK_CSV_PADDING);
  csv->lines_end = csv->to;
  while (csv->lines_end > 0 && csv->buffer[csv->lines_end - 1] != '\n') csv->lines_end--;
  if (csv->at_end && ank_utf8_is_cut(csv->buffer, csv->to))
    return ank_text_cut_short(ank_source_name(csv->source), err);
  return ANORANK_OK;
}

static anorank_status write_error(const char *name, size_t line, ank_csv_splitting why, ank_csv_place place,
                                  anorank_error *err) {
  switch (why) {
  case ANK_CSV_OPEN_QUOTE:
    return ank_fail(
        err, ANORANK_ERROR_DATA, "csv-quote-open",
        "%s:%zu: the opening quote of cell %zu is never closed; close it, or double quotes inside the cell",
        name, line, place.column);
  case ANK_CSV_AFTER_QUOTE:
    return ank_fail(
        err, ANORANK_ERROR_DATA, "csv-quote-closed",
        "%s:%zu: cell %zu continues after its closing quote; double any quote inside a quoted cell", name,
        line, place.column);
  case ANK_CSV_NUL:
    return ank_fail(err, ANORANK_ERROR_DATA, "csv-nul-byte",
                    "%s:%zu: column %zu contains a NUL byte; is the file binary or in another encoding?",
                    name, line, place.column);
  default:
    return ank_fail(
        err, ANORANK_ERROR_DATA, "csv-line-size",
        "%s:%zu: the line is longer than %zu MiB; check for an unclosed quote, or for a file that is not CSV",
        name, line, ANK_CSV_MOST_LINE >> 20);
  }
}

static anorank_status refuse_record(const ank_csv *csv, ank_csv_splitting why, ank_csv_place place,
                                    anorank_error *err) {
  const char *name = ank_source_name(csv->source);
  anorank_status status = write_error(name, csv->line + place.lines, why, place, err);
  ank_error_set_location(err, name, csv->line + place.lines, NULL);
  return status;
}

/* Split the record at `from` into csv->record; `*got` is 0 at the end of the file. The record is not
 * consumed. */
anorank_status ank_csv_find_record(ank_csv *csv, int *got, anorank_error *err) {
  ank_csv_place place = {0};
  *got = 0;
  for (;;) {
    ank_csv_splitting result = ANK_CSV_MORE;
    if (csv->from < csv->to)
      result = ank_csv_split(&csv->record, &csv->dialect, csv->buffer + csv->from, csv->to - csv->from,
                             csv->at_end, &place, err);
    else if (csv->at_end)
      break;
    *got = result == ANK_CSV_WHOLE;
    if (result == ANK_CSV_WHOLE) break;
    if (result == ANK_CSV_MEMORY) return ANORANK_ERROR_RESOURCES;
    if (result != ANK_CSV_MORE || csv->to - csv->from >= ANK_CSV_MOST_LINE)
      return refuse_record(csv, result, place, err);
    ANK_CHECK(ank_csv_refill(csv, err));
  }
  return ANORANK_OK;
}

void ank_csv_take_record(ank_csv *csv) {
  csv->from += csv->record.length;
  csv->line += csv->record.lines;
}

static void free_csv(void *state) {
  ank_csv *csv = state;
  if (!csv) return;
  ank_free(csv->buffer);
  ank_free(csv->record.cells);
  ank_free(csv->targets);
  ank_free(csv->spellings);
  ank_free(csv->lenient);
  ank_missing_free(&csv->missing);
  ank_free(csv);
}

static anorank_status open_text(void **state, ank_source *source, anorank_table *table,
                                const anorank_settings *settings, char usual, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_csv *csv = NULL;
  *state = NULL;
  ANK_TRY(ank_alloc(&csv, 1, sizeof *csv, err));
  csv->source = source;
  csv->settings = settings;
  csv->line = 1;
  ANK_TRY(ank_csv_open(csv, table, usual, err));
  *state = csv;
  csv = NULL;
done:
  free_csv(csv);
  return status;
}

static anorank_status open_csv(void **state, ank_source *source, anorank_table *table,
                               const anorank_settings *settings, anorank_error *err) {
  return open_text(state, source, table, settings, ',', err);
}

static anorank_status open_tsv(void **state, ank_source *source, anorank_table *table,
                               const anorank_settings *settings, anorank_error *err) {
  return open_text(state, source, table, settings, '\t', err);
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* Read one record on the general path; `*more` is 0 at the end. */
static anorank_status general_row(ank_csv *csv, anorank_table *table, size_t enough, int *more,
                                  anorank_error *err) {
  ANK_CHECK(ank_csv_find_record(csv, more, err));
  if (!*more) return ANORANK_OK;
  if (csv->record.blank) {
    csv->blank_rows += csv->columns == 1;
    ank_csv_take_record(csv);
    return ANORANK_OK;
  }
  for (; csv->blank_rows > 0 && table->rows < enough; csv->blank_rows--)
    ANK_CHECK(ank_csv_store_nothing(csv, table, err));
  if (table->rows == enough) return ANORANK_OK; /* the record stays for the next call */
  ANK_CHECK(ank_csv_store_record(csv, table, err));
  ank_csv_take_record(csv);
  return ANORANK_OK;
}

static anorank_status next_rows(void *state, anorank_table *table, size_t most, anorank_error *err) {
  ank_csv *csv = state;
  size_t enough = most > SIZE_MAX - table->rows ? SIZE_MAX : table->rows + most;
  int more = 1;
  while (more && table->rows < enough) {
    if (csv->parallel) ANK_CHECK(ank_csv_parallel_rows(csv, table, enough, err));
    ANK_CHECK(ank_csv_fast_rows(csv, table, enough, err));
    if (table->rows < enough) ANK_CHECK(general_row(csv, table, enough, &more, err));
  }
  return more ? ANORANK_OK
              : ank_bad_rows_note(&csv->bad, ank_source_name(csv->source), table, csv->settings, err);
}

static size_t expected_rows(const void *state) { return ((const ank_csv *)state)->expected_rows; }

static const ank_reader_class read_csv = {open_csv, next_rows, expected_rows, free_csv, 1};
static const ank_reader_class read_tsv = {open_tsv, next_rows, expected_rows, free_csv, 1};

/* CSV is the fallback. */
const ank_format ank_format_csv = {
    {"csv", "delimited text", ".csv", 1, 1}, ',', NULL, &read_csv, &ank_write_csv};
const ank_format ank_format_tsv = {
    {"tsv", "text delimited by tabs", ".tsv .tab", 1, 1}, '\t', NULL, &read_tsv, &ank_write_csv};
