/* reference.h - contrast rows around the rows that are judged. */
#ifndef ANK_EVALUATE_REFERENCE_H
#define ANK_EVALUATE_REFERENCE_H

#include "contrast/law.h"

/* A column of the table that some contestant looks at, and what that one calls it. */
typedef struct ank_used_column {
  int used;
  const char *name;
} ank_used_column;

/* Draw settings->rows rows of settings->law around the first `rows` rows of the table, in the columns that
 * are used. Infinite cells do not count; columns of whole numbers stay whole, or one look at the digits would
 * tell U from X; a column without values stays without. Their random numbers are not those of the contrast
 * rows that a fit with the same seed draws. */
anorank_status ank_reference_draw(anorank_table **out, const anorank_table *table, size_t rows,
                                  const ank_used_column *columns, const anorank_settings *settings,
                                  anorank_error *err);

/* The index of the first row drawn. Far beyond the rows that a fit draws: for a box the same words would give
 * nearly the same contrast rows, and a class that learned from those would be judged by what it has seen. */
#define ANK_REFERENCE_FIRST_ROW ((int64_t)1 << 40)

/* Is a set's share of U its volume (within the support)? */
int ank_reference_is_uniform(const ank_law *law);

#endif
