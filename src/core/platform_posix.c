/* platform_posix.c - platform.h with POSIX of 2008 alone, for all other systems. */
#if !defined(__linux__) && !defined(__APPLE__) && !defined(_WIN32)

#include "core/platform.h"

#include <errno.h>
#include <unistd.h>

#ifndef __wasi__ /* no threads and no temporary files there */
#include "core/thread.h"
#endif

uint64_t ank_physical_memory(void) { return 0; }

size_t ank_processors(void) {
#ifdef _SC_NPROCESSORS_ONLN
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 1 ? (size_t)count : 1;
#else
  return 1;
#endif
}

size_t ank_huge_page(void) { return 0; }

void ank_advise_huge(void *start, size_t bytes) { (void)start, (void)bytes; }

int ank_entropy(void *bytes, size_t length) {
  FILE *random = fopen("/dev/urandom", "rb");
  size_t got = random ? fread(bytes, 1, length, random) : 0;
  if (random) (void)fclose(random);
  return got == length ? 0 : -1;
}

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

struct timespec ank_clock(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now;
}

#ifndef __wasi__

/* Through a temporary file. */
FILE *ank_stream_open(ank_stream_write *write, void *context) {
  (void)write, (void)context;
  return tmpfile();
}

int ank_stream_close(FILE *stream, ank_stream_write *write, void *context) {
  char bytes[1 << 14];
  int failed = ferror(stream) || fflush(stream) != 0;
  rewind(stream);
  for (size_t got; !failed && (got = fread(bytes, 1, sizeof bytes, stream)) > 0;)
    failed = write(context, bytes, got) != (ssize_t)got;
  return fclose(stream) != 0 || failed ? -1 : 0;
}

void ank_condition_make(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

int ank_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until) {
  return pthread_cond_timedwait(condition, lock, until) == ETIMEDOUT;
}

#endif

#else
typedef int ank_platform_posix; /* a file of C is not empty */
#endif
