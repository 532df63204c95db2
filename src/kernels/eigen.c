/* eigen.c - see eigen.h. Rotations in the planes (p, q) make the entries off the diagonal vanish one by one;
 * what one rotation brings back is smaller than what it took, and near the end the entries are squared by
 * each sweep. */
#include "kernels/eigen.h"

#include <math.h>
#include <string.h>

#define MOST_SWEEPS 60

static void rotate_rows(double *a, double *b, size_t n, double c, double s) {
  for (size_t k = 0; k < n; k++) {
    double x = a[k], y = b[k];
    a[k] = c * x - s * y;
    b[k] = s * x + c * y;
  }
}

/* Make a(p, q) zero. t = tan of the angle is the smaller root of t^2 + 2 theta t = 1. */
static void rotate(double *a, double *vectors, size_t n, size_t p, size_t q) {
  double *row_p = a + p * n, *row_q = a + q * n, off = row_p[q];
  double theta = (row_q[q] - row_p[p]) / (2 * off);
  double t =
      isinf(theta * theta) ? 0.5 / theta : copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  double at_p = row_p[p] - t * off, at_q = row_q[q] + t * off;
  rotate_rows(row_p, row_q, n, c, s);
  for (size_t k = 0; k < n; k++) { /* the columns mirror the rows */
    a[k * n + p] = row_p[k];
    a[k * n + q] = row_q[k];
  }
  row_p[p] = at_p;
  row_q[q] = at_q;
  row_p[q] = row_q[p] = 0;
  rotate_rows(vectors + p * n, vectors + q * n, n, c, s);
}

/* One sweep; 0 if nothing was left to rotate. */
static int sweep(double *a, double *vectors, size_t n, double negligible) {
  int rotated = 0;
  for (size_t p = 0; p + 1 < n; p++)
    for (size_t q = p + 1; q < n; q++) {
      if (fabs(a[p * n + q]) <= negligible) continue;
      rotate(a, vectors, n, p, q);
      rotated = 1;
    }
  return rotated;
}

static void swap_rows(double *a, double *b, size_t n) {
  for (size_t k = 0; k < n; k++) {
    double keep = a[k];
    a[k] = b[k];
    b[k] = keep;
  }
}

static void sort_and_sign(double *values, double *vectors, size_t n) {
  for (size_t i = 0; i < n; i++) {
    double *row = vectors + i * n, keep = values[i];
    size_t top = i, largest = 0;
    for (size_t k = i + 1; k < n; k++)
      if (values[k] > values[top]) top = k;
    values[i] = values[top];
    values[top] = keep;
    if (top != i) swap_rows(row, vectors + top * n, n);
    for (size_t k = 1; k < n; k++)
      if (fabs(row[k]) > fabs(row[largest])) largest = k;
    for (size_t k = 0; row[largest] < 0 && k < n; k++)
      if (k != largest) row[k] = -row[k];
    row[largest] = fabs(row[largest]);
  }
}

anorank_status ank_eigen_symmetric(double *values, double *vectors, double *a, size_t n, anorank_error *err) {
  double largest = 0;
  int exponent;
  for (size_t k = 0; k < n * n; k++) {
    if (!isfinite(a[k]))
      return ank_fail(err, ANORANK_ERROR_DATA, "fit-not-finite",
                      "the matrix is not finite: some values are infinite, or too large to multiply");
    if (fabs(a[k]) > largest) largest = fabs(a[k]);
  }
  /* Times a power of two, which loses nothing, so that no product leaves the range of a double. */
  frexp(largest, &exponent);
  for (size_t k = 0; k < n * n; k++) a[k] = ldexp(a[k], -exponent);
  memset(vectors, 0, n * n * sizeof *vectors);
  for (size_t k = 0; k < n; k++) vectors[k * n + k] = 1;
  /* The norm is at least 1/2 now: below 1e-19 / n an entry is under a rounding error of the largest value. */
  for (int k = 0; k < MOST_SWEEPS && sweep(a, vectors, n, 1e-19 / (double)n); k++) continue;
  for (size_t k = 0; k < n; k++) values[k] = ldexp(a[k * n + k], exponent);
  sort_and_sign(values, vectors, n);
  return ANORANK_OK;
}
