/* parallel.h - run independent chunks of work on several threads.
 *
 * Results have the same bits for any number of threads because of two rules. The caller cuts its problem into
 * chunks whose number and borders depend on the problem alone, and it combines their results in chunk order.
 * Threads only decide who computes a chunk and when. */
#ifndef ANK_CORE_PARALLEL_H
#define ANK_CORE_PARALLEL_H

#include <stdatomic.h>

#include "core/status.h"

/* The work of one chunk. Runs on any thread and must not call the progress callback. */
typedef anorank_status (*ank_chunk)(void *context, size_t chunk, anorank_error *err);

/* Run chunks 0 .. chunks-1, each once. If some fail, returns the error of the lowest failing chunk among
 * those that ran, and starts no further chunks. Threads that cannot be started are skipped. */
anorank_status ank_parallel(const anorank_settings *settings, size_t chunks, ank_chunk body, void *context,
                            anorank_error *err);

/* Return ANORANK_CANCELLED if the work is cancelled; chunks that take long call it. On the caller's thread it
 * calls settings->stop; on threads of ank_parallel it checks whether their job was stopped. ank_parallel
 * calls it before every chunk. */
anorank_status ank_check_cancelled(const anorank_settings *settings, anorank_error *err);

/* Run `make` once in the life of the process, whatever the number of threads that call. It is done on
 * return. */
typedef struct ank_once_flag {
  atomic_int state; /* starts as 0 */
} ank_once_flag;
void ank_once(ank_once_flag *flag, void (*make)(void));

/* Return the number of threads in `settings`, at least 1. */
size_t ank_threads(const anorank_settings *settings);

#endif
