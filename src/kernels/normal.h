/* normal.h - the normal law to full double precision. */
#ifndef ANK_KERNELS_NORMAL_H
#define ANK_KERNELS_NORMAL_H

/* P(Z > x), which keeps its digits where it is small; P(Z <= x) is that of -x. */
double ank_normal_tail(double x);

/* The x with P(Z <= x) = p; -inf at 0, inf at 1, NaN outside. Relative error below 1e-15 (Wichura's AS 241
 * and one step of refinement). */
double ank_normal_quantile(double p);

#endif
