/* source.c - sources of bytes; see source.h.
 *
 * A source is a read function behind a small buffer for peeking. Decompression is a source over a source
 * (source_codecs.h). */
#include "table/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/platform.h"
#include "table/source_codecs.h"

#define MOST_AHEAD ((size_t)1 << 20)

struct ank_source {
  char *name;
  ank_source_reading read;
  void (*close)(void *state);
  void *state;
  unsigned char *peeked; /* bytes read but not yet returned: [peeked_from, peeked_to) */
  size_t peeked_from, peeked_to, peeked_capacity;
  ank_source *inner;             /* the compressed source, which knows the share; NULL: this one */
  uint64_t length, consumed;     /* length 0: unknown */
  int file;                      /* for ank_source_file */
  const anorank_settings *watch; /* checks for cancellation with every piece; may be NULL */
};

/* ---- files and memory -------------------------------------------------------------------------------- */

typedef struct file_state {
  const char *name; /* owned by the source */
  int file, owns;
  int waits;                     /* a pipe or a terminal: reading may block indefinitely */
  const anorank_settings *watch; /* checks for cancellation now and then; may be NULL */
  uint64_t length, taken;        /* length of a plain file when it was opened; bytes read so far */
} file_state;

/* Wait until bytes can be read, or the caller cancels. */
static anorank_status wait_for_bytes(const file_state *state, anorank_error *err) {
  enum { MILLISECONDS = 200 };
  struct pollfd wait = {.fd = state->file, .events = POLLIN};
  for (;;) {
    int ready = poll(&wait, 1, state->watch ? MILLISECONDS : -1);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return ANORANK_OK; /* read() will report the error */
    ANK_CHECK(ank_progress(state->watch, 0, "waiting for input", err));
    ANK_CHECK(ank_check_cancelled(state->watch, err));
  }
}

static anorank_status read_file(void *context, void *buffer, size_t size, size_t *got, anorank_error *err) {
  file_state *state = context;
  *got = 0;
  for (;;) {
    ANK_CHECK(state->waits ? wait_for_bytes(state, err) : ANORANK_OK);
    ssize_t n = read(state->file, buffer, size);
    if (n == 0 && state->taken < state->length)
      return ank_fail(err, ANORANK_ERROR_DATA, "file-changed",
                      "%s: shrank while it was read; retry when it is complete", state->name);
    if (n >= 0) {
      *got = (size_t)n;
      state->taken += (uint64_t)n;
      return ANORANK_OK;
    }
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) { /* another program made standard input non-blocking */
      state->waits = 1;
      continue;
    }
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "file-read", "%s: cannot read: %s", state->name,
                    strerror(errno));
  }
}

static void close_file(void *context) {
  file_state *state = context;
  if (state->owns && state->file >= 0) (void)close(state->file);
  ank_free(state);
}

typedef struct memory_state {
  const unsigned char *bytes;
  size_t left;
} memory_state;

