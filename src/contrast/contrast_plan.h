/* contrast_plan.h - the second sample U around given rows: which law, how many rows, and how they are drawn,
 * for whoever learns from it and whoever judges by it. Known anomalies are no law: who learns adds them. */
#ifndef ANK_CONTRAST_CONTRAST_PLAN_H
#define ANK_CONTRAST_CONTRAST_PLAN_H

#include "contrast/law.h"

/* The law that settings->contrast names; "auto" is the box while it still meets rows of so many features
 * (docs/contrast.md), then jitter. An unknown name is ANORANK_ERROR_USAGE. */
anorank_status ank_contrast_law(const ank_law **out, size_t features, const anorank_settings *settings,
                                anorank_error *err);

typedef enum ank_contrast_use { ANK_CONTRAST_TO_LEARN, ANK_CONTRAST_TO_JUDGE } ank_contrast_use;

typedef struct ank_contrast_plan {
  const ank_law *law;
  anorank_settings settings; /* by which rows are drawn: law, rows and first_row are set, limits are not */
  size_t cells;              /* set by ank_contrast_to_judge: the columns it drew around that vary */
} ank_contrast_plan;

/* contrast_ratio rows for each of `around`, within the memory limit for `cells` numbers in each; to judge, at
 * least 10,000. The random numbers of the two uses have nothing in common. */
anorank_status ank_contrast_plan_make(ank_contrast_plan *out, ank_contrast_use use, size_t around,
                                      size_t features, size_t cells, const anorank_settings *settings,
                                      anorank_error *err);

/* A column of the table that is looked at, and what the one who looks calls it. */
typedef struct ank_used_column {
  int used;
  const char *name;
} ank_used_column;

/* To judge: around the first `rows` rows of the table, in the columns that are used. Infinite cells do not
 * count; columns of whole numbers stay whole, or one look at the digits would tell U from X; a column without
 * values stays without. */
anorank_status ank_contrast_to_judge(anorank_table **out, ank_contrast_plan *plan, const anorank_table *table,
                                     size_t rows, const ank_used_column *columns, anorank_error *err);

/* To learn: around all rows. Some rows get a level or a number that no row of the table has, so that classes
 * learn what such a cell is worth instead of extrapolating to it. */
anorank_status ank_contrast_to_learn(anorank_table **out, const ank_contrast_plan *plan,
                                     const anorank_table *table, const ank_used_column *columns,
                                     anorank_error *err);

/* The index of the first row drawn to judge. Far beyond the rows that are drawn to learn: for a box the same
 * words would give nearly the same rows, and a class that learned from those would be judged by what it has
 * seen. */
#define ANK_JUDGING_FIRST_ROW ((int64_t)1 << 40)

/* Is a set's share of U its volume (within the support)? */
int ank_contrast_is_uniform(const ank_law *law);

#endif
