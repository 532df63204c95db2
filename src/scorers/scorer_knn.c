/* scorer_knn.c - distance to the k-th nearest kept row.
 *
 *   s(x) = - d_(k)(x),   d_(1) <= d_(2) <= ... the distances of x to the kept rows
 *
 * k = `neighbours` (at most the number of kept rows). All of X is kept, or `references` random rows of it
 * when it has more. A row of X that is scored counts itself as its first neighbour, at distance 0. Squared
 * distances are those of kernels/distance.h over values held as references.h says; the root is in double
 * precision. Score O(references d) per row. */
#include <math.h>

#include "core/alloc.h"
#include "scorers/references.h"

typedef struct {
  ank_references references; /* one set */
  size_t k;
} knn;

/* Up to ROWS rows meet CACHED_FLOATS of references at a time, so that these are read from the first cache;
 * fewer rows when their heaps would be large. */
enum { ROWS = 256, CACHED_FLOATS = 4096, HEAP_FLOATS = 1 << 20 };

static void knn_free(void *scorer) {
  knn *self = scorer;
  if (!self) return;
  ank_references_free(&self->references);
  ank_free(self);
}

static anorank_status knn_fit(void **out, const ank_samples *samples, const anorank_settings *settings,
                              anorank_error *err) {
  anorank_status status = ANORANK_OK;
  knn *self = NULL;
  size_t count = samples->x.rows;
  *out = NULL;
  if ((uint64_t)settings->references < count) count = (size_t)settings->references;
  ANK_TRY(ank_alloc(&self, 1, sizeof *self, err));
  self->k = (uint64_t)settings->neighbours < count ? (size_t)settings->neighbours : count;
  ANK_TRY(ank_references_make(&self->references, &samples->x, 1, count, settings, err));
  *out = self;
  self = NULL;
done:
  knn_free(self);
  return status;
}

static void score_rows(double *scores, const knn *self, const float *rows, size_t count, float *heaps) {
  const ank_references *references = &self->references;
  size_t block = references->dim * ANK_LANES, step = CACHED_FLOATS / block + 1;
  for (size_t i = 0; i < count * self->k; i++) heaps[i] = INFINITY;
  for (size_t b = 0; b < references->blocks; b += step)
    ank_smallest(heaps, self->k, rows, count, references->dim, references->values + b * block,
                 references->blocks - b < step ? references->blocks - b : step);
  for (size_t i = 0; i < count; i++) scores[i] = -sqrt((double)heaps[i * self->k]);
}

static anorank_status knn_score(double *scores, const void *scorer, const ank_matrix *rows,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const knn *self = scorer;
  float *converted = NULL, *heaps = NULL;
  size_t most = HEAP_FLOATS / self->k + 1;
  if (most > ROWS) most = ROWS;
  if (most > rows->rows) most = rows->rows;
  ANK_TRY(ank_alloc_raw(&converted, most, rows->dim * sizeof *converted, err));
  ANK_TRY(ank_alloc_raw(&heaps, most, self->k * sizeof *heaps, err));
  for (size_t from = 0; from < rows->rows; from += most) {
    size_t count = rows->rows - from < most ? rows->rows - from : most;
    ank_references_convert(converted, &self->references, rows->values + from * rows->dim, count);
    score_rows(scores + from, self, converted, count, heaps);
  }
done:
  ank_free(converted);
  ank_free(heaps);
  return status;
}

static size_t knn_dim(const void *scorer) { return ((const knn *)scorer)->references.dim; }

static size_t knn_bytes(const void *scorer) {
  return sizeof(knn) + ank_references_bytes(&((const knn *)scorer)->references);
}

static anorank_status knn_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  const knn *self = scorer;
  anorank_status status = ank_bytes_put_u64(out, self->k, err);
  return status == ANORANK_OK ? ank_references_save(&self->references, out, err) : status;
}

static anorank_status knn_load(void **out, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  knn *self = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&self, 1, sizeof *self, err));
  ANK_TRY(ank_cursor_size(in, &self->k, 1, in->length, "the number of neighbours", err));
  ANK_TRY(ank_references_load(&self->references, in, err));
  if (self->references.sets != 1 || self->k > self->references.count)
    ANK_FAIL(ANORANK_ERROR_MODEL, "the model is damaged: %zu neighbours of %zu references in %zu sets",
             self->k, self->references.count, self->references.sets);
  *out = self;
  self = NULL;
done:
  knn_free(self);
  return status;
}

const ank_scorer_class ank_scorer_knn = {
    .info = {"knn", "distance to the k-th nearest of the kept rows", "neighbours references seed", 0, 0},
    .fit = knn_fit,
    .score = knn_score,
    .dim = knn_dim,
    .bytes = knn_bytes,
    .save = knn_save,
    .load = knn_load,
    .free = knn_free,
    .distance_scores = 1,
};
