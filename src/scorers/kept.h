/* kept.h - rows kept for comparison in several spaces: what `hull` and `blend` share.
 *
 * The rows are held once (space.h); a search is built for each space that is asked for, at the fit and again
 * when a model is loaded. Size in the file: 4 bytes per value and the maps of space.h; in memory about
 * (1 + searches) times that. */
#ifndef ANK_SCORERS_KEPT_H
#define ANK_SCORERS_KEPT_H

#include "kernels/search.h"
#include "scorers/space.h"

/* A place that no row has. */
#define ANK_NOWHERE UINT32_MAX

typedef struct ank_kept {
  ank_spaces spaces;
  size_t count, dim;
  float *rows;                    /* held: count x dim */
  ank_search *search[ANK_SPACES]; /* NULL: not asked for, or the same as an earlier one */
} ank_kept;

/* Keep the rows chosen[0 .. count-1] of X, and learn the maps from them. */
anorank_status ank_kept_make(ank_kept *out, const ank_matrix *x, const size_t *chosen, size_t count,
                             const anorank_settings *settings, anorank_error *err);

/* The rows chosen[0 .. count-1] of X, row-major, allocated. */
anorank_status ank_gather(double **out, const ank_matrix *x, const size_t *chosen, size_t count,
                          anorank_error *err);

/* Build the search for a space, unless it is there. */
anorank_status ank_kept_prepare(ank_kept *kept, anorank_space space, anorank_error *err);

/* The neighbours of one row once it, or a copy of it, was left out. */
typedef struct ank_near {
  const uint32_t *place;
  const float *squared;
  size_t count;
} ank_near;

/* From the nearest `found` of a row, in place: without the place `own` (ANK_NOWHERE: nobody), or, with
 * `skip_copy`, without one at distance 0. At least one stays. Where own is not among them, it stands behind
 * as many copies of itself; the first of them are the answer all the same. */
ank_near ank_near_without(uint32_t *place, float *squared, size_t found, uint32_t own, int skip_copy);

size_t ank_kept_bytes(const ank_kept *kept); /* beyond the struct itself */
anorank_status ank_kept_save(const ank_kept *kept, ank_bytes *out, anorank_error *err);
anorank_status ank_kept_load(ank_kept *out, ank_cursor *in, anorank_error *err); /* without searches */
void ank_kept_free(ank_kept *kept); /* what it holds, not the struct */

#endif
