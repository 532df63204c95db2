/* table.h - the columnar table, and what readers need to fill it. */
#ifndef ANK_TABLE_TABLE_H
#define ANK_TABLE_TABLE_H

#include "core/notes.h"
#include "core/status.h"

typedef struct ank_level_slot {
  uint32_t level; /* 1 + index into text, 0 = empty */
  uint32_t hash;  /* of the text */
} ank_level_slot;

/* The distinct values of a categorical column in order of first appearance, with a hash index. */
typedef struct ank_levels {
  char **text;
  size_t count, capacity;
  ank_level_slot *slots; /* open addressing */
  size_t slot_count;
  size_t bytes;
} ank_levels;

typedef struct ank_raw_cells ank_raw_cells; /* raw_cells.h */

typedef struct ank_column {
  char *name;
  anorank_kind kind;
  anorank_resolution resolution; /* TIME */
  double *numbers;               /* NUMERIC, TIME: `capacity` of the table */
  int32_t *codes;                /* CATEGORICAL */
  ank_levels levels;
  int deviation;            /* 1: high is abnormal by itself (context/context.h) */
  ank_raw_cells *raw_cells; /* the cells as they stand in the file; NULL: not remembered */
} ank_column;

/* The scale of the scores of an entity, compared with unknown entities. */
typedef struct ank_score_scale {
  float shift, stretch;
} ank_score_scale;

struct anorank_table {
  size_t rows, capacity, columns;
  size_t lent; /* cells of the first so many columns belong to another table, which outlives it */
  ank_column *column;
  size_t column_capacity;
  ank_levels names;       /* every name that was given: keeps names unique */
  size_t limit;           /* bytes that it may take; SIZE_MAX: no limit */
  ank_score_scale *scale; /* of each row: that of its entity (model/entity_scale.h); NULL: none */
  int has_context;        /* 1: the derived columns are there (context/context.h) */
  size_t drawn_of;        /* 0, or: its rows were drawn at random from so many */
  char *source;           /* the file's name for messages, or NULL */
  char *missing;          /* the setting it was read with, or NULL where it was not read from text */
  ank_notes notes;        /* what was assumed or noticed while reading */
};

/* An empty table with `columns` numeric columns whose names are not yet set (NULL). */
anorank_status ank_table_new(anorank_table **out, size_t columns, anorank_error *err);

/* Add one numeric column at the end of a table that has no rows yet. */
anorank_status ank_table_add_column(anorank_table *table, anorank_error *err);

/* The name is copied. An empty one becomes x<j+1>; one that another column has gets a suffix _2, _3, ... */
anorank_status ank_table_set_name(anorank_table *table, size_t column, const char *name, size_t length,
                                  anorank_error *err);

/* Index of the column with that name, SIZE_MAX if there is none. One look into the index of names. */
size_t ank_table_find(const anorank_table *table, const char *name, size_t length);

/* The same for an item of a list (core/list.h). */
size_t ank_table_find_item(const anorank_table *table, const char *item, size_t length);
/* The name of a column that the item of a list may mean, NULL where none resembles it. */
const char *ank_table_nearest(const anorank_table *table, const char *item, size_t length);

/* Only while the table has no rows; what was reserved before must be reserved again. */
void ank_table_set_kind(anorank_table *table, size_t column, anorank_kind kind);

/* The name, kind and resolution that `from` has. */
anorank_status ank_table_set_like(anorank_table *table, size_t column, const ank_column *from,
                                  anorank_error *err);

/* "numeric", "categorical" or "time". */
const char *ank_kind_word(anorank_kind kind);

/* Make room for at least `rows` rows in all (more than asked when the table already had some room, so that
 * appending is linear); columns not yet filled hold rubbish. Levels count against the limit, too, so a reader
 * that calls this for each block cannot be filled up by them. Over `limit` this is
 * ANORANK_ERROR_RESOURCES and the message names the file, the size and --max-memory. */
anorank_status ank_table_reserve(anorank_table *table, size_t rows, anorank_error *err);

/* The number of rows that fit into `limit`. */
size_t ank_table_room(const anorank_table *table);

/* Forget the levels of the columns that have more than `kept` of them. The table must have no rows. */
void ank_table_reset_levels(anorank_table *table, size_t kept);

/* Forget the rows, keep columns, levels and memory. */
void ank_table_clear(anorank_table *table);

/* Bytes of memory that it holds. */
size_t ank_table_bytes(const anorank_table *table);

void ank_table_free(anorank_table *table);

/* The code of a level, added if it is new. A NUL byte in it is ANORANK_ERROR_DATA. */
anorank_status ank_levels_code(int32_t *out, ank_levels *levels, const char *text, size_t length,
                               anorank_error *err);

/* The code of a level, -1 if it is not there. Changes nothing. */
int32_t ank_levels_find(const ank_levels *levels, const char *text, size_t length);

/* Free what the levels hold, not the struct. */
void ank_levels_free(ank_levels *levels);

#endif
