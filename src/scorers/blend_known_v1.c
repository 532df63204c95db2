/* blend_known_v1.c - the part of a blend for confirmed anomalies in model files of version 0.1; newer fits
 * use blend_feedback_fit.c.
 *
 *   v(x) = log(d_known + 0.01) - 1/2 log(d_1 + 0.01)
 *
 * d_known is the distance to the nearest confirmed anomaly, d_1 that to the nearest kept row, both in the
 * space of the blend's search. The second term relates a distance to the density at x: the same d_known is
 * closer in a sparse region. Nothing is trained, so one anomaly is enough; a row far from all of them keeps
 * the order of the other parts. The floors treat a copy of an anomaly, of a kept row, or of both, as near. */
#include <math.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "scorers/blend.h"

anorank_status ank_blend_prepare_known(ank_blend *blend, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  float *mapped = NULL;
  if (blend->known_rows == 0) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&mapped, blend->known_rows, blend->reference_set.dim * sizeof *mapped, err));
  ank_spaces_map(mapped, &blend->reference_set.spaces, blend->space, blend->known, blend->known_rows);
  ANK_TRY(ank_search_make(&blend->near_known, mapped, blend->known_rows, blend->reference_set.dim, err));
done:
  ank_free(mapped);
  return status;
}

anorank_status ank_blend_known_values(double *values, const ank_blend *blend, const float *mapped,
                                      size_t count, const float *squared, size_t step, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  float *nearest = NULL;
  uint32_t *place = NULL;
  ANK_TRY(ank_alloc_raw(&nearest, count, sizeof *nearest, err));
  ANK_TRY(ank_alloc_raw(&place, count, sizeof *place, err));
  ANK_TRY(ank_search_nearest(place, nearest, 1, blend->near_known, mapped, count, err));
  for (size_t i = 0; i < count; i++)
    values[i] = log(sqrt((double)nearest[i]) + ANK_FEEDBACK_FLOOR) -
                ANK_FEEDBACK_PLACE * log(sqrt((double)squared[i * step]) + ANK_FEEDBACK_FLOOR);
done:
  ank_free(nearest);
  ank_free(place);
  return status;
}

anorank_status ank_blend_save_known(const ank_blend *blend, ank_bytes *out, anorank_error *err) {
  return ank_bytes_put_f32s(out, blend->known, blend->known_rows * blend->reference_set.dim, err);
}

anorank_status ank_blend_load_known(ank_blend *blend, ank_cursor *in, anorank_error *err) {
  size_t total;
  ANK_CHECK(ank_cursor_f32s(in, &blend->known, &total, err));
  blend->known_rows = total / blend->reference_set.dim;
  if (total % blend->reference_set.dim != 0 || blend->known_rows >= ANK_NOWHERE ||
      !ank_spaces_holds(blend->known, total))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-known-anomalies",
                    "the model is damaged: its known anomalies are invalid");
  return ANORANK_OK;
}
