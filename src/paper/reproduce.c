/* reproduce.c - see reproduce.h.
 *
 * A repetition draws its data, trains the grid, keeps the network with the highest W (mid-ranks unless
 * select-ties says otherwise) and counts the true outliers among the lowest test scores. Repetitions run on
 * threads; each writes its own row of results, and rows are combined in order, so the table is the same for
 * any number of threads. */
#include "paper/reproduce.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "criterion/curve.h"
#include "criterion/labelled.h"
#include "criterion/pooled.h"

static const size_t n_lowest[ANK_PAPER_COLUMNS] = {25, 50, 75, 100};
static const double paper_mean[ANK_PAPER_COLUMNS] = {0.91, 0.84, 0.74, 0.64};
static const double paper_sd[ANK_PAPER_COLUMNS] = {0.13, 0.15, 0.15, 0.13};

enum { TEST_ROWS = ANK_PAPER_TEST_X + ANK_PAPER_TEST_U };

/* --best: networks whose W is within this of the best are averaged. */
static const double averaging_slack = 0.005;

typedef struct outcome {
  double accuracy[ANK_PAPER_COLUMNS], ceiling[ANK_PAPER_COLUMNS];
  double curve[2][ANK_PAPER_GRID], optimum[ANK_PAPER_GRID];
  double lambda; /* of the network kept */
  size_t networks;
  double seconds;
} outcome;

/* ---- one repetition -------------------------------------------------------------------------------------
 */

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Settings of one repetition: the networks' starts differ from repetition to repetition. */
static anorank_settings settings_of(const anorank_settings *settings, size_t repetition) {
  anorank_settings own = *settings;
  ank_rng rng;
  ank_rng_open(&rng, settings->seed, ANK_STREAM_TRAIN, repetition);
  own.seed = ank_rng_word(&rng);
  own.threads = 1;
  own.progress = NULL;
  if (own.best) {
    own.restarts = settings->restarts > 4 ? settings->restarts : 4;
  }
  return own;
}

/* Minus the squared norm: an increasing function of the true density. */
static void density_scores(double *scores, const double *rows, size_t count, size_t dim) {
  for (size_t i = 0; i < count; i++) {
    double square = 0;
    for (size_t j = 0; j < dim; j++) square += rows[i * dim + j] * rows[i * dim + j];
    scores[i] = -square;
  }
}

static anorank_status accuracies(double *out, const double *scores, const ank_paper_data *data,
                                 anorank_error *err) {
  for (size_t c = 0; c < ANK_PAPER_COLUMNS; c++) {
    anorank_status status = ank_accuracy_lowest(&out[c], scores, data->labels, TEST_ROWS, n_lowest[c], err);
    if (status != ANORANK_OK) return status;
  }
  return ANORANK_OK;
}

/* The scores of the network kept or, with --best, the mean over all networks that are nearly as good. */
static anorank_status combined_scores(double *scores, const ank_learned *learned, const ank_matrix *rows,
                                      const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *one = NULL;
  const ank_candidate *best = &learned->candidates[learned->best];
  if (!settings->best) return best->type->score(scores, best->scorer, rows, err);
  ANK_TRY(ank_alloc_raw(&one, rows->rows, sizeof *one, err));
  memset(scores, 0, rows->rows * sizeof *scores);
  for (size_t k = 0; k < learned->count; k++) {
    const ank_candidate *candidate = &learned->candidates[k];
    if (candidate->quality.w < best->quality.w - averaging_slack) continue;
    ANK_TRY(candidate->type->score(one, candidate->scorer, rows, err));
    for (size_t i = 0; i < rows->rows; i++) scores[i] += one[i];
  }
done:
  ank_free(one);
  return status;
}

