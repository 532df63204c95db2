/* arrow_type.h - shared declarations of the Arrow interface.
 *
 *   arrow_type.c   the format string of a column
 *   arrow_cells.c  checked arrays to cells of a table
 *   arrow_read.c   streams and arrays as readers
 *   arrow_write.c  a table as a stream */
#ifndef ANK_TABLE_ARROW_TYPE_H
#define ANK_TABLE_ARROW_TYPE_H

#include "anorank/arrow.h"
#include "table/cells.h"
#include "table/reader.h"

typedef enum ank_arrow_layout {
  ANK_ARROW_NUMBERS, /* `type`, and `factor` or `resolution` */
  ANK_ARROW_BITS,    /* booleans */
  ANK_ARROW_DECIMAL, /* integers of `width` bytes, with `scale` digits after the point */
  ANK_ARROW_NULLS,   /* no buffers */
  ANK_ARROW_TEXT,    /* int32 offsets */
  ANK_ARROW_LARGE,   /* int64 offsets */
  ANK_ARROW_VIEW     /* 16 bytes each: a short text, or its position */
} ank_arrow_layout;

typedef struct ank_arrow_type {
  ank_arrow_layout layout;
  anorank_type type;
  anorank_kind kind; /* of the column in the table */
  int timed;         /* in units of `resolution`; as a number (kind NUMERIC) it becomes seconds */
  anorank_resolution resolution;
  int days; /* whole days, in any unit */
  size_t width;
  int scale;
} ank_arrow_type;

/* A column: its values, or the values of its dictionary and the indices into that. */
typedef struct ank_arrow_column {
  ank_arrow_type values, indices;
  int has_dictionary;
  char *name;
} ank_arrow_column;

/* Describe a column from its schema. ANORANK_ERROR_DATA if a table cannot hold it. The name is copied; free
 * it with ank_free. */
anorank_status ank_arrow_column_of(ank_arrow_column *out, const struct ArrowSchema *schema, size_t index,
                                   anorank_error *err);

/* Append rows [first, first + count) of a column's array from row `at` of the table's column, which has room.
 * ANORANK_ERROR_DATA if the array contradicts its schema. */
anorank_status ank_arrow_cells(ank_column *into, size_t at, const ank_arrow_column *column,
                               const struct ArrowArray *array, int64_t first, int64_t count,
                               anorank_error *err);

/* Check that the array (not its dictionary) has the layout of the type and this number of rows. */
anorank_status ank_arrow_check(const ank_arrow_type *type, const struct ArrowArray *array, int64_t rows,
                               const char *name, anorank_error *err);

#endif
