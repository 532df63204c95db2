/* trim.h - finding the rows of a contaminated sample that are safe to compare with.
 *
 * Two views that a small share of anomalies cannot bend much are ranked and added: the mean distance to the
 * nearest row of a subset of 8 rows (in so few rows anomalies hardly ever stand side by side), and the
 * histogram of each column. The lowest share of that sum is kept. Then, in each of the rounds, every row is
 * scored against the subsets of 64 kept rows (mean log distance to the nearest), and a larger share of all
 * rows is kept: the first, cautious choice grows along the data. Copies of a row do not count for it
 * anywhere. The means are over all subsets (expected_distance.h): of all rows there are, or, where that is too much work, of
 * 2,048 random ones or more. So on small tables the seed decides nothing. */
#ifndef ANK_SCORERS_TRIM_H
#define ANK_SCORERS_TRIM_H

#include "scorers/scorer.h"

typedef struct ank_trim_plan {
  double start; /* share of the rows to begin with */
  size_t rounds;
  double share[8]; /* of all rows, after each round */
} ank_trim_plan;

/* `rows` are the prepared rows, `held` the same ones as held (space.h). The places of all rows, best
 * first, allocated; the first `count` are kept, at least 5 where there are as many. And the histogram of all rows (class `histogram`, 20
 * bins). */
anorank_status ank_trim(uint32_t **out, size_t *count, void **histogram, const ank_matrix *rows,
                        const float *held, const ank_trim_plan *plan, const anorank_settings *settings,
                        anorank_error *err);

#endif
