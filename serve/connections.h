/* connections.h - the open connections: what the service waits for on each, and since when.
 *
 * libmicrohttpd limits the idle time of a client, not its total time, and on shutdown closes idle connections
 * even if a request has just arrived; so the service does both. */
#ifndef SERVE_CONNECTIONS_H
#define SERVE_CONNECTIONS_H

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>

#include "serve.h"

typedef enum serve_phase {
  SERVE_AT_HEAD = 0,
  SERVE_AT_BODY,
  SERVE_AT_WORK,
  SERVE_AT_ANSWER,
  SERVE_CLOSING, /* was idle when the service ended: nothing more is received */
  SERVE_CUT      /* was answered in the middle of its body: nothing more may be sent */
} serve_phase;

typedef struct serve_connection {
  struct serve_connection *next, **link;
  int socket;
  atomic_int phase;
  _Atomic double since;
  int shut; /* under the lock */
  char address[INET6_ADDRSTRLEN];
} serve_connection;

typedef struct serve_connections {
  pthread_mutex_t lock;
  serve_connection *first;
} serve_connections;

void serve_connections_start(serve_connections *list);
void serve_connections_end(serve_connections *list); /* once all are closed */

/* NULL without memory; the other functions accept that. The socket is borrowed until it is removed. */
serve_connection *serve_connections_add(serve_connections *list, int socket, const struct sockaddr *address);
void serve_connections_remove(serve_connections *list, serve_connection *one);

/* Returns the previous phase. SERVE_CUT is final. */
serve_phase serve_connection_enter(serve_connection *one, serve_phase phase);

/* Shut down the connections of clients that take too long to send or to read; returns how many. */
unsigned serve_connections_reap(serve_connections *list, const serve_options *options);

/* Let libmicrohttpd close idle connections, after it has read what they have sent. */
void serve_connections_close_idle(serve_connections *list);

/* Send these bytes, a whole response, over all connections whose body has not come yet, and cut them. */
void serve_connections_cut(serve_connections *list, const void *bytes, size_t length);

#endif
