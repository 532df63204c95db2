/* scratch_file.c - see scratch_file.h. */
#include "core/scratch_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *folder_of(void) {
  const char *folder = getenv("TMPDIR");
  return folder && *folder ? folder : "/tmp";
}

static int open_nameless(void) {
  char path[4096];
  int file = -1;
#ifdef O_TMPFILE
  file = open(folder_of(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
#endif
  int length = snprintf(path, sizeof path, "%s/anorank-XXXXXX", folder_of());
  if (length < 0 || (size_t)length >= sizeof path) return -1;
  file = mkstemp(path);
  if (file >= 0) unlink(path);
  return file;
}

static anorank_status tell(const char *what, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  return ank_fail(err, ANORANK_ERROR_RESOURCES, "temporary-file",
                  "cannot %s a temporary file in %s: %s; let TMPDIR name a folder with more room", what,
                  ank_quote(quoted, folder_of(), strlen(folder_of())), strerror(errno));
}

anorank_status ank_scratch_append(ank_scratch_file *scratch, const void *bytes, size_t length, uint64_t *at,
                                  anorank_error *err) {
  const char *from = bytes;
  if (scratch->file == 0) {
    int file = open_nameless();
    if (file < 0) return tell("make", err);
    scratch->file = file + 1;
  }
  if (at) *at = scratch->length;
  while (length > 0) {
    ssize_t put = pwrite(scratch->file - 1, from, length, (off_t)scratch->length);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return tell("write to", err);
    from += put;
    length -= (size_t)put;
    scratch->length += (uint64_t)put;
  }
  return ANORANK_OK;
}

anorank_status ank_scratch_read(const ank_scratch_file *scratch, void *bytes, size_t length, uint64_t at,
                                anorank_error *err) {
  char *to = bytes;
  while (length > 0) {
    ssize_t got = pread(scratch->file - 1, to, length, (off_t)at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return tell("read from", err);
    to += got;
    length -= (size_t)got;
    at += (uint64_t)got;
  }
  return ANORANK_OK;
}

void ank_scratch_close(ank_scratch_file *scratch) {
  if (scratch->file > 0) close(scratch->file - 1);
  *scratch = (ank_scratch_file){0};
}
