/* jsonl.h - shared declarations of the JSON reader.
 *
 *   format_jsonl.c   the reader class: the columns and their kinds from the first MiB
 *   jsonl_records.c  find the next record in the text: a line, or an element of an array
 *   jsonl_rows.c     values, objects and arrays into the table
 *   json_line.c      the tokens of a record */
#ifndef ANK_TABLE_JSONL_H
#define ANK_TABLE_JSONL_H

#include "table/csv.h"

/* ---- json_line.c: the tokens of a record, mostly a line: a flat object or a flat array ---- */

typedef enum ank_json_kind {
  ANK_JSON_NULL,
  ANK_JSON_NUMBER, /* also true (1), false (0), and NaN, Infinity, -Infinity as Python writes them */
  ANK_JSON_TEXT
} ank_json_kind;

typedef struct ank_json_value {
  ank_json_kind kind;
  double number;
  int too_large;    /* beyond the range of a double; 1e999 is infinity instead */
  const char *text; /* a text with its escapes decoded; other tokens as in the line */
  size_t length;
} ank_json_value;

/* ANK_NUMBER_PADDING bytes after the line must be readable; the first must not continue a number (a newline
 * or a NUL does not). */
typedef struct ank_json_line {
  const char *source; /* for messages */
  size_t number;      /* of the line, from 1 */
  const char *start, *at, *end;
  char *scratch; /* texts with escapes; reused for each line, freed with ank_free at the end */
  size_t scratch_size;
} ank_json_line;

/* Skip spaces and return the next character; 0 at the end of the line. */
char ank_json_peek(ank_json_line *line);

/* Consume the character if it is next. */
int ank_json_take(ank_json_line *line, char c);

/* Write the error "file:line: character n: expected ..., found ...". */
anorank_status ank_json_broken(const ank_json_line *line, const char *expected, anorank_error *err);

/* Read a text. It is valid until the next call that reads one, and as long as the line. */
anorank_status ank_json_take_text(const char **text, size_t *length, ank_json_line *line,
                                  const char *expected, anorank_error *err);

/* Read a value. Messages locate it by `key`. An array or an object here is an error. */
anorank_status ank_json_take_value(ank_json_value *value, ank_json_line *line, const char *key,
                                   anorank_error *err);

/* ---- the reader ---- */

typedef struct ank_jsonl_column {
  size_t seen;              /* the last line that contained it */
  size_t numbers, filled;   /* in the sample */
  ank_cell_sample texts;    /* of the sample */
  ank_cell_format spelling; /* of texts that are numbers or moments */
} ank_jsonl_column;

typedef enum ank_json_layout {
  ANK_JSON_LINES,   /* one record per line */
  ANK_JSON_RECORDS, /* records over several lines */
  ANK_JSON_ARRAY    /* [record, record] */
} ank_json_layout;

/* The position in an array of records. */
typedef enum ank_json_place {
  ANK_JSON_START,        /* before '[' */
  ANK_JSON_OPENED,       /* after '[' */
  ANK_JSON_AFTER_RECORD, /* ',' or ']' must follow */
  ANK_JSON_AFTER_COMMA,
  ANK_JSON_CLOSED
} ank_json_place;

/* A record whose end is not yet found. */
typedef struct ank_json_scan {
  size_t done; /* bytes examined so far */
  int depth;   /* nesting of brackets */
  int in_text, escaped;
  int spans_lines;
} ank_json_scan;

typedef struct ank_jsonl {
  ank_source *source;
  const anorank_settings *settings;
  ank_missing missing; /* the same words as in CSV */
  size_t limit;
  char *buffer; /* [from, to), and ANK_NUMBER_PADDING zero bytes */
  size_t from, to, capacity;
  int ended;
  ank_json_layout layout;
  ank_json_place place;
  ank_json_scan scan;
  char bracket; /* '{' or '[': the kind of all records; 0 before the first */
  ank_levels keys;
  ank_jsonl_column *columns;
  size_t count, columns_capacity;
  char *joined; /* "outer.key" */
  size_t joined_capacity;
  size_t time;          /* a column that every row must have; SIZE_MAX: none */
  ank_bad_rows bad;     /* skipped rows */
  anorank_table *table; /* NULL while sampling */
  ank_json_line line;   /* the record; its number is that of the line, or of the record */
} ank_jsonl;

/* Read more bytes after those in the buffer. */
anorank_status ank_jsonl_fill(ank_jsonl *s, anorank_error *err);
/* Return to the first record, which begins at s->buffer + `start`. */
void ank_jsonl_rewind(ank_jsonl *s, size_t start);
/* Detect the layout from the text in the buffer. */
void ank_jsonl_detect(ank_jsonl *s);
/* Set s->line to the next record in the buffer and move past it; `*found` is 0 if it is incomplete. */
anorank_status ank_jsonl_record_in_buffer(ank_jsonl *s, int *found, anorank_error *err);
/* Get the next record; `*found` is 0 at the end. */
anorank_status ank_jsonl_next_record(ank_jsonl *s, int *found, anorank_error *err);
/* Read the object or array of s->line into the table, or only count without a table. `*taken`: the number of
 * values. */
anorank_status ank_jsonl_take_line(ank_jsonl *s, size_t *taken, anorank_error *err);

#endif
