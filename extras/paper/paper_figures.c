/* paper_figures.c - see paper_figures.h. Repetition b draws the same data as for the table: they depend on
 * the seed and b alone. */
#include "paper/paper_figures.h"

#include <math.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "criterion/curve.h"
#include "criterion/pooled.h"

/* The volumes of one repetition. */
typedef struct volumes {
  double curve[2][ANK_PAPER_GRID], optimum[ANK_PAPER_GRID];
} volumes;

/* ---- mass-volume curves ------------------------------------------------------------------------------ */

/* Compute the volume at the grid of masses, on unseen rows: by a network, or by the true density if `type` is
 * NULL. */
static anorank_status curve_of(double *out, const ank_scorer_class *type, const void *scorer,
                               const ank_paper_data *data, const anorank_settings *settings,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *scores = NULL;
  ank_pooled pooled;
  const ank_matrix both[] = {{data->curve_x, ANK_PAPER_CURVE_X, data->dim},
                             {data->curve_u, ANK_PAPER_CURVE_U, data->dim}};
  ANK_TRY(ank_alloc_raw(&scores, both[0].rows + both[1].rows, sizeof *scores, err));
  for (size_t k = 0; k < 2; k++) {
    double *to = scores + k * both[0].rows;
    if (type)
      ANK_TRY(type->score(to, scorer, &both[k], err));
    else
      ank_paper_density(to, both[k].values, both[k].rows, data->dim);
  }
  ANK_TRY(ank_pooled_make(&pooled, scores, ANK_PAPER_CURVE_X, "normal row", scores + ANK_PAPER_CURVE_X,
                          ANK_PAPER_CURVE_U, "contrast row", settings, err));
  for (size_t k = 0; k < ANK_PAPER_GRID; k++) out[k] = ank_volume_at(&pooled, k, ANK_PAPER_GRID - 1);
  ank_pooled_free(&pooled);
done:
  ank_free(scores);
  return status;
}

/* ---- the averaged curves ----------------------------------------------------------------------------- */

typedef struct job {
  const ank_paper_figures *figures;
  size_t first; /* repetition of chunk 0 */
  volumes *all;
} job;

/* Train one network for each phi, at the lambda of the figure. */
static anorank_status two_networks(volumes *out, const ank_paper_data *data, const job *work,
                                   const anorank_settings *settings, anorank_error *err) {
  static const char *const phis[2] = {"mww", "truncated"};
  const ank_scorer_class *type = work->figures->reproduction->type;
  ank_samples samples = {
      {data->x, ANK_PAPER_X, data->dim}, {data->u, ANK_PAPER_U, data->dim}, NULL, {0}, NULL, 0, NULL};
  anorank_status status = ANORANK_OK;
  for (size_t k = 0; k < 2 && status == ANORANK_OK; k++) {
    void *scorer = NULL;
    ank_trial trial = {
        .type = type, .train = &samples, .phi = ank_phi_find(phis[k]), .lambda = work->figures->curve_lambda};
    status = ank_train(&scorer, NULL, &trial, settings, err);
    if (status != ANORANK_OK) break;
    status = curve_of(out->curve[k], type, scorer, data, settings, err);
    type->free(scorer);
  }
  return status;
}

static anorank_status repeat_once(void *context, size_t chunk, anorank_error *err) {
  const job *work = context;
  size_t repetition = work->first + chunk;
  const anorank_settings *all = &work->figures->reproduction->settings;
  anorank_settings settings = ank_paper_settings(all, repetition);
  anorank_status status = ANORANK_OK;
  ank_paper_data data = {0};
  ANK_TRY(ank_paper_draw(&data, repetition, all, err));
  ANK_TRY(curve_of(work->all[repetition].optimum, NULL, NULL, &data, &settings, err));
  ANK_TRY(two_networks(&work->all[repetition], &data, work, &settings, err));
done:
  ank_paper_free(&data);
  return status;
}

static void summarise(ank_paper_curve *out, const double *first, size_t count) {
  for (size_t k = 0; k < ANK_PAPER_GRID; k++)
    ank_paper_summarise(&out->mean[k], &out->sd[k], first + k, count, sizeof(volumes));
}

