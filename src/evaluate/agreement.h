/* agreement.h - the agreement of two orders of the same rows. */
#ifndef ANK_EVALUATE_AGREEMENT_H
#define ANK_EVALUATE_AGREEMENT_H

#include "anorank/experimental.h"
#include "core/status.h"

/* Needs n >= 2, no NaN, and fewer than 2^32 rows. */
anorank_status ank_rank_agreement(anorank_agreement *out, const double *first, const double *second, size_t n,
                                  const anorank_settings *settings, anorank_error *err);

#endif
