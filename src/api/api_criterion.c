/* api_criterion.c - argument checks of the criterion's public functions, then inward. */
#include <math.h>

#include "core/status.h"
#include "criterion/bands.h"
#include "criterion/compare.h"
#include "criterion/judgement.h"
#include "criterion/labelled.h"
#include "criterion/phi.h"
#include "criterion/pooled.h"
#include "kernels/sort.h"

const anorank_phi *anorank_phi_at(size_t i) {
  const ank_phi *phi = ank_phi_at(i);
  return phi ? &phi->info : NULL;
}

anorank_status anorank_ranks(double *ranks, const double *scores, size_t n, anorank_ties ties,
                             const anorank_settings *settings, anorank_error *err) {
  if (n > 0) {
    ANK_NEED(ranks);
    ANK_NEED(scores);
  }
  if (ties != ANORANK_TIES_MID && ties != ANORANK_TIES_MAX)
    return ank_fail(err, ANORANK_ERROR_USAGE, "argument-ties",
                    "anorank_ranks: 'ties' is %d; it must be MID (0) or MAX (1)", (int)ties);
  if (n > UINT32_MAX)
    return ank_fail(err, ANORANK_ERROR_DATA, "scores-too-many",
                    "%zu scores cannot be ranked at once; the most is %lu", n, (unsigned long)UINT32_MAX);
  settings = ank_settings_or_default(settings);
  anorank_status status = ank_scores_check(scores, n, "row", err);
  if (status != ANORANK_OK || n == 0) return status;
  return ank_rank(ranks, scores, n, ties, settings, err);
}

anorank_status anorank_judge(anorank_judgement **out, const double *x, size_t n, const double *u, size_t m,
                             const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  if (n > 0) ANK_NEED(x);
  if (m > 0) ANK_NEED(u);
  settings = ank_settings_or_default(settings);
  anorank_status status = ank_bands_check(settings, err);
  return status == ANORANK_OK ? ank_judge(out, x, n, u, m, settings, err) : status;
}

void anorank_judgement_free(anorank_judgement *judgement) { ank_judgement_free(judgement); }

const anorank_judgement_info *anorank_judgement_get_info(const anorank_judgement *judgement) {
  return judgement ? &judgement->info : NULL;
}

anorank_status anorank_compare(anorank_comparison *out, const double *x_first, const double *x_second,
                               size_t n, const double *u_first, const double *u_second, size_t m,
                               const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(out);
  if (n > 0) {
    ANK_NEED(x_first);
    ANK_NEED(x_second);
  }
  if (m > 0) {
    ANK_NEED(u_first);
    ANK_NEED(u_second);
  }
  settings = ank_settings_or_default(settings);
  return ank_compare(out, x_first, x_second, n, u_first, u_second, m, settings, err);
}

anorank_status anorank_labelled_metrics(anorank_labelled *out, const double *scores,
                                        const unsigned char *labels, size_t n,
                                        const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(out);
  if (n > 0) {
    ANK_NEED(scores);
    ANK_NEED(labels);
  }
  settings = ank_settings_or_default(settings);
  return ank_labelled_metrics(out, scores, labels, n, settings, err);
}

anorank_status anorank_accuracy_lowest(double *out, const double *scores, const unsigned char *labels,
                                       size_t n, size_t k, anorank_error *err) {
  ANK_NEED(out);
  if (n > 0) {
    ANK_NEED(scores);
    ANK_NEED(labels);
  }
  return ank_accuracy_lowest(out, scores, labels, n, k, err);
}
