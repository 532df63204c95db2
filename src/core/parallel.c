/* parallel.c - see parallel.h. Each call starts its threads: 20 us each, no pool to shut down, and safe
 * across fork. */
#include "core/parallel.h"

#include <sched.h>

#include "core/platform.h"
#include "core/thread.h"

#define MOST_THREADS 256

typedef struct {
  const anorank_settings *settings;
  ank_chunk body;
  void *context;
  size_t chunks;
  atomic_size_t next;
  atomic_bool stopped;
  pthread_mutex_t lock; /* guards the three fields below */
  size_t failed_chunk;
  anorank_status status;
  anorank_error error;
} job;

static _Thread_local const job *worker_of; /* the job of this thread; NULL: the caller started it */

anorank_status ank_check_cancelled(const anorank_settings *settings, anorank_error *err) {
  if (worker_of ? !atomic_load_explicit(&worker_of->stopped, memory_order_relaxed)
                : !settings || !settings->stop || settings->stop(settings->stop_context) == 0)
    return ANORANK_OK;
  return ank_fail(err, ANORANK_CANCELLED, "cancelled", "cancelled while %s", "working");
}

static void run_chunks(job *work) {
  anorank_error error = {0};
  while (!atomic_load_explicit(&work->stopped, memory_order_relaxed)) {
    size_t chunk = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed);
    if (chunk >= work->chunks) return;
    anorank_status status = ank_check_cancelled(work->settings, &error);
    if (status == ANORANK_OK) status = work->body(work->context, chunk, &error);
    if (status == ANORANK_OK) continue;
    pthread_mutex_lock(&work->lock);
    /* the cancellation of a chunk that another chunk's failure stopped is not the error to report */
    if (work->status == ANORANK_OK || (chunk < work->failed_chunk && status != ANORANK_CANCELLED)) {
      work->status = status;
      work->failed_chunk = chunk;
      work->error = error;
    }
    pthread_mutex_unlock(&work->lock);
    atomic_store(&work->stopped, 1);
  }
}

static void *thread_main(void *argument) {
  worker_of = argument;
  run_chunks(argument);
  return NULL;
}

/* Each flag has a lock, so that a `make` may use the flag of another. */
void ank_once(ank_once_flag *flag, void (*make)(void)) {
  enum { NOT_YET, BEGUN, DONE };
  int state = NOT_YET;
  if (atomic_load_explicit(&flag->state, memory_order_acquire) == DONE) return;
  if (atomic_compare_exchange_strong(&flag->state, &state, BEGUN)) {
    make();
    atomic_store_explicit(&flag->state, DONE, memory_order_release);
  }
  while (atomic_load_explicit(&flag->state, memory_order_acquire) != DONE) sched_yield();
}

size_t ank_threads(const anorank_settings *settings) {
  size_t count = settings ? (size_t)settings->threads : 1;
  if (count == 0) count = ank_processors();
  return count > MOST_THREADS ? MOST_THREADS : count;
}

anorank_status ank_parallel(const anorank_settings *settings, size_t chunks, ank_chunk body, void *context,
                            anorank_error *err) {
  job work = {.settings = settings, .body = body, .context = context, .chunks = chunks, .status = ANORANK_OK};
  size_t wanted = ank_threads(settings), started = 0;
  pthread_t threads[MOST_THREADS];
  if (wanted > chunks) wanted = chunks;
  pthread_mutex_init(&work.lock, NULL);
  while (started + 1 < wanted && ank_start_thread(&threads[started], thread_main, &work) == 0) started++;
  run_chunks(&work);
  for (size_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
  pthread_mutex_destroy(&work.lock);
  if (work.status != ANORANK_OK && err) *err = work.error;
  return work.status;
}
