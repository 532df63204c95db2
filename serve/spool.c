/* spool.c - see spool.h. */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

void serve_spool_start(serve_spool *spool, serve_budget *budget) {
  *spool = (serve_spool){.budget = budget, .file = -1};
}

void serve_spool_free(serve_spool *spool) {
  if (spool->budget) atomic_fetch_sub(&spool->budget->held, spool->length);
  if (spool->file >= 0) close(spool->file);
  free(spool->bytes);
  serve_spool_start(spool, spool->budget);
}

/* A file that nobody else can open and that is gone with its descriptor. */
static int open_nameless(void) {
  const char *folder = getenv("TMPDIR");
  char path[4096];
  if (!folder || !*folder) folder = "/tmp";
  int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
  int length = snprintf(path, sizeof path, "%s/anorank-XXXXXX", folder);
  if (length < 0 || (size_t)length >= sizeof path) return -1;
  file = mkostemp(path, O_CLOEXEC);
  if (file >= 0) unlink(path);
  return file;
}

static int write_at(int file, const unsigned char *bytes, size_t length, uint64_t at) {
  while (length > 0) {
    ssize_t done = pwrite(file, bytes, length, (off_t)at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return -1;
    bytes += done;
    at += (uint64_t)done;
    length -= (size_t)done;
  }
  return 0;
}

static int move_to_file(serve_spool *spool) {
  int file = open_nameless();
  if (file < 0) return -1;
  if (write_at(file, spool->bytes, (size_t)spool->length, 0) != 0) {
    close(file);
    return -1;
  }
  free(spool->bytes);
  spool->bytes = NULL;
  spool->room = 0;
  spool->file = file;
  return 0;
}

static int make_room(serve_spool *spool, size_t wanted) {
  size_t room = spool->room > 0 ? spool->room : 512;
  while (room < wanted) room *= 2;
  if (room == spool->room) return 0;
  unsigned char *bytes = realloc(spool->bytes, room);
  if (!bytes) return -1;
  spool->bytes = bytes;
  spool->room = room;
  return 0;
}

static int keep(serve_spool *spool, const void *bytes, size_t length) {
  if (spool->file < 0 && spool->length + length > SERVE_SPOOL_MEMORY && move_to_file(spool) != 0) return -1;
  if (spool->file >= 0) return write_at(spool->file, bytes, length, spool->length);
  if (make_room(spool, (size_t)spool->length + length) != 0) return -1;
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
  size_t got = 0, wanted = spool->length - at < size ? (size_t)(spool->length - at) : size;
  if (spool->file < 0) {
    if (wanted > 0) memcpy(buffer, spool->bytes + at, wanted);
    return wanted;
  }
  while (got < wanted) {
    ssize_t done = pread(spool->file, (char *)buffer + got, wanted - got, (off_t)(at + got));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return SIZE_MAX;
    got += (size_t)done;
  }
  return got;
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

FILE *serve_spool_stream(serve_spool *spool) {
  return fopencookie(spool, "w", (cookie_io_functions_t){.write = pass_on});
}
