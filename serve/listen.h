/* listen.h - the listening socket: for an address, or one passed by systemd. */
#ifndef SERVE_LISTEN_H
#define SERVE_LISTEN_H

#include "serve.h"

typedef struct serve_socket {
  int socket;
  int local;         /* only this machine can connect */
  int passed;        /* by systemd, which keeps listening */
  char address[128]; /* for messages: 127.0.0.1:8090 */
} serve_socket;

/* A socket passed by systemd (LISTEN_FDS) takes precedence over the address. */
anorank_status serve_listen(serve_socket *out, const char *address, anorank_error *err);

/* Notify systemd, if NOTIFY_SOCKET is set: "READY=1", "STOPPING=1". */
void serve_notify(const char *state);

#endif
