/* trim.c - see trim.h. */
#include "scorers/trim.h"

#include <math.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "kernels/sort.h"
#include "neighbours/subsets.h"

enum {
  CHUNK = 1024,
  VIEW_SETS = 256, /* at least; more where the table is small, so that the draw does not decide */
  VIEW_SIZE = 8,
  ROUND_SETS = 64, /* at least */
  ROUND_SIZE = 64,
  MORE = 4,                /* times as many at most */
  ENOUGH_WORK = 500000000, /* differences of cells in a round, while it takes more than the least */
  LEAST = 5,
  DRAWS = 1 << 16 /* where this file's indices of ANK_STREAM_FIT begin */
};

typedef struct {
  double *out;
  const ank_subsets *subsets;
  const float *held;
  size_t rows, dim;
  ank_subset_rule rule;
} distances;

static anorank_status distance_chunk(void *context, size_t chunk, anorank_error *err) {
  const distances *work = context;
  size_t from = chunk * CHUNK, left = work->rows - from;
  (void)err;
  ank_subsets_mean(work->out + from, work->subsets, work->held + from * work->dim,
                   left < CHUNK ? left : CHUNK, &work->rule);
  return ANORANK_OK;
}

/* The mean over the sets is an estimate: small tables can afford a better one. */
static size_t sets_for(size_t least, size_t size, const ank_matrix *rows) {
  double affordable = (double)ENOUGH_WORK / ((double)rows->rows * (double)size * (double)rows->dim);
  if (!(affordable > (double)least)) return least;
  return affordable < (double)(MORE * least) ? (size_t)affordable : MORE * least;
}

/* Mean distance of all rows to the nearest row of subsets drawn from `from` (NULL: all). */
static anorank_status mean_distances(double *out, const ank_matrix *rows, const float *held,
                                     const uint32_t *from, size_t count, size_t round,
                                     const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_subsets subsets = {0};
  size_t size = from ? ROUND_SIZE : VIEW_SIZE, sets = sets_for(from ? ROUND_SETS : VIEW_SETS, size, rows);
  ANK_TRY(ank_subsets_make(&subsets, held, rows->dim, from, count, sets, size, settings->seed,
                           DRAWS + round * MORE * VIEW_SETS, err));
  distances work = {out, &subsets, held, rows->rows, rows->dim, {from != NULL, 1, NULL}};
  ANK_TRY(ank_parallel(settings, (rows->rows + CHUNK - 1) / CHUNK, distance_chunk, &work, err));
done:
  ank_subsets_free(&subsets);
  return status;
}

/* The two views, each as ranks, added into `sum`. */
static anorank_status add_views(double *sum, void **histogram, const ank_matrix *rows, const float *held,
                                const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_scorer_class *type = &ank_scorer_histogram;
  anorank_settings own = *settings;
  ank_samples samples = {*rows, {NULL, 0, rows->dim}, NULL, {0}, NULL};
  double *view = NULL, *ranks = NULL;
  size_t n = rows->rows;
  own.bins = 20;
  ANK_TRY(ank_alloc_raw(&view, n, sizeof *view, err));
  ANK_TRY(ank_alloc_raw(&ranks, n, sizeof *ranks, err));
  ANK_TRY(type->fit(histogram, &samples, &own, err));
  ANK_TRY(ank_score(view, type, *histogram, rows, &own, err));
  for (size_t i = 0; i < n; i++) view[i] = -view[i]; /* high = rare, as distances are */
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
  if (count < LEAST) count = LEAST;
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
