/* coarse.h - the nearest reference of each of several sets, by whole numbers first.
 *
 * The answer is that of ank_nearest (kernels/distance.h), to the bit. Rows and references are rounded to
 * whole multiples of one step, whose distances need a quarter of the arithmetic; what they leave undecided is
 * computed as distance.h says. If rounding decides too little (copies, very long tails), or the processor
 * has no AVX2, all distances are computed. */
#ifndef ANK_NEIGHBOURS_COARSE_H
#define ANK_NEIGHBOURS_COARSE_H

#include "core/status.h"

typedef struct ank_coarse ank_coarse;

/* `values`: set after set of `blocks` blocks as distance.h has them; not copied, to be kept by the caller. */
anorank_status ank_coarse_make(ank_coarse **out, const float *values, size_t sets, size_t blocks, size_t dim,
                               anorank_error *err);
void ank_coarse_free(ank_coarse *coarse);
size_t ank_coarse_bytes(const ank_coarse *coarse);

/* State of rows during a search through the sets. */
typedef struct ank_coarse_rows {
  const float *rows; /* as given */
  size_t count;
  float *some;          /* rows to compute wholly, side by side */
  float *found;         /* for each of them */
  uint32_t *open;       /* and which ones they are */
  uint32_t *codes;      /* whole numbers of two columns, twice in one word */
  double *norm;         /* squared length of the whole numbers */
  double *margin;       /* what rounding may have moved, in steps */
  size_t asked, opened; /* how often rounding was tried, and did not decide */
} ank_coarse_rows;

/* Memory for up to `most` rows. */
anorank_status ank_coarse_rows_make(ank_coarse_rows *out, const ank_coarse *coarse, size_t most,
                                    anorank_error *err);
void ank_coarse_rows_free(ank_coarse_rows *rows); /* what it holds */

/* `values`: count x dim, row-major, in the range that distance.h requires; kept until the next call. */
void ank_coarse_take(ank_coarse_rows *rows, const ank_coarse *coarse, const float *values, size_t count);

/* out[i]: the smallest squared distance of row i to a reference of the set. */
void ank_coarse_nearest(float *out, const ank_coarse *coarse, size_t set, ank_coarse_rows *rows);

#endif
