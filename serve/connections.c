/* connections.c - see connections.h. */
#include "connections.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "service.h"

void serve_connections_start(serve_connections *list) {
  *list = (serve_connections){0};
  pthread_mutex_init(&list->lock, NULL);
}

void serve_connections_end(serve_connections *list) { pthread_mutex_destroy(&list->lock); }

static void put_address(serve_connection *made, const struct sockaddr *address) {
  const void *bytes = NULL;
  if (address && address->sa_family == AF_INET)
    bytes = &((const struct sockaddr_in *)(const void *)address)->sin_addr;
  if (address && address->sa_family == AF_INET6)
    bytes = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
  if (!bytes || !inet_ntop(address->sa_family, bytes, made->address, sizeof made->address))
    snprintf(made->address, sizeof made->address, "local");
}

serve_connection *serve_connections_add(serve_connections *list, int socket, const struct sockaddr *address) {
  serve_connection *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->socket = socket;
  put_address(made, address);
  (void)serve_connection_enter(made, SERVE_AT_HEAD);
  pthread_mutex_lock(&list->lock);
  made->next = list->first;
  made->link = &list->first;
  if (made->next) made->next->link = &made->next;
  list->first = made;
  pthread_mutex_unlock(&list->lock);
  return made;
}

void serve_connections_remove(serve_connections *list, serve_connection *one) {
  if (!one) return;
  pthread_mutex_lock(&list->lock);
  *one->link = one->next;
  if (one->next) one->next->link = one->link;
  pthread_mutex_unlock(&list->lock);
  free(one);
}

serve_phase serve_connection_enter(serve_connection *one, serve_phase phase) {
  int before = one ? atomic_load(&one->phase) : SERVE_AT_HEAD;
  if (!one) return SERVE_AT_HEAD;
  atomic_store(&one->since, serve_clock());
  while (before != SERVE_CUT && !atomic_compare_exchange_weak(&one->phase, &before, (int)phase)) continue;
  return (serve_phase)before;
}

unsigned serve_connections_reap(serve_connections *list, const serve_options *options) {
  double now = serve_clock();
  unsigned count = 0;
  pthread_mutex_lock(&list->lock);
  for (serve_connection *one = list->first; one; one = one->next) {
    int phase = atomic_load(&one->phase);
    double most = phase == SERVE_AT_HEAD ? options->idle_seconds : options->request_seconds;
    if (phase == SERVE_AT_WORK || one->shut || now - atomic_load(&one->since) <= most) continue;
    shutdown(one->socket, SHUT_RDWR);
    one->shut = 1;
    count++;
  }
  pthread_mutex_unlock(&list->lock);
  return count;
}

/* Received bytes can still be read after SHUT_RD; after them, a read reports a closed connection, and libmicrohttpd
 * closes it, too. */
void serve_connections_close_idle(serve_connections *list) {
  pthread_mutex_lock(&list->lock);
  for (serve_connection *one = list->first; one; one = one->next) {
    int phase = SERVE_AT_HEAD;
    if (atomic_compare_exchange_strong(&one->phase, &phase, SERVE_CLOSING)) shutdown(one->socket, SHUT_RD);
  }
  pthread_mutex_unlock(&list->lock);
}

void serve_connections_cut(serve_connections *list, const void *bytes, size_t length) {
  pthread_mutex_lock(&list->lock);
  for (serve_connection *one = list->first; one; one = one->next) {
    int phase = SERVE_AT_BODY;
    if (!atomic_compare_exchange_strong(&one->phase, &phase, SERVE_CUT)) continue;
    (void)!send(one->socket, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(one->socket, SHUT_WR);
  }
  pthread_mutex_unlock(&list->lock);
}
