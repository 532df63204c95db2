/* scorer_histogram.c - the frequency of a row's values, one column at a time.
 *
 *   s(x) = sum_j log p_j(x_j)
 *
 * A column with at most `bins` distinct values: p = (count of the value + 1/2) / total. Any other: `bins`
 * bins of equal width over the range of X, p = (c_{b-1}/4 + c_b/2 + c_{b+1}/4 + 1/2) / total, with counts of
 * 0 beyond the ends. A value never seen, or outside the range, has the 1/2 alone. total = n + (cells + 1) /
 * 2: the cells and one for everything else. Bins are found with halved values, so that the widest range of
 * doubles does not overflow. Scores are finite for every row. Fit O(n d), score O(d) per row (O(log bins)
 * more in columns of single values). */
#include <math.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "core/parallel.h"
#include "kernels/sort.h"
#include "scorers/scorer.h"

enum { BLOCK = 512 };

typedef struct {
  size_t cells;
  double *values; /* the cells' values in ascending order; NULL for bins of equal width */
  double low, high;
  double *logs; /* log p of each cell */
  double other; /* log p of everything else */
} column;

typedef struct {
  size_t dim;
  column *columns;
} histogram;

static void histogram_free(void *scorer) {
  histogram *self = scorer;
  if (!self) return;
  for (size_t j = 0; self->columns && j < self->dim; j++) {
    ank_free(self->columns[j].values);
    ank_free(self->columns[j].logs);
  }
  ank_free(self->columns);
  ank_free(self);
}

static anorank_status make_columns(histogram *self, size_t dim, anorank_error *err) {
  self->dim = dim;
  return ank_alloc(&self->columns, dim, sizeof *self->columns, err);
}

/* Return the bin of a value in [low, high]; low < high. */
static size_t bin_of(const column *in, double x) {
  double share = (x / 2 - in->low / 2) / (in->high / 2 - in->low / 2);
  size_t bin = (size_t)(share * (double)in->cells);
  return bin < in->cells ? bin : in->cells - 1;
}

