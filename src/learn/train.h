/* train.h - train one scorer of a differentiable class by gradients. */
#ifndef ANK_LEARN_TRAIN_H
#define ANK_LEARN_TRAIN_H

#include "learn/quality.h"

/* State after an epoch, on the training rows. */
typedef struct ank_epoch {
  double bce, proxy; /* proxy: mean over X (paper, section 4) */
  double w, area;    /* true, with mid-ranks */
  double accuracy;   /* share of anomalies among the `lowest` of the test rows; NaN without labels */
} ank_epoch;

typedef struct ank_trial {
  const ank_scorer_class *type;
  const ank_samples *train;
  const ank_samples *check; /* sample for early stopping; NULL: the training rows */
  const ank_phi *phi;
  double lambda;    /* weight of the proxy, objective = paper */
  size_t most_rows; /* of X in an epoch, each with ANK_ENSEMBLE_CONTRAST rows of U; 0: all rows of both */
  uint64_t index;   /* of the network: determines its start and its row orders */
  ank_epoch *log;   /* settings->epochs elements, NULL: no log */
  const ank_matrix *test; /* for the log's accuracy; NULL: none */
  const unsigned char *test_labels;
  size_t lowest;
} ank_trial;

/* Train with the objective, optimiser and other settings of `settings`, on the calling thread. With patience
 * > 0, keeps the weights of the best epoch by W on `check`, else the last. `*epochs_run` may be NULL. */
anorank_status ank_train(void **out, size_t *epochs_run, const ank_trial *trial,
                         const anorank_settings *settings, anorank_error *err);

#endif
