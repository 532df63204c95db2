/* blend_feedback_fit.c - learn from feedback for a blend (blend.h): a pull per feedback row, and the weight
 * of mere proximity.
 *
 *   f(x) = sum_a pull_a exp(-d(x, a) / length),   pull = (K + NOISE I)^-1 t
 *
 * is the mean of a Gaussian process with targets t_a at the feedback rows a. A confirmed row should rise by
 * RISE of the distance between the median row and one in a hundred; a dismissed row should fall to the median
 * row. Far from all feedback f is 0. Feedback of one kind does not add up beyond t, and contradictory
 * feedback cancels.
 *
 * Proximity in units of the local density (ank_feedback_nearness) reaches farther, and errs more. So it must
 * prove its worth: each feedback row is left out in turn, and ranked among the rows of the fit by the other
 * feedback. Relative to f alone, the gain is the drop of the log rank of a confirmed row, or the rise of that
 * of a dismissed one. A loss counts LOSS times. The best weight is used if its mean gain is above sqrt(sum of
 * squares about the mean + DOUBT^2) / n, with n feedback rows: a standard error that DOUBT keeps large for
 * small n. Otherwise the weight is 0. No weight exceeds MOST_EACH per confirmed row: two that agree by chance
 * would cost more than two that agree for a reason gain. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "core/parallel.h"
#include "kernels/sort.h"
#include "neighbours/references.h"
#include "scorers/blend.h"

enum {
  DRAW_GROUND = (1 << 20) - 5, /* indices of ANK_STREAM_FIT; blend_fit.c has those above */
  DRAW_CONFIRMED = (1 << 20) - 6
};

/* Weights of the nearest confirmed row; the first is the baseline. */
static const double confirmed_weights[] = {0, ANK_FEEDBACK_WEIGHTS};

enum { WEIGHTS = sizeof confirmed_weights / sizeof confirmed_weights[0] };

/* Return the corresponding weight of the nearest dismissed row. */
static double dismissed_weight(size_t w) { return w == 0 ? 0 : ANK_FEEDBACK_DISMISSED; }

/* A row and its feedback rows: the two nearest of each side. */
typedef struct beside {
  double reference_set; /* distance to the nearest kept row */
  double least[2][2];
  size_t place[2]; /* index of the nearest */
} beside;

/* Rows of the fit, `ground` of them, followed by the feedback rows. */
typedef struct learning {
  ank_blend *blend;
  const ank_matrix *rows; /* all of them */
  const uint32_t *own;    /* their indices among the kept rows; NULL: copies are skipped */
  size_t ground, feedback;
  double *abnormality;          /* without feedback */
  float *kernel;                /* rows x answers */
  unsigned char *feedback_rows; /* 1: the row equals a feedback row */
  beside *next;
  double *target;
  double *inverse; /* of K + ANK_FEEDBACK_NOISE I */
  size_t judged;
  double *gain; /* number judged x WEIGHTS */
} learning;

static void learning_free(learning *work) {
  ank_free(work->abnormality);
  ank_free(work->kernel);
  ank_free(work->feedback_rows);
  ank_free(work->next);
  ank_free(work->target);
  ank_free(work->inverse);
  ank_free(work->gain);
}

/* ---- rows and feedback ------------------------------------------------------------------------------- */

static void find_feedback_near(learning *work, size_t i, const float *row) {
  const ank_feedback *feedback = &work->blend->feedback;
  size_t dim = work->blend->reference_set.dim, skip = i < work->ground ? SIZE_MAX : i - work->ground;
  beside *next = &work->next[i];
  for (size_t k = 0; k < 2; k++) next->least[k][0] = next->least[k][1] = INFINITY, next->place[k] = SIZE_MAX;
  work->feedback_rows[i] = 0;
  for (size_t a = 0; a < work->feedback; a++) {
    double distance = ank_feedback_distance(row, feedback->mapped + a * dim, dim);
    size_t k = a >= feedback->confirmed;
    work->kernel[i * work->feedback + a] = (float)distance; /* the length is not yet known */
    if (a == skip) continue;
    work->feedback_rows[i] |= distance == 0;
    if (distance < next->least[k][0]) {
      next->least[k][1] = next->least[k][0];
      next->least[k][0] = distance;
      next->place[k] = a;
    } else if (distance < next->least[k][1]) {
      next->least[k][1] = distance;
    }
  }
}

