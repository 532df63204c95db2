/* The service survives the failure of every single allocation, its own and the library's. It answers a
 * request with 503 or, if it needs no memory, normally. If it cannot load a model or a file of tokens, it
 * keeps the old one. It leaks nothing (the address sanitizer checks), and loses no byte of the budget.
 * Afterwards, the same request gets the same bytes as before.
 *
 * The linker replaces malloc and similar functions by those below (--wrap, tests/CMakeLists.txt), so that the
 * allocations of serve/ count like those of src/.
 *
 * labels: long */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef ANORANK_HAS_SERVE

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/platform.h"
#include "http.h"
#include "listen.h"
#include "model/model.h"

/* ---- allocations that fail --------------------------------------------------------------------------- */

static atomic_size_t requests; /* since the count began */
static atomic_size_t failing;  /* the one that fails; 0: none */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t bytes);
FILE *__real_ank_stream_open(ank_stream_write *write, void *context);
FILE *__real_open_memstream(char **text, size_t *size);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t bytes);
FILE *__wrap_ank_stream_open(ank_stream_write *write, void *context);
FILE *__wrap_open_memstream(char **text, size_t *size);

static int fails(void) { return atomic_fetch_add(&requests, 1) + 1 == atomic_load(&failing); }

void *__wrap_malloc(size_t bytes) { return fails() ? NULL : __real_malloc(bytes); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *old, size_t bytes) { return fails() ? NULL : __real_realloc(old, bytes); }
FILE *__wrap_ank_stream_open(ank_stream_write *write, void *context) {
  return fails() ? NULL : __real_ank_stream_open(write, context);
}
FILE *__wrap_open_memstream(char **text, size_t *size) {
  return fails() ? NULL : __real_open_memstream(text, size);
}

/* How often rows were scored. */
static atomic_size_t scorings;
anorank_status __real_ank_model_score(double *scores, const anorank_model *model, const ank_match *match,
                                      const anorank_table *table, const double *known,
                                      const anorank_settings *settings, anorank_error *err);
anorank_status __wrap_ank_model_score(double *scores, const anorank_model *model, const ank_match *match,
                                      const anorank_table *table, const double *known,
                                      const anorank_settings *settings, anorank_error *err);
anorank_status __wrap_ank_model_score(double *scores, const anorank_model *model, const ank_match *match,
                                      const anorank_table *table, const double *known,
                                      const anorank_settings *settings, anorank_error *err) {
  atomic_fetch_add(&scorings, 1);
  return __real_ank_model_score(scores, model, match, table, known, settings, err);
}

/* The k-th from now on fails; returns how many there were since the last call. */
static size_t fail_at(size_t k) {
  atomic_store(&failing, k);
  return atomic_exchange(&requests, 0);
}

/* ---- a service --------------------------------------------------------------------------------------- */

static char folder[] = "/tmp/anorank-serve-XXXXXX", model_path[64];
static serve_named named = {"m", model_path};
static serve_options options = {.models = &named,
                                .model_count = 1,
                                .max_body = 8 << 20,
                                .max_held = 64 << 20,
                                .max_memory = 64 << 20,
                                .max_rows = 100000,
                                .max_connections = 50,
                                .max_per_address = 50,
                                .max_waiting = 8,
                                .idle_seconds = 60,
                                .request_seconds = 600,
                                .drain_seconds = 10,
                                .threads = 1};
static serve_service service;
static char long_body[600000]; /* beyond what a spool keeps in memory */

static void make_model(void) {
  double cells[240];
  const char *names[] = {"a", "b"};
  anorank_table *table = NULL;
  anorank_model *model = NULL;
  anorank_settings *settings = NULL;
  for (size_t i = 0; i < 240; i++) cells[i] = (double)(i * i * 7 % 31);
  assert_ok(anorank_table_from_matrix(&table, cells, 120, 2, 2, 1, names, NULL));
  assert_ok(anorank_settings_new(&settings, NULL, NULL));
  assert_ok(anorank_settings_set(settings, "scorer", "neighbours", NULL));
  assert_ok(anorank_fit(&model, table, NULL, settings, NULL));
  assert_ok(anorank_model_save(model, ANORANK_TO_FILE(model_path), NULL));
  anorank_model_free(model);
  anorank_settings_free(settings);
  anorank_table_free(table);
}

