/* workers.c - see workers.h. */
#include "workers.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static void *work(void *context) {
  serve_workers *workers = context;
  pthread_mutex_lock(&workers->lock);
  for (;;) {
    while (!workers->first && !workers->ending) pthread_cond_wait(&workers->more, &workers->lock);
    serve_task *task = workers->first;
    if (!task) break;
    workers->first = task->next;
    if (!workers->first) workers->last = &workers->first;
    atomic_store(&workers->metrics->waiting, --workers->waiting);
    pthread_mutex_unlock(&workers->lock);
    task->run(task);
    pthread_mutex_lock(&workers->lock);
  }
  pthread_mutex_unlock(&workers->lock);
  return NULL;
}

anorank_status serve_workers_start(serve_workers *workers, unsigned threads, unsigned most,
                                   serve_metrics *metrics, anorank_error *err) {
  memset(workers, 0, sizeof *workers);
  workers->last = &workers->first;
  workers->most = most;
  workers->metrics = metrics;
  workers->threads = calloc(threads, sizeof *workers->threads);
  pthread_mutex_init(&workers->lock, NULL);
  pthread_cond_init(&workers->more, NULL);
  while (workers->threads && workers->count < threads &&
         pthread_create(&workers->threads[workers->count], NULL, work, workers) == 0)
    workers->count++;
  if (workers->count == threads) return ANORANK_OK;
  serve_workers_free(workers);
  return cli_fail(err, ANORANK_ERROR_RESOURCES, "serve-threads", "cannot start %u more threads; use fewer",
                  threads);
}

int serve_workers_add(serve_workers *workers, serve_task *task) {
  int outcome = SERVE_WORKERS_ADDED;
  task->next = NULL;
  pthread_mutex_lock(&workers->lock);
  if (workers->ending) {
    outcome = SERVE_WORKERS_ENDING;
  } else if (workers->waiting >= workers->most) {
    outcome = SERVE_WORKERS_FULL;
  } else {
    *workers->last = task;
    workers->last = &task->next;
    atomic_store(&workers->metrics->waiting, ++workers->waiting);
    pthread_cond_signal(&workers->more);
  }
  pthread_mutex_unlock(&workers->lock);
  return outcome;
}

void serve_workers_stop(serve_workers *workers) {
  pthread_mutex_lock(&workers->lock);
  workers->ending = 1;
  pthread_cond_broadcast(&workers->more);
  pthread_mutex_unlock(&workers->lock);
  for (unsigned i = 0; i < workers->count; i++) pthread_join(workers->threads[i], NULL);
  workers->count = 0;
}

void serve_workers_free(serve_workers *workers) {
  serve_workers_stop(workers);
  pthread_mutex_destroy(&workers->lock);
  pthread_cond_destroy(&workers->more);
  free(workers->threads);
  workers->threads = NULL;
}
