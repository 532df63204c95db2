/* scratch_file.c - see scratch_file.h. */
#include "core/scratch_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/file_io.h"

static const char *const more_space = "; let TMPDIR name a folder with more room";

static anorank_status fail_with_errno(const char *what, const char *advice, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  const char *reason = strerror(errno), *folder = ank_temporary_folder();
  return ank_fail(err, ANORANK_ERROR_RESOURCES, "temporary-file", "cannot %s a temporary file in %s: %s%s",
                  what, ank_quote(quoted, folder, strlen(folder)), reason, advice);
}

anorank_status ank_scratch_append(ank_scratch_file *scratch, const void *bytes, size_t length, uint64_t *at,
                                  anorank_error *err) {
  if (scratch->file == 0) {
    int file = ank_open_temporary();
    if (file < 0) return fail_with_errno("make", more_space, err);
    scratch->file = file + 1;
  }
  if (at) *at = scratch->length;
  if (ank_write_at(scratch->file - 1, bytes, length, scratch->length) != 0)
    return fail_with_errno("write to", more_space, err);
  scratch->length += length;
  return ANORANK_OK;
}

anorank_status ank_scratch_read(const ank_scratch_file *scratch, void *bytes, size_t length, uint64_t at,
                                anorank_error *err) {
  size_t got = ank_read_at(scratch->file - 1, bytes, length, at);
  if (got == SIZE_MAX) return fail_with_errno("read from", "", err);
  if (got < length)
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "temporary-file-cut",
                    "a temporary file was truncated at byte %llu of %llu; run the command again",
                    (unsigned long long)(at + got), (unsigned long long)(at + length));
  return ANORANK_OK;
}

void ank_scratch_close(ank_scratch_file *scratch) {
  if (scratch->file > 0) close(scratch->file - 1);
  *scratch = (ank_scratch_file){0};
}
