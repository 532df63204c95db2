/* registry.c - the list of scorer classes, and scoring over threads. */
#include <string.h>

#include "core/parallel.h"
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

typedef struct {
  double *scores;
  const ank_scorer_class *type;
  const void *scorer;
  const ank_matrix *rows;
} scoring;

static anorank_status score_block(void *context, size_t chunk, anorank_error *err) {
  const scoring *work = context;
  size_t from = chunk * BLOCK, left = work->rows->rows - from;
  ank_matrix block = {work->rows->values + from * work->rows->dim, left < BLOCK ? left : BLOCK,
                      work->rows->dim};
  return work->type->score(work->scores + from, work->scorer, &block, err);
}

anorank_status ank_score(double *scores, const ank_scorer_class *type, const void *scorer,
                         const ank_matrix *rows, const anorank_settings *settings, anorank_error *err) {
  scoring work = {scores, type, scorer, rows};
  if (rows->dim != type->dim(scorer))
    return ank_fail(err, ANORANK_ERROR_USAGE, "scorer-column-count",
                    "the rows have %zu columns, the scorer was fitted on %zu", rows->dim, type->dim(scorer));
  return ank_parallel(settings, (rows->rows + BLOCK - 1) / BLOCK, score_block, &work, err);
}

const anorank_class *anorank_class_at(size_t i) {
  const ank_scorer_class *type = ank_scorer_at(i);
  return type ? &type->info : NULL;
}
