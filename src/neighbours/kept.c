/* kept.c - see kept.h. */
#include "neighbours/kept.h"

#include <string.h>

#include "core/alloc.h"

void ank_kept_free(ank_kept *kept) {
  ank_spaces_free(&kept->spaces);
  ank_free(kept->rows);
  for (size_t s = 0; s < ANK_SPACES; s++) {
    ank_search_free(kept->search[s]);
    ank_free(kept->mapped[s]);
  }
  *kept = (ank_kept){0};
}

anorank_status ank_gather(double **out, const ank_matrix *x, const size_t *chosen, size_t count,
                          anorank_error *err) {
  ANK_CHECK(ank_alloc_raw(out, count, x->dim * sizeof **out, err));
  for (size_t i = 0; i < count; i++)
    memcpy(*out + i * x->dim, x->values + chosen[i] * x->dim, x->dim * sizeof **out);
  return ANORANK_OK;
}

static anorank_status hold(ank_kept *kept, const ank_matrix *rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&kept->rows, rows->rows, rows->dim * sizeof *kept->rows, err));
  ank_spaces_hold(kept->rows, &kept->spaces, rows->values, rows->rows);
done:
  if (status != ANORANK_OK) ank_kept_free(kept);
  return status;
}

anorank_status ank_kept_make(ank_kept *out, const ank_matrix *rows, const unsigned char *as_given, int cut,
                             const anorank_settings *settings, anorank_error *err) {
  *out = (ank_kept){.count = rows->rows, .dim = rows->dim};
  ANK_CHECK(ank_spaces_fit(&out->spaces, rows, as_given, cut, settings, err));
  return hold(out, rows, err);
}

anorank_status ank_kept_again(ank_kept *out, ank_kept *from, const ank_matrix *rows, anorank_error *err) {
  *out = (ank_kept){.spaces = from->spaces, .count = rows->rows, .dim = rows->dim};
  from->spaces = (ank_spaces){0};
  return hold(out, rows, err);
}

anorank_status ank_kept_prepare(ank_kept *kept, anorank_space space, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  float *mapped = NULL;
  space = ank_spaces_first(&kept->spaces, space);
  if (kept->search[space]) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&mapped, kept->count, kept->dim * sizeof *mapped, err));
  ank_spaces_map(mapped, &kept->spaces, space, kept->rows, kept->count);
  ANK_TRY(ank_search_make(&kept->search[space], mapped, kept->count, kept->dim, err));
done:
  ank_free(mapped);
  return status;
}

anorank_status ank_kept_map(ank_kept *kept, anorank_space space, anorank_error *err) {
  space = ank_spaces_first(&kept->spaces, space);
  if (space == ANORANK_SPACE_STANDARD || kept->mapped[space]) return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(&kept->mapped[space], kept->count, kept->dim * sizeof **kept->mapped, err));
  ank_spaces_map(kept->mapped[space], &kept->spaces, space, kept->rows, kept->count);
  return ANORANK_OK;
}

size_t ank_kept_moving(const ank_kept *kept) {
  size_t moving = 0;
  for (size_t j = 0; j < kept->dim; j++) {
    size_t i = 1;
    while (i < kept->count && kept->rows[i * kept->dim + j] == kept->rows[j]) i++;
    moving += i < kept->count;
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

size_t ank_kept_bytes(const ank_kept *kept) {
  size_t bytes = ank_spaces_bytes(&kept->spaces) + kept->count * kept->dim * sizeof *kept->rows;
  for (size_t s = 0; s < ANK_SPACES; s++)
    bytes += (kept->search[s] ? ank_search_bytes(kept->search[s]) : 0) +
             (kept->mapped[s] ? kept->count * kept->dim * sizeof **kept->mapped : 0);
  return bytes;
}

anorank_status ank_kept_save(const ank_kept *kept, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_spaces_save(&kept->spaces, out, err));
  return ank_bytes_put_f32s(out, kept->rows, kept->count * kept->dim, err);
}

anorank_status ank_kept_load(ank_kept *out, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t total;
  *out = (ank_kept){0};
  ANK_TRY(ank_spaces_load(&out->spaces, in, err));
  ANK_TRY(ank_cursor_f32s(in, &out->rows, &total, err));
  out->dim = out->spaces.dim;
  out->count = total / out->dim;
  if (total == 0 || total % out->dim != 0 || out->count >= ANK_NOWHERE || !ank_spaces_holds(out->rows, total))
    ANK_FAIL(ANORANK_ERROR_MODEL, "model-reference-rows", "the model is damaged: its kept rows are invalid");
done:
  if (status != ANORANK_OK) ank_kept_free(out);
  return status;
}