static anorank_status look_at_chunk(void *context, size_t chunk, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  learning *work = context;
  const ank_reference_set *reference_set = &work->blend->reference_set;
  size_t from = chunk * ANK_BLEND_BLOCK, left = work->rows->rows - from, dim = reference_set->dim;
  size_t count = left < ANK_BLEND_BLOCK ? left : ANK_BLEND_BLOCK, found = reference_set->count < 2 ? 1 : 2;
  ank_matrix some = {work->rows->values + from * dim, count, dim};
  const uint32_t *own = work->own ? work->own + from : NULL;
  float *mapped = NULL, squared[2 * ANK_BLEND_BLOCK];
  uint32_t place[2 * ANK_BLEND_BLOCK];
  ANK_TRY(ank_blend_score(work->abnormality + from, work->blend, &some, own, err));
  ANK_TRY(ank_alloc_raw(&mapped, count, dim * sizeof *mapped, err));
  ank_spaces_hold(mapped, &reference_set->spaces, some.values, count);
  ank_spaces_map(mapped, &reference_set->spaces, work->blend->space, mapped, count);
  ANK_TRY(ank_search_nearest(place, squared, found, reference_set->search[work->blend->space], mapped, count,
                             err));
  for (size_t i = 0; i < count; i++) {
    ank_near near = ank_near_without(place + i * found, squared + i * found, found,
                                     own ? own[i] : ANK_NOWHERE, work->blend->skip_copies && !own);
    work->abnormality[from + i] *= -1;
    work->next[from + i].reference_set = sqrt((double)near.squared[0]);
    find_feedback_near(work, from + i, mapped + i * dim);
  }
done:
  ank_free(mapped);
  return status;
}

/* ---- units ------------------------------------------------------------------------------------------- */

/* Compute the median distance between two different rows; 1 if all are equal. */
static anorank_status typical_distance(double *out, const learning *work, const anorank_settings *settings,
                                       anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_reference_set *reference_set = &work->blend->reference_set;
  size_t some = work->ground < ANK_FEEDBACK_PAIRED ? work->ground : ANK_FEEDBACK_PAIRED,
         dim = reference_set->dim, pairs = 0;
  float *mapped = NULL;
  double *distance = NULL;
  ANK_TRY(ank_alloc_raw(&mapped, some, dim * sizeof *mapped, err));
  ANK_TRY(ank_alloc_raw(&distance, some * some / 2 + 1, sizeof *distance, err));
  for (size_t i = 0; i < some; i++)
    ank_spaces_hold(mapped + i * dim, &reference_set->spaces,
                    work->rows->values + i * work->ground / some * dim, 1);
  ank_spaces_map(mapped, &reference_set->spaces, work->blend->space, mapped, some);
  for (size_t i = 0; i < some; i++)
    for (size_t j = 0; j < i; j++) {
      double apart = ank_feedback_distance(mapped + i * dim, mapped + j * dim, dim);
      if (apart > 0) distance[pairs++] = apart;
    }
  ANK_TRY(ank_sort(distance, pairs, settings, err));
  *out = pairs > 0 ? ank_blend_quantile(distance, pairs, 0.5) : 1;
done:
  ank_free(mapped);
  ank_free(distance);
  return status;
}

/* Compute the target of each feedback row, the length of the kernel, and the unit of proximity on either
 * side. */
