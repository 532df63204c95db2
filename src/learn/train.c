/* train.c - see train.h.
 *
 * objective = paper is Algorithm 1. Each epoch takes every row once, one at a time, with a step on its
 * cross-entropy; then the whole batch, one step on BCE - lambda * proxy. objective = bce and rank take steps
 * on batches with X and U in the proportion of the samples. rank spends its first epochs like bce
 * (settings->warm_up). */
#include "learn/train.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "core/parallel.h"
#include "criterion/labelled.h"
#include "kernels/sort.h"
#include "learn/objective.h"
#include "learn/optimiser.h"

enum { BLOCK = 4096 }; /* rows whose activations are in memory at a time */

typedef struct trainer {
  const ank_trial *trial;
  const anorank_settings *settings;
  const ank_gradient_class *hooks;
  void *scorer;
  size_t n, m, dim;
  double *rows;    /* X then U */
  double *weights; /* of U, NULL: all 1 */
  size_t *order;   /* of rows: of all for one-row steps, of X and of U separately for batches */
  double *scores, *slopes, *gradient, *scratch;
  double *batch_rows, *batch_weights;
  double *sorted; /* scores of a batch, for the width of the kernel */
  double *best;   /* values of the best epoch */
  double parameter, best_w;
  int climb_rank; /* whether steps use the rank loss: after the warm-up of objective = rank */
  ank_optimiser optimiser;
  ank_rng rng;
} trainer;

static void trainer_free(trainer *t) {
  ank_optimiser_free(&t->optimiser);
  ank_free(t->rows);
  ank_free(t->weights);
  ank_free(t->order);
  ank_free(t->scores);
  ank_free(t->slopes);
  ank_free(t->gradient);
  ank_free(t->scratch);
  ank_free(t->batch_rows);
  ank_free(t->batch_weights);
  ank_free(t->best);
  ank_free(t->sorted);
}

/* Compute the rows of X and of U per batch. */
static void batch_shape(const trainer *t, size_t *n, size_t *m) {
  size_t batch = (size_t)t->settings->batch, all = t->n + t->m;
  if (batch >= all) batch = all;
  if (t->trial->most_rows > 0) {
    *n = batch / (1 + ANK_ENSEMBLE_CONTRAST);
    if (*n < 1) *n = 1;
    if (*n > t->n) *n = t->n;
    *m = ANK_ENSEMBLE_CONTRAST * *n < t->m ? ANK_ENSEMBLE_CONTRAST * *n : t->m;
    return;
  }
  *n = (size_t)llround((double)batch * (double)t->n / (double)all);
  if (*n < 1) *n = 1;
  if (*n > t->n) *n = t->n;
  *m = batch > *n ? batch - *n : 1;
  if (*m > t->m) *m = t->m;
}

static anorank_status trainer_make(trainer *t, const ank_trial *trial, const anorank_settings *settings,
                                   anorank_error *err) {
  const ank_samples *train = trial->train;
  size_t n = train->x.rows, m = train->u.rows, dim = train->x.dim, count, batch_n, batch_m;
  *t = (trainer){
      .trial = trial, .settings = settings, .hooks = trial->type->gradient, .n = n, .m = m, .dim = dim};
  if (m == 0 || train->u.dim != dim)
    return ank_fail(err, ANORANK_ERROR_USAGE, "fit-needs-contrast",
                    "%s needs contrast rows with %zu columns; pass some", trial->type->info.name, dim);
  t->parameter = ank_phi_parameter(trial->phi, settings);
  t->best_w = -INFINITY;
  ank_rng_open(&t->rng, settings->seed, ANK_STREAM_TRAIN, trial->index);
  ANK_CHECK(t->hooks->start(&t->scorer, dim, settings, &t->rng, err));
  count = t->hooks->parameters(t->scorer);
  batch_shape(t, &batch_n, &batch_m);
  ANK_CHECK(ank_alloc_raw(&t->rows, (n + m) * dim, sizeof *t->rows, err));
  memcpy(t->rows, train->x.values, n * dim * sizeof *t->rows);
  memcpy(t->rows + n * dim, train->u.values, m * dim * sizeof *t->rows);
  ANK_CHECK(ank_alloc_raw(&t->order, n + m, sizeof *t->order, err));
  ANK_CHECK(ank_alloc_raw(&t->scores, n + m, sizeof *t->scores, err));
  ANK_CHECK(ank_alloc_raw(&t->slopes, n + m, sizeof *t->slopes, err));
  ANK_CHECK(ank_alloc_raw(&t->gradient, count, sizeof *t->gradient, err));
  ANK_CHECK(ank_alloc_raw(&t->scratch, t->hooks->scratch(t->scorer, n + m < BLOCK ? n + m : BLOCK),
                          sizeof *t->scratch, err));
  ANK_CHECK(ank_alloc_raw(&t->batch_rows, (batch_n + batch_m) * dim, sizeof *t->batch_rows, err));
  if (ank_objective(settings) == ANORANK_OBJECTIVE_RANK)
    ANK_CHECK(ank_alloc_raw(&t->sorted, batch_n + batch_m, sizeof *t->sorted, err));
  if (train->u_weight) {
    ANK_CHECK(ank_alloc_raw(&t->weights, m, sizeof *t->weights, err));
    memcpy(t->weights, train->u_weight, m * sizeof *t->weights);
    ANK_CHECK(ank_alloc_raw(&t->batch_weights, batch_m, sizeof *t->batch_weights, err));
  }
  if (settings->patience > 0) {
    ANK_CHECK(ank_alloc_raw(&t->best, count, sizeof *t->best, err));
    memcpy(t->best, t->hooks->values(t->scorer), count * sizeof *t->best);
  }
  return ank_optimiser_make(&t->optimiser, count, settings, err);
}

