/* worker.h - a background thread that runs one task at a time.
 *
 * The worker has exclusive use of the data of its task from ank_worker_begin until ank_worker_done returns 1.
 * At other times the owner has it. So no other lock is needed. */
#ifndef ANK_CORE_WORKER_H
#define ANK_CORE_WORKER_H

#include "core/status.h"

typedef struct ank_worker ank_worker;

/* Start a thread that calls `work` once per ank_worker_begin. Returns NULL if no thread can be started; the
 * caller then does the work itself. The thread blocks all signals. */
ank_worker *ank_worker_start(void (*work)(void *context), void *context);

/* Begin one task; the worker must be idle. */
void ank_worker_begin(ank_worker *worker);

/* Wait up to that many milliseconds, or without limit if negative. Returns 1 if the worker is idle, else
 * 0. */
int ank_worker_done(ank_worker *worker, int milliseconds);

/* Wait for the current task, then end the thread. */
void ank_worker_end(ank_worker *worker);

#endif