static int set_up(void **state) {
  (void)state;
  anorank_error err = {0};
  signal(SIGPIPE, SIG_IGN);
  if (!mkdtemp(folder)) return -1;
  snprintf(model_path, sizeof model_path, "%s/m.anr", folder);
  make_model();
  size_t used = (size_t)snprintf(long_body, sizeof long_body, "a,b\n");
  while (used < sizeof long_body - 64)
    used += (size_t)snprintf(long_body + used, sizeof long_body - used, "%zu.125,%030zu\n", used % 31, used);
  service.options = &options;
  service.local = 1;
  service.budget.most = options.max_held;
  assert_ok(serve_models_open(&service.models, &options, &err));
  assert_ok(serve_tokens_open(&service.tokens, NULL, &err));
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  serve_models_close(&service.models);
  serve_tokens_close(&service.tokens);
  unlink(model_path);
  return rmdir(folder);
}

/* ---- requests ---------------------------------------------------------------------------------------- */

typedef struct asked {
  const char *method, *path, *type;
  serve_pair parameter;
  const char *body;
} asked;

static const asked requests_made[] = {
    {"POST", "/v1/models/m/score", "text/csv", {0}, "a,b\n1,2\n3,=x\n"},
    {"POST", "/v1/models/m/score", "text/csv", {0}, "a,b\n1,2\n3,4\n"},
    {"POST", "/v1/models/m/score", "text/csv", {"keep", "b"}, "a,b\n1,2\n3,4\n"},
    {"POST", "/v1/models/m/score", "application/json", {0}, "[{\"a\": 1, \"b\": 2}, {\"a\": 3, \"b\": 4}]"},
    {"POST", "/v1/models/m/score", "text/csv", {0}, long_body},
    {"POST", "/v1/models/m/rank", "text/csv", {"lowest", "2"}, "a,b\n1,2\n3,4\n500,6\n"},
    {"POST",
     "/v1/models/m/rank",
     "application/x-ndjson",
     {"reasons", "2"},
     "{\"a\":1,\"b\":2}\n{\"a\":99,\"b\":4}\n"},
    {"GET", "/v1/models", NULL, {0}, NULL},
    {"GET", "/v1/models/m", NULL, {0}, NULL},
    {"GET", "/metrics", NULL, {0}, NULL},
    {"GET", "/healthz", NULL, {0}, NULL},
    {"GET", "/openapi.json", NULL, {0}, NULL},
    {"GET", "/nothing", NULL, {0}, NULL},
};

/* The answer as one text: its status and its bytes. */
typedef struct told {
  unsigned status;
  uint64_t length;
  char *bytes;
} told;

static told bytes_of(const serve_reply *reply) {
  told found = {reply->status, reply->fixed ? reply->fixed_length : reply->body.length, NULL};
  found.bytes = __real_malloc((size_t)found.length + 1);
  assert_non_null(found.bytes);
  if (reply->fixed)
    memcpy(found.bytes, reply->fixed, (size_t)found.length);
  else
    assert_int_equal(serve_spool_peek(&reply->body, found.bytes, (size_t)found.length), found.length);
  found.bytes[found.length] = '\0';
  return found;
}

static double seconds_left; /* of a request's time; 0: all */

static told ask(const asked *one) {
  serve_request request = {.method = one->method, .path = one->path, .version = "HTTP/1.1"};
  serve_reply reply;
  request.headers[request.header_count++] = (serve_pair){"Host", "localhost"};
  if (one->body) request.headers[request.header_count++] = (serve_pair){"Content-Type", one->type};
  if (one->body) request.headers[request.header_count++] = (serve_pair){"Content-Length", "10"};
  if (one->parameter.name) request.parameters[request.parameter_count++] = one->parameter;
  request.started = serve_clock();
  request.deadline = request.started + (seconds_left != 0 ? seconds_left : options.request_seconds);
  serve_reply_start(&reply);
  serve_spool_start(&request.body, &service.budget);
  serve_begin(&service, &request, &reply);
  if (reply.status == 0 && one->body && serve_spool_append(&request.body, one->body, strlen(one->body)) != 0)
    serve_problem(&reply, 503, "serve-body-space", "no room"); /* as http.c has it */
  if (reply.status == 0) serve_respond(&service, &request, &reply);
  size_t counted = atomic_load(&requests);
  told found = bytes_of(&reply);
  serve_spool_free(&request.body);
  serve_reply_free(&reply);
  atomic_store(&requests, counted);
  return found;
}

