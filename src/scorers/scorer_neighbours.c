/* scorer_neighbours.c - distance to the nearest row of random subsamples.
 *
 *   s(x) = - (1/B) sum_b log( d_b(x) + 1e-3 ),   d_b(x) = distance of x to the nearest row of subsample b
 *
 * B = `subsamples` subsamples of min(`subsample`, half of X rounded up) rows without replacement. Small
 * subsamples see the overall shape of the data, and a row of X is in few of them, so that the scores of X
 * itself mean something. Squared distances are those of kernels/distance.h (single precision, exact zeros)
 * over values held as references.h says; the root, the logarithm (kernels/vector.h) and the sum over
 * subsamples in order are in double precision. Fit O(B subsample d), score O(B subsample d) per row. */
#include <math.h>

#include "core/alloc.h"
#include "kernels/vector.h"
#include "scorers/references.h"

/* Below this the distance no longer counts: an exact copy scores -log(1e-3) and not infinity. */
#define FLOOR 1e-3

enum { BLOCK = 256 }; /* rows at a time: their numbers stay in the first cache */

static void neighbours_free(void *scorer) {
  if (!scorer) return;
  ank_references_free(scorer);
  ank_free(scorer);
}

static anorank_status neighbours_fit(void **out, const ank_samples *samples, const anorank_settings *settings,
                                     anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_references *scorer = NULL;
  size_t count = samples->x.rows / 2 + samples->x.rows % 2;
  *out = NULL;
  if ((uint64_t)settings->subsample < count) count = (size_t)settings->subsample;
  ANK_TRY(ank_alloc(&scorer, 1, sizeof *scorer, err));
  ANK_TRY(ank_references_make(scorer, &samples->x, (size_t)settings->subsamples, count, settings, err));
  *out = scorer;
  scorer = NULL;
done:
  neighbours_free(scorer);
  return status;
}

static void score_block(double *scores, const ank_references *references, const double *values, size_t count,
                        float *rows) {
  float squared[BLOCK];
  double logs[BLOCK];
  ank_references_convert(rows, references, values, count);
  for (size_t i = 0; i < count; i++) scores[i] = 0;
  for (size_t set = 0; set < references->sets; set++) {
    ank_nearest(squared, rows, count, references->dim,
                references->values + set * ank_references_stride(references), references->blocks);
    for (size_t i = 0; i < count; i++) logs[i] = sqrt((double)squared[i]) + FLOOR;
    ank_log(logs, logs, count);
    for (size_t i = 0; i < count; i++) scores[i] += logs[i];
  }
  for (size_t i = 0; i < count; i++) scores[i] = -(scores[i] / (double)references->sets);
}

static anorank_status neighbours_score(double *scores, const void *scorer, const ank_matrix *rows,
                                       anorank_error *err) {
  anorank_status status = ANORANK_OK;
  float *converted = NULL;
  size_t most = rows->rows < BLOCK ? rows->rows : BLOCK;
  ANK_TRY(ank_alloc_raw(&converted, most, rows->dim * sizeof *converted, err));
  for (size_t from = 0; from < rows->rows; from += BLOCK) {
    size_t count = rows->rows - from < BLOCK ? rows->rows - from : BLOCK;
    score_block(scores + from, scorer, rows->values + from * rows->dim, count, converted);
  }
done:
  ank_free(converted);
  return status;
}

static size_t neighbours_dim(const void *scorer) { return ((const ank_references *)scorer)->dim; }

static size_t neighbours_bytes(const void *scorer) {
  return sizeof(ank_references) + ank_references_bytes(scorer);
}

static anorank_status neighbours_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  return ank_references_save(scorer, out, err);
}

static anorank_status neighbours_load(void **out, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_references *scorer = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&scorer, 1, sizeof *scorer, err));
  ANK_TRY(ank_references_load(scorer, in, err));
  *out = scorer;
  scorer = NULL;
done:
  neighbours_free(scorer);
  return status;
}

const ank_scorer_class ank_scorer_neighbours = {
    .info = {"neighbours", "log distance to the nearest row of random subsamples, averaged",
             "subsamples subsample seed", 0, 0},
    .fit = neighbours_fit,
    .score = neighbours_score,
    .dim = neighbours_dim,
    .bytes = neighbours_bytes,
    .save = neighbours_save,
    .load = neighbours_load,
    .free = neighbours_free,
};
