/* column.c - see column.h. */
#include "contrast/column.h"

#include <math.h>

#include "contrast/law.h"

static anorank_status refuse_empty(const anorank_table *data, size_t column, const char *law,
                                   anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  (void)ank_fail(err, ANORANK_ERROR_DATA, "contrast-column-empty",
                 "column '%s' has no value, so the law '%s' cannot draw around the data; drop the column",
                 ank_column_quote(quoted, data, column), law);
  ank_error_set_location(err, data->source, 0, data->column[column].name);
  return ANORANK_ERROR_DATA;
}

/* Compute mean and standard deviation of the values, scaled by a power of two so that all are at most 1 in
 * magnitude. Scaling is exact, and no sum or square can overflow. */
static void moments(ank_column_facts *out, const double *x, size_t rows) {
  int exponent;
  double sum = 0, squares = 0, count = 0;
  frexp(fmax(fabs(out->low), fabs(out->high)), &exponent);
  if (exponent < -1000) exponent = -1000; /* the scale must not overflow */
  double scale = ldexp(1, -exponent);
  for (size_t i = 0; i < rows; i++) {
    if (isnan(x[i])) continue;
    sum += x[i] * scale;
    count++;
  }
  double mean = sum / count;
  for (size_t i = 0; i < rows; i++) {
    if (isnan(x[i])) continue;
    double gap = x[i] * scale - mean;
    squares += gap * gap;
  }
  out->mean = ldexp(mean, exponent);
  out->sd = ldexp(sqrt(squares / count), exponent);
}

anorank_status ank_column_measure(ank_column_facts *out, const anorank_table *data, size_t column,
                                  const char *law, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  const double *x = data->column[column].numbers;
  *out = (ank_column_facts){.low = INFINITY, .high = -INFINITY};
  for (size_t i = 0; i < data->rows; i++) {
    if (isinf(x[i])) {
      (void)ank_fail(err, ANORANK_ERROR_DATA, "contrast-infinite",
                     "column '%s' is infinite in row %zu, so the law '%s' cannot draw around the data; "
                     "correct or drop the row",
                     ank_column_quote(quoted, data, column), i + 1, law);
      ank_place_row(err, data->source, i, data->column[column].name);
      return ANORANK_ERROR_DATA;
    }
    if (x[i] < out->low) out->low = x[i];
    if (x[i] > out->high) out->high = x[i];
  }
  if (out->low > out->high) return refuse_empty(data, column, law, err);
  out->mean = out->low;
  if (out->low < out->high) moments(out, x, data->rows);
  return ANORANK_OK;
}

anorank_status ank_column_levels(size_t *out, const anorank_table *data, size_t column, const char *law,
                                 anorank_error *err) {
  *out = data->column[column].levels.count;
  return *out ? ANORANK_OK : refuse_empty(data, column, law, err);
}
