/* api_class.c - the classes of scoring functions for the outside. */
#include "scorers/scorer.h"

size_t anorank_class_count(void) {
  size_t count = 0;
  while (ank_scorer_at(count)) count++;
  return count;
}

const anorank_class *anorank_class_at(size_t i) {
  const ank_scorer_class *type = ank_scorer_at(i);
  return type ? &type->info : NULL;
}
