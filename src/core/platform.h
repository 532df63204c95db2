/* platform.h - what systems do differently, or what not all of them do. The rest of the library and of the programs
 * uses C11 and POSIX of 2008 alone. One file per system: platform_linux.c, platform_darwin.c, platform_windows.c, and
 * platform_posix.c for others.
 *
 * Nothing here reports through anorank_error: -1 and errno, as the system calls do. */
#ifndef ANK_CORE_PLATFORM_H
#define ANK_CORE_PLATFORM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

/* ---- memory and processors ----------------------------------------------------------------------------- */

/* 0 where the system does not say. */
uint64_t ank_physical_memory(void);

/* At least 1. */
size_t ank_processors(void);

/* Size and alignment of huge pages that ank_advise_huge can ask for, 0 without them. A hint: refusal is fine. */
size_t ank_huge_page(void);
void ank_advise_huge(void *start, size_t bytes);

/* Random bytes that other processes cannot guess. */
int ank_entropy(void *bytes, size_t length);

/* ---- files --------------------------------------------------------------------------------------------- */

/* A file in the folder that has no name, and takes one by ank_give_name; closed on exec. -1 and EOPNOTSUPP where the
 * system has no such files. */
int ank_open_nameless(const char *folder, unsigned mode);

/* Fails with EEXIST if the path exists. */
int ank_give_name(int file, const char *path);

/* The whole file will be read from start to end. A hint. */
void ank_advise_sequential(int file);

/* ---- streams ------------------------------------------------------------------------------------------- */

/* Returns how many bytes it took; fewer than `length` are an error of the stream. */
typedef ssize_t ank_stream_write(void *context, const char *bytes, size_t length);

/* A stream for fprintf whose bytes go to a function, at the latest when it is closed; NULL if out of memory. Closing
 * wants the same function and context, and returns 0 unless something failed. */
FILE *ank_stream_open(ank_stream_write *write, void *context);
int ank_stream_close(FILE *stream, ank_stream_write *write, void *context);

/* The monotonic clock. */
struct timespec ank_clock(void);

#endif
