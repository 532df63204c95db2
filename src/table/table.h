/* table.h - the columnar table, and the functions that readers fill it with. */
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
  ank_raw_cells *raw_cells; /* the cells as in the file; NULL: not kept */
} ank_column;

/* The scale of the scores of an entity, compared with unknown entities. */
typedef struct ank_score_scale {
  float shift, stretch;
} ank_score_scale;

struct anorank_table {
  size_t rows, capacity, columns;
  size_t lent; /* cells of this many leading columns belong to another table, which outlives this one */
  ank_column *column;
  size_t column_capacity;
  ank_levels names;       /* every name used so far: keeps names unique */
  size_t limit;           /* byte limit; SIZE_MAX: none */
  ank_score_scale *scale; /* per row: the scale of its entity (model/entity_scale.h); NULL: none */
  int has_context;        /* 1: it has the derived columns (context/context.h) */
  size_t drawn_of;        /* 0, or the number of rows from which its rows were sampled */
  char *source;           /* the file's name for messages, or NULL */
  char *missing;          /* the setting `missing` of the read; NULL if not read from text */
  ank_notes notes;        /* notes of the reader */
};

/* Create a table with `columns` numeric columns, no rows and no names yet (NULL). */
anorank_status ank_table_new(anorank_table **out, size_t columns, anorank_error *err);

/* Add one numeric column at the end of a table that has no rows yet. */
anorank_status ank_table_add_column(anorank_table *table, anorank_error *err);

/* Set a name, which is copied. An empty one becomes x<j+1>; a duplicate gets a suffix _2, _3, ... */
anorank_status ank_table_set_name(anorank_table *table, size_t column, const char *name, size_t length,
                                  anorank_error *err);

/* Return the index of the column with that name, SIZE_MAX if there is none, by hashing. */
size_t ank_table_find(const anorank_table *table, const char *name, size_t length);

/* Find a column by an item of a list (core/list.h). */
size_t ank_table_find_item(const anorank_table *table, const char *item, size_t length);
/* Return the name of the column that an unknown item most resembles; NULL if none is near. */
const char *ank_table_nearest(const anorank_table *table, const char *item, size_t length);

/* Set the kind of a column, in a table without rows; memory must be reserved again. */
void ank_table_set_kind(anorank_table *table, size_t column, anorank_kind kind);

/* Copy name, kind and resolution of `from`. */
anorank_status ank_table_set_like(anorank_table *table, size_t column, const ank_column *from,
                                  anorank_error *err);

/* Return "numeric", "categorical" or "time". */
const char *ank_kind_word(anorank_kind kind);

/* Make room for a total of at least `rows` rows. A table that had room grows by more, so that appending takes
 * linear time. New cells are undefined. Levels count against the limit, too: a reader calls this for each
 * block, so that levels cannot exhaust memory. Over `limit` it returns ANORANK_ERROR_RESOURCES; the message
 * names the file, the size and --max-memory. */
anorank_status ank_table_reserve(anorank_table *table, size_t rows, anorank_error *err);

/* Return the number of rows that fit into `limit`. */
size_t ank_table_room(const anorank_table *table);

/* Reset the levels of the columns with more than `kept`, in a table without rows. */
void ank_table_reset_levels(anorank_table *table, size_t kept);

/* Remove the rows; keep columns, levels and memory. */
void ank_table_clear(anorank_table *table);

/* Return the bytes of memory in use. */
size_t ank_table_bytes(const anorank_table *table);

void ank_table_free(anorank_table *table);

/* Get the code of a level, and add it if it is new. A NUL byte in it is ANORANK_ERROR_DATA. */
anorank_status ank_levels_code(int32_t *out, ank_levels *levels, const char *text, size_t length,
                               anorank_error *err);

/* Return the code of a level, -1 if there is none, without a change. */
int32_t ank_levels_find(const ank_levels *levels, const char *text, size_t length);

/* Free what the levels hold, not the struct. */
void ank_levels_free(ank_levels *levels);

#endif
