/* tokens.c - see tokens.h. */
#include "tokens.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/ascii.h"
#include "text.h"

enum { LONGEST_LINE = 4096 };

static anorank_status refuse(anorank_error *err, const char *path, const char *what) {
  return cli_fail(err, ANORANK_ERROR_USAGE, "serve-token-file", "%.400s: cannot be used as a token file: %s",
                  path, what);
}

/* The line without blanks around it. */
static char *trimmed(char *line) {
  line += strspn(line, " \t");
  size_t length = strlen(line);
  while (length > 0 && strchr(" \t\r\n", line[length - 1])) line[--length] = '\0';
  return line;
}

static anorank_status read_tokens(FILE *file, char digests[][ANK_SHA256_TEXT], size_t *count,
                                  const char *path, anorank_error *err) {
  char line[LONGEST_LINE];
  *count = 0;
  while (fgets(line, sizeof line, file)) {
    if (strlen(line) == sizeof line - 1) return refuse(err, path, "a line is longer than 4,000 bytes");
    char *token = trimmed(line);
    if (*token == '\0' || *token == '#') continue;
    if (strlen(token) < SERVE_TOKEN_SHORTEST)
      return refuse(err, path, "a token is shorter than 16 characters; 'openssl rand -hex 32' makes one");
    if (strcspn(token, " \t") != strlen(token)) return refuse(err, path, "there are blanks in a token");
    if (*count == SERVE_TOKENS) return refuse(err, path, "there are more than 64 tokens");
    ank_sha256_of(digests[(*count)++], token, strlen(token));
  }
  if (ferror(file)) return refuse(err, path, strerror(errno));
  return *count > 0 ? ANORANK_OK : refuse(err, path, "there is no token; write one on a line");
}

anorank_status serve_tokens_refresh(serve_tokens *tokens, anorank_error *err) {
  char digests[SERVE_TOKENS][ANK_SHA256_TEXT] = {{0}};
  size_t count = 0;
  if (!tokens->path) return ANORANK_OK;
  FILE *file = fopen(tokens->path, "re");
  if (!file) return refuse(err, tokens->path, strerror(errno));
  anorank_status status = read_tokens(file, digests, &count, tokens->path, err);
  fclose(file);
  if (status != ANORANK_OK) return status;
  pthread_rwlock_wrlock(&tokens->lock);
  memcpy(tokens->digests, digests, sizeof digests);
  tokens->count = count;
  pthread_rwlock_unlock(&tokens->lock);
  return ANORANK_OK;
}

anorank_status serve_tokens_open(serve_tokens *tokens, const char *path, anorank_error *err) {
  memset(tokens, 0, sizeof *tokens);
  pthread_rwlock_init(&tokens->lock, NULL);
  tokens->path = path;
  return serve_tokens_refresh(tokens, err);
}

void serve_tokens_close(serve_tokens *tokens) { pthread_rwlock_destroy(&tokens->lock); }

int serve_tokens_allow(serve_tokens *tokens, const char *authorization) {
  char digest[ANK_SHA256_TEXT];
  int allowed = 0;
  if (!tokens->path) return 1;
  if (!authorization || !ank_same_start(authorization, "Bearer ", 7)) return 0;
  authorization += 7;
  authorization += strspn(authorization, " ");
  ank_sha256_of(digest, authorization, strlen(authorization));
  pthread_rwlock_rdlock(&tokens->lock);
  for (size_t i = 0; i < tokens->count; i++) { /* all of them, and all bytes, whatever they are */
    unsigned char differs = 0;
    for (size_t j = 0; j < ANK_SHA256_TEXT; j++)
      differs |= (unsigned char)(digest[j] ^ tokens->digests[i][j]);
    allowed |= differs == 0;
  }
  pthread_rwlock_unlock(&tokens->lock);
  return allowed;
}
