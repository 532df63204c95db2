/* law_pca_box.c - uniform in the box along the principal axes of the data: where columns move together it
 * lies closer to the data than `box` and leaves less empty space.
 *
 * Axes: eigenvectors of the covariance of the numeric columns, each divided by its standard deviation first
 * (a change of unit changes nothing); a missing cell counts as its column's mean. Along each axis the box
 * spans the data, widened by `pad` times its width on both sides. Constant columns, and axes along which the
 * data do not vary, stay constant. Categories are uniform over their levels.
 *
 * Log-density: minus the logarithm of the volume in the units of the columns. Where the data fill only a
 * plane (an axis is constant) it is the volume within that plane. A row counts as inside up to a rounding
 * error. */
#include <float.h>
#include <math.h>

#include "contrast/column.h"
#include "contrast/law.h"
#include "core/alloc.h"
#include "core/parallel.h"
#include "kernels/eigen.h"

#define NAME ank_law_pca_box.info.name
#define MOST_COLUMNS 1024 /* a minute of eigenvectors */
#define BLOCK 256         /* rows, and */
#define TILE 8            /* columns or axes, that are looked at together */

typedef struct {
  double mean, sd; /* of numbers; sd 0: constant */
  size_t levels;   /* of a category; 0 for numbers */
} column_facts;

typedef struct {
  double low, high;
} range;

typedef struct {
  column_facts *columns;
  size_t *varying; /* the numeric columns that vary, `dim` of them */
  size_t column_count, dim, rank;
  double *axes;  /* dim rows of dim: the first `rank` vary, the others do not */
  range *ranges; /* of the first `rank` axes */
  double slack;  /* rounding error of a place along an axis */
  double log_density;
} pca_box;

/* Columns of rows first .. first + count - 1 in standard deviations from the mean; 0 where missing. Halves,
 * because the difference of two doubles may be beyond the largest. */
static void standardise(double *out, const pca_box *law, const anorank_table *rows, size_t v, size_t first,
                        size_t count) {
  const column_facts *c = &law->columns[law->varying[v]];
  const double *x = rows->column[law->varying[v]].numbers + first;
  double mean = c->mean / 2, sd = c->sd / 2;
  for (size_t i = 0; i < count; i++) {
    double z = (x[i] / 2 - mean) / sd;
    out[i] = isnan(z) ? 0 : z;
  }
}

static double dot(const double *a, const double *b, size_t count) {
  double sums[4] = {0};
  size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (size_t k = 0; k < 4; k++) sums[k] += a[i + k] * b[i + k];
  for (; i < count; i++) sums[0] += a[i] * b[i];
  return sums[0] + sums[1] + (sums[2] + sums[3]);
}

typedef struct {
  pca_box *law;
  const anorank_table *data;
  double *covariance;
} job;

/* Rows of the covariance, from the diagonal on: TILE of them at a time, so that a column is standardised once
 * for all of them. */
static anorank_status covary(void *context, size_t tile, anorank_error *err) {
  (void)err;
  const job *work = context;
  size_t dim = work->law->dim, rows = work->data->rows, top = tile * TILE;
  size_t tall = dim - top < TILE ? dim - top : TILE;
  double a[TILE][BLOCK], b[BLOCK];
  for (size_t first = 0; first < rows; first += BLOCK) {
    size_t count = rows - first < BLOCK ? rows - first : BLOCK;
    for (size_t v = 0; v < tall; v++) standardise(a[v], work->law, work->data, top + v, first, count);
    for (size_t w = top; w < dim; w++) {
      standardise(b, work->law, work->data, w, first, count);
      for (size_t v = 0; v < tall && top + v <= w; v++)
        work->covariance[(top + v) * dim + w] += dot(a[v], b, count) / (double)rows;
    }
  }
  return ANORANK_OK;
}