static anorank_status read_memory(void *context, void *buffer, size_t size, size_t *got, anorank_error *err) {
  memory_state *state = context;
  (void)err;
  *got = size < state->left ? size : state->left;
  if (*got > 0) memcpy(buffer, state->bytes, *got);
  state->bytes += *got;
  state->left -= *got;
  return ANORANK_OK;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static anorank_status read_on(ank_source *source, void *buffer, size_t size, size_t *got,
                              anorank_error *err) {
  ANK_CHECK(ank_check_cancelled(source->watch, err));
  anorank_status status = source->read(source->state, buffer, size, got, err);
  if (status == ANORANK_OK) source->consumed += *got;
  return status;
}

anorank_status ank_source_read(ank_source *source, void *buffer, size_t size, size_t *got,
                               anorank_error *err) {
  size_t held = source->peeked_to - source->peeked_from;
  *got = 0;
  if (held == 0) return read_on(source, buffer, size, got, err);
  *got = size < held ? size : held;
  memcpy(buffer, source->peeked + source->peeked_from, *got);
  source->peeked_from += *got;
  return ANORANK_OK;
}

anorank_status ank_source_read_full(ank_source *source, void *buffer, size_t size, size_t *got,
                                    anorank_error *err) {
  *got = 0;
  while (*got < size) {
    size_t step;
    ANK_CHECK(ank_source_read(source, (char *)buffer + *got, size - *got, &step, err));
    if (step == 0) break;
    *got += step;
  }
  return ANORANK_OK;
}

anorank_status ank_source_peek(ank_source *source, const unsigned char **bytes, size_t size, size_t *got,
                               anorank_error *err) {
  size_t held = source->peeked_to - source->peeked_from;
  *bytes = source->peeked ? source->peeked + source->peeked_from : NULL; /* NULL + 0 is undefined in C */
  *got = 0;
  if (size > MOST_AHEAD) size = MOST_AHEAD;
  if (held < size) {
    if (source->peeked_capacity < size) {
      ANK_CHECK(ank_resize(&source->peeked, size, 1, err));
      source->peeked_capacity = size;
    }
    if (held > 0 && source->peeked) memmove(source->peeked, source->peeked + source->peeked_from, held);
    source->peeked_from = 0;
    source->peeked_to = held;
    *bytes = source->peeked;
    while (source->peeked_to < size) {
      size_t step;
      ANK_CHECK(read_on(source, source->peeked + source->peeked_to, size - source->peeked_to, &step, err));
      if (step == 0) break;
      source->peeked_to += step;
    }
    held = source->peeked_to;
  }
  *got = held < size ? held : size;
  return ANORANK_OK;
}

const char *ank_source_name(const ank_source *source) { return source->name; }

void ank_source_taken(ank_source *source, uint64_t bytes) {
  source->consumed = bytes + (source->peeked_to - source->peeked_from);
}

double ank_source_share(const ank_source *source) {
  if (source->inner) return ank_source_share(source->inner);
  if (source->length == 0) return -1;
  uint64_t taken = source->consumed - (source->peeked_to - source->peeked_from);
  return taken >= source->length ? 1 : (double)taken / (double)source->length;
}

int ank_source_file(const ank_source *source) { return source->file; }

/* ---- create and free -------------------------------------------------------------------------------- */

anorank_status ank_source_from_callback(ank_source **out, const char *name, ank_source_reading read,
                                        void (*close)(void *state), void *state, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_source *source = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&source, 1, sizeof *source, err));
  source->read = read;
  source->file = -1;
  ANK_TRY(ank_copy_text(&source->name, name, strlen(name), err));
  source->close = close;
  source->state = state;
  *out = source;
  return ANORANK_OK;
done:
  if (close) close(state);
  ank_source_free(source);
  return status;
}

anorank_status ank_source_wrap(ank_source **out, ank_source *inner, ank_source_reading read,
                               void (*close)(void *state), void *state, anorank_error *err) {
  anorank_status status = ank_source_from_callback(out, inner->name, read, close, state, err);
  if (status == ANORANK_OK) (*out)->inner = inner;
  return status;
}

void ank_source_free(ank_source *source) {
  if (!source) return;
  if (source->close) source->close(source->state);
  ank_free(source->name);
  ank_free(source->peeked);
  ank_free(source);
}

static const struct codec {
  unsigned char magic[4];
  size_t length;
  anorank_status (*wrap)(ank_source **out, ank_source *inner, anorank_error *err);
} codecs[] = {
    {{0x1F, 0x8B, 0x08}, 3, ank_source_gunzip},
    {{0x28, 0xB5, 0x2F, 0xFD}, 4, ank_source_unzstd},
};

/* Add a decoder if the first bytes require one. Takes ownership of `raw`, also on failure. */
static anorank_status decode(ank_source **out, ank_source *raw, anorank_error *err) {
  const unsigned char *bytes = NULL;
  size_t got = 0;
  *out = NULL;
  anorank_status status = ank_source_peek(raw, &bytes, 4, &got, err);
  if (status != ANORANK_OK) {
    ank_source_free(raw);
    return status;
  }
  for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++)
    if (bytes && got >= codecs[i].length && memcmp(bytes, codecs[i].magic, codecs[i].length) == 0)
      return codecs[i].wrap(out, raw, err);
  *out = raw;
  return ANORANK_OK;
}

static anorank_status open_failed(const char *path, anorank_error *err) {
  int code = errno;
  if (code == ENOENT || code == ENOTDIR)
    return ank_fail(err, ANORANK_ERROR_DATA, "file-missing", "%s: no such file; check the path", path);
  if (code == EACCES || code == EPERM)
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "file-permission",
                    "%s: permission denied; change its permissions, or copy it to a readable place", path);
  return ank_fail(err, ANORANK_ERROR_RESOURCES, "file-open", "%s: cannot open: %s", path, strerror(code));
}