/* With the paper's ranks a collapsed network (all scores equal) has the largest W there is. */
static anorank_status choose_by_max_ties(ank_learned *learned, const ank_samples *samples,
                                         const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_phi *phi;
  double *scores = NULL, best = -INFINITY;
  size_t n = samples->x.rows, m = samples->u.rows;
  ANK_TRY(ank_phi_of_settings(&phi, settings, err));
  ANK_TRY(ank_alloc_raw(&scores, n + m, sizeof *scores, err));
  for (size_t k = 0; k < learned->count; k++) {
    ank_candidate *candidate = &learned->candidates[k];
    ANK_TRY(candidate->type->score(scores, candidate->scorer, &samples->x, err));
    ANK_TRY(candidate->type->score(scores + n, candidate->scorer, &samples->u, err));
    /* scores in (0, 1) as in the paper: a sigmoid that is flat in double precision is a tie */
    for (size_t i = 0; i < n + m; i++) scores[i] = 1 / (1 + exp(-scores[i]));
    ANK_TRY(ank_quality_of_scores(&candidate->quality, scores, n, scores + n, m, phi, ANORANK_TIES_MAX,
                                  settings, err));
    if (candidate->quality.w > best) {
      best = candidate->quality.w;
      learned->best = k;
    }
  }
done:
  ank_free(scores);
  return status;
}

/* Volume at the grid of masses, on rows that no training has seen. */
static anorank_status mass_volume(double *out, const double *x, const double *u,
                                  const anorank_settings *settings, anorank_error *err) {
  ank_pooled pooled;
  anorank_status status = ank_pooled_make(&pooled, x, ANK_PAPER_CURVE_X, "normal row", u, ANK_PAPER_CURVE_U,
                                          "contrast row", settings, err);
  if (status != ANORANK_OK) return status;
  for (size_t k = 0; k < ANK_PAPER_GRID; k++) out[k] = ank_volume_at(&pooled, k, ANK_PAPER_GRID - 1);
  ank_pooled_free(&pooled);
  return ANORANK_OK;
}

static anorank_status curve_of(double *out, const ank_learned *learned, const ank_paper_data *data,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *scores = NULL;
  ank_matrix x = {data->curve_x, ANK_PAPER_CURVE_X, data->dim},
             u = {data->curve_u, ANK_PAPER_CURVE_U, data->dim};
  ANK_TRY(ank_alloc_raw(&scores, x.rows + u.rows, sizeof *scores, err));
  ANK_TRY(combined_scores(scores, learned, &x, settings, err));
  ANK_TRY(combined_scores(scores + x.rows, learned, &u, settings, err));
  ANK_TRY(mass_volume(out, scores, scores + x.rows, settings, err));
done:
  ank_free(scores);
  return status;
}

static anorank_status density_curve(double *out, const ank_paper_data *data, const anorank_settings *settings,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *scores = NULL;
  ANK_TRY(ank_alloc_raw(&scores, ANK_PAPER_CURVE_X + ANK_PAPER_CURVE_U, sizeof *scores, err));
  density_scores(scores, data->curve_x, ANK_PAPER_CURVE_X, data->dim);
  density_scores(scores + ANK_PAPER_CURVE_X, data->curve_u, ANK_PAPER_CURVE_U, data->dim);
  ANK_TRY(mass_volume(out, scores, scores + ANK_PAPER_CURVE_X, settings, err));
done:
  ank_free(scores);
  return status;
}

/* The paper's Figure "Empirical Mass-Volume curves" (a) and (b): one lambda, phi = u and phi = u 1{u >= u0}.
 */
static anorank_status figure_curves(outcome *out, const ank_paper_data *data, const ank_samples *samples,
                                    const anorank_settings *settings, double lambda, anorank_error *err) {
  static const char *const phis[2] = {"mww", "truncated"};
  anorank_settings own = *settings;
  own.best = 0;
  own.restarts = 1;
  snprintf(own.lambda, sizeof own.lambda, "%.17g", lambda);
  for (size_t k = 0; k < 2; k++) {
    ank_learned learned;
    own.train_phi[0] = '\0';
    snprintf(own.phi, sizeof own.phi, "%s", phis[k]);
    anorank_status status = ank_learn(&learned, samples, NULL, 0, &own, err);
    if (status == ANORANK_OK) status = curve_of(out->curve[k], &learned, data, &own, err);
    ank_learned_free(&learned);
    if (status != ANORANK_OK) return status;
  }
  return ANORANK_OK;
}

typedef struct job {
  const anorank_settings *settings;
  double curve_lambda;
  size_t first; /* repetition of chunk 0 */
  outcome *outcomes;
} job;

