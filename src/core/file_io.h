/* file_io.h - complete reads and writes of file descriptors, and unnamed temporary files.
 *
 * Errors are -1 and errno, like those of system calls. */
#ifndef ANK_CORE_FILE_IO_H
#define ANK_CORE_FILE_IO_H

#include <stddef.h>
#include <stdint.h>

/* Characters that separate the parts of a path. */
#ifndef ANK_SLASHES
#define ANK_SLASHES "/"
#endif

/* Return the path without its directories. */
const char *ank_file_name(const char *path);

/* Copy the directory of a path, "." for a name alone. Returns 0, or -1 if the path is too long for the system. */
#define ANK_PATH_SIZE 4096
int ank_folder_of(char folder[ANK_PATH_SIZE], const char *path);

/* Return the directory that TMPDIR names, else the system's. */
const char *ank_temporary_folder(void);

/* Open an unnamed file in that directory. It disappears with its descriptor and is closed on exec. */
int ank_open_temporary(void);

/* Follow symbolic links at the last part of `path`, also to a file that does not exist. Returns 0, or -1 and
 * errno where links form a cycle or a path is too long. */
int ank_follow_links(char target[ANK_PATH_SIZE], const char *path);

/* Write all `length` bytes at the descriptor's position, or at `offset`, and repeat interrupted calls.
 * Returns 0. */
int ank_write_full(int file, const void *bytes, size_t length);
int ank_write_at(int file, const void *bytes, size_t length, uint64_t offset);

/* Read from `offset` until there are `length` bytes or the file ends. Returns their number, below `length`
 * only at the end of the file; SIZE_MAX and errno on failure. */
size_t ank_read_at(int file, void *bytes, size_t length, uint64_t offset);

/* Return advice for a failed write with this errno, to append to "cannot write: REASON"; "" if there is
 * none. */
const char *ank_write_advice(int reason);

#endif
