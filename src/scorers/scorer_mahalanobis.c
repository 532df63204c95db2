/* scorer_mahalanobis.c - distance from the mean in units of the covariance.
 *
 *   s(x) = - (x - mean)' C^-1 (x - mean),   mean and covariance C of X (divided by n)
 *
 * Computed in standard units: z = (x - mean) / sd, C = diag(sd) R diag(sd), R = L L' (Cholesky), and the
 * distance is |L^-1 z|^2. If R is singular to working precision (a pivot below 1e-10: constant or repeated
 * columns, or fewer rows than columns), a ridge of 1e-8 is added to its diagonal, times ten until it works. A
 * constant column has sd 1. Standard deviations are computed from columns divided by a power of two, so that
 * 1e300 does not overflow. A z beyond 1e100 counts as 1e100, a NaN distance as the largest double. Fit O(n
 * d^2 + d^3), score O(d^2) per row.
 *
 * Shrunk (mahalanobis.h), R is (1 - s) R + s I with the share s of Ledoit and Wolf (2004), which suits few
 * rows in many columns:
 *   s = min(1, b / e),   b = (sum_i |z_i|^4 / n - |R|^2) / n,   e = |R - I|^2   (Frobenius norms). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "core/parallel.h"
#include "scorers/mahalanobis.h"

enum {
  ROWS = 8, /* scored side by side */
  LEAST_ROWS = 1024,
  MOST_CHUNKS = 64,
  CHUNK_DOUBLES = 1 << 25 /* limit for all partial sums together */
};

typedef struct {
  size_t dim;
  double *mean, *sd;
  double *factor; /* L by rows, row i begins at i (i + 1) / 2; the diagonal is inverted */
} mahalanobis;

static size_t triangle(size_t dim) { return dim * (dim + 1) / 2; }

static void mahalanobis_free(void *scorer) {
  mahalanobis *self = scorer;
  if (!self) return;
  ank_free(self->mean);
  ank_free(self->sd);
  ank_free(self->factor);
  ank_free(self);
}

/* ---- sums over rows: chunks that depend on n and d alone, added in order ----------------------------- */

typedef struct {
  const ank_matrix *x;
  size_t chunks, width;   /* doubles per chunk */
  const double *per_unit; /* one over a power of two, per column */
  const double *mean;     /* in these units */
  double *parts;
} summing;

static void chunk_rows(const summing *work, size_t chunk, size_t *from, size_t *to) {
  size_t rows = work->x->rows, each = rows / work->chunks, rest = rows % work->chunks;
  *from = chunk * each + (chunk < rest ? chunk : rest);
  *to = *from + each + (chunk < rest);
}

static anorank_status sum_values(void *context, size_t chunk, anorank_error *err) {
  const summing *work = context;
  size_t from, to, dim = work->x->dim;
  double *sum = work->parts + chunk * work->width;
  (void)err;
  chunk_rows(work, chunk, &from, &to);
  for (size_t i = from; i < to; i++)
    for (size_t j = 0; j < dim; j++) sum[j] += work->x->values[i * dim + j] * work->per_unit[j];
  return ANORANK_OK;
}

/* Pass over the triangle with the products of eight rows at a time. */
static anorank_status sum_products(void *context, size_t chunk, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const summing *work = context;
  size_t from, to, dim = work->x->dim;
  double *sum = work->parts + chunk * work->width, *centred = NULL;
  chunk_rows(work, chunk, &from, &to);
  ANK_TRY(ank_alloc(&centred, ROWS * dim, sizeof *centred, err));
  for (; from < to; from += ROWS) {
    size_t count = to - from < ROWS ? to - from : ROWS;
    memset(centred, 0, ROWS * dim * sizeof *centred);
    for (size_t r = 0; r < count; r++)
      for (size_t j = 0; j < dim; j++)
        centred[r * dim + j] = work->x->values[(from + r) * dim + j] * work->per_unit[j] - work->mean[j];
    for (size_t i = 0; i < dim; i++) {
      double *row = sum + triangle(i);
      for (size_t r = 0; r < count; r++) {
        const double *values = centred + r * dim;
        double factor = values[i];
        for (size_t j = 0; j <= i; j++) row[j] += factor * values[j];
      }
    }
  }
done:
  ank_free(centred);
  return status;
}

