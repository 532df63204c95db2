/* training_index.h - look up rows among the background rows of a model, by their cells. */
#ifndef ANK_MODEL_TRAINING_INDEX_H
#define ANK_MODEL_TRAINING_INDEX_H

#include "model/model.h"

typedef struct ank_training_index {
  const double *cells; /* of the model's background rows */
  size_t columns;
  uint32_t *slot; /* hash table of 1 + row; 0: empty */
  size_t slots;   /* a power of 2; 0: rows are often equal by chance, so no row is found */
  size_t distinct;
} ank_training_index;

anorank_status ank_training_index_make(ank_training_index *out, const anorank_model *model,
                                       anorank_error *err);
void ank_training_index_free(ank_training_index *index); /* its content, not the struct */

/* Return the background row with these cells (ank_prepare_value), or SIZE_MAX. */
size_t ank_training_index_find(const ank_training_index *index, const double *cells);

#endif
