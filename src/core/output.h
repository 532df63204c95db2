/* output.h - atomic output to files, and output to memory or a callback.
 *
 * A regular file is written under a temporary name in the same folder, flushed to disk and renamed at commit, and
 * the folder is flushed, too. Symbolic links are followed, also to files that are not there yet.
 * "-" is standard output; a path that exists and is not a regular file (a pipe, /dev/full) is written
 * directly. */
#ifndef ANK_CORE_OUTPUT_H
#define ANK_CORE_OUTPUT_H

#include "core/status.h"

typedef struct ank_output ank_output;

/* Open a sink: a file, a callback, or memory, which is returned at commit. */
anorank_status ank_output_of(ank_output **out, const anorank_sink *sink, anorank_error *err);

/* To a file. */
anorank_status ank_output_open(ank_output **out, const char *path, anorank_error *err);

/* At the top of a public function: no bytes yet. */
static inline void ank_sink_start(const anorank_sink *sink) {
  if (sink->bytes) *sink->bytes = NULL;
}

/* Buffered. */
anorank_status ank_output_write(ank_output *output, const void *bytes, size_t length, anorank_error *err);

/* Overwrite bytes written before (for headers that carry a length). Fails where the output cannot seek. */
anorank_status ank_output_patch(ank_output *output, size_t offset, const void *bytes, size_t length,
                                anorank_error *err);

int ank_output_can_seek(const ank_output *output);

/* Its name in messages: the path, or "standard output". */
const char *ank_output_name(const ank_output *output);

anorank_status ank_output_commit(ank_output *output, anorank_error *err);

/* Without commit, the temporary file is removed and the old file stays. */
void ank_output_free(ank_output *output);

#endif
