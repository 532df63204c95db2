/* prefetch.h - read the next block of a table on a separate thread while the caller works on the current one.
 *
 * There are two tables: the block that the caller sees, and the one that is filled. When the caller takes the next,
 * they change their cells. Levels go over with them: few are copied as they come, so that their codes stay; those of a
 * column with more than ANK_KEPT_LEVELS go over whole, and restart in the next block. */
#ifndef ANK_TABLE_PREFETCH_H
#define ANK_TABLE_PREFETCH_H

#include "table/table.h"

enum { ANK_KEPT_LEVELS = 1024 }; /* of a column whose levels are forgotten: categories stay */

/* Fills the table, which may hold the rows of an earlier block; runs on another thread. */
typedef anorank_status (*ank_filling)(void *context, anorank_table *table, anorank_error *err);

typedef struct ank_prefetch ank_prefetch;

/* `shown` is what the caller sees; it has no rows yet, and gives its levels away. `settings` are those that `fill`
 * looks at: progress and stop become our own for as long as this lives, since callers are called on their own threads
 * alone. All are borrowed. NULL in `*out` if no thread can be started; nothing is changed then. */
anorank_status ank_prefetch_new(ank_prefetch **out, anorank_table *shown, ank_filling fill, void *context,
                                anorank_settings *settings, anorank_error *err);

/* The next block in `shown`, which has no rows at the end; the caller's progress function is called while it waits. Reading continues
 * with the one after it. */
anorank_status ank_prefetch_next(ank_prefetch *ahead, anorank_error *err);

/* Stops reading, within moments. */
void ank_prefetch_free(ank_prefetch *ahead);

#endif
