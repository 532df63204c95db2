/* blend_known.c - the part of a blend that looks at confirmed anomalies.
 *
 *   v(x) = log(d_known + 0.01) - 1/2 log(d_1 + 0.01)
 *
 * d_known is the distance to the nearest confirmed anomaly, d_1 that to the nearest kept row, both in the
 * standard space. The second term says what a distance means where x is: near d_known in a sparse region is
 * near indeed. Nothing is trained, so one anomaly is enough; a row that is near none of them keeps the order
 * of the other parts. The floors make a copy of an anomaly, of a kept row, or of both, as good as near. */
#include <math.h>

#include "core/alloc.h"
#include "scorers/blend.h"

#define FLOOR 0.01

static anorank_status take(ank_blend *blend, const float *held, size_t count, anorank_error *err) {
  return ank_search_make(&blend->known, held, count, blend->kept.dim, err);
}

anorank_status ank_blend_add_known(ank_blend *blend, const ank_matrix *known, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  float *held = NULL;
  if (known->rows == 0) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&held, known->rows, known->dim * sizeof *held, err));
  ank_spaces_hold(held, &blend->kept.spaces, known->values, known->rows);
  ANK_TRY(take(blend, held, known->rows, err));
  blend->part[blend->parts++] =
      (ank_part){ANK_PART_KNOWN, ANORANK_SPACE_STANDARD, 1, known->rows == 1 ? -0.5 : -0.6, 0, 1, 1};
done:
  ank_free(held);
  return status;
}

anorank_status ank_blend_known_values(double *values, const ank_blend *blend, const float *held, size_t count,
                                      const float *squared, size_t step, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  float *nearest = NULL;
  uint32_t *place = NULL;
  ANK_TRY(ank_alloc_raw(&nearest, count, sizeof *nearest, err));
  ANK_TRY(ank_alloc_raw(&place, count, sizeof *place, err));
  ANK_TRY(ank_search_nearest(place, nearest, 1, blend->known, held, count, err));
  for (size_t i = 0; i < count; i++)
    values[i] = log(sqrt((double)nearest[i]) + FLOOR) - 0.5 * log(sqrt((double)squared[i * step]) + FLOOR);
done:
  ank_free(nearest);
  ank_free(place);
  return status;
}

anorank_status ank_blend_save_known(const ank_blend *blend, ank_bytes *out, anorank_error *err) {
  size_t count = blend->known ? ank_search_count(blend->known) : 0;
  anorank_status status = ANORANK_OK;
  float *held = NULL;
  ANK_TRY(ank_alloc_raw(&held, count * blend->kept.dim, sizeof *held, err));
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < blend->kept.dim; j++)
      held[i * blend->kept.dim + j] = ank_search_row(blend->known, i)[j];
  ANK_TRY(ank_bytes_put_f32s(out, held, count * blend->kept.dim, err));
done:
  ank_free(held);
  return status;
}

anorank_status ank_blend_load_known(ank_blend *blend, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  float *held = NULL;
  size_t total;
  ANK_TRY(ank_cursor_f32s(in, &held, &total, err));
  if (total % blend->kept.dim != 0 || total / blend->kept.dim >= ANK_NOWHERE ||
      !ank_spaces_holds(held, total))
    ANK_FAIL(ANORANK_ERROR_MODEL, "the model is damaged: its known anomalies make no sense");
  if (total > 0) ANK_TRY(take(blend, held, total / blend->kept.dim, err));
done:
  ank_free(held);
  return status;
}
