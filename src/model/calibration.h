/* calibration.h - the law of normal rows' scores, from calibration scores: where p-values come from. */
#ifndef ANK_MODEL_CALIBRATION_H
#define ANK_MODEL_CALIBRATION_H

#include "anorank/anorank.h"
#include "core/method_constants.h"

typedef struct ank_calibration {
  const double *scores; /* borrowed: calibration scores, ascending */
  size_t set_aside;     /* the lowest so many are taken to be anomalies and do not count */
  size_t count;         /* all of them, those set aside too */
  int distances;        /* the scores are minus distances: tails are fitted to minus their logarithms */
  int has_tail;         /* 0: ranks alone */
  anorank_tail tail;
} ank_calibration;

/* Ranks alone: with scores of rows that are drawn like the rows to be judged, p-values are exact. */
ank_calibration ank_calibration_from_ranks(const double *scores, size_t count);

/* Where anomalies may be among the calibration rows: ranks in the bulk, a tail fitted to it beyond (calibration.c
 * has the rule and what it assumes). Ranks alone with fewer than 100 scores, or where too many of the lowest
 * are tied or infinite. O(count). */
ank_calibration ank_calibration_from_bulk(const double *scores, size_t count, int distances);

/* P(a normal row's score <= score), O(log count); in (0, 1], non-decreasing. */
double ank_calibration_p_value(const ank_calibration *null, double score);

/* How many calibration scores that count are <= score, SIZE_MAX where its p-value is by the tail; and the p-value of
 * such a number. */
size_t ank_calibration_rank(const ank_calibration *null, double score);
double ank_calibration_rank_p_value(const ank_calibration *null, size_t rank);

/* The smallest p-value that there can be. */
double ank_calibration_smallest(const ank_calibration *null);

#endif