static anorank_status add_up(double *total, summing *work, ank_chunk body, const anorank_settings *settings,
                             anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double n = (double)work->x->rows;
  ANK_TRY(ank_alloc(&work->parts, work->chunks, work->width * sizeof *work->parts, err));
  ANK_TRY(ank_parallel(settings, work->chunks, body, work, err));
  for (size_t k = 0; k < work->width; k++) {
    double sum = 0;
    for (size_t c = 0; c < work->chunks; c++) sum += work->parts[c * work->width + k];
    total[k] = sum / n;
  }
done:
  ank_free(work->parts);
  work->parts = NULL;
  return status;
}

/* ---- fit --------------------------------------------------------------------------------------------- */

/* Find the power of two that brings the largest absolute value of each column below 1, and the constant
 * columns (whose value is the mean to the bit). */
static void find_units(double *unit, double *per_unit, double *constant, const ank_matrix *x) {
  for (size_t j = 0; j < x->dim; j++) {
    double low = x->values[j], high = low;
    int exponent = 0;
    for (size_t i = 1; i < x->rows; i++) {
      double value = x->values[i * x->dim + j];
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    (void)frexp(fmax(fabs(low), fabs(high)), &exponent);
    if (exponent > 1000) exponent = 1000;
    if (exponent < -1000) exponent = -1000;
    unit[j] = ldexp(1.0, exponent);
    per_unit[j] = ldexp(1.0, -exponent);
    constant[j] = low < high ? NAN : low;
  }
}

/* Turn the covariance into the correlation in place; convert means and standard deviations to the units of
 * the data. */
static void standardise(mahalanobis *self, double *mean, const double *unit, const double *constant) {
  for (size_t i = 0; i < self->dim; i++) {
    double variance = self->factor[triangle(i) + i];
    int flat = !isnan(constant[i]) || !(variance > 0);
    self->sd[i] = flat ? 1 : sqrt(variance);
    self->mean[i] = !isnan(constant[i]) ? constant[i] : mean[i] * unit[i];
  }
  for (size_t i = 0; i < self->dim; i++)
    for (size_t j = 0; j <= i; j++) self->factor[triangle(i) + j] /= self->sd[i] * self->sd[j];
  for (size_t i = 0; i < self->dim; i++) {
    double sd = self->sd[i] * unit[i];
    if (isnan(constant[i])) self->sd[i] = isfinite(sd) && sd > DBL_MIN ? sd : sd > 1 ? DBL_MAX : DBL_MIN;
  }
}

/* Factor correlation + ridge I = L L'; 0 if some pivot is too small. The diagonal of L is stored inverted. */
static int cholesky(double *factor, const double *correlation, size_t dim, double ridge) {
  for (size_t i = 0; i < dim; i++) {
    double *row = factor + triangle(i);
    for (size_t j = 0; j <= i; j++) {
      const double *other = factor + triangle(j);
      double rest = correlation[triangle(i) + j] + (i == j ? ridge : 0);
      for (size_t k = 0; k < j; k++) rest -= row[k] * other[k];
      if (i != j)
        row[j] = rest * other[j];
      else if (!(rest > ANK_MAHALANOBIS_SINGULAR))
        return 0;
      else
        row[j] = 1 / sqrt(rest);
    }
  }
  return 1;
}

static anorank_status factorise(mahalanobis *self, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *correlation = NULL, ridge = 0;
  ANK_TRY(ank_alloc_raw(&correlation, triangle(self->dim), sizeof *correlation, err));
  memcpy(correlation, self->factor, triangle(self->dim) * sizeof *correlation);
  while (!cholesky(self->factor, correlation, self->dim, ridge)) {
    if (ridge >= 1)
      ANK_FAIL(ANORANK_ERROR_DATA, "fit-not-finite",
               "the covariance is not finite: some values are infinite or too large; correct or scale them");
    ridge = ridge > 0 ? 10 * ridge : ANK_MAHALANOBIS_RIDGE;
  }
done:
  ank_free(correlation);
  return status;
}

/* Shrink the correlation towards the identity in place. Returns the share. */
static double shrink(mahalanobis *self, const ank_matrix *x) {
  size_t dim = self->dim;
  double n = (double)x->rows, all = 0, apart = 0, fourth = 0;
  for (size_t i = 0; i < dim; i++) {
    double *row = self->factor + triangle(i);
    if (!(row[i] > 0)) row[i] = 1; /* a constant column keeps its unit */
    for (size_t j = 0; j <= i; j++) {
      all += (i == j ? 1 : 2) * row[j] * row[j];
      apart += i == j ? (row[j] - 1) * (row[j] - 1) : 2 * row[j] * row[j];
    }
  }
  for (size_t r = 0; r < x->rows; r++) {
    double squared = 0;
    for (size_t j = 0; j < dim; j++) {
      double z = (x->values[r * dim + j] - self->mean[j]) / self->sd[j];
      squared += z * z;
    }
    fourth += squared * squared / n;
  }
  double noise = (fourth - all) / n, share = noise < apart ? noise / apart : 1;
  if (!(share > 0)) share = 0;
  for (size_t i = 0; i < dim; i++)
    for (size_t j = 0; j < i; j++) self->factor[triangle(i) + j] *= 1 - share;
  return share;
}

/* `shrunk` as in mahalanobis.h. */
static anorank_status fit_rows(mahalanobis *self, double *shrunk, const ank_matrix *x,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *unit = NULL, *per_unit = NULL, *constant = NULL, *mean = NULL;
  size_t most = CHUNK_DOUBLES / triangle(x->dim), chunks = (x->rows - 1) / LEAST_ROWS + 1;
  if (chunks > MOST_CHUNKS) chunks = MOST_CHUNKS;
  if (chunks > most) chunks = most > 0 ? most : 1;
  self->dim = x->dim;
  ANK_TRY(ank_alloc(&self->mean, x->dim, sizeof *self->mean, err));
  ANK_TRY(ank_alloc(&self->sd, x->dim, sizeof *self->sd, err));
  ANK_TRY(ank_alloc(&self->factor, triangle(x->dim), sizeof *self->factor, err));
  ANK_TRY(ank_alloc(&unit, x->dim, sizeof *unit, err));
  ANK_TRY(ank_alloc(&per_unit, x->dim, sizeof *per_unit, err));
  ANK_TRY(ank_alloc(&constant, x->dim, sizeof *constant, err));
  ANK_TRY(ank_alloc(&mean, x->dim, sizeof *mean, err));
  find_units(unit, per_unit, constant, x);
  summing work = {x, chunks, x->dim, per_unit, mean, NULL};
  ANK_TRY(add_up(mean, &work, sum_values, settings, err));
  for (size_t j = 0; j < x->dim; j++)
    if (!isnan(constant[j])) mean[j] = constant[j] * per_unit[j];
  work.width = triangle(x->dim);
  ANK_TRY(add_up(self->factor, &work, sum_products, settings, err));
  standardise(self, mean, unit, constant);
  if (shrunk) *shrunk = shrink(self, x);
  ANK_TRY(factorise(self, err));
done:
  ank_free(unit);
  ank_free(per_unit);
  ank_free(constant);
  ank_free(mean);
  return status;
}

static anorank_status mahalanobis_fit(void *scorer, const ank_samples *samples,
                                      const anorank_settings *settings, anorank_error *err) {
  return fit_rows(scorer, NULL, &samples->x, settings, err);
}

anorank_status ank_mahalanobis_fit(void **out, double *shrunk, const ank_matrix *x,
                                   const anorank_settings *settings, anorank_error *err) {
  mahalanobis *self;
  *out = NULL;
  ANK_CHECK(ank_alloc(&self, 1, sizeof *self, err));
  return ank_scorer_hand_out(out, &ank_scorer_mahalanobis, self, fit_rows(self, shrunk, x, settings, err));
}

/* ---- score ------------------------------------------------------------------------------------------- */

/* Compute ROWS rows side by side; z[j * ROWS + r] becomes element j of L^-1 z for row r. */
static void distances(double total[ROWS], const mahalanobis *self, double *z) {
  for (size_t r = 0; r < ROWS; r++) total[r] = 0;
  for (size_t i = 0; i < self->dim; i++) {
    const double *row = self->factor + triangle(i);
    double rest[ROWS];
    memcpy(rest, z + i * ROWS, sizeof rest);
    for (size_t j = 0; j < i; j++)
      for (size_t r = 0; r < ROWS; r++) rest[r] -= row[j] * z[j * ROWS + r];
    for (size_t r = 0; r < ROWS; r++) {
      rest[r] *= row[i];
      z[i * ROWS + r] = rest[r];
      total[r] += rest[r] * rest[r];
    }
  }
}

static anorank_status mahalanobis_score(double *scores, const void *scorer, const ank_matrix *rows,
                                        anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const mahalanobis *self = scorer;
  size_t dim = self->dim;
  double *z = NULL, total[ROWS];
  ANK_TRY(ank_alloc(&z, dim, ROWS * sizeof *z, err));
  for (size_t from = 0; from < rows->rows; from += ROWS) {
    size_t count = rows->rows - from < ROWS ? rows->rows - from : ROWS;
    for (size_t r = 0; r < count; r++)
      for (size_t j = 0; j < dim; j++) {
        double value = (rows->values[(from + r) * dim + j] - self->mean[j]) / self->sd[j];
        z[j * ROWS + r] = value > ANK_MAHALANOBIS_MOST_Z    ? ANK_MAHALANOBIS_MOST_Z
                          : value < -ANK_MAHALANOBIS_MOST_Z ? -ANK_MAHALANOBIS_MOST_Z
                                                            : value;
      }
    distances(total, self, z);
    for (size_t r = 0; r < count; r++) scores[from + r] = total[r] <= DBL_MAX ? -total[r] : -DBL_MAX;
  }
done:
  ank_free(z);
  return status;
}

/* ---- the rest ---------------------------------------------------------------------------------------- */

static size_t mahalanobis_dim(const void *scorer) { return ((const mahalanobis *)scorer)->dim; }

static size_t mahalanobis_bytes(const void *scorer) {
  const mahalanobis *self = scorer;
  return sizeof *self + (2 * self->dim + triangle(self->dim)) * sizeof(double);
}

static anorank_status mahalanobis_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  const mahalanobis *self = scorer;
  ANK_CHECK(ank_bytes_put_f64s(out, self->mean, self->dim, err));
  ANK_CHECK(ank_bytes_put_f64s(out, self->sd, self->dim, err));
  return ank_bytes_put_f64s(out, self->factor, triangle(self->dim), err);
}

