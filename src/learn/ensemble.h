/* ensemble.h - objective = auto: an ensemble of networks that works well on real tables.
 *
 * Rows are encoded (scorers/encoding.h). ANK_ENSEMBLE_NETWORKS networks minimise cross-entropy by Adam, with
 * a learning rate that falls to 0, from different starts and in different orders. The score is the mean of
 * their logits. An epoch shows at most ANK_ENSEMBLE_ROWS random rows of X, each with ANK_ENSEMBLE_CONTRAST of
 * U, so the time of a fit does not grow with the table. There should be many times more contrast rows than
 * rows of X, at many scales (law `scales`): networks memorise the ones that they see often. */
#ifndef ANK_LEARN_ENSEMBLE_H
#define ANK_LEARN_ENSEMBLE_H

#include "learn/train.h"

/* Return whether the class becomes an ensemble under these settings. */
int ank_is_ensemble(const ank_scorer_class *type, const anorank_settings *settings);

/* Train on trial->train, with epochs, batch, shuffle and hidden (auto: two layers) from `settings`. Networks
 * are spread over settings->threads. */
anorank_status ank_train_ensemble(void **out, const ank_trial *trial, const anorank_settings *settings,
                                  anorank_error *err);

#endif
