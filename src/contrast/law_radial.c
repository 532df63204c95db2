/* law_radial.c - the paper's RadLaw (its numerical experiments): U = R r v with v uniform on the unit sphere
 * and r ~ Beta(alpha, beta), independent; R = (largest row norm of the data) + epsilon, or `radius` without
 * data. The centre is the origin, not the mean of the data: centre the data first. With alpha = dim, beta = 1
 * it is the uniform law on the ball. */
#include <math.h>

#include "contrast/law.h"
#include "core/alloc.h"

#define BLOCK 512 /* rows whose norms are summed at a time */

static anorank_status check_column(const anorank_table *data, size_t column, double *largest,
                                   anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  const ank_column *c = &data->column[column];
  if (c->kind == ANORANK_CATEGORICAL) {
    (void)ank_fail(
        err, ANORANK_ERROR_DATA, "law-needs-numbers",
        "the law 'radial' needs numbers, but column '%s' is categorical; drop it or use the law 'box'",
        ank_column_quote(quoted, data, column));
    ank_error_set_location(err, data->source, 0, c->name);
    return ANORANK_ERROR_DATA;
  }
  for (size_t i = 0; i < data->rows; i++) {
    if (isinf(c->numbers[i])) {
      (void)ank_fail(
          err, ANORANK_ERROR_DATA, "contrast-infinite",
          "column '%s' is infinite in row %zu, so the data have no largest norm; correct or drop the row",
          ank_column_quote(quoted, data, column), i + 1);
      ank_place_row(err, data->source, i, c->name);
      return ANORANK_ERROR_DATA;
    }
    if (fabs(c->numbers[i]) > *largest) *largest = fabs(c->numbers[i]);
  }
  return ANORANK_OK;
}

/* Return the largest row norm; a missing cell counts as 0. Dividing by a power of two near the largest value
 * is exact, and no square can overflow. */
static anorank_status largest_norm(double *out, const anorank_table *data, anorank_error *err) {
  double largest = 0, square = 0;
  int exponent;
  for (size_t j = 0; j < data->columns; j++) ANK_CHECK(check_column(data, j, &largest, err));
  frexp(largest, &exponent);
  if (exponent < -1000) exponent = -1000; /* the scale below must not overflow */
  double scale = ldexp(1, -exponent);
  for (size_t first = 0; first < data->rows; first += BLOCK) {
    double sums[BLOCK] = {0};
    size_t count = data->rows - first < BLOCK ? data->rows - first : BLOCK;
    for (size_t j = 0; j < data->columns; j++)
      for (size_t i = 0; i < count; i++) {
        double x = data->column[j].numbers[first + i];
        if (isnan(x)) continue;
        sums[i] += x * scale * (x * scale);
      }
    for (size_t i = 0; i < count; i++)
      if (sums[i] > square) square = sums[i];
  }
  *out = ldexp(sqrt(square), exponent);
  return ANORANK_OK;
}

static anorank_status learn_radius(void **learned, const anorank_table *data,
                                   const anorank_settings *settings, anorank_error *err) {
  double *radius;
  ANK_CHECK(ank_alloc(&radius, 1, sizeof *radius, err));
  *learned = radius;
  *radius = settings->radius;
  if (!data) return ANORANK_OK;
  ANK_CHECK(ank_law_needs_rows(data, err));
  ANK_CHECK(largest_norm(radius, data, err));
  *radius += settings->epsilon;
  if (isfinite(*radius)) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_DATA, "contrast-too-wide",
                  "the largest row norm of the data is not finite; scale the data");
}

static anorank_status draw_radial(const ank_draw *draw, anorank_error *err) {
  const double *radius = draw->learned;
  double *point = NULL;
  size_t dim = draw->table->columns;
  ANK_CHECK(ank_alloc_raw(&point, dim, sizeof *point, err));
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    double r = *radius * ank_rng_beta(&rng, draw->settings->alpha, draw->settings->beta);
    ank_rng_sphere(&rng, point, dim);
    for (size_t j = 0; j < dim; j++) draw->table->column[j].numbers[draw->first + i] = r * point[j];
  }
  ank_free(point);
  return ANORANK_OK;
}

const ank_law ank_law_radial = {
    .info = {"radial",
             "uniform direction, Beta(alpha, beta) radius up to the largest norm of the data (the paper's "
             "outliers)",
             "dim alpha beta epsilon radius", 1},
    .learn = learn_radius,
    .draw = draw_radial,
};
