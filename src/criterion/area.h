/* area.h - the area under the mass-volume curve and under parts of it, with standard errors. */
#ifndef ANK_CRITERION_AREA_H
#define ANK_CRITERION_AREA_H

#include "anorank/criterion.h"
#include "criterion/curve.h"
#include "criterion/rankstat.h"

/* A range of mass with the volumes at its ends. */
typedef struct ank_range {
  double from, to, volume_from, volume_to;
} ank_range;

ank_range ank_range_make(const ank_pooled *pooled, double from, double to);

/* The influence of one row on the area over the range: exact as a mean over U, to first order as a mean over
 * X; see area.c. Equal for all X (or all U) of a tie group. */
typedef struct ank_influence {
  double x, u;
} ank_influence;

ank_influence ank_group_influence(const ank_group *group, size_t n, size_t m, const ank_range *range);

/* Compute DeLong's variance and an interval from the exact pair counts. */
anorank_interval ank_area(const ank_pairs *pairs, size_t n, size_t m, double level);

/* Return an interval for the area over a range of mass of that width; `freedom`: degrees of freedom of the
 * sd. */
anorank_interval ank_partial_interval(double area, double sd, double width, double freedom, size_t m,
                                      double level);

enum { ANK_PARTIAL_FEWEST = 20 }; /* least rows X in a part of the curve */

/* Compute estimate, sd and interval of parts[k] from its `from` and `to`, for all parts in one pass. */
anorank_status ank_partial_areas(anorank_partial_area *parts, size_t count, const ank_pooled *pooled,
                                 const anorank_settings *settings, anorank_error *err);

#endif
