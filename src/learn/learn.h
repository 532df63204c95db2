/* learn.h - from samples to the best scorer of one or several classes: the argmax of the paper's section 3.2.
 *
 * Each combination of settings (classes, phi to train with, lambda, restarts) is tried, each on its own
 * thread, and the one with the highest mid-rank W_phi is kept. W is computed on unseen rows, if the caller
 * gives them (`check`, with freshly drawn U) or a share to hold out. With neither, it is computed on the
 * training rows, as in the paper. */
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
  void *scorer;        /* NULL unless it is the one to keep */
} ank_candidate;

typedef struct ank_learned {
  ank_candidate *candidates; /* in the order tried: classes, then phi, lambda, restarts */
  size_t count, best;
} ank_learned;

/* `keep_all`: keep the scorers of all candidates; otherwise only the best. */
anorank_status ank_learn(ank_learned *out, const ank_samples *train, const ank_samples *check, int keep_all,
                         const anorank_settings *settings, anorank_error *err);
void ank_learned_free(ank_learned *learned);

/* Parse the list of numbers of the setting `lambda`; at most `most`. */
anorank_status ank_parse_lambdas(double *out, size_t *count, size_t most, const char *text,
                                 anorank_error *err);

#endif
