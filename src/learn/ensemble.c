/* ensemble.c - see ensemble.h. */
#include "learn/ensemble.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "core/parallel.h"
#include "scorers/encoding.h"

int ank_is_ensemble(const ank_scorer_class *type, const anorank_settings *settings) {
  return settings->objective == ANORANK_OBJECTIVE_AUTO && type->gradient && type->gradient->join;
}

/* ---- encoded rows ------------------------------------------------------------------------------------ */

typedef struct {
  ank_encoding *encoding;
  size_t *shown; /* rows of X to show */
  double *x, *u;
  ank_samples samples;
} encoded;

static void encoded_free(encoded *rows) {
  ank_encoding_free(rows->encoding);
  ank_free(rows->shown);
  ank_free(rows->x);
  ank_free(rows->u);
}

/* Return the number of copies of contrast row j: its weight. */
static size_t copies_of(const ank_samples *samples, size_t j) {
  return samples->u_weight ? (size_t)fmax(1, nearbyint(samples->u_weight[j])) : 1;
}

/* Choose the rows of X, at most ANK_ENSEMBLE_MOST. */
static anorank_status choose_rows(size_t **out, size_t *count, size_t rows, const anorank_settings *settings,
                                  anorank_error *err) {
  ank_rng rng;
  *count = rows < ANK_ENSEMBLE_MOST ? rows : ANK_ENSEMBLE_MOST;
  ANK_CHECK(ank_alloc_raw(out, *count, sizeof **out, err));
  for (size_t i = 0; i < *count; i++) (*out)[i] = i;
  if (*count == rows) return ANORANK_OK;
  ank_rng_open(&rng, settings->seed, ANK_STREAM_FIT, UINT64_MAX - 2); /* learn.c has the indices above */
  return ank_rng_sample(&rng, *out, *count, rows, err);
}

static anorank_status encode_all(encoded *out, const ank_samples *samples, const anorank_settings *settings,
                                 anorank_error *err) {
  const ank_matrix *x = &samples->x, *u = &samples->u;
  size_t count = 0, shown;
  ANK_CHECK(choose_rows(&out->shown, &shown, x->rows, settings, err));
  ANK_CHECK(ank_encoding_learn(&out->encoding, samples, err));
  size_t inputs = out->encoding->inputs;
  for (size_t j = 0; j < u->rows; j++) count += copies_of(samples, j);
  ANK_CHECK(ank_alloc_raw(&out->x, shown, inputs * sizeof *out->x, err));
  ANK_CHECK(ank_alloc_raw(&out->u, count, inputs * sizeof *out->u, err));
  for (size_t i = 0; i < shown; i++)
    ank_encode(out->x + i * inputs, out->encoding, x->values + out->shown[i] * x->dim, 1);
  double *to = out->u;
  for (size_t j = 0; j < u->rows; j++)
    for (size_t k = copies_of(samples, j); k-- > 0; to += inputs)
      ank_encode(to, out->encoding, u->values + j * u->dim, 0);
  out->samples = (ank_samples){.x = {out->x, shown, inputs}, .u = {out->u, count, inputs}};
  return ANORANK_OK;
}

/* ---- networks ---------------------------------------------------------------------------------------- */

typedef struct {
  const ank_trial *trial;
  const encoded *rows;
  const anorank_settings *settings;
  void **scorers;
} work;

static anorank_status train_one(void *context, size_t k, anorank_error *err) {
  const work *all = context;
  ank_trial trial = *all->trial;
  trial.train = &all->rows->samples;
  trial.check = NULL;
  trial.most_rows = ANK_ENSEMBLE_ROWS;
  trial.index = trial.index * ANK_ENSEMBLE_NETWORKS + k;
  return ank_train(&all->scorers[k], NULL, &trial, all->settings, err);
}

anorank_status ank_train_ensemble(void **out, const ank_trial *trial, const anorank_settings *settings,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  encoded rows = {0};
  void *scorers[ANK_ENSEMBLE_NETWORKS] = {0};
  anorank_settings own = *settings;
  work all = {trial, &rows, &own, scorers};
  *out = NULL;
  own.objective = ANORANK_OBJECTIVE_BCE;
  own.optimiser = ANORANK_OPTIMISER_ADAM;
  own.schedule = ANORANK_SCHEDULE_COSINE;
  own.learning_rate = ANK_ENSEMBLE_RATE;
  own.weight_decay = ANK_ENSEMBLE_DECAY;
  own.patience = 0;
  if (strcmp(own.hidden, "auto") == 0) own.hidden = ANK_ENSEMBLE_HIDDEN;
  if (trial->train->u.rows == 0 || trial->train->u.dim != trial->train->x.dim)
    ANK_FAIL(ANORANK_ERROR_USAGE, "fit-needs-contrast",
             "%s learns to rank X above U and needs contrast rows with %zu columns; pass some",
             trial->type->info.name, trial->train->x.dim);
  ANK_TRY(encode_all(&rows, trial->train, settings, err));
  ANK_TRY(ank_parallel(settings, ANK_ENSEMBLE_NETWORKS, train_one, &all, err));
  status = trial->type->gradient->join(out, rows.encoding, scorers, ANK_ENSEMBLE_NETWORKS, err);
  rows.encoding = NULL;
done:
  for (size_t k = 0; k < ANK_ENSEMBLE_NETWORKS; k++)
    if (scorers[k]) trial->type->free(scorers[k]);
  encoded_free(&rows);
  return status;
}
