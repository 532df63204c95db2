/* calibration.h - the distribution of the scores of normal rows, from calibration scores: the source of p-values. */
#ifndef ANK_MODEL_CALIBRATION_H
#define ANK_MODEL_CALIBRATION_H

#include "anorank/anorank.h"
#include "core/method_constants.h"

typedef struct ank_calibration {
  const double *scores; /* borrowed: calibration scores, ascending */
  size_t set_aside;     /* lowest scores excluded as likely anomalies */
  size_t count;         /* of all scores, including those set aside */
  int distances;        /* the scores are minus distances: tails are fitted to minus their logarithms */
  int has_tail;         /* 0: p-values are ranks only */
  anorank_tail tail;
} ank_calibration;

/* Ranks only: p-values are exact if the calibration rows are drawn like the rows to rank. */
ank_calibration ank_calibration_from_ranks(const double *scores, size_t count);

/* If the calibration rows may include anomalies: ranks in the bulk, and a fitted tail beyond (calibration.c has the
 * rule and its assumptions). Ranks only with fewer than 100 scores, or if too many of the lowest are tied or infinite.
 * O(count). */
ank_calibration ank_calibration_from_bulk(const double *scores, size_t count, int distances);

/* P(a normal row's score <= score), O(log count); in (0, 1], non-decreasing. */
double ank_calibration_p_value(const ank_calibration *null, double score);

/* Return the number of calibration scores <= score, without those set aside, or SIZE_MAX if the p-value comes from the
 * tail; and the p-value of such a number. */
size_t ank_calibration_rank(const ank_calibration *null, double score);
double ank_calibration_rank_p_value(const ank_calibration *null, size_t rank);

/* ---- stretches ---------------------------------------------------------------------------------------
 * Calibration rows sorted by entity and time. They show how low scores of normal rows cluster. Only in models that leave
 * rows out in stretches (left_out_blocks.h); otherwise count is 0. */

typedef struct ank_calibration_order {
  uint32_t *
      place; /* of each row: twice its place among the ascending calibration scores, plus 1 if it does not follow the
                      previous row */
  size_t count;
} ank_calibration_order;

/* Return P(the lowest of `rows` consecutive normal rows of one entity <= score): the share of such stretches of
 * calibration rows, (1 + those) / (1 + all); shorter sequences count as they are. For the peak of an incident. NaN without
 * stretches, or if rows is 0. O(count). */
double ank_calibration_stretch_p_value(const ank_calibration *null, const ank_calibration_order *stretches,
                                       double score, size_t rows);

/* Count runs of calibration rows with a score <= score, without those set aside. Rows with at most `between` others between
 * them are one run. Divided by `count`, this is the rate of false incidents per row. O(count). */
size_t ank_calibration_runs(const ank_calibration *null, const ank_calibration_order *stretches, double score,
                            size_t gap);

/* The smallest possible p-value. */
double ank_calibration_smallest(const ank_calibration *null);

#endif
