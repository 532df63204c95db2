/* scratch_file.h - an unnamed temporary file for data that exceeds memory, in the directory that TMPDIR
 * names, else /tmp. It disappears when it is closed or the process ends. */
#ifndef ANK_CORE_SCRATCH_FILE_H
#define ANK_CORE_SCRATCH_FILE_H

#include "core/status.h"

typedef struct ank_scratch_file {
  int file;        /* descriptor + 1; 0: not open */
  uint64_t length; /* bytes appended */
} ank_scratch_file;

/* Append bytes; the first call creates the file. `*at`, unless NULL, receives their offset. */
anorank_status ank_scratch_append(ank_scratch_file *scratch, const void *bytes, size_t length, uint64_t *at,
                                  anorank_error *err);

/* Read `length` bytes at offset `at`, which must exist. */
anorank_status ank_scratch_read(const ank_scratch_file *scratch, void *bytes, size_t length, uint64_t at,
                                anorank_error *err);
void ank_scratch_close(ank_scratch_file *scratch);

#endif
