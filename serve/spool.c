/* spool.c - see spool.h. */
#include "spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "core/file_io.h"
#include "core/platform.h"

void serve_spool_start(serve_spool *spool, serve_budget *budget) {
  *spool = (serve_spool){.budget = budget, .file = -1};
}

void serve_spool_free(serve_spool *spool) {
  if (spool->budget) atomic_fetch_sub(&spool->budget->held, spool->length);
  if (spool->file >= 0) close(spool->file);
  free(spool->bytes);
  serve_spool_start(spool, spool->budget);
}

static int move_to_file(serve_spool *spool) {
  int file = ank_open_temporary();
  if (file < 0) return -1;
  if (ank_write_at(file, spool->bytes, (size_t)spool->length, 0) != 0) {
    close(file);
    return -1;
  }
  free(spool->bytes);
  spool->bytes = NULL;
  spool->capacity = 0;
  spool->file = file;
  return 0;
}

static int reserve(serve_spool *spool, size_t wanted) {
  size_t capacity = spool->capacity > 0 ? spool->capacity : 512;
  while (capacity < wanted) capacity *= 2;
  if (capacity == spool->capacity) return 0;
  unsigned char *bytes = realloc(spool->bytes, capacity);
  if (!bytes) return -1;
  spool->bytes = bytes;
  spool->capacity = capacity;
  return 0;
}

static int keep(serve_spool *spool, const void *bytes, size_t length) {
  if (spool->file < 0 && spool->length + length > SERVE_SPOOL_MEMORY && move_to_file(spool) != 0) return -1;
  if (spool->file >= 0) return ank_write_at(spool->file, bytes, length, spool->length);
  if (reserve(spool, (size_t)spool->length + length) != 0) return -1;
  memcpy(spool->bytes + spool->length, bytes, length);
  return 0;
}

int serve_spool_append(void *context, const void *bytes, size_t length) {
  serve_spool *spool = context;
  if (length == 0) return 0;
  if (spool->budget &&
      atomic_fetch_add(&spool->budget->held, length) + (uint64_t)length > spool->budget->most) {
    atomic_fetch_sub(&spool->budget->held, length);
    return -1;
  }
  if (keep(spool, bytes, length) != 0) {
    if (spool->budget) atomic_fetch_sub(&spool->budget->held, length);
    return -1;
  }
  spool->length += length;
  return 0;
}

static size_t copy_from(const serve_spool *spool, uint64_t at, void *buffer, size_t size) {
  size_t wanted = spool->length - at < size ? (size_t)(spool->length - at) : size;
  if (spool->file < 0) {
    if (wanted > 0) memcpy(buffer, spool->bytes + at, wanted);
    return wanted;
  }
  return ank_read_at(spool->file, buffer, wanted, at) == wanted ? wanted : SIZE_MAX;
}

int serve_spool_read(void *context, void *buffer, size_t size, size_t *got) {
  serve_spool *spool = context;
  size_t done = copy_from(spool, spool->taken, buffer, size);
  if (done == SIZE_MAX) return EIO;
  spool->taken += done;
  *got = done;
  return 0;
}

size_t serve_spool_peek(const serve_spool *spool, void *buffer, size_t size) {
  size_t done = copy_from(spool, 0, buffer, size);
  return done == SIZE_MAX ? 0 : done;
}

static ssize_t pass_on(void *cookie, const char *bytes, size_t length) {
  return serve_spool_append(cookie, bytes, length) == 0 ? (ssize_t)length : 0;
}

FILE *serve_spool_stream(serve_spool *spool) { return ank_stream_open(pass_on, spool); }

int serve_spool_close(serve_spool *spool, FILE *stream) { return ank_stream_close(stream, pass_on, spool); }
