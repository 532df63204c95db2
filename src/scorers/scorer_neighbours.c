/* scorer_neighbours.c - distance to the nearest row of random subsamples.
 *
 *   s(x) = - (1/B) sum_b log( d_b(x) + 1e-3 ),   d_b(x) = distance of x to the nearest row of subsample b
 *
 * B = `subsamples` subsamples of min(`subsample`, half of X rounded up) rows without replacement. Small
 * subsamples show the overall shape of the data, and a row of X is in few of them, so that the scores of X
 * remain meaningful. score_left_out takes the mean over the subsamples without the row; score skips one exact
 * copy of a row in each subsample if skip_copies.h says so. Squared distances are those of kernels/distance.h
 * (single precision, exact zeros), found with neighbours/coarse.h, over values stored as in references.h. The
 * root, the logarithm (kernels/vector.h) and the sum over subsamples in order are in double precision. Fit
 * O(B subsample d), score O(B subsample d) per row. */
#include <math.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "core/parallel.h"
#include "kernels/fused.h"
#include "kernels/vector.h"
#include "neighbours/coarse.h"
#include "neighbours/references.h"
#include "neighbours/skip_copies.h"
#include "scorers/scorer.h"

enum { BLOCK = 256 }; /* rows at a time: their numbers stay in the first-level cache */

typedef struct {
  ank_references references;
  ank_coarse *coarse; /* built over them */
  int skip_copy;
} neighbours;

static void neighbours_free(void *scorer) {
  neighbours *self = scorer;
  if (!self) return;
  ank_coarse_free(self->coarse);
  ank_references_free(&self->references);
  ank_free(self);
}

static anorank_status make_coarse(neighbours *self, anorank_error *err) {
  const ank_references *references = &self->references;
  return ank_coarse_make(&self->coarse, references->values, references->sets, references->blocks,
                         references->dim, err);
}

static anorank_status neighbours_fit(void *scorer, const ank_samples *samples,
                                     const anorank_settings *settings, anorank_error *err) {
  neighbours *self = scorer;
  size_t count = samples->x.rows / 2 + samples->x.rows % 2;
  if ((uint64_t)settings->subsample < count) count = (size_t)settings->subsample;
  ANK_CHECK(ank_skips_copies(&self->skip_copy, &samples->x, samples->had_copies, settings, err));
  ANK_CHECK(ank_references_make(&self->references, &samples->x, (size_t)settings->subsamples, count, settings,
                                err));
  return make_coarse(self, err);
}

/* Working memory of a block of rows. */
typedef struct {
  float *converted;
  ank_coarse_rows rows;
} scratch;

static anorank_status scratch_make(scratch *out, const neighbours *self, size_t most, anorank_error *err) {
  ANK_CHECK(ank_alloc_raw(&out->converted, most, self->references.dim * sizeof *out->converted, err));
  return ank_coarse_rows_make(&out->rows, self->coarse, most, err);
}

static void scratch_free(scratch *used) {
  ank_free(used->converted);
  ank_coarse_rows_free(&used->rows);
}

/* Return the smallest squared distance to the references of the set, without one copy at distance 0. */
static float nearest_but_copy(const ank_references *references, size_t set, const float *row) {
  const float *block = references->values + set * ank_references_stride(references);
  float least = INFINITY;
  size_t copies = 0;
  for (size_t b = 0; b < references->blocks; b++, block += references->dim * ANK_LANES) {
    float sum[ANK_LANES] = {0};
    for (size_t j = 0; j < references->dim; j++)
      for (size_t l = 0; l < ANK_LANES; l++) {
        float apart = row[j] - block[j * ANK_LANES + l];
        sum[l] = ank_fused(apart, apart, sum[l]);
      }
    for (size_t l = 0; l < ANK_LANES; l++) {
      if (sum[l] == 0 && copies++ == 0) continue;
      if (sum[l] < least) least = sum[l];
    }
  }
  return least < INFINITY ? least : 0; /* the set has only the copy */
}

/* `member`: bit set % 8 of member[(set / 8) * stride + i] means that row i is in the subsample, which is then
 * skipped for it; NULL: none is skipped. For a row in all of them, all count. */