/* Return the number of values below x. */
static size_t values_below(const column *in, double x) {
  size_t from = 0, count = in->cells;
  while (count > 0) {
    size_t half = count / 2;
    if (in->values[from + half] < x) {
      from += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return from;
}

static double log_share(double count, size_t rows, size_t cells) {
  return log((count + ANK_HISTOGRAM_PRIOR) / ((double)rows + ANK_HISTOGRAM_PRIOR * (double)(cells + 1)));
}

/* ---- fit --------------------------------------------------------------------------------------------- */

typedef struct {
  histogram *self;
  const ank_matrix *x;
  size_t bins;
  anorank_settings one_thread;
} fitting;

static anorank_status fit_values(column *out, const double *sorted, size_t rows, size_t distinct,
                                 anorank_error *err) {
  size_t cell = 0, from = 0;
  out->cells = distinct;
  ANK_CHECK(ank_alloc(&out->values, distinct, sizeof *out->values, err));
  ANK_CHECK(ank_alloc(&out->logs, distinct, sizeof *out->logs, err));
  for (size_t i = 1; i <= rows; i++) {
    if (i < rows && !(sorted[i - 1] < sorted[i])) continue;
    out->values[cell] = sorted[from];
    out->logs[cell++] = log_share((double)(i - from), rows, distinct);
    from = i;
  }
  return ANORANK_OK;
}

static anorank_status fit_bins(column *out, const double *sorted, size_t rows, size_t bins,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *counts = NULL;
  out->cells = bins;
  ANK_TRY(ank_alloc(&counts, bins, sizeof *counts, err));
  ANK_TRY(ank_alloc(&out->logs, bins, sizeof *out->logs, err));
  for (size_t i = 0; i < rows; i++) counts[bin_of(out, sorted[i])]++;
  for (size_t b = 0; b < bins; b++) {
    double before = b > 0 ? counts[b - 1] : 0, after = b + 1 < bins ? counts[b + 1] : 0;
    out->logs[b] = log_share(before / 4 + counts[b] / 2 + after / 4, rows, bins);
  }
done:
  ank_free(counts);
  return status;
}

static anorank_status fit_column(void *context, size_t j, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const fitting *work = context;
  column *out = &work->self->columns[j];
  size_t rows = work->x->rows, distinct = 1;
  double *sorted = NULL;
  ANK_TRY(ank_alloc_raw(&sorted, rows, sizeof *sorted, err));
  for (size_t i = 0; i < rows; i++) sorted[i] = work->x->values[i * work->x->dim + j];
  ANK_TRY(ank_sort(sorted, rows, &work->one_thread, err));
  for (size_t i = 1; i < rows; i++) distinct += sorted[i - 1] < sorted[i];
  out->low = sorted[0];
  out->high = sorted[rows - 1];
  if (distinct <= work->bins) {
    ANK_TRY(fit_values(out, sorted, rows, distinct, err));
  } else {
    ANK_TRY(fit_bins(out, sorted, rows, work->bins, err));
  }
  out->other = log_share(0, rows, out->cells);
done:
  ank_free(sorted);
  return status;
}

static anorank_status histogram_fit(void *scorer, const ank_samples *samples,
                                    const anorank_settings *settings, anorank_error *err) {
  histogram *self = scorer;
  ANK_CHECK(make_columns(self, samples->x.dim, err));
  fitting work = {self, &samples->x, (size_t)settings->bins, *settings};
  work.one_thread.threads = 1; /* columns are spread over threads, sorting is not */
  return ank_parallel(settings, self->dim, fit_column, &work, err);
}

/* ---- score ------------------------------------------------------------------------------------------- */

static double log_of(const column *in, double x) {
  if (!(x >= in->low && x <= in->high)) return in->other;
  if (!in->values) return in->logs[bin_of(in, x)];
  size_t cell = values_below(in, x);
  return in->values[cell] == x ? in->logs[cell] : in->other;
}

static anorank_status histogram_score(double *scores, const void *scorer, const ank_matrix *rows,
                                      anorank_error *err) {
  const histogram *self = scorer;
  (void)err;
  for (size_t from = 0; from < rows->rows; from += BLOCK) {
    size_t to = rows->rows - from < BLOCK ? rows->rows : from + BLOCK;
    for (size_t i = from; i < to; i++) scores[i] = 0;
    for (size_t j = 0; j < self->dim; j++)
      for (size_t i = from; i < to; i++)
        scores[i] += log_of(&self->columns[j], rows->values[i * self->dim + j]);
  }
  return ANORANK_OK;
}

/* ---- the rest ---------------------------------------------------------------------------------------- */

static size_t histogram_dim(const void *scorer) { return ((const histogram *)scorer)->dim; }

static size_t histogram_bytes(const void *scorer) {
  const histogram *self = scorer;
  size_t bytes = sizeof *self + self->dim * sizeof *self->columns;
  for (size_t j = 0; j < self->dim; j++)
    bytes += self->columns[j].cells * sizeof(double) * (self->columns[j].values ? 2 : 1);
  return bytes;
}

static anorank_status histogram_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  const histogram *self = scorer;
  ANK_CHECK(ank_bytes_put_u64(out, self->dim, err));
  for (size_t j = 0; j < self->dim; j++) {
    const column *in = &self->columns[j];
    ANK_CHECK(ank_bytes_put_f64(out, in->low, err));
    ANK_CHECK(ank_bytes_put_f64(out, in->high, err));
    ANK_CHECK(ank_bytes_put_f64(out, in->other, err));
    ANK_CHECK(ank_bytes_put_f64s(out, in->logs, in->cells, err));
    ANK_CHECK(ank_bytes_put_f64s(out, in->values, in->values ? in->cells : 0, err));
  }
  return ANORANK_OK;
}

/* Check the preconditions of log_of: no index out of bounds, no sum is NaN. */
static int sound(const column *in, size_t values) {
  if (in->cells == 0 || !isfinite(in->low) || !isfinite(in->high) || !isfinite(in->other)) return 0;
  for (size_t b = 0; b < in->cells; b++)
    if (!isfinite(in->logs[b]) || in->logs[b] > 0) return 0;
  if (!in->values) return in->high / 2 - in->low / 2 > 0;
  if (values != in->cells || in->values[0] != in->low || in->values[values - 1] != in->high) return 0;
  for (size_t b = 1; b < in->cells; b++)
    if (!(in->values[b - 1] < in->values[b])) return 0;
  return 1;
}

static anorank_status load_column(column *out, ank_cursor *in, anorank_error *err) {
  size_t values;
  ANK_CHECK(ank_cursor_f64(in, &out->low, err));
  ANK_CHECK(ank_cursor_f64(in, &out->high, err));
  ANK_CHECK(ank_cursor_f64(in, &out->other, err));
  ANK_CHECK(ank_cursor_f64s(in, &out->logs, &out->cells, err));
  ANK_CHECK(ank_cursor_f64s(in, &out->values, &values, err));
  if (values == 0) {
    ank_free(out->values);
    out->values = NULL;
  }
  if (!sound(out, values))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-histogram",
                    "the model is damaged: one of its histograms is invalid");
  return ANORANK_OK;
}

static anorank_status histogram_load(void *scorer, ank_cursor *in, anorank_error *err) {
  histogram *self = scorer;
  size_t dim;
  /* A column takes at least 40 bytes: a damaged count cannot request more memory than the file is long. */
  ANK_CHECK(ank_cursor_size(in, &dim, 1, in->length / 40, "the number of columns", err));
  ANK_CHECK(make_columns(self, dim, err));
  for (size_t j = 0; j < dim; j++) ANK_CHECK(load_column(&self->columns[j], in, err));
  return ANORANK_OK;
}

const ank_scorer_class ank_scorer_histogram = {
    .info = {"histogram", "sum over columns of the log frequency of each value", "bins", 0, 0},
    .size = sizeof(histogram),
    .fit = histogram_fit,
    .score = histogram_score,
    .dim = histogram_dim,
    .bytes = histogram_bytes,
    .save = histogram_save,
    .load = histogram_load,
    .free = histogram_free,
};
