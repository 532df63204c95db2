/* deviation.h - the effect of the deviation columns of a context on the score (pipeline.h). */
#ifndef ANK_MODEL_DEVIATION_H
#define ANK_MODEL_DEVIATION_H

#include "model/pipeline.h"

/* Return the effect on a prepared row; 0 without such columns. */
double ank_deviation_of(const ank_pipeline *pipeline, const double *features);

/* Learn units and weights from the rows of the fit: `x` has their features, `scores` their scores. */
anorank_status ank_deviation_fit(ank_pipeline *pipeline, const anorank_table *table, const double *x,
                                 const double *scores, size_t rows, const anorank_settings *settings,
                                 anorank_error *err);

#endif
