/* learn.h - from samples to the best scorer of one or several classes: the argmax of the paper's section 3.2.
 *
 * Everything that the settings list is tried (classes, phi to train with, lambda, restarts), each on its own
 * thread, and the one with the highest mid-rank W_phi is kept. W is computed on rows that the training did
 * not see if the caller gives them (`check`, with freshly drawn U) or a share to hold out;
 * with neither, on the training rows, as the paper does. */
#ifndef ANK_LEARN_LEARN_H
#define ANK_LEARN_LEARN_H

#include "learn/train.h"

/* A candidate. */
typedef struct ank_candidate {
  const ank_scorer_class *type;
  const ank_phi *train_phi;
  double lambda;
  size_t restart;
  uint64_t index;
  ank_quality quality; /* w by settings->phi */
  void *scorer;        /* NULL once another was kept */
} ank_candidate;

typedef struct ank_learned {
  ank_candidate *candidates; /* in the order tried: classes, then phi, lambda, restarts */
  size_t count, best;
} ank_learned;

/* `keep_all`: keep the scorers of all candidates; otherwise only the best. */
anorank_status ank_learn(ank_learned *out, const ank_samples *train, const ank_samples *check, int keep_all,
                         const anorank_settings *settings, anorank_error *err);
void ank_learned_free(ank_learned *learned);

/* The list of numbers of the setting `lambda`; at most `most`. */
anorank_status ank_parse_lambdas(double *out, size_t *count, size_t most, const char *text,
                                 anorank_error *err);

#endif
