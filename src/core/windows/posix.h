/* posix.h - included before every file on Windows: functions of POSIX that the library and the program use and the C library
 * there does not have. They are in platform_windows.c, which says what they cannot do. */
#ifndef ANK_CORE_WINDOWS_POSIX_H
#define ANK_CORE_WINDOWS_POSIX_H

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* ---- files --------------------------------------------------------------------------------------------- */

#define O_CLOEXEC (_O_NOINHERIT | _O_BINARY) /* the library never wants text mode */
#define O_DIRECTORY 0
#define O_NOCTTY 0
#define O_NONBLOCK 0
#define F_GETFD 1
#define F_SETFD 2
#define FD_CLOEXEC 1
#define EDQUOT 10069
#undef X_OK
#define X_OK 0 /* of folders, which all can be entered */

#define ANK_SLASHES "/\\"
#define ANK_TEMPORARY_FOLDER ank_windows_temporary_folder()

#define fsync _commit
#define mkdir(path, mode) _mkdir(path)
#define mkstemp ank_windows_mkstemp
#define open ank_windows_open
#define rename ank_windows_rename
#define realpath(path, resolved) _fullpath((resolved), (path), 0)
#define unlink ank_windows_unlink

/* With an inode of 64 bits, and a size of them. */
struct ank_windows_stat {
  uint64_t st_dev, st_ino;
  int64_t st_size;
  unsigned st_mode;
};
#undef stat
#undef fstat
#undef dev_t
#undef ino_t
#define stat ank_windows_stat
#define fstat ank_windows_fstat
#define dev_t uint64_t
#define ino_t uint64_t

int ank_windows_stat(const char *path, struct ank_windows_stat *out);
int ank_windows_fstat(int file, struct ank_windows_stat *out);
int ank_windows_open(const char *path, int flags, ...);
int ank_windows_unlink(const char *path);
int fchmod(int file, unsigned mode);
int fcntl(int file, int command, ...);
ssize_t pread(int file, void *bytes, size_t length, int64_t offset);
ssize_t pwrite(int file, const void *bytes, size_t length, int64_t offset);
ssize_t readlink(const char *path, char *target, size_t size);
int ank_windows_mkstemp(char *path);
int ank_windows_rename(const char *from, const char *to);
const char *ank_windows_temporary_folder(void);

/* ---- memory and signals -------------------------------------------------------------------------------- */

#define aligned_alloc(alignment, size) malloc(size) /* aligned to 16; nothing depends on more */

/* Of the signals Windows has SIGINT and SIGTERM, and forgets a handler when it has called it. */
#ifndef SIGHUP
#define SIGHUP 1
#endif
#ifndef SIGPIPE
#define SIGPIPE 13
#endif
#define SA_RESETHAND 0
struct ank_windows_action {
  void (*sa_handler)(int number);
  int sa_flags, sa_mask;
};
#define sigaction ank_windows_action
#define sigemptyset(set) ((void)(set))
int ank_windows_action(int number, const struct ank_windows_action *action,
                       struct ank_windows_action *before);

#endif
