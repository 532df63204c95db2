/* csv_detect.c - what the first MiB tells about a CSV file: delimiter, header, kinds; see csv.h.
 *
 * Delimiter: the one that cuts the first lines into the same number (two or more) of cells; tab first, then
 * the one of , ; | that leaves the largest share of numbers, then the most cells. For the others than the
 * comma 2,5 is a number: else "a;2,5" would be cut at its decimal comma. Blanks only where none of these does
 * it and at least half of the cells are numbers. A file where nothing fits has one column.
 *
 * Header: the first line has no number (2,5 is one here, too) and no missing token in it, some text, and
 * either there are numbers below it or its cells are all different.
 *
 * Kinds: numeric if at least nine tenths of the filled cells are numbers. */
#include "table/csv.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/number.h"

#define LINES_FOR_DELIMITER 64

#define USUAL_MISSING "NA,N/A,NaN,nan,null,NULL,None,?"

/* Take the words of a list, "\\," being a comma within one; `text` has room for all of it. */
static void take_words(ank_csv_missing *missing, char *text, const char *list) {
  double value;
  for (const char *p = list; *p; p += *p == ',') {
    char *end = text;
    for (; *p && *p != ','; p++) {
      if (*p == '\\' && (p[1] == ',' || p[1] == '\\')) p++;
      *end++ = *p;
    }
    const char *word = text;
    size_t length = (size_t)(end - text);
    ank_csv_trim(&word, &length);
    text = end;
    if (length == 0) continue;
    missing->words[missing->count++] = (ank_csv_word){word, length};
    missing->first[(unsigned char)*word] = 1;
    missing->numbers |= ank_number_parse(&value, word, length) != ANK_NUMBER_NONE;
  }
}

anorank_status ank_csv_missing_set(ank_csv_missing *missing, const char *list, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const char *usual = *list == '=' ? "" : USUAL_MISSING, *more = list + (*list == '=');
  size_t most = 2, length = strlen(usual);
  for (const char *p = list; *p; p++) most += *p == ',';
  for (const char *p = usual; *p; p++) most += *p == ',';
  memset(missing, 0, sizeof *missing);
  ANK_TRY(ank_alloc(&missing->text, length + strlen(more) + 1, 1, err));
  ANK_TRY(ank_alloc(&missing->words, most, sizeof *missing->words, err));
  take_words(missing, missing->text, usual);
  take_words(missing, missing->text + length, more);
done:
  return status;
}

void ank_csv_missing_free(ank_csv_missing *missing) {
  ank_free(missing->text);
  ank_free(missing->words);
}

typedef enum { EMPTY, MISSING, NUMBER, TEXT } cell_class;

static cell_class classify(const ank_csv *csv, const ank_csv_cell *cell) {
  const char *text = cell->text;
  size_t length = cell->length;
  double value;
  ank_csv_trim(&text, &length);
  if (length == 0) return EMPTY;
  if (ank_csv_is_missing(&csv->missing, text, length)) return MISSING;
  switch (ank_number_parse(&value, text, length)) {
  case ANK_NUMBER_NAN: return MISSING;
  case ANK_NUMBER_NONE: return TEXT;
  default: return NUMBER; /* also one too large or too long: reading the row will say so */
  }
}

/* A number with a decimal comma, "2,5": text to us, but it tells where cells do not end. */
static int has_decimal_comma(const ank_csv_cell *cell) {
  char point[64];
  const char *text = cell->text, *comma;
  size_t length = cell->length;
  double value;
  ank_csv_trim(&text, &length);
  if (length >= sizeof point || !(comma = memchr(text, ',', length))) return 0;
  memcpy(point, text, length);
  point[comma - text] = '.'; /* a second comma or point stays, and is no number */
  return ank_number_parse(&value, point, length) == ANK_NUMBER;
}

/* Step through the sample's records, the incomplete last one left out, blank ones passed over. 1: there is
 * one; 0: the end; -1: something is wrong, and reading the rows will say what. */
