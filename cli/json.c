/* json.c - see json.h. */
#include "json.h"

/* A stream remembers that it failed; whoever closes it looks. */
static anorank_status put(void *context, const void *bytes, size_t length, anorank_error *err) {
  (void)err;
  (void)fwrite(bytes, 1, length, (FILE *)context);
  return ANORANK_OK;
}

void cli_json_start(ank_json *json, FILE *stream) { ank_json_start(json, put, stream, NULL); }

void cli_json_open(ank_json *json, FILE *stream) {
  cli_json_start(json, stream);
  ank_json_open(json, '{', 0);
}

void cli_json_close(ank_json *json) {
  ank_json_close(json, '}');
  ank_json_end(json);
}
