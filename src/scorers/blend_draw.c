/* blend_draw.c - the rows that a blend draws, known anomalies among them, and quantiles (blend.h). */
#include "core/alloc.h"
#include "neighbours/references.h"
#include "scorers/blend.h"

double ank_blend_quantile(const double *sorted, size_t n, double share) {
  double at = share * (double)(n - 1);
  size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;
  return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

/* Return whether row i of X equals a known anomaly. */
static int is_known(const ank_samples *samples, size_t i) {
  const double *row = samples->x.values + i * samples->x.dim;
  for (size_t r = 0; r < samples->known.rows; r++) {
    const double *known = samples->known.values + r * samples->x.dim;
    size_t j = 0;
    while (j < samples->x.dim && row[j] == known[j]) j++;
    if (j == samples->x.dim) return 1;
  }
  return 0;
}

anorank_status ank_blend_mark_known(unsigned char **known, const ank_samples *samples, const size_t *drawn,
                                    size_t count, anorank_error *err) {
  if (samples->known.rows == 0) return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(known, count, sizeof **known, err));
  for (size_t i = 0; i < count; i++) (*known)[i] = (unsigned char)is_known(samples, drawn ? drawn[i] : i);
  return ANORANK_OK;
}

size_t ank_blend_leave_known(size_t *drawn, size_t count, const unsigned char *known) {
  size_t others = 0, left = 0;
  if (!known) return count;
  for (size_t i = 0; i < count; i++) others += !known[drawn[i]];
  if (others == 0) return count;
  for (size_t i = 0; i < count; i++)
    if (!known[drawn[i]]) drawn[left++] = drawn[i];
  return left;
}

anorank_status ank_blend_draw(size_t **out, size_t *count, const ank_samples *samples, int64_t most,
                              uint64_t seed, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  unsigned char *known = NULL;
  *out = NULL;
  *count = (uint64_t)most < samples->x.rows ? (size_t)most : samples->x.rows;
  ANK_TRY(ank_blend_mark_known(&known, samples, NULL, samples->x.rows, err));
  ANK_TRY(ank_references_draw(out, 0, *count, samples->x.rows, seed, err));
  *count = ank_blend_leave_known(*out, *count, known);
done:
  ank_free(known);
  return status;
}
