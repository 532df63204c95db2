/* find.h - find bytes among others. */
#ifndef ANORANK_TESTS_FIND_H
#define ANORANK_TESTS_FIND_H

#include <stddef.h>
#include <string.h>

/* The first place of `wanted`, NULL if it is not there. */
static inline void *find_bytes(const void *bytes, size_t length, const void *wanted, size_t size) {
  const unsigned char *at = bytes;
  for (; length >= size; at++, length--)
    if (memcmp(at, wanted, size) == 0) return (void *)at;
  return NULL;
}

#endif
