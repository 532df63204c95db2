/* table_one.c - see table_one.h.
 *
 * A repetition draws its data, trains the grid, keeps the network with the highest W (mid-ranks unless
 * select-ties says otherwise) and counts the true outliers among the lowest test scores. Repetitions run on
 * threads. Each writes its own row of results, and rows are combined in order, so the table is the same for
 * any number of threads. */
#include "paper/table_one.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "criterion/labelled.h"
#include "learn/objective.h"

static const size_t n_lowest[ANK_PAPER_COLUMNS] = {25, 50, 75, 100};
static const double paper_mean[ANK_PAPER_COLUMNS] = {0.91, 0.84, 0.74, 0.64};
static const double paper_sd[ANK_PAPER_COLUMNS] = {0.13, 0.15, 0.15, 0.13};

enum { TEST_ROWS = ANK_PAPER_TEST_X + ANK_PAPER_TEST_U };

/* --best: networks whose W is within this of the best are averaged. */
static const double averaging_slack = 0.005;

typedef struct outcome {
  double accuracy[ANK_PAPER_COLUMNS], ceiling[ANK_PAPER_COLUMNS];
  size_t lambda; /* index of the lambda of the chosen network */
  size_t networks;
  double seconds;
} outcome;

/* ---- one repetition ---------------------------------------------------------------------------------- */

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

anorank_settings ank_paper_settings(const anorank_settings *settings, size_t repetition) {
  anorank_settings own = *settings;
  ank_rng rng;
  ank_rng_open(&rng, settings->seed, ANK_STREAM_TRAIN, repetition);
  own.seed = ank_rng_word(&rng);
  own.threads = 1;
  own.progress = NULL;
  if (own.best && own.restarts < 4) own.restarts = 4;
  return own;
}

void ank_paper_density(double *scores, const double *rows, size_t count, size_t dim) {
  for (size_t i = 0; i < count; i++) {
    double square = 0;
    for (size_t j = 0; j < dim; j++) square += rows[i * dim + j] * rows[i * dim + j];
    scores[i] = -square;
  }
}

static anorank_status accuracies(double *out, const double *scores, const ank_paper_data *data,
                                 anorank_error *err) {
  for (size_t c = 0; c < ANK_PAPER_COLUMNS; c++) {
    anorank_status status =
        anorank_accuracy_lowest(&out[c], scores, data->labels, TEST_ROWS, n_lowest[c], err);
    if (status != ANORANK_OK) return status;
  }
  return ANORANK_OK;
}

/* Compute the scores of the chosen network or, with --best, the mean over all networks that are nearly as
 * good. */
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

/* Choose with the paper's ranks, under which a collapsed network (all scores equal) has the largest possible
 * W. */
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
    /* scores in (0, 1) as in the paper: a sigmoid that is flat in double precision gives ties */
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

typedef struct job {
  const anorank_reproduction *reproduction;
  size_t first; /* repetition of chunk 0 */
  outcome *outcomes;
} job;

static anorank_status repeat_once(void *context, size_t chunk, anorank_error *err) {
  const job *work = context;
  size_t repetition = work->first + chunk;
  outcome *out = &work->outcomes[repetition];
  const anorank_reproduction *r = work->reproduction;
  anorank_settings settings = ank_paper_settings(&r->settings, repetition);
  anorank_status status = ANORANK_OK;
  ank_paper_data data = {0};
  ank_learned learned = {0};
  double scores[TEST_ROWS], start;
  ANK_TRY(ank_paper_draw(&data, repetition, &r->settings, err));
  ank_samples samples = {
      {data.x, ANK_PAPER_X, data.dim}, {data.u, ANK_PAPER_U, data.dim}, NULL, {0}, NULL, 0, NULL};
  ank_matrix test = {data.test, TEST_ROWS, data.dim};
  start = cpu_seconds();
  ANK_TRY(ank_learn(&learned, &samples, NULL, 1, &settings, err));
  out->seconds = cpu_seconds() - start;
  out->networks = learned.count;
  if (settings.select_ties == ANORANK_TIES_MAX)
    ANK_TRY(choose_by_max_ties(&learned, &samples, &settings, err));
  out->lambda = learned.best / (size_t)settings.restarts % r->lambda_count; /* the order of ank_learned */
  ANK_TRY(combined_scores(scores, &learned, &test, &settings, err));
  ANK_TRY(accuracies(out->accuracy, scores, &data, err));
  ank_paper_density(scores, data.test, TEST_ROWS, data.dim);
  ANK_TRY(accuracies(out->ceiling, scores, &data, err));
done:
  ank_learned_free(&learned);
  ank_paper_free(&data);
  return status;
}

/* ---- over repetitions -------------------------------------------------------------------------------- */

