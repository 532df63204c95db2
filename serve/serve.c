/* serve.c - the life of the service: start, watch the model files, end. See serve.h. */
#include "serve.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "http.h"
#include "listen.h"
#include "text.h"

enum { LOOKS_A_SECOND = 4 };

typedef struct life {
  serve_service service;
  serve_workers workers;
  serve_journal journal;
  serve_socket listening;
  serve_http *http;
  sigset_t signals;
} life;

/* ---- signals ----------------------------------------------------------------------------------------- */

static void take_no_notice(int number) { (void)number; }

/* The signals wait until the one thread that asks for them does; the threads that follow inherit that. A
 * SIGHUP that `nohup` ignores is to load the models all the same. */
static void block_signals(life *now) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = take_no_notice;
  sigaction(SIGHUP, &action, NULL);
  sigemptyset(&now->signals);
  sigaddset(&now->signals, SIGTERM);
  sigaddset(&now->signals, SIGINT);
  sigaddset(&now->signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &now->signals, NULL);
}

/* The next signal within a moment, 0 without one. */
static int next_signal(const life *now) {
  struct timespec moment = {.tv_nsec = 1000000000 / LOOKS_A_SECOND};
  int number = sigtimedwait(&now->signals, NULL, &moment);
  return number > 0 ? number : 0;
}

/* ---- files that change ------------------------------------------------------------------------------- */

static void refresh(life *now, int force) {
  for (size_t i = 0; i < now->service.models.count; i++) {
    serve_slot *slot = &now->service.models.slots[i];
    switch (serve_slot_refresh(slot, now->service.models.max_memory, force)) {
    case SERVE_UNCHANGED: break;
    case SERVE_LOADED:
      serve_journal_event(&now->journal, "model loaded",
                          (serve_pair[]){{"model", slot->name}, {"sha256", slot->current->digest}}, 2);
      break;
    case SERVE_REFUSED:
      serve_journal_event(&now->journal, "model refused",
                          (serve_pair[]){{"model", slot->name}, {"error", slot->trouble}}, 2);
      break;
    }
  }
}

static void refresh_tokens(life *now) {
  anorank_error err = {0};
  if (serve_tokens_refresh(&now->service.tokens, &err) != ANORANK_OK)
    serve_journal_event(&now->journal, "tokens refused", (serve_pair[]){{"error", err.message}}, 1);
}

/* ---- start and end ----------------------------------------------------------------------------------- */

/* As many descriptors as the system allows: connections must not run out of them before they reach their
 * limit. */
static void raise_limits(void) {
  struct rlimit most;
  if (getrlimit(RLIMIT_NOFILE, &most) != 0 || most.rlim_cur >= most.rlim_max) return;
  most.rlim_cur = most.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &most);
}

static anorank_status check_reach(const life *now, anorank_error *err) {
  const serve_options *options = now->service.options;
  if (now->listening.local || options->token_file || options->insecure) return ANORANK_OK;
  return cli_fail(
      err, ANORANK_ERROR_USAGE, "serve-needs-token",
      "other machines can reach %s, and anyone could ask; give --token-file FILE, or --insecure if that "
      "is meant",
      now->listening.address);
}

static anorank_status start(life *now, anorank_error *err) {
  const serve_options *options = now->service.options;
  struct timespec clock;
  clock_gettime(CLOCK_REALTIME, &clock);
  now->service.metrics.started = (double)clock.tv_sec;
  now->service.budget.most = options->max_held;
  anorank_status status = serve_tokens_open(&now->service.tokens, options->token_file, err);
  if (status == ANORANK_OK) status = serve_listen(&now->listening, options->listen, err);
  if (status == ANORANK_OK) status = check_reach(now, err);
  if (status == ANORANK_OK) status = serve_models_open(&now->service.models, options, err);
  if (status == ANORANK_OK) status = serve_journal_open(&now->journal, options->logging, err);
  if (status != ANORANK_OK) return status;
  now->service.local = now->listening.local && !options->token_file;
  raise_limits();
  block_signals(now);
  status =
      serve_workers_start(&now->workers, options->threads, options->max_waiting, &now->service.metrics, err);
  if (status != ANORANK_OK) return status;
  status =
      serve_http_start(&now->http, &now->service, &now->workers, &now->journal, now->listening.socket, err);
  if (status != ANORANK_OK) serve_workers_stop(&now->workers);
  return status;
}

/* Requests under way are answered, as far as they are in time; connections that wait for nothing are
 * closed. */
static void drain(life *now) {
  double until = serve_clock() + now->service.options->drain_seconds;
  serve_journal_event(&now->journal, "ending", NULL, 0);
  serve_notify("STOPPING=1");
  serve_http_drain(now->http);
  /* New clients see it at once. Not closed yet: a thread of libmicrohttpd may still hold it. */
  if (!now->listening.passed) shutdown(now->listening.socket, SHUT_RDWR);
  while (serve_http_active(now->http) > 0 && serve_clock() < until) {
    struct timespec moment = {.tv_nsec = 10000000};
    nanosleep(&moment, NULL);
    serve_http_reap(now->http);
  }
  atomic_store(&now->service.hurry, 1);
  serve_workers_stop(&now->workers);
  serve_http_stop(now->http);
}

static void look_after(life *now) {
  unsigned looks = 0;
  for (;;) {
    int number = next_signal(now);
    if (number == SIGTERM || number == SIGINT) return;
    if (number == SIGHUP) refresh_tokens(now);
    if (number == SIGHUP || ++looks % LOOKS_A_SECOND == 0) refresh(now, number == SIGHUP);
    serve_http_reap(now->http);
  }
}

anorank_status serve_run(const serve_options *options, anorank_error *err) {
  static life now; /* large */
  memset(&now, 0, sizeof now);
  now.service.options = options;
  now.listening.socket = -1;
  anorank_status status = start(&now, err);
  if (status == ANORANK_OK) {
    serve_journal_event(&now.journal, "listening",
                        (serve_pair[]){{"address", now.listening.address}, {"version", anorank_version()}},
                        2);
    serve_notify("READY=1");
    look_after(&now);
    drain(&now);
    serve_journal_event(&now.journal, "ended", NULL, 0);
  }
  serve_journal_close(&now.journal);
  serve_models_close(&now.service.models);
  serve_tokens_close(&now.service.tokens);
  if (now.listening.socket >= 0) close(now.listening.socket);
  return status;
}
