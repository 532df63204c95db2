/* output.c - see output.h. */
#include "core/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/bytes.h"
#include "core/file_io.h"
#include "core/platform.h"

#define BUFFER_SIZE ((size_t)1 << 18)

struct ank_output {
  char *path;      /* as the caller gave it */
  char *target;    /* `path` with symbolic links followed; NULL if written directly */
  char *temporary; /* NULL if written directly, while it has no name, and after commit */
  char *buffer;
  size_t used;
  int file;
  int owns_file;
  int can_seek;
  int replaces;          /* the target existed before */
  ank_bytes memory;      /* output to memory, until commit returns it: */
  unsigned char **bytes; /* NULL if not written to memory */
  size_t *length;
  anorank_write call; /* NULL if not written to a callback */
  void *context;
};

const char *ank_output_name(const ank_output *output) {
  return strcmp(output->path, "-") == 0 ? "standard output" : output->path;
}

int ank_output_can_seek(const ank_output *output) { return output->can_seek; }

static anorank_status write_failed(const ank_output *output, anorank_error *err) {
  const char *advice = ank_write_advice(errno);
  return ank_fail(err, ANORANK_ERROR_RESOURCES, "output-write", "%s: cannot write: %s%s",
                  ank_output_name(output), strerror(errno), advice);
}

static anorank_status call_writer(ank_output *output, const char *bytes, size_t length, anorank_error *err) {
  int failed = length > 0 ? output->call(output->context, bytes, length) : 0;
  if (!failed) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_RESOURCES, "output-callback",
                  "%s: cannot write: the callback returned %d", output->path, failed);
}

static anorank_status write_all(ank_output *output, const char *bytes, size_t length, anorank_error *err) {
  if (output->bytes) return ank_bytes_put(&output->memory, bytes, length, err);
  if (output->call) return call_writer(output, bytes, length, err);
  return ank_write_full(output->file, bytes, length) == 0 ? ANORANK_OK : write_failed(output, err);
}

static anorank_status flush(ank_output *output, anorank_error *err) {
  anorank_status status = write_all(output, output->buffer, output->used, err);
  output->used = 0;
  return status;
}

/* Call `make` with new names beside `target` until one is free. `make` returns -1 and errno on failure. */
static anorank_status with_free_name(ank_output *output, int (*make)(ank_output *output),
                                     anorank_error *err) {
  enum { LONGEST_NAME = 200 }; /* of 255 bytes; the suffix takes up to 50 */
  const char *name = ank_file_name(output->target);
  size_t length = strlen(output->target), size = length + 64;
  if (strlen(name) > LONGEST_NAME)
    for (length = (size_t)(name - output->target) + LONGEST_NAME;
         ((unsigned char)output->target[length] & 0xC0) == 0x80;)
      length--;
  ANK_CHECK(ank_alloc_raw(&output->temporary, size, 1, err));
  for (unsigned attempt = 0;; attempt++) {
    snprintf(output->temporary, size, "%.*s.tmp-%ld-%u", (int)length, output->target, (long)getpid(),
             attempt);
    if (make(output) >= 0) return ANORANK_OK;
    if (errno != EEXIST || attempt > 10000) break;
  }
  ank_free(output->temporary);
  output->temporary = NULL;
  return ank_fail(err, ANORANK_ERROR_RESOURCES, "output-folder", "%s: cannot write to its directory: %s%s",
                  output->path, strerror(errno), errno == ENOENT ? "; create it first" : "");
}

static int create_named(ank_output *output) {
  return output->file =
             open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, output->replaces ? 0600 : 0666);
}

static int give_name(ank_output *output) { return ank_give_name(output->file, output->temporary); }

/* Open a file without a name in the directory of `target`, if the system supports them. Nothing remains of
 * it, however the program ends. */
static void open_nameless(ank_output *output) {
  char folder[ANK_PATH_SIZE];
  output->file = ank_folder_of(folder, output->target) == 0
                     ? ank_open_nameless(folder, output->replaces ? 0600 : 0666)
                     : -1;
}

/* Open a temporary file in the directory of `target`, with the permissions that the target has or would get.
 * They are never wider, not even for a moment. */
static anorank_status open_temporary(ank_output *output, const struct stat *existing, anorank_error *err) {
  output->replaces = existing != NULL;
  anorank_status status = ANORANK_OK;
  open_nameless(output);
  if (output->file < 0) status = with_free_name(output, create_named, err);
  if (status != ANORANK_OK) return status;
  output->owns_file = 1;
  output->can_seek = 1;
  if (existing) (void)fchmod(output->file, existing->st_mode & 07777);
  return ANORANK_OK;
}

