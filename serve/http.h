/* http.h - the HTTP server; only http.c uses libmicrohttpd. */
#ifndef SERVE_HTTP_H
#define SERVE_HTTP_H

#include "access_log.h"
#include "listen.h"
#include "workers.h"

typedef struct serve_http serve_http;

/* Answer requests that come over this listening socket, which is borrowed. */
anorank_status serve_http_start(serve_http **out, serve_service *service, serve_workers *workers,
                                serve_access_log *access_log, const serve_socket *listening,
                                anorank_error *err);

/* Close connections of clients that take too long to send or to read. Call it about once a second. */
void serve_http_reap(serve_http *http);

/* No more connections; requests that begin from now on are refused, and every response closes its connection. The
 * listening socket is no longer used. */
void serve_http_drain(serve_http *http);

/* The number of open connections. While draining. */
unsigned serve_http_connections(serve_http *http);

/* While draining: close the connections without a request. */
void serve_http_close_idle(serve_http *http);

/* While draining: answer 503 to requests with an incomplete body. */
void serve_http_cut_bodies(serve_http *http);

/* After the workers have stopped, so that no request waits for one. Closes all connections. */
void serve_http_stop(serve_http *http);

#endif