/* ---- steps ------------------------------------------------------------------------------------------- */

static void step(trainer *t, double rate) {
  ank_optimiser_step(&t->optimiser, t->hooks->values(t->scorer), t->gradient, rate);
}

static void clear_gradient(trainer *t) { memset(t->gradient, 0, t->optimiser.count * sizeof *t->gradient); }

/* Score `count` rows; if one block holds them all, `scratch` is ready for the backward pass. */
static void forward_all(trainer *t, const double *rows, size_t count) {
  for (size_t from = 0; from < count; from += BLOCK) {
    size_t some = count - from < BLOCK ? count - from : BLOCK;
    t->hooks->forward(t->scorer, rows + from * t->dim, some, t->scores + from, t->scratch);
  }
}

static void backward_all(trainer *t, const double *rows, size_t count) {
  clear_gradient(t);
  for (size_t from = 0; from < count; from += BLOCK) {
    size_t some = count - from < BLOCK ? count - from : BLOCK;
    /* the activations of earlier blocks are gone: compute them again */
    if (count > BLOCK) t->hooks->forward(t->scorer, rows + from * t->dim, some, t->scores + from, t->scratch);
    t->hooks->backward(t->scorer, rows + from * t->dim, some, t->slopes + from, t->gradient, t->scratch);
  }
}

static double proxy_scale(const trainer *t) {
  return t->settings->proxy == ANORANK_PROXY_MEAN ? 1 / (double)t->n : 1;
}

/* Do the inner loop of Algorithm 1. */
static void one_row_steps(trainer *t, double rate) {
  size_t all = t->n + t->m;
  for (size_t k = 0; k < all; k++) t->order[k] = k;
  if (t->settings->shuffle) ank_rng_shuffle(&t->rng, t->order, all);
  if (t->optimiser.kind == ANORANK_OPTIMISER_SGD && t->optimiser.decay == 0 && t->hooks->descend &&
      t->hooks->descend(t->scorer, t->rows, t->order, all, t->n, t->weights, rate))
    return;
  for (size_t k = 0; k < all; k++) {
    size_t i = t->order[k];
    const double *row = t->rows + i * t->dim;
    double score, slope;
    t->hooks->forward(t->scorer, row, 1, &score, t->scratch);
    slope = i < t->n ? -ank_sigmoid(-score) : ank_sigmoid(score) * (t->weights ? t->weights[i - t->n] : 1);
    clear_gradient(t);
    t->hooks->backward(t->scorer, row, 1, &slope, t->gradient, t->scratch);
    step(t, rate);
  }
}

/* Do the step of Algorithm 1 at the end of an epoch. */
static void whole_batch_step(trainer *t, double rate) {
  size_t all = t->n + t->m;
  ank_scored scored = {t->scores, t->n, t->m, t->weights};
  forward_all(t, t->rows, all);
  memset(t->slopes, 0, all * sizeof *t->slopes);
  ank_loss_bce(NULL, t->slopes, &scored);
  if (t->trial->lambda != 0)
    ank_loss_proxy(t->slopes, &scored, t->trial->phi, t->parameter, t->trial->lambda * proxy_scale(t));
  backward_all(t, t->rows, all);
  step(t, rate);
}

