/* column.h - statistics of one data column for the laws. Messages name the law. */
#ifndef ANK_CONTRAST_COLUMN_H
#define ANK_CONTRAST_COLUMN_H

#include "table/table.h"

/* Of the values of a numeric column; missing cells are left out. */
typedef struct ank_column_facts {
  double low, high, mean;
  double sd; /* divisor: the number of values; 0 exactly where low = high */
} ank_column_facts;

/* ANORANK_ERROR_DATA if a value is infinite or there are none. Values near the largest double are
 * safe. */
anorank_status ank_column_measure(ank_column_facts *out, const anorank_table *data, size_t column,
                                  const char *law, anorank_error *err);

/* The number of levels of a categorical column; ANORANK_ERROR_DATA where it has none. */
anorank_status ank_column_levels(size_t *out, const anorank_table *data, size_t column, const char *law,
                                 anorank_error *err);

#endif
