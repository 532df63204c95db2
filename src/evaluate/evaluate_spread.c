/* evaluate_spread.c - quantiles of the scores of the evaluated and of the contrast rows. */
#include <string.h>

#include "core/alloc.h"
#include "evaluate/evaluate.h"
#include "kernels/sort.h"

static anorank_status quantiles(double out[ANK_SPREAD], const double *scores, size_t n,
                                const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *sorted = NULL;
  ANK_TRY(ank_alloc_raw(&sorted, n, sizeof *sorted, err));
  memcpy(sorted, scores, n * sizeof *sorted);
  ANK_TRY(ank_sort(sorted, n, settings, err));
  for (size_t k = 0; k < ANK_SPREAD; k++) out[k] = sorted[k * (n - 1) / (ANK_SPREAD - 1)];
done:
  ank_free(sorted);
  return status;
}

anorank_status ank_evaluation_spread(anorank_evaluation *evaluation, const double *x, size_t n,
                                     const double *u, size_t m, const anorank_settings *settings,
                                     anorank_error *err) {
  anorank_status status = quantiles(evaluation->judged_at, x, n, settings, err);
  return status == ANORANK_OK ? quantiles(evaluation->contrast_at, u, m, settings, err) : status;
}
