/* references.h - rows kept for comparison, in the layout of the distance kernel; shared by `neighbours` and
 * `knn`.
 *
 * A value x of column j is stored as the single-precision number nearest to x - centre_j, clamped to [-LIMIT,
 * LIMIT] with LIMIT = 1e16. The centre is the lower median of at most 1001 rows spread evenly over the
 * sample. A shift does not change distances, and columns far from 0 (times, identifiers) keep their digits.
 * The caller must scale columns whose spread is above 1e16 or below 1e-38. Clamped values are equal to each
 * other, so distances stay finite (at most 2e16 sqrt(dim)) and no score is NaN. */
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

/* Draw `sets` times `count` rows of X without replacement: set s from (seed, ANK_STREAM_FIT, s). If count is
 * all of X, the rows keep their order and nothing is drawn. */
anorank_status ank_references_make(ank_references *out, const ank_matrix *x, size_t sets, size_t count,
                                   const anorank_settings *settings, anorank_error *err);

/* Return the rows of set `set`, ascending: `count` of 0 .. rows-1, allocated. */
anorank_status ank_references_draw(size_t **out, size_t set, size_t count, size_t rows, uint64_t seed,
                                   anorank_error *err);

static inline size_t ank_references_stride(const ank_references *references) {
  return references->blocks * references->dim * ANK_LANES;
}

/* Convert rows to the form of the references; `out` is row-major. */
void ank_references_convert(float *out, const ank_references *references, const double *rows, size_t count);

size_t ank_references_bytes(const ank_references *references); /* beyond the struct itself */
anorank_status ank_references_save(const ank_references *references, ank_bytes *out, anorank_error *err);
anorank_status ank_references_load(ank_references *out, ank_cursor *in, anorank_error *err);
void ank_references_free(ank_references *references); /* frees its memory, not the struct */

#endif