static anorank_status open_path(ank_output *output, anorank_error *err) {
  struct stat existing;
  if (strcmp(output->path, "-") == 0) {
    output->file = STDOUT_FILENO;
    return ANORANK_OK;
  }
  int exists = stat(output->path, &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode))
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "file-is-folder", "%s: is a directory; name a file in it",
                    output->path);
  if (exists && !S_ISREG(existing.st_mode)) {
    output->file = open(output->path, O_WRONLY | O_CLOEXEC);
    if (output->file < 0)
      return ank_fail(err, ANORANK_ERROR_RESOURCES, "output-open", "%s: cannot open for writing: %s",
                      output->path, strerror(errno));
    output->owns_file = 1;
    return ANORANK_OK;
  }
  char *resolved = exists ? realpath(output->path, NULL) : NULL, followed[ANK_PATH_SIZE];
  if (!resolved && ank_follow_links(followed, output->path) != 0)
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "output-open", "%s: cannot open for writing: %s",
                    output->path, strerror(errno));
  const char *target = resolved ? resolved : followed;
  anorank_status status = ank_copy_text(&output->target, target, strlen(target), err);
  free(resolved);
  if (status != ANORANK_OK) return status;
  return open_temporary(output, exists ? &existing : NULL, err);
}

anorank_status ank_output_of(ank_output **out, const anorank_sink *sink, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_output *output = NULL;
  *out = NULL;
  ank_sink_start(sink);
  if (!sink->path + !sink->write + !sink->bytes != 2 || (sink->bytes && !sink->length))
    return ank_fail(err, ANORANK_ERROR_USAGE, "sink-choice",
                    "a sink needs exactly one of path, write callback, and bytes with length");
  if (sink->path && !sink->path[0])
    return ank_fail(err, ANORANK_ERROR_USAGE, "output-name-empty",
                    "the name of the output file is empty; name a file");
  const char *name = sink->path ? sink->path : sink->name ? sink->name : sink->write ? "callback" : "memory";
  ANK_TRY(ank_alloc(&output, 1, sizeof *output, err));
  output->file = -1;
  output->call = sink->write;
  output->context = sink->context;
  output->bytes = sink->bytes;
  output->length = sink->length;
  output->can_seek = sink->bytes != NULL;
  ANK_TRY(ank_copy_text(&output->path, name, strlen(name), err));
  ANK_TRY(ank_alloc_raw(&output->buffer, BUFFER_SIZE, 1, err));
  if (sink->bytes) ANK_TRY(ank_reserve(&output->memory.data, &output->memory.capacity, 1, 1, err));
  if (sink->path) ANK_TRY(open_path(output, err));
  *out = output;
  output = NULL;
done:
  ank_output_free(output);
  return status;
}

anorank_status ank_output_open(ank_output **out, const char *path, anorank_error *err) {
  return ank_output_of(out, &(anorank_sink){.path = path}, err);
}

anorank_status ank_output_write(ank_output *output, const void *bytes, size_t length, anorank_error *err) {
  if (length > BUFFER_SIZE - output->used) {
    ANK_CHECK(flush(output, err));
    if (length >= BUFFER_SIZE) return write_all(output, bytes, length, err);
  }
  if (length > 0) memcpy(output->buffer + output->used, bytes, length); /* memcpy from NULL is undefined */
  output->used += length;
  return ANORANK_OK;
}

anorank_status ank_output_patch(ank_output *output, size_t offset, const void *bytes, size_t length,
                                anorank_error *err) {
  ANK_CHECK(flush(output, err));
  if (!output->can_seek)
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "output-rewind",
                    "%s: this output cannot be rewound; write to a file", ank_output_name(output));
  if (output->bytes) {
    memcpy(output->memory.data + offset, bytes, length);
    return ANORANK_OK;
  }
  return ank_write_at(output->file, bytes, length, offset) == 0 ? ANORANK_OK : write_failed(output, err);
}

/* The new name is on disk only when the directory is. Some file systems cannot flush one, and need not. */
static anorank_status flush_folder(const ank_output *output, anorank_error *err) {
  char folder[ANK_PATH_SIZE];
  int named = ank_folder_of(folder, output->target) == 0;
  int file = named ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (file < 0) return ANORANK_OK;
  int failed = fsync(file) != 0 && errno == EIO;
  anorank_status status = failed ? write_failed(output, err) : ANORANK_OK;
  (void)close(file);
  return status;
}

anorank_status ank_output_commit(ank_output *output, anorank_error *err) {
  anorank_status status = flush(output, err);
  if (status == ANORANK_OK && output->bytes && output->memory.data) {
    *output->bytes = output->memory.data;
    *output->length = output->memory.length;
    output->memory = (ank_bytes){0};
  }
  if (status != ANORANK_OK || !output->target) return status;
  /* Without fsync, a crash after the rename could leave an empty file in place of the old one. */
  if (fsync(output->file) != 0) return write_failed(output, err);
  if (!output->temporary) status = with_free_name(output, give_name, err);
  if (status != ANORANK_OK) return status;
  output->owns_file = 0;
  if (close(output->file) != 0) return write_failed(output, err);
  if (rename(output->temporary, output->target) != 0) return write_failed(output, err);
  ank_free(output->temporary);
  output->temporary = NULL;
  status = flush_folder(output, err);
  ank_free(output->target);
  output->target = NULL;
  return status;
}

void ank_output_free(ank_output *output) {
  if (!output) return;
  if (output->owns_file) close(output->file);
  if (output->temporary) unlink(output->temporary);
  ank_bytes_free(&output->memory);
  ank_free(output->path);
  ank_free(output->target);
  ank_free(output->temporary);
  ank_free(output->buffer);
  ank_free(output);
}