/* Copy the next rows of X and of U, in this epoch's order, to the batch; orders wrap around. */
static void fill_batch(trainer *t, size_t which, size_t n, size_t m) {
  double *to = t->batch_rows;
  for (size_t k = 0; k < n + m; k++, to += t->dim) {
    size_t i = k < n ? t->order[(which * n + k) % t->n] : t->order[t->n + (which * m + k - n) % t->m];
    memcpy(to, t->rows + i * t->dim, t->dim * sizeof *to);
    if (k >= n && t->weights) t->batch_weights[k - n] = t->weights[i - t->n];
  }
}

/* Compute the half-width of the kernel for the scores of this batch: the median distance between scores that
 * are smoothing * count positions apart. A typical row is then compared softly with that many on either side,
 * whatever the scale of the scores, which drifts. A median, because one far score would inflate a standard
 * deviation and blur all others together. The loss treats it as a constant. */
static anorank_status half_width(double *h, trainer *t, size_t count, anorank_error *err) {
  size_t window = (size_t)ceil(t->settings->smoothing * (double)count);
  *h = t->settings->smoothing;
  if (window >= count) window = count - 1;
  size_t spans = count - window;
  memcpy(t->sorted, t->scores, count * sizeof *t->sorted);
  ANK_CHECK(ank_sort(t->sorted, count, NULL, err));
  for (size_t i = 0; i < spans; i++) t->sorted[i] = t->sorted[i + window] - t->sorted[i];
  ANK_CHECK(ank_sort(t->sorted, spans, NULL, err));
  double typical = t->sorted[spans / 2];
  if (typical > 0 && isfinite(typical)) *h = typical;
  return ANORANK_OK;
}

static anorank_status batch_steps(trainer *t, double rate, anorank_error *err) {
  size_t n, m, all = t->n + t->m;
  batch_shape(t, &n, &m);
  for (size_t k = 0; k < all; k++) t->order[k] = k;
  if (t->settings->shuffle && n + m < all) {
    ank_rng_shuffle(&t->rng, t->order, t->n);
    ank_rng_shuffle(&t->rng, t->order + t->n, t->m);
  }
  size_t steps =
      (all + n + m - 1) / (n + m); /* a batch has rows of both. NOLINT: the analyzer does not see it */
  if (t->trial->most_rows > 0)
    steps = ((t->n < t->trial->most_rows ? t->n : t->trial->most_rows) + n - 1) / n;
  ank_scored scored = {t->scores, n, m, t->weights ? t->batch_weights : NULL};
  for (size_t which = 0; which < steps; which++) {
    double loss;
    fill_batch(t, which, n, m);
    forward_all(t, t->batch_rows, n + m);
    memset(t->slopes, 0, (n + m) * sizeof *t->slopes);
    if (t->climb_rank) {
      double h;
      anorank_status status = half_width(&h, t, n + m, err);
      if (status == ANORANK_OK)
        status = ank_loss_rank(&loss, t->slopes, &scored, t->trial->phi, t->parameter, h, err);
      if (status != ANORANK_OK) return status;
    } else {
      ank_loss_bce(NULL, t->slopes, &scored);
    }
    backward_all(t, t->batch_rows, n + m);
    step(t, rate);
  }
  return ANORANK_OK;
}

/* ---- the log and early stopping ---------------------------------------------------------------------- */

static anorank_status log_epoch(trainer *t, ank_epoch *out, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_trial *trial = t->trial;
  ank_quality quality;
  ank_scored scored = {t->scores, t->n, t->m, t->weights};
  double *test = NULL;
  forward_all(t, t->rows, t->n + t->m);
  memset(t->slopes, 0, (t->n + t->m) * sizeof *t->slopes);
  *out = (ank_epoch){.accuracy = NAN};
  ank_loss_bce(&out->bce, t->slopes, &scored);
  out->proxy = trial->phi->slope
                   ? -ank_loss_proxy(t->slopes, &scored, trial->phi, t->parameter, 1 / (double)t->n)
                   : NAN;
  ANK_TRY(ank_quality_of_scores(&quality, t->scores, t->n, t->scores + t->n, t->m, trial->phi,
                                ANORANK_TIES_MID, t->settings, err));
  out->w = quality.w;
  out->area = quality.area;
  if (trial->test) {
    ANK_TRY(ank_alloc_raw(&test, trial->test->rows, sizeof *test, err));
    ANK_TRY(trial->type->score(test, t->scorer, trial->test, err));
    ANK_TRY(anorank_accuracy_lowest(&out->accuracy, test, trial->test_labels, trial->test->rows,
                                    trial->lowest, err));
  }
done:
  ank_free(test);
  return status;
}

