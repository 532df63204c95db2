/* normal.h - the normal law to full double precision. */
#ifndef ANK_KERNELS_NORMAL_H
#define ANK_KERNELS_NORMAL_H

/* P(Z <= x) and P(Z > x); each keeps its digits where it is small. */
double ank_normal_cdf(double x);
double ank_normal_tail(double x);

/* The x with P(Z <= x) = p; -inf at 0, inf at 1, NaN outside. Relative error below 1e-15 (Wichura's AS 241
 * and one step of refinement). */
double ank_normal_quantile(double p);

#endif
