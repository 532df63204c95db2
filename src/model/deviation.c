/* deviation.c - see deviation.h. */
#include "model/deviation.h"

#include <math.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "kernels/sort.h"

static double bend(double z) {
  double most = ANK_DEVIATION_BEND;
  return z > most ? most + log1p(z - most) : z < -most ? -most - log1p(-most - z) : z;
}

double ank_deviation_of(const ank_pipeline *pipeline, const double *features) {
  double sum = 0;
  for (size_t k = 0; k < pipeline->deviations; k++) {
    const ank_deviation_term *term = &pipeline->deviation[k];
    sum += term->weight * bend((features[term->feature] - term->centre) / term->scale);
  }
  return sum;
}

static double quantile(const double *sorted, size_t n, double share) {
  double at = share * (double)(n - 1);
  size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;
  return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

/* The width of the lower half, which anomalies do not affect, as a standard deviation. */
static anorank_status half_width(double *centre, double *width, double *values, size_t n,
                                 const anorank_settings *settings, anorank_error *err) {
  ANK_CHECK(ank_sort(values, n, settings, err));
  *centre = quantile(values, n, 0.5);
  *width = (*centre - quantile(values, n, 0.1)) / 1.2816;
  return ANORANK_OK;
}

anorank_status ank_deviation_fit(ank_pipeline *pipeline, const anorank_table *table, const double *x,
                                 const double *scores, size_t rows, const anorank_settings *settings,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t dim = ank_prepare_dim(pipeline->prepare);
  double *values = NULL, centre, width;
  ANK_TRY(ank_alloc_raw(&values, rows, sizeof *values, err));
  for (size_t i = 0; i < rows; i++) values[i] = -scores[i];
  ANK_TRY(half_width(&centre, &width, values, rows, settings, err));
  double weight = width * (settings->train == ANORANK_TRAIN_CONTAMINATED ? ANK_DEVIATION_CONTAMINATED
                                                                         : ANK_DEVIATION_CLEAN);
  double scale = 0,
         above = 0; /* of all terms: what one key says must not weigh more, because it says little */
  for (size_t j = 0; j < table->columns && pipeline->deviations < ANK_MOST_DEVIATIONS; j++) {
    anorank_model_column column = ank_prepare_column(pipeline->prepare, j);
    if (!table->column[j].deviation || column.role != ANORANK_ROLE_NUMERIC || !(weight > 0)) continue;
    ank_deviation_term *term = &pipeline->deviation[pipeline->deviations++];
    for (size_t i = 0; i < rows; i++) values[i] = x[i * dim + column.first_feature];
    *term = (ank_deviation_term){.feature = column.first_feature, .weight = weight};
    ANK_TRY(half_width(&term->centre, &term->scale, values, rows, settings, err));
    scale = fmax(scale, term->scale);
    above = fmax(above, values[rows - 1] - term->centre);
  }
  if (!(scale > ANK_DEVIATION_LEAST_SCALE))
    scale = fmax(above / ANK_DEVIATION_BEND, ANK_DEVIATION_LEAST_SCALE);
  for (size_t k = 0; k < pipeline->deviations; k++) pipeline->deviation[k].scale = scale;
done:
  ank_free(values);
  return status;
}