static anorank_status find_units(learning *work, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_feedback *feedback = &work->blend->feedback;
  size_t ground = work->ground, used = 0;
  double *sorted = NULL, typical;
  ANK_TRY(ank_alloc_raw(&sorted, ground, sizeof *sorted, err));
  ANK_TRY(typical_distance(&typical, work, settings, err));
  feedback->length = ANK_FEEDBACK_LENGTH * typical;
  memcpy(sorted, work->abnormality, ground * sizeof *sorted);
  ANK_TRY(ank_sort(sorted, ground, settings, err));
  double median = ank_blend_quantile(sorted, ground, 0.5),
         unit = ank_blend_quantile(sorted, ground, ANK_FEEDBACK_RARE) - median;
  for (size_t a = 0; a < work->feedback; a++) {
    double own = work->abnormality[ground + a] - median;
    work->target[a] = a < feedback->confirmed ? ANK_FEEDBACK_RISE * unit : own > 0 ? -own : 0;
  }
  for (size_t k = 0; k < 2; k++, used = 0) {
    feedback->centre[k] = 0;
    feedback->scale[k] = 1;
    for (size_t i = 0; i < ground; i++)
      if (!work->feedback_rows[i] && isfinite(work->next[i].least[k][0]))
        sorted[used++] = ank_feedback_farness(work->next[i].least[k][0], work->next[i].reference_set);
    if (used == 0) continue;
    ANK_TRY(ank_sort(sorted, used, settings, err));
    double width =
        (ank_blend_quantile(sorted, used, ANK_BLEND_HIGH) - ank_blend_quantile(sorted, used, ANK_BLEND_LOW)) /
        ANK_BLEND_NORMAL_WIDTH;
    feedback->centre[k] = ank_blend_quantile(sorted, used, 0.5);
    feedback->scale[k] = width > ANK_BLEND_LEAST_SCALE ? width : ANK_BLEND_LEAST_SCALE;
  }
  for (size_t i = 0; i < work->rows->rows * work->feedback; i++)
    work->kernel[i] = (float)exp(-(double)work->kernel[i] / feedback->length);
done:
  ank_free(sorted);
  return status;
}

/* ---- pulls ------------------------------------------------------------------------------------------- */

/* Invert a symmetric matrix in place (Gauss and Jordan); ANK_FEEDBACK_NOISE keeps its diagonal well above
 * 0. */
static void invert(double *matrix, size_t n) {
  for (size_t p = 0; p < n; p++) {
    double pivot = 1 / matrix[p * n + p];
    matrix[p * n + p] = 1;
    for (size_t j = 0; j < n; j++) matrix[p * n + j] *= pivot;
    for (size_t i = 0; i < n; i++) {
      double factor = matrix[i * n + p];
      if (i == p || factor == 0) continue;
      matrix[i * n + p] = 0;
      for (size_t j = 0; j < n; j++) matrix[i * n + j] -= factor * matrix[p * n + j];
    }
  }
}

static void find_pulls(learning *work) {
  size_t n = work->feedback;
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++) {
      size_t i = a < b ? a : b, j = a < b ? b : a; /* symmetric to the bit */
      work->inverse[a * n + b] =
          (double)work->kernel[(work->ground + i) * n + j] + (a == b ? ANK_FEEDBACK_NOISE : 0);
    }
  invert(work->inverse, n);
  for (size_t a = 0; a < n; a++) {
    double sum = 0;
    for (size_t b = 0; b < n; b++) sum += work->inverse[a * n + b] * work->target[b];
    work->blend->feedback.pull[a] = sum;
  }
}

/* ---- leaving feedback out ---------------------------------------------------------------------------- */

/* Return the proximity of row i to the nearest feedback row of a side, other than `without`. */
static double nearness(const learning *work, size_t i, int side, size_t without) {
  const beside *next = &work->next[i];
  double least = next->place[side] == without ? next->least[side][1] : next->least[side][0];
  if (!isfinite(least)) return 0;
  return ank_feedback_nearness(&work->blend->feedback, side,
                               ank_feedback_farness(least, next->reference_set));
}

/* Compute the gain of each weight with one feedback row left out. By the partitioned inverse, the pulls
 * without row a are pull - inverse[., a] pull_a / inverse[a, a]. */
static anorank_status judge_one(void *context, size_t chunk, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  learning *work = context;
  const ank_feedback *feedback = &work->blend->feedback;
  size_t n = work->feedback, a = chunk * n / work->judged, row = work->ground + a, above[WEIGHTS] = {0},
         base = 0;
  double *pull = NULL, own = work->abnormality[row], mine[WEIGHTS], reached = 0;
  ANK_TRY(ank_alloc_raw(&pull, n, sizeof *pull, err));
  for (size_t b = 0; b < n; b++) {
    pull[b] =
        b == a ? 0
               : feedback->pull[b] - work->inverse[b * n + a] * feedback->pull[a] / work->inverse[a * n + a];
    reached += pull[b] * (double)work->kernel[row * n + b];
  }
  for (size_t w = 0; w < WEIGHTS; w++)
    mine[w] = own + reached + confirmed_weights[w] * nearness(work, row, 0, a) +
              dismissed_weight(w) * nearness(work, row, 1, a);
  for (size_t i = 0; i < work->ground; i++) {
    double pulled = work->abnormality[i], near[2];
    if (work->feedback_rows[i]) continue;
    base += pulled >= own;
    for (size_t b = 0; b < n; b++) pulled += pull[b] * (double)work->kernel[i * n + b];
    for (int k = 0; k < 2; k++) near[k] = nearness(work, i, k, a);
    for (size_t w = 0; w < WEIGHTS; w++)
      above[w] += pulled + confirmed_weights[w] * near[0] + dismissed_weight(w) * near[1] >= mine[w];
  }
  for (size_t w = 0; w < WEIGHTS; w++) {
    double gain = (log1p((double)base) - log1p((double)above[w])) * (a < feedback->confirmed ? 1 : -1);
    work->gain[chunk * WEIGHTS + w] = gain < 0 ? ANK_FEEDBACK_LOSS * gain : gain;
  }
done:
  ank_free(pull);
  return status;
}

