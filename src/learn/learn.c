/* learn.c - see learn.h. */
#include "learn/learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/number.h"
#include "core/parallel.h"
#include "learn/ensemble.h"
#include "learn/objective.h"

enum { MOST_LISTED = 64 };

/* ---- the grid ---------------------------------------------------------------------------------------- */

anorank_status ank_parse_lambdas(double *out, size_t *count, size_t most, const char *text,
                                 anorank_error *err) {
  const char *given = text;
  char quoted[ANK_QUOTE_SIZE];
  *count = 0;
  for (;;) {
    const char *end = text + strcspn(text, ",");
    double value;
    if (ank_number_parse(&value, text, (size_t)(end - text)) != ANK_NUMBER || !isfinite(value) || value < 0 ||
        *count == most)
      return ank_fail(err, ANORANK_ERROR_USAGE, "setting-value",
                      "lambda takes up to %zu numbers from 0 up, separated by commas, not \"%s\"", most,
                      ank_quote(quoted, given, strlen(given)));
    out[(*count)++] = value;
    if (*end == '\0') return ANORANK_OK;
    text = end + 1;
  }
}

/* Get the next name of a comma-separated list; 0 at its end. */
static int next_name(const char **list, char *name, size_t size) {
  if (**list == '\0') return 0;
  size_t length = strcspn(*list, ",");
  snprintf(name, size, "%.*s", (int)length, *list);
  *list += length + ((*list)[length] == ',');
  return 1;
}

