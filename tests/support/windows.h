/* windows.h - included before every test on Windows: functions of POSIX that only tests use. Programs with fork, signals or
 * limits do not build there. */
#ifndef TEST_SUPPORT_WINDOWS_H
#define TEST_SUPPORT_WINDOWS_H

#include "core/windows/posix.h"

#include <string.h>

static inline struct tm *gmtime_r(const time_t *when, struct tm *out) {
  return gmtime_s(out, when) == 0 ? out : NULL;
}

static inline int setenv(const char *name, const char *value, int replace) {
  return replace || !getenv(name) ? _putenv_s(name, value) : 0;
}

static inline int unsetenv(const char *name) { return _putenv_s(name, ""); }

static inline char *mkdtemp(char *path) {
  char *end = path + strlen(path) - 6;
  for (unsigned attempt = 0; attempt < 1000; attempt++) {
    snprintf(end, 7, "%06u", (unsigned)getpid() % 1000 * 1000 + attempt);
    if (_mkdir(path) == 0) return path;
  }
  return NULL;
}

/* A stream to memory: a temporary file that is read when it is closed. One at a time. */
static struct {
  FILE *stream;
  char **text;
  size_t *length;
} test_memory_stream;

static inline FILE *open_memstream(char **text, size_t *length) {
  test_memory_stream.stream = tmpfile();
  test_memory_stream.text = text;
  test_memory_stream.length = length;
  return test_memory_stream.stream;
}

static inline int test_fclose(FILE *stream) {
  if (stream && stream == test_memory_stream.stream) {
    long size = ftell(stream);
    char *text = calloc((size_t)size + 1, 1);
    rewind(stream);
    *test_memory_stream.length = fread(text, 1, (size_t)size, stream);
    *test_memory_stream.text = text;
    test_memory_stream.stream = NULL;
  }
  return fclose(stream);
}
#define fclose test_fclose

#endif
