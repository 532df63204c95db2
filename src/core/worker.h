/* worker.h - a background thread that runs one task at a time.
 *
 * What the work reads and writes is the worker's from ank_worker_begin on until ank_worker_done says 1, and its
 * owner's otherwise: no other lock is needed. */
#ifndef ANK_CORE_WORKER_H
#define ANK_CORE_WORKER_H

#include "core/status.h"

typedef struct ank_worker ank_worker;

/* `work` is called once for each ank_worker_begin. NULL if no thread can be started: work without one. Signals are left to
 * the other threads. */
ank_worker *ank_worker_start(void (*work)(void *context), void *context);

/* Once. It must not be at work. */
void ank_worker_begin(ank_worker *worker);

/* Wait up to so many milliseconds, below 0: as long as it takes; 1 if nothing is left to do, else 0. */
int ank_worker_done(ank_worker *worker, int milliseconds);

/* Waits for the end of what it does, and of the thread. */
void ank_worker_end(ank_worker *worker);

#endif
