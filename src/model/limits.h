/* limits.h - limits of the tiers: values that rows like the training rows hardly ever have.
 *
 * For each numeric column and side, and for the scores, a generalised Pareto distribution is fitted to the outer
 * values, without the outermost, which may be errors. The limit is where fewer than ANK_APART_EXPECTED rows as far out
 * are expected in a table like the training table, over all columns together. The shape of a tail is hard to estimate from one
 * side of one column, so it is averaged with the mean shape of all sides of the table. Tails that are not
 * lighter than exponential are assumed heavier than estimated. There is no assumption about anomalies. */
#ifndef ANK_MODEL_LIMITS_H
#define ANK_MODEL_LIMITS_H

#include "core/bytes.h"
#include "prepare/prepare.h"

typedef struct ank_limits {
  size_t columns;        /* of the model; 0: a model of an earlier version, which has none */
  double *low, *high;    /* of each column; infinite: not known, and of columns that are not numeric */
  double apart, unusual; /* of the scores; -INFINITY: not known */
} ank_limits;

/* The numeric columns of the training table. */
anorank_status ank_limits_of_table(ank_limits *out, const anorank_table *table, const ank_prepare *prepare,
                                   const anorank_settings *settings, anorank_error *err);

/* From calibration scores, ascending. */
anorank_status ank_limits_of_scores(ank_limits *out, const double *scores, size_t count, anorank_error *err);

anorank_status ank_limits_save(const ank_limits *limits, ank_bytes *out, anorank_error *err);
anorank_status ank_limits_load(ank_limits *out, ank_cursor *in, anorank_error *err);
void ank_limits_free(ank_limits *limits);

#endif
