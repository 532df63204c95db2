/* jsonl.h - what the pieces of the reader of JSON lines share.
 *
 *   format_jsonl.c  the reader class: the columns and their kinds from the first MiB
 *   jsonl_rows.c    lines, values, objects and arrays into the table */
#ifndef ANK_TABLE_JSONL_H
#define ANK_TABLE_JSONL_H

#include "table/csv.h"
#include "table/json_line.h"

typedef struct ank_jsonl_column {
  size_t seen;            /* the last line that had it */
  size_t numbers, filled; /* in the sample */
  ank_tally texts;        /* of the sample */
  ank_spelling spelling;  /* of texts, where numbers or moments are written so */
} ank_jsonl_column;

typedef struct ank_jsonl {
  ank_source *source;
  const anorank_settings *settings;
  ank_missing missing; /* the same words as in CSV */
  size_t limit;
  char *buffer; /* [from, to), and ANK_NUMBER_PADDING zero bytes */
  size_t from, to, capacity;
  int ended;
  char bracket; /* '{' or '[': what the lines hold; 0 before the first */
  ank_levels keys;
  ank_jsonl_column *columns;
  size_t count, columns_capacity;
  char *joined; /* "outer.key" */
  size_t joined_capacity;
  anorank_table *table; /* NULL while sampling */
  ank_json_line line;
} ank_jsonl;

/* More bytes behind those that are held. */
anorank_status ank_jsonl_fill(ank_jsonl *s, anorank_error *err);
/* Put s->line on the next line that is in the buffer and move past it; 0: there is no whole one. */
int ank_jsonl_line_in_buffer(ank_jsonl *s, size_t *searched);
/* The next line that is not blank; `*found` is 0 at the end. */
anorank_status ank_jsonl_next_line(ank_jsonl *s, int *found, anorank_error *err);
/* The object or array of s->line: into the table, or counted where there is none yet. `*taken`: its values. */
anorank_status ank_jsonl_take_line(ank_jsonl *s, size_t *taken, anorank_error *err);

#endif
