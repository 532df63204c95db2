/* prefetch.h - read the next block of a table on a separate thread while the caller works on the current one.
 *
 * There are two tables: the caller's block, and the one being filled. When the caller takes the next block,
 * they swap cells. Levels move, too. Few levels are copied as they appear, so that their codes stay the same.
 * In a column with more than ANK_KEPT_LEVELS, the levels move as a whole and restart in the next block. */
#ifndef ANK_TABLE_PREFETCH_H
#define ANK_TABLE_PREFETCH_H

#include "table/table.h"

enum { ANK_KEPT_LEVELS = 1024 }; /* in a column with reset levels: fewer levels stay */

/* Fill the table, which may hold the rows of an earlier block; runs on another thread. */
typedef anorank_status (*ank_filling)(void *context, anorank_table *table, anorank_error *err);

typedef struct ank_prefetch ank_prefetch;

/* Create a prefetch. `shown` is the caller's table; it has no rows yet and gives up its levels. `settings`
 * are those that `fill` uses: this object replaces their progress and stop callbacks during its life, since
 * the caller's run on the caller's thread only. All are borrowed. If no thread can be started, `*out` is NULL
 * and nothing changes. */
anorank_status ank_prefetch_new(ank_prefetch **out, anorank_table *shown, ank_filling fill, void *context,
                                anorank_settings *settings, anorank_error *err);

/* Put the next block into `shown`, which has no rows at the end. Calls the caller's progress callback while
 * it waits. Then the thread reads the block after it. */
anorank_status ank_prefetch_next(ank_prefetch *prefetch, anorank_error *err);

/* Stop reading, within moments. */
void ank_prefetch_free(ank_prefetch *prefetch);

#endif
