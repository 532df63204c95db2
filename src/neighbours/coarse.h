/* coarse.h - the nearest reference of each of several sets, by integer codes first.
 *
 * The result is that of ank_nearest (kernels/distance.h), to the bit. Rows and references are rounded to
 * multiples of one step; distances between these need a quarter of the arithmetic. Pairs that codes cannot
 * decide are computed as distance.h does. If rounding decides too little (copies, very long tails), or the
 * processor lacks AVX2, all distances are computed. */
#ifndef ANK_NEIGHBOURS_COARSE_H
#define ANK_NEIGHBOURS_COARSE_H

#include "core/status.h"

typedef struct ank_coarse ank_coarse;

/* `values`: sets of `blocks` blocks each, in the layout of distance.h; borrowed for the life of the
 * object. */
anorank_status ank_coarse_make(ank_coarse **out, const float *values, size_t sets, size_t blocks, size_t dim,
                               anorank_error *err);
void ank_coarse_free(ank_coarse *coarse);
size_t ank_coarse_bytes(const ank_coarse *coarse);

/* State of rows during a search through the sets. */
typedef struct ank_coarse_rows {
  const float *rows; /* as the caller gave them */
  size_t count;
  float *some;          /* undecided rows to compute side by side */
  float *found;         /* results for these rows */
  uint32_t *open;       /* and their indices */
  uint32_t *codes;      /* codes of two columns, repeated in one word */
  double *norm;         /* squared length of the codes */
  double *margin;       /* largest rounding error, in steps */
  size_t asked, opened; /* number of rows tried with codes, and of those undecided */
} ank_coarse_rows;

/* Allocate memory for up to `most` rows. */
anorank_status ank_coarse_rows_make(ank_coarse_rows *out, const ank_coarse *coarse, size_t most,
                                    anorank_error *err);
void ank_coarse_rows_free(ank_coarse_rows *rows); /* frees its memory, not the struct */

/* Set the rows, `values`: count x dim, row-major, in the range that distance.h requires; borrowed until the
 * next call. */
void ank_coarse_take(ank_coarse_rows *rows, const ank_coarse *coarse, const float *values, size_t count);

/* Set out[i] to the smallest squared distance of row i to a reference of the set. */
void ank_coarse_nearest(float *out, const ank_coarse *coarse, size_t set, ank_coarse_rows *rows);

#endif
