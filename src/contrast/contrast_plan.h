/* contrast_plan.h - the second sample U around given rows: law, number of rows and draws, for fits and
 * evaluations. Known anomalies are not part of it: the fit adds them. */
#ifndef ANK_CONTRAST_CONTRAST_PLAN_H
#define ANK_CONTRAST_CONTRAST_PLAN_H

#include "contrast/law.h"

/* Find the law that settings->contrast names; "auto" is the box for few features (docs/contrast.md), jitter
 * for more. An unknown name is ANORANK_ERROR_USAGE. */
anorank_status ank_contrast_law(const ank_law **out, size_t features, const anorank_settings *settings,
                                anorank_error *err);

typedef enum ank_contrast_use {
  ANK_CONTRAST_TO_LEARN,
  ANK_CONTRAST_FOR_ENSEMBLE, /* for learn/ensemble.h: "auto" is scales, with a multiple of the rows */
  ANK_CONTRAST_TO_JUDGE
} ank_contrast_use;

typedef struct ank_contrast_plan {
  const ank_law *law;
  anorank_settings settings; /* of the draw: law, rows and first_row are set, limits are not */
  size_t cells;              /* set by ank_contrast_to_judge: the columns around which it drew that vary */
} ank_contrast_plan;

/* Plan contrast_ratio rows for each of `around`, within the memory limit for `cells` numbers each; for
 * evaluation, at least 10,000. The two uses have independent random numbers. */
anorank_status ank_contrast_plan_make(ank_contrast_plan *out, ank_contrast_use use, size_t around,
                                      size_t features, size_t cells, const anorank_settings *settings,
                                      anorank_error *err);

/* A used column of the table, and its name for messages. */
typedef struct ank_used_column {
  int used;
  const char *name;
} ank_used_column;

/* Draw for an evaluation, around the first `rows` rows of the table, in the used columns. Infinite cells do
 * not count. Columns of whole numbers stay whole, since digits would separate U from X. An empty column stays
 * empty. */
anorank_status ank_contrast_to_judge(anorank_table **out, ank_contrast_plan *plan, const anorank_table *table,
                                     size_t rows, const ank_used_column *columns, anorank_error *err);

/* For a fit: around all rows. Some rows get an unseen level or number, so that scorers learn the effect of such
 * cells instead of extrapolating. */
anorank_status ank_contrast_to_learn(anorank_table **out, const ank_contrast_plan *plan,
                                     const anorank_table *table, const ank_used_column *columns,
                                     anorank_error *err);

/* The index of the first row drawn for evaluation, far beyond the rows drawn for fits. For a box, the same
 * random words would give nearly the same rows, and a scorer would be evaluated on its training sample. */
#define ANK_JUDGING_FIRST_ROW ((int64_t)1 << 40)

/* Return whether the share of U in a set is its volume (within the support). */
int ank_contrast_is_uniform(const ank_law *law);

#endif
