/* reference_set.h - rows kept for comparison in several spaces: what `hull` and `blend` share.
 *
 * The rows are held once (space.h). At the fit, and again when a model is loaded, a search is built for each
 * space that is to be searched, and the rows are mapped for each that is only looked at. Size in the file: 4
 * bytes per value and the maps of space.h; in memory about three times that per search. */
#ifndef ANK_NEIGHBOURS_REFERENCE_SET_H
#define ANK_NEIGHBOURS_REFERENCE_SET_H

#include "neighbours/search.h"
#include "neighbours/space.h"

/* Not a place of a row. */
#define ANK_NOWHERE UINT32_MAX

typedef struct ank_reference_set {
  ank_spaces spaces;
  size_t count, dim;
  float *rows;                    /* held: count x dim */
  ank_search *search[ANK_SPACES]; /* NULL: not needed, or the same as an earlier one */
  float *mapped[ANK_SPACES];      /* count x dim; NULL: not needed; never of the standard space */
} ank_reference_set;

/* Keep the rows, and learn the maps from them; `cut` as in space.h. */
anorank_status ank_reference_set_make(ank_reference_set *out, const ank_matrix *rows,
                                      const unsigned char *as_given, int cut,
                                      const anorank_settings *settings, anorank_error *err);

/* Keep other rows in the spaces of `from`, which loses them. */
anorank_status ank_reference_set_rebuild(ank_reference_set *out, ank_reference_set *from,
                                         const ank_matrix *rows, anorank_error *err);

/* The rows chosen[0 .. count-1] of X, row-major, allocated. */
anorank_status ank_gather(double **out, const ank_matrix *x, const size_t *chosen, size_t count,
                          anorank_error *err);

/* Build the search for a space, unless it is there. */
anorank_status ank_reference_set_prepare(ank_reference_set *reference_set, anorank_space space,
                                         anorank_error *err);

/* Map the rows into a space, without a search. */
anorank_status ank_reference_set_map(ank_reference_set *reference_set, anorank_space space,
                                     anorank_error *err);

/* Row number `place` in a space that was mapped. */
static inline const float *ank_reference_set_row(const ank_reference_set *reference_set, anorank_space space,
                                                 uint32_t place) {
  return (reference_set->mapped[space] ? reference_set->mapped[space] : reference_set->rows) +
         place * reference_set->dim;
}

/* The number of columns that are not constant. */
size_t ank_reference_set_moving(const ank_reference_set *reference_set);

/* The neighbours of one row once it, or a copy of it, was left out. */
typedef struct ank_near {
  const uint32_t *place;
  const float *squared;
  size_t count;
} ank_near;

/* From the nearest `found` of a row, in place: without the place `own` (ANK_NOWHERE: none), or, with
 * `skip_copy`, without one at distance 0. At least one stays. Where own is not among them, it stands behind
 * as many copies of itself; the first of them are the answer all the same. */
ank_near ank_near_without(uint32_t *place, float *squared, size_t found, uint32_t own, int skip_copy);

size_t ank_reference_set_bytes(const ank_reference_set *reference_set); /* beyond the struct itself */
anorank_status ank_reference_set_save(const ank_reference_set *reference_set, ank_bytes *out,
                                      anorank_error *err);
anorank_status ank_reference_set_load(ank_reference_set *out, ank_cursor *in,
                                      anorank_error *err);     /* without searches */
void ank_reference_set_free(ank_reference_set *reference_set); /* what it holds, not the struct */

#endif
