/* tokens.h - access control: bearer tokens from a file, one per line. */
#ifndef SERVE_TOKENS_H
#define SERVE_TOKENS_H

#include <pthread.h>

#include "core/sha256.h"
#include "serve.h"

enum { SERVE_TOKENS = 64, SERVE_TOKEN_SHORTEST = 16 };

/* Digests of the tokens: all have the same length, so the time of a comparison reveals nothing. */
typedef struct serve_tokens {
  const char *path; /* NULL: everybody may ask */
  pthread_rwlock_t lock;
  size_t count;
  char digests[SERVE_TOKENS][ANK_SHA256_TEXT];
} serve_tokens;

/* Load or reload the file; on failure the old tokens stay. Blank lines and lines
 * that begin with '#' are ignored; several tokens let one be replaced while the other still works. */
anorank_status serve_tokens_open(serve_tokens *tokens, const char *path, anorank_error *err);
anorank_status serve_tokens_refresh(serve_tokens *tokens, anorank_error *err);
void serve_tokens_close(serve_tokens *tokens);

/* Whether the value of an Authorization header (NULL: none) is authorised. */
int serve_tokens_allow(serve_tokens *tokens, const char *authorization);

#endif
