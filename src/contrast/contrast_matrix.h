/* contrast_matrix.h - the second sample for learning, from rows in a matrix. */
#ifndef ANK_CONTRAST_CONTRAST_MATRIX_H
#define ANK_CONTRAST_CONTRAST_MATRIX_H

#include "core/status.h"

/* Draw m rows of the law settings->law around the n rows of x into `out`; both row-major with `dim` columns
 * (at least 1). A law that takes no data ignores them. Row i of `out` depends on the law, its settings, x,
 * the seed and first_row + i alone; settings->rows and settings->dim are ignored. A NaN in x is a missing
 * cell and may be drawn as one (jitter, permute, file). Known anomalies are not a law: the caller appends
 * them to U with their weight (ank_samples.u_weight). Memory: a copy of x and one of out. */
anorank_status ank_contrast_rows(double *out, size_t m, const double *x, size_t n, size_t dim,
                                 const anorank_settings *settings, anorank_error *err);

#endif
