/* Any bytes as a request: header lines, an empty line, a body; the path may have parameters. The service
 * always answers with a status and a consistent response: a problem with a sentence, or scores with a model's
 * digest. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anorank/anorank.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef ANORANK_HAS_SERVE

#include <unistd.h>

#include "service.h"
#include "support/find.h"

#define MUST(condition)                                                                                      \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      fprintf(stderr, "%s:%d: violated: %s\n", __FILE__, __LINE__, #condition);                              \
      abort();                                                                                               \
    }                                                                                                        \
  } while (0)

static serve_service service;

static void make_model(const char *path) {
  double cells[120];
  const char *names[] = {"a", "b"};
  anorank_table *table = NULL;
  anorank_model *model = NULL;
  anorank_settings *settings = NULL;
  for (size_t i = 0; i < 120; i++) cells[i] = (double)(i * i * 7 % 31);
  MUST(anorank_table_from_matrix(&table, cells, 60, 2, 2, 1, names, NULL) == ANORANK_OK);
  MUST(anorank_settings_new(&settings, NULL, NULL) == ANORANK_OK);
  MUST(anorank_settings_set(settings, "scorer", "mahalanobis", NULL) == ANORANK_OK);
  MUST(anorank_fit(&model, table, NULL, settings, NULL) == ANORANK_OK);
  MUST(anorank_model_save(model, ANORANK_TO_FILE(path), NULL) == ANORANK_OK);
  anorank_model_free(model);
  anorank_settings_free(settings);
  anorank_table_free(table);
}

static void open_service(void) {
  static char path[] = "/tmp/anorank-fuzz-XXXXXX";
  static serve_named named = {"m", path};
  static serve_options options = {.models = &named,
                                  .model_count = 1,
                                  .max_body = 1 << 20,
                                  .max_memory = 64 << 20,
                                  .max_rows = 10000,
                                  .request_seconds = 10};
  int file = mkstemp(path);
  MUST(file >= 0);
  make_model(path);
  service.options = &options;
  service.budget.most = 8 << 20;
  service.local = 1;
  MUST(serve_models_open(&service.models, &options, NULL) == ANORANK_OK);
  MUST(serve_tokens_open(&service.tokens, NULL, NULL) == ANORANK_OK);
  close(file);
  unlink(path);
}

/* The next piece of the text up to one of the marks, which is cut off; "" at the end. */
static char *piece(char **rest, const char *marks) {
  char *start = *rest;
  size_t length = strcspn(start, marks);
  *rest = start + length + (start[length] != '\0');
  start[length] = '\0';
  return start;
}

static void read_line(serve_request *request, char *line) {
  request->method = piece(&line, " ");
  char *address = piece(&line, " ");
  request->version = line;
  request->path = piece(&address, "?");
  while (*address) {
    char *name = piece(&address, "&"), *value = name;
    (void)piece(&value, "=");
    if (request->parameter_count == SERVE_PARAMETERS)
      request->crowded = 1;
    else
      request->parameters[request->parameter_count++] = (serve_pair){name, value};
  }
}

static void read_head(serve_request *request, char *head) {
  read_line(request, piece(&head, "\n"));
  while (*head) {
    char *line = piece(&head, "\n"), *value = line;
    (void)piece(&value, ":");
    value += strspn(value, " ");
    if (request->header_count == SERVE_HEADERS)
      request->crowded = 1;
    else
      request->headers[request->header_count++] = (serve_pair){line, value};
  }
}

static void check_reply(const serve_request *request, const serve_reply *reply) {
  uint64_t length = reply->fixed ? reply->fixed_length : reply->body.length;
  MUST(reply->status >= 200 && reply->status < 600 && reply->type);
  MUST(reply->status != 405 || reply->allow);
  MUST(length > 0 || request->route == SERVE_ROUTE_RANK || request->route == SERVE_ROUTE_SCORE);
  if (reply->status == 200) {
    MUST(request->route != SERVE_ROUTE_OTHER);
    MUST((request->route == SERVE_ROUTE_SCORE || request->route == SERVE_ROUTE_RANK) ==
         (*reply->digest != '\0'));
    return;
  }
  MUST(strcmp(reply->type, "application/problem+json") == 0);
  MUST(reply->fixed || (reply->body.file < 0 && memchr(reply->body.bytes, '}', (size_t)length)));
}

/* The codes of three errors that libmicrohttpd hides from the clients of the tests. */
static void check_codes(void) {
  static const struct {
    const char *request, *code;
  } known[] = {{"POST /v1/models/m/score HTTP/1.1\nHost: localhost\nContent-Length: +5\n\n1",
                "\"request-length-value\""},
               {"GET /healthz HTTP/1.1\nX: y\n\n", "\"request-host-missing\""},
               {"GET /healthz HTTP/2.0\nHost: localhost\n\n", "\"request-http-version\""}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    serve_request request = {0};
    serve_reply reply;
    char text[200];
    snprintf(text, sizeof text, "%s", known[i].request);
    *strstr(text, "\n\n") = '\0';
    serve_reply_start(&reply);
    read_head(&request, text);
    serve_begin(&service, &request, &reply);
    MUST(reply.closes &&
         find_bytes(reply.body.bytes, (size_t)reply.body.length, known[i].code, strlen(known[i].code)));
    serve_reply_free(&reply);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 1 << 16) return 0;
  if (!service.options) {
    open_service();
    check_codes();
  }
  const uint8_t *blank = size > 1 ? find_bytes(data, size, "\n\n", 2) : NULL;
  size_t head_size = blank ? (size_t)(blank - data) : size;
  char *head = calloc(1, head_size + 1);
  serve_request request = {0};
  serve_reply reply;
  MUST(head);
  memcpy(head, data, head_size);
  serve_reply_start(&reply);
  serve_spool_start(&request.body, &service.budget);
  read_head(&request, head);
  request.started = serve_clock();
  request.deadline = request.started + 10;
  serve_begin(&service, &request, &reply);
  if (reply.status == 0) {
    if (blank) MUST(serve_spool_append(&request.body, blank + 2, size - head_size - 2) == 0);
    serve_respond(&service, &request, &reply);
  }
  check_reply(&request, &reply);
  serve_spool_free(&request.body);
  serve_reply_free(&reply);
  MUST(atomic_load(&service.budget.held) == 0);
  free(head);
  return 0;
}

#else

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data, (void)size; /* this build has no service */
  return 0;
}

#endif