static anorank_status averaged_curves(ank_paper_figures *f, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_settings *settings = &f->reproduction->settings;
  size_t count = (size_t)settings->repetitions, step = 16;
  volumes *all = NULL;
  ANK_TRY(ank_alloc(&all, count, sizeof *all, err));
  for (size_t first = 0; first < count; first += step) {
    job work = {f, first, all};
    size_t some = count - first < step ? count - first : step;
    ANK_TRY(ank_progress(settings, (double)first / (double)count, "averaging mass-volume curves", err));
    ANK_TRY(ank_parallel(settings, some, repeat_once, &work, err));
  }
  for (size_t k = 0; k < 2; k++) summarise(&f->curves[k], all[0].curve[k], count);
  summarise(&f->optimum, all[0].optimum, count);
done:
  ank_free(all);
  return status;
}

/* ---- the first repetition ---------------------------------------------------------------------------- */

/* Train at one lambda with a log, and keep the network if its W is the highest so far. */
static anorank_status logged_training(ank_paper_figures *f, size_t l, const ank_samples *samples,
                                      double *best_w, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_reproduction *r = f->reproduction;
  const ank_phi *phi;
  ank_quality quality;
  void *scorer = NULL;
  ank_matrix test = {f->data.test, ANK_PAPER_TEST_X + ANK_PAPER_TEST_U, f->data.dim};
  ANK_TRY(ank_phi_of_settings(&phi, settings, err));
  ank_trial trial = {.type = r->type,
                     .train = samples,
                     .phi = phi,
                     .lambda = r->lambdas[l],
                     .index = l * (size_t)settings->restarts, /* the start of the table's network */
                     .log = f->logs + l * (size_t)settings->epochs,
                     .test = &test,
                     .test_labels = f->data.labels,
                     .lowest = ANK_PAPER_LOGGED};
  ANK_TRY(ank_train(&scorer, NULL, &trial, settings, err));
  ANK_TRY(ank_quality_of_scorer(&quality, r->type, scorer, samples, phi, settings, err));
  if (quality.w > *best_w || !f->scorer) {
    void *worse = f->scorer;
    *best_w = quality.w;
    f->kept_lambda = r->lambdas[l];
    f->scorer = scorer;
    scorer = worse;
  }
done:
  if (scorer) r->type->free(scorer);
  return status;
}

static anorank_status first_repetition(ank_paper_figures *f, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_reproduction *r = f->reproduction;
  anorank_settings settings = ank_paper_settings(&r->settings, 0);
  double best_w = -INFINITY;
  settings.patience = 0; /* every epoch is drawn */
  ANK_TRY(ank_paper_draw(&f->data, 0, &r->settings, err));
  ANK_TRY(ank_alloc(&f->logs, r->lambda_count * (size_t)settings.epochs, sizeof *f->logs, err));
  ANK_TRY(ank_alloc(&f->x_score, ANK_PAPER_X, sizeof *f->x_score, err));
  ank_samples samples = {
      {f->data.x, ANK_PAPER_X, f->data.dim}, {f->data.u, ANK_PAPER_U, f->data.dim}, NULL, {0}, NULL, 0, NULL};
  for (size_t l = 0; l < r->lambda_count; l++)
    ANK_TRY(logged_training(f, l, &samples, &best_w, &settings, err));
  ANK_TRY(r->type->score(f->x_score, f->scorer, &samples.x, err));
  for (size_t i = 0; i < ANK_PAPER_X; i++) f->x_score[i] = 1 / (1 + exp(-f->x_score[i]));
  ANK_TRY(curve_of(f->typical, r->type, f->scorer, &f->data, &settings, err));
  ANK_TRY(curve_of(f->typical_optimum, NULL, NULL, &f->data, &settings, err));
done:
  return status;
}

/* ---- public ------------------------------------------------------------------------------------------ */

anorank_status ank_paper_figures_make(ank_paper_figures **out, const anorank_reproduction *reproduction,
                                      anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_paper_figures *f = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&f, 1, sizeof *f, err));
  f->reproduction = reproduction;
  /* the paper draws its curves at lambda = 1; if the list lacks it, use the last */
  f->curve_lambda = reproduction->lambdas[reproduction->lambda_count - 1];
  for (size_t l = 0; l < reproduction->lambda_count; l++)
    if (reproduction->lambdas[l] == 1) f->curve_lambda = 1;
  ANK_TRY(first_repetition(f, err));
  ANK_TRY(averaged_curves(f, err));
  ANK_TRY(ank_progress(&reproduction->settings, 1, "averaging mass-volume curves", err));
  *out = f;
  f = NULL;
done:
  ank_paper_figures_free(f);
  return status;
}

void ank_paper_figures_free(ank_paper_figures *f) {
  if (!f) return;
  if (f->scorer) f->reproduction->type->free(f->scorer);
  ank_paper_free(&f->data);
  ank_free(f->logs);
  ank_free(f->x_score);
  ank_free(f);
}