static void a_ranking_scores_its_rows_once_and_counts_their_p_values(void **state) {
  static const asked one = {
      "POST", "/v1/models/m/rank", "text/csv", {"lowest", "2"}, "a,b\n1,2\n3,4\n500,6\n"};
  uint64_t before = atomic_load(&service.models.slots[0].metrics.rows);
  (void)state;
  atomic_store(&scorings, 0);
  told found = ask(&one);
  assert_int_equal(found.status, 200);
  free(found.bytes);
  assert_int_equal(atomic_load(&scorings), 1);
  assert_int_equal(atomic_load(&service.models.slots[0].metrics.rows) - before, 3);
}

static void a_request_past_its_deadline_is_cancelled_while_its_body_is_read(void **state) {
  static const asked late[] = {{"POST", "/v1/models/m/score", "text/csv", {0}, long_body},
                               {"POST", "/v1/models/m/score", "text/csv", {"keep", "b"}, long_body},
                               {"POST", "/v1/models/m/rank", "text/csv", {0}, long_body}};
  uint64_t before = atomic_load(&service.models.slots[0].metrics.rows);
  (void)state;
  atomic_store(&scorings, 0);
  seconds_left = -1;
  for (size_t i = 0; i < sizeof late / sizeof late[0]; i++) {
    told found = ask(&late[i]);
    assert_int_equal(found.status, 503);
    assert_non_null(strstr(found.bytes, "\"request-timeout\""));
    free(found.bytes);
  }
  seconds_left = 0;
  assert_int_equal(atomic_load(&scorings), 0);
  assert_int_equal(atomic_load(&service.models.slots[0].metrics.rows), before);
}

/* What changes from one request to the next: counts of requests and rows. */
static int is_steady(const asked *one) { return strcmp(one->path, "/metrics") != 0; }

static void each_allocation_of_each_request_may_fail(void **state) {
  (void)state;
  size_t in_all = 0;
  for (size_t r = 0; r < sizeof requests_made / sizeof requests_made[0]; r++) {
    const asked *one = &requests_made[r];
    told right = ask(one);
    size_t k = 1;
    for (;; k++) {
      (void)fail_at(k);
      told got = ask(one);
      size_t made = fail_at(0);
      int as_ever = got.status == right.status && got.length == right.length &&
                    memcmp(got.bytes, right.bytes, (size_t)got.length) == 0;
      if (got.status != 503 && !as_ever && is_steady(one))
        print_error("%s %s, allocation %zu: %u %s\n", one->method, one->path, k, got.status, got.bytes);
      assert_true(got.status == 503 || as_ever || !is_steady(one));
      if (got.status == 503) assert_non_null(strstr(got.bytes, "\"status\": 503"));
      assert_int_equal(atomic_load(&service.budget.held), 0);
      free(got.bytes);
      if (made < k) break; /* there is no k-th: each has failed once */
      assert_true(k < 100000);
    }
    told again = ask(one);
    assert_int_equal(again.status, right.status);
    if (is_steady(one)) assert_string_equal(again.bytes, right.bytes);
    free(again.bytes);
    free(right.bytes);
    in_all += k - 1;
  }
  print_message("(%zu allocations failed)\n", in_all);
  assert_true(in_all > 500);
}

/* ---- models ----------------------------------------------------------------------------------------- */

static void each_allocation_of_a_start_may_fail(void **state) {
  (void)state;
  for (size_t k = 1;; k++) {
    serve_models models;
    anorank_error err = {0};
    (void)fail_at(k);
    anorank_status status = serve_models_open(&models, &options, &err);
    size_t made = fail_at(0);
    assert_true(status == ANORANK_OK || (status == ANORANK_ERROR_RESOURCES && *err.message && !models.slots));
    serve_models_close(&models);
    if (made < k) {
      assert_ok(status);
      break;
    }
  }
}