/* Where rows lie along the axes from `axis` on, at most TILE of them. */
static void project(double out[TILE][BLOCK], const pca_box *law, const anorank_table *rows, size_t axis,
                    size_t first, size_t count) {
  size_t tall = law->dim - axis < TILE ? law->dim - axis : TILE;
  double z[BLOCK];
  for (size_t a = 0; a < tall; a++)
    for (size_t i = 0; i < count; i++) out[a][i] = 0;
  for (size_t v = 0; v < law->dim; v++) {
    standardise(z, law, rows, v, first, count);
    for (size_t a = 0; a < tall; a++) {
      double share = law->axes[(axis + a) * law->dim + v];
      for (size_t i = 0; i < count; i++) out[a][i] += share * z[i];
    }
  }
}

static anorank_status span(void *context, size_t tile, anorank_error *err) {
  (void)err;
  const job *work = context;
  size_t rank = work->law->rank, top = tile * TILE, tall = rank - top < TILE ? rank - top : TILE;
  range *out = work->law->ranges + top;
  for (size_t a = 0; a < tall; a++) out[a] = (range){INFINITY, -INFINITY};
  for (size_t first = 0; first < work->data->rows; first += BLOCK) {
    double place[TILE][BLOCK];
    size_t count = work->data->rows - first < BLOCK ? work->data->rows - first : BLOCK;
    project(place, work->law, work->data, top, first, count);
    for (size_t a = 0; a < tall; a++)
      for (size_t i = 0; i < count; i++) {
        if (place[a][i] < out[a].low) out[a].low = place[a][i];
        if (place[a][i] > out[a].high) out[a].high = place[a][i];
      }
  }
  return ANORANK_OK;
}

static anorank_status measure_columns(pca_box *law, const anorank_table *data, anorank_error *err) {
  for (size_t j = 0; j < data->columns; j++) {
    column_facts *c = &law->columns[j];
    ank_column_facts facts;
    if (data->column[j].kind == ANORANK_CATEGORICAL) {
      anorank_status status = ank_column_levels(&c->levels, data, j, NAME, err);
      if (status != ANORANK_OK) return status;
      law->log_density -= log((double)c->levels);
      continue;
    }
    anorank_status status = ank_column_measure(&facts, data, j, NAME, err);
    if (status != ANORANK_OK) return status;
    *c = (column_facts){.mean = facts.mean, .sd = facts.sd};
    if (!(facts.sd / 2 > 0)) continue;
    law->varying[law->dim++] = j;
    law->slack = fmax(law->slack, 64 * DBL_EPSILON * fabs(facts.mean / facts.sd));
  }
  law->slack = 1e-9 + law->slack * sqrt((double)law->dim);
  if (law->dim <= MOST_COLUMNS) return ANORANK_OK;
  return ank_fail(
      err, ANORANK_ERROR_DATA, "law-columns",
      "the law '%s' takes at most %d numeric columns, and the data have %zu; use the law 'jitter'", NAME,
      MOST_COLUMNS, law->dim);
}

/* The logarithm of how much the box, as a body of `rank` dimensions, grows when standard deviations become
 * the columns' own units: Gram and Schmidt on its edges. */
static anorank_status log_stretch(double *out, const pca_box *law, anorank_error *err) {
  double *edges = NULL, largest = 0;
  size_t dim = law->dim;
  anorank_status status = ANORANK_OK;
  *out = 0;
  for (size_t v = 0; v < dim; v++) {
    double sd = law->columns[law->varying[v]].sd;
    largest = fmax(largest, sd);
    *out += log(sd);
  }
  if (law->rank == dim) return ANORANK_OK;
  *out = (double)law->rank * log(largest);
  ANK_TRY(ank_alloc_raw(&edges, law->rank * dim, sizeof *edges, err));
  for (size_t a = 0; a < law->rank; a++)
    for (size_t v = 0; v < dim; v++)
      edges[a * dim + v] = law->axes[a * dim + v] * (law->columns[law->varying[v]].sd / largest);
  for (size_t a = 0; a < law->rank; a++) {
    double *edge = edges + a * dim, square = dot(edge, edge, dim);
    *out += 0.5 * log(square);
    for (size_t b = a + 1; b < law->rank; b++) {
      double share = dot(edge, edges + b * dim, dim) / square;
      for (size_t v = 0; v < dim; v++) edges[b * dim + v] -= share * edge[v];
    }
  }
done:
  ank_free(edges);
  return status;
}

