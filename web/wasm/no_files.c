/* no_files.c - functions that wasi-libc does not have. A page reads and writes memory alone, so they only have to fail. */
#include <errno.h>

int fchmod(int file, mode_t mode) {
  (void)file, (void)mode;
  errno = ENOSYS;
  return -1;
}

char *realpath(const char *path, char *resolved) {
  (void)path, (void)resolved;
  errno = ENOSYS;
  return 0;
}

int mkstemp(char *path) {
  (void)path;
  errno = ENOSYS;
  return -1;
}
