/* hull.c - see hull.h. */
#include "neighbours/hull.h"

#include <math.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "kernels/vector.h"

double ank_hull_ridge(size_t neighbours, size_t columns) {
  double share = (double)neighbours / (double)(columns > 0 ? columns : 1);
  return ANK_HULL_RIDGE * (share > 1 ? share * share : 1);
}

anorank_status ank_hull_values(double *values, const float *rows, size_t count, size_t dim,
                               const float *const *near, const uint32_t *some, size_t k, double ridge,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const float *packed[ANK_HULL_ROWS * ANK_HULL_MOST];
  double *scratch = NULL;
  ANK_TRY(ank_alloc_raw(&scratch, ank_hull_scratch(k), sizeof *scratch, err));
  for (size_t from = 0, to; from < count; from = to) { /* rows with the same number of neighbours form a
                                                        * batch */
    size_t own = some[from];
    for (to = from; to < count && to - from < ANK_HULL_ROWS && some[to] == own; to++)
      for (size_t a = 0; a < own; a++) packed[(to - from) * own + a] = near[to * k + a];
    ank_hulls(values + from, rows + from * dim, to - from, dim, packed, own, ridge, scratch);
  }
  for (size_t i = 0; i < count; i++) values[i] = fmax(values[i], 0) + ANK_HULL_FLOOR;
  ank_log(values, values, count);
  for (size_t i = 0; i < count; i++) values[i] *= 0.5;
done:
  ank_free(scratch);
  return status;
}