static anorank_status choose_weight(learning *work, const anorank_settings *settings, anorank_error *err) {
  ank_feedback *feedback = &work->blend->feedback;
  double best = 0, count;
  size_t chosen = 0;
  work->judged = work->feedback < ANK_FEEDBACK_LEFT_OUT ? work->feedback : ANK_FEEDBACK_LEFT_OUT;
  if (feedback->confirmed == 0 || work->judged < 2) return ANORANK_OK;
  count = (double)work->judged;
  ANK_CHECK(ank_alloc_raw(&work->gain, work->judged * WEIGHTS, sizeof *work->gain, err));
  ANK_CHECK(ank_parallel(settings, work->judged, judge_one, work, err));
  for (size_t w = 1;
       w < WEIGHTS && confirmed_weights[w] <= ANK_FEEDBACK_MOST_EACH * (double)feedback->confirmed; w++) {
    double mean = 0, squares = ANK_FEEDBACK_DOUBT * ANK_FEEDBACK_DOUBT;
    for (size_t i = 0; i < work->judged; i++)
      mean += (work->gain[i * WEIGHTS + w] - work->gain[i * WEIGHTS]) / count;
    for (size_t i = 0; i < work->judged; i++)
      squares += pow(work->gain[i * WEIGHTS + w] - work->gain[i * WEIGHTS] - mean, 2);
    if (mean - sqrt(squares) / count <= best) continue;
    best = mean - sqrt(squares) / count;
    chosen = w;
  }
  feedback->near[0] = confirmed_weights[chosen];
  feedback->near[1] = dismissed_weight(chosen);
  return ANORANK_OK;
}

/* ---- together ---------------------------------------------------------------------------------------- */

/* Choose the dismissed rows that count: the most abnormal of them, which are the most informative. */
static anorank_status choose_dismissed(uint32_t **out, size_t *count, const ank_blend *blend,
                                       const ank_matrix *rows, const anorank_settings *settings,
                                       anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *scores = NULL;
  *count = rows->rows < ANK_MOST_FEEDBACK ? rows->rows : ANK_MOST_FEEDBACK;
  if (rows->rows == 0) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(out, rows->rows, sizeof **out, err));
  ANK_TRY(ank_alloc_raw(&scores, rows->rows, sizeof *scores, err));
  ANK_TRY(ank_blend_score(scores, blend, rows, NULL, err));
  ANK_TRY(ank_argsort(*out, scores, rows->rows, settings, err));
done:
  ank_free(scores);
  return status;
}

