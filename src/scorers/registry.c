/* registry.c - the registry of scorers, and multi-threaded scoring. */
#include <string.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "neighbours/reference_set.h"
#include "scorers/scorer.h"

static const ank_scorer_class *const classes[] = {
#define ANK_SCORER(name) &ank_scorer_##name,
#include "scorers/classes.inc"
#undef ANK_SCORER
};

enum { COUNT = sizeof classes / sizeof classes[0], BLOCK = 2048 };

const ank_scorer_class *ank_scorer_at(size_t i) { return i < COUNT ? classes[i] : NULL; }

const ank_scorer_class *ank_scorer_find(const char *name) {
  for (size_t i = 0; i < COUNT; i++)
    if (strcmp(classes[i]->info.name, name) == 0) return classes[i];
  return NULL;
}

anorank_status ank_scorer_hand_out(void **out, const ank_scorer_class *type, void *scorer,
                                   anorank_status status) {
  if (status != ANORANK_OK) type->free(scorer);
  *out = status == ANORANK_OK ? scorer : NULL;
  return status;
}

anorank_status ank_scorer_fit(void **out, const ank_scorer_class *type, const ank_samples *samples,
                              const anorank_settings *settings, anorank_error *err) {
  void *scorer;
  *out = NULL;
  ANK_CHECK(ank_alloc(&scorer, 1, type->size, err));
  return ank_scorer_hand_out(out, type, scorer, type->fit(scorer, samples, settings, err));
}

anorank_status ank_scorer_load(void **out, const ank_scorer_class *type, ank_cursor *in, anorank_error *err) {
  void *scorer;
  *out = NULL;
  ANK_CHECK(ank_alloc(&scorer, 1, type->size, err));
  return ank_scorer_hand_out(out, type, scorer, type->load(scorer, in, err));
}

typedef struct {
  double *scores;
  const ank_scorer_class *type;
  const void *scorer;
  const ank_matrix *rows;
  ank_score_without without;
  const uint32_t *places;
} scoring;

static anorank_status score_block_without(void *context, size_t chunk, anorank_error *err) {
  const scoring *work = context;
  size_t from = chunk * ANK_LEFT_OUT_BLOCK, left = work->rows->rows - from;
  ank_matrix block = {work->rows->values + from * work->rows->dim,
                      left < ANK_LEFT_OUT_BLOCK ? left : ANK_LEFT_OUT_BLOCK, work->rows->dim};
  return work->without(work->scores + from, work->scorer, &block, work->places ? work->places + from : NULL,
                       err);
}

anorank_status ank_score_left_out(double *scores, const void *scorer, const ank_matrix *x,
                                  const size_t *chosen, size_t count, ank_score_without score,
                                  const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  uint32_t *places = NULL;
  if (chosen) ANK_TRY(ank_alloc_raw(&places, x->rows, sizeof *places, err));
  for (size_t i = 0; chosen && i < x->rows; i++) places[i] = ANK_NOWHERE;
  for (size_t i = 0; chosen && i < count; i++) places[chosen[i]] = (uint32_t)i;
  scoring work = {.scores = scores, .scorer = scorer, .rows = x, .without = score, .places = places};
  ANK_TRY(ank_parallel(settings, (x->rows + ANK_LEFT_OUT_BLOCK - 1) / ANK_LEFT_OUT_BLOCK, score_block_without,
                       &work, err));
done:
  ank_free(places);
  return status;
}

static anorank_status score_block(void *context, size_t chunk, anorank_error *err) {
  const scoring *work = context;
  size_t from = chunk * BLOCK, left = work->rows->rows - from;
  ank_matrix block = {work->rows->values + from * work->rows->dim, left < BLOCK ? left : BLOCK,
                      work->rows->dim};
  return work->type->score(work->scores + from, work->scorer, &block, err);
}

anorank_status ank_score(double *scores, const ank_scorer_class *type, const void *scorer,
                         const ank_matrix *rows, const anorank_settings *settings, anorank_error *err) {
  scoring work = {.scores = scores, .type = type, .scorer = scorer, .rows = rows};
  if (rows->dim != type->dim(scorer))
    return ank_fail(err, ANORANK_ERROR_USAGE, "scorer-column-count",
                    "the rows have %zu columns, but the scorer was fitted on %zu; pass those", rows->dim,
                    type->dim(scorer));
  return ank_parallel(settings, (rows->rows + BLOCK - 1) / BLOCK, score_block, &work, err);
}

const anorank_class *anorank_class_at(size_t i) {
  const ank_scorer_class *type = ank_scorer_at(i);
  return type ? &type->info : NULL;
}
