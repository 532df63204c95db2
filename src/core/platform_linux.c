/* platform_linux.c - platform.h for Linux, with glibc or musl. */
#ifdef __linux__

#define _GNU_SOURCE

#include "core/platform.h"
#include "core/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

uint64_t ank_physical_memory(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

size_t ank_processors(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 1 ? (size_t)count : 1;
}

size_t ank_huge_page(void) { return (size_t)2 << 20; }

void ank_advise_huge(void *start, size_t bytes) { (void)madvise(start, bytes, MADV_HUGEPAGE); }

int ank_entropy(void *bytes, size_t length) { return getentropy(bytes, length); }

static void own_link(char text[64], int file) { snprintf(text, 64, "/proc/self/fd/%d", file); }

/* Without /proc the file could not be named. */
int ank_open_nameless(const char *folder, unsigned mode) {
  char own[64];
  int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, (mode_t)mode);
  if (file < 0 && (errno == EISDIR || errno == EINVAL))
    errno = EOPNOTSUPP; /* kernels that do not know the flag */
  if (file < 0) return -1;
  own_link(own, file);
  if (access(own, F_OK) == 0) return file;
  (void)close(file);
  errno = EOPNOTSUPP;
  return -1;
}

int ank_give_name(int file, const char *path) {
  char own[64];
  own_link(own, file);
  return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

void ank_advise_sequential(int file) { (void)posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL); }

FILE *ank_stream_open(ank_stream_write *write, void *context) {
  return fopencookie(context, "w", (cookie_io_functions_t){.write = write});
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

#else
typedef int ank_platform_linux; /* a file of C is not empty */
#endif
