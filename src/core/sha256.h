/* sha256.h - SHA-256 (FIPS 180-4). */
#ifndef ANK_CORE_SHA256_H
#define ANK_CORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct ank_sha256 {
  uint32_t state[8];
  uint64_t length; /* bytes so far */
  unsigned char block[64];
} ank_sha256;

void ank_sha256_start(ank_sha256 *sha);
void ank_sha256_put(ank_sha256 *sha, const void *bytes, size_t length);

/* 64 hexadecimal digits and NUL. */
#define ANK_SHA256_TEXT 65
void ank_sha256_end(char text[ANK_SHA256_TEXT], ank_sha256 *sha);

/* Hash all bytes in one call. */
void ank_sha256_of(char text[ANK_SHA256_TEXT], const void *bytes, size_t length);

#endif
