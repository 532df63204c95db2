/* trim.h - find the rows of a contaminated sample that are safe to compare with.
 *
 * Two views that a small share of anomalies can hardly distort are ranked and added: the mean distance to the
 * nearest row of a subset of 8 rows (so few rows hardly ever contain similar anomalies), and the histogram of
 * each column. The lowest share of that sum is kept. Then each round scores every row against the subsets of
 * 64 kept rows (mean log distance to the nearest), and keeps a larger share of all rows: the first, cautious
 * choice grows along the data. Copies of a row never count for it. The means are over all subsets
 * (expected_distance.h), of all rows or, if that takes too much work, of 2,048 random ones or more. So the
 * result does not depend on the seed for small tables. */
#ifndef ANK_SCORERS_TRIM_H
#define ANK_SCORERS_TRIM_H

#include "scorers/scorer.h"

typedef struct ank_trim_plan {
  double start; /* share of the rows at the start */
  size_t rounds;
  double share[8]; /* of all rows, after each round */
} ank_trim_plan;

/* Trim. `rows` are the prepared rows, `held` the same ones as stored (space.h). Returns the indices of all
 * rows, best first, allocated. The first `count` are kept, at least 5 if there are as many. Also returns the
 * histogram of all rows (class `histogram`, 20 bins). */
anorank_status ank_trim(uint32_t **out, size_t *count, void **histogram, const ank_matrix *rows,
                        const float *held, const ank_trim_plan *plan, const anorank_settings *settings,
                        anorank_error *err);

#endif
