/* poll.h - waiting for a file, which on Windows the read itself does. */
#ifndef ANK_CORE_WINDOWS_POLL_H
#define ANK_CORE_WINDOWS_POLL_H

#define POLLIN 1
#define POLLOUT 4
#define POLLERR 8

struct pollfd {
  int fd;
  short events, revents;
};

static inline int poll(struct pollfd *files, unsigned count, int milliseconds) {
  (void)milliseconds;
  for (unsigned i = 0; i < count; i++) files[i].revents = files[i].events;
  return (int)count;
}

#endif
