/* file_io.c - see file_io.h. */
#include "core/file_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/platform.h"

#ifndef ANK_TEMPORARY_FOLDER
#define ANK_TEMPORARY_FOLDER "/tmp"
#endif

const char *ank_file_name(const char *path) {
  const char *name = path + strlen(path);
  while (name > path && !strchr(ANK_SLASHES, name[-1])) name--;
  return name;
}

int ank_folder_of(char folder[ANK_PATH_SIZE], const char *path) {
  size_t length = (size_t)(ank_file_name(path) - path);
  if (length >= ANK_PATH_SIZE) return -1;
  if (length > 1 && path[length - 2] != ':') length--; /* the slash of "/" and "C:/" belongs to them */
  memcpy(folder, length > 0 ? path : ".", length > 0 ? length : 1);
  folder[length > 0 ? length : 1] = '\0';
  return 0;
}

const char *ank_temporary_folder(void) {
  const char *folder = getenv("TMPDIR");
  return folder && *folder ? folder : ANK_TEMPORARY_FOLDER;
}

int ank_open_temporary(void) {
  char path[4096];
  const char *folder = ank_temporary_folder();
  int file = ank_open_nameless(folder, 0600);
  if (file >= 0 || errno != EOPNOTSUPP) return file; /* only EOPNOTSUPP has an alternative */
  int length = snprintf(path, sizeof path, "%s/anorank-XXXXXX", folder);
  if (length < 0 || (size_t)length >= sizeof path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  file = mkstemp(path);
  if (file < 0) return -1;
  (void)fcntl(file, F_SETFD, FD_CLOEXEC);
  unlink(path);
  return file;
}

int ank_follow_links(char target[ANK_PATH_SIZE], const char *path) {
  enum { MOST_LINKS = 40 }; /* the kernel's limit */
  char next[ANK_PATH_SIZE];
  size_t length = strlen(path);
  errno = ENAMETOOLONG;
  if (length >= ANK_PATH_SIZE) return -1;
  memcpy(target, path, length + 1);
  for (int links = 0; links < MOST_LINKS; links++) {
    ssize_t got = readlink(target, next, sizeof next - 1);
    if (got < 0) return 0; /* not a link, or it does not exist */
    size_t folder = next[0] != '/' ? (size_t)(ank_file_name(target) - target) : 0;
    errno = ENAMETOOLONG;
    if (folder + (size_t)got >= ANK_PATH_SIZE) return -1;
    memcpy(target + folder, next, (size_t)got);
    target[folder + (size_t)got] = '\0';
  }
  errno = ELOOP;
  return -1;
}

/* Evaluate one write of a loop. Returns 1 to continue, 0 when done, -1 on failure. */
static int advance(ssize_t put, const char **from, size_t *length) {
  if (put < 0 && errno == EINTR) return 1;
  if (put == 0) errno = EIO;
  if (put <= 0) return -1;
  *from += put;
  *length -= (size_t)put;
  return *length > 0;
}

int ank_write_full(int file, const void *bytes, size_t length) {
  const char *from = bytes;
  int more = length > 0;
  while (more > 0) more = advance(write(file, from, length), &from, &length);
  return more;
}

int ank_write_at(int file, const void *bytes, size_t length, uint64_t offset) {
  const char *start = bytes, *from = bytes;
  int more = length > 0;
  while (more > 0)
    more = advance(pwrite(file, from, length, (off_t)(offset + (uint64_t)(from - start))), &from, &length);
  return more;
}

size_t ank_read_at(int file, void *bytes, size_t length, uint64_t offset) {
  size_t done = 0;
  while (done < length) {
    ssize_t got = pread(file, (char *)bytes + done, length - done, (off_t)(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SIZE_MAX;
    if (got == 0) break;
    done += (size_t)got;
  }
  return done;
}

const char *ank_write_advice(int reason) {
  switch (reason) {
  case ENOSPC: return "; free some space or write elsewhere";
  case EPIPE: return "; the program that reads it has ended";
  case EFBIG: return "; it is over the size limit for files";
  case EDQUOT: return "; the quota is used up";
  default: return "";
  }
}
