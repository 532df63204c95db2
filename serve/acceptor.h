/* acceptor.h - the thread that accepts connections.
 *
 * libmicrohttpd could do it, but MHD_quiesce_daemon, the way to make it stop, races with its own threads under
 * epoll and then aborts the process. */
#ifndef SERVE_ACCEPTOR_H
#define SERVE_ACCEPTOR_H

#include <pthread.h>
#include <sys/socket.h>

#include "listen.h"

typedef struct serve_acceptor {
  serve_socket listening;
  int wake[2];                    /* a pipe: ends the thread */
  int (*has_room)(void *context); /* for one more connection */
  void (*take)(void *context, int socket, const struct sockaddr *, socklen_t size); /* owns the socket */
  void *context;
  pthread_t thread;
} serve_acceptor;

/* 0, or -1 if the system has no more threads or descriptors. The functions and their context are set, and
 * `listening` stays open until the acceptor has stopped. */
int serve_acceptor_start(serve_acceptor *acceptor, const serve_socket *listening);

/* Accepts the connections that clients have already opened, except those of a socket that systemd keeps for the next
 * process. */
void serve_acceptor_stop(serve_acceptor *acceptor);

#endif
