/* csv.h - shared declarations of the CSV and TSV reader.
 *
 *   format_csv.c  the buffer, the reader class
 *   csv_open.c    lines above the table, delimiter, names: everything before the first row
 *   csv_split.c   one record into cells: quotes, line ends
 *   csv_detect.c  delimiter and titles from the first lines
 *   csv_inspect.c header and kinds of columns from the first MiB
 *   csv_rows.c    cells into the table: a fast path for plain rows, and a general one
 *   csv_parallel.c  plain rows of numbers on several threads
 *
 * A record is a line, or several if quotes contain newlines. Beyond RFC 4180: LF, CRLF and CR all end lines;
 * blanks before an opening and after a closing quote are skipped; a quote inside a cell that does not start
 * with one is an ordinary character; the delimiter ' ' means any run of spaces and tabs. */
#ifndef ANK_TABLE_CSV_H
#define ANK_TABLE_CSV_H

#include "table/bad_rows.h"
#include "table/cell_format.h"
#include "table/cell_words.h"
#include "table/raw_cells.h"
#include "table/reader.h"

#define ANK_CSV_SAMPLE ((size_t)1 << 20)
#define ANK_CSV_MOST_LINE ((size_t)64 << 20)
#define ANK_CSV_PADDING 64 /* zero bytes after the text: sentinels, and room to read eight digits at a time */

typedef struct ank_csv_cell {
  char *text; /* without the quotes */
  size_t length;
  unsigned char quoted, doubled; /* doubled: it contains "" for " */
} ank_csv_cell;

typedef struct ank_csv_record {
  ank_csv_cell *cells;
  size_t capacity;
  size_t count;  /* cells in the record; those beyond ANORANK_MAX_COLUMNS are counted, not stored */
  size_t length; /* bytes, with the line end */
  size_t lines;  /* lines that it spans */
  int blank;     /* only blanks */
} ank_csv_record;

typedef enum ank_csv_splitting {
  ANK_CSV_WHOLE,
  ANK_CSV_MORE,        /* the record continues after the text */
  ANK_CSV_OPEN_QUOTE,  /* a quote is open at the end of the file */
  ANK_CSV_AFTER_QUOTE, /* text between a closing quote and the delimiter */
  ANK_CSV_NUL,
  ANK_CSV_MEMORY
} ank_csv_splitting;

/* Position of a splitting error, for messages. */
typedef struct ank_csv_place {
  size_t lines;  /* after the record's first line */
  size_t column; /* cell, counted from 1 */
} ank_csv_place;

/* The CSV dialect. */
typedef struct ank_csv_dialect {
  char delimiter;
  int runs;                /* delimiter ' ': any run of blanks */
  unsigned char stop[256]; /* 1: ends an unquoted cell, or needs a closer look */
} ank_csv_dialect;

/* The destination of the cells of a column. */
typedef struct ank_csv_target {
  double *numbers; /* plain numbers; NULL: another kind */
  double *odd;     /* numbers in another format, or times; see `spelling` */
  const ank_cell_format *spelling;
  int32_t *codes;
  ank_levels *levels;
  ank_raw_cells *raw_cells; /* NULL: no raw cells are kept */
} ank_csv_target;

typedef struct ank_csv {
  ank_source *source;
  const anorank_settings *settings;
  char *buffer;
  size_t capacity, from, to; /* unread: [from, to); ANK_CSV_PADDING zero bytes follow `to` */
  size_t lines_end;          /* after the last '\n' in the buffer, 0 if there is none */
  int at_end;                /* the file ends at `to` */
  size_t line;               /* number of the line at `from` */
  ank_csv_dialect dialect;
  ank_missing missing;
  ank_csv_record record;
  size_t columns;
  ank_csv_target *targets;    /* one per column */
  ank_cell_format *spellings; /* one per column */
  unsigned char *lenient;     /* 1: an unused column, in which nothing is an error */
  int parallel;               /* large enough for several threads */
  size_t time;                /* a column that every row must have; SIZE_MAX: none */
  int header;                 /* the first record named the columns */
  size_t first_line;          /* of the first row, if a guess decided that it is a row; 0: no guess */
  int repeats_told;           /* the note on a repeated header is written */
  int keeps;                  /* some column keeps raw cells */
  size_t expected_rows;       /* estimate from the sample; SIZE_MAX: none */
  size_t titles;              /* records above the table */
  ank_bad_rows bad;           /* skipped rows */
  size_t blank_rows;          /* one column: empty lines that become rows if more rows follow */
} ank_csv;

