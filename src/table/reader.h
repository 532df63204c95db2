/* reader.h - from a source to a table, whole or in blocks; one table of functions per format. */
#ifndef ANK_TABLE_READER_H
#define ANK_TABLE_READER_H

#include "table/source.h"
#include "table/table.h"

typedef struct ank_reader_class {
  /* Read what comes before the rows and set up the columns of `table` (names, kinds). Source, table and
   * settings outlive the state. */
  anorank_status (*open)(void **state, ank_source *source, anorank_table *table,
                         const anorank_settings *settings, anorank_error *err);

  /* Append up to `most` rows to the table; fewer only at the end of the file. */
  anorank_status (*next)(void *state, anorank_table *table, size_t most, anorank_error *err);

  /* How many rows there will be in all, also as a good guess, or SIZE_MAX if that is not known: lets a whole
   * read allocate once. May be NULL. */
  size_t (*rows)(const void *state);

  void (*free)(void *state);

  int text; /* 1: the bytes are text, and are UTF-8 by the time that `open` sees them */
} ank_reader_class;

/* A reader over rows that come from no source of bytes. It takes over the state, also on failure; `table`
 * has the columns and is taken over as well. `name` is for messages. */
anorank_status ank_reader_over(anorank_reader **out, const ank_reader_class *class, void *state,
                               anorank_table *table, const char *name, const anorank_settings *settings,
                               anorank_error *err);

/* All rows; the reader is freed, also on failure. */
anorank_status ank_reader_drain(anorank_table **out, anorank_reader *reader, anorank_error *err);

/* All rows of a source, or a reader of its blocks. Both take over the source, also on failure, and copy the
 * settings. reader.c also has the other functions of readers in io.h. */
anorank_status ank_reader_open(anorank_reader **out, ank_source *source, const anorank_settings *settings,
                               anorank_error *err);
anorank_status ank_reader_read_all(anorank_table **out, ank_source *source, const anorank_settings *settings,
                                   anorank_error *err);

/* Before the first block: change the progress and cancellation callbacks. */
void ank_reader_on_progress(anorank_reader *reader, anorank_progress progress, void *context);
void ank_reader_on_stop(anorank_reader *reader, anorank_stop stop, void *context);

/* The failure of a table without rows. */
anorank_status ank_reader_refuse_empty(const anorank_reader *reader, anorank_error *err);

#endif
