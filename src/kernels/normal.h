/* normal.h - the normal distribution to full double precision. */
#ifndef ANK_KERNELS_NORMAL_H
#define ANK_KERNELS_NORMAL_H

/* Return P(Z > x), accurate where it is small; P(Z <= x) is ank_normal_tail(-x). */
double ank_normal_tail(double x);

/* Return the x with P(Z <= x) = p; -inf at 0, inf at 1, NaN outside [0, 1]. Relative error below 1e-15
 * (Wichura's AS 241 and one refinement step). */
double ank_normal_quantile(double p);

#endif
