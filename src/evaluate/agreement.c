/* agreement.c - two orders of the same rows: Spearman's correlation and the overlap of their lowest rows.
 *
 * Spearman's correlation is Pearson's of the mid-ranks. The overlap of the k lowest rows is the share of them
 * that the two orders have in common. Rows that are tied at the border share the positions left to them, as
 * if each order broke its ties at random. If row numbers broke ties, two constant scores would agree
 * completely although they carry no information; here they overlap by chance, k / n. */
#include "evaluate/agreement.h"

#include <math.h>

#include "core/alloc.h"
#include "kernels/sort.h"

static const double shares[ANORANK_AGREEMENT_SHARES] = {0.01, 0.05, 0.10};

/* Mid-ranks have the mean (n + 1) / 2 for any ties; all sums are of halves and quarters, below 2^53 up to
 * 10^5 rows and correct to rounding beyond. */
static double correlation(const double *a, const double *b, size_t n) {
  double middle = ((double)n + 1) / 2, ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < n; i++) {
    double x = a[i] - middle, y = b[i] - middle;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa > 0 && bb > 0 ? ab / (sqrt(aa) * sqrt(bb)) : (double)NAN;
}

/* weight[i]: the probability that row i is among the k lowest if ties are broken at random. */
static void weigh_lowest(double *weight, const double *values, const uint32_t *order, size_t n, size_t k) {
  for (size_t first = 0, end; first < n; first = end) {
    for (end = first + 1; end < n && values[order[end]] == values[order[first]];) end++;
    double places = k <= first ? 0 : (double)(k < end ? k - first : end - first);
    for (size_t i = first; i < end; i++) weight[order[i]] = places / (double)(end - first);
  }
}

anorank_status ank_rank_agreement(anorank_agreement *out, const double *first, const double *second, size_t n,
                                  const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const double *const scores[2] = {first, second};
  double *work[2] = {NULL, NULL};
  uint32_t *order[2] = {NULL, NULL};
  anorank_agreement made = {.rows = n};
  for (int s = 0; s < 2; s++) {
    ANK_TRY(ank_alloc_raw(&work[s], n, sizeof **work, err));
    ANK_TRY(ank_alloc_raw(&order[s], n, sizeof **order, err));
    ANK_TRY(ank_rank(work[s], scores[s], n, ANORANK_TIES_MID, settings, err));
    ANK_TRY(ank_argsort(order[s], scores[s], n, settings, err));
  }
  made.spearman = correlation(work[0], work[1], n);
  for (size_t j = 0; j < ANORANK_AGREEMENT_SHARES; j++) {
    size_t k = (size_t)ceil(shares[j] * (double)n - 1e-9);
    double common = 0;
    if (k < 1) k = 1;
    for (int s = 0; s < 2; s++) weigh_lowest(work[s], scores[s], order[s], n, k);
    for (size_t i = 0; i < n; i++) common += work[0][i] * work[1][i];
    made.lowest[j] = (anorank_overlap){shares[j], k, common / (double)k, (double)k / (double)n};
  }
  *out = made;
done:
  for (int s = 0; s < 2; s++) {
    ank_free(work[s]);
    ank_free(order[s]);
  }
  return status;
}