static anorank_status find_axes(pca_box *law, const anorank_table *data, const anorank_settings *settings,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t dim = law->dim;
  double *values = NULL;
  job work = {.law = law, .data = data};
  ANK_TRY(ank_alloc(&work.covariance, dim * dim, sizeof *work.covariance, err));
  ANK_TRY(ank_alloc(&values, dim, sizeof *values, err));
  ANK_TRY(ank_alloc(&law->axes, dim * dim, sizeof *law->axes, err));
  ANK_TRY(ank_alloc(&law->ranges, dim, sizeof *law->ranges, err));
  ANK_TRY(ank_parallel(settings, (dim + TILE - 1) / TILE, covary, &work, err));
  for (size_t v = 0; v < dim; v++)
    for (size_t w = 0; w < v; w++) work.covariance[v * dim + w] = work.covariance[w * dim + v];
  ANK_TRY(ank_eigen_symmetric(values, law->axes, work.covariance, dim, err));
  while (law->rank < dim && values[law->rank] > 16 * (double)dim * DBL_EPSILON * values[0]) law->rank++;
  ANK_TRY(ank_parallel(settings, (law->rank + TILE - 1) / TILE, span, &work, err));
  for (size_t a = 0; a < law->rank; a++) {
    double width = law->ranges[a].high - law->ranges[a].low;
    law->ranges[a].low -= settings->pad * width;
    law->ranges[a].high += settings->pad * width;
    law->log_density -= log(law->ranges[a].high - law->ranges[a].low);
  }
done:
  ank_free(work.covariance);
  ank_free(values);
  return status;
}

/* No corner of the box may leave the range of a double. */
static anorank_status check_reach(const pca_box *law, const anorank_table *data, double pad,
                                  anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  for (size_t v = 0; v < law->dim; v++) {
    const column_facts *c = &law->columns[law->varying[v]];
    double reach = 0;
    for (size_t a = 0; a < law->rank; a++)
      reach += fabs(law->axes[a * law->dim + v]) * fmax(fabs(law->ranges[a].low), fabs(law->ranges[a].high));
    if (!isfinite(fabs(c->mean) + c->sd * reach))
      return ank_fail(err, ANORANK_ERROR_DATA, "contrast-too-wide",
                      "column '%s' padded by %g is too wide; scale it or pad less",
                      ank_column_quote(quoted, data, law->varying[v]), pad);
  }
  return ANORANK_OK;
}

static void free_pca_box(void *state) {
  pca_box *law = state;
  if (!law) return;
  ank_free(law->columns);
  ank_free(law->varying);
  ank_free(law->axes);
  ank_free(law->ranges);
  ank_free(law);
}

static anorank_status open_pca_box(void **state, const anorank_table *data, const anorank_settings *settings,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  pca_box *law = NULL;
  double stretch;
  *state = NULL;
  if (data->rows == 0)
    ANK_FAIL(ANORANK_ERROR_DATA, "contrast-no-rows", "the data have no rows to draw around");
  ANK_TRY(ank_alloc(&law, 1, sizeof *law, err));
  law->column_count = data->columns;
  ANK_TRY(ank_alloc(&law->columns, data->columns, sizeof *law->columns, err));
  ANK_TRY(ank_alloc(&law->varying, data->columns, sizeof *law->varying, err));
  ANK_TRY(measure_columns(law, data, err));
  ANK_TRY(find_axes(law, data, settings, err));
  ANK_TRY(check_reach(law, data, settings->pad, err));
  ANK_TRY(log_stretch(&stretch, law, err));
  law->log_density -= stretch;
  *state = law;
  law = NULL;
done:
  free_pca_box(law);
  return status;
}

