/* scorer_hull.c - distance to the local hull: the affine hull of the nearest kept rows.
 *
 *   s(x) = - 1/2 log( w' G w + 1e-6 )     over the `hull-neighbours` kept rows nearest to x (hull.h)
 *
 * in the space named by `space` (space.h). All of X is kept, or `references` random rows of it if it has
 * more. Where normal rows lie near a surface of few dimensions, the distance to that surface is more
 * informative than the distance to the nearest row. score_left_out excludes a row of X from its neighbours;
 * score skips one exact copy if skip_copies.h says so. One search and O(k^2 (d + k)) per row. File: 4 bytes
 * per kept value, and the maps. */
#include "core/alloc.h"
#include "neighbours/hull.h"
#include "neighbours/reference_set.h"
#include "neighbours/references.h"
#include "neighbours/skip_copies.h"
#include "scorers/scorer.h"

typedef struct {
  ank_reference_set reference_set;
  anorank_space space;
  size_t neighbours;
  double ridge;
  int skip_copy;
} hull;

static void hull_free(void *scorer) {
  hull *self = scorer;
  if (!self) return;
  ank_reference_set_free(&self->reference_set);
  ank_free(self);
}

/* Draw the rows of X to keep. */
static anorank_status draw(size_t **out, size_t *count, const ank_samples *samples,
                           const anorank_settings *settings, anorank_error *err) {
  *count = samples->x.rows;
  if ((uint64_t)settings->reference_rows < *count) *count = (size_t)settings->reference_rows;
  return ank_references_draw(out, 0, *count, samples->x.rows, settings->seed, err);
}

static anorank_status prepare(hull *self, anorank_error *err) {
  self->space = ank_spaces_first(&self->reference_set.spaces, self->space);
  self->ridge = ank_hull_ridge(self->neighbours, ank_reference_set_moving(&self->reference_set));
  return ank_reference_set_prepare(&self->reference_set, self->space, err);
}

static anorank_status hull_fit(void *scorer, const ank_samples *samples, const anorank_settings *settings,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  hull *self = scorer;
  size_t *chosen = NULL, count;
  double *rows = NULL;
  ANK_TRY(draw(&chosen, &count, samples, settings, err));
  self->neighbours = (size_t)settings->hull_neighbours;
  ANK_TRY(ank_skips_copies(&self->skip_copy, &samples->x, samples->had_copies, settings, err));
  ANK_TRY(ank_gather(&rows, &samples->x, chosen, count, err));
  ank_matrix reference_set = {rows, count, samples->x.dim};
  ANK_TRY(ank_reference_set_make(&self->reference_set, &reference_set, samples->as_given, 0, settings, err));
  self->space = (anorank_space)settings->hull_scaling;
  ANK_TRY(prepare(self, err));
done:
  ank_free(chosen);
  ank_free(rows);
  return status;
}

/* `own`: the indices of the rows among the reference rows, excluded from their neighbours; NULL: none. */
static anorank_status score_rows(double *scores, const void *scorer, const ank_matrix *rows,
                                 const uint32_t *own, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const hull *self = scorer;
  const ank_search *search = self->reference_set.search[self->space];
  int skip_copy = self->skip_copy && !own;
  size_t dim = rows->dim, k = self->neighbours + (own || skip_copy),
         most = rows->rows < ANK_LEFT_OUT_BLOCK ? rows->rows : ANK_LEFT_OUT_BLOCK;
  float *mapped = NULL, *squared = NULL;
  const float **near = NULL;
  uint32_t *place = NULL, some[ANK_LEFT_OUT_BLOCK];
  if (k > self->reference_set.count) k = self->reference_set.count;
  ANK_TRY(ank_alloc_raw(&mapped, most, dim * sizeof *mapped, err));
  ANK_TRY(ank_alloc_raw(&squared, most, k * sizeof *squared, err));
  ANK_TRY(ank_alloc_raw(&place, most, k * sizeof *place, err));
  ANK_TRY(ank_alloc_raw(&near, most, self->neighbours * sizeof *near, err));
  for (size_t from = 0; from < rows->rows; from += ANK_LEFT_OUT_BLOCK) {
    size_t count = rows->rows - from < ANK_LEFT_OUT_BLOCK ? rows->rows - from : ANK_LEFT_OUT_BLOCK;
    ank_spaces_hold(mapped, &self->reference_set.spaces, rows->values + from * dim, count);
    ank_spaces_map(mapped, &self->reference_set.spaces, self->space, mapped, count);
    ANK_TRY(ank_search_nearest(place, squared, k, search, mapped, count, err));
    for (size_t i = 0; i < count; i++) {
      ank_near found =
          ank_near_without(place + i * k, squared + i * k, k, own ? own[from + i] : ANK_NOWHERE, skip_copy);
      some[i] = (uint32_t)(found.count < self->neighbours ? found.count : self->neighbours);
      for (size_t a = 0; a < some[i]; a++)
        near[i * self->neighbours + a] = ank_search_row(search, found.place[a]);
    }
    ANK_TRY(
        ank_hull_values(scores + from, mapped, count, dim, near, some, self->neighbours, self->ridge, err));
    for (size_t i = 0; i < count; i++) scores[from + i] = -scores[from + i];
  }
done:
  ank_free(mapped);
  ank_free(squared);
  ank_free(place);
  ank_free(near);
  return status;
}

static anorank_status hull_score(double *scores, const void *scorer, const ank_matrix *rows,
                                 anorank_error *err) {
  return score_rows(scores, scorer, rows, NULL, err);
}

static anorank_status hull_score_left_out(double *scores, const void *scorer, const ank_samples *samples,
                                          const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *chosen = NULL, count;
  ANK_TRY(draw(&chosen, &count, samples, settings, err));
  ANK_TRY(ank_score_left_out(scores, scorer, &samples->x, chosen, count, score_rows, settings, err));
done:
  ank_free(chosen);
  return status;
}

static size_t hull_dim(const void *scorer) { return ((const hull *)scorer)->reference_set.dim; }

static size_t hull_bytes(const void *scorer) {
  return sizeof(hull) + ank_reference_set_bytes(&((const hull *)scorer)->reference_set);
}

static anorank_status hull_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  const hull *self = scorer;
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)self->space, err));
  ANK_CHECK(ank_bytes_put_u64(out, self->neighbours, err));
  ANK_CHECK(ank_reference_set_save(&self->reference_set, out, err));
  return ank_bytes_put_last_flag(out, self->skip_copy, err);
}

static anorank_status hull_load(void *scorer, ank_cursor *in, anorank_error *err) {
  hull *self = scorer;
  size_t space;
  ANK_CHECK(ank_cursor_size(in, &space, 0, ANK_SPACES - 1, "the space", err));
  ANK_CHECK(ank_cursor_size(in, &self->neighbours, 1, ANK_HULL_MOST, "the number of neighbours", err));
  ANK_CHECK(ank_reference_set_load(&self->reference_set, in, err));
  ANK_CHECK(ank_cursor_last_flag(in, &self->skip_copy, "whether copies are skipped", err));
  self->space = (anorank_space)space;
  return prepare(self, err);
}

const ank_scorer_class ank_scorer_hull = {
    .info = {"hull", "log distance to the affine hull of the nearest reference rows",
             "hull-neighbours hull-scaling reference-rows seed", 0, 0},
    .size = sizeof(hull),
    .fit = hull_fit,
    .score = hull_score,
    .score_left_out = hull_score_left_out,
    .dim = hull_dim,
    .bytes = hull_bytes,
    .save = hull_save,
    .load = hull_load,
    .free = hull_free,
};
