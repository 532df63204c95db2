/* listen.c - see listen.h. */
#include "listen.h"
#include "text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 1024, FIRST_PASSED = 3 };

static anorank_status refuse(anorank_error *err, anorank_status status, const char *address,
                             const char *why) {
  return cli_fail(err, status, "serve-listen", "cannot listen on %.200s: %s", address, why);
}

/* The address of the socket, and whether it is local. */
static void describe(serve_socket *out) {
  union {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr_storage room;
  } bound = {0};
  socklen_t length = sizeof bound;
  char text[INET6_ADDRSTRLEN] = "?";
  out->local = 0;
  if (getsockname(out->socket, &bound.any, &length) != 0) return;
  if (bound.any.sa_family == AF_UNIX) {
    out->local = 1;
    snprintf(out->address, sizeof out->address, "a local socket");
  } else if (bound.any.sa_family == AF_INET) {
    out->local = (ntohl(bound.four.sin_addr.s_addr) >> 24) == 127;
    inet_ntop(AF_INET, &bound.four.sin_addr, text, sizeof text);
    snprintf(out->address, sizeof out->address, "%s:%u", text, ntohs(bound.four.sin_port));
  } else if (bound.any.sa_family == AF_INET6) {
    out->local = IN6_IS_ADDR_LOOPBACK(&bound.six.sin6_addr) != 0;
    inet_ntop(AF_INET6, &bound.six.sin6_addr, text, sizeof text);
    snprintf(out->address, sizeof out->address, "[%s]:%u", text, ntohs(bound.six.sin6_port));
  }
}

/* The first socket of systemd, -1 without one. */
static int passed_socket(void) {
  const char *process = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
  char mine[32];
  snprintf(mine, sizeof mine, "%ld", (long)getpid());
  if (!process || !count || strcmp(process, mine) != 0 || strcmp(count, "1") != 0) return -1;
  unsetenv("LISTEN_PID");
  unsetenv("LISTEN_FDS");
  (void)fcntl(FIRST_PASSED, F_SETFD, FD_CLOEXEC);
  (void)fcntl(FIRST_PASSED, F_SETFL, fcntl(FIRST_PASSED, F_GETFL) | O_NONBLOCK);
  return FIRST_PASSED;
}

/* "127.0.0.1:8090" or "[::1]:8090" in two. */
static int split(const char *address, char host[128], char port[8]) {
  const char *colon = strrchr(address, ':');
  size_t length = colon ? (size_t)(colon - address) : 0, digits = colon ? strlen(colon + 1) : 0;
  if (length == 0 || length > 127 || digits == 0 || digits > 5) return -1;
  unsigned number = 0;
  for (size_t i = 1; i <= digits; i++) number = 10 * number + (unsigned)(colon[i] - '0');
  if (strspn(colon + 1, "0123456789") != digits || number > 65535)
    return -1; /* getaddrinfo would take it modulo 65536 */
  if (address[0] == '[' && address[length - 1] == ']') {
    address++;
    length -= 2;
  } else if (memchr(address, ':', length)) {
    return -1;
  }
  memcpy(host, address, length);
  host[length] = '\0';
  memcpy(port, colon + 1, digits + 1);
  return 0;
}

static int open_socket(const struct addrinfo *to) {
  int yes = 1, made = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made < 0) return -1;
  (void)setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (to->ai_family == AF_INET6) (void)setsockopt(made, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
  if (bind(made, to->ai_addr, to->ai_addrlen) == 0 && listen(made, BACKLOG) == 0) return made;
  int reason = errno;
  close(made);
  errno = reason;
  return -1;
}

anorank_status serve_listen(serve_socket *out, const char *address, anorank_error *err) {
  struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE},
                  *found;
  char host[128], port[8];
  *out = (serve_socket){.socket = passed_socket()};
  out->passed = out->socket >= 0;
  if (!out->passed) {
    if (split(address, host, port) != 0)
      return refuse(err, ANORANK_ERROR_USAGE, address,
                    "give HOST:PORT, such as 127.0.0.1:8090 or [::1]:8090");
    int code = getaddrinfo(host, port, &wanted, &found);
    if (code != 0) return refuse(err, ANORANK_ERROR_USAGE, address, gai_strerror(code));
    out->socket = open_socket(found);
    freeaddrinfo(found);
    if (out->socket < 0) return refuse(err, ANORANK_ERROR_RESOURCES, address, strerror(errno));
  }
  describe(out);
  return ANORANK_OK;
}

void serve_notify(const char *state) {
  const char *path = getenv("NOTIFY_SOCKET");
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  size_t length = path ? strlen(path) : 0;
  if (length == 0 || length >= sizeof to.sun_path || (path[0] != '/' && path[0] != '@')) return;
  memcpy(to.sun_path, path, length);
  if (path[0] == '@') to.sun_path[0] = '\0';
  int out = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (out < 0) return;
  (void)!sendto(out, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&to,
                (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
  close(out);
}
