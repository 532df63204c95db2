/* parallel.h - run independent chunks of work on several threads.
 *
 * The promise "same bits whatever the number of threads" rests on two rules. The caller cuts its problem into
 * chunks whose number and borders depend on the problem alone (never on the number of threads), and combines
 * per-chunk results in chunk order. Threads here only decide who computes a chunk and when. */
#ifndef ANK_CORE_PARALLEL_H
#define ANK_CORE_PARALLEL_H

#include <stdatomic.h>

#include "core/status.h"

/* The work of one chunk. Runs on any thread; must not call the progress callback. */
typedef anorank_status (*ank_chunk)(void *context, size_t chunk, anorank_error *err);

/* Run chunks 0 .. chunks-1, each once. If some fail, the error of the lowest failing chunk among those that
 * ran is returned, and chunks not yet begun are left out. Threads that cannot be started are skipped. */
anorank_status ank_parallel(const anorank_settings *settings, size_t chunks, ank_chunk body, void *context,
                            anorank_error *err);

/* For a chunk that takes long: ANORANK_CANCELLED once the work is no longer wanted. On the thread that made the
 * call it asks settings->stop; on those that ank_parallel started it looks whether their work was stopped.
 * ank_parallel asks before every chunk by itself. */
anorank_status ank_check_cancelled(const anorank_settings *settings, anorank_error *err);

/* Run `make` once in the life of the process, however many threads ask; it is done when this returns. */
typedef struct ank_once_flag {
  atomic_int state; /* 0 to begin with */
} ank_once_flag;
void ank_once(ank_once_flag *flag, void (*make)(void));

/* The number of threads in `settings`: at least 1. */
size_t ank_threads(const anorank_settings *settings);

#endif
