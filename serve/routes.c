/* routes.c - routes requests, and checks access. */
#include <string.h>

#include "core/ascii.h"
#include "service.h"

enum { SHORT_BODY = 16 << 10 }; /* bytes that are scored in a moment */

/* `open`: needs no token. A path that ends in '/' is the beginning of addresses of models. */
static const struct {
  const char *path;
  serve_route route;
  int open;
} routes[] = {
    {"/", SERVE_ROUTE_PAGE, 1},           {"/page.js", SERVE_ROUTE_PAGE, 1},
    {"/page.css", SERVE_ROUTE_PAGE, 1},   {"/healthz", SERVE_ROUTE_HEALTH, 1},
    {"/readyz", SERVE_ROUTE_READY, 1},    {"/openapi.json", SERVE_ROUTE_OPENAPI, 1},
    {"/metrics", SERVE_ROUTE_METRICS, 0}, {"/v1/models", SERVE_ROUTE_MODELS, 0},
};

static int open_to_all(const serve_request *request) {
  for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++)
    if (strcmp(request->path, routes[i].path) == 0) return routes[i].open;
  return 0;
}

/* /v1/models/NAME, /v1/models/NAME/score and /v1/models/NAME/rank. */
static void find_model_route(serve_request *request) {
  static const char start[] = "/v1/models/";
  if (strncmp(request->path, start, sizeof start - 1) != 0) return;
  request->model_name = request->path + sizeof start - 1;
  request->model_length = strcspn(request->model_name, "/");
  const char *rest = request->model_name + request->model_length;
  if (request->model_length == 0) return;
  if (*rest == '\0') request->route = SERVE_ROUTE_MODELS;
  if (strcmp(rest, "/score") == 0) request->route = SERVE_ROUTE_SCORE;
  if (strcmp(rest, "/rank") == 0) request->route = SERVE_ROUTE_RANK;
}

static void find_route(serve_request *request) {
  request->route = SERVE_ROUTE_OTHER;
  request->model_name = NULL;
  for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++)
    if (strcmp(request->path, routes[i].path) == 0) request->route = routes[i].route;
  if (request->route == SERVE_ROUTE_OTHER) find_model_route(request);
}

static int takes_rows(const serve_request *request) {
  return request->route == SERVE_ROUTE_SCORE || request->route == SERVE_ROUTE_RANK;
}

/* DNS rebinding: a foreign page in a browser on this machine can send requests here under a host name that resolves to
 * 127.0.0.1. Without a token, only the Host header reveals that. */
static int is_local_name(const char *host) {
  static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    size_t length = strlen(names[i]);
    if (ank_same_start(host, names[i], length) && (host[length] == '\0' || host[length] == ':')) return 1;
  }
  return strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == strcspn(host, ":");
}

static void check_body(serve_service *service, const serve_request *request, serve_reply *reply) {
  const char *length = serve_header(request, "Content-Length"),
             *encoding = serve_header(request, "Content-Encoding");
  uint64_t bytes = 0;
  for (const char *at = length; at && *at; at++) bytes = 10 * bytes + (uint64_t)(*at - '0');
  if (encoding && !ank_same_word(encoding, "identity"))
    serve_problem(reply, 415, "request-body-compressed",
                  "compressed bodies are not supported; send the body uncompressed");
  else if (bytes > service->options->max_body)
    serve_problem(reply, 413, "request-body-size", "the body has more than %llu bytes; send it in parts",
                  (unsigned long long)service->options->max_body);
  else if (atomic_load(&service->budget.held) + bytes > service->budget.most)
    serve_problem(reply, 503, "serve-busy", "too many concurrent uploads; retry shortly");
}

void serve_begin(serve_service *service, serve_request *request, serve_reply *reply) {
  const char *host = serve_header(request, "Host");
  find_route(request);
  serve_validate_request(reply, request);
  if (reply->status != 0) return;
  int reads = strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0;
  if (service->local && host && !is_local_name(host))
    serve_problem(reply, 403, "request-host",
                  "the Host header does not name this machine; use localhost, or serve with --token-file");
  else if (!open_to_all(request) &&
           !serve_tokens_allow(&service->tokens, serve_header(request, "Authorization")))
    serve_problem(reply, 401, "request-token", "missing or wrong token; send 'Authorization: Bearer TOKEN'");
  else if (request->route == SERVE_ROUTE_OTHER)
    serve_problem(reply, 404, "request-address", "unknown path; /openapi.json lists the valid ones");
  else if (takes_rows(request) ? strcmp(request->method, "POST") != 0 : !reads) {
    serve_problem(reply, 405, "request-method", "method not allowed; this path takes %s",
                  takes_rows(request) ? "POST" : "GET");
    reply->allow = takes_rows(request) ? "POST" : "GET, HEAD";
  } else if (request->model_name && !(request->slot = serve_models_find(&service->models, request->model_name,
                                                                        request->model_length)))
    serve_problem(reply, 404, "request-model", "no such model; /v1/models lists them");
  else if (takes_rows(request) && atomic_load(&service->draining)) {
    serve_refuse_ending(reply);
    request->refused = 1;
  } else if (takes_rows(request))
    check_body(service, request, reply);
}

int serve_is_long(const serve_request *request) {
  return request->route == SERVE_ROUTE_RANK ||
         (request->route == SERVE_ROUTE_SCORE && request->body.length > SHORT_BODY);
}

void serve_respond(serve_service *service, serve_request *request, serve_reply *reply) {
  switch (request->route) {
  case SERVE_ROUTE_SCORE:
  case SERVE_ROUTE_RANK: serve_run_request(service, request, reply); break;
  case SERVE_ROUTE_MODELS: serve_respond_models(service, request, reply); break;
  case SERVE_ROUTE_METRICS: serve_respond_metrics(service, reply); break;
  case SERVE_ROUTE_HEALTH:
  case SERVE_ROUTE_READY: serve_respond_state(service, request, reply); break;
  case SERVE_ROUTE_OPENAPI:
  case SERVE_ROUTE_PAGE: serve_respond_file(request, reply); break;
  case SERVE_ROUTE_OTHER:
  case SERVE_ROUTES: break; /* refused by serve_begin */
  }
}
