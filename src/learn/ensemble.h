/* ensemble.h - objective = auto: what makes a network good on real tables.
 *
 * Rows are encoded (scorers/encoding.h), and ANK_ENSEMBLE_NETWORKS networks climb cross-entropy by Adam, with a
 * learning rate that falls to 0, from different starts and in different orders. The score is the mean of their
 * logits. An epoch shows at most ANK_ENSEMBLE_ROWS random rows of X, each with ANK_ENSEMBLE_CONTRAST of U, so the time
 * of a fit does not grow with the table. Contrast rows should be many times the rows of X, at many scales (law
 * `scales`): networks remember the ones that they see often. */
#ifndef ANK_LEARN_ENSEMBLE_H
#define ANK_LEARN_ENSEMBLE_H

#include "learn/train.h"

/* Does the class become an ensemble under these settings? */
int ank_is_ensemble(const ank_scorer_class *type, const anorank_settings *settings);

/* From trial->train; epochs, batch, shuffle and hidden (auto: two layers) from `settings`. Networks are spread
 * over settings->threads. */
anorank_status ank_train_ensemble(void **out, const ank_trial *trial, const anorank_settings *settings,
                                  anorank_error *err);

#endif
