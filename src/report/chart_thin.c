/* chart_thin.c - see chart_thin.h. */
#include "report/chart_thin.h"

#include <math.h>

#define COLUMNS 500
#define KEPT 6 /* at most, of a column: first, last, lowest, highest, leftmost, rightmost */

typedef struct column {
  int used, crossing; /* crossing: also keep the leftmost and rightmost */
  size_t kept[KEPT];
} column;

static int is_monotone(const double *x, size_t n) {
  double last = NAN;
  for (size_t i = 0; i < n; i++) {
    if (isnan(x[i])) continue;
    if (x[i] < last) return 0;
    last = x[i];
  }
  return 1;
}

static void take(column *c, const double *x, const double *low, const double *high, size_t i) {
  if (!c->used) {
    for (int k = 0; k < KEPT; k++) c->kept[k] = i;
    c->used = 1;
    return;
  }
  c->kept[1] = i;
  if (low[i] < low[c->kept[2]]) c->kept[2] = i;
  if (high[i] > high[c->kept[3]]) c->kept[3] = i;
  if (x[i] < x[c->kept[4]]) c->kept[4] = i;
  if (x[i] > x[c->kept[5]]) c->kept[5] = i;
}

/* Copy the kept points of the column to `to`, in their order. What is written never lies behind what is still
 * to be read, because a column keeps no more points than it had. */
static size_t flush(column *c, double *x, double *low, double *high, size_t to) {
  int count = c->crossing ? KEPT : KEPT - 2;
  for (int i = 1; i < count; i++) /* insertion sort */
    for (int k = i; k > 0 && c->kept[k] < c->kept[k - 1]; k--) {
      size_t swap = c->kept[k];
      c->kept[k] = c->kept[k - 1];
      c->kept[k - 1] = swap;
    }
  for (int k = 0; c->used && k < count; k++) {
    size_t from = c->kept[k];
    if (k > 0 && from == c->kept[k - 1]) continue;
    x[to] = x[from];
    if (low != high) low[to] = low[from];
    high[to] = high[from];
    to++;
  }
  c->used = 0;
  return to;
}

size_t ank_thin(double *x, double *low, double *high, size_t n, double left, double right) {
  if (n <= ANK_THIN_ABOVE) return n;
  column c = {.crossing = !is_monotone(x, n)};
  double columns = c.crossing ? COLUMNS * 4 / KEPT : COLUMNS;
  double current = NAN;
  size_t to = 0;
  int broken = 0;
  for (size_t i = 0; i < n; i++) {
    if (isnan(x[i])) {
      broken = 1;
      continue;
    }
    double share = c.crossing ? (double)i / (double)n : (x[i] - left) / (right - left);
    double mine = floor(fmin(fmax(share, -0.5 / columns), 1) * columns); /* -1: all that is left of it */
    if (mine != current) {
      to = flush(&c, x, low, high, to);
      if (broken && to > 0) x[to++] = NAN;
      current = mine;
    }
    broken = 0;
    take(&c, x, low, high, i);
  }
  return flush(&c, x, low, high, to);
}

static size_t across(double width) { return (size_t)(width * 2) + 2; }

size_t ank_thin_bits(double width, double height) { return (across(width) * across(height) + 7) / 8; }

size_t ank_thin_points(double *x, double *y, size_t n, double left, double top, double width, double height,
                       unsigned char *bits) {
  size_t to = 0;
  for (size_t i = 0; i < n; i++) {
    double right = x[i] - left, down = y[i] - top;
    if (!(right >= 0 && right <= width && down >= 0 && down <= height)) continue;
    size_t bit = (size_t)(down * 2) * across(width) + (size_t)(right * 2);
    if (bits[bit / 8] & (1u << bit % 8)) continue;
    bits[bit / 8] |= (unsigned char)(1u << bit % 8);
    x[to] = x[i];
    y[to++] = y[i];
  }
  return to;
}
