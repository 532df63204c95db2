/* platform_windows.c - platform.h and windows/posix.h for Windows, by mingw-w64. Permissions and symbolic links are not
 * looked at, and a temporary file has a name as long as it is open. */
#ifdef _WIN32

#include "core/platform.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>

#include "core/thread.h"

#undef open
#undef rename
#undef unlink
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

/* ERROR_ACCESS_DENIED of a folder is EISDIR in POSIX. */
int ank_windows_open(const char *path, int flags, ...) {
  int mode = 0;
  if (flags & _O_CREAT) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, int) & 0200 ? _S_IREAD | _S_IWRITE : _S_IREAD;
    va_end(rest);
  }
  int file = _open(path, flags | _O_BINARY, mode);
  DWORD about = file < 0 && errno == EACCES ? GetFileAttributesA(path) : INVALID_FILE_ATTRIBUTES;
  if (about != INVALID_FILE_ATTRIBUTES && about & FILE_ATTRIBUTE_DIRECTORY) errno = EISDIR;
  return file;
}

int ank_windows_unlink(const char *path) { return _unlink(path); }

static int about_handle(HANDLE file, struct ank_windows_stat *out) {
  BY_HANDLE_FILE_INFORMATION about;
  *out = (struct ank_windows_stat){0};
  DWORD type = GetFileType(file);
  if (type != FILE_TYPE_DISK) {
    out->st_mode = type == FILE_TYPE_PIPE ? S_IFIFO : S_IFCHR;
    return type == FILE_TYPE_UNKNOWN ? -1 : 0;
  }
  if (!GetFileInformationByHandle(file, &about)) return -1;
  out->st_dev = about.dwVolumeSerialNumber;
  out->st_ino = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow;
  out->st_size = (int64_t)((uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow);
  out->st_mode = about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? S_IFDIR | 0777 : S_IFREG | 0666;
  return 0;
}

int ank_windows_stat(const char *path, struct ank_windows_stat *out) {
  HANDLE file =
      CreateFileA(path, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                  OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (file == INVALID_HANDLE_VALUE) {
    errno = GetLastError() == ERROR_ACCESS_DENIED ? EACCES : ENOENT;
    return -1;
  }
  int failed = about_handle(file, out);
  CloseHandle(file);
  if (failed) errno = EIO;
  return failed;
}

int ank_windows_fstat(int file, struct ank_windows_stat *out) {
  HANDLE handle = (HANDLE)_get_osfhandle(file);
  if (handle != INVALID_HANDLE_VALUE && about_handle(handle, out) == 0) return 0;
  errno = EBADF;
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

const char *ank_windows_temporary_folder(void) {
  const char *folder = getenv("TEMP");
  return folder && *folder ? folder : ".";
}

int ank_windows_action(int number, const struct ank_windows_action *action,
                       struct ank_windows_action *before) {
  if (before) *before = (struct ank_windows_action){.sa_handler = SIG_DFL};
  if (action && (number == SIGINT || number == SIGTERM)) signal(number, action->sa_handler);
  return 0;
}

int ioctl(int file, int request, struct winsize *size) {
  CONSOLE_SCREEN_BUFFER_INFO about;
  (void)request;
  if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(file), &about)) return -1;
  size->ws_col = (unsigned short)(about.srWindow.Right - about.srWindow.Left + 1);
  size->ws_row = (unsigned short)(about.srWindow.Bottom - about.srWindow.Top + 1);
  return 0;
}

#else
typedef int ank_platform_windows; /* a file of C is not empty */
#endif
