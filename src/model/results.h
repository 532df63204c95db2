/* results.h - columns of the user's table in a table of results: identifiers and kept columns. */
#ifndef ANK_MODEL_RESULTS_H
#define ANK_MODEL_RESULTS_H

#include "table/table.h"

/* Choose the ids, then the columns in `keep` ("all": every column) in the order of the table, each once. `chosen` has room
 * for all columns of the table. A name that the table lacks is ANORANK_ERROR_USAGE. */
anorank_status ank_results_choose(size_t *chosen, size_t *count, const size_t *ids, size_t id_count,
                                  const anorank_table *table, const char *keep, anorank_error *err);

/* Set up the first `count` columns of `out` like the chosen ones. The names of the results must be
 * set: a column of the user with such a name becomes name_1, name_2, ... */
anorank_status ank_results_columns(anorank_table *out, const anorank_table *table, const size_t *chosen,
                                   size_t count, anorank_error *err);

/* Give a column of `out` the kind of another, before rows are reserved. */
anorank_status ank_results_like(anorank_table *out, size_t column, const ank_column *from,
                                anorank_error *err);

#endif
