/* judgement.h - all results for one scorer. */
#ifndef ANK_CRITERION_JUDGEMENT_H
#define ANK_CRITERION_JUDGEMENT_H

#include "anorank/criterion.h"
#include "criterion/phi.h"
#include "criterion/pooled.h"

enum { ANK_PARTIAL_COUNT = 4 };

struct anorank_judgement {
  size_t n, m, points;
  anorank_settings settings; /* owns its texts */
  anorank_w w[ANK_PHI_COUNT];
  anorank_partial_area partial[ANK_PARTIAL_COUNT];
  anorank_saturation saturation;
  anorank_curve_point *curve;
  anorank_excess_point *excess;
  anorank_judgement_info info; /* the public results, and the area */
};

anorank_status ank_judge(anorank_judgement **out, const double *x, size_t n, const double *u, size_t m,
                         const anorank_settings *settings, anorank_error *err);

#endif
