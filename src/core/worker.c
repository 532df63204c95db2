/* worker.c - see worker.h. */
#include "core/worker.h"

#include "core/alloc.h"
#include "core/platform.h"
#include "core/thread.h"

struct ank_worker {
  void (*work)(void *context);
  void *context;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int busy, ending; /* guarded by the lock */
};

static void *thread_main(void *argument) {
  ank_worker *worker = argument;
  pthread_mutex_lock(&worker->lock);
  for (;;) {
    while (!worker->busy && !worker->ending) pthread_cond_wait(&worker->changed, &worker->lock);
    if (!worker->busy) break;
    pthread_mutex_unlock(&worker->lock);
    worker->work(worker->context);
    pthread_mutex_lock(&worker->lock);
    worker->busy = 0;
    pthread_cond_broadcast(&worker->changed);
  }
  pthread_mutex_unlock(&worker->lock);
  return NULL;
}

static void free_worker(ank_worker *worker) {
  pthread_cond_destroy(&worker->changed);
  pthread_mutex_destroy(&worker->lock);
  ank_free(worker);
}

ank_worker *ank_worker_start(void (*work)(void *context), void *context) {
  ank_worker *worker = NULL;
  if (ank_alloc(&worker, 1, sizeof *worker, NULL) != ANORANK_OK) return NULL;
  worker->work = work;
  worker->context = context;
  ank_condition_make(&worker->changed);
  pthread_mutex_init(&worker->lock, NULL);
  if (ank_start_thread(&worker->thread, thread_main, worker) == 0) return worker;
  free_worker(worker);
  return NULL;
}

void ank_worker_begin(ank_worker *worker) {
  pthread_mutex_lock(&worker->lock);
  worker->busy = 1;
  pthread_cond_broadcast(&worker->changed);
  pthread_mutex_unlock(&worker->lock);
}

int ank_worker_done(ank_worker *worker, int milliseconds) {
  struct timespec until = ank_clock();
  int timed_out = 0;
  until.tv_sec += milliseconds / 1000;
  until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_sec++;
    until.tv_nsec -= 1000000000;
  }
  pthread_mutex_lock(&worker->lock);
  while (worker->busy && !timed_out) {
    if (milliseconds < 0)
      pthread_cond_wait(&worker->changed, &worker->lock);
    else
      timed_out = ank_condition_wait(&worker->changed, &worker->lock, &until);
  }
  int done = !worker->busy;
  pthread_mutex_unlock(&worker->lock);
  return done;
}

void ank_worker_end(ank_worker *worker) {
  if (!worker) return;
  pthread_mutex_lock(&worker->lock);
  worker->ending = 1;
  pthread_cond_broadcast(&worker->changed);
  pthread_mutex_unlock(&worker->lock);
  pthread_join(worker->thread, NULL);
  free_worker(worker);
}
