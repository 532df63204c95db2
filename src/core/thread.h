/* thread.h - threads of the library. They block all signals, which go to the threads of the host. */
#ifndef ANK_CORE_THREAD_H
#define ANK_CORE_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <time.h>

/* Start a thread. Returns 0, or the error number of pthread_create. */
static inline int ank_start_thread(pthread_t *thread, void *(*run)(void *argument), void *argument) {
#ifdef _WIN32 /* Windows sends no signals to threads */
  return pthread_create(thread, NULL, run, argument);
#else
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(thread, NULL, run, argument);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failed;
#endif
}

/* A condition that waits until a time of ank_clock (core/platform.h) and returns 1 if it was reached; in
 * platform_*.c. */
void ank_condition_make(pthread_cond_t *condition);
int ank_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until);

#endif
