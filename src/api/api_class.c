/* api_class.c - the classes of scoring functions for the outside. */
#include "scorers/scorer.h"

const anorank_class *anorank_class_at(size_t i) {
  const ank_scorer_class *type = ank_scorer_at(i);
  return type ? &type->info : NULL;
}
