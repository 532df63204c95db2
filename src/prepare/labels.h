/* labels.h - a column of labels: known anomalies and rows known to be normal. It is never
 * a feature: prepare.c drops the column that settings->labels names. */
#ifndef ANK_PREPARE_LABELS_H
#define ANK_PREPARE_LABELS_H

#include "table/table.h"

/* One label per row: 1 anomaly, 0 normal, -1 unknown (a missing cell). `out` has room for all rows. A numeric
 * column holds 0 and 1; a categorical one 1/true/yes/anomaly/anomalous/outlier/fraud/abnormal and
 * 0/false/no/normal/ok/inlier in any case. Anything else is ANORANK_ERROR_DATA and the message names column,
 * row and value; a column that the table lacks is ANORANK_ERROR_USAGE and the message names those it has. */
anorank_status ank_labels_read(signed char *out, const anorank_table *table, const char *column,
                               anorank_error *err);

/* The same of a table of answers, where `skip` is a word, too: 2. */
anorank_status ank_labels_answers(signed char *out, const anorank_table *table, const char *column,
                                  anorank_error *err);

/* 1 for a word that means an anomaly, 0 for one that means a normal row, -1 for any other. */
int ank_label_of_word(const char *text);

#endif