/* Set `*stop` to 1 after `patience` epochs without improvement. */
static anorank_status watch(trainer *t, size_t *waited, int *stop, anorank_error *err) {
  ank_quality quality;
  const ank_samples *check = t->trial->check ? t->trial->check : t->trial->train;
  ANK_CHECK(
      ank_quality_of_scorer(&quality, t->trial->type, t->scorer, check, t->trial->phi, t->settings, err));
  if (quality.w > t->best_w) {
    t->best_w = quality.w;
    *waited = 0;
    memcpy(t->best, t->hooks->values(t->scorer), t->optimiser.count * sizeof *t->best);
  } else {
    *waited += 1;
  }
  *stop = *waited >= (size_t)t->settings->patience;
  return ANORANK_OK;
}

static int all_finite(const double *values, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (!isfinite(values[k])) return 0;
  return 1;
}

/* Return the epochs of cross-entropy before objective = rank starts: comparisons are soft only near a row, so
 * from a random start, rows far from all others of the other kind have no gradient. */
static size_t warm_epochs(const anorank_settings *settings) {
  if (ank_objective(settings) != ANORANK_OBJECTIVE_RANK) return 0;
  return (size_t)(settings->warm_up * (double)settings->epochs);
}

static anorank_status run_epochs(trainer *t, size_t *run, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t waited = 0;
  int stop = 0;
  for (*run = 0; *run < (size_t)t->settings->epochs && !stop; *run += 1) {
    size_t warm = warm_epochs(t->settings);
    ANK_TRY(ank_check_cancelled(t->settings, err));
    if (*run == warm && ank_objective(t->settings) == ANORANK_OBJECTIVE_RANK) {
      t->climb_rank = 1;
      ank_optimiser_reset(&t->optimiser);
    }
    double rate = *run < warm
                      ? ank_learning_rate(t->settings, *run, warm)
                      : ank_learning_rate(t->settings, *run - warm, (size_t)t->settings->epochs - warm);
    if (ank_objective(t->settings) == ANORANK_OBJECTIVE_PAPER) {
      one_row_steps(t, rate);
      whole_batch_step(t, rate);
    } else {
      ANK_TRY(batch_steps(t, rate, err));
    }
    if (!all_finite(t->hooks->values(t->scorer), t->optimiser.count)) {
      status = ank_fail(
          err, ANORANK_ERROR_DATA, "fit-diverged",
          "training diverged in epoch %zu (a weight is no longer a number); lower the learning rate, or "
          "scale the columns",
          *run + 1);
      ank_error_set_setting(err, "learning-rate");
      goto done;
    }
    if (t->trial->log) ANK_TRY(log_epoch(t, &t->trial->log[*run], err));
    if (t->settings->patience > 0) ANK_TRY(watch(t, &waited, &stop, err));
  }
  if (t->best) memcpy(t->hooks->values(t->scorer), t->best, t->optimiser.count * sizeof *t->best);
done:
  return status;
}

anorank_status ank_train(void **out, size_t *epochs_run, const ank_trial *trial,
                         const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  trainer t = {0};
  size_t run = 0;
  *out = NULL;
  if (ank_objective(settings) == ANORANK_OBJECTIVE_PAPER && trial->lambda != 0 && !trial->phi->slope)
    ANK_FAIL(ANORANK_ERROR_USAGE, "phi-no-slope",
             "phi = %s is a step and has no slope; choose another, or lambda = 0", trial->phi->info.name);
  ANK_TRY(trainer_make(&t, trial, settings, err));
  ANK_TRY(run_epochs(&t, &run, err));
  ANK_HAND_OVER(out, t.scorer);
done:
  if (t.scorer) trial->type->free(t.scorer);
  trainer_free(&t);
  if (epochs_run) *epochs_run = run;
  return status;
}
