/* iconv.h - no encodings on Windows beyond those that the library converts by itself. */
#ifndef ANK_CORE_WINDOWS_ICONV_H
#define ANK_CORE_WINDOWS_ICONV_H

#include <errno.h>
#include <stddef.h>

typedef void *iconv_t;

static inline iconv_t iconv_open(const char *to, const char *from) {
  (void)to, (void)from;
  errno = EINVAL;
  return (iconv_t)-1;
}

static inline size_t iconv(iconv_t by, char **in, size_t *in_left, char **out, size_t *out_left) {
  (void)by, (void)in, (void)in_left, (void)out, (void)out_left;
  errno = EINVAL;
  return (size_t)-1;
}

static inline int iconv_close(iconv_t by) {
  (void)by;
  return 0;
}

#endif