static int next_sample(ank_csv *csv, const ank_csv_dialect *dialect, size_t *at, anorank_status *status,
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

typedef struct trial {
  char delimiter;
  size_t records, cells, numbers; /* numbers: after the first record */
  size_t agreeing;                /* records with as many cells as the first */
} trial;

static anorank_status try_delimiter(trial *out, ank_csv *csv, char delimiter, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_csv_dialect dialect;
  size_t at = 0;
  int more = 1;
  ank_csv_dialect_set(&dialect, delimiter);
  *out = (trial){.delimiter = delimiter};
  while (out->records < LINES_FOR_DELIMITER && (more = next_sample(csv, &dialect, &at, &status, err)) > 0) {
    const ank_csv_record *record = &csv->record;
    if (out->records++ == 0) out->cells = record->count;
    out->agreeing += record->count == out->cells;
    for (size_t j = 0; out->records > 1 && j < record->count && j < ANORANK_MAX_COLUMNS; j++)
      out->numbers += classify(csv, &record->cells[j]) == NUMBER ||
                      (delimiter != ',' && has_decimal_comma(&record->cells[j]));
  }
  out->records += more < 0; /* one that does not agree */
  return status;
}

static double share_of_numbers(const trial *fit) {
  return fit->records > 1 ? (double)fit->numbers / ((double)(fit->records - 1) * (double)fit->cells) : 0;
}

/* Does the candidate cut the lines at all, and better than the best so far? */
static int better(const trial *fit, const trial *best) {
  if (fit->cells < 2) return 0;
  int whole = fit->agreeing == fit->records, best_whole = best->agreeing == best->records;
  if (best->cells < 2 || whole != best_whole) return best->cells < 2 || whole;
  if (!whole) return fit->agreeing > best->agreeing;
  if (best->delimiter == '\t') return 0;
  double share = share_of_numbers(fit), best_share = share_of_numbers(best);
  if (share != best_share) return share > best_share;
  /* As many numbers either way: then the comma stands inside of them. */
  return fit->cells > best->cells || (fit->cells == best->cells && best->delimiter == ',' && share > 0);
}

anorank_status ank_csv_choose_delimiter(ank_csv *csv, char fallback, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  trial best = {.delimiter = fallback}, now;
  for (const char *candidate = "\t,;|"; *candidate; candidate++) {
    ANK_TRY(try_delimiter(&now, csv, *candidate, err));
    if (better(&now, &best)) best = now;
  }
  if (best.cells < 2) {
    ANK_TRY(try_delimiter(&now, csv, ' ', err));
    if (now.cells > 1 && now.agreeing == now.records && (now.records == 1 || share_of_numbers(&now) >= 0.5))
      best = now;
  }
  ank_csv_dialect_set(&csv->dialect, best.delimiter);
done:
  return status;
}

/* Are the cells all different? O(n) by hashing. */
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

/* What the first record looks like by itself: could it be a header? */
static anorank_status judge_first(const ank_csv *csv, int *possible, int *different, anorank_error *err) {
  const ank_csv_record *record = &csv->record;
  size_t texts = 0;
  *possible = 1;
  for (size_t j = 0; j < record->count && j < ANORANK_MAX_COLUMNS; j++) {
    cell_class class = classify(csv, &record->cells[j]);
    texts += class == TEXT;
    if (class == NUMBER || class == MISSING || has_decimal_comma(&record->cells[j])) *possible = 0;
  }
  if (texts == 0) *possible = 0;
  return all_different(different, record, err);
}

/* The sample has that many rows in so many bytes, and the buffer holds all that was read so far. */
static size_t guess_rows(const ank_csv *csv, size_t rows, size_t bytes) {
  double share = csv->at_end ? 1 : ank_source_share(csv->source);
  if (share <= 0 || bytes == 0) return SIZE_MAX;
  double guess = 1.02 * (double)csv->to / share * ((double)rows / (double)bytes) + 16;
  return guess < 1e15 ? (size_t)guess : SIZE_MAX;
}

anorank_status ank_csv_inspect(ank_csv *csv, int *header, unsigned char *categorical, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t columns = csv->columns, at = 0, numbers_below = 0, rows = 0, (*seen)[2] = NULL;
  int possible = 0, different = 0, first = 1;
  unsigned char *first_class = NULL;
  ANK_TRY(ank_alloc(&seen, columns, sizeof *seen, err));
  ANK_TRY(ank_alloc(&first_class, columns, 1, err));
  while (next_sample(csv, &csv->dialect, &at, &status, err) > 0) {
    const ank_csv_record *record = &csv->record;
    rows++;
    if (first) ANK_TRY(judge_first(csv, &possible, &different, err));
    for (size_t j = 0; j < columns && j < record->count; j++) {
      cell_class class = classify(csv, &record->cells[j]);
      if (first) {
        first_class[j] = (unsigned char)class;
        continue;
      }
      seen[j][0] += class == NUMBER || class == TEXT;
      seen[j][1] += class == NUMBER;
      numbers_below += class == NUMBER;
    }
    first = 0;
  }
  if (status != ANORANK_OK) goto done;
  csv->expected_rows = guess_rows(csv, rows, at);
  *header = csv->settings->header == ANORANK_HEADER_YES ||
            (csv->settings->header == ANORANK_HEADER_AUTO && possible && (numbers_below > 0 || different));
  for (size_t j = 0; j < columns; j++) {
    if (!*header) {
      seen[j][0] += first_class[j] == NUMBER || first_class[j] == TEXT;
      seen[j][1] += first_class[j] == NUMBER;
    }
    categorical[j] = seen[j][1] * 10 < seen[j][0] * 9;
  }
done:
  ank_free(seen);
  ank_free(first_class);
  return status;
}