static void a_model_that_finds_no_memory_leaves_the_old_one(void **state) {
  (void)state;
  const asked *one = &requests_made[1];
  serve_slot *slot = &service.models.slots[0];
  told right = ask(one);
  for (size_t k = 1;; k++) {
    serve_model *before = slot->current;
    (void)fail_at(k);
    serve_change change = serve_slot_refresh(slot, options.max_memory, 1);
    size_t made = fail_at(0);
    told got = ask(one);
    assert_int_equal(got.status, 200);
    assert_string_equal(got.bytes, right.bytes);
    free(got.bytes);
    assert_true(change == SERVE_LOADED ? *slot->trouble == '\0' : slot->current == before && *slot->trouble);
    if (made < k) {
      assert_int_equal(change, SERVE_LOADED);
      break;
    }
  }
  free(right.bytes);
}

/* ---- over a socket ----------------------------------------------------------------------------------- */

static int connect_to(const serve_socket *listening) {
  struct sockaddr_in to;
  socklen_t length = sizeof to;
  assert_int_equal(getsockname(listening->socket, (struct sockaddr *)&to, &length), 0);
  int link = socket(AF_INET, SOCK_STREAM, 0);
  assert_true(link >= 0);
  assert_int_equal(connect(link, (const struct sockaddr *)&to, length), 0);
  return link;
}

/* All that comes until the connection ends. */
static size_t exchange_over(const serve_socket *listening, const char *text, char *answer, size_t size) {
  int link = connect_to(listening);
  size_t got = 0;
  ssize_t more;
  (void)!write(link, text, strlen(text));
  while (got < size - 1 && (more = read(link, answer + got, size - 1 - got)) > 0) got += (size_t)more;
  answer[got] = '\0';
  close(link);
  return got;
}

/* By threads of libmicrohttpd, a worker and the journal: the answer is right, 503, or none at all. */
static void each_allocation_behind_a_socket_may_fail(void **state) {
  (void)state;
  static const char text[] = "POST /v1/models/m/rank HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                             "Content-Length: 18\r\n\r\na,b\n1,2\n3,4\n500,6\n";
  anorank_error err = {0};
  serve_socket listening;
  serve_workers workers;
  serve_access_log journal = {0};
  serve_http *http = NULL;
  char right[8192], got[8192];
  size_t refused = 0, closed = 0;
  assert_ok(serve_listen(&listening, "127.0.0.1:0", &err));
  assert_ok(serve_workers_start(&workers, 1, 8, &service.metrics, &err));
  if (serve_http_start(&http, &service, &workers, &journal, &listening, &err) != ANORANK_OK) {
    print_message("%s: not looked at\n", err.message);
    serve_workers_free(&workers);
    close(listening.socket);
    return;
  }
  exchange_over(&listening, text, right, sizeof right);
  assert_non_null(strstr(right, "HTTP/1.1 200"));
  const char *rows = strstr(right, "\r\n\r\n");
  for (size_t k = 1;; k++) {
    (void)fail_at(k);
    size_t length = exchange_over(&listening, text, got, sizeof got);
    size_t made = fail_at(0);
    refused += length > 0 && strstr(got, "HTTP/1.1 503") != NULL;
    closed += length == 0;
    assert_true(length == 0 || strstr(got, "HTTP/1.1 503") ||
                (strstr(got, "HTTP/1.1 200") && strcmp(strstr(got, "\r\n\r\n"), rows) == 0));
    if (made < k) break;
  }
  print_message("(503: %zu, closed: %zu)\n", refused, closed);
  assert_true(refused > 100 && closed > 0);
  exchange_over(&listening, text, got, sizeof got);
  assert_string_equal(strstr(got, "\r\n\r\n"), rows);
  serve_http_drain(http);
  serve_workers_stop(&workers);
  serve_http_stop(http);
  serve_workers_free(&workers);
  close(listening.socket);
  assert_int_equal(atomic_load(&service.budget.held), 0);
  atomic_store(&service.draining, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ranking_scores_its_rows_once_and_counts_their_p_values),
      cmocka_unit_test(a_request_past_its_deadline_is_cancelled_while_its_body_is_read),
      cmocka_unit_test(each_allocation_of_each_request_may_fail),
      cmocka_unit_test(each_allocation_of_a_start_may_fail),
      cmocka_unit_test(a_model_that_finds_no_memory_leaves_the_old_one),
      cmocka_unit_test(each_allocation_behind_a_socket_may_fail)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

#else

int main(void) {
  puts("this build has no 'anorank serve': nothing to look at");
  return 0;
}

#endif
