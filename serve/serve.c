/* serve.c - the service: start, watch the model files, shut down. See serve.h. */
#include "serve.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "http.h"
#include "listen.h"
#include "text.h"

enum {
  LOOKS_A_SECOND = 4,
  IDLE_SECONDS = 1,  /* that idle connections stay open at the end */
  ANSWER_SECONDS = 1 /* for clients to read the refusal of what was cancelled at the end */
};

typedef struct server {
  serve_service service;
  serve_workers workers;
  serve_access_log access_log;
  serve_socket listening;
  serve_http *http;
  sigset_t signals;
} server;

/* ---- signals ----------------------------------------------------------------------------------------- */

static void ignore_signal(int number) { (void)number; }

/* Signals are blocked, except in the thread that waits for them; new threads inherit that. SIGHUP reloads the
 * models even under `nohup`. */
static void block_signals(server *server_state) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = ignore_signal;
  sigaction(SIGHUP, &action, NULL);
  sigemptyset(&server_state->signals);
  sigaddset(&server_state->signals, SIGTERM);
  sigaddset(&server_state->signals, SIGINT);
  sigaddset(&server_state->signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &server_state->signals, NULL);
}

/* The next signal within a moment, 0 without one. */
static int next_signal(const server *server_state) {
  struct timespec moment = {.tv_nsec = 1000000000 / LOOKS_A_SECOND};
  int number = sigtimedwait(&server_state->signals, NULL, &moment);
  return number > 0 ? number : 0;
}

/* ---- files that change ------------------------------------------------------------------------------- */

static void refresh(server *server_state, int force) {
  for (size_t i = 0; i < server_state->service.models.count; i++) {
    serve_slot *slot = &server_state->service.models.slots[i];
    switch (serve_slot_refresh(slot, server_state->service.models.max_memory, force)) {
    case SERVE_UNCHANGED: break;
    case SERVE_LOADED:
      serve_access_log_event(&server_state->access_log, "model loaded",
                             (serve_pair[]){{"model", slot->name}, {"sha256", slot->current->digest}}, 2);
      break;
    case SERVE_REFUSED:
      serve_access_log_event(&server_state->access_log, "model refused",
                             (serve_pair[]){{"model", slot->name}, {"error", slot->trouble}}, 2);
      break;
    }
  }
}

static void refresh_tokens(server *server_state) {
  anorank_error err = {0};
  if (serve_tokens_refresh(&server_state->service.tokens, &err) != ANORANK_OK)
    serve_access_log_event(&server_state->access_log, "tokens refused",
                           (serve_pair[]){{"error", err.message}}, 1);
}

/* ---- start and end ----------------------------------------------------------------------------------- */

/* Raise the limit of descriptors, so that connections reach their own limit first. */
static void raise_limits(void) {
  struct rlimit most;
  if (getrlimit(RLIMIT_NOFILE, &most) != 0 || most.rlim_cur >= most.rlim_max) return;
  most.rlim_cur = most.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &most);
}

static anorank_status check_reach(const server *server_state, anorank_error *err) {
  const serve_options *options = server_state->service.options;
  if (server_state->listening.local || options->token_file || options->insecure) return ANORANK_OK;
  return cli_fail(err, ANORANK_ERROR_USAGE, "serve-needs-token",
                  "%s is reachable from the network without authentication; pass --token-file FILE, or "
                  "--insecure to allow that",
                  server_state->listening.address);
}

