/* listen.h - the socket that requests come over: of an address, or one that systemd opened before us. */
#ifndef SERVE_LISTEN_H
#define SERVE_LISTEN_H

#include "serve.h"

typedef struct serve_socket {
  int socket;
  int local;         /* only this machine can connect */
  int passed;        /* by systemd, which keeps listening */
  char address[128]; /* for messages: 127.0.0.1:8090 */
} serve_socket;

/* A socket that systemd passes (LISTEN_FDS) goes before the address. */
anorank_status serve_listen(serve_socket *out, const char *address, anorank_error *err);

/* Tell systemd (NOTIFY_SOCKET), if it asked: "READY=1", "STOPPING=1". */
void serve_notify(const char *state);

#endif
