/* smooth.h - a smooth version of an empirical mass-volume curve, to draw bootstrap samples from. */
#ifndef ANK_CRITERION_SMOOTH_H
#define ANK_CRITERION_SMOOTH_H

#include "criterion/pooled.h"

enum { ANK_SMOOTH_NODES = 257 };

/* asin(sqrt(volume)) at nodes evenly spaced in asin(sqrt(mass)); both run over [0, pi/2]. */
typedef struct ank_smooth {
  double angle[ANK_SMOOTH_NODES];
} ank_smooth;

void ank_smooth_make(ank_smooth *out, const ank_pooled *pooled);

/* Return the volume at a mass in [0, 1], non-decreasing. */
double ank_smooth_volume(const ank_smooth *smooth, double mass);

/* Return asin(sqrt(count / m)) with Anscombe's correction. Its variance for a binomial count is close to 1 /
 * (4 m), even for small counts. */
double ank_count_angle(double count, double m);

#endif
