/* chart_thin.h - leave out the points of a long curve that nobody could see. */
#ifndef ANK_REPORT_CHART_THIN_H
#define ANK_REPORT_CHART_THIN_H

#include <stddef.h>

/* Above this many points a curve is thinned, to about as many. */
#define ANK_THIN_ABOVE ((size_t)2000)

/* Thin n points in place and return how many are left. `low` and `high` are the edges of a band, or the same
 * array for a line; NaN in x is a break. Of each of 500 columns between `left` and `right` the first, last,
 * lowest and highest point stay, so the drawing differs by less than the width of a column; a break narrower
 * than a column closes. Where x goes back and forth, columns are of equal numbers of points instead, and the
 * leftmost and rightmost stay as well. Up to ANK_THIN_ABOVE points nothing is changed. */
size_t ank_thin(double *x, double *low, double *high, size_t n, double left, double right);

/* Of points that fall on the same half pixel keep the first; in place. `bits`: ank_thin_bits(width, height)
 * zeroed bytes for a plot of that size at (left, top). Points outside and NaN go. */
size_t ank_thin_bits(double width, double height);
size_t ank_thin_points(double *x, double *y, size_t n, double left, double top, double width, double height,
                       unsigned char *bits);

#endif