static void score_block(double *scores, const neighbours *self, const double *values, size_t count,
                        scratch *used, const unsigned char *member, size_t stride) {
  const ank_references *references = &self->references;
  float squared[BLOCK];
  double logs[BLOCK], sum[BLOCK], counted[BLOCK];
  ank_references_convert(used->converted, references, values, count);
  ank_coarse_take(&used->rows, self->coarse, used->converted, count);
  for (size_t i = 0; i < count; i++) scores[i] = sum[i] = counted[i] = 0;
  for (size_t set = 0; set < references->sets; set++) {
    ank_coarse_nearest(squared, self->coarse, set, &used->rows);
    for (size_t i = 0; self->skip_copy && !member && i < count; i++)
      if (squared[i] == 0)
        squared[i] = nearest_but_copy(references, set, used->converted + i * references->dim);
    for (size_t i = 0; i < count; i++) logs[i] = sqrt((double)squared[i]) + ANK_DISTANCE_FLOOR;
    ank_log(logs, logs, count);
    for (size_t i = 0; i < count; i++) scores[i] += logs[i];
    for (size_t i = 0; member && i < count; i++) {
      if (member[set / 8 * stride + i] >> set % 8 & 1) continue;
      sum[i] += logs[i];
      counted[i]++;
    }
  }
  for (size_t i = 0; i < count; i++)
    scores[i] = -(counted[i] > 0 ? sum[i] / counted[i] : scores[i] / (double)references->sets);
}

static anorank_status neighbours_score(double *scores, const void *scorer, const ank_matrix *rows,
                                       anorank_error *err) {
  anorank_status status = ANORANK_OK;
  scratch used = {0};
  ANK_TRY(scratch_make(&used, scorer, rows->rows < BLOCK ? rows->rows : BLOCK, err));
  for (size_t from = 0; from < rows->rows; from += BLOCK) {
    size_t count = rows->rows - from < BLOCK ? rows->rows - from : BLOCK;
    score_block(scores + from, scorer, rows->values + from * rows->dim, count, &used, NULL, 0);
  }
done:
  scratch_free(&used);
  return status;
}

typedef struct {
  double *scores;
  const neighbours *self;
  const ank_matrix *x;
  const unsigned char *member;
} leaving;

static anorank_status leave_out_chunk(void *context, size_t chunk, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const leaving *work = context;
  size_t from = chunk * BLOCK, left = work->x->rows - from, count = left < BLOCK ? left : BLOCK;
  scratch used = {0};
  ANK_TRY(scratch_make(&used, work->self, count, err));
  score_block(work->scores + from, work->self, work->x->values + from * work->x->dim, count, &used,
              work->member + from, work->x->rows);
done:
  scratch_free(&used);
  return status;
}

static anorank_status neighbours_score_left_out(double *scores, const void *scorer,
                                                const ank_samples *samples, const anorank_settings *settings,
                                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const neighbours *self = scorer;
  const ank_references *references = &self->references;
  size_t rows = samples->x.rows, *drawn = NULL;
  unsigned char *member = NULL;
  ANK_TRY(ank_alloc(&member, references->sets / 8 + 1, rows, err));
  for (size_t set = 0; set < references->sets; set++) {
    ANK_TRY(ank_references_draw(&drawn, set, references->count, rows, settings->seed, err));
    for (size_t i = 0; i < references->count; i++)
      member[set / 8 * rows + drawn[i]] |= (unsigned char)(1U << set % 8);
    ank_free(drawn);
    drawn = NULL;
  }
  leaving work = {scores, self, &samples->x, member};
  ANK_TRY(ank_parallel(settings, (rows + BLOCK - 1) / BLOCK, leave_out_chunk, &work, err));
done:
  ank_free(drawn);
  ank_free(member);
  return status;
}

static size_t neighbours_dim(const void *scorer) { return ((const neighbours *)scorer)->references.dim; }

static size_t neighbours_bytes(const void *scorer) {
  const neighbours *self = scorer;
  return sizeof *self + ank_references_bytes(&self->references) + ank_coarse_bytes(self->coarse);
}

static anorank_status neighbours_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  const neighbours *self = scorer;
  ANK_CHECK(ank_references_save(&self->references, out, err));
  return ank_bytes_put_last_flag(out, self->skip_copy, err);
}

static anorank_status neighbours_load(void *scorer, ank_cursor *in, anorank_error *err) {
  neighbours *self = scorer;
  ANK_CHECK(ank_references_load(&self->references, in, err));
  ANK_CHECK(ank_cursor_last_flag(in, &self->skip_copy, "whether copies are skipped", err));
  return make_coarse(self, err);
}

const ank_scorer_class ank_scorer_neighbours = {
    .info = {"neighbours", "mean log distance to the nearest row over random subsamples",
             "subsamples subsample seed", 0, 0},
    .size = sizeof(neighbours),
    .fit = neighbours_fit,
    .score = neighbours_score,
    .score_left_out = neighbours_score_left_out,
    .dim = neighbours_dim,
    .bytes = neighbours_bytes,
    .save = neighbours_save,
    .load = neighbours_load,
    .free = neighbours_free,
};