static anorank_status start(server *server_state, anorank_error *err) {
  const serve_options *options = server_state->service.options;
  struct timespec clock;
  clock_gettime(CLOCK_REALTIME, &clock);
  server_state->service.metrics.started = (double)clock.tv_sec;
  server_state->service.budget.most = options->max_held;
  anorank_status status = serve_tokens_open(&server_state->service.tokens, options->token_file, err);
  if (status == ANORANK_OK) status = serve_listen(&server_state->listening, options->listen, err);
  if (status == ANORANK_OK) status = check_reach(server_state, err);
  if (status == ANORANK_OK) status = serve_models_open(&server_state->service.models, options, err);
  if (status == ANORANK_OK) status = serve_access_log_open(&server_state->access_log, options->logging, err);
  if (status != ANORANK_OK) return status;
  server_state->service.local = server_state->listening.local && !options->token_file;
  raise_limits();
  block_signals(server_state);
  status = serve_workers_start(&server_state->workers, options->threads, options->max_waiting,
                               &server_state->service.metrics, err);
  if (status != ANORANK_OK) return status;
  status = serve_http_start(&server_state->http, &server_state->service, &server_state->workers,
                            &server_state->access_log, &server_state->listening, err);
  if (status != ANORANK_OK) serve_workers_free(&server_state->workers);
  return status;
}

/* Until all connections are closed, or the time has come. */
static void wait_for_connections(server *server_state, double until, double idle_until) {
  int hurry = atomic_load(&server_state->service.hurry);
  while (serve_http_connections(server_state->http) > 0 && serve_clock() < until) {
    struct timespec moment = {.tv_nsec = 10000000};
    nanosleep(&moment, NULL);
    serve_http_reap(server_state->http);
    if (serve_clock() >= idle_until) serve_http_close_idle(server_state->http);
    if (hurry) serve_http_cut_bodies(server_state->http);
  }
}

/* Finish the requests in progress. Connections stay open for a moment longer, to refuse requests of clients that are
 * unaware of the shutdown. Work beyond `drain_seconds` is cancelled and answered with 503. Threads of libmicrohttpd may
 * still use the workers, and none of its connections may wait for a worker when it stops; so the workers stop before it,
 * and are freed after it. */
static void drain(server *server_state) {
  double now = serve_clock(), seconds = server_state->service.options->drain_seconds;
  serve_access_log_event(&server_state->access_log, "ending", NULL, 0);
  serve_notify("STOPPING=1");
  serve_http_drain(server_state->http);
  close(server_state->listening.socket); /* new clients see it at once */
  server_state->listening.socket = -1;
  wait_for_connections(server_state, now + seconds, now + (seconds < IDLE_SECONDS ? seconds : IDLE_SECONDS));
  atomic_store(&server_state->service.hurry, 1);
  serve_workers_stop(&server_state->workers);
  now = serve_clock();
  wait_for_connections(server_state, now + ANSWER_SECONDS, now);
  serve_http_stop(server_state->http);
  serve_workers_free(&server_state->workers);
}

static void event_loop(server *server_state) {
  unsigned looks = 0;
  for (;;) {
    int number = next_signal(server_state);
    if (number == SIGTERM || number == SIGINT) return;
    if (number == SIGHUP) refresh_tokens(server_state);
    if (number == SIGHUP || ++looks % LOOKS_A_SECOND == 0) refresh(server_state, number == SIGHUP);
    serve_http_reap(server_state->http);
  }
}

anorank_status serve_run(const serve_options *options, anorank_error *err) {
  static server server_state; /* large */
  memset(&server_state, 0, sizeof server_state);
  server_state.service.options = options;
  server_state.listening.socket = -1;
  anorank_status status = start(&server_state, err);
  if (status == ANORANK_OK) {
    serve_access_log_event(
        &server_state.access_log, "listening",
        (serve_pair[]){{"address", server_state.listening.address}, {"version", anorank_version()}}, 2);
    serve_notify("READY=1");
    event_loop(&server_state);
    drain(&server_state);
    serve_access_log_event(&server_state.access_log, "ended", NULL, 0);
  }
  serve_access_log_close(&server_state.access_log);
  serve_models_close(&server_state.service.models);
  serve_tokens_close(&server_state.service.tokens);
  if (server_state.listening.socket >= 0) close(server_state.listening.socket);
  return status;
}