static int sound(const mahalanobis *self) {
  for (size_t i = 0; i < self->dim; i++) {
    if (!isfinite(self->mean[i]) || !isfinite(self->sd[i]) || !(self->sd[i] > 0)) return 0;
    for (size_t j = 0; j <= i; j++)
      if (!isfinite(self->factor[triangle(i) + j])) return 0;
    if (!(self->factor[triangle(i) + i] > 0)) return 0;
  }
  return 1;
}

static anorank_status mahalanobis_load(void *scorer, ank_cursor *in, anorank_error *err) {
  mahalanobis *self = scorer;
  size_t spreads, size;
  ANK_CHECK(ank_cursor_f64s(in, &self->mean, &self->dim, err));
  ANK_CHECK(ank_cursor_f64s(in, &self->sd, &spreads, err));
  ANK_CHECK(ank_cursor_f64s(in, &self->factor, &size, err));
  if (self->dim == 0 || spreads != self->dim || size != triangle(self->dim) || !sound(self))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-covariance",
                    "the model is damaged: its means and covariances are invalid");
  return ANORANK_OK;
}

const ank_scorer_class ank_scorer_mahalanobis = {
    .info = {"mahalanobis", "squared distance from the mean in units of the covariance", "", 0, 0},
    .size = sizeof(mahalanobis),
    .fit = mahalanobis_fit,
    .score = mahalanobis_score,
    .dim = mahalanobis_dim,
    .bytes = mahalanobis_bytes,
    .save = mahalanobis_save,
    .load = mahalanobis_load,
    .free = mahalanobis_free,
    .distance_scores = 1,
};
