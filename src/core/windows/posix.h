/* posix.h - included before every file on Windows: functions of POSIX that the library uses and the C library there does not
 * have. They are in platform_windows.c, which says what they cannot do. */
#ifndef ANK_CORE_WINDOWS_POSIX_H
#define ANK_CORE_WINDOWS_POSIX_H

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define O_CLOEXEC (_O_NOINHERIT | _O_BINARY) /* the library never wants text mode */
#define O_DIRECTORY 0
#define O_NOCTTY 0
#define F_SETFD 2
#define FD_CLOEXEC 1
#define EDQUOT 10069

#define aligned_alloc(alignment, size) malloc(size) /* aligned to 16; nothing depends on more */
#define fsync _commit
#define mkdir(path, mode) _mkdir(path)
#define mkstemp ank_windows_mkstemp
#define rename ank_windows_rename
#define realpath(path, resolved) _fullpath((resolved), (path), 0)

int fchmod(int file, unsigned mode);
int fcntl(int file, int command, ...);
ssize_t pread(int file, void *bytes, size_t length, int64_t offset);
ssize_t pwrite(int file, const void *bytes, size_t length, int64_t offset);
ssize_t readlink(const char *path, char *target, size_t size);
int ank_windows_mkstemp(char *path);
int ank_windows_rename(const char *from, const char *to);

#endif
