/* student.h - Student's distribution, for standard deviations estimated from few rows. */
#ifndef ANK_KERNELS_STUDENT_H
#define ANK_KERNELS_STUDENT_H

/* Return P(T > t) for t >= 0 with `freedom` > 0 degrees, which may be fractional. Relative error below
 * 1e-12. */
double ank_student_tail(double t, double freedom);

/* Return the t >= 0 with P(T <= t) = p, p in [1/2, 1). */
double ank_student_quantile(double p, double freedom);

#endif
