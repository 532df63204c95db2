/* trim.c - see trim.h. */
#include "scorers/trim.h"

#include <math.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "core/parallel.h"
#include "kernels/sort.h"
#include "neighbours/expected_distance.h"
#include "neighbours/references.h"

enum {
  CHUNK = 256,
  DRAWS = 1 << 16 /* first index of ANK_STREAM_FIT in this file */
};

typedef struct {
  double *out;
  const ank_expected_distance *expected;
  const float *held;
  size_t rows, dim;
} distances;

static anorank_status distance_chunk(void *context, size_t chunk, anorank_error *err) {
  const distances *work = context;
  size_t from = chunk * CHUNK, left = work->rows - from;
  return ank_expected_distance_values(work->out + from, work->expected, work->held + from * work->dim,
                                      left < CHUNK ? left : CHUNK, err);
}

static size_t references_for(size_t count, const ank_matrix *rows) {
  double affordable = (double)ANK_TRIM_ENOUGH_WORK / ((double)rows->rows * (double)rows->dim);
  size_t most = affordable > ANK_TRIM_REFERENCES ? (size_t)fmin(affordable, ANK_EXPECTED_DISTANCE_MOST)
                                                 : ANK_TRIM_REFERENCES;
  return count < most ? count : most;
}

/* Compute the mean distance of all rows to the nearest row of the subsets of from[0 .. count - 1] (NULL: of
 * all rows). */
static anorank_status mean_distances(double *out, const ank_matrix *rows, const float *held,
                                     const uint32_t *from, size_t count, size_t round,
                                     const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_expected_distance expected = {0};
  size_t some = references_for(count, rows), *drawn = NULL;
  uint32_t *place = NULL;
  ANK_TRY(ank_references_draw(&drawn, DRAWS + round, some, count, settings->seed, err));
  ANK_TRY(ank_alloc_raw(&place, some, sizeof *place, err));
  for (size_t i = 0; i < some; i++) place[i] = from ? from[drawn[i]] : (uint32_t)drawn[i];
  ANK_TRY(ank_expected_distance_make(&expected, held, rows->dim, place, some,
                                     from ? ANK_TRIM_ROUND_SIZE : ANK_TRIM_VIEW_SIZE, from != NULL, err));
  distances work = {out, &expected, held, rows->rows, rows->dim};
  ANK_TRY(ank_parallel(settings, (rows->rows + CHUNK - 1) / CHUNK, distance_chunk, &work, err));
done:
  ank_free(drawn);
  ank_free(place);
  ank_expected_distance_free(&expected);
  return status;
}

/* Add the two views, each as ranks, to `sum`. */
static anorank_status add_views(double *sum, void **histogram, const ank_matrix *rows, const float *held,
                                const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_scorer_class *type = &ank_scorer_histogram;
  anorank_settings own = *settings;
  ank_samples samples = {*rows, {NULL, 0, rows->dim}, NULL, {0}, NULL, 0, NULL};
  double *view = NULL, *ranks = NULL;
  size_t n = rows->rows;
  own.bins = ANK_TRIM_BINS;
  ANK_TRY(ank_alloc_raw(&view, n, sizeof *view, err));
  ANK_TRY(ank_alloc_raw(&ranks, n, sizeof *ranks, err));
  ANK_TRY(ank_scorer_fit(histogram, type, &samples, &own, err));
  ANK_TRY(ank_score(view, type, *histogram, rows, &own, err));
  for (size_t i = 0; i < n; i++) view[i] = -view[i]; /* high = rare, like distances */
  ANK_TRY(ank_rank(sum, view, n, ANORANK_TIES_MID, settings, err));
  ANK_TRY(mean_distances(view, rows, held, NULL, n, 0, settings, err));
  ANK_TRY(ank_rank(ranks, view, n, ANORANK_TIES_MID, settings, err));
  for (size_t i = 0; i < n; i++) sum[i] += ranks[i];
done:
  ank_free(view);
  ank_free(ranks);
  return status;
}

static size_t lowest(double share, size_t n) {
  size_t count = (size_t)floor(share * (double)n + 0.5);
  if (count < ANK_TRIM_LEAST) count = ANK_TRIM_LEAST;
  return count < n ? count : n;
}

anorank_status ank_trim(uint32_t **out, size_t *count, void **histogram, const ank_matrix *rows,
                        const float *held, const ank_trim_plan *plan, const anorank_settings *settings,
                        anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *scores = NULL;
  *out = NULL;
  *histogram = NULL;
  ANK_TRY(ank_alloc_raw(&scores, rows->rows, sizeof *scores, err));
  ANK_TRY(ank_alloc_raw(out, rows->rows, sizeof **out, err));
  ANK_TRY(add_views(scores, histogram, rows, held, settings, err));
  ANK_TRY(ank_argsort(*out, scores, rows->rows, settings, err));
  *count = lowest(plan->start, rows->rows);
  for (size_t r = 0; r < plan->rounds; r++) {
    ANK_TRY(mean_distances(scores, rows, held, *out, *count, r + 1, settings, err));
    ANK_TRY(ank_argsort(*out, scores, rows->rows, settings, err));
    *count = lowest(plan->share[r], rows->rows);
  }
done:
  ank_free(scores);
  if (status != ANORANK_OK) {
    ank_free(*out);
    *out = NULL;
    ank_scorer_histogram.free(*histogram);
    *histogram = NULL;
  }
  return status;
}
