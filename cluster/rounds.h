/* rounds.h - all rows of all inputs by all processes, in the rounds of pieces.h, with one numbering of the rows. */
#ifndef CLUSTER_ROUNDS_H
#define CLUSTER_ROUNDS_H

#include "inputs.h"
#include "pieces.h"
#include "remarks.h"

/* Called by every process in every round: its rows (NULL: none this time), the columns of the file, and the number of the
 * first row over all files, from 0. What one returns as a failure, all return. */
typedef anorank_status (*rounds_visit)(void *context, const anorank_table *block, const anorank_table *schema,
                                       uint64_t first_row, anorank_error *err);

/* Rows that are taken twice, by the same process both times. */
typedef struct rounds_twice {
  cuts cut;
  int again;
} rounds_twice;

void rounds_twice_free(rounds_twice *twice);

/* `twice`, NULL for once, is the same for both times. After the last round of a file its columns come once more as a block without rows, with all that was noticed. `*rows`: how
 * many there are, in all files; none is a failure. */
anorank_status rounds_each(uint64_t *rows, const cli_inputs *inputs, const cli_call *call,
                           rounds_twice *twice, rounds_visit visit, void *context, anorank_error *err);

/* All rows gathered; process 0 has the gathering of all, the others what they have seen. */
anorank_status rounds_gather(anorank_gathering **out, const cli_inputs *inputs, const cli_call *call,
                             anorank_error *err);

/* ---- what is merged over all processes ---------------------------------------------------------------- */

typedef struct rounds_merged {
  void *context;
  anorank_status (*save)(unsigned char **bytes, size_t *length, void *context, anorank_error *err);
  anorank_status (*merge)(void *context, const unsigned char *bytes, size_t length, anorank_error *err);
} rounds_merged;

/* Two by two: process 0 has all of it after as many steps as the number of processes has digits in base 2. */
anorank_status rounds_merge(const rounds_merged *what, anorank_error *err);

/* What all have seen of the file; process 0 gets the notes on it. NULL: nobody watches. */
anorank_status rounds_notes(cli_notes *notes, anorank_watch *watch, anorank_error *err);

#endif
