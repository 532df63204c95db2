/* source.h - bytes from a file, standard input, a pipe or memory, decompressed on the way.
 *
 * gzip (also several members one after another) and zstd (also several frames) are recognised by their first
 * bytes. A source knows its name, so that every message can say which file. */
#ifndef ANK_TABLE_SOURCE_H
#define ANK_TABLE_SOURCE_H

#include "core/status.h"

typedef struct ank_source ank_source;

/* "-" is standard input. A folder, a missing file and a file without permission are errors here. While it
 * waits for a pipe or a terminal, the callbacks of `watch` (may be NULL; borrowed until
 * ank_source_watch gives another) are checked for cancellation, after ank_source_watch for every piece of any source. A plain file that ends before the length it
 * had here is an error: it was cut while it was read. */
anorank_status ank_source_open(ank_source **out, const char *path, const anorank_settings *watch,
                               anorank_error *err);
void ank_source_watch(ank_source *source, const anorank_settings *settings);

/* The compressed bytes read so far; 0 without compression. */
uint64_t ank_source_packed(const ank_source *source);

/* The bytes are borrowed until the source is freed. */
anorank_status ank_source_from_memory(ank_source **out, const void *bytes, size_t length, const char *name,
                                      anorank_error *err);

/* A source over any stream of bytes (a member of an NPZ file). `read` has the contract of ank_source_read;
 * `close` is called by ank_source_free, and also if this fails. */
typedef anorank_status (*ank_source_reading)(void *state, void *buffer, size_t size, size_t *got,
                                             anorank_error *err);
anorank_status ank_source_from_callback(ank_source **out, const char *name, ank_source_reading read,
                                        void (*close)(void *state), void *state, anorank_error *err);

/* Bytes that a public callback fetches, decompressed where they ask for it. */
anorank_status ank_source_from_reader(ank_source **out, anorank_read read, void *context, const char *name,
                                      anorank_error *err);

/* Open an anorank_source: a file, bytes or a callback. */
anorank_status ank_source_of(ank_source **out, const anorank_source *from, const anorank_settings *watch,
                             anorank_error *err);

void ank_source_free(ank_source *source);

/* Up to `size` bytes (size > 0); `*got` is 0 only at the end. Less than `size` may come before the end. */
anorank_status ank_source_read(ank_source *source, void *buffer, size_t size, size_t *got,
                               anorank_error *err);

/* Exactly `size` bytes unless the end comes first; `*got` says how many. */
anorank_status ank_source_read_full(ank_source *source, void *buffer, size_t size, size_t *got,
                                    anorank_error *err);

/* Look at the next bytes without taking them: at most `size` <= 1 MiB, fewer only at the end. The pointer
 * lives until the next call on the source. */
anorank_status ank_source_peek(ank_source *source, const unsigned char **bytes, size_t size, size_t *got,
                               anorank_error *err);

/* Its name in messages: the path, or "standard input". */
const char *ank_source_name(const ank_source *source);

/* Share of the file's bytes consumed so far, for progress; -1 where the length is not known. */
double ank_source_share(const ank_source *source);

/* For readers that use pread: so many bytes of the file are done with. Affects the share alone. */
void ank_source_taken(ank_source *source, uint64_t bytes);

/* The file descriptor when this is an uncompressed regular file read from its start, else -1: for readers
 * that want pread. */
int ank_source_file(const ank_source *source);

#endif
