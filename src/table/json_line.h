/* json_line.h - the tokens of a record of JSON, mostly a line: a flat object or a flat array. */
#ifndef ANK_TABLE_JSON_LINE_H
#define ANK_TABLE_JSON_LINE_H

#include "core/status.h"

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

#endif
