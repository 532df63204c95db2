/* file_io.h - whole reads and writes of file descriptors, and temporary files without a name.
 *
 * Nothing here reports through anorank_error: -1 and errno, as the system calls do. */
#ifndef ANK_CORE_FILE_IO_H
#define ANK_CORE_FILE_IO_H

#include <stddef.h>
#include <stdint.h>

/* The folder that TMPDIR names, else /tmp. */
const char *ank_temporary_folder(void);

/* A file in that folder that nobody else can open and that is gone with its descriptor; closed on exec. */
int ank_open_temporary(void);

/* Where `path` leads if its last part is a symbolic link, also to a file that is not there: 0. -1 and errno where links
 * lead in a circle or a path is too long. */
#define ANK_PATH_SIZE 4096
int ank_follow_links(char target[ANK_PATH_SIZE], const char *path);

/* All `length` bytes at the descriptor's position, or at `offset`: 0. Interrupted calls are repeated. */
int ank_write_full(int file, const void *bytes, size_t length);
int ank_write_at(int file, const void *bytes, size_t length, uint64_t offset);

/* Bytes from `offset` until there are `length` of them or the file ends: their number, below `length` at the end of
 * the file. SIZE_MAX and errno on failure. */
size_t ank_read_at(int file, void *bytes, size_t length, uint64_t offset);

/* What to do where writing failed with this errno, to follow "cannot write: REASON"; "" where nothing is known. */
const char *ank_write_advice(int reason);

#endif
