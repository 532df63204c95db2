/* platform_windows.c - platform.h and windows/posix.h for Windows, by mingw-w64. Paths are written with "/". Permissions and
 * symbolic links are not looked at, and a temporary file has a name as long as it is open. */
#ifdef _WIN32

#include "core/platform.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "core/thread.h"

#undef rename
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <ntsecapi.h> /* RtlGenRandom */

uint64_t ank_physical_memory(void) {
  MEMORYSTATUSEX about = {.dwLength = sizeof about};
  return GlobalMemoryStatusEx(&about) ? about.ullTotalPhys : 0;
}

size_t ank_processors(void) {
  SYSTEM_INFO about;
  GetSystemInfo(&about);
  return about.dwNumberOfProcessors > 1 ? about.dwNumberOfProcessors : 1;
}

size_t ank_huge_page(void) { return 0; }

void ank_advise_huge(void *start, size_t bytes) { (void)start, (void)bytes; }

int ank_entropy(void *bytes, size_t length) { return RtlGenRandom(bytes, (ULONG)length) ? 0 : -1; }

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

/* ---- windows/posix.h ----------------------------------------------------------------------------------- */

int fchmod(int file, unsigned mode) {
  (void)file, (void)mode;
  return 0;
}

int fcntl(int file, int command, ...) {
  (void)file, (void)command;
  return 0;
}

/* One call moves at most so many bytes. */
static DWORD piece(size_t length) { return length > (size_t)1 << 30 ? (DWORD)1 << 30 : (DWORD)length; }

static OVERLAPPED place(int64_t offset) {
  return (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)((uint64_t)offset >> 32)};
}

ssize_t pread(int file, void *bytes, size_t length, int64_t offset) {
  OVERLAPPED at = place(offset);
  DWORD done = 0;
  if (ReadFile((HANDLE)_get_osfhandle(file), bytes, piece(length), &done, &at)) return (ssize_t)done;
  if (GetLastError() == ERROR_HANDLE_EOF) return 0;
  errno = EIO;
  return -1;
}

ssize_t pwrite(int file, const void *bytes, size_t length, int64_t offset) {
  OVERLAPPED at = place(offset);
  DWORD done = 0;
  if (WriteFile((HANDLE)_get_osfhandle(file), bytes, piece(length), &done, &at)) return (ssize_t)done;
  errno = GetLastError() == ERROR_DISK_FULL ? ENOSPC : EIO;
  return -1;
}

ssize_t readlink(const char *path, char *target, size_t size) {
  (void)path, (void)target, (void)size;
  errno = EINVAL;
  return -1;
}

/* The file is removed when it is closed. */
int ank_windows_mkstemp(char *path) {
  char *end = path + strlen(path) - 6;
  for (unsigned attempt = 0; attempt < 10000; attempt++) {
    uint32_t word = attempt;
    (void)ank_entropy(&word, sizeof word);
    for (int i = 0; i < 6; i++, word /= 32) end[i] = (char)('a' + word % 26);
    int file = _open(path, _O_RDWR | _O_CREAT | _O_EXCL | _O_TEMPORARY | O_CLOEXEC, _S_IREAD | _S_IWRITE);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

int ank_windows_rename(const char *from, const char *to) {
  if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return 0;
  errno = EACCES;
  return -1;
}

#else
typedef int ank_platform_windows; /* a file of C is not empty */
#endif
