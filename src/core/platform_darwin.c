/* platform_darwin.c - platform.h for macOS: compiled against its names, not run (docs/platforms.md). */
#ifdef __APPLE__

#define _DARWIN_C_SOURCE

#include "core/platform.h"
#include "core/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/sysctl.h>
#include <unistd.h>

uint64_t ank_physical_memory(void) {
  uint64_t bytes = 0;
  size_t size = sizeof bytes;
  return sysctlbyname("hw.memsize", &bytes, &size, NULL, 0) == 0 ? bytes : 0;
}

size_t ank_processors(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 1 ? (size_t)count : 1;
}

size_t ank_huge_page(void) { return 0; }

void ank_advise_huge(void *start, size_t bytes) { (void)start, (void)bytes; }

int ank_entropy(void *bytes, size_t length) { return getentropy(bytes, length); }

int ank_open_nameless(const char *folder, unsigned mode) {
  (void)folder, (void)mode;
  errno = EOPNOTSUPP;
  return -1;
}

int ank_give_name(int file, const char *path) {
  (void)file, (void)path;
  errno = EOPNOTSUPP;
  return -1;
}

void ank_advise_sequential(int file) { (void)file; }

typedef struct cookie {
  ank_stream_write *write;
  void *context;
} cookie;

static int write_cookie(void *context, const char *bytes, int length) {
  cookie *own = context;
  return (int)own->write(own->context, bytes, (size_t)length);
}

static int close_cookie(void *context) {
  free(context);
  return 0;
}

FILE *ank_stream_open(ank_stream_write *write, void *context) {
  cookie *own = malloc(sizeof *own); /* freed by the C library's fclose, so not from core/alloc.h */
  if (!own) return NULL;
  *own = (cookie){write, context};
  FILE *stream = funopen(own, NULL, write_cookie, NULL, close_cookie);
  if (!stream) free(own);
  return stream;
}

int ank_stream_close(FILE *stream, ank_stream_write *write, void *context) {
  (void)write, (void)context;
  return fclose(stream);
}

struct timespec ank_clock(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now;
}

void ank_condition_make(pthread_cond_t *condition) { pthread_cond_init(condition, NULL); }

/* Conditions wait by the clock that can be set, or for a time. */
int ank_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until) {
  struct timespec left = ank_clock();
  left.tv_sec = until->tv_sec - left.tv_sec;
  left.tv_nsec = until->tv_nsec - left.tv_nsec;
  if (left.tv_nsec < 0) {
    left.tv_sec--;
    left.tv_nsec += 1000000000;
  }
  if (left.tv_sec < 0) return 1;
  return pthread_cond_timedwait_relative_np(condition, lock, &left) == ETIMEDOUT;
}

#else
typedef int ank_platform_darwin; /* a file of C is not empty */
#endif
