/* references.h - rows kept for comparison, as the distance kernel wants them: what `neighbours` and `knn`
 * share.
 *
 * A value x of column j is held as the single-precision number nearest to x - centre_j, cut to [-LIMIT,
 * LIMIT] with LIMIT = 1e16. The centre is the lower median of at most 1001 rows spread evenly over the
 * sample: distances do not change when everything is moved, and columns far from 0 (times, identifiers) keep
 * their digits. The caller must scale columns whose spread is beyond 1e16 or below 1e-38; cut values
 * are merely equal to each other, so distances stay finite (at most 2e16 sqrt(dim)) and no score is NaN. */
#ifndef ANK_NEIGHBOURS_REFERENCES_H
#define ANK_NEIGHBOURS_REFERENCES_H

#include "core/bytes.h"
#include "core/matrix.h"
#include "core/status.h"
#include "kernels/distance.h"

typedef struct ank_references {
  size_t dim;
  size_t sets, count, blocks; /* each set has `count` references in `blocks` blocks */
  double *centre;             /* dim */
  float *values;              /* set s begins at s * ank_references_stride */
} ank_references;

/* `sets` times `count` rows of X without replacement: set s draws from (seed, ANK_STREAM_FIT, s). Where count
 * is all of X, the rows stand in their order and nothing is drawn. */
anorank_status ank_references_make(ank_references *out, const ank_matrix *x, size_t sets, size_t count,
                                   const anorank_settings *settings, anorank_error *err);

/* Which rows set `set` holds, in order: `count` of 0 .. rows-1, allocated. */
anorank_status ank_references_draw(size_t **out, size_t set, size_t count, size_t rows, uint64_t seed,
                                   anorank_error *err);

static inline size_t ank_references_stride(const ank_references *references) {
  return references->blocks * references->dim * ANK_LANES;
}

/* Rows to compare, in the form of the references; `out` is row-major. */
void ank_references_convert(float *out, const ank_references *references, const double *rows, size_t count);

size_t ank_references_bytes(const ank_references *references); /* beyond the struct itself */
anorank_status ank_references_save(const ank_references *references, ank_bytes *out, anorank_error *err);
anorank_status ank_references_load(ank_references *out, ank_cursor *in, anorank_error *err);
void ank_references_free(ank_references *references); /* what it holds, not the struct */

#endif