/* format_csv.c */
/* Move the rest to the front, grow if nothing was consumed, and continue reading. */
anorank_status ank_csv_refill(ank_csv *csv, anorank_error *err);
/* Split the record at `from` into csv->record without consuming it; `*got` is 0 at the end of the file. */
anorank_status ank_csv_find_record(ank_csv *csv, int *got, anorank_error *err);
void ank_csv_take_record(ank_csv *csv);

/* csv_open.c */
/* Read from the start of the source to the first row. `usual`: the fallback delimiter. */
anorank_status ank_csv_open(ank_csv *csv, anorank_table *table, char usual, anorank_error *err);

/* csv_split.c */
void ank_csv_dialect_set(ank_csv_dialect *dialect, char delimiter);
/* Split the record at the start of the text, which is not changed. `err` is for ANK_CSV_MEMORY. */
ank_csv_splitting ank_csv_split(ank_csv_record *record, const ank_csv_dialect *dialect, char *text,
                                size_t length, int at_end, ank_csv_place *place, anorank_error *err);
/* Turn "" into " in place. */
void ank_csv_undouble(ank_csv_cell *cell);

/* csv_detect.c */
/* Set the dialect and csv->titles. `given`: the delimiter, or 0 to detect it. */
anorank_status ank_csv_choose_delimiter(ank_csv *csv, char given, char fallback, anorank_error *err);

/* csv_inspect.c */
/* Results of the sample on the columns. */
typedef struct ank_csv_view {
  int header;   /* the first record names the columns */
  int doubtful; /* and the decision is a guess */
  int counts;   /* its numbers count up: 2019, 2020, 2021 */
  int units;    /* the second record has units, or other texts above columns of numbers */
} ank_csv_view;
/* Set csv->spellings and csv->expected_rows. */
anorank_status ank_csv_inspect(ank_csv *csv, ank_csv_view *view, anorank_error *err);
/* Step through the complete records of the sample, without blank ones. Returns 1 with the record in
 * csv->record; 0 at the end; -1 on an error, which reading the rows will report. */
int ank_csv_next_sample(ank_csv *csv, const ank_csv_dialect *dialect, size_t *at, anorank_status *status,
                        anorank_error *err);
/* Return whether the cell is a number or a date in any format, without a unit. */
int ank_csv_is_number(const ank_csv *csv, const ank_csv_cell *cell);

/* csv_rows.c */
/* Write the error of a text among numbers, with remedies. */
anorank_status ank_csv_refuse_word(const char *source, size_t line, const char *name, const char *text,
                                   size_t length, const anorank_settings *settings, anorank_error *err);
/* Write the error of a number beyond the range of a double. */
anorank_status ank_csv_refuse_range(const char *source, size_t line, const char *name, const char *text,
                                    size_t length, anorank_error *err);
void ank_csv_trim(const char **text, size_t *length);
/* Append rows on the fast path until a row is not plain, the buffer's whole lines end, or the table has
 * `enough` rows. A row that is not plain is left in the buffer, without an error. */
anorank_status ank_csv_fast_rows(ank_csv *csv, anorank_table *table, size_t enough, anorank_error *err);
/* Read one plain row of numbers at p into row `row`, which has room. Returns its end, or NULL. */
const char *ank_csv_plain_row(ank_csv *csv, const char *p, size_t row);
/* Make room for this total number of rows, and point the targets to it. */
anorank_status ank_csv_make_room(ank_csv *csv, anorank_table *table, size_t rows, anorank_error *err);
/* Append the row of csv->record, whose first line is csv->line. */
anorank_status ank_csv_store_record(ank_csv *csv, anorank_table *table, anorank_error *err);
/* Append a row of missing values. */
anorank_status ank_csv_store_nothing(ank_csv *csv, anorank_table *table, anorank_error *err);

/* csv_parallel.c */
#define ANK_CSV_PARALLEL_BUFFER ((size_t)4 << 20)
/* Return whether several threads can read the rows. Numbers only: levels are numbered in row order. */
int ank_csv_suits_parallel(const ank_csv *csv, const anorank_table *table);
/* Like ank_csv_fast_rows, for a large buffer; does nothing for a small one. */
anorank_status ank_csv_parallel_rows(ank_csv *csv, anorank_table *table, size_t enough, anorank_error *err);

#endif
