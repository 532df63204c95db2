/* curve.c - the mass-volume curve, and the excess-mass curve derived from it
 *
 *   MV~(a) = (1/m) #{ j : s(U_j) >= F^{-1}_{s,n}(1 - a) }                      (Eq. 6)
 *   EM(t)  = max over a of  a - t MV(a)
 *
 * MV~ is a step function, continuous from the right, with MV~(1) = 1: F^{-1}(0) is minus infinity. Where X
 * and U are tied, Eq. 6 would include all the tied U at once. We join the corners of the group by a straight
 * line instead. So the area under the curve is 1 - AUC with ties counted half, and constant scores have the
 * diagonal as their curve.
 *
 * EM is a maximum of lines in t, so only the corners of the lower convex hull of the curve count. */
#include "criterion/curve.h"

#include <math.h>

double ank_volume_at(const ank_pooled *pooled, size_t numerator, size_t denominator) {
  size_t n = pooled->n, m = pooled->m;
  if (numerator >= denominator) return 1;
  uint64_t rest;
  size_t whole = (size_t)ank_wide_divide(&rest, ank_mul_64_64(numerator, n), denominator).low;
  double value = pooled->x[n - 1 - whole];
  size_t u_from = ank_count_below(pooled->u, m, value), u_to = u_from;
  if (u_from < m && pooled->u[u_from] == value)
    u_to = ank_count_below(pooled->u, m, nextafter(value, INFINITY));
  if (u_from < m && value == INFINITY) u_to = m; /* no value lies above: the tied U are all that remain */
  double above = (double)(m - u_to);
  if (u_to > u_from) {
    size_t x_from = ank_count_below(pooled->x, n, value), x_to = n;
    if (value < INFINITY) x_to = ank_count_below(pooled->x, n, nextafter(value, INFINITY));
    double into = (double)(whole - (n - x_to)) + (double)rest / (double)denominator;
    above += (double)(u_to - u_from) * (into / (double)(x_to - x_from));
  }
  return above / (double)m;
}

double ank_volume_of_all(const ank_pooled *pooled) {
  return (double)(pooled->m - ank_count_below(pooled->u, pooled->m, pooled->x[0])) / (double)pooled->m;
}

void ank_curve(anorank_curve_point *curve, size_t count, const ank_pooled *pooled) {
  for (size_t k = 0; k < count; k++)
    curve[k] = (anorank_curve_point){
        (double)k / (double)(count - 1), ank_volume_at(pooled, k, count - 1), NAN, NAN, NAN, NAN};
}

/* In `hull`, t holds the volume and excess the mass of a corner. */
static size_t add_corner(anorank_excess_point *hull, size_t used, double volume, double mass) {
  while (used >= 2) {
    const anorank_excess_point *a = &hull[used - 2], *b = &hull[used - 1];
    /* Drop b unless it lies to the low-volume side of the line from a to the new corner. */
    if ((b->excess - a->excess) * (volume - a->t) > (mass - a->excess) * (b->t - a->t)) break;
    used--;
  }
  if (used == 1 && hull[0].t >= volume) used = 0; /* more mass at the same volume */
  hull[used] = (anorank_excess_point){volume, mass};
  return used + 1;
}

/* Return the smallest t with EM(t) <= target. The corner k is best for t from slope(k, k+1) to slope(k-1,
 * k). */
static double reach(const anorank_excess_point *hull, size_t used, double target) {
  for (size_t k = used; k-- > 1;) {
    double steepest = (hull[k].excess - hull[k - 1].excess) / (hull[k].t - hull[k - 1].t);
    double t = (hull[k].excess - target) / hull[k].t;
    if (t <= steepest) return t;
  }
  return (hull[0].excess - target) / hull[0].t;
}

void ank_excess(anorank_excess_point *excess, size_t count, const anorank_curve_point *curve,
                double volume_of_all, anorank_excess_point *hull) {
  size_t used = 1;
  hull[0] = (anorank_excess_point){0, 0}; /* the empty set */
  for (size_t k = 0; k + 1 < count; k++) used = add_corner(hull, used, curve[k].volume, curve[k].mass);
  used = add_corner(hull, used, volume_of_all, 1);
  /* No t removes the mass above all of U. Stop where a twentieth of the rest is left, since the curve is
   * nearly flat beyond. */
  double floor = hull[0].t == 0 ? hull[0].excess : 0;
  double last = used == 1 && hull[0].t == 0 ? 1 : reach(hull, used, floor + 0.05 * (1 - floor));
  for (size_t k = 0, best = used - 1; k < count; k++) {
    double t = last * (double)k / (double)(count - 1);
    while (best > 0 && hull[best - 1].excess - t * hull[best - 1].t >= hull[best].excess - t * hull[best].t)
      best--;
    double value = hull[best].excess - t * hull[best].t;
    excess[k] = (anorank_excess_point){t, value > 0 ? value : 0};
  }
}
