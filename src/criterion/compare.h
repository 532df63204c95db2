/* compare.h - two scorers on the same rows. */
#ifndef ANK_CRITERION_COMPARE_H
#define ANK_CRITERION_COMPARE_H

#include "core/status.h"

anorank_status ank_compare(anorank_comparison *out, const double *x_first, const double *x_second, size_t n,
                           const double *u_first, const double *u_second, size_t m,
                           const anorank_settings *settings, anorank_error *err);

#endif
