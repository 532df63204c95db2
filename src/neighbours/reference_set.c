/* reference_set.c - see reference_set.h. */
#include "neighbours/reference_set.h"

#include <string.h>

#include "core/alloc.h"

void ank_reference_set_free(ank_reference_set *reference_set) {
  ank_spaces_free(&reference_set->spaces);
  ank_free(reference_set->rows);
  for (size_t s = 0; s < ANK_SPACES; s++) {
    ank_search_free(reference_set->search[s]);
    ank_free(reference_set->mapped[s]);
  }
  *reference_set = (ank_reference_set){0};
}

anorank_status ank_gather(double **out, const ank_matrix *x, const size_t *chosen, size_t count,
                          anorank_error *err) {
  ANK_CHECK(ank_alloc_raw(out, count, x->dim * sizeof **out, err));
  for (size_t i = 0; i < count; i++)
    memcpy(*out + i * x->dim, x->values + chosen[i] * x->dim, x->dim * sizeof **out);
  return ANORANK_OK;
}

static anorank_status hold(ank_reference_set *reference_set, const ank_matrix *rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&reference_set->rows, rows->rows, rows->dim * sizeof *reference_set->rows, err));
  ank_spaces_hold(reference_set->rows, &reference_set->spaces, rows->values, rows->rows);
done:
  if (status != ANORANK_OK) ank_reference_set_free(reference_set);
  return status;
}

anorank_status ank_reference_set_make(ank_reference_set *out, const ank_matrix *rows,
                                      const unsigned char *as_given, int cut,
                                      const anorank_settings *settings, anorank_error *err) {
  *out = (ank_reference_set){.count = rows->rows, .dim = rows->dim};
  ANK_CHECK(ank_spaces_fit(&out->spaces, rows, as_given, cut, settings, err));
  return hold(out, rows, err);
}

anorank_status ank_reference_set_rebuild(ank_reference_set *out, ank_reference_set *from,
                                         const ank_matrix *rows, anorank_error *err) {
  *out = (ank_reference_set){.spaces = from->spaces, .count = rows->rows, .dim = rows->dim};
  from->spaces = (ank_spaces){0};
  return hold(out, rows, err);
}

anorank_status ank_reference_set_prepare(ank_reference_set *reference_set, anorank_space space,
                                         anorank_error *err) {
  anorank_status status = ANORANK_OK;
  float *mapped = NULL;
  space = ank_spaces_first(&reference_set->spaces, space);
  if (reference_set->search[space]) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&mapped, reference_set->count, reference_set->dim * sizeof *mapped, err));
  ank_spaces_map(mapped, &reference_set->spaces, space, reference_set->rows, reference_set->count);
  ANK_TRY(
      ank_search_make(&reference_set->search[space], mapped, reference_set->count, reference_set->dim, err));
done:
  ank_free(mapped);
  return status;
}

anorank_status ank_reference_set_map(ank_reference_set *reference_set, anorank_space space,
                                     anorank_error *err) {
  space = ank_spaces_first(&reference_set->spaces, space);
  if (space == ANORANK_SPACE_STANDARD || reference_set->mapped[space]) return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(&reference_set->mapped[space], reference_set->count,
                          reference_set->dim * sizeof **reference_set->mapped, err));
  ank_spaces_map(reference_set->mapped[space], &reference_set->spaces, space, reference_set->rows,
                 reference_set->count);
  return ANORANK_OK;
}

size_t ank_reference_set_moving(const ank_reference_set *reference_set) {
  size_t moving = 0;
  for (size_t j = 0; j < reference_set->dim; j++) {
    size_t i = 1;
    while (i < reference_set->count &&
           reference_set->rows[i * reference_set->dim + j] == reference_set->rows[j])
      i++;
    moving += i < reference_set->count;
  }
  return moving;
}

ank_near ank_near_without(uint32_t *place, float *squared, size_t found, uint32_t own, int skip_copy) {
  size_t at = found;
  if (skip_copy) at = squared[0] == 0 ? 0 : found;
  for (size_t i = 0; own != ANK_NOWHERE && i < found; i++)
    if (place[i] == own) at = i;
  if (at == found || found == 1) return (ank_near){place, squared, found};
  memmove(place + at, place + at + 1, (found - at - 1) * sizeof *place);
  memmove(squared + at, squared + at + 1, (found - at - 1) * sizeof *squared);
  return (ank_near){place, squared, found - 1};
}

size_t ank_reference_set_bytes(const ank_reference_set *reference_set) {
  size_t bytes = ank_spaces_bytes(&reference_set->spaces) +
                 reference_set->count * reference_set->dim * sizeof *reference_set->rows;
  for (size_t s = 0; s < ANK_SPACES; s++)
    bytes +=
        (reference_set->search[s] ? ank_search_bytes(reference_set->search[s]) : 0) +
        (reference_set->mapped[s] ? reference_set->count * reference_set->dim * sizeof **reference_set->mapped
                                  : 0);
  return bytes;
}

anorank_status ank_reference_set_save(const ank_reference_set *reference_set, ank_bytes *out,
                                      anorank_error *err) {
  ANK_CHECK(ank_spaces_save(&reference_set->spaces, out, err));
  return ank_bytes_put_f32s(out, reference_set->rows, reference_set->count * reference_set->dim, err);
}

anorank_status ank_reference_set_load(ank_reference_set *out, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t total;
  *out = (ank_reference_set){0};
  ANK_TRY(ank_spaces_load(&out->spaces, in, err));
  ANK_TRY(ank_cursor_f32s(in, &out->rows, &total, err));
  out->dim = out->spaces.dim;
  out->count = total / out->dim;
  if (total == 0 || total % out->dim != 0 || out->count >= ANK_NOWHERE || !ank_spaces_holds(out->rows, total))
    ANK_FAIL(ANORANK_ERROR_MODEL, "model-reference-rows",
             "the model is damaged: its stored reference rows are invalid");
done:
  if (status != ANORANK_OK) ank_reference_set_free(out);
  return status;
}
