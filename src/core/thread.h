/* thread.h - start a library thread: it blocks all signals, which stay with the threads of the host. */
#ifndef ANK_CORE_THREAD_H
#define ANK_CORE_THREAD_H

#include <pthread.h>
#include <signal.h>

/* 0, or the error number of pthread_create. */
static inline int ank_start_thread(pthread_t *thread, void *(*run)(void *argument), void *argument) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(thread, NULL, run, argument);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failed;
}

#endif
