/* csv_split.c - split a record into cells; see csv.h. */
#include "table/csv.h"

#include <string.h>

#include "core/alloc.h"

void ank_csv_dialect_set(ank_csv_dialect *dialect, char delimiter) {
  memset(dialect, 0, sizeof *dialect);
  dialect->delimiter = delimiter;
  dialect->runs = delimiter == ' ';
  dialect->stop[(unsigned char)delimiter] = 1;
  dialect->stop['\n'] = dialect->stop['\r'] = dialect->stop[0] = 1;
  if (dialect->runs) dialect->stop['\t'] = 1;
}

/* Return whether c is a blank and not the delimiter. */
static int is_padding(const ank_csv_dialect *dialect, char c) {
  return (c == ' ' || c == '\t') && (dialect->runs || c != dialect->delimiter);
}

static size_t count_lines(const char *text, const char *end) {
  size_t lines = 0;
  for (const char *p = text; p < end; p++)
    lines += *p == '\n' || (*p == '\r' && !(p + 1 < end && p[1] == '\n'));
  return lines;
}

static anorank_status add_cell(ank_csv_record *record, char *text, char *end, int quoted, int doubled,
                               anorank_error *err) {
  if (record->count < ANORANK_MAX_COLUMNS) {
    ANK_CHECK(ank_reserve(&record->cells, &record->capacity, record->count + 1, sizeof *record->cells, err));
    record->cells[record->count] =
        (ank_csv_cell){text, (size_t)(end - text), (unsigned char)quoted, (unsigned char)doubled};
  }
  record->count++;
  return ANORANK_OK;
}

/* Split off the quoted cell whose opening quote is at *at, and move *at past it and the blanks that
 * follow. */
static ank_csv_splitting split_quoted(ank_csv_record *record, const ank_csv_dialect *dialect, char **at,
                                      char *end, int at_end, ank_csv_place *place, anorank_error *err) {
  char *first = *at + 1, *p = first;
  int doubled = 0;
  for (;; p += 2, doubled = 1) {
    p = memchr(p, '"', (size_t)(end - p));
    if (!p) return at_end ? ANK_CSV_OPEN_QUOTE : ANK_CSV_MORE;
    if (p + 1 == end && !at_end) return ANK_CSV_MORE;
    if (p[1] != '"') break; /* at the end of the file this is the final zero byte */
  }
  char *nul = memchr(first, '\0', (size_t)(p - first));
  record->lines += count_lines(first, nul ? nul : p);
  place->lines = record->lines - 1;
  if (nul) return ANK_CSV_NUL;
  if (add_cell(record, first, p, 1, doubled, err) != ANORANK_OK) return ANK_CSV_MEMORY;
  for (p++; is_padding(dialect, *p);) p++;
  *at = p;
  return dialect->stop[(unsigned char)*p] ? ANK_CSV_WHOLE : ANK_CSV_AFTER_QUOTE;
}

/* Split off the cell at *at, quoted or not; *at then points to the byte that ended it. */
static ank_csv_splitting split_cell(ank_csv_record *record, const ank_csv_dialect *dialect, char **at,
                                    char *end, int at_end, ank_csv_place *place, anorank_error *err) {
  char *p = *at;
  place->column = record->count + 1;
  while (is_padding(dialect, *p)) p++;
  if (*p == '"') {
    *at = p;
    return split_quoted(record, dialect, at, end, at_end, place, err);
  }
  for (p = *at; !dialect->stop[(unsigned char)*p];) p++;
  if (add_cell(record, *at, p, 0, 0, err) != ANORANK_OK) return ANK_CSV_MEMORY;
  *at = p;
  return ANK_CSV_WHOLE;
}

static int is_blank(const ank_csv_record *record, const ank_csv_dialect *dialect) {
  const ank_csv_cell *cell = record->cells;
  if (record->count != 1 || cell->quoted) return record->count == 0;
  for (size_t i = 0; i < cell->length; i++)
    if (!is_padding(dialect, cell->text[i])) return 0;
  return 1;
}

ank_csv_splitting ank_csv_split(ank_csv_record *record, const ank_csv_dialect *dialect, char *text,
                                size_t length, int at_end, ank_csv_place *place, anorank_error *err) {
  char *p = text, *end = text + length;
  record->count = 0;
  record->lines = 1;
  *place = (ank_csv_place){0, 0};
  if (dialect->runs)
    while (is_padding(dialect, *p)) p++;
  for (;;) {
    ank_csv_splitting result = ANK_CSV_WHOLE;
    int no_cell = dialect->runs && (*p == '\n' || *p == '\r' || p == end);
    if (!no_cell) result = split_cell(record, dialect, &p, end, at_end, place, err);
    if (result != ANK_CSV_WHOLE) return result;
    if (p == end) {
      if (!at_end) return ANK_CSV_MORE;
      break;
    }
    if (*p == '\0') return ANK_CSV_NUL;
    if (*p == '\n') {
      p++;
      break;
    }
    if (*p == '\r') { /* only the next byte shows whether this is half of a line end */
      if (p + 1 == end && !at_end) return ANK_CSV_MORE;
      p += p[1] == '\n' ? 2 : 1;
      break;
    }
    p++;
    if (dialect->runs)
      while (is_padding(dialect, *p)) p++;
  }
  record->length = (size_t)(p - text);
  record->blank = is_blank(record, dialect);
  return ANK_CSV_WHOLE;
}

void ank_csv_undouble(ank_csv_cell *cell) {
  char *to = cell->text;
  const char *from = cell->text, *end = cell->text + cell->length;
  if (!cell->doubled) return;
  while (from < end) {
    *to++ = *from;
    from += *from == '"' ? 2 : 1;
  }
  cell->length = (size_t)(to - cell->text);
  cell->doubled = 0;
}
