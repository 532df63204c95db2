/* sha256.h - SHA-256 (FIPS 180-4), for the digests of model files and the comparison of tokens. */
#ifndef SERVE_SHA256_H
#define SERVE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SERVE_DIGEST = 32, SERVE_DIGEST_TEXT = 2 * SERVE_DIGEST + 1 };

void serve_sha256(unsigned char digest[SERVE_DIGEST], const void *bytes, size_t length);

/* In lower-case hexadecimal digits, as sha256sum prints it. */
void serve_digest_text(char text[SERVE_DIGEST_TEXT], const unsigned char digest[SERVE_DIGEST]);

#endif
