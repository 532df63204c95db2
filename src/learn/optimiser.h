/* optimiser.h - from a gradient to a step. */
#ifndef ANK_LEARN_OPTIMISER_H
#define ANK_LEARN_OPTIMISER_H

#include "core/status.h"

typedef struct ank_optimiser {
  anorank_optimiser kind;
  size_t count;
  double decay;           /* each step shrinks weights by the factor rate * decay (decoupled from the
                           * gradient) */
  double *first, *second; /* running moments; NULL for plain SGD */
  double first_power, second_power; /* of Adam's two decay rates: 1 - power corrects the start */
} ank_optimiser;

anorank_status ank_optimiser_make(ank_optimiser *out, size_t count, const anorank_settings *settings,
                                  anorank_error *err);
void ank_optimiser_free(ank_optimiser *optimiser);

/* Subtract rate * (the optimiser's step for this gradient) from the values. */
void ank_optimiser_step(ank_optimiser *optimiser, double *values, const double *gradient, double rate);

/* Discard the gradients seen so far, for a change of objective. */
void ank_optimiser_reset(ank_optimiser *optimiser);

/* Return the learning rate of epoch `epoch` of `epochs` under settings->schedule. */
double ank_learning_rate(const anorank_settings *settings, size_t epoch, size_t epochs);

#endif