/* Combine rows of the fit and feedback rows in one matrix; `own` is allocated under `clean`. */
static anorank_status gather(double **out, uint32_t **own, learning *work, const ank_matrix *fit,
                             const ank_known *feedback_rows, const anorank_settings *settings,
                             anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_feedback *feedback = &work->blend->feedback;
  ank_matrix dismissed = {feedback_rows->values + feedback_rows->rows * feedback_rows->dim,
                          feedback_rows->dismissed, feedback_rows->dim};
  size_t *drawn = NULL, *confirmed = NULL, dim = fit->dim, at = 0;
  uint32_t *chosen = NULL;
  int clean = settings->train == ANORANK_TRAIN_CLEAN;
  work->ground = fit->rows < ANK_FEEDBACK_GROUND ? fit->rows : ANK_FEEDBACK_GROUND;
  feedback->confirmed = feedback_rows->rows < ANK_MOST_FEEDBACK ? feedback_rows->rows : ANK_MOST_FEEDBACK;
  ANK_TRY(ank_references_draw(&drawn, DRAW_GROUND, work->ground, fit->rows, settings->seed, err));
  if (feedback_rows->rows > 0)
    ANK_TRY(ank_references_draw(&confirmed, DRAW_CONFIRMED, feedback->confirmed, feedback_rows->rows,
                                settings->seed, err));
  ANK_TRY(choose_dismissed(&chosen, &feedback->dismissed, work->blend, &dismissed, settings, err));
  work->feedback = ank_feedback_count(feedback);
  ANK_TRY(ank_alloc_raw(out, (work->ground + work->feedback) * dim, sizeof **out, err));
  if (clean) ANK_TRY(ank_alloc_raw(own, work->ground + work->feedback, sizeof **own, err));
  for (size_t i = 0; i < work->ground; i++, at++) {
    memcpy(*out + at * dim, fit->values + drawn[i] * dim, dim * sizeof **out);
    if (clean) (*own)[at] = (uint32_t)drawn[i];
  }
  for (size_t a = 0; a < work->feedback; a++, at++) {
    const double *row = a < feedback->confirmed ? feedback_rows->values + confirmed[a] * dim
                                                : dismissed.values + chosen[a - feedback->confirmed] * dim;
    memcpy(*out + at * dim, row, dim * sizeof **out);
    if (clean) (*own)[at] = ANK_NOWHERE;
  }
done:
  ank_free(drawn);
  ank_free(confirmed);
  ank_free(chosen);
  return status;
}

static anorank_status make_room(learning *work, anorank_error *err) {
  size_t rows = work->ground + work->feedback, n = work->feedback;
  ank_feedback *feedback = &work->blend->feedback;
  ANK_CHECK(ank_alloc_raw(&feedback->rows, n, work->blend->reference_set.dim * sizeof *feedback->rows, err));
  ANK_CHECK(ank_alloc_raw(&feedback->pull, n, sizeof *feedback->pull, err));
  ANK_CHECK(ank_alloc_raw(&work->abnormality, rows, sizeof *work->abnormality, err));
  ANK_CHECK(ank_alloc_raw(&work->kernel, rows, n * sizeof *work->kernel, err));
  ANK_CHECK(ank_alloc_raw(&work->feedback_rows, rows, 1, err));
  ANK_CHECK(ank_alloc_raw(&work->next, rows, sizeof *work->next, err));
  ANK_CHECK(ank_alloc_raw(&work->target, n, sizeof *work->target, err));
  return ank_alloc_raw(&work->inverse, n, n * sizeof *work->inverse, err);
}

anorank_status ank_feedback_learn(ank_blend *blend, const ank_matrix *fit, const ank_known *feedback_rows,
                                  const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  learning work = {.blend = blend};
  double *values = NULL;
  uint32_t *own = NULL;
  size_t dim = fit->dim;
  if (feedback_rows->rows + feedback_rows->dismissed == 0) return ANORANK_OK;
  ANK_TRY(ank_reference_set_prepare(&blend->reference_set, blend->space,
                                    err)); /* the fast recipes have no search yet */
  ANK_TRY(gather(&values, &own, &work, fit, feedback_rows, settings, err));
  ank_matrix rows = {values, work.ground + work.feedback, dim};
  work.rows = &rows;
  work.own = own;
  ANK_TRY(make_room(&work, err));
  ank_spaces_hold(blend->feedback.rows, &blend->reference_set.spaces, values + work.ground * dim,
                  work.feedback);
  ANK_TRY(ank_feedback_prepare(blend, err));
  ANK_TRY(
      ank_parallel(settings, (rows.rows + ANK_BLEND_BLOCK - 1) / ANK_BLEND_BLOCK, look_at_chunk, &work, err));
  ANK_TRY(find_units(&work, settings, err));
  find_pulls(&work);
  ANK_TRY(choose_weight(&work, settings, err));
  blend->part[blend->parts++] = (ank_part){
      ANK_PART_FEEDBACK, blend->space, 1, ANK_FEEDBACK_PART, 0, ANK_FEEDBACK_PART, -INFINITY, INFINITY, -1};
done:
  learning_free(&work);
  ank_free(values);
  ank_free(own);
  return status;
}
