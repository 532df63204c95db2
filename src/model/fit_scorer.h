/* fit_scorer.h - the scorer of a pipeline: the class in the settings, fitted on prepared rows, with
 * contrast rows and known anomalies if it uses them. */
#ifndef ANK_MODEL_FIT_SCORER_H
#define ANK_MODEL_FIT_SCORER_H

#include "model/pipeline.h"

/* Return the class in the settings if it is a single one and uses only training rows; else NULL. */
const ank_scorer_class *ank_plain_class(const anorank_settings *settings);

/* Fit pipeline->scorer on samples->x, the prepared rows of the table, and the other members of `samples`; draws the
 * contrast rows. */
anorank_status ank_fit_scorer(ank_pipeline *pipeline, const anorank_table *table, const ank_samples *samples,
                              const anorank_settings *settings, anorank_error *err);

#endif