/* Open a file; an error if it cannot be read as one. */
static anorank_status open_file(file_state *state, const char *path, struct stat *about, anorank_error *err) {
  if (strcmp(path, "-") == 0) {
    state->file = STDIN_FILENO;
  } else {
    do state->file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    while (state->file < 0 && errno == EINTR);
    if (state->file < 0) return open_failed(path, err);
    state->owns = 1;
  }
  if (fstat(state->file, about) != 0)
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "file-read", "%s: cannot read: %s", state->name,
                    strerror(errno));
  if (S_ISDIR(about->st_mode))
    return ank_fail(err, ANORANK_ERROR_DATA, "file-is-folder", "%s: is a directory; name a file in it",
                    state->name);
  return ANORANK_OK;
}

void ank_source_watch(ank_source *source, const anorank_settings *settings) {
  source->watch = settings;
  while (source->inner) source = source->inner;
  if (source->read == read_file) ((file_state *)source->state)->watch = settings;
}

uint64_t ank_source_packed(const ank_source *source) { return source->inner ? source->inner->consumed : 0; }

anorank_status ank_source_open(ank_source **out, const char *path, const anorank_settings *watch,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
  file_state *state = NULL;
  ank_source *raw = NULL;
  struct stat about = {0};
  *out = NULL;
  ANK_TRY(ank_alloc(&state, 1, sizeof *state, err));
  state->name = name;
  state->file = -1;
  ANK_TRY(open_file(state, path, &about, err));
  int file = state->file, whole = S_ISREG(about.st_mode) && lseek(file, 0, SEEK_CUR) == 0;
  state->watch = watch;
  state->waits = !S_ISREG(about.st_mode);
  state->length = whole ? (uint64_t)about.st_size : 0;
  file_state *given = state;
  state = NULL; /* close_file frees it, also on failure */
  ANK_TRY(ank_source_from_callback(&raw, name, read_file, close_file, given, err));
  given->name = raw->name;
  if (whole) {
    raw->length = (uint64_t)about.st_size;
    raw->file = file;
    ank_advise_sequential(file);
  }
  status = decode(out, raw, err);
done:
  if (state) close_file(state);
  return status;
}

anorank_status ank_source_from_memory(ank_source **out, const void *bytes, size_t length, const char *name,
                                      anorank_error *err) {
  memory_state *state = NULL;
  ank_source *raw;
  *out = NULL;
  ANK_CHECK(ank_alloc(&state, 1, sizeof *state, err));
  state->bytes = bytes ? bytes : (const void *)"";
  state->left = length;
  ANK_CHECK(ank_source_from_callback(&raw, name, read_memory, ank_free, state, err));
  raw->length = length;
  return decode(out, raw, err);
}

typedef struct call_state {
  anorank_read read;
  void *context;
  const char *name; /* owned by the source */
} call_state;

static anorank_status read_call(void *context, void *buffer, size_t size, size_t *got, anorank_error *err) {
  call_state *state = context;
  *got = 0;
  int failed = state->read(state->context, buffer, size, got);
  if (failed)
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "file-callback",
                    "%s: cannot read: the callback failed with code %d", state->name, failed);
  if (*got > size)
    return ank_fail(err, ANORANK_ERROR_USAGE, "file-callback",
                    "%s: the callback returned %zu bytes, but the buffer has %zu", state->name, *got, size);
  return ANORANK_OK;
}

anorank_status ank_source_from_reader(ank_source **out, anorank_read read, void *context, const char *name,
                                      anorank_error *err) {
  call_state *state = NULL;
  ank_source *raw;
  *out = NULL;
  ANK_CHECK(ank_alloc(&state, 1, sizeof *state, err));
  state->read = read;
  state->context = context;
  ANK_CHECK(ank_source_from_callback(&raw, name, read_call, ank_free, state, err));
  state->name = raw->name;
  return decode(out, raw, err);
}

anorank_status ank_source_of(ank_source **out, const anorank_source *from, const anorank_settings *watch,
                             anorank_error *err) {
  *out = NULL;
  if (!from->path + !from->bytes + !from->read != 2)
    return ank_fail(err, ANORANK_ERROR_USAGE, "source-choice",
                    "a source needs exactly one of path, bytes and read callback");
  if (from->path) return ank_source_open(out, from->path, watch, err);
  if (from->read)
    return ank_source_from_reader(out, from->read, from->context, from->name ? from->name : "callback", err);
  return ank_source_from_memory(out, from->bytes, from->length, from->name ? from->name : "memory", err);
}
