/* spool.h - the bytes of a body or a response: in memory while small, then in an unnamed file.
 *
 * Work on a request therefore never waits for the client to send or read, and large bodies use disk instead of
 * memory. All spools of a service share one budget. */
#ifndef SERVE_SPOOL_H
#define SERVE_SPOOL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SERVE_SPOOL_MEMORY = 256 << 10 }; /* bytes that stay in memory */

typedef struct serve_budget {
  atomic_uint_fast64_t held;
  uint64_t most;
} serve_budget;

typedef struct serve_spool {
  serve_budget *budget; /* NULL: none */
  unsigned char *bytes; /* all of them, while `file` is -1 */
  size_t capacity;
  int file;
  uint64_t length; /* bytes in all */
  uint64_t taken;  /* of these have been read by serve_spool_read */
} serve_spool;

void serve_spool_start(serve_spool *spool, serve_budget *budget);
void serve_spool_free(serve_spool *spool);

/* 0, or -1 if memory, disk or the budget is exhausted; the spool is then unchanged. The signature
 * is that of anorank_write, with the spool as context. */
int serve_spool_append(void *spool, const void *bytes, size_t length);

/* anorank_read with the spool as context: the next bytes. */
int serve_spool_read(void *spool, void *buffer, size_t size, size_t *got);

/* Peek at the first bytes, at most `size`. Returns their number. */
size_t serve_spool_peek(const serve_spool *spool, void *buffer, size_t size);

/* A stream for fprintf whose bytes are appended, NULL without memory. Closing returns 0 if all of them were. */
FILE *serve_spool_stream(serve_spool *spool);
int serve_spool_close(serve_spool *spool, FILE *stream);

#endif
