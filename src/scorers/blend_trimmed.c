/* blend_trimmed.c - the trimmed rows that a blend of contaminated training stores. They are searched in the
 * spaces of the kept rows, so that distances to both are comparable. */
#include "core/alloc.h"
#include "scorers/blend.h"

anorank_status ank_blend_add_trimmed(ank_blend *blend, const ank_matrix *rows, anorank_error *err) {
  ank_reference_set *trimmed = &blend->trimmed;
  if (rows->rows == 0) return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(&trimmed->rows, rows->rows, rows->dim * sizeof *trimmed->rows, err));
  ank_spaces_hold(trimmed->rows, &blend->reference_set.spaces, rows->values, rows->rows);
  trimmed->count = rows->rows;
  trimmed->dim = rows->dim;
  return ANORANK_OK;
}

/* Map the rows into one of the spaces of the kept ones. */
static anorank_status mapped(float **out, const ank_blend *blend, anorank_space space, anorank_error *err) {
  const ank_reference_set *trimmed = &blend->trimmed;
  anorank_status status = ank_alloc_raw(out, trimmed->count, trimmed->dim * sizeof **out, err);
  if (status == ANORANK_OK)
    ank_spaces_map(*out, &blend->reference_set.spaces, space, trimmed->rows, trimmed->count);
  return status;
}

anorank_status ank_blend_prepare_trimmed(ank_blend *blend, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_reference_set *trimmed = &blend->trimmed;
  float *rows = NULL;
  if (trimmed->count == 0) return ANORANK_OK;
  ANK_TRY(mapped(&rows, blend, blend->space, err));
  ANK_TRY(ank_search_make(&trimmed->search[blend->space], rows, trimmed->count, trimmed->dim, err));
  for (size_t s = 0; s < ANK_SPACES; s++)
    if (blend->reference_set.mapped[s]) ANK_TRY(mapped(&trimmed->mapped[s], blend, (anorank_space)s, err));
done:
  ank_free(rows);
  return status;
}

anorank_status ank_blend_save_trimmed(const ank_blend *blend, ank_bytes *out, anorank_error *err) {
  return ank_bytes_put_f32s(out, blend->trimmed.rows, blend->trimmed.count * blend->reference_set.dim, err);
}

anorank_status ank_blend_load_trimmed(ank_blend *blend, ank_cursor *in, anorank_error *err) {
  size_t total;
  ank_reference_set *trimmed = &blend->trimmed;
  ANK_CHECK(ank_cursor_f32s(in, &trimmed->rows, &total, err));
  trimmed->dim = blend->reference_set.dim;
  trimmed->count = total / trimmed->dim;
  if (total != trimmed->count * trimmed->dim || !ank_spaces_holds(trimmed->rows, total))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-blend",
                    "the model is damaged: one part of its blend is invalid");
  return ANORANK_OK;
}
