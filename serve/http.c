/* http.c - see http.h.
 *
 * A few threads of libmicrohttpd serve all connections. They do short work themselves; for long work, the
 * connection is suspended until a worker resumes it. No thread waits for a client: bodies and responses are
 * spooled. */
#include "http.h"

#include <stdlib.h>
#include <string.h>

#include "acceptor.h"
#include "connections.h"
#include "mhd.h"
#include "text.h"

enum { HEAD_MEMORY = 32 << 10 }; /* bytes of one connection: its head must fit */

struct serve_http {
  serve_service *service;
  serve_workers *workers;
  serve_access_log *access_log;
  struct MHD_Daemon *daemon;
  serve_connections connections;
  serve_acceptor acceptor;
  int accepting;
  atomic_int entering; /* connections that libmicrohttpd has been given, but not yet begun with */
  double last_given;   /* when the last one was; for the acceptor, and after its end */
};

/* One request and its answer. */
typedef struct exchange {
  serve_task task; /* first: a task is its exchange */
  serve_http *http;
  serve_connection *from;
  struct MHD_Connection *link;
  serve_request request;
  serve_reply reply;
  int handed_over; /* to the workers, once */
  int refused;     /* the service ends: answered once the body has come */
  uint64_t passed; /* bytes of a body that is too long */
} exchange;

/* ---- connections ------------------------------------------------------------------------------------- */

/* Includes connections that libmicrohttpd has not started, unless it lacked memory for them. */
unsigned serve_http_connections(serve_http *http) {
  int entering = atomic_load(&http->entering);
  if (entering > 0 && serve_clock() - http->last_given > 1) atomic_fetch_sub(&http->entering, entering);
  return atomic_load(&http->service->metrics.connections) + (unsigned)(entering > 0 ? entering : 0);
}

/* Whether one more fits. */
static int has_room(void *context) {
  serve_http *http = context;
  return serve_http_connections(http) < http->service->options->max_connections;
}

static void give(void *context, int socket, const struct sockaddr *address, socklen_t size) {
  serve_http *http = context;
  atomic_fetch_add(&http->entering, 1);
  http->last_given = serve_clock();
  if (mhd.add_connection(http->daemon, socket, address, size) != MHD_YES) /* it has closed the socket */
    atomic_fetch_sub(&http->entering, 1);
}

/* libmicrohttpd reports the end before it closes the socket, so the list never has a reused
 * descriptor. */
