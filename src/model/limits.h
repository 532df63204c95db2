/* limits.h - limits of the tiers: values that rows like the training rows hardly ever have.
 *
 * For each side of each numeric column, and for the scores, a generalised Pareto distribution is fitted to the outer
 * values. The outermost values are excluded, because they may be errors. Beyond the limit, fewer than ANK_APART_EXPECTED
 * rows are expected in a table like the training table, over all columns together. The shape of a tail is hard to estimate
 * from one side of a column, so it is averaged with the mean shape of the table. Tails that are not lighter than
 * exponential are assumed heavier than estimated. Nothing is assumed about anomalies. */
#ifndef ANK_MODEL_LIMITS_H
#define ANK_MODEL_LIMITS_H

#include "core/bytes.h"
#include "prepare/prepare.h"

typedef struct ank_limits {
  size_t columns;        /* of the model; 0: no limits, in a model of an earlier version */
  double *low, *high;    /* per column; infinite: unknown, or not numeric */
  double apart, unusual; /* of the scores; -INFINITY: unknown */
} ank_limits;

/* Fit the limits of the numeric columns of the training table. */
anorank_status ank_limits_of_table(ank_limits *out, const anorank_table *table, const ank_prepare *prepare,
                                   const anorank_settings *settings, anorank_error *err);

/* Fit the limits of the scores, from ascending calibration scores. */
anorank_status ank_limits_of_scores(ank_limits *out, const double *scores, size_t count, anorank_error *err);

anorank_status ank_limits_save(const ank_limits *limits, ank_bytes *out, anorank_error *err);
anorank_status ank_limits_load(ank_limits *out, ank_cursor *in, anorank_error *err);
void ank_limits_free(ank_limits *limits);

#endif
