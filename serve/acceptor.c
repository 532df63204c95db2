/* acceptor.c - see acceptor.h. */
#include "acceptor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 20 }; /* milliseconds until the next look where there is no room */

/* Returns 0 if connections may be waiting without a free slot or descriptor. */
static int take_waiting(serve_acceptor *acceptor) {
  while (acceptor->has_room(acceptor->context)) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    int made = accept(acceptor->listening.socket, (struct sockaddr *)(void *)&address, &size);
    if (made >= 0) {
      (void)fcntl(made, F_SETFD, FD_CLOEXEC);
      (void)fcntl(made, F_SETFL, O_NONBLOCK);
      acceptor->take(acceptor->context, made, (const struct sockaddr *)(const void *)&address, size);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
      return 0;
    else if (errno != EINTR && errno != ECONNABORTED)
      return 1;
  }
  return 0;
}

static void *accept_all(void *context) {
  serve_acceptor *acceptor = context;
  int room = 1;
  for (;;) {
    struct pollfd events[2] = {{.fd = acceptor->wake[0], .events = POLLIN},
                               {.fd = room ? acceptor->listening.socket : -1, .events = POLLIN}};
    (void)poll(events, 2, room ? -1 : PATIENCE);
    if (events[0].revents) break;
    room = take_waiting(acceptor);
  }
  if (!acceptor->listening.passed) (void)take_waiting(acceptor);
  return NULL;
}

int serve_acceptor_start(serve_acceptor *acceptor, const serve_socket *listening) {
  acceptor->listening = *listening;
  if (pipe(acceptor->wake) != 0) return -1;
  for (int i = 0; i < 2; i++) (void)fcntl(acceptor->wake[i], F_SETFD, FD_CLOEXEC);
  if (pthread_create(&acceptor->thread, NULL, accept_all, acceptor) == 0) return 0;
  close(acceptor->wake[0]);
  close(acceptor->wake[1]);
  return -1;
}

void serve_acceptor_stop(serve_acceptor *acceptor) {
  close(acceptor->wake[1]); /* the other end sees that */
  pthread_join(acceptor->thread, NULL);
  close(acceptor->wake[0]);
}
