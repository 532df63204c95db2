/* mahalanobis.h - the class `mahalanobis` for classes that hold one as a part. */
#ifndef ANK_SCORERS_MAHALANOBIS_H
#define ANK_SCORERS_MAHALANOBIS_H

#include "scorers/scorer.h"

/* Fit a scorer of the class. With `shrunk`, the correlation is shrunk towards the identity by a share that
 * depends on the rows (scorer_mahalanobis.c); *shrunk becomes that share. */
anorank_status ank_mahalanobis_fit(void **out, double *shrunk, const ank_matrix *x,
                                   const anorank_settings *settings, anorank_error *err);

#endif
