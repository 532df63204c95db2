/* test_worker.c - a worker runs its task once per call and waits in between. */
#include "core/worker.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "support/check.h"

typedef struct counting {
  int done; /* needs no lock: the worker's while it is at work */
  atomic_int held;
} counting;

static void count(void *context) {
  counting *work = context;
  struct timespec moment = {0, 1000000};
  while (atomic_load(&work->held)) nanosleep(&moment, NULL);
  work->done++;
}

TEST(each_beginning_is_done_once) {
  counting work = {0};
  ank_worker *worker = ank_worker_start(count, &work);
  assert_non_null(worker);
  assert_int_equal(ank_worker_done(worker, -1), 1); /* nothing to do is done */
  for (int i = 0; i < 1000; i++) {
    ank_worker_begin(worker);
    assert_int_equal(ank_worker_done(worker, i % 2 ? -1 : 60000), 1);
    assert_int_equal(work.done, i + 1);
  }
  ank_worker_end(worker);
  assert_int_equal(work.done, 1000);
}

TEST(waiting_ends_with_the_time) {
  counting work = {.held = 1};
  ank_worker *worker = ank_worker_start(count, &work);
  assert_non_null(worker);
  ank_worker_begin(worker);
  assert_int_equal(ank_worker_done(worker, 0), 0);
  assert_int_equal(ank_worker_done(worker, 20), 0);
  atomic_store(&work.held, 0);
  assert_int_equal(ank_worker_done(worker, -1), 1);
  ank_worker_end(worker);
}

TEST(a_task_that_began_is_completed) {
  for (int i = 0; i < 50; i++) {
    counting work = {0};
    ank_worker *worker = ank_worker_start(count, &work);
    assert_non_null(worker);
    ank_worker_begin(worker);
    ank_worker_end(worker);
    assert_int_equal(work.done, 1);
  }
  ank_worker_end(NULL);
}

static volatile sig_atomic_t caught;
static _Thread_local int is_caller;

static void on_signal(int number) {
  (void)number;
  caught = is_caller ? 1 : 2;
}

TEST(signals_are_left_to_the_others) {
  counting work = {.held = 1};
  ank_worker *worker = ank_worker_start(count, &work);
  assert_non_null(worker);
  ank_worker_begin(worker);
  is_caller = 1;
  signal(SIGUSR1, on_signal);
  kill(getpid(), SIGUSR1);
  atomic_store(&work.held, 0);
  ank_worker_end(worker);
  assert_int_equal(caught, 1);
}
