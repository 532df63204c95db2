/* output.h - atomic output to files, and output to memory or a callback.
 *
 * A regular file is written under a temporary name in the same directory. Commit flushes it to disk, renames
 * it and flushes the directory. Symbolic links are followed, also to files that do not exist yet. "-" is
 * standard output. An existing path that is not a regular file (a pipe, /dev/full) is written directly. */
#ifndef ANK_CORE_OUTPUT_H
#define ANK_CORE_OUTPUT_H

#include "core/status.h"

typedef struct ank_output ank_output;

/* Open a sink: a file, a callback, or memory that commit returns. */
anorank_status ank_output_of(ank_output **out, const anorank_sink *sink, anorank_error *err);

/* Open a file. */
anorank_status ank_output_open(ank_output **out, const char *path, anorank_error *err);

/* Start with no bytes; public functions call it first. */
static inline void ank_sink_start(const anorank_sink *sink) {
  if (sink->bytes) *sink->bytes = NULL;
}

/* Write through a buffer. */
anorank_status ank_output_write(ank_output *output, const void *bytes, size_t length, anorank_error *err);

/* Overwrite bytes written before, for headers that carry a length. Fails if the output cannot seek. */
anorank_status ank_output_patch(ank_output *output, size_t offset, const void *bytes, size_t length,
                                anorank_error *err);

int ank_output_can_seek(const ank_output *output);

/* Return the name for messages: the path, or "standard output". */
const char *ank_output_name(const ank_output *output);

anorank_status ank_output_commit(ank_output *output, anorank_error *err);

/* Without commit, remove the temporary file and keep the old file. */
void ank_output_free(ank_output *output);

#endif
