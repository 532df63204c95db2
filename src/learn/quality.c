/* quality.c - see quality.h. */
#include "learn/quality.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "criterion/pooled.h"

anorank_status ank_quality_of_scores(ank_quality *out, const double *x, size_t n, const double *u, size_t m,
                                     const ank_phi *phi, anorank_ties ties, const anorank_settings *settings,
                                     anorank_error *err) {
  ank_pooled pooled;
  ank_group group;
  *out = (ank_quality){NAN, NAN};
  if (n == 0 || m == 0) return ANORANK_OK;
  ANK_CHECK(ank_pooled_make(&pooled, x, n, "normal row", u, m, "contrast row", settings, err));
  double parameter = ank_phi_parameter(phi, settings), w = 0, above = 0;
  ank_walk walk = ank_walk_all(&pooled);
  while (ank_walk_next(&walk, &group)) {
    if (group.x == 0) continue;
    size_t before = group.x_before + group.u_before, here = group.x + group.u;
    w += (double)group.x * ank_phi_of_ties(phi, parameter, before, here, n + m, ties);
    above += (double)group.x * ((double)group.u_before + 0.5 * (double)group.u);
  }
  ank_pooled_free(&pooled);
  *out = (ank_quality){w / (double)n, 1 - above / (double)n / (double)m};
  return ANORANK_OK;
}

anorank_status ank_quality_of_scorer(ank_quality *out, const ank_scorer_class *type, const void *scorer,
                                     const ank_samples *samples, const ank_phi *phi,
                                     const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *scores = NULL;
  size_t n = samples->x.rows, m = samples->u.rows;
  *out = (ank_quality){NAN, NAN};
  ANK_TRY(ank_alloc_raw(&scores, n + m, sizeof *scores, err));
  ANK_TRY(ank_score(scores, type, scorer, &samples->x, settings, err));
  if (m > 0) ANK_TRY(ank_score(scores + n, type, scorer, &samples->u, settings, err));
  ANK_TRY(ank_quality_of_scores(out, scores, n, scores + n, m, phi, ANORANK_TIES_MID, settings, err));
done:
  ank_free(scores);
  return status;
}

anorank_status ank_phi_of_settings(const ank_phi **out, const anorank_settings *settings,
                                   anorank_error *err) {
  char names[256], quoted[ANK_QUOTE_SIZE];
  *out = ank_phi_find(settings->phi);
  if (*out) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "phi-unknown", "unknown phi \"%s\"; choose from %s",
                  ank_quote(quoted, settings->phi, strlen(settings->phi)), ank_phi_list(names, sizeof names));
}
