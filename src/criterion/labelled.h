/* labelled.h - how good an order is where labels are known. */
#ifndef ANK_CRITERION_LABELLED_H
#define ANK_CRITERION_LABELLED_H

#include "anorank/criterion.h"
#include "core/status.h"

anorank_status ank_labelled_metrics(anorank_labelled *out, const double *scores, const unsigned char *labels,
                                    size_t n, const anorank_settings *settings, anorank_error *err);
anorank_status ank_accuracy_lowest(double *out, const double *scores, const unsigned char *labels, size_t n,
                                   size_t k, anorank_error *err);

#endif
