/* order.c - rows in order of abnormality. */
#include "kernels/sort.h"
#include "ranking/ranking.h"

anorank_status ank_order(uint32_t *order, const double *scores, size_t n, const anorank_settings *settings,
                         anorank_error *err) {
  if (n >= UINT32_MAX)
    return ank_fail(err, ANORANK_ERROR_USAGE, "rows-too-many",
                    "%zu rows are too many to sort at once; score them and sort the file", n);
  return ank_argsort(order, scores, n, settings, err);
}

void ank_ranks_in_order(size_t *ranks, const uint32_t *order, const double *scores, size_t n) {
  for (size_t k = 0; k < n; k++) /* -0 and 0 are equal here as in the order */
    ranks[k] = k > 0 && scores[order[k]] == scores[order[k - 1]] ? ranks[k - 1] : k + 1;
}
