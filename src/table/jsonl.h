/* jsonl.h - shared declarations of the JSON reader.
 *
 *   format_jsonl.c   the reader class: the columns and their kinds from the first MiB
 *   jsonl_records.c  where the next record is in the text: a line, or an element of an array
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
  int too_large; /* a number beyond the range of a double other than 1e999, which is infinity */
  const char
      *text; /* a text with its escapes resolved; of anything else the token as it stands in the line */
  size_t length;
} ank_json_value;

/* ANK_NUMBER_PADDING bytes behind the line must be readable; the first must not continue a number (a newline
 * or a NUL does not). */
typedef struct ank_json_line {
  const char *source; /* for messages */
  size_t number;      /* of the line, from 1 */
  const char *start, *at, *end;
  char *scratch; /* texts with escapes; keep it from line to line, ank_free it at the end */
  size_t scratch_size;
} ank_json_line;

/* Passes over spaces; 0 at the end of the line. */
char ank_json_peek(ank_json_line *line);

/* Take the character if it is next. */
int ank_json_take(ank_json_line *line, char c);

/* "file:line: character n: expected ..., found ...". */
anorank_status ank_json_broken(const ank_json_line *line, const char *expected, anorank_error *err);

/* The text lives until the next call that takes one, or as long as the line. */
anorank_status ank_json_take_text(const char **text, size_t *length, ank_json_line *line,
                                  const char *expected, anorank_error *err);

/* `key` is what messages call the value's place. An array or an object here is an error. */
anorank_status ank_json_take_value(ank_json_value *value, ank_json_line *line, const char *key,
                                   anorank_error *err);

/* ---- the reader ---- */

typedef struct ank_jsonl_column {
  size_t seen;              /* the last line that had it */
  size_t numbers, filled;   /* in the sample */
  ank_cell_sample texts;    /* of the sample */
  ank_cell_format spelling; /* of texts, where numbers or moments are written so */
} ank_jsonl_column;

typedef enum ank_json_layout {
  ANK_JSON_LINES,   /* one record a line */
  ANK_JSON_RECORDS, /* records that go over several lines */
  ANK_JSON_ARRAY    /* [record, record] */
} ank_json_layout;

/* Where the text stands in an array of records. */
typedef enum ank_json_place {
  ANK_JSON_START,        /* before '[' */
  ANK_JSON_OPENED,       /* behind '[' */
  ANK_JSON_AFTER_RECORD, /* ',' or ']' must follow */
  ANK_JSON_AFTER_COMMA,
  ANK_JSON_CLOSED
} ank_json_place;

/* A record whose end is being looked for. */
typedef struct ank_json_scan {
  size_t done; /* bytes that were looked at */
  int depth;   /* of brackets */
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
  char bracket; /* '{' or '[': what the records hold; 0 before the first */
  ank_levels keys;
  ank_jsonl_column *columns;
  size_t count, columns_capacity;
  char *joined; /* "outer.key" */
  size_t joined_capacity;
  ank_bad_rows bad;     /* rows that were skipped */
  anorank_table *table; /* NULL while sampling */
  ank_json_line line;   /* the record; its number is that of the line, or counts the records */
} ank_jsonl;

/* More bytes behind those that are held. */
anorank_status ank_jsonl_fill(ank_jsonl *s, anorank_error *err);
/* Before the first record again: it begins at s->buffer + `start`. */
void ank_jsonl_rewind(ank_jsonl *s, size_t start);
/* Set the layout by the text that is held. */
void ank_jsonl_detect(ank_jsonl *s);
/* Put s->line on the next record that is in the buffer and move past it; `*found` is 0 if there is no whole one. */
anorank_status ank_jsonl_record_in_buffer(ank_jsonl *s, int *found, anorank_error *err);
/* The next record; `*found` is 0 at the end. */
anorank_status ank_jsonl_next_record(ank_jsonl *s, int *found, anorank_error *err);
/* The object or array of s->line: into the table, or counted without a table. `*taken`: its values. */
anorank_status ank_jsonl_take_line(ank_jsonl *s, size_t *taken, anorank_error *err);

#endif
