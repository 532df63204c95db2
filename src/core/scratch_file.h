/* scratch_file.h - a file without a name for what does not fit into memory; gone when it is closed, or the process. In the
 * folder that TMPDIR names, else /tmp. */
#ifndef ANK_CORE_SCRATCH_FILE_H
#define ANK_CORE_SCRATCH_FILE_H

#include "core/status.h"

typedef struct ank_scratch_file {
  int file;        /* 1 + its number; 0: not open */
  uint64_t length; /* bytes that were appended */
} ank_scratch_file;

/* Append; the file is made when the first bytes come. `*at`, unless NULL, is where they begin. */
anorank_status ank_scratch_append(ank_scratch_file *scratch, const void *bytes, size_t length, uint64_t *at,
                                  anorank_error *err);

/* All `length` bytes from `at` on, which must be there. */
anorank_status ank_scratch_read(const ank_scratch_file *scratch, void *bytes, size_t length, uint64_t at,
                                anorank_error *err);
void ank_scratch_close(ank_scratch_file *scratch);

#endif
