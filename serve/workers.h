/* workers.h - worker threads for long work, and their queue. */
#ifndef SERVE_WORKERS_H
#define SERVE_WORKERS_H

#include <pthread.h>

#include "service.h"

/* Embedded in each task. */
typedef struct serve_task {
  struct serve_task *next;
  void (*run)(struct serve_task *task);
} serve_task;

typedef struct serve_workers {
  pthread_mutex_t lock;
  pthread_cond_t more;
  serve_task *first, **last;
  unsigned waiting, most;
  int ending;
  pthread_t *threads;
  unsigned count;
  serve_metrics *metrics;
} serve_workers;

anorank_status serve_workers_start(serve_workers *workers, unsigned threads, unsigned most,
                                   serve_metrics *metrics, anorank_error *err);

/* If the queue is full or the workers are stopped, the task is not run. */
enum { SERVE_WORKERS_ADDED = 0, SERVE_WORKERS_FULL, SERVE_WORKERS_ENDING };
int serve_workers_add(serve_workers *workers, serve_task *task);

/* Run the queued tasks, then end the threads. Tasks added from now on are refused. */
void serve_workers_stop(serve_workers *workers);

/* Stops them, too. No task may be added afterwards. */
void serve_workers_free(serve_workers *workers);

#endif
