/* json.c - see json.h. */
#include "json.h"

/* A stream remembers that it failed; whoever closes it looks. */
static anorank_status put(void *context, const void *bytes, size_t length, anorank_error *err) {
  (void)err;
  (void)fwrite(bytes, 1, length, (FILE *)context);
  return ANORANK_OK;
}

void cli_json_start(ank_json *json, FILE *stream) { ank_json_start(json, put, stream, NULL); }
