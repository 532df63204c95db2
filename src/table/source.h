/* source.h - bytes from a file, standard input, a pipe or memory, decompressed if necessary.
 *
 * gzip (also several members one after another) and zstd (also several frames) are recognised by their first
 * bytes. A source knows its name, so that every message can name the file. */
#ifndef ANK_TABLE_SOURCE_H
#define ANK_TABLE_SOURCE_H

#include "core/status.h"

typedef struct ank_source ank_source;

/* Open a file; "-" is standard input. A directory, a missing file and a file without permission are errors
 * here. While it waits for a pipe or a terminal, it checks the callbacks of `watch` (may be NULL; borrowed
 * until the next ank_source_watch). After ank_source_watch, every source checks them with each piece. A plain
 * file that turns out shorter than when it was opened is an error: it was truncated during reading. */
anorank_status ank_source_open(ank_source **out, const char *path, const anorank_settings *watch,
                               anorank_error *err);
void ank_source_watch(ank_source *source, const anorank_settings *settings);

/* Return the compressed bytes read so far; 0 without compression. */
uint64_t ank_source_packed(const ank_source *source);

/* Read from memory, which is borrowed until the source is freed. */
anorank_status ank_source_from_memory(ank_source **out, const void *bytes, size_t length, const char *name,
                                      anorank_error *err);

/* Create a source over any stream of bytes (a member of an NPZ file). `read` has the contract of
 * ank_source_read; ank_source_free calls `close`, and so does a failure of this function. */
typedef anorank_status (*ank_source_reading)(void *state, void *buffer, size_t size, size_t *got,
                                             anorank_error *err);
anorank_status ank_source_from_callback(ank_source **out, const char *name, ank_source_reading read,
                                        void (*close)(void *state), void *state, anorank_error *err);

/* Read bytes from a public callback, and decompress them if they are compressed. */
anorank_status ank_source_from_reader(ank_source **out, anorank_read read, void *context, const char *name,
                                      anorank_error *err);

/* Open an anorank_source: a file, bytes or a callback. */
anorank_status ank_source_of(ank_source **out, const anorank_source *from, const anorank_settings *watch,
                             anorank_error *err);

void ank_source_free(ank_source *source);

/* Read up to `size` bytes (size > 0); `*got` is 0 only at the end. Less than `size` may come before the
 * end. */
anorank_status ank_source_read(ank_source *source, void *buffer, size_t size, size_t *got,
                               anorank_error *err);

/* Read exactly `size` bytes, fewer only at the end; `*got` is their number. */
anorank_status ank_source_read_full(ank_source *source, void *buffer, size_t size, size_t *got,
                                    anorank_error *err);

/* Peek at the next bytes: at most `size` <= 1 MiB, fewer only at the end. The pointer is valid until the next
 * call on the source. */
anorank_status ank_source_peek(ank_source *source, const unsigned char **bytes, size_t size, size_t *got,
                               anorank_error *err);

/* Return its name for messages: the path, or "standard input". */
const char *ank_source_name(const ank_source *source);

/* Return the share of the file's bytes consumed so far, for progress; -1 if the length is unknown. */
double ank_source_share(const ank_source *source);

/* Count bytes of the file as consumed, for readers that use pread. Affects the share only. */
void ank_source_taken(ank_source *source, uint64_t bytes);

/* Return the file descriptor of an uncompressed plain file read from its start, else -1: for readers that use
 * pread. */
int ank_source_file(const ank_source *source);

#endif
