/* quality.h - the criterion that selects scorers: W_phi, where tied rows share the mean of phi over their
 * ranks (criterion/phi.h has the reason), for any value of the setting `ties`. */
#ifndef ANK_LEARN_QUALITY_H
#define ANK_LEARN_QUALITY_H

#include "criterion/phi.h"
#include "scorers/scorer.h"

typedef struct ank_quality {
  double w;    /* mean over X of phi(Rank / (N + 1)) */
  double area; /* under the mass-volume curve */
} ank_quality;

/* Compute it from scores of n X and m U; if m is 0, both results are NaN. `ties` is MID, except to show the
 * effect of MAX. */
anorank_status ank_quality_of_scores(ank_quality *out, const double *x, size_t n, const double *u, size_t m,
                                     const ank_phi *phi, anorank_ties ties, const anorank_settings *settings,
                                     anorank_error *err);

/* Score both samples and compute W. */
anorank_status ank_quality_of_scorer(ank_quality *out, const ank_scorer_class *type, const void *scorer,
                                     const ank_samples *samples, const ank_phi *phi,
                                     const anorank_settings *settings, anorank_error *err);

/* Find the phi that the setting names; ANORANK_ERROR_USAGE with the list of names if there is none. */
anorank_status ank_phi_of_settings(const ank_phi **out, const anorank_settings *settings, anorank_error *err);

#endif