void ank_paper_summarise(double *mean, double *sd, const double *first, size_t count, size_t stride) {
  double sum = 0, squares = 0;
  for (size_t b = 0; b < count; b++) sum += *(const double *)(const void *)((const char *)first + b * stride);
  *mean = sum / (double)count;
  for (size_t b = 0; b < count; b++) {
    double off = *(const double *)(const void *)((const char *)first + b * stride) - *mean;
    squares += off * off;
  }
  *sd = sqrt(squares / (double)count);
}

static void combine(anorank_reproduction *r, const outcome *outcomes, size_t count) {
  for (size_t c = 0; c < ANK_PAPER_COLUMNS; c++) {
    anorank_accuracy *column = &r->table[c];
    column->n_lowest = n_lowest[c];
    ank_paper_summarise(&column->mean, &column->sd, &outcomes[0].accuracy[c], count, sizeof(outcome));
    ank_paper_summarise(&column->ceiling_mean, &column->ceiling_sd, &outcomes[0].ceiling[c], count,
                        sizeof(outcome));
    column->paper_mean = paper_mean[c];
    column->paper_sd = paper_sd[c];
  }
  for (size_t b = 0; b < count; b++) {
    r->networks += outcomes[b].networks;
    r->seconds += outcomes[b].seconds;
    r->chosen[outcomes[b].lambda]++;
  }
}

static anorank_status prepare(anorank_reproduction *r, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  r->type = ank_scorer_find(r->settings.scorer);
  if (!r->type || !r->type->gradient)
    ANK_FAIL(ANORANK_ERROR_USAGE, "paper-scorer",
             "the paper's experiment trains by gradients; set scorer to mlp or linear");
  if (r->settings.dim > ANK_PAPER_MOST_DIM)
    ANK_FAIL(ANORANK_ERROR_USAGE, "paper-dim", "dim is %lld; the paper's experiment takes up to %d columns",
             (long long)r->settings.dim, ANK_PAPER_MOST_DIM);
  ANK_TRY(ank_parse_lambdas(r->lambdas, &r->lambda_count, ANK_PAPER_MOST_LAMBDAS, r->settings.lambda, err));
  if (ank_objective(&r->settings) != ANORANK_OBJECTIVE_PAPER) { /* other objectives have no lambda: see
                                                                 * learn.c */
    r->lambda_count = 1;
    r->lambdas[0] = 0;
  }
done:
  return status;
}

anorank_status anorank_reproduce(anorank_reproduction **out, const anorank_settings *settings,
                                 anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  settings = ank_settings_or_default(settings);
  anorank_status status = ANORANK_OK;
  anorank_reproduction *r = NULL;
  outcome *outcomes = NULL;
  size_t count = (size_t)settings->repetitions, step = 16;
  ANK_TRY(ank_alloc(&r, 1, sizeof *r, err));
  anorank_settings chosen = *settings;
  if (strcmp(chosen.scorer, "auto") == 0) chosen.scorer = "mlp"; /* the paper's class */
  chosen.objective = (int64_t)ank_objective(&chosen);
  ANK_TRY(ank_settings_hold(&r->settings, &chosen, err));
  anorank_settings_on_progress(&r->settings, settings->progress, settings->progress_context);
  ANK_TRY(prepare(r, err));
  ANK_TRY(ank_alloc(&outcomes, count, sizeof *outcomes, err));
  for (size_t first = 0; first < count; first += step) {
    job work = {r, first, outcomes};
    size_t some = count - first < step ? count - first : step;
    ANK_TRY(ank_progress(settings, (double)first / (double)count, "repeating the experiment", err));
    ANK_TRY(ank_parallel(settings, some, repeat_once, &work, err));
  }
  combine(r, outcomes, count);
  ANK_TRY(ank_progress(settings, 1, "repeating the experiment", err));
  *out = r;
  r = NULL;
done:
  ank_free(outcomes);
  anorank_reproduction_free(r);
  return status;
}

void anorank_reproduction_free(anorank_reproduction *r) {
  if (!r) return;
  ank_settings_release(&r->settings);
  ank_free(r);
}

const anorank_accuracy *anorank_reproduction_table(const anorank_reproduction *reproduction, size_t *count) {
  if (count) *count = reproduction ? ANK_PAPER_COLUMNS : 0;
  return reproduction ? reproduction->table : NULL;
}

size_t anorank_reproduction_lambdas(const anorank_reproduction *reproduction, const double **lambdas,
                                    const size_t **chosen) {
  if (lambdas) *lambdas = reproduction ? reproduction->lambdas : NULL;
  if (chosen) *chosen = reproduction ? reproduction->chosen : NULL;
  return reproduction ? reproduction->lambda_count : 0;
}

size_t anorank_reproduction_networks(const anorank_reproduction *reproduction, double *seconds) {
  if (seconds) *seconds = reproduction ? reproduction->seconds : 0;
  return reproduction ? reproduction->networks : 0;
}