static anorank_status repeat_once(void *context, size_t chunk, anorank_error *err) {
  const job *work = context;
  size_t repetition = work->first + chunk;
  outcome *out = &work->outcomes[repetition];
  anorank_settings settings = settings_of(work->settings, repetition);
  anorank_status status = ANORANK_OK;
  ank_paper_data data = {0};
  ank_learned learned = {0};
  double scores[TEST_ROWS], start;
  ANK_TRY(ank_paper_draw(&data, repetition, work->settings, err));
  ank_samples samples = {{data.x, ANK_PAPER_X, data.dim}, {data.u, ANK_PAPER_U, data.dim}, NULL};
  ank_matrix test = {data.test, TEST_ROWS, data.dim};
  start = cpu_seconds();
  ANK_TRY(ank_learn(&learned, &samples, NULL, 1, &settings, err));
  out->seconds = cpu_seconds() - start;
  out->networks = learned.count;
  if (settings.select_ties == ANORANK_TIES_MAX)
    ANK_TRY(choose_by_max_ties(&learned, &samples, &settings, err));
  out->lambda = learned.candidates[learned.best].lambda;
  ANK_TRY(combined_scores(scores, &learned, &test, &settings, err));
  ANK_TRY(accuracies(out->accuracy, scores, &data, err));
  density_scores(scores, data.test, TEST_ROWS, data.dim);
  ANK_TRY(accuracies(out->ceiling, scores, &data, err));
  ANK_TRY(density_curve(out->optimum, &data, &settings, err));
  ANK_TRY(figure_curves(out, &data, &samples, &settings, work->curve_lambda, err));
done:
  ank_learned_free(&learned);
  ank_paper_free(&data);
  return status;
}

/* ---- over repetitions -----------------------------------------------------------------------------------
 */

/* Mean and standard deviation (divided by the number, as a paper's table would) of values `stride` bytes
 * apart. */
static void summarise(double *mean, double *sd, const double *first, size_t count, size_t stride) {
  double sum = 0, squares = 0;
  for (size_t b = 0; b < count; b++) sum += *(const double *)(const void *)((const char *)first + b * stride);
  *mean = sum / (double)count;
  for (size_t b = 0; b < count; b++) {
    double off = *(const double *)(const void *)((const char *)first + b * stride) - *mean;
    squares += off * off;
  }
  *sd = sqrt(squares / (double)count);
}

static void summarise_curve(ank_paper_curve *out, const double *first, size_t count) {
  for (size_t k = 0; k < ANK_PAPER_GRID; k++)
    summarise(&out->mean[k], &out->sd[k], first + k, count, sizeof(outcome));
}

static void combine(anorank_reproduction *r, const outcome *outcomes, size_t count) {
  for (size_t c = 0; c < ANK_PAPER_COLUMNS; c++) {
    anorank_accuracy *column = &r->table[c];
    column->n_lowest = n_lowest[c];
    summarise(&column->mean, &column->sd, &outcomes[0].accuracy[c], count, sizeof(outcome));
    summarise(&column->ceiling_mean, &column->ceiling_sd, &outcomes[0].ceiling[c], count, sizeof(outcome));
    column->paper_mean = paper_mean[c];
    column->paper_sd = paper_sd[c];
  }
  for (size_t k = 0; k < 2; k++) summarise_curve(&r->curves[k], outcomes[0].curve[k], count);
  summarise_curve(&r->optimum, outcomes[0].optimum, count);
  for (size_t b = 0; b < count; b++) {
    r->networks += outcomes[b].networks;
    r->seconds += outcomes[b].seconds;
    for (size_t l = 0; l < r->lambda_count; l++) r->chosen[l] += outcomes[b].lambda == r->lambdas[l];
  }
}

/* The first repetition again, with logs for every lambda and the network kept (the paper's training figure).
 */
