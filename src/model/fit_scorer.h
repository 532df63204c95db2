/* fit_scorer.h - the scorer of a pipeline: the class that the settings name, fitted on prepared rows against
 * contrast rows and known anomalies where it looks at them. */
#ifndef ANK_MODEL_FIT_SCORER_H
#define ANK_MODEL_FIT_SCORER_H

#include "model/pipeline.h"

/* The class that the settings name, if it looks at the training rows alone and nothing is to be chosen; else
 * NULL. */
const ank_scorer_class *ank_plain_class(const anorank_settings *settings);

/* Fit pipeline->scorer on samples->x, the prepared rows of the table, and what else of them is there;
 * contrast rows are drawn here. */
anorank_status ank_fit_scorer(ank_pipeline *pipeline, const anorank_table *table, const ank_samples *samples,
                              const anorank_settings *settings, anorank_error *err);

#endif
