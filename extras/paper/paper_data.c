/* paper_data.c - see paper_data.h. */
#include "paper/paper_data.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/rng.h"

static void gaussian_rows(ank_rng *rng, double *rows, size_t count, size_t dim) {
  for (size_t k = 0; k < count * dim; k++) rows[k] = sqrt(0.1) * ank_rng_normal(rng);
}

/* Draw RadLaw(alpha, beta) times the radius: direction uniform on the sphere, norm Beta. */
static void radial_rows(ank_rng *rng, double *rows, size_t count, size_t dim, double alpha, double beta,
                        double radius) {
  for (size_t i = 0; i < count; i++, rows += dim) {
    ank_rng_sphere(rng, rows, dim);
    double norm = radius * ank_rng_beta(rng, alpha, beta);
    for (size_t j = 0; j < dim; j++) rows[j] *= norm;
  }
}

static double largest_norm(const double *rows, size_t count, size_t dim) {
  double largest = 0;
  for (size_t i = 0; i < count; i++, rows += dim) {
    double square = 0;
    for (size_t j = 0; j < dim; j++) square += rows[j] * rows[j];
    if (square > largest) largest = square;
  }
  return sqrt(largest);
}

anorank_status ank_paper_draw(ank_paper_data *out, size_t repetition, const anorank_settings *settings,
                              anorank_error *err) {
  const size_t sizes[] = {ANK_PAPER_X, ANK_PAPER_U, ANK_PAPER_TEST_X + ANK_PAPER_TEST_U, ANK_PAPER_CURVE_X,
                          ANK_PAPER_CURVE_U};
  double **const parts[] = {&out->x, &out->u, &out->test, &out->curve_x, &out->curve_u};
  size_t dim = (size_t)settings->dim, total = 0;
  ank_rng rng;
  *out = (ank_paper_data){.dim = dim};
  for (size_t k = 0; k < 5; k++) total += sizes[k] * dim;
  anorank_status status = ank_alloc_raw(&out->block, total, sizeof *out->block, err);
  if (status != ANORANK_OK) return status;
  double *next = out->block;
  for (size_t k = 0; k < 5; k++) {
    *parts[k] = next;
    next += sizes[k] * dim;
  }
  ank_rng_open(&rng, settings->seed, ANK_STREAM_PAPER, repetition);
  gaussian_rows(&rng, out->x, ANK_PAPER_X, dim);
  out->radius = largest_norm(out->x, ANK_PAPER_X, dim) + settings->epsilon;
  radial_rows(&rng, out->u, ANK_PAPER_U, dim, settings->alpha, settings->beta, out->radius);
  gaussian_rows(&rng, out->test, ANK_PAPER_TEST_X, dim);
  radial_rows(&rng, out->test + ANK_PAPER_TEST_X * dim, ANK_PAPER_TEST_U, dim, 2, 1, out->radius);
  memset(out->labels, 0, ANK_PAPER_TEST_X);
  memset(out->labels + ANK_PAPER_TEST_X, 1, ANK_PAPER_TEST_U);
  gaussian_rows(&rng, out->curve_x, ANK_PAPER_CURVE_X, dim);
  /* a norm with law Beta(d, 1) makes the row uniform in the ball, so volume is Lebesgue measure */
  radial_rows(&rng, out->curve_u, ANK_PAPER_CURVE_U, dim, (double)dim, 1, out->radius);
  return ANORANK_OK;
}

void ank_paper_free(ank_paper_data *data) {
  ank_free(data->block);
  *data = (ank_paper_data){0};
}
