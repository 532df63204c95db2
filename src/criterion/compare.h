/* compare.h - two scorers on the same rows. */
#ifndef ANK_CRITERION_COMPARE_H
#define ANK_CRITERION_COMPARE_H

#include "anorank/criterion.h"
#include "core/status.h"

/* The influence of each row on the area (to first order; area.c), in total and for mass 0.9 to 1. */
typedef struct ank_area_influences {
  double *x_all, *x_end, *u_all, *u_end;
} ank_area_influences;

/* Add sign times the influences of one scorer. n, m >= 2. */
anorank_status ank_add_influences(const ank_area_influences *into, double sign, const double *x, size_t n,
                                  const double *u, size_t m, const anorank_settings *settings,
                                  anorank_error *err);

/* Return the degrees of freedom of the sample variance of these values, 1 to n - 1. */
double ank_freedom_of(const double *values, size_t n);

#endif
