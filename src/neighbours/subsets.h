/* subsets.h - mean distance to the nearest row of many small random subsets.
 *
 * Like the class `neighbours`, over stored rows (space.h) and with a rule for a row that is in a subset
 * itself. Squared distances are those of kernels/distance.h. */
#ifndef ANK_NEIGHBOURS_SUBSETS_H
#define ANK_NEIGHBOURS_SUBSETS_H

#include "core/bytes.h"
#include "core/matrix.h"
#include "core/status.h"

typedef struct ank_subsets {
  size_t sets, size, dim, blocks; /* `blocks` blocks of lanes per set */
  uint32_t *place;                /* sets x size: indices of the rows, ascending within a set */
  float *values;                  /* the rows in the layout of the kernel */
} ank_subsets;

/* Draw `sets` times `size` of the indices 0 .. count-1 (or of from[0 .. count-1], unless NULL) of stored
 * rows, without replacement: set s from (seed, ANK_STREAM_FIT, first + s). If size >= count, there is one set
 * of all rows. */
anorank_status ank_subsets_make(ank_subsets *out, const float *rows, size_t dim, const uint32_t *from,
                                size_t count, size_t sets, size_t size, uint64_t seed, uint64_t first,
                                anorank_error *err);

typedef struct ank_subset_rule {
  int logs;            /* mean of log(d + 1e-3) instead of d */
  int skip_copies;     /* rows at distance 0 do not count; a set of copies is excluded from the mean */
  const uint32_t *own; /* indices of the rows themselves, whose sets are excluded; NULL: none */
} ank_subset_rule;

/* Compute the means over the sets, in order. If every set is excluded, d = 0. Runs on the calling thread. */
void ank_subsets_mean(double *out, const ank_subsets *subsets, const float *rows, size_t count,
                      const ank_subset_rule *rule);

size_t ank_subsets_bytes(const ank_subsets *subsets);
anorank_status ank_subsets_save(const ank_subsets *subsets, ank_bytes *out, anorank_error *err);
anorank_status ank_subsets_load(ank_subsets *out, const float *rows, size_t count, size_t dim, ank_cursor *in,
                                anorank_error *err);
void ank_subsets_free(ank_subsets *subsets); /* frees its memory, not the struct */

#endif
