/* serve.h - `anorank serve`: scores over HTTP; the interface for the command line.
 *
 * Modules: only http.c uses libmicrohttpd; validate_request.c and routes.c check a request, score_handler.c
 * executes it, models.c holds the models. The latter do not use the network, so that a fuzzer can drive them. */
#ifndef SERVE_SERVE_H
#define SERVE_SERVE_H

#include <stddef.h>
#include <stdint.h>

#include "anorank/anorank.h"
#include "anorank/criterion.h"
#include "anorank/experimental.h"
#include "anorank/io.h"
#include "anorank/report.h"

typedef enum serve_logging { SERVE_LOG_REQUESTS = 0, SERVE_LOG_ERRORS, SERVE_LOG_EVENTS } serve_logging;

/* A model to serve: its NAME in URLs, and its file. */
typedef struct serve_named {
  const char *name, *path;
} serve_named;

typedef struct serve_options {
  const char *listen; /* HOST:PORT, [HOST]:PORT; port 0: any that is free */
  const serve_named *models;
  size_t model_count;
  const char *token_file; /* NULL: none */
  int insecure;           /* other machines may ask without a token */
  uint64_t max_body;      /* bytes of one request */
  uint64_t max_held;      /* bytes of all bodies and answers at a time */
  uint64_t max_memory;    /* bytes that the table of one request may take */
  size_t max_rows;
  unsigned max_connections, max_per_address;
  unsigned max_waiting;     /* requests that wait for a thread */
  unsigned idle_seconds;    /* for a connection to send the head of a request */
  unsigned request_seconds; /* for a body to come, for the work, and for the answer to be taken */
  unsigned drain_seconds;   /* for requests under way when the service ends */
  unsigned threads;
  serve_logging logging;
} serve_options;

enum { SERVE_NAME = 64 }; /* most bytes of a name */

/* Whether the name consists of letters, digits, '.', '_' and '-'. */
int serve_is_name(const char *name);

/* Serve until SIGTERM or SIGINT. ANORANK_OK after a graceful shutdown; `err` has the reason if it cannot start. */
anorank_status serve_run(const serve_options *options, anorank_error *err);

#endif
