/* file_io.h - complete reads and writes of file descriptors, and unnamed temporary files.
 *
 * Errors are -1 and errno, like those of system calls. */
#ifndef ANK_CORE_FILE_IO_H
#define ANK_CORE_FILE_IO_H

#include <stddef.h>
#include <stdint.h>

/* What separates the parts of a path. */
#ifndef ANK_SLASHES
#define ANK_SLASHES "/"
#endif

/* The path without its folders. */
const char *ank_file_name(const char *path);

/* The folder of a path, "." for a name alone: 0. -1 if the path is too long for the system. */
#define ANK_PATH_SIZE 4096
int ank_folder_of(char folder[ANK_PATH_SIZE], const char *path);

/* The folder that TMPDIR names, else the system's. */
const char *ank_temporary_folder(void);

/* An unnamed file in that folder, which disappears with its descriptor; closed on exec. */
int ank_open_temporary(void);

/* Where `path` leads if its last part is a symbolic link, also to a file that is not there: 0. -1 and errno where links
 * lead in a circle or a path is too long. */
int ank_follow_links(char target[ANK_PATH_SIZE], const char *path);

/* All `length` bytes at the descriptor's position, or at `offset`: 0. Interrupted calls are repeated. */
int ank_write_full(int file, const void *bytes, size_t length);
int ank_write_at(int file, const void *bytes, size_t length, uint64_t offset);

/* Bytes from `offset` until there are `length` of them or the file ends: their number, below `length` at the end of
 * the file. SIZE_MAX and errno on failure. */
size_t ank_read_at(int file, void *bytes, size_t length, uint64_t offset);

/* Advice for a failed write with this errno, to follow "cannot write: REASON"; "" if there is none. */
const char *ank_write_advice(int reason);

#endif
