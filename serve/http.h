/* http.h - the service behind a socket: the one file that knows libmicrohttpd. */
#ifndef SERVE_HTTP_H
#define SERVE_HTTP_H

#include "access_log.h"
#include "workers.h"

typedef struct serve_http serve_http;

/* Answer requests that come over this listening socket, which is borrowed. */
anorank_status serve_http_start(serve_http **out, serve_service *service, serve_workers *workers,
                                serve_access_log *access_log, int listening, anorank_error *err);

/* Close connections of clients that take too long to send or to read. Call it about once a second. */
void serve_http_reap(serve_http *http);

/* No more connections; answers close theirs. */
void serve_http_drain(serve_http *http);

/* Requests under way. */
unsigned serve_http_active(const serve_http *http);

/* After the workers have stopped. */
void serve_http_stop(serve_http *http);

#endif