/* Write the choices: "linear, mlp, ...". */
static const char *list_classes(char *text, size_t size) {
  text[0] = '\0';
  for (size_t i = 0, used = 0; ank_scorer_at(i) && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", ank_scorer_at(i)->info.name);
  return text;
}

static anorank_status parse_classes(const ank_scorer_class **out, size_t *count, const char *list,
                                    anorank_error *err) {
  char name[64], names[512], quoted[ANK_QUOTE_SIZE];
  *count = 0;
  while (next_name(&list, name, sizeof name)) {
    out[*count] = ank_scorer_find(name);
    if (!out[*count] || *count + 1 == MOST_LISTED)
      return ank_fail(err, ANORANK_ERROR_USAGE, "scorer-unknown",
                      "unknown scorer \"%s\"; choose from auto, %s", ank_quote(quoted, name, strlen(name)),
                      list_classes(names, sizeof names));
    *count += 1;
  }
  if (*count == 0)
    return ank_fail(err, ANORANK_ERROR_USAGE, "scorer-unknown", "the scorer is empty; choose from auto, %s",
                    list_classes(names, sizeof names));
  return ANORANK_OK;
}

static anorank_status parse_train_phi(const ank_phi **out, size_t *count, const anorank_settings *settings,
                                      anorank_error *err) {
  const char *list = settings->train_phi[0] ? settings->train_phi : settings->phi;
  char name[64], names[512], quoted[ANK_QUOTE_SIZE];
  *count = 0;
  while (next_name(&list, name, sizeof name)) {
    out[*count] = ank_phi_find(name);
    if (!out[*count] || *count + 1 == MOST_LISTED)
      return ank_fail(err, ANORANK_ERROR_USAGE, "phi-unknown", "unknown phi \"%s\"; choose from %s",
                      ank_quote(quoted, name, strlen(name)), ank_phi_list(names, sizeof names));
    *count += 1;
  }
  return ANORANK_OK;
}

/* Make all combinations; settings that a class or an objective does not use are not varied. */
static anorank_status make_grid(ank_learned *learned, const anorank_settings *settings, anorank_error *err) {
  const ank_scorer_class *classes[MOST_LISTED];
  const ank_phi *phis[MOST_LISTED];
  double lambdas[MOST_LISTED];
  size_t class_count, phi_count, lambda_count, capacity = 0, restarts = (size_t)settings->restarts;
  ANK_CHECK(parse_classes(classes, &class_count, settings->scorer, err));
  ANK_CHECK(parse_train_phi(phis, &phi_count, settings, err));
  ANK_CHECK(ank_parse_lambdas(lambdas, &lambda_count, MOST_LISTED, settings->lambda, err));
  if (ank_objective(settings) != ANORANK_OBJECTIVE_PAPER) lambda_count = 1, lambdas[0] = 0;
  if (ank_objective(settings) == ANORANK_OBJECTIVE_BCE) phi_count = 1;
  for (size_t c = 0; c < class_count; c++) {
    int trained = classes[c]->gradient != NULL && !ank_is_ensemble(classes[c], settings);
    for (size_t p = 0; p < (trained ? phi_count : 1); p++)
      for (size_t l = 0; l < (trained ? lambda_count : 1); l++)
        for (size_t r = 0; r < (trained ? restarts : 1); r++) {
          ANK_CHECK(ank_reserve(&learned->candidates, &capacity, learned->count + 1,
                                sizeof *learned->candidates, err));
          learned->candidates[learned->count] = (ank_candidate){.type = classes[c],
                                                                .train_phi = phis[p],
                                                                .lambda = lambdas[l],
                                                                .restart = r,
                                                                .index = learned->count,
                                                                .quality = {NAN, NAN}};
          learned->count++;
        }
  }
  return ANORANK_OK;
}

/* ---- held-out rows ----------------------------------------------------------------------------------- */

typedef struct split {
  double *x, *u, *weight; /* rows in a random order: the first `kept` for training, the rest for the test */
  ank_samples train, check;
} split;

static void split_free(split *s) {
  ank_free(s->x);
  ank_free(s->u);
  ank_free(s->weight);
}

/* Copy the rows in a random order, which `order` receives. */
static anorank_status shuffled(double **out, size_t **order, const ank_matrix *rows, uint64_t seed,
                               uint64_t index, anorank_error *err) {
  ank_rng rng;
  ANK_CHECK(ank_alloc_raw(order, rows->rows, sizeof **order, err));
  ANK_CHECK(ank_alloc_raw(out, rows->rows * rows->dim, sizeof **out, err));
  for (size_t i = 0; i < rows->rows; i++) (*order)[i] = i;
  ank_rng_open(&rng, seed, ANK_STREAM_FIT, index);
  ank_rng_shuffle(&rng, *order, rows->rows);
  for (size_t i = 0; i < rows->rows; i++)
    memcpy(*out + i * rows->dim, rows->values + (*order)[i] * rows->dim, rows->dim * sizeof **out);
  return ANORANK_OK;
}

static anorank_status split_make(split *s, const ank_samples *all, const anorank_settings *settings,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *order_x = NULL, *order_u = NULL, dim = all->x.dim;
  size_t out_x = (size_t)(settings->held_out * (double)all->x.rows);
  size_t out_u = (size_t)(settings->held_out * (double)all->u.rows);
  size_t in_x = all->x.rows - out_x, in_u = all->u.rows - out_u;
  *s = (split){0};
  ANK_TRY(shuffled(&s->x, &order_x, &all->x, settings->seed, UINT64_MAX, err));
  ANK_TRY(shuffled(&s->u, &order_u, &all->u, settings->seed, UINT64_MAX - 1, err));
  s->train = (ank_samples){{s->x, in_x, dim}, {s->u, in_u, dim}, NULL,       all->known,
                           all->as_given,     all->had_copies,   all->layout};
  s->check = (ank_samples){{s->x + in_x * dim, out_x, dim},
                           {s->u + in_u * dim, out_u, dim},
                           NULL,
                           all->known,
                           all->as_given,
                           all->had_copies,
                           all->layout};
  if (all->u_weight) {
    ANK_TRY(ank_alloc_raw(&s->weight, all->u.rows, sizeof *s->weight, err));
    for (size_t j = 0; j < all->u.rows; j++) s->weight[j] = all->u_weight[order_u[j]];
    s->train.u_weight = s->weight;
  }
done:
  ank_free(order_x);
  ank_free(order_u);
  return status;
}

/* ---- trying ------------------------------------------------------------------------------------------ */

typedef struct trying {
  ank_learned *learned;
  const ank_samples *train, *check;
  const ank_phi *phi;
  const anorank_settings *settings;
} trying;

static anorank_status try_one(void *context, size_t chunk, anorank_error *err) {
  const trying *work = context;
  ank_candidate *candidate = &work->learned->candidates[chunk];
  anorank_settings settings = *work->settings;
  if (work->learned->count > 1) settings.threads = 1; /* candidates use the threads */
  if (candidate->type->gradient) {
    ank_trial trial = {.type = candidate->type,
                       .train = work->train,
                       .check = work->check,
                       .phi = candidate->train_phi,
                       .lambda = candidate->lambda,
                       .index = candidate->index};
    ANK_CHECK(ank_is_ensemble(candidate->type, &settings)
                  ? ank_train_ensemble(&candidate->scorer, &trial, &settings, err)
                  : ank_train(&candidate->scorer, NULL, &trial, &settings, err));
  } else {
    ANK_CHECK(ank_scorer_fit(&candidate->scorer, candidate->type, work->train, &settings, err));
  }
  return ank_quality_of_scorer(&candidate->quality, candidate->type, candidate->scorer,
                               work->check ? work->check : work->train, work->phi, &settings, err);
}

/* Return the candidate with the highest W; a NaN never wins, the first of equals does. */
static size_t best_of(const ank_learned *learned) {
  size_t best = 0;
  for (size_t k = 1; k < learned->count; k++)
    if (learned->candidates[k].quality.w > learned->candidates[best].quality.w ||
        isnan(learned->candidates[best].quality.w))
      best = k;
  return best;
}

void ank_learned_free(ank_learned *learned) {
  for (size_t k = 0; k < learned->count; k++)
    if (learned->candidates[k].scorer) learned->candidates[k].type->free(learned->candidates[k].scorer);
  ank_free(learned->candidates);
  *learned = (ank_learned){0};
}

anorank_status ank_learn(ank_learned *out, const ank_samples *train, const ank_samples *check, int keep_all,
                         const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  split parts = {0};
  trying work = {.learned = out, .train = train, .check = check, .settings = settings};
  *out = (ank_learned){0};
  ANK_TRY(ank_phi_of_settings(&work.phi, settings, err));
  ANK_TRY(make_grid(out, settings, err));
  if (!check && settings->held_out > 0 && out->count > 1) {
    ANK_TRY(split_make(&parts, train, settings, err));
    if (parts.check.x.rows < 2 || parts.check.u.rows < 2)
      ANK_FAIL(ANORANK_ERROR_DATA, "fit-held-out",
               "held-out = %g leaves too few rows to select by: %zu of X and %zu of U; change it, or give "
               "more rows",
               settings->held_out, parts.check.x.rows, parts.check.u.rows);
    work.train = &parts.train;
    work.check = &parts.check;
  }
  ANK_TRY(ank_parallel(settings, out->count, try_one, &work, err));
  out->best = best_of(out);
  for (size_t k = 0; k < out->count && !keep_all; k++)
    if (k != out->best) {
      out->candidates[k].type->free(out->candidates[k].scorer);
      out->candidates[k].scorer = NULL;
    }
done:
  split_free(&parts);
  if (status != ANORANK_OK) ank_learned_free(out);
  return status;
}
