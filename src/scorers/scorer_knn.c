/* scorer_knn.c - distance to the k-th nearest kept row.
 *
 *   s(x) = - d_(k)(x),   d_(1) <= d_(2) <= ... the distances of x to the kept rows
 *
 * k = `neighbours` (at most the number of kept rows). All of X is kept, or `references` random rows of it
 * when it has more. score_left_out leaves a row of X out of its own neighbours, and score leaves out one exact
 * copy, whoever asks, where skip_copies.h takes it for the row itself. Squared distances are those of
 * kernels/distance.h over values held as references.h says, and neighbours/search.h finds the nearest; the root
 * is in double precision. Score at most O(references d) per row. */
#include <math.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "neighbours/references.h"
#include "neighbours/search.h"
#include "neighbours/skip_copies.h"
#include "scorers/scorer.h"

typedef struct {
  ank_references references; /* one set */
  ank_search *search;        /* for them */
  size_t k;
  int skip_copy; /* one kept row at distance 0 is the row itself */
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

static anorank_status knn_fit(void **out, const ank_samples *samples, const anorank_settings *settings,
                              anorank_error *err) {
  anorank_status status = ANORANK_OK;
  knn *self = NULL;
  size_t count = samples->x.rows;
  *out = NULL;
  if ((uint64_t)settings->reference_rows < count) count = (size_t)settings->reference_rows;
  ANK_TRY(ank_alloc(&self, 1, sizeof *self, err));
  ANK_TRY(ank_skips_copies(&self->skip_copy, &samples->x, samples->had_copies, settings, err));
  self->k = (uint64_t)settings->neighbours < count ? (size_t)settings->neighbours : count;
  ANK_TRY(ank_references_make(&self->references, &samples->x, 1, count, settings, err));
  ANK_TRY(make_search(self, err));
  *out = self;
  self = NULL;
done:
  knn_free(self);
  return status;
}

/* The distance to the k-th nearest; with `skip_copy` to the one before it unless the nearest is a copy. */
static anorank_status score_kth(double *scores, const knn *self, size_t k, int skip_copy,
                                const ank_matrix *rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
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
      scores[from + i] = -sqrt((double)near[skip_copy && near[0] > 0 ? k - 2 : k - 1]);
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
  const knn *self = scorer;
  int skip_copy = self->skip_copy && self->k < self->references.count;
  return score_kth(scores, self, self->k + (size_t)skip_copy, skip_copy, rows, err);
}

typedef struct {
  double *scores;
  const knn *self;
  const ank_matrix *x;
  const unsigned char *reference_set; /* is this row of X among the references? */
} leaving;

/* A kept row is its own nearest, at distance 0: left out, its k-th neighbour is the one that was next. */
static anorank_status leave_out_chunk(void *context, size_t chunk, anorank_error *err) {
  const leaving *work = context;
  size_t dim = work->x->dim, first = chunk * ROWS, end = first + ROWS;
  size_t next = work->self->k < work->self->references.count ? work->self->k + 1 : work->self->k;
  if (end > work->x->rows) end = work->x->rows;
  for (size_t from = first, to; from < end; from = to) {
    for (to = from + 1; to < end && work->reference_set[to] == work->reference_set[from];) to++;
    ank_matrix rows = {work->x->values + from * dim, to - from, dim};
    ANK_CHECK(score_kth(work->scores + from, work->self, work->reference_set[from] ? next : work->self->k, 0,
                        &rows, err));
  }
  return ANORANK_OK;
}

static anorank_status knn_score_left_out(double *scores, const void *scorer, const ank_samples *samples,
                                         const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const knn *self = scorer;
  size_t *drawn = NULL, rows = samples->x.rows, count = self->references.count;
  unsigned char *reference_set = NULL;
  ANK_TRY(ank_references_draw(&drawn, 0, count, rows, settings->seed, err));
  ANK_TRY(ank_alloc(&reference_set, rows, sizeof *reference_set, err));
  for (size_t i = 0; i < count; i++) reference_set[drawn[i]] = 1;
  leaving work = {scores, self, &samples->x, reference_set};
  ANK_TRY(ank_parallel(settings, (rows + ROWS - 1) / ROWS, leave_out_chunk, &work, err));
done:
  ank_free(drawn);
  ank_free(reference_set);
  return status;
}

static size_t knn_dim(const void *scorer) { return ((const knn *)scorer)->references.dim; }

static size_t knn_bytes(const void *scorer) {
  const knn *self = scorer;
  return sizeof *self + ank_references_bytes(&self->references) + ank_search_bytes(self->search);
}

static anorank_status knn_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  const knn *self = scorer;
  anorank_status status = ank_bytes_put_u64(out, self->k, err);
  if (status == ANORANK_OK) status = ank_references_save(&self->references, out, err);
  return status == ANORANK_OK ? ank_bytes_put_last_flag(out, self->skip_copy, err) : status;
}

static anorank_status knn_load(void **out, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  knn *self = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&self, 1, sizeof *self, err));
  ANK_TRY(ank_cursor_size(in, &self->k, 1, in->length, "the number of neighbours", err));
  ANK_TRY(ank_references_load(&self->references, in, err));
  ANK_TRY(ank_cursor_last_flag(in, &self->skip_copy, "whether copies are skipped", err));
  if (self->references.sets != 1 || self->k > self->references.count)
    ANK_FAIL(ANORANK_ERROR_MODEL, "model-neighbours",
             "the model is damaged: %zu neighbours of %zu references in %zu sets", self->k,
             self->references.count, self->references.sets);
  ANK_TRY(make_search(self, err));
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
    .score_left_out = knn_score_left_out,
    .dim = knn_dim,
    .bytes = knn_bytes,
    .save = knn_save,
    .load = knn_load,
    .free = knn_free,
    .distance_scores = 1,
};
