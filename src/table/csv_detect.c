/* csv_detect.c - detect delimiter and titles from the first lines of a CSV file; see csv.h.
 *
 * Delimiter: the one that splits the first lines into the same number (two or more) of cells. Tab comes
 * first, then the one of , ; | with the largest share of numbers, then the most cells. For delimiters other
 * than the comma, 2,5 is a number; otherwise "a;2,5" would be split at its decimal comma. Blanks are used
 * only if no other delimiter fits and at least half of the cells are numbers. A file that nothing fits has
 * one column.
 *
 * Titles: lines before the first line with the usual number of cells, if all lines after them agree in it,
 * and they themselves are at most half filled. */
#include "table/csv.h"

#include <string.h>

#define LINES_FOR_DELIMITER 64
#define MOST_TITLES 30

typedef struct trial {
  char delimiter;
  size_t records, cells, numbers; /* numbers: after the first record */
  size_t agreeing;                /* records with as many cells as the first */
  size_t titles;                  /* records above the first; excluded from the other counts */
} trial;

typedef struct line {
  size_t cells, filled, numbers;
  int open_end; /* the last cell is empty: a delimiter at the end */
} line;

static int is_filled(const ank_csv_cell *cell) {
  const char *text = cell->text;
  size_t length = cell->length;
  ank_csv_trim(&text, &length);
  return length > 0;
}

/* Return the number of cells of most lines, the larger one in a tie. */
static size_t usual_width(const line *lines, size_t count) {
  size_t best = 0, most = 0;
  for (size_t i = 0; i < count; i++) {
    size_t same = 0;
    for (size_t k = 0; k < count; k++) same += lines[k].cells == lines[i].cells;
    if (same > most || (same == most && lines[i].cells > best)) best = lines[i].cells, most = same;
  }
  return best;
}

/* Count lines above a table that a spreadsheet filled with empty cells: "IBAN;DE12 3456;;". They are titles
 * if the first fuller line has a text in every cell: names. */
static size_t count_padded(const line *lines, size_t count, size_t width) {
  size_t titles = 0;
  while (titles < count && titles < MOST_TITLES && 2 * lines[titles].filled <= width) titles++;
  if (titles == count || lines[titles].numbers > 0 || lines[titles].filled != width) return 0;
  return titles;
}

static size_t count_titles(const line *lines, size_t count) {
  size_t width = usual_width(lines, count), titles = 0;
  if (width < 2) return 0;
  while (titles < count && titles < MOST_TITLES &&
         (lines[titles].cells != width ? lines[titles].filled <= (width + 1) / 2
                                       : width >= 3 && lines[titles].filled <= 1))
    titles++;
  size_t padded = width >= 3 ? count_padded(lines, count, width) : 0;
  if (padded > titles) titles = padded;
  if (titles == count || titles == MOST_TITLES || lines[titles].cells != width) return 0;
  /* A table of one line may be the last of several lines of text. */
  if (count - titles < 2) return 0;
  for (size_t i = titles; i < count; i++)
    if (lines[i].cells != width) return 0;
  return titles;
}

/* Ignore a delimiter at the end of all rows if the header lacks it: it does not add a column. */
static void close_ends(line *lines, size_t count) {
  size_t first = 0, width = usual_width(lines, count);
  while (first < count && lines[first].cells + 1 != width) first++;
  if (first == count || width < 3) return;
  for (size_t i = 0; i < count; i++)
    if (lines[i].cells == width && !lines[i].open_end) return;
  for (size_t i = 0; i < count; i++) lines[i].cells -= lines[i].cells == width;
}

static anorank_status try_delimiter(trial *out, ank_csv *csv, char delimiter, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_csv_dialect dialect;
  line lines[LINES_FOR_DELIMITER];
  size_t at = 0, count = 0;
  int more = 1;
  ank_csv_dialect_set(&dialect, delimiter);
  *out = (trial){.delimiter = delimiter};
  while (count < LINES_FOR_DELIMITER && (more = ank_csv_next_sample(csv, &dialect, &at, &status, err)) > 0) {
    const ank_csv_record *record = &csv->record;
    line *now = &lines[count++];
    *now = (line){.cells = record->count};
    for (size_t j = 0; j < record->count && j < ANORANK_MAX_COLUMNS; j++) {
      now->numbers += (size_t)ank_csv_is_number(csv, &record->cells[j]);
      now->filled += (size_t)is_filled(&record->cells[j]);
      now->open_end = !is_filled(&record->cells[j]);
    }
  }
  close_ends(lines, count);
  int guess = more >= 0 && csv->settings->skip_lines < 0 && delimiter != ' '; /* "12 %" contains a blank,
                                                                               * too */
  out->titles = guess ? count_titles(lines, count) : 0;
  for (size_t i = out->titles; i < count; i++) {
    if (out->records++ == 0) out->cells = lines[i].cells;
    out->agreeing += lines[i].cells == out->cells;
    if (out->records > 1) out->numbers += lines[i].numbers;
  }
  out->records += more < 0; /* an invalid record */
  return status;
}

static double share_of_numbers(const trial *fit) {
  return fit->records > 1 ? (double)fit->numbers / ((double)(fit->records - 1) * (double)fit->cells) : 0;
}

/* Return whether the candidate splits the lines, and better than the best so far. */
static int better(const trial *fit, const trial *best) {
  if (fit->cells < 2) return 0;
  int whole = fit->agreeing == fit->records, best_whole = best->agreeing == best->records;
  if (best->cells < 2 || whole != best_whole) return best->cells < 2 || whole;
  if (!whole) return fit->agreeing > best->agreeing;
  if (fit->titles != best->titles) return fit->titles < best->titles;
  if (best->delimiter == '\t') return 0;
  double share = share_of_numbers(fit), best_share = share_of_numbers(best);
  if (share != best_share) return share > best_share;
  /* With equal shares of numbers, the comma is inside the numbers. */
  return fit->cells > best->cells || (fit->cells == best->cells && best->delimiter == ',' && share > 0);
}

anorank_status ank_csv_choose_delimiter(ank_csv *csv, char given, char fallback, anorank_error *err) {
  trial best = {.delimiter = given ? given : fallback}, now;
  if (given) ANK_CHECK(try_delimiter(&best, csv, given, err));
  for (const char *candidate = "\t,;|"; *candidate && !given; candidate++) {
    ANK_CHECK(try_delimiter(&now, csv, *candidate, err));
    if (better(&now, &best)) best = now;
  }
  if (best.cells < 2 && !given) {
    ANK_CHECK(try_delimiter(&now, csv, ' ', err));
    if (now.cells > 1 && now.agreeing == now.records && (now.records == 1 || share_of_numbers(&now) >= 0.5))
      best = now;
  }
  ank_csv_dialect_set(&csv->dialect, best.delimiter);
  csv->titles = best.titles;
  return ANORANK_OK;
}
