/* q_values.c - false-discovery rates by Benjamini and Hochberg (1995).
 *
 *   q_(k) = min over j >= k of  n p_(j) / j,   at most 1;   p_(1) <= ... <= p_(n)
 *
 * Selecting the rows with q <= Q keeps the expected share of normal rows among those selected at most Q, if
 * the p-values of normal rows are independent or positively dependent in the sense of Benjamini and Yekutieli
 * (2001); conformal p-values that share one calibration sample are (Bates et al. 2023). Equal p-values get
 * equal q-values. */
#include "core/alloc.h"
#include "kernels/sort.h"
#include "ranking/ranking.h"

anorank_status ank_q_values(double *q, const double *p, size_t n, const anorank_settings *settings,
                            anorank_error *err) {
  anorank_status status = ANORANK_OK;
  uint32_t *order = NULL;
  double least = 1;
  ANK_TRY(ank_alloc_raw(&order, n, sizeof *order, err));
  ANK_TRY(ank_order(order, p, n, settings, err));
  for (size_t k = n; k-- > 0;) {
    double level = p[order[k]] * (double)n / (double)(k + 1);
    if (level < least) least = level;
    q[order[k]] = least;
  }
done:
  ank_free(order);
  return status;
}