static anorank_status first_repetition(anorank_reproduction *r, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_settings settings = settings_of(&r->settings, 0);
  const ank_phi *phi;
  size_t epochs = (size_t)settings.epochs;
  double best = -INFINITY;
  void *scorer = NULL;
  settings.patience = 0; /* every epoch is drawn */
  ANK_TRY(ank_phi_of_settings(&phi, &settings, err));
  ANK_TRY(ank_paper_draw(&r->data, 0, &r->settings, err));
  ANK_TRY(ank_alloc(&r->logs, r->lambda_count * epochs, sizeof *r->logs, err));
  ANK_TRY(ank_alloc(&r->x_score, ANK_PAPER_X, sizeof *r->x_score, err));
  ank_samples samples = {{r->data.x, ANK_PAPER_X, r->data.dim}, {r->data.u, ANK_PAPER_U, r->data.dim}, NULL};
  ank_matrix test = {r->data.test, TEST_ROWS, r->data.dim};
  for (size_t l = 0; l < r->lambda_count; l++) {
    ank_quality quality;
    ank_trial trial = {.type = r->type,
                       .train = &samples,
                       .phi = phi,
                       .lambda = r->lambdas[l],
                       .index = l,
                       .log = r->logs + l * epochs,
                       .test = &test,
                       .test_labels = r->data.labels,
                       .lowest = ANK_PAPER_LOGGED};
    ANK_TRY(ank_train(&scorer, NULL, &trial, &settings, err));
    ANK_TRY(ank_quality_of_scorer(&quality, r->type, scorer, &samples, phi, &settings, err));
    if (quality.w > best) {
      void *worse = r->scorer;
      best = quality.w;
      r->scorer = scorer;
      scorer = worse;
    }
    if (scorer) r->type->free(scorer);
    scorer = NULL;
  }
  ANK_TRY(r->type->score(r->x_score, r->scorer, &samples.x, err));
  for (size_t i = 0; i < ANK_PAPER_X; i++) r->x_score[i] = 1 / (1 + exp(-r->x_score[i]));
done:
  if (scorer) r->type->free(scorer);
  return status;
}

static anorank_status prepare(anorank_reproduction *r, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  if (strcmp(r->settings.scorer, "auto") == 0) strcpy(r->settings.scorer, "mlp"); /* the paper's class */
  r->type = ank_scorer_find(r->settings.scorer);
  if (!r->type || !r->type->gradient)
    ANK_FAIL(ANORANK_ERROR_USAGE, "the paper's experiment trains by gradients; scorer takes mlp or linear");
  ANK_TRY(ank_parse_lambdas(r->lambdas, &r->lambda_count, ANK_PAPER_MOST_LAMBDAS, r->settings.lambda, err));
  /* the paper draws its curves at lambda = 1; without it in the list, at the last */
  r->curve_lambda = r->lambdas[r->lambda_count - 1];
  for (size_t l = 0; l < r->lambda_count; l++)
    if (r->lambdas[l] == 1) r->curve_lambda = 1;
done:
  return status;
}

anorank_status ank_reproduce(anorank_reproduction **out, const anorank_settings *settings,
                             anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_reproduction *r = NULL;
  outcome *outcomes = NULL;
  size_t count = (size_t)settings->repetitions, step = 16;
  *out = NULL;
  ANK_TRY(ank_alloc(&r, 1, sizeof *r, err));
  r->settings = *settings;
  ANK_TRY(prepare(r, err));
  ANK_TRY(ank_alloc(&outcomes, count, sizeof *outcomes, err));
  for (size_t first = 0; first < count; first += step) {
    job work = {&r->settings, r->curve_lambda, first, outcomes};
    size_t some = count - first < step ? count - first : step;
    ANK_TRY(ank_progress(settings, (double)first / (double)count, "repeating the experiment", err));
    ANK_TRY(ank_parallel(settings, some, repeat_once, &work, err));
  }
  combine(r, outcomes, count);
  ANK_TRY(first_repetition(r, err));
  ANK_TRY(ank_progress(settings, 1, "repeating the experiment", err));
  *out = r;
  r = NULL;
done:
  ank_free(outcomes);
  ank_reproduction_free(r);
  return status;
}

void ank_reproduction_free(anorank_reproduction *r) {
  if (!r) return;
  if (r->scorer) r->type->free(r->scorer);
  ank_paper_free(&r->data);
  ank_free(r->logs);
  ank_free(r->x_score);
  ank_free(r);
}
