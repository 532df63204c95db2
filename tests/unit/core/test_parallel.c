/* Every chunk once, the lowest failing chunk's error, any number of threads. */
#include "support/check.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "core/parallel.h"

enum { CHUNKS = 1000 };

typedef struct {
  atomic_int visits[CHUNKS];
  double result[CHUNKS];
  size_t fails_from; /* chunks from here on fail */
} work;

static anorank_status visit(void *context, size_t chunk, anorank_error *err) {
  work *w = context;
  atomic_fetch_add(&w->visits[chunk], 1);
  w->result[chunk] = 1.0 / (double)(chunk + 1);
  if (chunk >= w->fails_from) return ank_fail(err, ANORANK_ERROR_DATA, "a-chunk", "chunk %zu", chunk);
  return ANORANK_OK;
}

static anorank_settings with_threads(int64_t threads) {
  anorank_settings settings = test_settings();
  settings.threads = threads;
  return settings;
}

TEST(every_chunk_runs_once_whatever_the_threads) {
  static const int64_t threads[] = {0, 1, 2, 8, 256};
  for (size_t t = 0; t < 5; t++) {
    anorank_settings settings = with_threads(threads[t]);
    static work w;
    memset(&w, 0, sizeof w);
    w.fails_from = CHUNKS;
    assert_ok(ank_parallel(&settings, CHUNKS, visit, &w, NULL));
    for (size_t i = 0; i < CHUNKS; i++) {
      assert_int_equal(atomic_load(&w.visits[i]), 1);
      assert_true(w.result[i] == 1.0 / (double)(i + 1));
    }
  }
}

TEST(without_chunks_there_is_no_work) {
  anorank_settings settings = with_threads(4);
  assert_ok(ank_parallel(&settings, 0, visit, NULL, NULL));
}

TEST(a_failure_stops_the_rest_and_brings_its_message) {
  for (int64_t threads = 1; threads <= 8; threads *= 2) {
    anorank_settings settings = with_threads(threads);
    anorank_error err = {0};
    static work w;
    memset(&w, 0, sizeof w);
    w.fails_from = 10;
    assert_status(ank_parallel(&settings, CHUNKS, visit, &w, &err), ANORANK_ERROR_DATA);
    assert_string_equal(err.message, "chunk 10");
    int ran = 0;
    for (size_t i = 0; i < CHUNKS; i++) ran += atomic_load(&w.visits[i]);
    assert_true(ran <= 10 + (int)threads);
  }
}

/* ---- stopping ---- */

static int stop_when_few_are_left(void *context) { return --*(int *)context < 0; }

TEST(cancelled_work_is_left) {
  for (int64_t threads = 1; threads <= 8; threads *= 2) {
    anorank_settings settings = with_threads(threads);
    anorank_error err = {0};
    int left = 5, ran = 0;
    static work w;
    memset(&w, 0, sizeof w);
    w.fails_from = CHUNKS;
    anorank_settings_on_stop(&settings, stop_when_few_are_left, &left);
    anorank_status status = ank_parallel(&settings, CHUNKS, visit, &w, &err);
    for (size_t i = 0; i < CHUNKS; i++) ran += atomic_load(&w.visits[i]);
    if (left >= 0) continue; /* other threads took all chunks before this one was asked often enough */
    assert_int_equal(status, ANORANK_CANCELLED);
    assert_error(&err, "cancelled");
    if (threads == 1) assert_int_equal(ran, 5);
  }
}

/* Chunk 0 waits until it is not wanted, which it is once chunk 1 has failed. */
static anorank_status wait_or_fail(void *context, size_t chunk, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  if (chunk > 0) return ank_fail(err, ANORANK_ERROR_DATA, "a-chunk", "chunk %zu", chunk);
  while (status == ANORANK_OK) status = ank_check_cancelled(context, err);
  return status;
}

static int stop_later(void *context) { return ++*(int *)context > 1000000; }

TEST(a_chunk_cut_short_by_the_failure_of_another_keeps_quiet) {
  anorank_settings settings = with_threads(2);
  anorank_error err = {0};
  int asked = 0;
  anorank_settings_on_stop(&settings, stop_later, &asked);
  anorank_status status = ank_parallel(&settings, 2, wait_or_fail, &settings, &err);
  assert_true(status == ANORANK_ERROR_DATA || status == ANORANK_CANCELLED); /* by who takes chunk 0 */
  if (status == ANORANK_ERROR_DATA) assert_string_equal(err.message, "chunk 1");
}

/* Waits until two threads are here, so that one of them is not the caller's. */
typedef struct {
  atomic_int arrived, blocked;
} meeting;

static anorank_status look_at_signals(void *context, size_t chunk, anorank_error *err) {
  meeting *both = context;
  sigset_t mask;
  (void)chunk, (void)err;
  atomic_fetch_add(&both->arrived, 1);
  while (atomic_load(&both->arrived) < 2) sched_yield();
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  atomic_fetch_add(&both->blocked, sigismember(&mask, SIGUSR1) == 1);
  return ANORANK_OK;
}

TEST(signals_stay_with_the_threads_of_the_caller) {
  anorank_settings settings = with_threads(2);
  meeting both = {0};
  assert_ok(ank_parallel(&settings, 2, look_at_signals, &both, NULL));
  assert_int_equal(atomic_load(&both.blocked), 1);
}

static ank_once_flag inner_flag, outer_flag;
static int inner_made, outer_made;

static void make_inner(void) { inner_made++; }

static void make_outer(void) {
  ank_once(&inner_flag, make_inner);
  outer_made++;
}

TEST(one_time_work_may_need_other_one_time_work) {
  alarm(20); /* instead of waiting for itself */
  ank_once(&outer_flag, make_outer);
  ank_once(&outer_flag, make_outer);
  alarm(0);
  assert_int_equal(inner_made, 1);
  assert_int_equal(outer_made, 1);
}
