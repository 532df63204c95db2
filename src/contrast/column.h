/* column.h - statistics of one data column for the laws. Messages name the law. */
#ifndef ANK_CONTRAST_COLUMN_H
#define ANK_CONTRAST_COLUMN_H

#include "table/table.h"

/* Statistics of the values of a numeric column, without missing cells. */
typedef struct ank_column_facts {
  double low, high, mean;
  double sd; /* divides by the number of values; 0 exactly if low = high */
} ank_column_facts;

/* Compute them. ANORANK_ERROR_DATA if a value is infinite, or there are none. Safe for values near the
 * largest double. */
anorank_status ank_column_measure(ank_column_facts *out, const anorank_table *data, size_t column,
                                  const char *law, anorank_error *err);

/* Get the number of levels of a categorical column; ANORANK_ERROR_DATA if it has none. */
anorank_status ank_column_levels(size_t *out, const anorank_table *data, size_t column, const char *law,
                                 anorank_error *err);

#endif
