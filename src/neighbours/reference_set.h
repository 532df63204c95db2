/* reference_set.h - rows kept for comparison in several spaces, shared by `hull` and `blend`.
 *
 * The rows are stored once (space.h). The fit, and loading a model, build a search for each space that needs
 * one, and map the rows for each other space in use. Size in the file: 4 bytes per value and the maps of
 * space.h; in memory about three times that per search. */
#ifndef ANK_NEIGHBOURS_REFERENCE_SET_H
#define ANK_NEIGHBOURS_REFERENCE_SET_H

#include "neighbours/search.h"
#include "neighbours/space.h"

/* Not an index of a row. */
#define ANK_NOWHERE UINT32_MAX

typedef struct ank_reference_set {
  ank_spaces spaces;
  size_t count, dim;
  float *rows;                    /* as held: count x dim */
  ank_search *search[ANK_SPACES]; /* NULL: not needed, or the same as an earlier one */
  float *mapped[ANK_SPACES];      /* count x dim; NULL: not needed; always NULL for the standard space */
} ank_reference_set;

/* Store the rows, and learn the maps from them; `cut` as in space.h. */
anorank_status ank_reference_set_make(ank_reference_set *out, const ank_matrix *rows,
                                      const unsigned char *as_given, int cut,
                                      const anorank_settings *settings, anorank_error *err);

/* Store other rows in the spaces of `from`, and take those from it. */
anorank_status ank_reference_set_rebuild(ank_reference_set *out, ank_reference_set *from,
                                         const ank_matrix *rows, anorank_error *err);

/* Copy the rows chosen[0 .. count-1] of X into an allocated row-major array. */
anorank_status ank_gather(double **out, const ank_matrix *x, const size_t *chosen, size_t count,
                          anorank_error *err);

/* Build the search for a space, unless it exists. */
anorank_status ank_reference_set_prepare(ank_reference_set *reference_set, anorank_space space,
                                         anorank_error *err);

/* Map the rows into a space, without a search. */
anorank_status ank_reference_set_map(ank_reference_set *reference_set, anorank_space space,
                                     anorank_error *err);

/* Return row number `place` in a mapped space. */
static inline const float *ank_reference_set_row(const ank_reference_set *reference_set, anorank_space space,
                                                 uint32_t place) {
  return (reference_set->mapped[space] ? reference_set->mapped[space] : reference_set->rows) +
         place * reference_set->dim;
}

/* Return the number of columns that are not constant. */
size_t ank_reference_set_moving(const ank_reference_set *reference_set);

/* The neighbours of a row, without the row or a copy of it. */
typedef struct ank_near {
  const uint32_t *place;
  const float *squared;
  size_t count;
} ank_near;

/* Select from the nearest `found` of a row, in place: without the index `own` (ANK_NOWHERE: none), or, with
 * `skip_copy`, without one at distance 0. At least one remains. If `own` is not among them, as many copies of
 * it precede it; the first of them are then correct, too. */
ank_near ank_near_without(uint32_t *place, float *squared, size_t found, uint32_t own, int skip_copy);

size_t ank_reference_set_bytes(const ank_reference_set *reference_set); /* beyond the struct itself */
anorank_status ank_reference_set_save(const ank_reference_set *reference_set, ank_bytes *out,
                                      anorank_error *err);
anorank_status ank_reference_set_load(ank_reference_set *out, ank_cursor *in,
                                      anorank_error *err);     /* without searches */
void ank_reference_set_free(ank_reference_set *reference_set); /* frees its memory, not the struct */

#endif
