/* service.h - a request, its response, and the state of the service. Independent of the network: http.c fills
 * the requests and sends the responses; the fuzzer makes its requests. */
#ifndef SERVE_SERVICE_H
#define SERVE_SERVICE_H

#include "models.h"
#include "spool.h"
#include "tokens.h"

typedef struct serve_service {
  const serve_options *options;
  serve_models models;
  serve_tokens tokens;
  serve_metrics metrics;
  serve_budget budget;
  int local;           /* no token, and this machine alone can connect: Host must be a name of it */
  atomic_int draining; /* no new requests */
  atomic_int hurry;    /* what is still being worked on is given up */
} serve_service;

/* ---- requests ---------------------------------------------------------------------------------------- */

typedef struct serve_pair {
  const char *name, *value;
} serve_pair;

enum { SERVE_HEADERS = 64, SERVE_PARAMETERS = 32 };

typedef struct serve_request {
  const char *method, *path, *version; /* the path decoded, without parameters */
  serve_pair headers[SERVE_HEADERS];
  size_t header_count;
  serve_pair parameters[SERVE_PARAMETERS]; /* what follows the '?', decoded */
  size_t parameter_count;
  int crowded; /* there were more headers or parameters than that, or one with a NUL inside */
  serve_route route;
  const char *model_name; /* in the path, not ended by NUL */
  size_t model_length;
  serve_slot *slot;
  serve_spool body;         /* given back once the answer is made */
  uint64_t received;        /* bytes of it */
  double started, deadline; /* by serve_clock */
  int refused;              /* because the service ends */
} serve_request;

/* Seconds of a monotonic clock. */
double serve_clock(void);

/* Seconds since 1970 as 2025-03-01T12:00:00.000Z; 32 bytes are enough. */
void serve_time_text(char *text, size_t size, double seconds);

/* The value of a header, NULL without it. */
const char *serve_header(const serve_request *request, const char *name);

/* ---- answers ----------------------------------------------------------------------------------------- */

typedef struct serve_reply {
  unsigned status;   /* of HTTP; 0: there is no answer yet */
  const char *type;  /* content type */
  const void *fixed; /* an answer that is always the same; NULL: `body` */
  size_t fixed_length;
  serve_spool body;
  const char *allow;            /* methods, with 405; else NULL */
  unsigned retry_after;         /* seconds, with 503; else 0 */
  int page;                     /* a page for a browser: with a content security policy */
  int closes;                   /* nothing more may come over this connection */
  char digest[ANK_SHA256_TEXT]; /* of the model that answered; "" */
  char headline[4096];          /* of a ranking: JSON in ASCII; "" */
  size_t rows;
  anorank_status failed; /* of the library, for the log */
  uint64_t line;         /* of the body at which it failed; 0 */
} serve_reply;

void serve_reply_start(serve_reply *reply);
void serve_reply_free(serve_reply *reply);

/* Replace the reply with problem details (RFC 9457, application/problem+json), with the member "code". */
void serve_problem(serve_reply *reply, unsigned status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* 503: the service is shutting down. */
void serve_refuse_ending(serve_reply *reply);

/* The same for an error of the library: its message, its fields as members, and the remedies that this
 * route takes as parameters. */
void serve_failure(serve_reply *reply, const serve_request *request, anorank_status status,
                   const anorank_error *err);

/* ---- handlers -------------------------------------------------------------------------- */

/* validate_request.c: check the head of a request. If it is ambiguous, the reply is a problem and the connection is
 * closed. */
void serve_validate_request(serve_reply *reply, const serve_request *request);

/* routes.c: after the head, before the body: either the reply is a problem, or its status is 0 and route and
 * slot are set. */
void serve_begin(serve_service *service, serve_request *request, serve_reply *reply);

/* After the body: handle the request. Thread-safe; slow only if serve_is_long returns 1. */
void serve_respond(serve_service *service, serve_request *request, serve_reply *reply);
int serve_is_long(const serve_request *request);

/* score_handler.c: scores and ranks. */
void serve_run_request(serve_service *service, serve_request *request, serve_reply *reply);

/* Whether the route takes this setting as a parameter. */
int serve_route_takes(serve_route route, const anorank_setting *setting);

/* feedback.c: the addresses that are read. */
void serve_respond_models(serve_service *service, const serve_request *request, serve_reply *reply);
void serve_respond_metrics(serve_service *service, serve_reply *reply);
void serve_respond_state(serve_service *service, const serve_request *request, serve_reply *reply);
void serve_respond_file(const serve_request *request, serve_reply *reply);

#endif
