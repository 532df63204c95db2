/* scorer_knn.c - distance to the k-th nearest kept row.
 *
 *   s(x) = - d_(k)(x),   d_(1) <= d_(2) <= ... the distances of x to the kept rows
 *
 * k = `neighbours` (at most the number of kept rows). All of X is kept, or `references` random rows of it if
 * it has more. score_left_out excludes a row of X from its neighbours; score skips one exact copy in every
 * call if skip_copies.h identifies it with the row. Squared distances are those of kernels/distance.h over
 * values stored as in references.h, and neighbours/search.h finds the nearest; the root is in double
 * precision. Score at most O(references d) per row. */
#include <math.h>

#include "core/alloc.h"
#include "neighbours/reference_set.h"
#include "neighbours/references.h"
#include "neighbours/search.h"
#include "neighbours/skip_copies.h"
#include "scorers/scorer.h"

typedef struct {
  ank_references references; /* one set */
  ank_search *search;        /* for them */
  size_t k;
  int skip_copy; /* a kept row at distance 0 is the row itself */
} knn;

/* Rows at a time; fewer when they have many neighbours. */
enum { ROWS = 256, MOST_FOUND = 1 << 20 };

static void knn_free(void *scorer) {
  knn *self = scorer;
  if (!self) return;
  ank_search_free(self->search);
  ank_references_free(&self->references);
  ank_free(self);
}

static anorank_status make_search(knn *self, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_references *references = &self->references;
  size_t dim = references->dim;
  float *rows = NULL;
  ANK_TRY(ank_alloc_raw(&rows, references->count, dim * sizeof *rows, err));
  for (size_t i = 0; i < references->count; i++)
    for (size_t j = 0; j < dim; j++)
      rows[i * dim + j] = references->values[(i / ANK_LANES * dim + j) * ANK_LANES + i % ANK_LANES];
  ANK_TRY(ank_search_make(&self->search, rows, references->count, dim, err));
done:
  ank_free(rows);
  return status;
}

static anorank_status knn_fit(void *scorer, const ank_samples *samples, const anorank_settings *settings,
                              anorank_error *err) {
  knn *self = scorer;
  size_t count = samples->x.rows;
  if ((uint64_t)settings->reference_rows < count) count = (size_t)settings->reference_rows;
  ANK_CHECK(ank_skips_copies(&self->skip_copy, &samples->x, samples->had_copies, settings, err));
  self->k = (uint64_t)settings->neighbours < count ? (size_t)settings->neighbours : count;
  ANK_CHECK(ank_references_make(&self->references, &samples->x, 1, count, settings, err));
  return make_search(self, err);
}

/* Compute the distance to the k-th nearest. A row that is excluded (`places`), or skipped as a copy, is its
 * own nearest at distance 0: its k-th neighbour is the next one. */
static anorank_status score_rows(double *scores, const void *scorer, const ank_matrix *rows,
                                 const uint32_t *places, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const knn *self = scorer;
  size_t k = self->k + ((places || self->skip_copy) && self->k < self->references.count);
  float *converted = NULL, *squared = NULL;
  uint32_t *place = NULL;
  size_t most = MOST_FOUND / k + 1;
  if (most > ROWS) most = ROWS;
  if (most > rows->rows) most = rows->rows;
  ANK_TRY(ank_alloc_raw(&converted, most, rows->dim * sizeof *converted, err));
  ANK_TRY(ank_alloc_raw(&squared, most, k * sizeof *squared, err));
  ANK_TRY(ank_alloc_raw(&place, most, k * sizeof *place, err));
  for (size_t from = 0; from < rows->rows; from += most) {
    size_t count = rows->rows - from < most ? rows->rows - from : most;
    ank_references_convert(converted, &self->references, rows->values + from * rows->dim, count);
    ANK_TRY(ank_search_nearest(place, squared, k, self->search, converted, count, err));
    for (size_t i = 0; i < count; i++) {
      const float *near = squared + i * k;
      int skip = places ? places[from + i] != ANK_NOWHERE : self->skip_copy && near[0] == 0;
      scores[from + i] = -sqrt((double)near[skip ? k - 1 : self->k - 1]);
    }
  }
done:
  ank_free(converted);
  ank_free(squared);
  ank_free(place);
  return status;
}

static anorank_status knn_score(double *scores, const void *scorer, const ank_matrix *rows,
                                anorank_error *err) {
  return score_rows(scores, scorer, rows, NULL, err);
}

static anorank_status knn_score_left_out(double *scores, const void *scorer, const ank_samples *samples,
                                         const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const knn *self = scorer;
  size_t *drawn = NULL, count = self->references.count;
  ANK_TRY(ank_references_draw(&drawn, 0, count, samples->x.rows, settings->seed, err));
  ANK_TRY(ank_score_left_out(scores, scorer, &samples->x, drawn, count, score_rows, settings, err));
done:
  ank_free(drawn);
  return status;
}

static size_t knn_dim(const void *scorer) { return ((const knn *)scorer)->references.dim; }

static size_t knn_bytes(const void *scorer) {
  const knn *self = scorer;
  return sizeof *self + ank_references_bytes(&self->references) + ank_search_bytes(self->search);
}

static anorank_status knn_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  const knn *self = scorer;
  ANK_CHECK(ank_bytes_put_u64(out, self->k, err));
  ANK_CHECK(ank_references_save(&self->references, out, err));
  return ank_bytes_put_last_flag(out, self->skip_copy, err);
}

static anorank_status knn_load(void *scorer, ank_cursor *in, anorank_error *err) {
  knn *self = scorer;
  ANK_CHECK(ank_cursor_size(in, &self->k, 1, in->length, "the number of neighbours", err));
  ANK_CHECK(ank_references_load(&self->references, in, err));
  ANK_CHECK(ank_cursor_last_flag(in, &self->skip_copy, "whether copies are skipped", err));
  if (self->references.sets != 1 || self->k > self->references.count)
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-neighbours",
                    "the model is damaged: %zu neighbours of %zu references in %zu sets", self->k,
                    self->references.count, self->references.sets);
  return make_search(self, err);
}

const ank_scorer_class ank_scorer_knn = {
    .info = {"knn", "distance to the k-th nearest reference row", "neighbours reference-rows seed", 0, 0},
    .size = sizeof(knn),
    .fit = knn_fit,
    .score = knn_score,
    .score_left_out = knn_score_left_out,
    .dim = knn_dim,
    .bytes = knn_bytes,
    .save = knn_save,
    .load = knn_load,
    .free = knn_free,
    .distance_scores = 1,
};