static anorank_status draw_pca_box(const void *state, const ank_draw *draw, anorank_error *err) {
  const pca_box *law = state;
  double *z = NULL;
  anorank_status status = ank_alloc_raw(&z, law->dim, sizeof *z, err);
  if (status != ANORANK_OK) return status;
  for (size_t i = 0; i < draw->count; i++) {
    size_t row = draw->first + i;
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    for (size_t v = 0; v < law->dim; v++) z[v] = 0;
    for (size_t a = 0; a < law->rank; a++) {
      double u = ank_rng_uniform(&rng), place = law->ranges[a].low * (1 - u) + law->ranges[a].high * u;
      for (size_t v = 0; v < law->dim; v++) z[v] += place * law->axes[a * law->dim + v];
    }
    for (size_t j = 0, v = 0; j < law->column_count; j++) {
      const column_facts *c = &law->columns[j];
      ank_column *column = &draw->table->column[j];
      if (c->levels)
        column->codes[row] = (int32_t)ank_rng_below(&rng, c->levels);
      else if (v < law->dim && law->varying[v] == j)
        column->numbers[row] = c->mean + c->sd * z[v++];
      else
        column->numbers[row] = c->mean;
    }
  }
  ank_free(z);
  return ANORANK_OK;
}

/* Cells that no place along the axes can make up for. */
static void check_cells(const pca_box *law, const anorank_table *rows, size_t first, size_t count,
                        double *out) {
  for (size_t j = 0; j < law->column_count; j++) {
    const column_facts *c = &law->columns[j];
    for (size_t i = 0; i < count; i++) {
      int inside;
      if (c->levels) {
        int32_t code = rows->column[j].codes[first + i];
        inside = code >= 0 && (size_t)code < c->levels;
      } else {
        double x = rows->column[j].numbers[first + i];
        inside = c->sd / 2 > 0 ? isfinite(x) : x == c->mean;
      }
      if (!inside) out[i] = -INFINITY;
    }
  }
}

static void log_density_pca_box(const void *state, const anorank_table *rows, size_t first, size_t count,
                                double *out) {
  const pca_box *law = state;
  for (size_t i = 0; i < count; i++) out[i] = law->log_density;
  check_cells(law, rows, first, count, out);
  for (size_t start = 0; start < count; start += BLOCK)
    for (size_t top = 0; top < law->dim; top += TILE) {
      double place[TILE][BLOCK];
      size_t here = count - start < BLOCK ? count - start : BLOCK;
      project(place, law, rows, top, first + start, here);
      for (size_t a = top; a < top + TILE && a < law->dim; a++) {
        range r = a < law->rank ? law->ranges[a] : (range){0, 0};
        double slack = law->slack * (1 + fabs(r.low) + fabs(r.high));
        for (size_t i = 0; i < here; i++) {
          double p = place[a - top][i];
          if (!(p >= r.low - slack && p <= r.high + slack)) out[start + i] = -INFINITY;
        }
      }
    }
}

static ank_spreads spreads_pca_box(const void *state, size_t column) {
  const pca_box *law = state;
  if (!(law->columns[column].sd / 2 > 0)) return ANK_SPREADS_NOT;
  return law->rank == law->dim ? ANK_SPREADS_FREELY : ANK_SPREADS_BOUND;
}

const ank_law ank_law_pca_box = {
    .info = {"pca_box",
             "uniform in the box along the data's principal axes, and over the levels of categories", "pad",
             2},
    .open = open_pca_box,
    .draw = draw_pca_box,
    .log_density = log_density_pca_box,
    .spreads = spreads_pca_box,
    .free = free_pca_box,
};