static void on_connection(void *context, struct MHD_Connection *link, void **of_socket,
                          enum MHD_ConnectionNotificationCode what) {
  serve_http *http = context;
  if (what == MHD_CONNECTION_NOTIFY_STARTED) {
    const union MHD_ConnectionInfo *about = mhd.get_connection_info(link, MHD_CONNECTION_INFO_CONNECTION_FD),
                                   *client =
                                       mhd.get_connection_info(link, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    atomic_fetch_add(&http->service->metrics.connections, 1);
    atomic_fetch_sub(&http->entering, 1);
    *of_socket = about ? serve_connections_add(&http->connections, about->connect_fd,
                                               client ? client->client_addr : NULL)
                       : NULL;
  } else {
    serve_connections_remove(&http->connections, *of_socket);
    atomic_fetch_sub(&http->service->metrics.connections, 1);
    *of_socket = NULL;
  }
}

/* ---- heads ------------------------------------------------------------------------------------------- */

/* Offsets of the parts of a head in the receive buffer. */
typedef struct trail {
  exchange *one;
  uintptr_t end; /* of the last part */
  int odd;       /* something else than CR LF stands between two lines */
} trail;

static enum MHD_Result take_header(void *context, enum MHD_ValueKind kind, const char *key, size_t key_size,
                                   const char *value, size_t value_size) {
  trail *so_far = context;
  serve_request *request = &so_far->one->request;
  (void)kind;
  if (!value) value = "", value_size = 0;
  so_far->odd |= (uintptr_t)key != so_far->end + 2;
  so_far->end = (uintptr_t)value + value_size;
  if (request->header_count == SERVE_HEADERS || strlen(key) != key_size || strlen(value) != value_size) {
    request->crowded = 1;
    return MHD_YES;
  }
  request->headers[request->header_count++] = (serve_pair){key, value};
  return MHD_YES;
}

static enum MHD_Result take_parameter(void *context, enum MHD_ValueKind kind, const char *key,
                                      size_t key_size, const char *value, size_t value_size) {
  serve_request *request = &((exchange *)context)->request;
  (void)kind;
  if (!value) value = "", value_size = 0;
  if (request->parameter_count == SERVE_PARAMETERS || strlen(key) != key_size || strlen(value) != value_size)
    request->crowded = 1;
  else
    request->parameters[request->parameter_count++] = (serve_pair){key, value};
  return MHD_YES;
}

/* libmicrohttpd takes a bare LF for the end of a line and joins continued lines, where a proxy in front
 * may do neither. It cuts a head into its parts where it lies, so two bytes (CR LF) must be between a
 * part and the next, and four at the end; its size tells the end. Versions since 0.9.77
 * refuse such heads themselves. */
static int has_odd_lines(exchange *one, const char *method, const char *version) {
  const union MHD_ConnectionInfo *about =
      mhd.get_connection_info(one->link, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  trail so_far = {.one = one, .end = (uintptr_t)version + strlen(version)};
  mhd.get_connection_values_n(one->link, MHD_HEADER_KIND, take_header, &so_far);
  if (mhd.refuses_odd_lines) return 0;
  return so_far.odd || !about || so_far.end + 4 != (uintptr_t)method + about->header_size;
}

/* A %00 must not truncate an address or a value. */
static size_t unescape(void *context, struct MHD_Connection *link, char *text) {
  size_t length = mhd.http_unescape(text);
  (void)context, (void)link;
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\0') text[i] = '\x01';
  return length;
}

static exchange *begin(serve_http *http, struct MHD_Connection *link, const char *url, const char *method,
                       const char *version) {
  exchange *one = calloc(1, sizeof *one);
  const union MHD_ConnectionInfo *about = mhd.get_connection_info(link, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  if (!one) return NULL;
  one->http = http;
  one->link = link;
  one->from = about ? about->socket_context : NULL;
  serve_reply_start(&one->reply);
  serve_spool_start(&one->request.body, &http->service->budget);
  one->request.method = method;
  one->request.path = url;
  one->request.version = version;
  one->request.started = serve_clock();
  one->request.deadline = one->request.started + http->service->options->request_seconds;
  int closing = serve_connection_enter(one->from, SERVE_AT_BODY) == SERVE_CLOSING;
  int odd = has_odd_lines(one, method, version);
  mhd.get_connection_values_n(link, MHD_GET_ARGUMENT_KIND, take_parameter, one);
  if (odd) {
    serve_problem(&one->reply, 400, "request-line-ending",
                  "malformed request header: bare LF or obsolete line folding; end each line in CR LF");
    one->reply.closes = 1;
  } else {
    serve_begin(http->service, &one->request, &one->reply);
    /* a client that is still sending may not see an answer that comes before its body has been received */
    one->refused = one->request.refused && !closing && !serve_header(&one->request, "Expect");
  }
  return one;
}

/* ---- answers ----------------------------------------------------------------------------------------- */

static struct MHD_Response *response_of(serve_reply *reply) {
  serve_spool *body = &reply->body;
  if (reply->fixed)
    return mhd.create_response_from_buffer(reply->fixed_length, (void *)(uintptr_t)reply->fixed,
                                           MHD_RESPMEM_PERSISTENT);
  if (body->file < 0) /* the exchange outlives the response */
    return mhd.create_response_from_buffer(
        (size_t)body->length, body->bytes ? (void *)body->bytes : (void *)"", MHD_RESPMEM_PERSISTENT);
  struct MHD_Response *response = mhd.create_response_from_fd64(body->length, body->file);
  if (response) body->file = -1; /* closed with the response */
  return response;
}

static void add_headers(struct MHD_Response *response, const serve_reply *reply, int closes) {
  char text[ANK_SHA256_TEXT + 16];
  mhd.add_response_header(response, "Content-Type", reply->type);
  mhd.add_response_header(response, "X-Content-Type-Options", "nosniff");
  mhd.add_response_header(response, "Cache-Control", "no-store");
  if (reply->page)
    mhd.add_response_header(response, "Content-Security-Policy",
                            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  if (reply->page) mhd.add_response_header(response, "Referrer-Policy", "no-referrer");
  if (reply->allow) mhd.add_response_header(response, "Allow", reply->allow);
  if (reply->status == 401) mhd.add_response_header(response, "WWW-Authenticate", "Bearer");
  if (reply->status == 503) {
    snprintf(text, sizeof text, "%u", reply->retry_after > 0 ? reply->retry_after : 1);
    mhd.add_response_header(response, "Retry-After", text);
  }
  if (*reply->digest) {
    snprintf(text, sizeof text, "%s", reply->digest);
    mhd.add_response_header(response, "Anorank-Model", text);
  }
  if (*reply->headline) mhd.add_response_header(response, "Anorank-Headline", reply->headline);
  if (closes) mhd.add_response_header(response, "Connection", "close");
}

static enum MHD_Result answer(exchange *one) {
  serve_service *service = one->http->service;
  serve_reply *reply = &one->reply;
  uint64_t length = reply->fixed ? reply->fixed_length : reply->body.length;
  struct MHD_Response *response = response_of(reply);
  if (!response) return MHD_NO;
  /* where one chunk ends and the next begins can be read in two ways, so nothing may follow */
  int closes =
      reply->closes || serve_header(&one->request, "Transfer-Encoding") || atomic_load(&service->draining);
  if (serve_connection_enter(one->from, SERVE_AT_ANSWER) == SERVE_CUT) {
    mhd.destroy_response(response);
    return MHD_NO;
  }
  add_headers(response, reply, closes);
  serve_spool_free(&one->request.body); /* a client that reads this response may send the next body */
  serve_count_request(&service->metrics, one->request.route, reply->status,
                      serve_clock() - one->request.started);
  atomic_fetch_add_explicit(&service->metrics.bytes_in, one->request.received, memory_order_relaxed);
  atomic_fetch_add_explicit(&service->metrics.bytes_out, length, memory_order_relaxed);
  enum MHD_Result queued = mhd.queue_response(one->link, reply->status, response);
  mhd.destroy_response(response);
  return queued;
}

/* By a worker. */
static void run(serve_task *task) {
  exchange *one = (exchange *)task;
  if (atomic_load(&one->http->service->hurry))
    serve_refuse_ending(&one->reply);
  else if (serve_clock() > one->request.deadline)
    serve_problem(&one->reply, 503, "serve-busy",
                  "server overloaded: no worker became free within %u s; retry later",
                  one->http->service->options->request_seconds);
  else
    serve_respond(one->http->service, &one->request, &one->reply);
  mhd.resume_connection(one->link);
}

static enum MHD_Result finish(exchange *one) {
  if (one->reply.status != 0) return answer(one);
  if (serve_connection_enter(one->from, SERVE_AT_WORK) == SERVE_CUT) return MHD_NO;
  if (!serve_is_long(&one->request)) {
    serve_respond(one->http->service, &one->request, &one->reply);
    return answer(one);
  }
  if (one->handed_over) return MHD_NO; /* resumed without an answer: cannot be */
  one->handed_over = 1;
  one->task.run = run;
  mhd.suspend_connection(one->link); /* before a worker may resume it */
  int added = serve_workers_add(one->http->workers, &one->task);
  if (added == SERVE_WORKERS_ADDED) return MHD_YES;
  if (added == SERVE_WORKERS_ENDING)
    serve_refuse_ending(&one->reply);
  else
    serve_problem(&one->reply, 503, "serve-busy", "too many concurrent requests; retry shortly");
  mhd.resume_connection(one->link);
  return MHD_YES;
}

/* ---- bodies ------------------------------------------------------------------------------------------ */

/* The response can only be sent after the body. A client that sends for too long has its
 * connection closed. */
static enum MHD_Result take_body(exchange *one, const char *data, size_t *size) {
  const serve_options *options = one->http->service->options;
  serve_reply *reply = &one->reply;
  size_t length = *size;
  *size = 0;
  if (serve_clock() > one->request.deadline) return MHD_NO;
  if (reply->status != 0) return (one->passed += length) > options->max_body ? MHD_NO : MHD_YES;
  if (one->request.body.length + length > options->max_body)
    serve_problem(reply, 413, "request-body-size", "the body has more than %llu bytes; send it in parts",
                  (unsigned long long)options->max_body);
  else if (serve_spool_append(&one->request.body, data, length) != 0)
    serve_problem(reply, 503, "serve-body-space",
                  "server is out of request buffer space; retry, or send fewer rows");
  else
    one->request.received += length;
  if (reply->status != 0) {
    serve_spool_free(&one->request.body); /* the client may keep sending */
    reply->closes = 1;
  }
  return MHD_YES;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *link, const char *url,
                                  const char *method, const char *version, const char *data, size_t *size,
                                  void **state) {
  exchange *one = *state;
  if (!one) {
    *state = one = begin(context, link, url, method, version);
    if (!one) return MHD_NO;
    return one->reply.status != 0 && !one->refused ? answer(one) : MHD_YES;
  }
  if (*size > 0) return take_body(one, data, size);
  return finish(one);
}

static void on_end(void *context, struct MHD_Connection *link, void **state,
                   enum MHD_RequestTerminationCode why) {
  exchange *one = *state;
  (void)context, (void)link;
  if (!one) return;
  int cut = serve_connection_enter(one->from, SERVE_AT_HEAD) == SERVE_CUT;
  double seconds = serve_clock() - one->request.started;
  if (cut) {
    serve_refuse_ending(&one->reply);
    serve_count_request(&one->http->service->metrics, one->request.route, one->reply.status, seconds);
  }
  serve_access_log_request(one->http->access_log, &one->request, &one->reply,
                           one->from ? one->from->address : "", seconds,
                           cut || why == MHD_REQUEST_TERMINATED_COMPLETED_OK);
  serve_spool_free(&one->request.body);
  serve_reply_free(&one->reply);
  free(one);
  *state = NULL;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static void be_silent(void *context, const char *format, va_list arguments) {
  (void)context, (void)format, (void)arguments; /* it would quote requests */
}

/* libmicrohttpd counts for each of its threads, has_room for all of them together. It uses poll because with epoll
 * (0.9.75) a connection that the acceptor adds can stay unread until another one moves. */
static struct MHD_Daemon *start_daemon(serve_http *http, const serve_options *options) {
  struct MHD_OptionItem pool[] = {{MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)options->threads, NULL},
                                  {MHD_OPTION_END, 0, NULL}};
  if (options->threads < 2) pool[0] = pool[1];
  return mhd.start_daemon(MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_ERROR_LOG | MHD_ALLOW_SUSPEND_RESUME |
                              MHD_USE_ITC | MHD_USE_NO_LISTEN_SOCKET,
                          0, NULL, NULL, on_request, http, MHD_OPTION_EXTERNAL_LOGGER, be_silent, NULL,
                          MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_ARRAY, pool,
                          MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_CONNECTION_LIMIT,
                          options->max_connections * options->threads, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
                          options->max_per_address, MHD_OPTION_CONNECTION_TIMEOUT, options->idle_seconds,
                          MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_MEMORY,
                          MHD_OPTION_NOTIFY_COMPLETED, on_end, NULL, MHD_OPTION_NOTIFY_CONNECTION,
                          on_connection, http, MHD_OPTION_END);
}

anorank_status serve_http_start(serve_http **out, serve_service *service, serve_workers *workers,
                                serve_access_log *access_log, const serve_socket *listening,
                                anorank_error *err) {
  anorank_status status = serve_mhd_load(err);
  *out = NULL;
  if (status != ANORANK_OK) return status;
  serve_http *http = calloc(1, sizeof *http);
  if (http) {
    *http = (serve_http){.service = service, .workers = workers, .access_log = access_log};
    serve_connections_start(&http->connections);
    http->acceptor = (serve_acceptor){.has_room = has_room, .take = give, .context = http};
    http->daemon = start_daemon(http, service->options);
    http->accepting = http->daemon && serve_acceptor_start(&http->acceptor, listening) == 0;
    if (http->accepting) {
      *out = http;
      return ANORANK_OK;
    }
    serve_http_stop(http);
  }
  return cli_fail(err, ANORANK_ERROR_RESOURCES, "serve-start",
                  "libmicrohttpd cannot start; check the limits on threads, memory and file descriptors");
}

void serve_http_reap(serve_http *http) {
  atomic_fetch_add(&http->service->metrics.reaped,
                   serve_connections_reap(&http->connections, http->service->options));
}

void serve_http_drain(serve_http *http) {
  atomic_store(&http->service->draining, 1);
  if (http->accepting) serve_acceptor_stop(&http->acceptor);
  http->accepting = 0;
}

void serve_http_close_idle(serve_http *http) { serve_connections_close_idle(&http->connections); }

/* libmicrohttpd cannot answer in the middle of a body. */
void serve_http_cut_bodies(serve_http *http) {
  char text[2048];
  serve_reply reply;
  serve_reply_start(&reply);
  serve_refuse_ending(&reply);
  const char *body = reply.fixed ? reply.fixed : (const char *)reply.body.bytes;
  int length = (int)(reply.fixed ? reply.fixed_length : reply.body.length);
  int size = snprintf(text, sizeof text,
                      "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
                      "Content-Type: %s\r\nContent-Length: %d\r\n\r\n%.*s",
                      reply.type, length, length, body);
  serve_connections_cut(&http->connections, text, (size_t)size);
  serve_reply_free(&reply);
}

void serve_http_stop(serve_http *http) {
  if (!http) return;
  if (http->accepting) serve_acceptor_stop(&http->acceptor);
  if (http->daemon) mhd.stop_daemon(http->daemon);
  serve_connections_end(&http->connections);
  free(http);
}
