/* reader.h - from a source to a table, whole or in blocks; one table of functions per format. */
#ifndef ANK_TABLE_READER_H
#define ANK_TABLE_READER_H

#include "table/source.h"
#include "table/table.h"

typedef struct ank_reader_class {
  /* Read everything before the rows and set up the columns of `table` (names, kinds). Source, table and
   * settings outlive the state. */
  anorank_status (*open)(void **state, ank_source *source, anorank_table *table,
                         const anorank_settings *settings, anorank_error *err);

  /* Append up to `most` rows to the table; fewer only at the end of the file. */
  anorank_status (*next)(void *state, anorank_table *table, size_t most, anorank_error *err);

  /* Return the total number of rows or a good estimate, SIZE_MAX if unknown: a whole read then allocates
   * once. May be NULL. */
  size_t (*rows)(const void *state);

  void (*free)(void *state);

  int text; /* 1: the bytes are text, which is UTF-8 when `open` is called */
} ank_reader_class;

/* Create a reader over rows without a source of bytes. It takes ownership of the state, also on failure, and
 * of `table`, which has the columns. `name` is for messages. */
anorank_status ank_reader_over(anorank_reader **out, const ank_reader_class *class, void *state,
                               anorank_table *table, const char *name, const anorank_settings *settings,
                               anorank_error *err);

/* Read all rows, and free the reader, also on failure. */
anorank_status ank_reader_drain(anorank_table **out, anorank_reader *reader, anorank_error *err);

/* Read all rows of a source, or open a reader of its blocks. Both take ownership of the source, also on
 * failure, and copy the settings. reader.c also has the other functions of readers in io.h. */
anorank_status ank_reader_open(anorank_reader **out, ank_source *source, const anorank_settings *settings,
                               anorank_error *err);
anorank_status ank_reader_read_all(anorank_table **out, ank_source *source, const anorank_settings *settings,
                                   anorank_error *err);

/* Replace the progress callback; only before the first block. */
void ank_reader_on_progress(anorank_reader *reader, anorank_progress progress, void *context);
void ank_reader_on_stop(anorank_reader *reader, anorank_stop stop, void *context);

/* Return the error of a table without rows. */
anorank_status ank_reader_refuse_empty(const anorank_reader *reader, anorank_error *err);

#endif
