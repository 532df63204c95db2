/* known_anomalies.h - prior knowledge of some rows: known anomalies, from labels or from a separate table, and
 * rows labelled normal. */
#ifndef ANK_MODEL_KNOWN_ANOMALIES_H
#define ANK_MODEL_KNOWN_ANOMALIES_H

#include "table/table.h"

enum { ANK_MOST_KNOWN = 1000 }; /* most rows of each kind; more would cost time and add little */

typedef struct ank_known_anomalies {
  anorank_table *anomalies[2]; /* from the table and from `known`, at most ANK_MOST_KNOWN together;
                                  NULL: none */
  anorank_table *dismissed;    /* at most ANK_MOST_KNOWN of them; NULL: none */
  anorank_table *rest;         /* the other rows of the table; NULL: all rows */
  size_t *rest_rows;           /* their row numbers; NULL: all rows */
  size_t given, used;          /* anomalies */
  size_t normal;               /* rows dismissed as normal; they are among the rest */
} ank_known_anomalies;

/* `labels` has 1, 0 or -1 (unknown) per row, or is NULL; settings->labels may also name a column, which counts where
 * `labels` is -1. `known` may be NULL. Uses draws `index` to `index` + 2 of ANK_STREAM_MODEL. */
anorank_status ank_known_anomalies_make(ank_known_anomalies *out, const anorank_table *table,
                                        const signed char *labels, const anorank_table *known,
                                        const anorank_settings *settings, uint64_t index, anorank_error *err);
void ank_known_anomalies_free(ank_known_anomalies *confirmed); /* its content, not the struct */

#endif
