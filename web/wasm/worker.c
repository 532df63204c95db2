/* worker.c - core/worker.h where there are no threads: all do without. */
#include "core/worker.h"

ank_worker *ank_worker_start(void (*work)(void *context), void *context) {
  (void)work, (void)context;
  return NULL;
}

void ank_worker_begin(ank_worker *worker) { (void)worker; }

int ank_worker_done(ank_worker *worker, int milliseconds) {
  (void)worker, (void)milliseconds;
  return 1;
}

void ank_worker_end(ank_worker *worker) { (void)worker; }
